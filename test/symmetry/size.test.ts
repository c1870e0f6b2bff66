/** How large graphs get: linear in the model where the published tables are not, and never too large to be answered. */
// @module-tag long
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariant } from '../../engine/common/assert.js';
import { createWorkLimit, UNLIMITED } from '../../engine/common/work-limit.js';
import { analyze, type SymmetryAnalysis } from '../../engine/pipeline.js';
import { modelOf } from '../model-of-text.js';

async function analysisOf(
    text: string,
    parameters: Readonly<Record<string, number>> = {},
    workLimit = UNLIMITED,
): Promise<SymmetryAnalysis> {
    const { symmetry } = analyze(await modelOf(text, parameters), { now: () => 0, workLimit, explain: false });
    invariant(symmetry !== undefined, 'a model without errors has symmetries');
    return symmetry;
}

function modelText(name: string): string {
    return readFileSync(join(import.meta.dirname, `../../models/${name}.orbit`), 'utf8');
}

describe('graphs', () => {
    // A prototype had 23N + 1 vertices for philosophers (1086 for N = 20) and 25N for the ring [Zhang et al.].
    test.each([
        ['dining-philosophers', 10, 231],
        ['dining-philosophers', 20, 461],
        ['token-ring', 5, 126],
        ['token-ring', 10, 251],
        ['token-ring', 20, 501],
    ])('the one of %s for N = %i has %i vertices', async (name, N, vertices) => {
        const { report } = await analysisOf(modelText(name), { N });
        expect(report.graph.vertices).toBe(vertices);
    });

    test('the one of Peterson is smaller than the published one', async () => {
        // Zhang et al., ASE 2013, Table I: 2311 vertices for 9 processes, 4207 for 12.
        expect((await analysisOf(modelText('peterson'), { N: 9 })).report.graph.vertices).toBeLessThan(2311);
        expect((await analysisOf(modelText('peterson'), { N: 12 })).report.graph.vertices).toBeLessThan(4207);
    });
});

/** A clock that ticks with the questions. */
function shortLimit() {
    let now = 0;
    return createWorkLimit({ now: () => now++, budgetMilliseconds: 500 });
}

describe('what is too large is left alone, at once', () => {
    test.each([
        ['a domain', 'var x: 0 .. 1000000000 = 0', 'x < 1000000000', 'x := x + 1'],
        ['two domains in one guard', 'var x: 0 .. 9999 = 0\nvar y: 0 .. 9999 = any', 'x < y', 'x := x + 1'],
        ['an array', 'var x: 0 .. 3[0 .. 4999] = 0\nvar y: 0 .. 4999 = any', 'x[y] < 3', 'x[y] := x[y] + 1; y := y'],
        ['an array of indices', 'var x: 0 .. 999[0 .. 999] = any', 'x[x[x[0]]] < 5', 'x[x[1]] := x[2]'],
        ['a product', 'var x: 0 .. 4000 = any\nvar y: 0 .. 4000 = any', 'x * y > 5', 'x := (x * y) mod 4001'],
    ])('%s', { timeout: 60_000 }, async (_, variables, guard, body) => {
        const text = `
model Large
type Id = 0 .. 2
${variables}
var done: bool[Id] = false
process Large { loop { when ${guard} { ${body} } } }
process P[i: Id] { when !done[i] { done[i] := true } }
`;
        const { group, report } = await analysisOf(text, {}, shortLimit());
        // The three small processes are alike, whatever the large one does; a group that is not all may be smaller.
        expect(report.verified || !report.complete).toBe(true);
        const small = report.families.find(({ name }) => name === 'P');
        expect(group.complete ? small?.structure : 'S3').toBe('S3');
    });
});
