/**
 * Takes some of the firings of a state: the others are dropped from the batch before they are looked up. Of those that lead
 * to the orbit of an earlier one, it is noted that they need no look-up (explore/equal-processes.ts).
 */
import type { SelectionFunction } from '../codegen/compile-selection.js';
import type { StaticData } from '../codegen/static-data.js';
import type { EqualProcesses } from '../explore/equal-processes.js';
import type { StateLayout } from '../explore/state-layout.js';
import { compileComparing } from '../representative-code/compile-sorting.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { call, elementAt, FunctionBody, i32, type Int, load32, load8 } from '../webassembly/function-body.js';
import { ENTRY, FAULT_ENTRY, type MemoryMap } from './memory-map.js';
import { copyWords, header, setHeader } from './slot-code.js';

/** Functions that compare neighboring blocks of the state at CURRENT, a byte for each block, and by summand its list of blocks. */
export interface ComparedBlocks {
    readonly compare: readonly number[];
    readonly flags: number;
    readonly lists: number;
}

/** Undefined if the code would be too large. */
export function compareBlocks(
    { families, later }: EqualProcesses,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): ComparedBlocks | undefined {
    const flags = data.space(families.reduce((sum, { blockCount }) => sum + blockCount, 0));
    let first = flags;
    const compare: number[] = [];
    for (const family of families) {
        const comparing = compileComparing(family, layout, data, first);
        if (comparing === undefined) {
            return undefined;
        }
        compare.push(module.add(comparing));
        first += family.blockCount;
    }
    return { compare, flags, lists: data.table(later.map(blocks => data.table([blocks.length, ...blocks]))) };
}

/** (): sets the highest bit of the summand of each entry of the state at CURRENT that leads to the orbit of an earlier one. */
export function markFunction(map: MemoryMap, { compare, flags, lists }: ComparedBlocks): FunctionBody {
    const f = new FunctionBody();
    const tail = 8 * map.longCount;
    compare.forEach(target => {
        f.run(target);
    });
    const entry = f.variable(header('firstEntry'));
    const end = f.variable(header('batchEnd'));
    f.while(entry.isNot(end), () => {
        const summand = f.variable(load32(entry, tail + ENTRY.summand));
        const item = f.variable(
            elementAt(lists, map.mostOutcomes === 1 ? summand : summand.remainder(map.summandCount)),
        );
        const last = f.variable(item.plus(load32(item).shiftedLeft(2)));
        const isLater = f.variable(0);
        f.while(item.isNot(last), () => {
            item.add(4);
            isLater.set(isLater.or(load8(load32(item), flags)));
        });
        f.store32(entry, tail + ENTRY.summand, summand.or(isLater.shiftedLeft(31)));
        entry.add(map.entryBytes);
    });
    return f;
}

/** (): chooses among the entries of the state at CURRENT, those of the present parent at the end of the batch. */
export function selectFunction(map: MemoryMap, selection: SelectionFunction): FunctionBody {
    const { choose, possible, firing, faulty, setBytes } = selection;
    const f = new FunctionBody();
    const tail = 8 * map.longCount;
    const start = f.variable(header('firstEntry'));
    const end = f.variable(header('batchEnd'));
    const isFault = (entry: Int): Int => load32(entry, tail + ENTRY.parent).is(FAULT_ENTRY);
    const isOutside = (entry: Int): Int =>
        map.outside === undefined ? i32(0) : load32(entry, tail + ENTRY.hash).is(map.outside);
    const summandOf = (entry: Int): Int => load32(entry, tail + ENTRY.summand).and(0x7fff_ffff);
    const wordOf = (entry: Int): Int => summandOf(entry).shiftedRight(5).shiftedLeft(2);
    const bitOf = (entry: Int): Int => i32(1).shiftedLeft(summandOf(entry));
    for (const set of [possible, firing, faulty]) {
        f.clear(set, setBytes);
    }
    const add = (set: number, entry: Int): void => {
        const word = f.variable(wordOf(entry));
        f.store32(word, set, load32(word, set).or(bitOf(entry)));
    };
    const entry = f.variable(start);
    const enabled = f.variable(header('enabled'));
    f.while(entry.isNot(end), () => {
        add(possible, entry);
        f.if(
            isFault(entry),
            () => {
                f.if(isOutside(entry).isZero(), () => {
                    add(faulty, entry);
                    enabled.add(1);
                });
            },
            () => {
                add(firing, entry);
                enabled.add(1);
            },
        );
        entry.add(map.entryBytes);
    });
    setHeader(f, 'enabled', enabled);
    f.if(header('takesAll').isZero(), () => {
        const chosen = f.variable(call(choose));
        f.if(chosen, () => {
            const target = f.variable(start);
            entry.set(start);
            f.while(entry.isNot(end), () => {
                // A fault is a goal that is reached here, whatever else is to be done.
                const isTold = isFault(entry).and(isOutside(entry).isZero());
                const isChosen = load32(chosen.plus(wordOf(entry))).and(bitOf(entry));
                f.if(isTold.or(isChosen), () => {
                    copyWords(f, map.entryBytes / 8, entry, target);
                    // An earlier one may be among those that are dropped.
                    f.store32(target, tail + ENTRY.summand, summandOf(target));
                    target.add(map.entryBytes);
                });
                entry.add(map.entryBytes);
            });
            setHeader(f, 'batchEnd', target);
        });
    });
    return f;
}
