/**
 * Which of the possible steps of a state are taken: a stubborn set that every way to each goal must use. All goals are then
 * found, with `shortest` by runs of the same length. Chosen by the state alone, so the order of the search does not matter.
 * [Valmari1991, Schmidt1999, KristensenEtAl2006]
 */
import { supportOf } from '../sequential/cell-access.js';
import { Compiler, outcomeOf } from '../sequential/expression/evaluate.js';
import { mayFault } from '../sequential/expression/bounds.js';
import { countTestOf, partsOf } from '../sequential/expression/condition-parts.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import {
    addAllTo,
    addTo,
    bitCountOf,
    type CheckedConditions,
    emptySet,
    type GuardOnPath,
    isIn,
    type StepRelations,
    type SummandSet,
} from '../sequential/step-relations.js';
import { compileTest, type StateTest, type TestOutcome } from '../sequential/state-test.js';

/**
 * `shortest` finds goals by shortest runs. `fewest` may take a step that matters to nothing before all others. `auto` chooses
 * as `shortest` does, until the search takes all steps (step-selection.ts).
 */
export type PartialOrder = CertainOrder | 'auto';

/** Those that depend on the state alone. */
export type CertainOrder = 'shortest' | 'fewest';

/** What a choice needs. */
export interface StepSelection {
    readonly relations: StepRelations;
    readonly checked: CheckedConditions;
    readonly mode: PartialOrder;
}

/** By summand what it does in a state. */
export const [DISABLED, FIRES, FAULTS, LEAVES] = [0, 1, 2, 3] as const;

export class StubbornSets {
    readonly #relations: StepRelations;
    readonly #checked: CheckedConditions;
    readonly #guards: readonly StateTest[];
    readonly #compiler: Compiler;
    readonly #cells: SequentialModel['cells'];
    /** The summands that may be a fault that is looked for. */
    readonly #faulty: readonly number[];

    // Of the present state:
    #state: Int32Array = new Int32Array(0);
    #outcomes: Uint8Array = new Uint8Array(0);
    readonly #possible: SummandSet;
    readonly #guardOutcomes: (TestOutcome | undefined)[] = [];
    readonly #leaversOfGuard: (SummandSet | undefined)[] = [];

    constructor(model: SequentialModel, { relations, checked }: StepSelection) {
        this.#relations = relations;
        this.#checked = checked;
        this.#compiler = new Compiler(model.cells);
        this.#cells = model.cells;
        this.#guards = relations.guards.map(({ elements }) =>
            compileTest(elements, this.#compiler, model.cells.length),
        );
        this.#possible = emptySet(relations.summandCount);
        const places = [...relations.faultPlaces];
        this.#faulty = [...places.keys()].filter(summand => places[summand] > 0);
    }

