/** The search for a run to show asks its limit between two lines, too. */
import { expect, test } from 'vitest';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { LogCheck } from '../../engine/match/log-check.js';
import { NO_SETTINGS } from '../../engine/match/log-names.js';
import { PLAIN_VOCABULARY } from '../../engine/match/observation.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { modelOf } from '../model-of-text.js';

test('the limit ends the search through hidden steps', async () => {
    const model = await modelOf(
        `model M
         type Id = 1 .. 6
         var n: 0 .. 6 = 0
         process P[i: Id] { a: n := n + 1 }
         process Q { done: when n == 6 { skip } }`,
    );
    const settings = {
        vocabulary: PLAIN_VOCABULARY,
        names: NO_SETTINGS,
        hides: new Set(['a']),
        maxCandidates: 100_000,
    };
    const check = new LogCheck(
        model,
        linearize(model).sequential!,
        settings,
        foldingOf(() => UNLIMITED),
        () => undefined,
    );
    check.take(1, { step: 'done' });
    expect(check.run(10, withinQuestions(UNLIMITED, 2))).toBeUndefined();
    expect(check.run(10)?.trace).toHaveLength(8);
});
