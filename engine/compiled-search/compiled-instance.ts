/** The code of a compiled model in a memory; each thread has its own. */
import { invariant } from '../common/assert.js';
import { FAULT_KINDS } from '../sequential/expression/evaluate.js';
import type { CodeContext } from '../codegen/compile-expression.js';
import { WIDE_OPERATORS } from '../codegen/compile-arithmetic.js';
import type { MemoryMap } from './memory-map.js';
import { IMPORT_MODULE, MEMORY_NAME, type ModuleWriter } from '../webassembly/module-writer.js';
import { WasmHeap } from './wasm-heap.js';
import { ifThereIsMemory, webAssembly, type WasmMemory } from '../webassembly/host.js';
import { applyBinary } from '../sequential/expression/arithmetic.js';

/** 4 GiB. */
export const MOST_PAGES = 1 << 16;

/** The functions of a module and their memory. */
export interface CompiledInstance {
    readonly heap: WasmHeap;
    /** Writes the firings of the state at CURRENT to the batch. */
    readonly visit: () => void;
    /** Writes those that are taken; absent if all are. */
    readonly visitSome?: () => void;
    readonly expand: (from: number, to: number, mayStore: number) => number;
    readonly store: () => void;
    /** Replaces states of the batch by representatives; `ENTRY.hash` of the others is LEFT. Only under a reduction. */
    readonly reduce: () => void;
    /** 1 if all checked invariants hold in the state at an address, 0 if not or for a fault; absent if there are none. */
    readonly holds?: (address: number) => number;
    /** Moves slots from an old directory of the seen set to the present one. */
    readonly move: (directory: number, from: number, to: number) => void;
    /** For several threads or memories; see compile-shards.ts and compile-merge.ts. */
    readonly expandBlock: (from: number, to: number, mayScatter: number) => number;
    readonly scatter: (replaces: number) => void;
    readonly claim: (from: number, to: number, list: number, end: number) => number;
    readonly publish: (from: number, to: number) => number;
    readonly merge: (heads: number, lists: number, first: number, base: number, most: number, events: number) => number;
}

/**
 * V8 collects garbage after many allocations but does not count shared memory. After finished searches with so many
 * bytes, an ordinary buffer is allocated and never used, so that their memories are collected.
 */
const MANY_LEFT_BYTES = 2 ** 26;
const NOTICED_BYTES = 4 * MANY_LEFT_BYTES;
let leftBytes = 0;

/** To be called at the end of a search with so many bytes of shared memory. */
export function leaveSharedMemory(bytes: number): void {
    leftBytes += bytes;
}

/** A memory for the code of models; undefined if the host has none. */
export function createMemory(bytes: number, isShared: boolean): WasmMemory | undefined {
    const host = webAssembly();
    return ifThereIsMemory(() => {
        if (isShared && leftBytes >= MANY_LEFT_BYTES) {
            leftBytes = 0;
            Reflect.construct(ArrayBuffer, [NOTICED_BYTES]);
        }
        return host && new host.Memory({ initial: WasmHeap.unitsFor(bytes), maximum: MOST_PAGES, shared: isShared });
    });
}

/** The functions of a module in a memory with this layout. */
export function instantiateIn(memory: WasmMemory, module: object, map: MemoryMap): CompiledInstance {
    const host = webAssembly();
    invariant(host !== undefined, 'a module comes from a host that can run it');
    const heap = new WasmHeap(memory, map.end, map.pageBytes);
    const { exports } = new host.Instance(module, {
        [IMPORT_MODULE]: { [MEMORY_NAME]: memory, ...wideFunctions() },
    });
    return { heap, ...(exports as unknown as Omit<CompiledInstance, 'heap'>) };
}

/** Imports the functions that code of expressions calls; see CodeContext. */
export function importWideFunctions(module: ModuleWriter): Pick<CodeContext, 'wideOperation' | 'wideFault'> {
    return {
        wideOperation: module.import('wideOperation', { parameters: ['i32', 'f64', 'f64'], results: ['f64'] }),
        wideFault: module.import('wideFault', { parameters: [], results: ['i32'] }),
    };
}

export function wideFunctions(): Readonly<Record<'wideOperation' | 'wideFault', (...args: number[]) => number>> {
    let wideFault = 0;
    return {
        wideOperation: (operator, left, right) => {
            const result = applyBinary(WIDE_OPERATORS[operator], left, right);
            if (typeof result === 'number') {
                return result;
            }
            wideFault = FAULT_KINDS.indexOf(result);
            return NaN;
        },
        wideFault: () => wideFault,
    };
}
