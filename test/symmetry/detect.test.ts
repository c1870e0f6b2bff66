/** The search: what it does at the end of its budget, and that nothing else changes its result. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { OperationCancelled, UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import type { Model } from '../../engine/model/model.js';
import { analyze, type SymmetryAnalysis } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { suggestSymmetries } from '../../engine/symmetry/declared-action.js';
import { detectGroups } from '../../engine/symmetry/groups.js';
import { withAllSlots } from '../../engine/sequential/templates/all-slots.js';
import { encodeGraph } from '../../engine/symmetry/graph-encoding.js';
import { GraphExtension } from '../../engine/symmetry/graph-extension.js';
import { literalPoints, literalProjection } from '../../engine/symmetry/model-symmetry.js';
import { loadModel } from '../../language-server/load-model.js';
import { diningPhilosophers, peterson, tokenRing } from '../arbitrary/published-models.js';
import { toyModel } from '../arbitrary/toys.js';

const FOLDER = join(import.meta.dirname, '../../models');

function problemOf(model: Model) {
    const { sequential: linearized } = linearize(model);
    invariant(linearized !== undefined, 'the model has no errors');
    const sequential = withAllSlots(linearized)!.model;
    return { sequential, problem: encode(sequential, UNLIMITED) };
}

function analysisOf(model: Model, workLimit: WorkLimit): SymmetryAnalysis {
    const { symmetry } = analyze(model, { now: () => 0, workLimit, explain: false });
    invariant(symmetry !== undefined, 'the model has no errors');
    return symmetry;
}

/** What several tests look at is worked out by the first of them. */
function once<Result>(make: () => Result): () => Result {
    let made: { readonly result: Result } | undefined;
    return () => (made ??= { result: make() }).result;
}

function limitAfter(questions: number): WorkLimit {
    let asked = 0;
    return { isExhausted: () => ++asked > questions };
}

test.each([
    ['token ring', await tokenRing(6), 12n],
    ['Peterson', await peterson(3), 6n],
    ['dining philosophers', await diningPhilosophers(6), 6n],
] as const)(
    'a search of the %s that is stopped anywhere has a subgroup, and says that it is not all',
    (_, model, order) => {
        let incomplete = 0;
        for (let questions = 0; questions < 4000; questions = questions * 2 + 1) {
            const { group, explorationGroup, report } = analysisOf(model, limitAfter(questions));
            for (const found of [group, explorationGroup]) {
                expect(order % found.order).toBe(0n);
                expect(!found.complete || found.order === order).toBe(true);
                // Whoever has symmetries is not said to have none.
                expect(found.order > 1n).toBe(found.generators.length > 0);
            }
            expect(report.complete).toBe(group.complete && explorationGroup.complete);
            incomplete += report.complete ? 0 : 1;
        }
        expect(incomplete).toBeGreaterThan(0);
        expect(analysisOf(model, UNLIMITED).report.complete).toBe(true);
    },
);

test('a cancelled search passes the cancellation on, wherever it is', async () => {
    const model = await peterson(4);
    for (const questions of [0, 10, 100, 200]) {
        let asked = 0;
        const isExhausted = (): boolean => {
            if (++asked > questions) {
                throw new OperationCancelled();
            }
            return false;
        };
        expect(() => analysisOf(model, { isExhausted })).toThrow(OperationCancelled);
    }
});

test('two runs find the same generators in the same order', async () => {
    const model = await tokenRing(7);
    const run = () => analysisOf(model, UNLIMITED).group.generators.map(({ points, images }) => [points, images]);
    expect(run()).toEqual(run());
});

test('the steps are not searched if they have no more symmetries than colors allow and the start keeps those', async () => {
    const { model } = await loadModel(readFileSync(join(FOLDER, 'hypercube.orbit')), 'file:///hypercube.orbit');
    const { constraints, group } = analysisOf(model!, UNLIMITED);
    expect(group.order).toBe(48n);
    expect(detectGroups(constraints, [], UNLIMITED).effort.searches).toBe(1);
});

describe.each(readdirSync(FOLDER).filter(name => name.endsWith('.orbit')))('%s', name => {
    const found = once(async () => {
        const { model } = await loadModel(readFileSync(join(FOLDER, name)), `file:///${name}`);
        invariant(model !== undefined, 'the models have no errors');
        const aided = analysisOf(model, UNLIMITED);
        return { model, aided, unaided: detectGroups(aided.constraints, [], UNLIMITED) };
    });

    test('has the same groups where its declarations suggest nothing, and what they suggest is certified', async () => {
        const { aided, unaided } = await found();
        expect(unaided.detection.group.order).toBe(aided.group.order);
        expect(unaided.explorationGroup.order).toBe(aided.explorationGroup.order);
        expect(unaided.propertyGroups.map(({ order }) => order)).toEqual(
            aided.propertyGroups.map(({ order }) => order),
        );
        expect(aided.report.verified).toBe(true);
    });

    test('maps literals to the graph and back without loss', async () => {
        const { model, aided, unaided } = await found();
        const { constraints: problem } = aided;
        const points = literalPoints(problem);
        const encoding = encodeGraph(problem, []);
        const extension = new GraphExtension(encoding, points);
        const project = literalProjection(encoding, points);
        const { group, automorphisms } = unaided.detection;
        group.generators.forEach((generator, index) => {
            expect(extension.extend(generator)).toEqual(automorphisms[index]);
            expect(project(automorphisms[index]!)).toEqual(generator);
        });
        for (const { permutation } of suggestSymmetries(model, problem.sequential, points, UNLIMITED)) {
            const extended = extension.extend(permutation);
            if (extended !== undefined) {
                // What it does to cells that never change is not in the graph.
                const back = project(extended);
                expect(extension.extend(back)).toEqual(extended);
            }
        }
    });
});

