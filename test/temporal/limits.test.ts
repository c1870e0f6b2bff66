/** A limit, at whatever place it comes, leaves a property undecided; slices of work make no difference. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { modelOf } from '../model-of-text.js';

const TEXT = readFileSync('models/peterson.orbit', 'utf8').replace('\nprocess P', '\nfair process P');
const HOLDS = 'property served = forall i in Proc: P[i] at setTurn leads to P[i] at critical';
const VIOLATED = 'property alone = exists i in Proc: eventually always !(P[i] at critical)';

async function analysisOf(property: string) {
    const model = await modelOf(`${TEXT}\n${property}\n`);
    return findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
}

const NOW: WorkLimit = { isExhausted: () => true };

test.each(['none', 'auto'] as const)('slices make no difference (%s)', async reduction => {
    for (const property of [HOLDS, VIOLATED]) {
        const analysis = await analysisOf(property);
        const options: ReducedExplorationOptions = { reduction, continueAfterViolation: true };
        const whole = startExploration(analysis, options, UNLIMITED).exploration;
        whole.advance(UNLIMITED);
        const sliced = startExploration(analysis, options, UNLIMITED).exploration;
        let slices = 0;
        while (!sliced.advance(NOW)) {
            slices++;
        }
        expect(slices).toBeGreaterThan(10);
        expect(sliced.result()).toEqual(whole.result());
        expect(whole.result().report?.verdict).toBe(property === HOLDS ? 'holds' : 'violated');
    }
});

test('a search that is stopped after any slice is undecided, and tells the limit', async () => {
    const analysis = await analysisOf(HOLDS);
    const begin = () =>
        startExploration(analysis, { reduction: 'auto', properties: ['served'] }, UNLIMITED).exploration;
    let slices = 0;
    let undecided = 0;
    const whole = begin();
    while (!whole.advance(NOW)) {
        slices++;
    }
    for (let stopAfter = 0; stopAfter < slices; stopAfter++) {
        const exploration = begin();
        for (let slice = 0; slice < stopAfter; slice++) {
            exploration.advance(NOW);
        }
        exploration.stop({ kind: 'time', value: 1 });
        while (!exploration.advance(NOW)) {
            // What is left is little.
        }
        const { report } = exploration.result();
        const [property] = report?.properties ?? [];
        expect(report?.verdict).toBe(property?.verdict);
        expect(report?.limit?.kind).toBe(property?.verdict === 'undecided' ? 'time' : undefined);
        undecided += property?.verdict === 'undecided' ? 1 : 0;
    }
    // What is searched for after the answer, whether it holds for nothing, takes the last slices.
    expect(undecided).toBeGreaterThan(10);
});

test.each([
    ['maxStates', { maxStates: 20 }, 'states'],
    ['maxMemoryBytes', { maxMemoryBytes: 20_000 }, 'memory'],
] as const)('%s leaves it undecided', async (_, limits, kind) => {
    const analysis = await analysisOf(HOLDS);
    for (const reduction of ['none', 'auto'] as const) {
        const { exploration } = startExploration(analysis, { reduction, properties: ['served'], ...limits }, UNLIMITED);
        exploration.advance(UNLIMITED);
        const { report } = exploration.result();
        expect([report?.verdict, report?.limit?.kind]).toEqual(['undecided', kind]);
    }
});
