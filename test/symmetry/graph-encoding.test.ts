/** The graph says what the model does: read back from colors and edges, it runs like the interpreter. */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel, SequentialStatement } from '../../engine/sequential/sequential-model.js';
import { withAllSlots } from '../../engine/sequential/templates/all-slots.js';
import { encodeGraph } from '../../engine/symmetry/graph-encoding.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { printModel } from '../reference/print.js';
import { DecodedGraph } from '../reference/decode-graph.js';
import { initialStatesOf, outcomesOf } from '../reference/literal-symmetries.js';

/** Compares graph and interpreter on the first states; counts transitions. Loops of too many lines are pinned. */
function checkDecoded(given: SequentialModel, mostStates: number): number {
    // The graph is that of the model with every choice of a slot.
    const sequential = withAllSlots(given)!.model;
    const problem = encode(sequential, UNLIMITED);
    if (problem.pinned.length > 0) {
        expect(hasLoop(sequential)).toBe(true);
        return 0;
    }
    const decoded = new DecodedGraph(encodeGraph(problem, []));
    // Summands are encoded as if nothing were cut off: the constraint is a vertex of its own.
    const { constraint: _, ...unconstrained } = sequential;
    const waiting = initialStatesOf(sequential).slice(0, mostStates);
    const seen = new Set(waiting.map(String));
    for (const state of waiting) {
        expect(decoded.isInitial(state)).toBe(true);
    }
    let transitions = 0;
    for (const state of waiting) {
        const expected = [...outcomesOf(unconstrained, state)].sort();
        const { successors, faults } = decoded.outcomes(state);
        expect([...successors, ...faults].sort()).toEqual(expected);
        transitions += expected.length;
        for (const successor of expected) {
            if (/^-?\d/.test(successor) && !seen.has(successor) && seen.size < mostStates) {
                seen.add(successor);
                waiting.push(successor.split(',').map(Number));
            }
        }
    }
    return transitions;
}

function hasLoop({ summands }: SequentialModel): boolean {
    const isLoop = (statement: SequentialStatement): boolean =>
        statement.kind === 'while' ||
        (statement.kind === 'if' && [...statement.then, ...statement.otherwise].some(isLoop));
    return summands.some(({ participants }) => participants.some(({ body }) => body.some(isLoop)));
}

const FOLDER = join(import.meta.dirname, '../../models');

/** Numbers without end are pinned; test/numbers compares such models with a reference of their own. */
const ENDLESS = /\bnat\b/;

test.each(
    readdirSync(FOLDER).filter(
        name => name.endsWith('.orbit') && !ENDLESS.test(readFileSync(join(FOLDER, name), 'utf8')),
    ),
)('the graph of %s does what the model does', async name => {
    const { model } = await loadModel(readFileSync(join(FOLDER, name)), `file:///${name}`);
    expect(checkDecoded(linearize(model!).sequential!, 60)).toBeGreaterThanOrEqual(50);
});

test('the graph of a random model does what the model does', async () => {
    let transitions = 0;
    await fc.assert(
        fc.asyncProperty(models(), async random => {
            const { model } = await loadModel(printModel(random), 'file:///random.orbit');
            const sequential = model === undefined ? undefined : linearize(model).sequential;
            if (sequential !== undefined && initialStatesOf(sequential).length > 0) {
                transitions += checkDecoded(sequential, 40);
            }
        }),
        { numRuns: 40 },
    );
    expect(transitions).toBeGreaterThan(200);
});
