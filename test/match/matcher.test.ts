/** What is kept of candidates that come to be one. */
import { expect, test } from 'vitest';
import { NO_FOLDING } from '../../engine/match/folding.js';
import { Ground } from '../../engine/match/ground.js';
import { LogNames, NO_SETTINGS } from '../../engine/match/log-names.js';
import { Matcher } from '../../engine/match/matcher.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { modelOf } from '../model-of-text.js';

test('candidates that are the same once their names have ended have the explanations of both', async () => {
    const model = await modelOf(`var ok: bool = true
        process P { loop { step: ok := !ok } }
        invariant fine = ok`);
    const { sequential } = linearize(model);
    const names = new LogNames(model, NO_SETTINGS);
    const matcher = new Matcher(new Ground(model, sequential!, names, new Set(), NO_FOLDING), 100);
    const { passed } = matcher;
    const state = new Int32Array(sequential!.cells.length);
    const violating = passed.after(passed.none, 1n);
    for (const [first, second] of [
        [violating, passed.none],
        [passed.none, violating],
    ] as const) {
        matcher.beginFrom([
            { state, bindings: [], passed: first, origin: 0 },
            { state, bindings: [], passed: second, origin: 1 },
        ]);
        const explained = matcher.behindHidden()?.map(candidate => passed.get(candidate.passed));
        expect(explained).toEqual([{ violations: 1n, clean: 1n }]);
    }
});
