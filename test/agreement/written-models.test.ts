/** Published models, and texts for each construct of the language, mean the same to the product and to the reference. */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawsAll } from '../cases.js';
import { compare, type ReferenceParameter } from './compare.js';
import { waysOf, workers } from './random-models.js';

/** Few of them: the interpreter. */
const WAYS = drawsAll ? waysOf(0) : waysOf(0).slice(0, 1);

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
    const text = readFileSync(new URL(`../../models/${name}.orbit`, import.meta.url), 'utf8');
    const comparison = await compare(text, 5000, { parameters, ways: WAYS, workers });
    expect(comparison.kind).toBe('agreed');
});

/** Texts that made a difference once, and one for each construct of the language with what is particular about it. */
const WRITTEN = ['../regressions/', 'constructs/'].flatMap(folder => {
    const url = new URL(folder, import.meta.url);
    return readdirSync(url)
        .filter(file => file.endsWith('.orbit'))
        .map(file => [file, new URL(file, url)] as const);
});

test.each(WRITTEN)('%s means the same to both', async (_, url) => {
    const comparison = await compare(readFileSync(url, 'utf8'), 5000, { ways: WAYS, workers });
    expect(comparison.kind).toBe('agreed');
});
