/** `orbit verify`: what is detected is confirmed, certificates are checked, and whoever changes one is found out. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { VerifyDocument } from '../../language-server/document-schema.js';
import { type Outcome, orbit } from './in-process.js';

const source = (name: string): string => readFileSync(`models/${name}.orbit`, 'utf8');

const documentOf = ({ stdout }: Outcome): VerifyDocument => JSON.parse(stdout) as VerifyDocument;

interface Certificate {
    model: string;
    params: Record<string, number>;
    literals: string[];
    graph: { vertices: number; edges: number; digest: string };
    generators: [number, number][][];
    groups: { properties: string[]; order: string; generators: number[] }[];
}

async function certificateOf(text: string, ...words: string[]): Promise<Certificate> {
    const outcome = await orbit(['verify', 'm', '--output', 'c.json', ...words], { files: { m: text } });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    return JSON.parse(outcome.written.get('c.json') ?? '') as Certificate;
}

const check = (text: string, certificate: unknown, ...words: string[]): Promise<Outcome> =>
    orbit(['verify', 'm', '--certificate', 'c.json', ...words], {
        files: { m: text, 'c.json': typeof certificate === 'string' ? certificate : JSON.stringify(certificate) },
    });

// The orders are those of test/cli/symmetry.test.ts, the counts of states those of models/README.md.
test.each([
    ['peterson', 'N=3', '6', true],
    ['peterson', 'N=5', '120', false],
    ['token-ring', 'N=3', '6', true],
    ['dining-philosophers', 'N=5', '5', true],
    ['hanoi', 'N=4', '2', true],
    ['readers-writers', 'R=2', '2', true],
    ['semaphore-mutex', 'N=4', '24', true],
])('what is detected in %s with %s is confirmed', async (name, parameter, order, exhaustive) => {
    const outcome = await orbit(['verify', 'm', '--json', '--param', parameter], { files: { m: source(name) } });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    const document = documentOf(outcome);
    expect(document).toMatchObject({ verdict: 'verified', exhaustive, ordersChecked: true, complete: true });
    expect(document.groups[0]?.order).toBe(order);
    expect(document.refutations).toEqual([]);
});

test('all states are tried where there are few', async () => {
    const files = { m: source('semaphore-mutex') };
    const outcome = await orbit(['verify', 'm', '--param', 'N=3'], { files });
    const explored = await orbit(['explore', 'm', '--param', 'N=3', '--reduction', 'none', '--json'], { files });
    const { states } = JSON.parse(explored.stdout) as { states: number };
    expect(outcome.stdout).toContain(`on all ${states} states that can be reached\n`);
    expect(outcome.stdout).toContain('\n  6  symmetries of the model keep deadlock, mutex\n');
});

test('the time limit holds while an initial state is searched for', async () => {
    // Fourteen birds in thirteen holes: that there is no initial state takes longer to see than anyone waits.
    const text = `
        type Hole = 1 .. 13
        type Bird = 0 .. 13
        var hole: Hole[Bird] = any
        init forall a in Bird, b in Bird: a == b || hole[a] != hole[b]
        process P { loop { hole[0] := hole[1] } }`;
    const outcome = await orbit(['verify', 'm', '--json', '--timeout', '0.2'], { files: { m: text } });
    expect(outcome).toMatchObject({ exitCode: 3, stderr: '' });
    expect(documentOf(outcome)).toMatchObject({ verdict: 'undecided', states: 0, refutations: [] });
});

test('a property with a smaller group is a claim of its own', async () => {
    const text = `${source('semaphore-mutex')}\ninvariant first = !(P[1] at leave)\n`;
    const { groups } = await certificateOf(text, '--param', 'N=3');
    expect(groups).toMatchObject([
        { properties: ['deadlock', 'mutex'], order: '6' },
        { properties: ['first'], order: '2' },
        { properties: ['deadlock', 'mutex', 'first'], order: '2' },
    ]);
});

test('without time nothing is decided', async () => {
    const files = { m: source('peterson') };
    const outcome = await orbit(['verify', 'm', '--json', '--timeout', '0.000001'], { files });
    expect(outcome.exitCode).toBe(3);
    expect(documentOf(outcome).verdict).toBe('undecided');
});

test('a model without an initial state cannot be run', async () => {
    const text = 'model M\nvar x: 0 .. 3 = 3\nvar y: 0 .. 3 = x + 1\nprocess P { loop { s: { x := 0 } } }';
    const outcome = await orbit(['verify', 'm'], { files: { m: text } });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('m:3:17: error: the initial value `4` of');
});

describe('a certificate', () => {
    const text = source('semaphore-mutex');

    test('is confirmed by the model that it is about, without a search', async () => {
        const outcome = await check(text, await certificateOf(text), '--json');
        expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
        expect(documentOf(outcome)).toMatchObject({ verdict: 'verified' });
        expect(documentOf(outcome).complete).toBeUndefined();
    });

    test('names literals, and the graph that an export writes', async () => {
        const { literals, graph, params } = await certificateOf(text, '--param', 'N=3');
        expect(params).toEqual({ N: 3 });
        expect(literals).toContain('P[1].at=leave');
        const words = ['export', 'm', '--to', 'graph-dimacs', '--param', 'N=3'];
        const { stdout } = await orbit(words, { files: { m: text } });
        expect(graph.digest).toBe(`sha256:${createHash('sha256').update(stdout).digest('hex')}`);
    });

    test('is written only where everything was verified, and not of itself', async () => {
        const words = ['verify', 'm', '--output', 'c.json', '--timeout', '0.000001'];
        expect((await orbit(words, { files: { m: text } })).written.size).toBe(0);
        const both = await orbit(['verify', 'm', '--output', 'c', '--certificate', 'd'], { files: { m: text } });
        expect(both).toMatchObject({ exitCode: 2, stdout: '' });
    });

    const changed = (change: (certificate: Certificate) => void) => async () => {
        const certificate = await certificateOf(text, '--param', 'N=3');
        change(certificate);
        return check(text, certificate, '--param', 'N=3');
    };

    test.each<[string, () => Promise<Outcome>, string]>([
        ['that is no JSON', () => check(text, '{'), 'is no certificate'],
        ['that is other JSON', () => check(text, [1]), 'is no certificate'],
        ['of another model', changed(c => (c.model = 'Other')), "it is about 'Other', not 'SemaphoreMutex'"],
        ['for other parameters', changed(c => (c.params = { N: 4 })), 'other parameters: {"N":4}, not {"N":3}'],
        ['with another literal', changed(c => (c.literals[0] = 'x=1')), "number 0 is 'x=1', not '"],
        ['with a literal too many', changed(c => c.literals.push('x=1')), 'has other literals'],
        ['with another graph', changed(c => (c.graph.digest = 'sha256:0')), 'the model has changed'],
        ['with a point that is none', changed(c => c.generators[0]?.push([99, 99])), 'malformed generator 0'],
        ['with a point twice', changed(c => c.generators[0]?.push([0, 1], [0, 2])), 'begin or end alike'],
        ['with a point lost', changed(c => c.generators[0]?.pop()), 'moves, and none moves there'],
        ['with an unknown property', changed(c => c.groups[0]?.properties.push('x')), "no property 'x'"],
        ['with an unknown generator', changed(c => c.groups[0]?.generators.push(9)), 'no generator 9'],
        ['with a generator of no group', changed(c => c.groups[0]?.generators.pop()), 'in no group'],
        ['with a number as order', changed(c => (c.groups[0] = { ...c.groups[0]!, order: '06' })), 'its order'],
    ])('%s is malformed', async (_, call, message) => {
        const outcome = await call();
        expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
        expect(outcome.stderr).toContain(message);
    });

    test('that is not there is an error of the call', async () => {
        const outcome = await orbit(['verify', 'm', '--certificate', 'none.json'], { files: { m: text } });
        expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
        expect(outcome.stderr).toContain("cannot read 'none.json': there is no such file");
    });

    test('with another order is refuted', async () => {
        const outcome = await changed(c => (c.groups[0] = { ...c.groups[0]!, order: '7' }))();
        expect(outcome.exitCode).toBe(1);
        expect(outcome.stdout).toContain('said to have order 7 generate one of order 6');
    });

    test('with a generator that takes a variable apart is refuted', async () => {
        const certificate = await certificateOf(text, '--param', 'N=3');
        const point = (literal: string): number => certificate.literals.indexOf(literal);
        const [one, other] = [point('P[1].at=leave'), point('P[2].at=leave')];
        certificate.generators[0] = [
            [one, other],
            [other, one],
        ];
        const outcome = await check(text, certificate, '--param', 'N=3', '--json');
        expect(outcome.exitCode).toBe(1);
        expect(documentOf(outcome)).toMatchObject({
            verdict: 'refuted',
            refutations: [{ kind: 'cell', generator: 0, cycles: '(P[1].at=leave P[2].at=leave)' }],
        });
    });
});

/** A model whose only symmetry exchanges the processes, and permutations of it by the names of its literals. */
describe('a generator that is no symmetry is refuted', () => {
    const text = [
        'model M',
        'type Id = 0 .. 1',
        'var x: 0 .. 1[Id] = 0',
        'var y: 0 .. 1[Id] = 0',
        'process P[i: Id] { loop {',
        '    flip: { x[i] := 1 - x[i] }',
        '    copy: { y[i] := x[i] }',
        '} }',
        'invariant zero = y[0] == 0 || x[1] == 1',
    ].join('\n');

    async function refute(
        moves: readonly (readonly [string, string])[],
        properties: readonly string[],
        model: string = text,
    ) {
        const certificate = await certificateOf(model);
        const point = (literal: string): number => {
            const found = certificate.literals.indexOf(literal);
            expect(found).toBeGreaterThanOrEqual(0);
            return found;
        };
        const pairs = moves.flatMap(([from, to]): [number, number][] => [
            [point(from), point(to)],
            [point(to), point(from)],
        ]);
        certificate.generators = [pairs];
        certificate.groups = [{ properties: [...properties], order: '2', generators: [0] }];
        const outcome = await check(model, certificate, '--json');
        return { exitCode: outcome.exitCode, refutation: documentOf(outcome).refutations[0] };
    }

    const exchange = (...names: string[]): [string, string][] =>
        names.flatMap(name => [
            [`${name.replace('#', '0')}=0`, `${name.replace('#', '1')}=0`] as [string, string],
            [`${name.replace('#', '0')}=1`, `${name.replace('#', '1')}=1`] as [string, string],
        ]);
    const counters: [string, string][] = [
        ['P[0].at=flip', 'P[1].at=flip'],
        ['P[0].at=copy', 'P[1].at=copy'],
    ];

    test('unless it is one', async () => {
        const found = await refute([...exchange('x[#]', 'y[#]'), ...counters], ['deadlock']);
        expect(found).toEqual({ exitCode: 0, refutation: undefined });
    });

    test('by an initial state', async () => {
        const found = await refute([['x[0]=0', 'x[0]=1']], []);
        expect(found).toMatchObject({
            exitCode: 1,
            refutation: { kind: 'initial', state: { 'x[0]': 0 }, image: { 'x[0]': 1 } },
        });
    });

    test('by a step, which is named with its place', async () => {
        const found = await refute(exchange('x[#]'), []);
        expect(found).toMatchObject({
            exitCode: 1,
            refutation: { kind: 'step', step: { process: 'P[0]', label: 'flip' } },
        });
        expect(found.refutation?.step?.location).toMatchObject({ file: 'm', line: 6 });
        expect(found.refutation?.message).toContain('in the state P[0] flip can happen');
    });

    test('by a property that it does not keep', async () => {
        const found = await refute([...exchange('x[#]', 'y[#]'), ...counters], ['zero']);
        expect(found).toMatchObject({ exitCode: 1, refutation: { kind: 'property' } });
        expect(found.refutation?.message).toContain("the truth of 'zero'");
        expect([found.refutation?.state?.['y[0]'], found.refutation?.state?.['y[1]']].sort()).toEqual([0, 1]);
    });

    test('by the graph alone, where no state shows it', async () => {
        // Never are both x set, so the invariant holds in every state, whoever is called 0; the graph does not see that.
        const locked = text
            .replace('flip: {', 'flip: when x[1 - i] == 0 {')
            .replace('x[1] == 1', 'x[0] == 0 || x[1] == 0');
        const found = await refute([...exchange('x[#]', 'y[#]'), ...counters], ['zero'], locked);
        expect(found).toMatchObject({ exitCode: 1, refutation: { kind: 'graph' } });
        expect(found.refutation?.state).toBeUndefined();
    });

    test('in words', async () => {
        const certificate = await certificateOf(text);
        const [x, y] = [certificate.literals.indexOf('x[0]=0'), certificate.literals.indexOf('x[0]=1')];
        certificate.generators[0] = [
            [x, y],
            [y, x],
        ];
        const { stdout } = await check(text, certificate);
        expect(stdout).toContain(
            '\nRefuted  (x[0]=0 x[0]=1)\n  it takes an initial state to one that is none\n  state\n',
        );
    });
});
