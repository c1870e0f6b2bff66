/** What single steps may do: the cells that they change from which code, and the places at which they are a fault. */
import { keyOfRange } from '../common/source-range.js';
import { remembered } from '../common/list-map.js';
import { addTo, type CellLeavers, emptySet, type SummandSet } from '../sequential/step-relations.js';
import { UNDECIDED } from './partial-states.js';
import type { StepRuns } from './step-runs.js';

/** The cells with more codes are told apart no further: a step that writes one may change any code of it. */
const MOST_CODES = 256;

/** A step that cannot be followed may be a fault at several places. */
const SEVERAL_PLACES = 2;

export interface StepEffects {
    /** As in StepRelations. */
    readonly leavers: readonly CellLeavers[];
    readonly faultPlaces: Int32Array;
    /** By summand and cell. */
    readonly changes: readonly StepChanges[];
}

/** By written cell what a step may make of its codes; undefined if that is not known. */
type StepChanges = ReadonlyMap<number, ChangesOfCell | undefined>;

export interface ChangesOfCell {
    /** Pairs of a code before and another one after. */
    readonly pairs: readonly (readonly [before: number, after: number])[];
    /** Each firing of the step changes the cell. */
    readonly isCertain: boolean;
}

export function stepEffects(runs: StepRuns, goOn: () => void): StepEffects {
    const count = runs.writes.length;
    const rows = runs.model.cells.map(() => new Map<number, SummandSet>());
    const faultPlaces = new Int32Array(count);
    const changes = runs.writes.map((_, summand) => {
        goOn();
        const { changed, places } = followed(runs, summand);
        faultPlaces[summand] = places;
        changed.forEach((known, cell) => {
            const before = known?.pairs.map(([code]) => code) ?? runs.codesOf(cell);
            for (const code of isCoarse(runs, cell) ? [0] : before) {
                addTo(
                    remembered(rows[cell], code, () => emptySet(count)),
                    summand,
                );
            }
        });
        return changed;
    });
    const leavers = rows.map((byCode, cell): CellLeavers =>
        isCoarse(runs, cell)
            ? { kind: 'any code', all: byCode.get(0) ?? emptySet(count) }
            : { kind: 'by code', byCode },
    );
    return { leavers, faultPlaces, changes };
}

/** A local of a location that control never reaches has no codes. */
function isCoarse(runs: StepRuns, cell: number): boolean {
    const { length } = runs.codesOf(cell);
    return length === 0 || length > MOST_CODES;
}

interface Followed {
    readonly changed: StepChanges;
    readonly places: number;
}

function followed(runs: StepRuns, summand: number): Followed {
    const after = runs.scratch(0);
    const places = new Set<string>();
    const pairs = new Map(runs.writes[summand].map(cell => [cell, new Map<number, Set<number>>()]));
    const isKept = new Set<number>();
    const isFollowed = runs.holdsWhere([summand], state => {
        const outcome = runs.fire(summand, state, after);
        if (typeof outcome === 'object') {
            if (outcome.kind !== 'outside') {
                places.add(`${outcome.kind} ${keyOfRange(outcome.range)}`);
            }
        } else if (outcome === 'fired') {
            pairs.forEach((known, cell) => {
                const isOpen = state[cell] === UNDECIDED && after[cell] !== UNDECIDED;
                for (const code of isOpen ? runs.codesOf(cell) : [state[cell]]) {
                    if (code === after[cell]) {
                        isKept.add(cell);
                    } else {
                        remembered(known, code, () => new Set<number>()).add(after[cell]);
                    }
                }
            });
        }
        return true;
    });
    if (!isFollowed) {
        const moves = movesOf(runs, summand);
        const changed = runs.writes[summand].map(cell => [cell, moves.get(cell)] as const);
        return { changed: new Map(changed), places: SEVERAL_PLACES };
    }
    const changed = Array.from(pairs, ([cell, known]): [number, ChangesOfCell | undefined] => {
        const isListed = !isCoarse(runs, cell);
        const changes = [...known].flatMap(([before, codes]) => [...codes].map(code => [before, code] as const));
        return [cell, isListed ? { pairs: changes, isCertain: !isKept.has(cell) } : undefined];
    });
    return { changed: new Map(changed), places: places.size };
}

/** How the control of the participants moves. */
function movesOf({ model }: StepRuns, summand: number): ReadonlyMap<number, ChangesOfCell> {
    return new Map(
        model.summands[summand].participants.map(({ instance, source, target }) => [
            model.instances[instance].counter,
            { pairs: source === target ? [] : [[source, target]], isCertain: source !== target },
        ]),
    );
}
