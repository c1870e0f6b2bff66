/** Models with numbers without end on the command line: what is said of them, certificates, and what is refused in words. */
import { expect, test } from 'vitest';
import type { ExploreDocument, VerifyDocument } from '../../language-server/document-schema.js';
import { inStep, TICKET } from '../numbers/texts.js';
import { orbit } from './in-process.js';

const files = { m: TICKET };

test('a verdict is for all numbers, with what was kept of them', async () => {
    const { stdout, exitCode } = await orbit(['explore', 'm'], { files });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('holds: no deadlock, mutex hold in 7 orbits, for all numbers\n');
    expect(stdout).toMatch(/^ {2}states +7 \(one for each orbit\) · exact$/m);
    expect(stdout).toMatch(
        /^ {2}numbers +next, serving, P\.mine: at most 4 different at once; distances from 2 on are one$/m,
    );
    const { stdout: json } = await orbit(['explore', 'm', '--json'], { files });
    const { numbers, stepsExact } = JSON.parse(json) as ExploreDocument;
    expect(numbers).toMatchObject([{ mostDifferent: 4, kept: 2, exact: true, depends: [] }]);
    expect(stepsExact).toBe(true);
});

test('nothing is told of cells that are never compared, unless there are no others', async () => {
    const m = `
        var heard: nat[1 .. 2, 1 .. 2] = 0
        process P { loop { up: when heard[1, 2] == heard[2, 1] { heard[1, 2] := heard[1, 2] + 1 } } }
        allow deadlock`;
    const { stdout } = await orbit(['explore', 'm'], { files: { m } });
    expect(stdout.match(/^ {2}numbers .*/gm)).toEqual([
        '  numbers      heard: at most 2 different at once; distances from 1 on are one',
    ]);
    const alone = 'var x: nat = 0 process P { loop { x := x + 1 } }';
    expect((await orbit(['explore', 'm'], { files: { m: alone } })).stdout).toMatch(/^ {2}numbers +x: at most/m);
});

test('a violation that is not real is undecided, with the run that goes farthest', async () => {
    const { stdout, exitCode } = await orbit(['explore', 'm'], { files: { m: inStep('look: assert y == c') } });
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^undecided: no run is known for what was found/m);
    expect(stdout).toContain('\nThe run that goes farthest\n');
});

test('whether the states are exact is not said where a limit has ended the search', async () => {
    const { stdout } = await orbit(['explore', 'm', '--max-states', '3'], { files });
    expect(stdout).toMatch(/^undecided/m);
    expect(stdout).not.toMatch(/exact|may not be real/);
    const { stdout: json } = await orbit(['explore', 'm', '--json', '--max-states', '3'], { files });
    const document = JSON.parse(json) as ExploreDocument;
    expect(document).not.toHaveProperty('stepsExact');
    expect(document.numbers?.[0]).not.toHaveProperty('exact');
});

test('a search that begins again with more codes is counted', async () => {
    // Each number is at most two above the one before, so the last one reaches 12, and a step needs 12 codes, up to 11.
    const m = `
        var a: nat[0 .. 6] = 0
        process P[i: 0 .. 5] { loop { up: when a[i + 1] < a[i] + 2 { a[i + 1] := a[i + 1] + 1 } } }
        allow deadlock`;
    const { stdout } = await orbit(['explore', 'm', '--json'], { files: { m } });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'holds', growthRounds: 2, numbers: [{ kept: 3, codes: 24 }] });
});

test('symmetries are verified on states with the numbers that they need, and so is their certificate', async () => {
    const found = await orbit(['verify', 'm', '--output', 'c', '--json'], { files });
    expect([found.exitCode, found.stderr]).toEqual([0, '']);
    const document = JSON.parse(found.stdout) as VerifyDocument;
    expect(document).toMatchObject({ verdict: 'verified', exhaustive: true, groups: [{ order: '6' }] });
    const { stdout } = await orbit(['verify', 'm'], { files });
    expect(stdout).toContain(`states that can be reached with numbers up to ${document.numbersUpTo}\n`);
    const c = found.written.get('c') ?? '';
    const checked = await orbit(['verify', 'm', '--certificate', 'c'], { files: { ...files, c } });
    expect([checked.exitCode, checked.stderr]).toEqual([0, '']);
    // The exchange of the numbers that are drawn and served is no symmetry.
    const certificate = JSON.parse(c) as { generators: (readonly [number, number])[][]; literals: string[] };
    const codes = certificate.literals.flatMap(name => (name.startsWith('next=') ? [name.slice('next='.length)] : []));
    certificate.generators[0] = codes.flatMap(code => {
        const drawn = certificate.literals.indexOf(`next=${code}`);
        const served = certificate.literals.indexOf(`serving=${code}`);
        return [[drawn, served] as const, [served, drawn] as const];
    });
    const other = JSON.stringify(certificate);
    const refuted = await orbit(['verify', 'm', '--certificate', 'c'], { files: { ...files, c: other } });
    expect(refuted.exitCode).toBe(1);
});

test('more distances may be kept from the start', async () => {
    const { stdout } = await orbit(['explore', 'm', '--json', '--distances', '5'], { files });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'holds', growthRounds: 1, numbers: [{ kept: 6 }] });
    const { exitCode, stderr } = await orbit(['explore', 'm', '--distances', '201'], { files });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('up to 200')]);
    const other = await orbit(['explore', 'm', '--distances', '5'], { files: { m: 'process P { skip }' } });
    expect([other.exitCode, other.stderr]).toEqual([
        2,
        expect.stringContaining('the model has no numbers without end'),
    ]);
});

test.each([
    ['explore m --param N=all', 'every/not-narrow'],
    ['explore m --reduction local', '`--reduction local` cannot be used yet'],
    ['explore m --coverage', '`--coverage` cannot be used yet'],
    ['explore m --passes cone', '`--passes` cannot be used yet'],
    ['explore m --checkpoint c', '`--checkpoint` cannot be used yet'],
    ['expand m', 'single states are not expanded'],
    ['export m --to dot', 'its state graph has no end'],
    ['verify m --param N=all', 'every/not-narrow'],
])('%s is refused, with the way out', async (words, message) => {
    const { exitCode, stderr } = await orbit(words.split(' '), { files });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('`0 .. 9`');
});
