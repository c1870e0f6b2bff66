/**
 * What receives firings that change numbers without end: successors are brought to their form, equal outcomes of one firing
 * are dropped, and it is noted where the outcomes differ (number-code.ts).
 */
import type { FiringSink } from '../codegen/compile-summands.js';
import { call, elementAt, FunctionBody, type Int, load32, load64, union } from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { completeEntry, countTold, emitFunction } from './firing-sinks.js';
import { ENTRY, type MemoryMap } from './memory-map.js';
import type { KeepingSummands, NumberCode } from './number-code.js';
import { branchIfDifferent, forEachEntryBetween, header, isSpecial, setHeader } from './slot-code.js';

/** Defines the functions that the code of numbers has announced. `plain` takes what is not looked at. */
export function defineNumberSinks(map: MemoryMap, code: NumberCode, plain: FiringSink, module: ModuleWriter): void {
    const { changing, keeping, summandCount } = code;
    module.define(
        changing,
        emitFunction(map, (f, entry, summand) => {
            ifInForm(f, code, entry, summand, plain.fault, () => {
                completeEntry(f, map, entry, summand, summand);
                countTold(f);
            });
        }),
    );
    for (const summands of keeping) {
        module.define(
            summands.sink.emit,
            emitFunction(map, (f, entry, summand) => {
                ifInForm(f, code, entry, summand, plain.fault, () => {
                    const outcome = f.variable(header('firingStart'));
                    f.block(known => {
                        forEachEntryBetween(f, map, outcome, entry, (each, different) => {
                            f.branchIf(isSpecial(map, each), different);
                            branchIfDifferent(f, map.longCount, [each, 0], [entry, 0], different);
                            f.branch(known);
                        });
                        noteDifference(f, map, summands, summand, entry);
                        const number = entry.minus(outcome).dividedBy(map.entryBytes);
                        completeEntry(f, map, entry, summand, number.times(summandCount).plus(summand));
                        countTold(f);
                        setHeader(f, 'firingGoesOn', 1);
                    });
                });
            }),
        );
        module.define(summands.sink.fault, faultFunction(map, summands, plain.fault));
    }
}

/** Brings the state of an entry to its form, and goes on if there are codes for it; else it is a fault. */
function ifInForm(
    f: FunctionBody,
    { normalize, sites }: NumberCode,
    entry: Int,
    summand: Int,
    fault: number,
    work: () => void,
): void {
    f.if(call(normalize, entry), work, () => {
        f.run(fault, summand, elementAt(sites, summand));
    });
}

/** (summand, site), once for each outcome. */
function faultFunction(map: MemoryMap, summands: KeepingSummands, fault: number): FunctionBody {
    const f = new FunctionBody(['i32', 'i32']);
    const summand = f.parameter(0);
    const site = f.parameter(1);
    const end = f.variable(header('batchEnd'));
    f.block(known => {
        forEachEntryBetween(f, map, header('firingStart'), end, (each, different) => {
            f.branchUnless(isSpecial(map, each), different);
            f.branchIf(load32(each, 8 * map.longCount + ENTRY.hash).is(site), known);
        });
        noteDifference(f, map, summands, summand, undefined);
        if (map.outside !== undefined) {
            // Another state that is stored as this one may lead to one that the constraint allows.
            f.if(site.is(map.outside), () => {
                setHeader(f, 'firingGoesOn', 1);
            });
        }
        f.run(fault, summand, site);
    });
    return f;
}

/**
 * Notes the sorts in which an outcome behind the batch differs from the first one of the firing, all if it is in none or
 * one of the two is a fault; nothing if it is the first. Undefined is a fault.
 */
function noteDifference(
    f: FunctionBody,
    map: MemoryMap,
    { sorts, masks, note }: KeepingSummands,
    summand: Int,
    entry: Int | undefined,
): void {
    f.scope(() => {
        const first = f.variable(header('firingStart'));
        const noteAll = (): void => {
            sorts.forEach(sort => {
                f.run(note, summand, sort);
            });
        };
        f.if(first.isNot(header('batchEnd')), () => {
            if (entry === undefined) {
                noteAll();
                return;
            }
            f.if(isSpecial(map, first), noteAll, () => {
                const any = f.variable(0);
                sorts.forEach((sort, index) => {
                    const differences = masks[index].flatMap((mask, word) =>
                        mask === 0n
                            ? []
                            : [
                                  load64(first, 8 * word)
                                      .xor(load64(entry, 8 * word))
                                      .and(mask),
                              ],
                    );
                    f.if(union(differences).isZero().isZero(), () => {
                        f.run(note, summand, sort);
                        any.set(1);
                    });
                });
                f.if(any.isZero(), noteAll);
            });
        });
    });
}
