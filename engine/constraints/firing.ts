/**
 * The firing of a summand over sets of codes: the codes with which its tests can hold, and those that it then writes.
 * Tests are narrowed together until nothing changes, so their order has no effect. The result belongs to the fragment
 * and is the same at every place.
 */
import { difference, intersection, joined, sortAscending } from '../common/ascending.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { Cell } from '../sequential/sequential-model.js';
import {
    byOneOf,
    codesOfDomain,
    isImpossible,
    isPart,
    union,
    UNLISTED,
    written,
    type Supported,
    type Written,
} from './possible-values.js';
import { goOnWithin } from './encoding-limits.js';
import type { Domains } from './formula.js';
import { ResultsByCodes, type CodeLists } from './code-lists.js';

/** Cells are local; the codes are those at the start of the summand. */
export interface Firing {
    /** For each cell that is read the codes with which all tests can hold; a hole for other cells. */
    readonly kept: readonly (readonly number[])[];
    /** One entry for each effect; undefined if the codes of the cell are not listed. */
    readonly written: readonly (Written | undefined)[];
    /** Some written value fits no cell: the step is a fault. */
    readonly isFault: boolean;
    /** The written codes grow for too long to follow them one by one. */
    readonly isEndless: boolean;
}

/** An expression that remembers its results. */
export interface Remembering<Result> {
    readonly support: readonly number[];
    /** `codes[cell]` for each cell of the support. */
    over(codes: Domains, lists: CodeLists): Result;
}

/** As NextValue in transition.ts. */
type WrittenValue = readonly Remembering<Written>[] | 'absent' | 'unknown';

/** The parts of a summand, whose expressions remember their results. */
interface FiringParts {
    readonly cells: readonly Cell[];
    readonly reads: readonly number[];
    readonly tests: readonly Remembering<Supported>[];
    /** A cell, and the value that each participant may write to it. */
    readonly effects: readonly (readonly [number, WrittenValue])[];
}

/** About the most codes that are looked at before the written codes stop growing. */
export const MOST_LOOKS = 4_000_000;

/** If cells have more codes, only what is new is looked at, unless there is something new of more cells. */
const FEW_CODES = 128;
const FEW_CELLS = 4;

/**
 * Codes that together have every combination with a new code: `current` with the new codes alone of one cell after the
 * other, or `current` itself while that is short.
 */
export function partsWithNew(
    current: Domains,
    fresh: ReadonlyMap<number, readonly number[]>,
    reads: readonly number[],
): readonly Domains[] {
    if (fresh.size > FEW_CELLS || reads.every(cell => current[cell].length <= FEW_CODES)) {
        return [current];
    }
    return Array.from(fresh, ([cell, codes]) => {
        const part = current.slice();
        part[cell] = codes;
        return part;
    });
}

export class Firings {
    private readonly parts: FiringParts;
    private readonly known = new ResultsByCodes<Firing | 'never'>();

    constructor(parts: FiringParts) {
        this.parts = parts;
    }

    /**
     * `codes`: of a cell that is not read it only matters whether they are listed. Firings that read what was written
     * to cells of `carried` are followed too. `never` if the tests cannot hold. Throws EncodingStopped at the limit.
     */
    of(codes: Domains, carried: readonly number[], lists: CodeLists, limit = UNLIMITED): Firing | 'never' {
        const key = `${carried.join()}|${lists.keyOf(codes)}`;
        return this.known.get(key, () => this.compute(codes, carried, lists, limit));
    }

    /** About how many codes are looked at: each effect may read the cell with the most codes. */
    looksAt(codes: Domains): number {
        const { reads, effects } = this.parts;
        return effects.length * reads.reduce((most, cell) => Math.max(most, codes[cell].length), 0);
    }

