/**
 * Firings of states whose numbers without end are in their form (explore/number-order.ts), as generated code. What a firing
 * leaves is brought to its form before it is looked up. A summand that keeps sums fires in all states that the present one
 * stands for, one after the other; equal outcomes are one. The *notes* say what a search has seen of numbers.
 */
import { invariant } from '../common/assert.js';
import { normalizeSort, packSort } from '../codegen/compile-numbers.js';
import { compileOpenings, type OpeningList } from '../codegen/compile-openings.js';
import type { FiringSink, FiringSinks } from '../codegen/compile-summands.js';
import { CURRENT } from '../codegen/current-state.js';
import { FaultSites } from '../codegen/faults.js';
import type { StaticData } from '../codegen/static-data.js';
import { MOST_OPENINGS, type NumberOrder } from '../explore/number-order.js';
import type { StateLayout } from '../explore/state-layout.js';
import { type Domain, isNumber } from '../model/domain.js';
import { cellsWrittenBySummand } from '../sequential/cell-access.js';
import type { Cell, NumberFacts, SequentialModel } from '../sequential/sequential-model.js';
import { call, FunctionBody, i32, type Int, load32, load8 } from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { announceEmit } from './firing-sinks.js';
import { copyWords, header, setHeader } from './slot-code.js';

/** Words of a note: a summand whose steps depend on how long a distance is, or ONE_MORE and a number of numbers; the sort; firings told before. */
export const NOTE = { subject: 0, sort: 4, told: 8, bytes: 12 } as const;
export const ONE_MORE = 0x8000_0000;

/** Where the notes are; each is written once. */
interface NoteMemory {
    readonly list: number;
    /** The address of their length in bytes. */
    readonly length: number;
}

/** The parts that are written before the layout of the memory is known. */
export interface NumberCode {
    readonly notes: NoteMemory;
    /** By number of a fault in `FaultSites`: the summand that has too many cases. */
    readonly tooMany: ReadonlyMap<number, number>;
    /** Function (): before the firings of the state at CURRENT. */
    readonly begin: number;
    /** Function (address) → whether there are codes for the state, which is brought to its form. */
    readonly normalize: number;
    /** By summand the site of a number without a code. */
    readonly sites: number;
    readonly summandCount: number;
    /** Receives firings of summands that write numbers and keep no sums. */
    readonly changing: number;
    readonly keeping: readonly KeepingSummands[];
    readonly sinks: (plain: FiringSink) => FiringSinks;
}

/** Summands that keep equally many sums of the same sorts. */
export interface KeepingSummands {
    readonly sorts: readonly number[];
    /** Of their sorts: the bits of a state in its long words. */
    readonly masks: readonly (readonly bigint[])[];
    readonly sink: FiringSink;
    /** Function (summand, sort): writes a note unless there is one. */
    readonly note: number;
}

interface CompiledNumbers {
    /** With domains for all numbers of states that are not in their form. */
    readonly model: SequentialModel;
    readonly order: NumberOrder;
    readonly layout: StateLayout;
    readonly sites: FaultSites;
}

/** The facts are those of the model. */
export function compileNumbers(
    { model, order, layout, sites }: CompiledNumbers,
    facts: NumberFacts,
    data: StaticData,
    module: ModuleWriter,
): NumberCode {
    const { cells, summands } = model;
    const { longCount } = layout;
    const room = roomFor(order, facts);
    const packed = order.sorts.map(sort => packSort(sort, room, cells, layout, data));
    const pairCount = summands.length * packed.length;
    const most = data.space(4 * packed.length);
    const known = data.space(pairCount);
    const notes = noteMemory(pairCount + order.sorts.reduce((sum, sort) => sum + sort.cells.length + 2, 0), data);
    const normalize = new FunctionBody(['i32']);
    const fits = normalize.variable(1);
    packed.forEach((sort, index) => {
        normalizeSort(normalize, sort, normalize.parameter(0), order.most, fits, count => {
            normalize.if(count.isGreater(load32(0, most + 4 * index)), () => {
                normalize.store32(0, most + 4 * index, count);
                appendNote(normalize, notes, count.or(ONE_MORE), i32(index));
            });
        });
    });
    normalize.result(fits);
    const note = module.add(noteFunction(packed.length, known, notes));
    const keys = facts.sums.map(({ count, sorts }) => (count === 0 ? '' : `${count} ${sorts.join()}`));
    const different = [...new Set(keys)].filter(key => key !== '');
    const knownOpenings = data.space(4 * different.length);
    const keeping = different.map((key, index) => {
        const { count, sorts } = facts.sums[keys.indexOf(key)];
        const own = sorts.map(sort => packed[sort]);
        return {
            sorts,
            masks: own.map(({ masks }) => masks),
            sink: { emit: announceEmit(longCount, module), fault: module.announce(['i32', 'i32']) },
            note,
            openings: compileOpenings(own, count, longCount, knownOpenings + 4 * index, data, module),
        };
    });
    const changing = announceEmit(longCount, module);
    const siteOf = (summand: number, cause?: string): number =>
        sites.numberOf('numbers', summands[summand].participants[0].range, cause);
    const tooMany = new Map<number, number>();
    const original = data.space(8 * longCount);
    const begin = new FunctionBody();
    begin.clear(knownOpenings, 4 * different.length);
    copyWords(begin, longCount, i32(CURRENT), i32(original));
    const changes = summands.map(summand => cellsWrittenBySummand(summand).some(cell => isNumber(cells[cell].domain)));
    return {
        notes,
        tooMany,
        begin: module.add(begin),
        normalize: module.add(normalize, 'i32'),
        sites: data.table(summands.map((_, summand) => siteOf(summand))),
        summandCount: summands.length,
        changing,
        keeping,
        sinks: plain => ({
            of: summand =>
                keys[summand] !== ''
                    ? keeping[different.indexOf(keys[summand])].sink
                    : changes[summand]
                      ? { emit: changing, fault: plain.fault }
                      : plain,
            inOthers: summand => {
                if (keys[summand] === '') {
                    return undefined;
                }
                const { openings } = keeping[different.indexOf(keys[summand])];
                const site = siteOf(summand, `${summand}`);
                tooMany.set(FaultSites.indexOf(site), summand);
                return (f, target) => {
                    fireInAll(f, target, openings, original, longCount, () => {
                        f.run(plain.fault, summand, site);
                    });
                };
            },
        }),
    };
}

