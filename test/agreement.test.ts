/** The product against the reference implementation (test/reference), which shares no code with it. */
// @module-tag long
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compare, type Comparison, type ReferenceParameter } from './agreement/compare.js';
import { threadPool } from './agreement/thread-pool.js';
import { nameOf, WAYS, type Way } from './agreement/ways.js';
import { models, modelsWithAlikeInvariants } from './arbitrary/models.js';
import { printModel } from './reference/print.js';

/** Random models with more states than this are passed over. */
const STATE_LIMIT = 200;

/** `npm run bench agreement` compares any number of them. */
const RANDOM_MODELS = 54;

/** The same with invariants that symmetries exchange; `npm run bench agreement -- --alike` compares any number of them. */
const ALIKE_MODELS = 24;

/** Ways in which one model is explored; the next ones are for the next model, until each has occurred. */
const WAYS_AT_ONCE = 3;

const workers = threadPool(2);

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
            expect(doing.length, count).toBeGreaterThanOrEqual(2);
        }
        const taken = agreed.flatMap(({ ways }) => ways);
        expect(new Set(taken.map(({ way }) => nameOf(way)))).toEqual(new Set(WAYS.map(nameOf)));
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

test(
    'random models with alike invariants mean the same with the symmetries that keep their set',
    { timeout: 480_000 },
    async () => {
        const agreed: Extract<Comparison, { kind: 'agreed' }>[] = [];
        const failure = new FirstFailure();
        await fc.assert(
            fc.asyncProperty(
                modelsWithAlikeInvariants().map(model => new ModelText(printModel(model))),
                async ({ text }) => {
                    const ways = waysOf(agreed.length).slice(0, 1);
                    const comparison = await failure.watch(() => compareAccepted(text, ways));
                    if (comparison.kind === 'agreed' && !failure.hasOccurred) {
                        agreed.push(comparison);
                    }
                    fc.pre(comparison.kind === 'agreed');
                },
            ),
            { numRuns: ALIKE_MODELS },
        );
        const withSets = agreed.filter(({ alike }) => alike.length > 0);
        expect(withSets.length).toBeGreaterThanOrEqual(ALIKE_MODELS / 6);
        const isViolated = ({ alike, violations }: (typeof agreed)[number]): boolean =>
            alike.flat().some(name => violations.has(`invariant ${name}`));
        expect(withSets.filter(isViolated).length).toBeGreaterThanOrEqual(ALIKE_MODELS / 15);
    },
);

test('all of the language is in random models', () => {
    // The same models on every run, for counts are asserted.
    const texts = fc.sample(models(), { seed: 2013, numRuns: 300 }).map(printModel).join('\n');
    for (const construct of CONSTRUCTS) {
        expect(texts.match(construct)?.length ?? 0, String(construct)).toBeGreaterThanOrEqual(3);
    }
});

/** Of the model with this number: neighbors differ in how they search, and share what they are compared with. */
function waysOf(model: number): readonly Way[] {
    return Array.from({ length: WAYS_AT_ONCE }, (_, index) => WAYS[(model * WAYS_AT_ONCE + index) % WAYS.length]!);
}

/** The generator makes right models only, so a model that is rejected is a difference too: but for proven races. */
async function compareAccepted(text: string, ways: readonly Way[]): Promise<Comparison> {
    const comparison = await compare(text, STATE_LIMIT, { ways, workers });
    if (comparison.kind === 'rejected' && comparison.problems.some(({ code }) => code !== 'event/race')) {
        throw new Error(`a model that should be right is rejected: ${comparison.problems[0]?.message ?? ''}`);
    }
    return comparison;
}

class ModelText {
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }

    [fc.toStringMethod](): string {
        return `\n${this.text}`;
    }
}

/** Keeps shrinking to the first failure: a smaller model that fails for another reason, or is none, is passed over. */
class FirstFailure {
    private kind: string | undefined;

    get hasOccurred(): boolean {
        return this.kind !== undefined;
    }

    async watch<T>(run: () => Promise<T>): Promise<T> {
        try {
            return await run();
        } catch (error) {
            this.pass(error as Error);
            throw error;
        }
    }

    private pass(error: Error): void {
        // Names and numbers in a message change from model to model.
        const kind = `${error.name} ${error.message.split(/[\d'`]/)[0]!}`;
        this.kind ??= kind;
        fc.pre(kind === this.kind);
    }
}

const PUBLISHED: readonly (readonly [name: string, parameters: Record<string, ReferenceParameter>])[] = [
    ['token-ring', { N: 3 }],
    ['dining-philosophers', { N: 4 }],
    ['peterson', { N: 3 }],
    ['semaphore-mutex', { N: 4 }],
    ['readers-writers', { R: 2, W: 1 }],
    ['hanoi', { N: 4 }],
    ['three-tier-rendezvous', { clients: [2, 2, 1] }],
    ['hypercube', {}],
    ['two-phase-commit', {}],
    ['alternating-bit', {}],
    ['mcs-lock', { N: 2 }],
    ['resource-allocator', { clients: [2, 1] }],
    ['social-golfer', {}],
];

test.each(PUBLISHED)('%s with %o means the same to both', async (name, parameters) => {
    const text = readFileSync(new URL(`../models/${name}.orbit`, import.meta.url), 'utf8');
    const comparison = await compare(text, 5000, { parameters, ways: waysOf(0), workers });
    expect(comparison.kind).toBe('agreed');
});

/** Texts that made a difference once, and one for each construct of the language with what is particular about it. */
const WRITTEN = ['regressions/', 'agreement/constructs/'].flatMap(folder => {
    const url = new URL(folder, import.meta.url);
    return readdirSync(url)
        .filter(file => file.endsWith('.orbit'))
        .map(file => [file, new URL(file, url)] as const);
});

test.each(WRITTEN)('%s means the same to both', async (_, url) => {
    const comparison = await compare(readFileSync(url, 'utf8'), 5000, { ways: waysOf(0), workers });
    expect(comparison.kind).toBe('agreed');
});
