/** What is left of the initial states, by generated code in a memory of its own: entries for the batch of a search. */
import type { InitialRest, RestChoice } from '../explore/initial-states.js';
import type { Comparisons } from '../explore/least-states.js';
import type { StateLayout } from '../explore/state-layout.js';
import { ifThereIsMemory, webAssembly } from '../webassembly/host.js';
import { IMPORT_MODULE, MEMORY_NAME, ModuleWriter } from '../webassembly/module-writer.js';
import { NotCompilable } from '../codegen/compile-expression.js';
import { compileInitialStates, OPEN, PAIR, POSITION, RECORD, type RestMap } from './compile-initial-states.js';
import { wideFunctions } from './compiled-instance.js';
import type { CompiledModel } from './compiled-model.js';
import { FaultSites } from '../codegen/faults.js';
import { maskOf } from '../codegen/state-copy.js';
import { StaticData } from '../codegen/static-data.js';
import { WasmHeap } from './wasm-heap.js';

/** Of entries. */
const MOST_BYTES = 1 << 14;
/** Choices that are made at once: a few milliseconds. */
const MOST_STEPS = 1 << 16;
/** Symmetries times choices; the tables of more would take longer to fill than they gain. A megabyte for this many. */
const MOST_COMPARISONS = 1 << 16;

/** See compile-initial-states.ts. */
type Next = (mostBytes: number, steps: number) => number;

export class CompiledInitialStates {
    readonly #words: Uint32Array;
    readonly #tables: Tables;
    readonly #layout: StateLayout;
    readonly #next: Next;

    private constructor(words: Uint32Array, tables: Tables, layout: StateLayout, next: Next) {
        this.#words = words;
        this.#tables = tables;
        this.#layout = layout;
        this.#next = next;
    }

    /** For rests of one model; `undefined` where it cannot be compiled or would take more than it gains. */
    static of(rest: InitialRest, { model, layout, map }: CompiledModel): CompiledInitialStates | undefined {
        const { choices, comparisons } = rest;
        const host = webAssembly();
        const compared = comparisons === undefined ? 0 : comparisons.symmetryCount * comparisons.positionCount;
        if (host === undefined || compared > MOST_COMPARISONS) {
            return undefined;
        }
        const data = new StaticData(POSITION.state + 8 * layout.longCount);
        const { entryBytes } = map;
        const restMap = {
            records: data.space(RECORD.bytes * (choices.length + 1)),
            entries: data.space(MOST_BYTES + entryBytes),
            entryBytes,
        };
        const module = new ModuleWriter();
        const context = {
            cells: model.cells,
            layout,
            sites: new FaultSites(),
            wideOperation: module.import('wideOperation', { parameters: ['i32', 'f64', 'f64'], results: ['f64'] }),
            wideFault: module.import('wideFault', { parameters: [], results: ['i32'] }),
        };
        try {
            compileInitialStates(rest, restMap, context, module);
        } catch (error) {
            if (error instanceof NotCompilable) {
                return undefined;
            }
            throw error;
        }
        const tables: Tables = {
            ...restMap,
            codes: choices.map(choice => (choice.codes === undefined ? 0 : data.space(4 * choice.codes.length))),
            becomes: data.space(4 * (comparisons?.codes.length ?? 0)),
            pairs: data.space(PAIR.bytes * compared),
            open: data.space(OPEN.bytes * (comparisons?.symmetryCount ?? 0) * (choices.length + 1)),
        };
        return ifThereIsMemory(() => {
            const pages = WasmHeap.unitsFor(data.end);
            const memory = new host.Memory({ initial: pages, maximum: pages, shared: false });
            const { exports } = new host.Instance(new host.Module(module.toBytes(pages, false)), {
                [IMPORT_MODULE]: { [MEMORY_NAME]: memory, ...wideFunctions() },
            });
            const words = new Uint32Array(memory.buffer);
            writeChoices(choices, layout, tables, words);
            if (comparisons !== undefined) {
                writePairs(comparisons, tables, words);
            }
            return new CompiledInitialStates(words, tables, layout, exports['next'] as Next);
        });
    }

