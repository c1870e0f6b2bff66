/** Generated code against the canonicalizer, for groups that move members and constraints beside the cells. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { compiledSuccessors } from '../../engine/compiled-search/compiled-successors.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../../engine/temporal/marked-canonicalizer.js';
import { temporalSystemOf } from '../arbitrary/temporal-systems.js';
import { symmetriesOf } from './searches.js';

const SYSTEMS = 80;

test('successors come with the representatives of the canonicalizer', () => {
    let found = 0;
    let moved = 0;
    for (let seed = 0; seed < SYSTEMS; seed++) {
        const { model, graph } = temporalSystemOf(seed);
        for (const { members } of model.properties) {
            const group = symmetriesOf(model, members);
            const marked = new MarkedCanonicalizer(createCanonicalizer(literalGroup(group), {}), model.cells.length);
            const { markerCount } = marked;
            const compiled = compileModel(model, { canonicalizer: marked, markerCount, replacesAll: true });
            invariant(compiled.kind === 'compiled', 'small systems are compiled');
            const successors = compiledSuccessors(compiled);
            invariant(successors !== undefined, 'this host has WebAssembly');
            const expected = new Int32Array(model.cells.length);
            for (const state of graph.states) {
                const firings: string[] = [];
                successors.forEachFiring(state, {
                    fired: (summand, successor, representative) => {
                        firings.push(`${summand}: ${successor.join(' ')}`);
                        if (representative !== undefined) {
                            found++;
                            moved += representative.join() === successor.join() ? 0 : 1;
                            marked.canonicalizeInto(expected, successor);
                            expect([...representative]).toEqual([...expected]);
                        }
                        return true;
                    },
                    faulted: () => true,
                });
                const interpreted: string[] = [];
                interpretedSuccessors(model).forEachFiring(state, {
                    fired: (summand, successor) => interpreted.push(`${summand}: ${successor.join(' ')}`) > 0,
                    faulted: () => true,
                });
                expect(firings).toEqual(interpreted);
            }
        }
    }
    expect(found).toBeGreaterThan(1_000);
    expect(moved).toBeGreaterThan(300);
});