    private compute(codes: Domains, carried: readonly number[], lists: CodeLists, limit: WorkLimit): Firing | 'never' {
        const { cells, reads, effects } = this.parts;
        const first = this.fireOnce(codes, lists, limit);
        if (first === 'never' || first.isFault) {
            return first;
        }
        const all = [first];
        const current = codes.slice();
        let looks = 0;
        for (let round: readonly Firing[] = all; ; all.push(...round)) {
            const fresh = new Map<number, readonly number[]>();
            effects.forEach(([cell], effect) => {
                const isReadable = (code: number): boolean => code >= 0 || isPart(cells[cell]);
                const found = carried.includes(cell)
                    ? union(round.flatMap(here => here.written[effect] ?? [])).codes
                    : [];
                const more = difference(found.filter(isReadable), current[cell]);
                if (more.length > 0) {
                    fresh.set(cell, more);
                    current[cell] = joined(current[cell], more) ?? current[cell];
                }
            });
            if (fresh.size === 0 || looks > MOST_LOOKS) {
                return allOf(all, fresh.size > 0);
            }
            const parts = partsWithNew(current, fresh, reads);
            parts.forEach(part => (looks += this.looksAt(part)));
            round = parts.flatMap(part => {
                const firing = this.fireOnce(part, lists, limit);
                return firing === 'never' || firing.isFault ? [] : [firing];
            });
        }
    }

    private fireOnce(codes: Domains, lists: CodeLists, limit: WorkLimit): Firing | 'never' {
        const { reads, tests, effects } = this.parts;
        const here = codes.slice();
        if (!narrow(tests, here, reads, lists)) {
            return 'never';
        }
        const kept: (readonly number[])[] = [];
        reads.forEach(cell => (kept[cell] = here[cell]));
        const results = effects.map(([cell, value]) => {
            goOnWithin(limit, 'the values that can occur are not known yet');
            return codes[cell] === UNLISTED ? undefined : this.writtenTo(cell, value, here, lists);
        });
        return results.some(result => result !== undefined && isImpossible(result))
            ? { kept, written: [], isFault: true, isEndless: false }
            : { kept, written: results, isFault: false, isEndless: false };
    }

    private writtenTo(cell: number, value: WrittenValue, codes: Domains, lists: CodeLists): Written {
        const { domain, mayBeAbsent } = this.parts.cells[cell];
        switch (value) {
            case 'absent':
                return written([-1]);
            case 'unknown':
                return written(codesOfDomain(domain, mayBeAbsent));
            default:
                return byOneOf(value.map(writer => writer.over(codes, lists)));
        }
    }
}

/** What happens in one of the firings, none of which is a fault. */
function allOf(firings: readonly Firing[], isEndless: boolean): Firing {
    if (firings.length === 1) {
        return { ...firings[0], isEndless };
    }
    const [{ kept, written }] = firings;
    return {
        kept: kept.map((_, cell) => sortAscending([...new Set(firings.flatMap(firing => firing.kept[cell]))])),
        written: written.map((ways, effect) => ways && union(firings.flatMap(firing => firing.written[effect] ?? []))),
        isFault: false,
        isEndless,
    };
}

/** Restricts `current` to the codes of the cells in `reads` with which all tests can hold; false if there are none. */
export function narrow(
    tests: readonly Remembering<Supported>[],
    current: (readonly number[])[],
    reads: readonly number[],
    lists: CodeLists,
): boolean {
    for (;;) {
        let kept: Map<number, readonly number[]> | undefined;
        for (const test of tests) {
            const supported = test.over(current, lists);
            if (supported === 'never') {
                return false;
            }
            for (let position = 0; supported !== 'unknown' && position < test.support.length; position++) {
                const cell = test.support[position];
                const here = supported[position];
                if (here.length < current[cell].length) {
                    kept ??= new Map<number, readonly number[]>();
                    const before = kept.get(cell);
                    kept.set(cell, before === undefined ? here : intersection(before, here));
                }
            }
        }
        kept?.forEach((codes, cell) => (current[cell] = codes));
        if (reads.some(cell => current[cell].length === 0 && current[cell] !== UNLISTED)) {
            return false;
        }
        if (kept === undefined) {
            return true;
        }
    }
}
