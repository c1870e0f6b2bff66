/**
 * The part of the WebAssembly interface that the engine uses, as the host provides it. The engine is compiled without
 * the types of any host, so what it needs of them is said here.
 */

export interface WasmMemory {
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    /** Adds pages and returns how many there were; throws a RangeError where there is no more memory. */
    grow(pages: number): number;
}

export interface WasmInstance {
    readonly exports: Readonly<Record<string, unknown>>;
}

/** Function and memory imports, by module and name. */
export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface WasmHost {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: WasmImports) => WasmInstance;
    readonly Memory: new (limits: {
        readonly initial: number;
        readonly maximum: number;
        readonly shared: boolean;
    }) => WasmMemory;
    validate(bytes: Uint8Array): boolean;
}

/**
 * All of a memory, also where another thread has lengthened it. V8 tells that to the threads that have the memory, but not
 * to one that was being given it at that moment: `buffer` stays short there until something is asked of the memory itself.
 */
export function wholeBuffer(memory: WasmMemory): ArrayBuffer | SharedArrayBuffer {
    memory.grow(0);
    return memory.buffer;
}

/** What `allocate` returns; `undefined` where the host has no memory for it. */
export function ifThereIsMemory<Result>(allocate: () => Result): Result | undefined {
    try {
        return allocate();
    } catch (error) {
        if (error instanceof RangeError) {
            return undefined;
        }
        throw error;
    }
}

/** `undefined` where the host has no WebAssembly. */
export function webAssembly(): WasmHost | undefined {
    return (globalThis as { readonly WebAssembly?: WasmHost }).WebAssembly;
}