/** The largest number that a state of generated code holds: no form, opened, while its body runs. */
function roomFor({ sorts, most }: NumberOrder, { sums, assigned }: NumberFacts): number {
    const opened = sums.map(({ count, sorts: own }) => {
        const longest = own.map(sort => Math.ceil(sorts[sort].reach / sorts[sort].modulus) * sorts[sort].modulus);
        return count * longest.reduce((first, second) => Math.max(first, second), 0);
    });
    return most + assigned + opened.reduce((first, second) => Math.max(first, second), 0);
}

/**
 * The model with room for the numbers of all states of generated code, and the same cells with ranges in place of them, whose
 * bounds hold for these states only.
 */
export function withRoom(
    model: SequentialModel,
    order: NumberOrder,
): { readonly model: SequentialModel; readonly bounded: readonly Cell[] } {
    const { numbers } = model;
    invariant(numbers !== undefined, 'there are numbers where there is an order of them');
    const high = roomFor(order, numbers);
    const withDomain = (base: Domain): readonly Cell[] =>
        model.cells.map(cell =>
            isNumber(cell.domain)
                ? { ...cell, domain: cell.domain.kind === 'optional' ? { kind: 'optional', base } : base }
                : cell,
        );
    return {
        model: { ...model, cells: withDomain({ kind: 'number', high }) },
        bounded: withDomain({ kind: 'range', low: 0, high }),
    };
}

/** The most outcomes of a firing of each summand. */
export function outcomesOf(order: NumberOrder, { sums }: NumberFacts): readonly number[] {
    return sums.map(({ count, sorts }) => {
        const distances = sorts.reduce((sum, sort) => sum + order.sorts[sort].cells.length, 0);
        const steps = sorts.map(sort => Math.ceil(order.sorts[sort].reach / order.sorts[sort].modulus));
        const longest = steps.reduce((first, second) => Math.max(first, second), 0);
        let openings = 0;
        let chosen = 1;
        for (let opened = 1; opened <= Math.min(count, distances) && openings < MOST_OPENINGS; opened++) {
            chosen = (chosen * longest * (distances - opened + 1)) / opened;
            openings += chosen;
        }
        // With too many, one more is a fault.
        return 2 + Math.min(openings, MOST_OPENINGS);
    });
}

function noteMemory(count: number, data: StaticData): NoteMemory {
    return { list: data.space(NOTE.bytes * count), length: data.space(4) };
}

function appendNote(f: FunctionBody, { list, length }: NoteMemory, subject: Int, sort: Int): void {
    f.scope(() => {
        const place = f.variable(load32(0, length));
        f.store32(place, list + NOTE.subject, subject);
        f.store32(place, list + NOTE.sort, sort);
        f.store32(place, list + NOTE.told, header('told'));
        f.store32(0, length, place.plus(NOTE.bytes));
    });
}

/** (summand, sort) */
function noteFunction(sortCount: number, known: number, notes: NoteMemory): FunctionBody {
    const f = new FunctionBody(['i32', 'i32']);
    const [summand, sort] = [f.parameter(0), f.parameter(1)];
    const pair = f.variable(summand.times(sortCount).plus(sort));
    f.if(load8(pair, known).isZero(), () => {
        f.store8(pair, known, 1);
        appendNote(f, notes, summand, sort);
    });
    return f;
}

/** Runs the function of a summand in the state at CURRENT; if it fires there, in all others that the state stands for. */
function fireInAll(
    f: FunctionBody,
    target: number,
    { make, states, stateBytes }: OpeningList,
    original: number,
    longCount: number,
    tellTooMany: () => void,
): void {
    f.scope(() => {
        const start = f.variable(header('batchEnd'));
        setHeader(f, 'firingStart', start);
        setHeader(f, 'firingGoesOn', 0);
        f.run(target);
        f.if(header('firingGoesOn'), () => {
            const count = f.variable(call(make));
            f.if(count.isLess(0), tellTooMany);
            f.if(count.isGreater(0), () => {
                const next = f.variable(states);
                const end = f.variable(count.times(stateBytes).plus(states));
                f.while(next.isNot(end), () => {
                    copyWords(f, longCount, next, i32(CURRENT));
                    f.run(target);
                    next.add(stateBytes);
                });
                copyWords(f, longCount, i32(original), i32(CURRENT));
            });
        });
    });
}
