/** What receives the firings of the state at CURRENT: they are appended to the batch. */
import { CURRENT } from '../codegen/current-state.js';
import { MOST_WORDS_PASSED, type FiringSink } from '../codegen/compile-summands.js';
import { FunctionBody, type Int, load64 } from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { ENTRY, FAULT_ENTRY, type MemoryMap } from './memory-map.js';
import { header, setHeader } from './slot-code.js';

export function announceSink(longCount: number, module: ModuleWriter): FiringSink {
    return { emit: announceEmit(longCount, module), fault: module.announce(['i32', 'i32']) };
}

export function announceEmit(longCount: number, module: ModuleWriter): number {
    return module.announce(emitParameters(longCount));
}

function emitParameters(longCount: number): readonly ('i64' | 'i32')[] {
    return [...Array<'i64'>(longCount <= MOST_WORDS_PASSED ? longCount : 0).fill('i64'), 'i32'];
}

/** Firings in the order of the calls. With `countsTold` their number is in the header, without those that are cut off. */
export function defineSink(map: MemoryMap, sink: FiringSink, countsTold: boolean, module: ModuleWriter): void {
    module.define(
        sink.emit,
        emitFunction(map, (f, entry, summand) => {
            completeEntry(f, map, entry, summand, summand);
            if (countsTold) {
                countTold(f);
            }
        }),
    );
    module.define(sink.fault, faultFunction(map, countsTold));
}

/** Writes the successor behind the batch; `append` gets its entry and the summand. */
export function emitFunction(
    { longCount }: MemoryMap,
    append: (f: FunctionBody, entry: Int, summand: Int) => void,
): FunctionBody {
    const f = new FunctionBody(emitParameters(longCount));
    const arePassed = longCount <= MOST_WORDS_PASSED;
    const summand = f.parameter(arePassed ? longCount : 0);
    const entry = f.variable(header('batchEnd'));
    for (let word = 0; word < longCount; word++) {
        f.store64(entry, 8 * word, arePassed ? f.parameter<'i64'>(word) : load64(0, CURRENT + 8 * word));
    }
    append(f, entry, summand);
    return f;
}

/** Appends the entry behind the batch to it. `told` is the summand, with the number of the outcome (memory-map.ts). */
export function completeEntry(f: FunctionBody, map: MemoryMap, entry: Int, summand: Int, told: Int): void {
    f.store32(entry, 8 * map.longCount + ENTRY.summand, told);
    f.store8(summand, map.fired, 1);
    f.store32(entry, 8 * map.longCount + ENTRY.parent, header('parent'));
    setHeader(f, 'batchEnd', entry.plus(map.entryBytes));
}

/** Appends an entry for a fault: the state in place of the first word, the site in place of the hash. */
function faultFunction(map: MemoryMap, countsTold: boolean): FunctionBody {
    const f = new FunctionBody(['i32', 'i32']);
    const summand = f.parameter(0);
    const site = f.parameter(1);
    const entry = f.variable(header('batchEnd'));
    f.store32(entry, 8 * map.longCount + ENTRY.summand, summand);
    const note = (): void => {
        f.store8(summand, map.fired, 1);
        if (countsTold) {
            countTold(f);
        }
    };
    if (map.outside === undefined) {
        note();
    } else {
        f.if(site.isNot(map.outside), note);
    }
    f.store32(entry, 8 * map.longCount + ENTRY.hash, site);
    appendSpecial(f, map, entry, FAULT_ENTRY);
    return f;
}

export function countTold(f: FunctionBody): void {
    setHeader(f, 'told', header('told').plus(1));
}

export function appendSpecial(f: FunctionBody, { longCount, entryBytes }: MemoryMap, entry: Int, kind: number): void {
    f.store32(entry, 0, header('parent'));
    f.store32(entry, 8 * longCount + ENTRY.parent, kind);
    setHeader(f, 'batchEnd', entry.plus(entryBytes));
}
