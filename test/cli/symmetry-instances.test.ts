/** The symmetries of models whose instances are created, in the commands that find and check them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SymmetryDocument, VerifyDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

const SESSIONS = `${readFileSync('models/sessions.orbit', 'utf8')}\nassert symmetric Handler\n`;

function run(...words: string[]): Promise<Outcome> {
    const [command = '', ...options] = words;
    return orbit([command, 'm', ...options], { files: { m: SESSIONS } });
}

async function symmetries(...words: string[]): Promise<SymmetryDocument> {
    return JSON.parse((await run('symmetry', '--json', ...words)).stdout) as SymmetryDocument;
}

test('instances are interchangeable, and the order without them is told', async () => {
    const document = await symmetries();
    expect(
        document.templates?.map(({ createdAt, ...template }) => ({ ...template, places: createdAt.length })),
    ).toEqual([
        { name: 'Handler', slots: 3, interchangeable: true, places: 1 },
        { name: 'Leap', slots: 3, interchangeable: true, places: 1 },
    ]);
    // The two servers, and three slots of each of two templates: 2! * 3! * 3!.
    expect([document.order, document.staticOrder]).toEqual(['72', '2']);
    expect(document.assertions.map(({ text, verdict }) => [text, verdict])).toEqual([
        ['assert symmetric Handler', 'holds'],
    ]);
});

test('other numbers of instances change the whole, and not the order without them', async () => {
    const { order, staticOrder, templates } = await symmetries('--instances', 'Handler=4', '--instances', 'Leap=2');
    expect([order, staticOrder, templates?.map(({ slots }) => slots)]).toEqual(['96', '2', [4, 2]]);
});

test('the text says it for any number of instances', async () => {
    const { stdout, exitCode } = await run('symmetry');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 Main interchangeable, all Handler interchangeable, all Leap interchangeable\n');
    expect(stdout).toContain('72 symmetries, 2 without those of instances\n');
    expect(stdout).toContain(
        'Handler: created in 1 place, the instances of Handler are interchangeable, however many there are\n',
    );
    // How many states there are depends on how many instances are considered.
    expect(stdout).not.toContain('potential states');
});

test.each(['Main=2', 'Nobody=2'])('`--instances %s` names no template', async given => {
    const { stderr, exitCode } = await run('symmetry', '--instances', given);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('there are Handler, Leap')]);
});

test.each(['Handler', 'Handler=0', 'Handler=65', 'Handler=x'])(
    '`--instances %s` is no number of instances',
    async given => {
        const { stderr, exitCode } = await run('symmetry', '--instances', given);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Write it as NAME=COUNT')]);
    },
);

test('a certificate names the templates, and is checked with as many instances', async () => {
    const { written, stdout, exitCode } = await run('verify', '--output', 'c', '--instances', 'Handler=2');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Handler: instances are interchangeable, however many there are\n');
    const certificate = written.get('c') ?? '';
    expect((JSON.parse(certificate) as { readonly templates: unknown }).templates).toEqual([
        { name: 'Handler', slots: 2, interchangeable: true },
        { name: 'Leap', slots: 3, interchangeable: true },
    ]);
    const check = (...words: string[]): Promise<Outcome> =>
        orbit(['verify', 'm', '--json', '--certificate', 'c', ...words], { files: { m: SESSIONS, c: certificate } });
    const verified = JSON.parse((await check('--instances', 'Handler=2')).stdout) as VerifyDocument;
    expect([verified.verdict, verified.templates?.map(({ interchangeable }) => interchangeable)]).toEqual([
        'verified',
        [true, true],
    ]);
    expect((await check()).exitCode).toBe(2);
});
