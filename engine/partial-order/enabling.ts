/** The tests that steps wait for, and the steps that may make them true. */
import { sortAscending } from '../common/ascending.js';
import { remembered } from '../common/list-map.js';
import { supportOf } from '../sequential/cell-access.js';
import { atomsOf, type InnerConditions, insideOf } from '../sequential/expression/condition-parts.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { mayFault } from '../sequential/expression/bounds.js';
import { compileTest, type StateTest } from '../sequential/state-test.js';
import type {
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
} from '../sequential/sequential-model.js';
import {
    addAllTo,
    addTo,
    emptySet,
    type GuardOnPath,
    isIn,
    type StepAtom,
    type StepGuard,
    type SummandSet,
} from '../sequential/step-relations.js';
import type { ChangesOfCell, StepEffects } from './step-effects.js';
import { decidingCells, type StepRuns, summandsByCell } from './step-runs.js';

type Wanted = 'true' | 'false';

/** What comes before is asked last: most steps lead to other outcomes, whatever it is. */
function isEntry(test: StateTest, before: Int32Array, after: Int32Array, wanted: Wanted): boolean {
    const outcome = test(after);
    return (outcome === wanted || outcome === 'fault') && test(before) !== wanted;
}

export interface Enabling {
    readonly guards: readonly StepGuard[];
    readonly paths: readonly (readonly (readonly GuardOnPath[])[])[];
}

/** Of an atom with more cells it is not tried what may change it: only what may change its parts. */
const MOST_CELLS = 12;

/** Finds for a test the steps that may take it to a wanted outcome. */
export class Enterers {
    readonly #runs: StepRuns;
    readonly #changes: StepEffects['changes'];
    readonly #writers: readonly (readonly number[])[];

    constructor(runs: StepRuns, { changes }: StepEffects) {
        this.#runs = runs;
        this.#changes = changes;
        this.#writers = summandsByCell(runs.writes, runs.model.cells.length);
    }

    /** Those of the summands that may take the test from another outcome to `wanted` or a fault. */
    of(elements: readonly PathElement[], wanted: Wanted, summands?: SummandSet): SummandSet {
        const { compiler, model, writes } = this.#runs;
        const test = compileTest(elements, compiler, model.cells.length);
        const cells = cellsOf(elements);
        const entering = emptySet(writes.length);
        for (const summand of new Set(cells.flatMap(cell => this.#writers[cell]))) {
            if (summands !== undefined && !isIn(summands, summand)) {
                continue;
            }
            const known = cells.length === 1 ? this.#changes[summand].get(cells[0]) : undefined;
            const enters =
                known === undefined
                    ? this.#enters(summand, test, wanted)
                    : this.#entersAt(cells[0], known, test, wanted);
            if (enters) {
                addTo(entering, summand);
            }
        }
        return entering;
    }

    #enters(summand: number, test: StateTest, wanted: Wanted): boolean {
        const after = this.#runs.scratch(0);
        return !this.#runs.holdsWhere(
            [summand],
            state => this.#runs.fire(summand, state, after) !== 'fired' || !isEntry(test, state, after, wanted),
        );
    }

    /** Whether one of the changes of the only cell that the test reads makes the difference. */
    #entersAt(cell: number, { pairs }: ChangesOfCell, test: StateTest, wanted: Wanted): boolean {
        const [before, after] = [2, 3].map(number => this.#runs.scratch(number));
        return pairs.some(([from, to]) => {
            before[cell] = from;
            after[cell] = to;
            return isEntry(test, before, after, wanted);
        });
    }

    /** `known` has the atoms inside. */
    atom(condition: SequentialExpression, known: ReadonlyMap<SequentialExpression, StepAtom>): StepAtom {
        const inside = insideOf(condition);
        const touching = this.#touching(inside, known);
        if (inside.conditions.length > 0 && supportOf(condition).length > MOST_CELLS) {
            return { toTrue: touching, toFalse: touching, inside };
        }
        const elements = [{ kind: 'test', condition }] as const;
        return { toTrue: this.of(elements, 'true', touching), toFalse: this.of(elements, 'false', touching), inside };
    }

    /** The summands that write one of the cells, or may change one of the conditions. */
    #touching({ conditions, cells }: InnerConditions, known: ReadonlyMap<SequentialExpression, StepAtom>): SummandSet {
        const touching = emptySet(this.#runs.writes.length);
        cells
            .flatMap(cell => this.#writers[cell])
            .forEach(summand => {
                addTo(touching, summand);
            });
        for (const atom of atomsOf(conditions)) {
            const within = known.get(atom);
            if (within !== undefined) {
                addAllTo(touching, within.toTrue);
                addAllTo(touching, within.toFalse);
            }
        }
        return touching;
    }
}

export function enablingOf(model: SequentialModel, enterers: Enterers, goOn: () => void): Enabling {
    const guards: StepGuard[] = [];
    const numbers = new Map<SequentialExpression | string, number>();
    const elementNumbers = new Map<PathElement, number>();
    // Paths may begin with the same initialization and end with different tests.
    const keyOfRest = (elements: readonly PathElement[]): string =>
        elements.map(element => remembered(elementNumbers, element, () => elementNumbers.size)).join();
    const guardOf = (elements: readonly PathElement[]): number => {
        const [first] = elements;
        return remembered(
            numbers,
            first.kind === 'test' ? (keyOfTest(first.condition) ?? first.condition) : keyOfRest(elements),
            () => {
                goOn();
                guards.push({ elements, cells: cellsOf(elements), enterers: enterers.of(elements, 'true') });
                return guards.length - 1;
            },
        );
    };
    const paths = model.summands.map(({ participants }) =>
        participants.map(participant => {
            const faultsBefore = new Set<number>();
            return testsOf(participant).map((elements): GuardOnPath => {
                const guard = { guard: guardOf(elements), faultsBefore: sortAscending([...faultsBefore]) };
                if (elements.some(element => element.kind === 'assign' || mayFault(element.condition, model.cells))) {
                    cellsOf(elements).forEach(cell => faultsBefore.add(cell));
                }
                return guard;
            });
        }),
    );
    return { guards, paths };
}

/** The conjuncts of the tests up to the first initialization, each alone, and then the rest together. */
function testsOf({ path }: Participant): readonly (readonly PathElement[])[] {
    const first = path.findIndex(({ kind }) => kind === 'assign');
    const tests = path
        .slice(0, first < 0 ? path.length : first)
        .flatMap(element => (element.kind === 'test' ? conjunctsOf(element.condition) : []))
        .map((condition): readonly PathElement[] => [{ kind: 'test', condition }]);
    return first < 0 ? tests : [...tests, path.slice(first)];
}

/** Of a test of one cell, as those of program counters are. */
function keyOfTest(condition: SequentialExpression): string | undefined {
    return condition.kind === 'binary' &&
        condition.left.kind === 'cell' &&
        condition.left.isPresent === undefined &&
        condition.right.kind === 'constant'
        ? `${condition.left.cell} ${condition.operator} ${condition.right.value}`
        : undefined;
}

function cellsOf(elements: readonly PathElement[]): readonly number[] {
    const cells = new Set<number>();
    for (const element of elements) {
        decidingCells(element.kind === 'test' ? element.condition : element.value).forEach(cell => cells.add(cell));
    }
    return sortAscending([...cells]);
}
