/** Takes some of the firings of a state: the others are dropped from the batch before they are looked up. */
import type { SelectionFunction } from '../codegen/compile-selection.js';
import { call, FunctionBody, i32, type Int, load32 } from '../webassembly/function-body.js';
import { ENTRY, FAULT_ENTRY, type MemoryMap } from './memory-map.js';
import { copyWords, header, setHeader } from './slot-code.js';

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
    const wordOf = (entry: Int): Int =>
        load32(entry, tail + ENTRY.summand)
            .shiftedRight(5)
            .shiftedLeft(2);
    const bitOf = (entry: Int): Int => i32(1).shiftedLeft(load32(entry, tail + ENTRY.summand));
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
                    target.add(map.entryBytes);
                });
                entry.add(map.entryBytes);
            });
            setHeader(f, 'batchEnd', target);
        });
    });
    return f;
}