test('a cell that never changes is not exchanged with one that does', () => {
    // c holds 0; a and b hold 0 or nothing. Leaving c out, the rotation of the three would look like a symmetry.
    const problem = encode(
        toyModel({
            cells: { c: 1, a: 1, b: 1 },
            mayBeAbsent: ['a', 'b'],
            initial: { c: 0, a: 'none', b: 'none' },
            rules: ({ set, clear }) =>
                ['a', 'b'].flatMap(name => [
                    { when: [], then: [set(name, 0)] },
                    { when: [], then: [clear(name)] },
                ]),
        }),
        UNLIMITED,
    );
    const points = literalPoints(problem);
    const extension = new GraphExtension(encodeGraph(problem, []), points);
    const rotation = { points: Int32Array.of(0, 1, 2), images: Int32Array.of(1, 2, 0) };
    const exchange = { points: Int32Array.of(1, 2), images: Int32Array.of(2, 1) };
    expect(extension.extend(rotation)).toBeUndefined();
    expect(extension.extend(exchange)).toBeDefined();
});

test('what a loop works out for all in their order is seen not to depend on it where its values can be listed', async () => {
    // Dijkstra's banker lends if all can finish, one after the other, with what is left. Who is asked first does not matter.
    const { model } = await loadModel(
        `
model Banker
type Customer = 0 .. 1
var lent: 0 .. 10[Customer] = 0
var cash: 0 .. 10 = 10
const claim = 8
process Client[c: Customer] {
    loop {
        choose {
            borrow: when lent[c] < claim && cash > 0 {
                var free: 0 .. 30 = cash - 1
                lent[c] := lent[c] + 1;
                var done: bool[Customer] = false
                for round in 1 .. 2 {
                    for d in Customer {
                        if !done[d] && claim - lent[d] <= free { done[d] := true; free := free + lent[d] }
                    }
                }
                if forall d in Customer: done[d] { cash := cash - 1 } else { lent[c] := lent[c] - 1 }
            }
        } or {
            repay: when lent[c] == claim { cash := cash + lent[c]; lent[c] := 0 }
        }
    }
}
`,
        'file:///banker.orbit',
    );
    invariant(model !== undefined, 'a model without errors is there');
    const { report } = analysisOf(model, UNLIMITED);
    expect([report.complete, report.verified, report.families[0]?.structure]).toEqual([true, true, 'C2']);
});

test('two subscribers of whom one is asked first are alike, for both are asked about the same news', async () => {
    const { model } = await loadModel(
        `
        type Topic = 0 .. 1
        type Reader = 0 .. 1
        var wants: bool[Reader, Topic] = false
        var news: Topic? = none
        process Broker {
            loop {
                choose t in Topic { publish: when news == none { news := t } }
                var done: bool[Reader] = false
                while exists r in Reader: wants[r, news] && !done[r] {
                    choose r in Reader { deliver: when wants[r, news] && !done[r] { done[r] := true } }
                }
                clear: news := none
            }
        }
        process Subscriber[r: Reader] { loop { choose t in Topic { change: wants[r, t] := !wants[r, t] } } }
    `,
        'file:///model.orbit',
    );
    // Topics and readers can each be exchanged.
    expect(analyze(model!, { now: () => 0, workLimit: UNLIMITED }).symmetry?.report.order).toBe('4');
});

// The registers can be counted on their own, each by its own, and renamed together with who points to them.
const COUNTED = `
type Id = 0 .. 2
var register: 0 .. 2[Id] = any
var pointsTo: Id[Id] = [i in Id: i]
event tick
`;

test.each([
    ['one process after the other', 'bump: { register[pointsTo[i]] := (register[pointsTo[i]] + 1) mod 3 }'],
    ['all in a joint step', 'tick { register[pointsTo[i]] := (register[pointsTo[i]] + 1) mod 3 }'],
    [
        'with what it was in a branch',
        'bump: { register[pointsTo[i]] := if pointsTo[i] == 0 then (register[pointsTo[i]] + 1) mod 3 else (register[pointsTo[i]] + 2 - 1) mod 3 }',
    ],
])('an element that is written is known to be the one that is read: %s', async (_how, step) => {
    const { model } = await loadModel(
        `${COUNTED} process Worker[i: Id] {
            loop { choose { ${step} } or j in Id { turn: when pointsTo[i] != j { pointsTo[i] := j } } }
        }`,
        'file:///model.orbit',
    );
    const { report } = analysisOf(model!, UNLIMITED);
    expect([BigInt(report.order), report.verified]).toEqual([3n ** 3n * 6n, true]);
});

// It asked nothing: with 100,000 cells, a limit of one second was kept after 16.
test('what declarations suggest for many cells is made within the limit', async () => {
    const text = 'var a: bool[60][60]\nprocess P { a[59, 59] := true }\n';
    const { model } = await loadModel(text, 'file:///m.orbit');
    const { sequential, problem } = problemOf(model!);
    const suggested = (questions: number): number =>
        suggestSymmetries(model!, sequential, literalPoints(problem), limitAfter(questions)).length;
    // The exchanges of neighbors among 60, but for those of 58 and 59: only one cell changes. Each asks for 3,600 cells.
    expect(suggested(Infinity)).toBe(58);
    expect(suggested(12_600)).toBe(3);
    expect(suggested(0)).toBe(0);
});
