/** The reference semantics of runs: systems with known verdicts, and all lassos of small random systems. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../engine/common/random.js';
import { NOWHERE } from '../../../engine/common/source-range.js';
import type {
    FairnessConstraint,
    PropertyMember,
    SequentialModel,
    TemporalAtom,
    TemporalFormula,
} from '../../../engine/sequential/sequential-model.js';
import { SYSTEM_KINDS, smallSystem } from '../../arbitrary/small-systems.js';
import {
    always,
    assumption,
    atom,
    eventually,
    eventuallyAlways,
    fairness,
    FALSE,
    infinitelyOften,
    leadsTo,
    or,
    randomCondition,
    randomFormula,
    TRUE,
    until,
    weakUntil,
} from '../../arbitrary/temporal-formulas.js';
import { binary, constant, faultUnless, toyModel, type Names, type Toy } from '../../arbitrary/toys.js';
import { hasFairRun, referenceVerdict, violationOf } from './check.js';
import { fullGraph } from './full-graph.js';
import { holdsOnLasso, isFairRun } from './lasso-evaluation.js';
import { lassosOf } from './lassos.js';

/** In the toys, the atoms are `x == 0`, `x == 1` and so on. */
function verdict(toy: Toy, formula: TemporalFormula, constraints: readonly FairnessConstraint[] = []): string {
    const model = { ...toyModel(toy), fairness: constraints };
    const atoms = stateAtoms(model);
    return referenceVerdict(model, fullGraph(model)!, { values: {}, skeleton: '', atoms, formula });
}

function stateAtoms(model: SequentialModel): TemporalAtom[] {
    const { domain } = model.cells[0]!;
    const size = domain.kind === 'range' ? domain.high + 1 : 2;
    return Array.from({ length: size }, (_, value) => ({
        kind: 'state',
        expression: binary({ kind: 'cell', cell: 0, range: NOWHERE }, '==', constant(value)),
    }));
}

const increment = ({ read, set }: Names) => set('x', binary(read('x'), '+', constant(1)));

test('a run that ends stays where it is for ever', () => {
    const toy: Toy = {
        cells: { x: 2 },
        initial: { x: 0 },
        rules: ({ is, set }) => [{ when: [is('x', 0)], then: [set('x', 1)] }],
    };
    expect(verdict(toy, infinitelyOften(atom(0)))).toBe('violated');
    expect(verdict(toy, eventuallyAlways(atom(1)))).toBe('holds');
});

test('a step that changes nothing can be taken for ever, unless another one must be', () => {
    const toy: Toy = {
        cells: { x: 2 },
        initial: { x: 0 },
        rules: ({ set }) => [
            { when: [], then: [] },
            { when: [], then: [set('x', 1)] },
        ],
    };
    expect(verdict(toy, eventually(atom(1)))).toBe('violated');
    expect(verdict(toy, eventually(atom(1)), [fairness('weak', 'go', [1])])).toBe('holds');
});

test('a fault is no step: it is neither possible nor taken, and a state with faults only is an end', () => {
    const faulty: Toy = {
        cells: { x: 2 },
        initial: { x: 0 },
        rules: names => [{ when: [], then: [increment(names)] }],
    };
    expect(verdict(faulty, always(atom(0)))).toBe('violated');
    expect(verdict(faulty, eventuallyAlways(atom(1)))).toBe('holds');
    const strong = [fairness('strong', 'up', [0])];
    expect(verdict(faulty, infinitelyOften(atom(0)), strong)).toBe('violated');
});

test('a step that is possible again and again need be taken under strong fairness only', () => {
    const toy: Toy = {
        cells: { x: 3 },
        initial: { x: 0 },
        rules: ({ is, set }) => [
            { when: [is('x', 0)], then: [set('x', 1)] },
            { when: [is('x', 1)], then: [set('x', 0)] },
            { when: [is('x', 1)], then: [set('x', 2)] },
        ],
    };
    expect(verdict(toy, eventually(atom(2)))).toBe('violated');
    expect(verdict(toy, eventually(atom(2)), [fairness('weak', 'out', [2])])).toBe('violated');
    expect(verdict(toy, eventually(atom(2)), [fairness('strong', 'out', [2])])).toBe('holds');
});

