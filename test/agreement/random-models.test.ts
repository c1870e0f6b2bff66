/** Random models mean the same to the product and to the reference (test/reference), which shares no code with it. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { models } from '../arbitrary/models.js';
import { drawsAll } from '../cases.js';
import { printModel } from '../reference/print.js';
import type { Comparison } from './compare.js';
import { compareAccepted, FirstFailure, ModelText, waysOf } from './random-models.js';
import { nameOf, type Way, WAYS } from './ways.js';

/** `npm run bench agreement` compares any number of them. */
const RANDOM_MODELS = drawsAll ? 54 : 20;

/** The choices that make a way: what is explored, by what, and whether in one go. */
const CHOICES: readonly ((way: Way) => string)[] = [
    ({ reduction, passes }) => `${reduction} ${passes}`,
    ({ execution, stores }) => `${execution} ${stores}`,
    ({ run }) => run,
];

/** What must occur in several of them. */
const CONSTRUCTS: readonly RegExp[] = [
    /^channel .*: 0 of/gm,
    /^channel .*: [12] of/gm,
    / ! /g,
    / \? /g,
    /\? \(/g,
    /\? ==/g,
    /\b(len|full|empty)\(/g,
    /channel of/g,
    /^record Slot/gm,
    /\[Slot\]/g,
    /\.(on|who|place|side)\b/g,
    /^function .* = /gm,
    /^function .* \{/gm,
    /\[m in Id: /g,
    /\[m in Id: any\]/g,
    /\bchoose t\d+ in/g,
    / where /g,
    /\bfor k\d+ in [^{]* where /g,
    /\bfor k\d+ in/g,
    /^procedure put_/gm,
    /^constraint /gm,
    /\bput_\w+\(\w+\[/g,
    /\blet t/g,
    /\{.*\bvar t/g,
    /\{.*\bwhile .*:=/g,
    /\bterminate;/g,
    /\bend l\d+:/g,
    /^init /gm,
    /\bin \{/g,
    /\b(xor|bitand|bitor|shl|shr|pow)\(/g,
    /\b(min|max)\(/g,
    /^const table/gm,
    /^param weights/gm,
    /^type Id = -1/gm,
    /^type Bit = -1/gm,
    /\[(Bit|Color)\]/g,
    /\bNode\b/g,
    /where side < limits/g,
    /^event \w+\[(Slot|Node|bool)/gm,
    /^invariant.*\b[PQR](\[[^\]]*\])?\.[pqr]\d/gm,
    /\b[PQ]\[(-?\d|anna|west|east)\] at/g,
    /^ {4}const /gm,
];

test(
    'random models mean the same to the product and to the reference, with and without reduction',
    { timeout: 480_000 },
    async () => {
        const agreed: Extract<Comparison, { kind: 'agreed' }>[] = [];
        const failure = new FirstFailure();
        await fc.assert(
            fc.asyncProperty(
                models().map(model => new ModelText(printModel(model))),
                async ({ text }) => {
                    const ways = waysOf(agreed.length);
                    const comparison = await failure.watch(() => compareAccepted(text, ways));
                    // Once something has failed, smaller models are tried in the same ways.
                    if (comparison.kind === 'agreed' && !failure.hasOccurred) {
                        agreed.push(comparison);
                    }
                    fc.pre(comparison.kind === 'agreed');
                },
            ),
            { numRuns: RANDOM_MODELS },
        );
        // Many of the models are symmetric, and many are wrong: without that the comparison would be worth little.
        expect(agreed.length).toBeGreaterThanOrEqual(RANDOM_MODELS);
        const share = (holds: (comparison: (typeof agreed)[number]) => boolean): number =>
            agreed.filter(holds).length / agreed.length;
        expect(share(({ exploredOrder }) => exploredOrder > 1n)).toBeGreaterThanOrEqual(0.3);
        expect(share(({ orbits, states }) => orbits < states)).toBeGreaterThanOrEqual(0.3);
        expect(share(({ violations }) => violations.size > 0)).toBeGreaterThanOrEqual(0.3);
        expect(share(({ passes }) => passes.statesOfAllPasses < passes.states)).toBeGreaterThanOrEqual(0.1);
        const done = agreed.flatMap(({ passes }) => passes.reports);
        for (const count of ['stepsDropped', 'variablesDropped', 'variablesReset', 'stepsMerged', 'bitsSaved']) {
            const doing = done.filter(report =>
                Object.entries(report).some(([name, n]) => name === count && Number(n) > 0),
            );
            expect(doing.length, count).toBeGreaterThanOrEqual(drawsAll ? 2 : 1);
        }
        const taken = agreed.flatMap(({ ways }) => ways);
        // All of the ways, or few with each choice among them.
        for (const name of drawsAll ? [nameOf] : CHOICES) {
            expect(new Set(taken.map(({ way }) => name(way)))).toEqual(new Set(WAYS.map(name)));
        }
        const shareOfWays = (holds: (one: (typeof taken)[number]) => boolean, worth: typeof holds): number =>
            taken.filter(one => holds(one) && worth(one)).length / taken.filter(holds).length;
        expect(
            shareOfWays(
                // The engine, in one thread, finds most local representatives; a continued search may share nothing.
                ({ way }) => way.execution.startsWith('threads') && way.reduction !== 'local' && way.run === 'at once',
                ({ threads }) => threads === 2,
            ),
        ).toBeGreaterThan(0.9);
        expect(
            shareOfWays(
                ({ way }) => way.run === 'in pieces',
                ({ pieces }) => pieces > 1,
            ),
        ).toBeGreaterThan(0.8);
    },
);

test('all of the language is in random models', () => {
    // The same models on every run, for counts are asserted.
    const texts = fc.sample(models(), { seed: 2013, numRuns: 300 }).map(printModel).join('\n');
    for (const construct of CONSTRUCTS) {
        expect(texts.match(construct)?.length ?? 0, String(construct)).toBeGreaterThanOrEqual(3);
    }
});
