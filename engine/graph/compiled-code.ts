/**
 * Functions compiled to WebAssembly for the arrays of one graph: a memory with arrays at fixed addresses and the neighbors of
 * the graph behind them. Memory and functions serve one graph after the other.
 */
import { IMPORT_MODULE, MEMORY_NAME } from '../webassembly/module-writer.js';
import { ifThereIsMemory, webAssembly } from '../webassembly/host.js';
import type { WasmMemory } from '../webassembly/host.js';
import type { ColoredGraph } from './colored-graph.js';
import { INTEGER_BYTES } from '../webassembly/function-body.js';

/** What the memory of a module may have at most: 4 GB. */
export const MOST_PAGES = 2 ** 16;

/** There is room for so many vertices, or 16, 256, … times as many. */
const LEAST_CAPACITY = 2 ** 10;
const CAPACITY_STEP = 16;
/** Arrays have room for so many integers more: equal indices do not compete for the same lines of a cache. */
const SPARE_INTEGERS = 48;

const PAGE_BYTES = 2 ** 16;
/** A memory that has become larger is not kept. */
const MOST_BYTES_KEPT = 2 ** 25;

/** The addresses of arrays; those of the graph come last. */
export type Layout<Name extends string> = Readonly<Record<Name | 'firstNeighbor' | 'neighbors', number>>;

/** The functions of a module with a memory. */
export interface Machine<Name extends string, Functions> {
    readonly layout: Layout<Name>;
    readonly functions: Functions;
    /** The memory. */
    readonly integers: Int32Array<ArrayBufferLike>;
    readonly memory: WasmMemory;
    /** The functions for this memory by the capacity of the layout. */
    readonly instances: Map<number, Functions>;
}

export class CompiledCode<Name extends string, Functions> {
    /** Besides those of the graph. */
    readonly #names: readonly Name[];
    readonly #firstAddress: number;
    readonly #compile: (layout: Layout<Name>) => Uint8Array;
    /** Modules by the capacity of the layout. */
    readonly #modules = new Map<number, object>();
    /** What no graph uses at present. */
    #spare: Pick<Machine<Name, Functions>, 'memory' | 'instances'> | undefined;
    readonly #layouts = new Map<number, Layout<Name>>();

    /** `compile` makes a module for a layout of arrays with these names, the first of which is at `firstAddress`. */
    constructor(names: readonly Name[], firstAddress: number, compile: (layout: Layout<Name>) => Uint8Array) {
        this.#names = names;
        this.#firstAddress = firstAddress;
        this.#compile = compile;
    }

    /**
     * Functions, and a memory that holds the rows of `graph` and else what was there before; they are given back by `release`.
     * Undefined where there is no WebAssembly or no memory, or the graph is too large for a memory.
     */
    acquire(graph: ColoredGraph): Machine<Name, Functions> | undefined {
        const host = webAssembly();
        let capacity = LEAST_CAPACITY;
        while (capacity < graph.vertexCount) {
            capacity *= CAPACITY_STEP;
        }
        const layout = this.#layOut(capacity);
        const pages = Math.ceil((layout.neighbors + graph.neighbors.length * INTEGER_BYTES) / PAGE_BYTES);
        if (host === undefined || pages > MOST_PAGES) {
            return undefined;
        }
        const room = ifThereIsMemory(() => {
            const { memory, instances } = this.#spare ?? {
                memory: new host.Memory({ initial: pages, maximum: MOST_PAGES, shared: false }),
                instances: new Map<number, Functions>(),
            };
            const missingPages = pages - memory.buffer.byteLength / PAGE_BYTES;
            if (missingPages > 0) {
                memory.grow(missingPages);
            }
            return { memory, instances };
        });
        if (room === undefined) {
            return undefined;
        }
        // Another graph that comes while this memory is in use gets another one.
        this.#spare = undefined;
        const { memory, instances } = room;
        let functions = instances.get(capacity);
        if (functions === undefined) {
            let module = this.#modules.get(capacity);
            if (module === undefined) {
                module = new host.Module(this.#compile(layout));
                this.#modules.set(capacity, module);
            }
            const instance = new host.Instance(module, { [IMPORT_MODULE]: { [MEMORY_NAME]: memory } });
            functions = instance.exports as unknown as Functions;
            instances.set(capacity, functions);
        }
        const integers = new Int32Array(memory.buffer);
        integers.set(graph.firstNeighbor, layout.firstNeighbor / INTEGER_BYTES);
        integers.set(graph.neighbors, layout.neighbors / INTEGER_BYTES);
        return { layout, functions, integers, memory, instances };
    }

    /** Leaves the memory to the next graph. */
    release({ memory, instances }: Machine<Name, Functions>): void {
        if (memory.buffer.byteLength <= MOST_BYTES_KEPT) {
            this.#spare = { memory, instances };
        }
    }

    #layOut(capacity: number): Layout<Name> {
        let layout = this.#layouts.get(capacity);
        if (layout === undefined) {
            const names = [...this.#names, 'firstNeighbor', 'neighbors'] as const;
            const stride = (capacity + SPARE_INTEGERS) * INTEGER_BYTES;
            layout = Object.fromEntries(
                names.map((name, index) => [name, this.#firstAddress + index * stride]),
            ) as Layout<Name>;
            this.#layouts.set(capacity, layout);
        }
        return layout;
    }
}
