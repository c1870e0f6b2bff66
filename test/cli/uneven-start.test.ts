/** What the commands say where the steps have more symmetries than the start: three pegs, and a tower on one of them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExploreDocument, SymmetryDocument, VerifyDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const files = {
    m: readFileSync('models/hanoi.orbit', 'utf8'),
    even: readFileSync('models/token-mutex.orbit', 'utf8'),
};

test('symmetry reports those of the model, and adds a line for those of the steps', async () => {
    const { stdout } = await orbit(['symmetry', 'm'], { files });
    expect(stdout).toContain('\nC2 · 2 symmetries\nS3 of the steps; the start keeps C2\n');
    const { stdout: json } = await orbit(['symmetry', 'm', '--json'], { files });
    const document = JSON.parse(json) as SymmetryDocument;
    expect(document).toMatchObject({
        order: '2',
        steps: { order: '6', structure: 'S3', explored: { order: '6', structure: 'S3' } },
    });
    const { stdout: even } = await orbit(['symmetry', 'even', '--json'], { files });
    expect(JSON.parse(even)).not.toHaveProperty('steps');
});

test('explore says that the start has moved, and which symmetries keep it', async () => {
    const { stdout } = await orbit(['explore', 'm'], { files });
    expect(stdout).toContain('S3, 6 symmetries (the start keeps 2), list\n');
    expect(stdout).toMatch(/ {2}depth +\d+ up to symmetry: a run may need more steps\n/);
    const reductionOf = async (...words: string[]): Promise<ExploreDocument['reduction']> =>
        (JSON.parse((await orbit(['explore', ...words, '--json'], { files })).stdout) as ExploreDocument).reduction;
    expect(await reductionOf('m')).toMatchObject({ order: '6', start: 'moved', startOrder: '2' });
    // All states are counted, so all of an orbit must be reached.
    expect(await reductionOf('m', '--coverage')).toMatchObject({ order: '2', start: 'kept', startOrder: '2' });
    expect(await reductionOf('even')).toMatchObject({ order: '4', start: 'kept', startOrder: '4' });
});

test('verify checks images of initial states for the symmetries of the model only', async () => {
    const outcome = await orbit(['verify', 'm', '--output', 'c.json'], { files });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toContain('\n  2  symmetries of the model keep deadlock\n');
    expect(outcome.stdout).toContain('\n  6  symmetries of the steps keep deadlock\n');
    const certificate = outcome.written.get('c.json') ?? '';
    const verify = async (text: string): Promise<VerifyDocument> => {
        const words = ['verify', 'm', '--json', '--certificate', 'c.json'];
        return JSON.parse((await orbit(words, { files: { ...files, 'c.json': text } })).stdout) as VerifyDocument;
    };
    expect(certificate).toContain('"start":"moved"');
    expect(await verify(certificate)).toMatchObject({ verdict: 'verified' });
    // As symmetries of the model they would have to keep the start.
    expect((await verify(certificate.replace(',"start":"moved"', ''))).refutations[0]).toMatchObject({
        kind: 'initial',
    });
});

test('a quotient of the state graph has the orbits that meet it', async () => {
    const { stdout } = await orbit(['export', 'm', '--to', 'json', '--reduction', 'unique'], { files });
    const { states } = JSON.parse(stdout) as { states: readonly { orbitSize: number }[] };
    // 27 states: the tower on one of three pegs, and six ways to give pegs to each of the four others.
    expect(states.map(({ orbitSize }) => orbitSize).sort()).toEqual([3, 6, 6, 6, 6]);
});
