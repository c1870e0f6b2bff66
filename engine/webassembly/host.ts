/** The part of the WebAssembly interface that the engine uses. The engine is compiled without the types of any host. */

export interface WasmMemory {
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    /** Adds pages and returns how many there were; throws a RangeError if there is no more memory. */
    grow(pages: number): number;
}

interface WasmHost {
    readonly Module: new (bytes: Uint8Array) => object;
    /** `imports` are functions and a memory, by module and name. */
    readonly Instance: new (
        module: object,
        imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    ) => { readonly exports: Readonly<Record<string, unknown>> };
    readonly Memory: new (limits: {
        readonly initial: number;
        readonly maximum: number;
        readonly shared: boolean;
    }) => WasmMemory;
    validate(bytes: Uint8Array): boolean;
}

/** The whole buffer of a memory; V8 may not update it for a longer memory until a method of the memory is called. */
export function wholeBuffer(memory: WasmMemory): ArrayBuffer | SharedArrayBuffer {
    memory.grow(0);
    return memory.buffer;
}

/** The result of `allocate`; `undefined` if the host has no memory for it. */
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

/** `undefined` if the host has no WebAssembly. */
export function webAssembly(): WasmHost | undefined {
    return (globalThis as { readonly WebAssembly?: WasmHost }).WebAssembly;
}