    /** What is left of an earlier rest is forgotten. */
    begin({ state, choices, floor, comparisons }: InitialRest): void {
        const { records } = this.#tables;
        const words = this.#words;
        this.#layout.packLong(state, words, POSITION.state / 4);
        choices.forEach(({ cell, taken }, index) => {
            const record = (records + index * RECORD.bytes) / 4;
            words[record + RECORD.taken / 4] = taken;
            words[record + RECORD.code / 4] = state[cell];
        });
        if (comparisons !== undefined) {
            writeOpen(comparisons, this.#tables, words);
        }
        words[POSITION.floor / 4] = records + floor * RECORD.bytes;
        words[POSITION.record / 4] = records + (choices.length - 1) * RECORD.bytes;
        words[POSITION.isTaken / 4] = 1;
    }

    /** Whether there may be more. */
    get isLeft(): boolean {
        return this.#words[POSITION.record / 4] !== 0;
    }

    /** Some entries that take `bytes` at most, at least one where there is one soon; they are valid until the next call. */
    entries(bytes: number): Uint32Array {
        const found = this.#next(Math.min(bytes, MOST_BYTES), MOST_STEPS);
        return this.#words.subarray(this.#tables.entries / 4, (this.#tables.entries + found) / 4);
    }
}

/** Where the tables begin. */
interface Tables extends RestMap {
    /** By choice, 0 where it has no list. */
    readonly codes: readonly number[];
    readonly becomes: number;
    readonly pairs: number;
    readonly open: number;
}

/** What stays the same in records. */
function writeChoices(choices: readonly RestChoice[], layout: StateLayout, tables: Tables, words: Uint32Array): void {
    choices.forEach(({ cell, codes, count }, index) => {
        const { word, shift, bits, bias } = layout.placements[cell];
        const mask = maskOf(bits) << BigInt(shift);
        const record = (tables.records + index * RECORD.bytes) / 4;
        words[record + RECORD.count / 4] = count;
        words[record + RECORD.codes / 4] = tables.codes[index];
        words[record + RECORD.bias / 4] = bias;
        words[record + RECORD.word / 4] = POSITION.state + 8 * word;
        words[record + RECORD.mask / 4] = Number(mask & maskOf(32));
        words[record + RECORD.mask / 4 + 1] = Number(mask >> 32n);
        words[record + RECORD.shift / 4] = shift;
        words.set(codes ?? [], tables.codes[index] / 4);
    });
}

function writePairs({ source, table, codes }: Comparisons, tables: Tables, words: Uint32Array): void {
    words.set(codes, tables.becomes / 4);
    for (let i = 0; i < source.length; i++) {
        const pair = (tables.pairs + i * PAIR.bytes) / 4;
        words[pair + PAIR.source / 4] = tables.records + source[i] * RECORD.bytes;
        // The entry before that of code 0 is that of no value.
        words[pair + PAIR.becomes / 4] = table[i] < 0 ? 0 : tables.becomes + 4 * (table[i] + 1);
    }
}

function writeOpen(comparisons: Comparisons, tables: Tables, words: Uint32Array): void {
    const { symmetryCount, positionCount, openCount, open, next } = comparisons;
    for (let count = 0; count <= positionCount; count++) {
        const record = (tables.records + count * RECORD.bytes) / 4;
        const list = tables.open + count * symmetryCount * OPEN.bytes;
        words[record + RECORD.open / 4] = list;
        words[record + RECORD.openCount / 4] = openCount[count];
        for (let i = 0; i < openCount[count]; i++) {
            const entry = (list + i * OPEN.bytes) / 4;
            const position = next[count][i];
            words[entry + OPEN.pair / 4] = tables.pairs + (open[count][i] * positionCount + position) * PAIR.bytes;
            words[entry + OPEN.record / 4] = tables.records + position * RECORD.bytes;
        }
    }
}
