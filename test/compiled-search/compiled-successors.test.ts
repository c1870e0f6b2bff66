import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { compiledSuccessors } from '../../engine/compiled-search/compiled-successors.js';
import { webAssembly } from '../../engine/webassembly/host.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors, type Successors } from '../../engine/explore/successors.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { linearModels } from '../arbitrary/linear-models.js';

function firingsOf(successors: Successors, state: Int32Array): { texts: string[]; states: Int32Array[] } {
    const texts: string[] = [];
    const states: Int32Array[] = [];
    successors.forEachFiring(state, {
        fired: (summand, successor) => {
            states.push(successor.slice());
            return texts.push(`${String(summand)}: ${successor.join(' ')}`) > 0;
        },
        faulted: (summand, { kind, range }) => texts.push(`${String(summand)}: ${kind} ${JSON.stringify(range)}`) > 0,
    });
    return { texts, states };
}

/** Compares the firings of up to `limit` reachable states; how many there were. */
function compareFirings(model: SequentialModel, limit: number): number {
    const compiled = compileModel(model);
    if (compiled.kind === 'interpreted') {
        // Expressions that share parts may stand for trees that are too large.
        expect(compiled.reason).toBe('an expression is too large');
        return 0;
    }
    expect(webAssembly()?.validate(compiled.bytes)).toBe(true);
    const successors = compiledSuccessors(compiled);
    invariant(successors !== undefined, 'this host has WebAssembly');
    const reference = interpretedSuccessors(model);
    const initial = new InitialStates(model);
    const queue: Int32Array[] = [];
    const seen = new Set<string>();
    const add = (state: Int32Array): void => {
        const key = state.join();
        if (!seen.has(key) && seen.size < limit) {
            seen.add(key);
            queue.push(state.slice());
        }
    };
    const state = new Int32Array(model.cells.length);
    while (queue.length < limit / 2 && initial.nextInto(state)) {
        add(state);
    }
    for (const next of queue) {
        const expected = firingsOf(reference, next);
        const actual = firingsOf(successors, next);
        if (expected.texts.join() !== actual.texts.join()) {
            expect(actual.texts, `${next.join()}\n${printSequentialModel(model)}`).toEqual(expected.texts);
        }
        expected.states.forEach(add);
    }
    return queue.length;
}

test('compiled successors are those of the interpreter on random models', async () => {
    let compared = 0;
    await fc.assert(
        fc.asyncProperty(linearModels(), async load => {
            const sequential = await load();
            if (sequential !== undefined) {
                compared += compareFirings(sequential, 100);
            }
        }),
        { numRuns: 24, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(240);
});