    /** The summands to take; `outcomes` has what each one does in the state. Undefined for all of them. */
    choose(state: Readonly<Int32Array>, outcomes: Uint8Array): SummandSet | undefined {
        const possible: number[] = [];
        this.#possible.fill(0);
        for (let summand = 0; summand < outcomes.length; summand++) {
            if (outcomes[summand] !== DISABLED) {
                possible.push(summand);
                addTo(this.#possible, summand);
            }
        }
        if (possible.length <= 1) {
            return undefined;
        }
        this.#state = state;
        this.#outcomes = outcomes;
        this.#leaversOfGuard.length = 0;
        this.#guardOutcomes.length = 0;
        let best: SummandSet | undefined;
        let fewest = possible.length;
        const consider = (set: SummandSet | undefined): void => {
            const count = set === undefined ? fewest : this.#possibleIn(set);
            if (count < fewest && set !== undefined) {
                best = set;
                fewest = count;
            }
        };
        const keys = possible.filter(summand => outcomes[summand] === FIRES);
        const toGoals = this.#close(this.#withWays(this.#empty(), fewest), fewest);
        if (toGoals !== undefined) {
            if (!this.#checked.deadlock || this.#hasKey(toGoals)) {
                consider(toGoals);
            } else {
                for (const key of keys) {
                    consider(this.#close(withOne(toGoals, key), fewest));
                }
            }
        }
        for (const key of possible) {
            if (fewest <= 1) {
                break;
            }
            const closed = this.#close(withOne(this.#empty(), key), fewest);
            if (closed === undefined || (this.#checked.deadlock && !this.#hasKey(closed))) {
                continue;
            }
            const isFree = this.#hasKey(closed) && this.#hasOnlyFree(closed);
            consider(isFree ? closed : this.#close(this.#withWays(closed, fewest), fewest));
        }
        return best;
    }

    #empty(): SummandSet {
        return emptySet(this.#relations.summandCount);
    }

    #possibleIn(set: SummandSet): number {
        let count = 0;
        for (let word = 0; word < set.length; word++) {
            count += bitCountOf(set[word] & this.#possible[word]);
        }
        return count;
    }

    #hasKey(set: SummandSet): boolean {
        return this.#outcomes.some((outcome, summand) => outcome === FIRES && isIn(set, summand));
    }

    #hasOnlyFree(set: SummandSet): boolean {
        const { bound } = this.#relations;
        return bound !== undefined && set.every((word, i) => (word & this.#possible[i] & bound.summands[i]) === 0);
    }

    /**
     * The least stubborn set that has these summands, if choices are made as below; undefined if it has as many possible
     * ones as `most`. Changes `set`.
     */
    #close(set: SummandSet | undefined, most: number): SummandSet | undefined {
        if (set === undefined) {
            return undefined;
        }
        if (this.#possibleIn(set) >= most) {
            return undefined;
        }
        const done = this.#empty();
        for (let isOpen = true; isOpen;) {
            isOpen = false;
            for (let word = 0; word < set.length; word++) {
                for (let left = set[word] & ~done[word]; left !== 0; left = set[word] & ~done[word]) {
                    const summand = 32 * word + (31 - Math.clz32(left & -left));
                    addTo(done, summand);
                    addAllTo(
                        set,
                        this.#outcomes[summand] === DISABLED
                            ? this.#waysToEnable(summand, set)
                            : this.#relations.notAccording[summand],
                    );
                    isOpen = true;
                    if (this.#possibleIn(set) >= most) {
                        return undefined;
                    }
                }
            }
        }
        return set;
    }

    /** With a set for each goal that every way to it must use; undefined if that has as many possible ones as `most`. */
    #withWays(given: SummandSet, most: number): SummandSet | undefined {
        const set = given.slice();
        const add = (way: SummandSet | undefined): boolean => {
            if (way !== undefined) {
                addAllTo(set, way);
            }
            return this.#possibleIn(set) < most;
        };
        for (const invariant of this.#checked.invariants) {
            if (!add(this.#way(invariant, false, set))) {
                return undefined;
            }
            // Also while it is a fault: there may be one at another place.
            if (mayFault(invariant, this.#cells) && !add(this.#leaversOf(supportOf(invariant)))) {
                return undefined;
            }
        }
        for (const summand of this.#faulty) {
            const isReached = this.#outcomes[summand] === FAULTS && this.#relations.faultPlaces[summand] === 1;
            if (!isReached && !add(this.#wayToFault(summand, set))) {
                return undefined;
            }
        }
        return set;
    }

    /** What must happen before a disabled summand can fire: for the cheapest of its false guards, what may make it true. */
    #waysToEnable(summand: number, set: SummandSet): SummandSet {
        const { guards, paths } = this.#relations;
        let cheapest: SummandSet | undefined;
        for (const { guard, faultsBefore } of paths[summand].flatMap(path => this.#beforeFault(path))) {
            if (this.#outcomeOf(guard) === 'false') {
                const { cells, enterers } = guards[guard];
                const leavers = (this.#leaversOfGuard[guard] ??= this.#leaversOf(cells));
                for (const way of [enterers, leavers]) {
                    const whole = faultsBefore.length === 0 ? way : united([way, this.#leaversOf(faultsBefore)]);
                    cheapest = cheapest === undefined ? whole : this.#cheaper(cheapest, whole, set);
                }
            }
        }
        return cheapest ?? this.#leaversOf(this.#relations.reads[summand]);
    }

    /** The guards that must hold before the step is possible or a fault: what comes after a fault need not. */
    #beforeFault(path: readonly GuardOnPath[]): readonly GuardOnPath[] {
        const first = path.findIndex(({ guard }) => !['true', 'false'].includes(this.#outcomeOf(guard)));
        return first < 0 ? path : path.slice(0, first);
    }

    #outcomeOf(guard: number): TestOutcome {
        return (this.#guardOutcomes[guard] ??= this.#guards[guard](this.#state));
    }

    /** What must happen before the summand can be a fault, or one at another place. */
    #wayToFault(summand: number, set: SummandSet): SummandSet {
        return this.#outcomes[summand] === DISABLED
            ? this.#waysToEnable(summand, set)
            : this.#leaversOf(this.#relations.reads[summand]);
    }

    /** What must happen before the condition has the wanted value; undefined if it has it. */
    #way(condition: SequentialExpression, wanted: boolean, set: SummandSet): SummandSet | undefined {
        const value = this.#valueOf(condition);
        if (value === wanted) {
            return undefined;
        }
        if (value === undefined) {
            return this.#leaversOf(supportOf(condition));
        }
        const parts = partsOf(condition);
        if (parts === undefined) {
            return this.#wayOfAtom(condition, wanted, set);
        }
        switch (condition.kind) {
            case 'not':
                return this.#way(condition.operand, !wanted, set);
            case 'and':
            case 'all':
                return wanted ? this.#cheapestWay(parts, true, set) : this.#allWays(parts, false, set, 0);
            case 'or':
            case 'some':
                return wanted ? this.#allWays(parts, true, set, 0) : this.#cheapestWay(parts, false, set);
            default:
                return this.#wayOfCount(condition, wanted, set);
        }
    }

    /** Of `count(…) >= k` so many operands must become true that some may be left out, and so for false. */
    #wayOfCount(condition: SequentialExpression, wanted: boolean, set: SummandSet): SummandSet {
        const test = countTestOf(condition);
        if (test === undefined) {
            return this.#leaversOf(supportOf(condition));
        }
        const { operands, kind, bound } = test;
        const areTrue = operands.filter(operand => this.#valueOf(operand) === true).length;
        const mustRise = (kind === 'least') === wanted;
        // At least `bound` must be true, or at most `bound`; without it at most bound - 1, or at least bound + 1.
        const least = kind === 'least' ? bound : bound + 1;
        const changing = mustRise ? least - areTrue : areTrue - (least - 1);
        return this.#allWays(operands, mustRise, set, Math.max(0, changing - 1));
    }

    /** The ways of all parts together, but for those that cost most. */
    #allWays(parts: readonly SequentialExpression[], wanted: boolean, set: SummandSet, leftOut: number): SummandSet {
        const ways = parts.flatMap(part => this.#way(part, wanted, set) ?? []);
        if (leftOut > 0) {
            ways.sort((one, other) => this.#costOf(one, set) - this.#costOf(other, set));
            ways.length = Math.max(0, ways.length - leftOut);
        }
        return united([this.#empty(), ...ways]);
    }

    #cheapestWay(parts: readonly SequentialExpression[], wanted: boolean, set: SummandSet): SummandSet {
        const ways = parts.flatMap(part => this.#way(part, wanted, set) ?? []);
        return ways.reduce((best, way) => this.#cheaper(best, way, set));
    }

    #wayOfAtom(atom: SequentialExpression, wanted: boolean, set: SummandSet): SummandSet {
        const known = this.#relations.atoms.get(atom);
        let cheapest = this.#leaversOf(supportOf(atom));
        if (known !== undefined) {
            cheapest = this.#cheaper(wanted ? known.toTrue : known.toFalse, cheapest, set);
            const { conditions, cells } = known.inside;
            if (conditions.length > 0) {
                const flips = conditions.map(
                    part => this.#way(part, this.#valueOf(part) === false, set) ?? this.#empty(),
                );
                cheapest = this.#cheaper(united([this.#leaversOf(cells), ...flips]), cheapest, set);
            }
        }
        return cheapest;
    }

    /** Undefined for a fault. */
    #valueOf(condition: SequentialExpression): boolean | undefined {
        const outcome = outcomeOf(this.#compiler.expression(condition), this.#state);
        return typeof outcome === 'number' ? outcome === 1 : undefined;
    }

    /** The summands that may change one of the cells. */
    #leaversOf(cells: readonly number[]): SummandSet {
        const leavers = this.#empty();
        for (const cell of cells) {
            const known = this.#relations.leavers[cell];
            const row = known.kind === 'any code' ? known.all : known.byCode.get(this.#state[cell]);
            if (row !== undefined) {
                addAllTo(leavers, row);
            }
        }
        return leavers;
    }

    #cheaper(one: SummandSet, other: SummandSet, set: SummandSet): SummandSet {
        return this.#costOf(other, set) < this.#costOf(one, set) ? other : one;
    }

    /** A possible summand that is not in the set yet costs more than all that are not possible. */
    #costOf(way: SummandSet, set: SummandSet): number {
        let possible = 0;
        let others = 0;
        for (let word = 0; word < set.length; word++) {
            const added = way[word] & ~set[word];
            possible += bitCountOf(added & this.#possible[word]);
            others += bitCountOf(added & ~this.#possible[word]);
        }
        return (this.#relations.summandCount + 1) * possible + others;
    }
}

function united(sets: readonly SummandSet[]): SummandSet {
    const all = sets[0].slice();
    sets.forEach(set => {
        addAllTo(all, set);
    });
    return all;
}

function withOne(set: SummandSet, summand: number): SummandSet {
    const more = set.slice();
    addTo(more, summand);
    return more;
}
