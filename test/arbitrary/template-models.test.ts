/** What random models with templates are about, by the reference implementation. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { referenceResult } from '../reference/classes.js';
import { templateModels } from './template-models.js';

const MODELS = 80;
const CLASS_LIMIT = 300;

/** What must occur in several of them. */
const CONSTRUCTS: readonly RegExp[] = [
    /^process V\(/gm,
    /^process [WV]\(\)/gm,
    /^process [WV]\(\w+: [WV]\?/gm,
    /^process W\(.*bool\)/gm,
    /^process O\[i: /gm,
    /^var r\d: [WV]\? /gm,
    /^var r\d: [WV]\?\[0 \.\. 1\]/gm,
    /^var c\d: bool\[[WV]\]/gm,
    /^var c\d: [WV]\?\[[WV]\]/gm,
    /^var pair: bool\[W, W\]/gm,
    /^ {4}var \w+: [WV]\? = none/gm,
    /^ {4}var \w+: [WV]$/gm,
    /^channel ch\d: 0 of [WV]/gm,
    /^channel ch\d: [12] of [WV]/gm,
    /^channel ch\d\[[WV]\]: 0 of/gm,
    /^channel ch\d\[[WV]\]: [12] of/gm,
    /^channel .* of Pack/gm,
    /^event go\[W\]/gm,
    / := spawn [WV]\(/g,
    /[{;] spawn [WV]\(/g,
    /spawn .*spawn/g,
    /\? .*\{ .*spawn/g,
    /\balive\(/g,
    /\bin [WV]\b/g,
    /\b(self|r\d|b\d+) at l\d+/g,
    /\.[wv]2\b/g,
    /\bcount\(q/g,
    /\bforall q/g,
    /\bexists q/g,
    /:= \[n\d+ in/g,
    /\bchoose b\d+ in/g,
    /\bchoose b\d+ in .* where/g,
    / ! self/g,
    /\? ==/g,
    /\bwhile /g,
    /\bterminate;/g,
    /\bbreak;/g,
    /\bend l\d+:/g,
    /\bassert /g,
    /bye ! self;$/gm,
];

// The same models on every run, for counts are asserted.
const texts = fc.sample(templateModels(), { seed: 2009, numRuns: 300 });

test('all that the language says of templates is in random models', () => {
    const all = texts.join('\n');
    for (const construct of CONSTRUCTS) {
        expect(all.match(construct)?.length ?? 0, String(construct)).toBeGreaterThanOrEqual(3);
    }
});

test('instances are created, end, are held after their ends and created again, in models right and wrong', () => {
    const results = texts.slice(0, MODELS).map(text => referenceResult(text, CLASS_LIMIT));
    const bounded = results.filter(result => result !== undefined);
    expect(bounded.length / MODELS).toBeGreaterThan(0.8);
    const share = (holds: (result: (typeof bounded)[number]) => boolean): number =>
        bounded.filter(holds).length / bounded.length;
    expect(share(({ creations }) => creations > 0)).toBeGreaterThan(0.9);
    expect(share(({ ends }) => ends > 0)).toBeGreaterThan(0.45);
    expect(share(({ heldAfterEnd }) => heldAfterEnd > 0)).toBeGreaterThan(0.25);
    expect(share(({ createdAgain }) => createdAgain)).toBeGreaterThan(0.3);
    expect(share(({ mostLive }) => Object.values(mostLive).some(count => count > 1))).toBeGreaterThan(0.5);
    expect(share(({ classes }) => classes >= 10)).toBeGreaterThan(0.4);
    for (const wrong of ['faults', 'violatedInvariants', 'deadlocks'] as const) {
        const isWrong = (result: (typeof bounded)[number]): boolean =>
            wrong === 'deadlocks' ? result.deadlocks > 0 : result[wrong].length > 0;
        expect(share(isWrong), wrong).toBeGreaterThan(0.2);
        expect(share(isWrong), wrong).toBeLessThan(0.6);
    }
    expect(share(({ faults }) => faults.includes('index'))).toBeGreaterThan(0.05);
});

test('smaller models are texts', () => {
    const arbitrary = templateModels();
    const [text] = fc.sample(arbitrary, { seed: 2009, numRuns: 1 });
    const smaller = [...arbitrary.shrink(text!, undefined)].map(({ value }) => value);
    expect(smaller.length).toBeGreaterThan(10);
    expect(smaller.every(value => value.startsWith('model Random'))).toBe(true);
});