test('a component that is unfair as a whole may have a fair part', () => {
    const toy: Toy = {
        cells: { x: 4 },
        initial: { x: 0 },
        rules: names => [
            { when: [binary(names.read('x'), '<', constant(2))], then: [increment(names)] },
            { when: [names.is('x', 1)], then: [names.set('x', 0)] },
            { when: [names.is('x', 2)], then: [names.set('x', 1)] },
            { when: [names.is('x', 2)], then: [names.set('x', 3)] },
        ],
    };
    expect(verdict(toy, eventually(atom(3)), [fairness('strong', 'out', [3])])).toBe('violated');
});

test('the three forms of assumptions', () => {
    const toy: Toy = {
        cells: { x: 2 },
        initial: { x: 0 },
        rules: ({ set }) => [
            { when: [], then: [set('x', 0)] },
            { when: [], then: [set('x', 1)] },
        ],
    };
    const atoms = stateAtoms(toyModel(toy));
    expect(verdict(toy, infinitelyOften(atom(1)), [assumption('a', atoms, TRUE, atom(1))])).toBe('holds');
    expect(verdict(toy, eventuallyAlways(atom(1)), [assumption('a', atoms, atom(0), FALSE)])).toBe('holds');
    const implied = or(eventuallyAlways(atom(1)), infinitelyOften(atom(1)));
    expect(verdict(toy, implied, [assumption('a', atoms, atom(0), atom(1))])).toBe('holds');
    expect(verdict(toy, eventuallyAlways(atom(1)), [assumption('a', atoms, atom(0), atom(1))])).toBe('violated');
});

test('until needs its right side, weak until does not, and both hold at once where the right side does', () => {
    const toy: Toy = {
        cells: { x: 3 },
        initial: { x: 0 },
        rules: ({ is, set }) => [
            { when: [is('x', 0)], then: [] },
            { when: [is('x', 0)], then: [set('x', 1)] },
        ],
    };
    expect(verdict(toy, until(atom(0), atom(1)))).toBe('violated');
    expect(verdict(toy, weakUntil(atom(0), atom(1)))).toBe('holds');
    expect(verdict(toy, until(atom(2), atom(0)))).toBe('holds');
    expect(verdict(toy, until(atom(2), atom(1)))).toBe('violated');
    expect(verdict(toy, leadsTo(atom(0), or(atom(1), atom(0))))).toBe('holds');
});

test('some process keeps away for ever: three constraints that no step satisfies alone', () => {
    const toy: Toy = {
        cells: { turn: 3 },
        rules: ({ is, set }) => [0, 1, 2].map(i => ({ when: [is('turn', i)], then: [set('turn', (i + 1) % 3)] })),
    };
    expect(verdict(toy, or(...[0, 1, 2].map(i => eventually(always(or(...others(i)))))))).toBe('violated');
    expect(verdict(toy, infinitelyOften(atom(2)))).toBe('holds');

    function others(i: number): TemporalFormula[] {
        return [0, 1, 2].filter(j => j !== i).map(atom);
    }
});

test('possible looks along all paths, also unfair ones, and at the state itself', () => {
    const toy: Toy = {
        cells: { x: 3 },
        initial: { x: 0 },
        rules: ({ is, set }) => [
            { when: [is('x', 0)], then: [set('x', 1)] },
            { when: [is('x', 1)], then: [set('x', 0)] },
            { when: [is('x', 1)], then: [set('x', 2)] },
        ],
    };
    const model = toyModel(toy);
    const restricted = { ...model, fairness: [assumption('never', stateAtoms(model), atom(2), FALSE)] };
    const back = of(0);
    expect(referenceVerdict(model, fullGraph(model)!, back)).toBe('violated');
    expect(referenceVerdict(restricted, fullGraph(model)!, back)).toBe('holds');
    expect(referenceVerdict(restricted, fullGraph(model)!, of(2))).toBe('holds');

    function of(goal: number): PropertyMember {
        const possible: TemporalAtom = { kind: 'possible', condition: atom(goal) };
        return { values: {}, skeleton: '', atoms: [...stateAtoms(model), possible], formula: always(atom(3)) };
    }
});

