/** Pairs of literals that may hold in one state, beside all reachable states. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { valuesOf } from '../../engine/constraints/dead-steps.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { LiteralPairs } from '../../engine/partial-order/literal-pairs.js';
import { StepRuns } from '../../engine/partial-order/step-runs.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { linearModels } from '../arbitrary/linear-models.js';
import { cases } from '../cases.js';
import { sequentialOf } from '../explore/explore-model.js';
import { modelOf } from '../model-of-text.js';

/** More reachable states are not looked at. */
const MOST_STATES = 500;

function initialOf(model: SequentialModel): Int32Array[] {
    const states = new InitialStates(model);
    const initial: Int32Array[] = [];
    for (const state = new Int32Array(model.cells.length); initial.length < MOST_STATES && states.nextInto(state);) {
        initial.push(state.slice());
    }
    return initial;
}

function pairsOf(model: SequentialModel): LiteralPairs | undefined {
    const values = valuesOf(model, UNLIMITED);
    invariant(values !== undefined, 'there is no limit');
    const { reachable } = values;
    const from = { initial: initialOf(model), symmetries: [] };
    return LiteralPairs.of(new StepRuns(model, reachable), reachable.domains, from, () => undefined);
}

/** By their text. */
function reachableOf(model: SequentialModel): readonly Int32Array[] {
    const states = new Map(initialOf(model).map(state => [state.join(), state]));
    const successors = interpretedSuccessors(model);
    for (const state of states.values()) {
        if (states.size > MOST_STATES) {
            break;
        }
        successors.forEachFiring(state, {
            fired: (_, successor) => {
                if (!states.has(successor.join())) {
                    states.set(successor.join(), successor.slice());
                }
                return true;
            },
            faulted: () => true,
        });
    }
    return [...states.values()];
}

test('all pairs of reachable states are among them', async () => {
    let seen = 0;
    await fc.assert(
        fc.asyncProperty(linearModels(), async load => {
            const model = await load();
            const pairs = model?.templates === undefined ? model && pairsOf(model) : undefined;
            if (model === undefined || pairs === undefined) {
                return;
            }
            for (const state of reachableOf(model)) {
                const cells = [...state.keys()];
                expect(cells.every(cell => pairs.mayJoin(cell, state[cell]!, cells, state))).toBe(true);
                seen++;
            }
        }),
        { numRuns: cases(60) },
    );
    expect(seen).toBeGreaterThan(20);
});

test('two processes do not hold one lock', async () => {
    const model = sequentialOf(
        await modelOf(`var free: bool = true
            process P[i: 0 .. 1] { loop { idle: skip; wait: when free { free := false }; hold: free := true } }`),
    );
    const pairs = pairsOf(model);
    invariant(pairs !== undefined, 'the model is small');
    const [first, second] = model.instances.map(({ counter }) => counter);
    const state = new Int32Array(model.cells.length);
    // Locations are numbered in the order of the text.
    const places = [0, 1, 2].map(other => {
        state[second!] = other;
        return [0, 1, 2].map(code => pairs.mayJoin(first!, code, [second!], state));
    });
    expect(places).toEqual([
        [true, true, true],
        [true, true, true],
        [true, true, false],
    ]);
});
