/** Generated code means what the interpreter means, whatever the expressions and statements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { compiledSuccessors } from '../../engine/compiled-search/compiled-successors.js';
import { interpretedSuccessors, type Successors } from '../../engine/explore/successors.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { randomSequentialModel, randomState } from '../arbitrary/sequential-models.js';

interface Outcomes {
    readonly texts: string[];
    readonly faults: string[];
}

/** Temporaries hold no value once a step is done, whatever a model leaves in them. */
function outcomesOf(successors: Successors, state: Int32Array, { cells }: SequentialModel): Outcomes {
    const texts: string[] = [];
    const faults: string[] = [];
    successors.forEachFiring(state, {
        fired: (summand, successor) => {
            const values = successor.map((code, cell) => (cells[cell]?.kind === 'temporary' ? -1 : code));
            return texts.push(`${String(summand)}: ${values.join(' ')}`) > 0;
        },
        faulted: (summand, { kind, range }) => {
            faults.push(kind);
            return texts.push(`${String(summand)}: ${kind} in line ${String(range.start.line)}`) > 0;
        },
    });
    return { texts, faults };
}

test('compiled and interpreted firings are the same', () => {
    const faults = new Set<string>();
    let fired = 0;
    fc.assert(
        fc.property(fc.gen(), g => {
            const model = randomSequentialModel(g);
            const compiled = compileModel(model);
            invariant(compiled.kind === 'compiled', 'these expressions are small');
            const successors = compiledSuccessors(compiled);
            invariant(successors !== undefined, 'this host has WebAssembly');
            const reference = interpretedSuccessors(model);
            for (let count = 0; count < 20; count++) {
                const state = randomState(g, model);
                const expected = outcomesOf(reference, state, model);
                const actual = outcomesOf(successors, state, model);
                if (actual.texts.join() !== expected.texts.join()) {
                    expect(actual.texts, `${state.join()}\n${printSequentialModel(model)}`).toEqual(expected.texts);
                }
                fired += expected.texts.length - expected.faults.length;
                expected.faults.forEach(kind => faults.add(kind));
            }
        }),
        { numRuns: 250, endOnFailure: true },
    );
    expect(fired).toBeGreaterThan(300);
    expect([...faults].sort()).toEqual(['assert', 'division', 'endless', 'index', 'overflow', 'range', 'undefined']);
});