test('without a run that counts, everything holds', () => {
    const toy: Toy = { cells: { x: 2 }, initial: { x: 0 }, rules: () => [] };
    const never = [assumption('never', stateAtoms(toyModel(toy)), TRUE, atom(1))];
    const model = { ...toyModel(toy), fairness: never };
    expect(hasFairRun(model, fullGraph(model)!)).toBe(false);
    expect(hasFairRun({ ...model, fairness: [] }, fullGraph(model)!)).toBe(true);
    expect(verdict(toy, FALSE, never)).toBe('holds');
});

test('an atom that faults somewhere is found, whether or not the formula depends on it there', () => {
    const toy: Toy = { cells: { x: 2 }, rules: () => [] };
    const model = toyModel(toy);
    const isZero = binary({ kind: 'cell', cell: 0, range: NOWHERE }, '==', constant(0));
    const faulty: TemporalAtom = { kind: 'state', expression: faultUnless(isZero, 'index') };
    const member = { values: {}, skeleton: '', atoms: [faulty], formula: or(TRUE, atom(0)) };
    expect(referenceVerdict(model, fullGraph(model)!, member)).toBe('fault');
});

test('no short lasso violates what holds, and what is violated has a lasso that shows it', () => {
    const random = createRandom(7);
    const counts = { holds: 0, violated: 0, shown: 0 };
    for (let round = 0; round < 400; round++) {
        const model = randomToy();
        const graph = fullGraph(model, 12);
        if (graph === undefined || graph.firings.length > 30) {
            continue;
        }
        const atoms = randomAtoms(model);
        const member = { values: {}, skeleton: '', atoms, formula: randomFormula(random, atoms.length, 2) };
        const violation = violationOf(model, graph, member);
        let isShown = false;
        for (const lasso of lassosOf(graph, 4)) {
            isShown ||= isFairRun(model, graph, lasso) && !holdsOnLasso(model, graph, lasso, member);
        }
        counts[violation === undefined ? 'holds' : 'violated']++;
        counts.shown += isShown ? 1 : 0;
        if (violation === undefined) {
            expect(isShown).toBe(false);
        } else {
            expect(isFairRun(model, graph, violation)).toBe(true);
            expect(holdsOnLasso(model, graph, violation, member)).toBe(false);
        }
    }
    expect(counts.holds).toBeGreaterThan(30);
    expect(counts.shown).toBeGreaterThan(50);

    function randomToy(): SequentialModel {
        const model = toyModel(smallSystem(random, SYSTEM_KINDS[random.below(SYSTEM_KINDS.length)]!));
        const summands = [...model.summands.keys()].filter(() => random.below(2) === 0);
        const atoms = randomAtoms(model);
        const condition = (): TemporalFormula => randomCondition(random, atoms.length, 1);
        const constraints = [
            fairness('weak', 'weak', summands),
            fairness('strong', 'strong', summands),
            assumption('recurrent', atoms, TRUE, condition()),
            assumption('stable', atoms, condition(), FALSE),
            assumption('implied', atoms, condition(), condition()),
        ];
        return { ...model, fairness: constraints.filter(() => random.below(4) === 0) };
    }

    function randomAtoms(model: SequentialModel): TemporalAtom[] {
        return [
            ...stateAtoms(model).slice(0, 2),
            { kind: 'taken', summands: [random.below(model.summands.length)] },
            { kind: 'possible', condition: randomCondition(random, 2, 1) },
        ];
    }
});
