/** Channels and records in the graph, among the candidates and in the words of the report. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { analyze, type Analysis, type SymmetryAnalysis } from '../../engine/pipeline.js';
import { suggestSymmetries } from '../../engine/symmetry/declared-action.js';
import { GraphExtension } from '../../engine/symmetry/graph-extension.js';
import { literalPoints } from '../../engine/symmetry/model-symmetry.js';
import { modelOf } from '../model-of-text.js';

async function analysisOf(text: string): Promise<Analysis & { symmetry: SymmetryAnalysis }> {
    const model = await modelOf(text);
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED });
    const { symmetry } = analysis;
    if (symmetry === undefined) {
        throw new Error(JSON.stringify(analysis.problems));
    }
    expect(symmetry.report.verified).toBe(true);
    return { ...analysis, symmetry };
}

/** How many of the suggestions for each subject are symmetries. */
function acceptedBySubject({ model, sequential, symmetry }: Analysis & { symmetry: SymmetryAnalysis }): string[] {
    const points = literalPoints(symmetry.constraints);
    const extension = new GraphExtension(symmetry.encoding, points);
    const counts = new Map<string, [number, number]>();
    for (const { kind, subject, permutation } of suggestSymmetries(model, sequential!, points, UNLIMITED)) {
        const what = subject.kind === 'variable-values' ? subject.kind : `${subject.kind} ${subject.domain.name ?? ''}`;
        const [accepted, tried] = counts.get(`${what} ${kind}`) ?? [0, 0];
        const isSymmetry = extension.extend(permutation) !== undefined;
        counts.set(`${what} ${kind}`, [accepted + (isSymmetry ? 1 : 0), tried + 1]);
    }
    return [...counts].map(([what, [accepted, tried]]) => `${what} ${accepted} of ${tried}`);
}

const BUFFER = `
    model Buffer
    param N: 1 .. 64 = 10
    type Value = 1 .. N
    channel buffer: 2 of Value
    var got: Value = any
    process Sender { loop { choose v in Value { buffer ! v } } }
    process Receiver { loop { buffer ? got } }
`;

test('each slot of a buffer is a small function: ten values and two slots take no more vertices than the prototype', async () => {
    const { symmetry } = await analysisOf(BUFFER);
    // All orders of ten values. A prototype without a length beside the slots took 151 vertices.
    expect(symmetry.report.order).toBe('3628800');
    expect(symmetry.report.graph.vertices).toBeLessThanOrEqual(151);
    const larger = await analysisOf(BUFFER.replace('= 10', '= 20'));
    expect(larger.symmetry.report.graph.vertices).toBeLessThanOrEqual(2 * symmetry.report.graph.vertices);
});

test('values in messages are values like any other: exchanging two of them is a candidate, and said once for all slots', async () => {
    const analysis = await analysisOf(BUFFER.replace('= 10', '= 3'));
    expect(acceptedBySubject(analysis)).toEqual(['value-type Value swap 2 of 2', 'variable-values swap 0 of 2']);
    const { generators, variables } = analysis.symmetry.report;
    expect(generators.map(({ cycles }) => cycles)).toEqual([
        '(buffer=1 buffer=2)(got=1 got=2)',
        '(buffer=2 buffer=3)(got=2 got=3)',
    ]);
    expect(variables.find(({ name }) => name === 'buffer')?.roles).toEqual([
        'Values 1, 2 and 3 of each message are interchangeable.',
    ]);
});

test('a rendezvous of any value has a summand for each value, and no state of its own', async () => {
    const { symmetry } = await analysisOf(BUFFER.replace('2 of Value', '0 of Value'));
    expect(symmetry.report.order).toBe('3628800');
    expect(symmetry.report.graph.vertices).toBeLessThan(40);
});

const CLIENTS = `
    model Clients
    param N: 2 .. 8 = 3
    type Proc = 0 .. N - 1
    channel request: 2 of Proc
    channel grant[Proc]: 1 of bool
    var owner: Proc? = none
    process Client[i: Proc] { loop { request ! i; grant[i] ? _; { owner := none } } }
    process Server {
        var c: Proc
        loop { request ? c; when owner == none grant[c] ! true { owner := c } }
    }
`;

test('an array of channels moves with the family that it belongs to', async () => {
    const analysis = await analysisOf(CLIENTS);
    const { report } = analysis.symmetry;
    expect(report.structure).toBe('S3');
    expect(report.generators.map(({ cycles }) => cycles)).toContain(
        '(Client[0] Client[1])(grant[0] grant[1])(request=0 request=1)(owner=0 owner=1)(Server.c=0 Server.c=1)',
    );
    expect(acceptedBySubject(analysis).slice(0, 3)).toEqual([
        'index-type Proc swap 2 of 2',
        'index-type Proc rotation 1 of 1',
        'index-type Proc reflection 1 of 1',
    ]);
    const rolesOf = (name: string) => report.variables.find(variable => variable.name === name)?.roles;
    expect(rolesOf('grant')).toEqual(['It moves with its process Client.']);
    expect(rolesOf('request')).toEqual(['Each message holds indices of Client: its values move with the instances.']);
});

test('a channel that is sent in a message goes where its array goes', async () => {
    const analysis = await analysisOf(`
        model Replies
        type Proc = 0 .. 2
        channel request: 2 of channel of bool
        channel reply[Proc]: 1 of bool
        process Client[i: Proc] { loop { request ! reply[i]; reply[i] ? _ } }
        process Server { var to: channel of bool  loop { request ? to; to ! true } }
    `);
    expect(analysis.symmetry.report.structure).toBe('S3');
    expect(acceptedBySubject(analysis)[0]).toBe('index-type Proc swap 2 of 2');
});

test('records that index a family go where their fields go', async () => {
    const analysis = await analysisOf(`
        model Tiers
        param clients: 0 .. 8[*] = [2, 2, 1]
        type Server = 0 .. len(clients) - 1
        type Client = { server: Server, number: 0 .. 7 where number < clients[server] }
        var busy: bool[Server]
        var last: Client?
        process User[c: Client] {
            loop { enter: when !busy[c.server] { busy[c.server] := true; last := c }
                   leave: { busy[c.server] := false } }
        }
    `);
    // Two clients of each of two servers, and the two servers: S2 wr S2.
    expect(analysis.symmetry.report.order).toBe('8');
    expect(acceptedBySubject(analysis)).toEqual(
        expect.arrayContaining([
            // Servers 0 and 1 have as many clients; a third one has fewer.
            'index-type Server swap 1 of 1',
            'index-type Client swap 2 of 2',
        ]),
    );
});

test('the fields of a record are one variable to the reader', async () => {
    const { symmetry } = await analysisOf(`
        model Nodes
        type Proc = 0 .. 2
        record Node = { locked: bool, next: Proc? }
        var node: Node[Proc]
        process P[i: Proc] { loop { choose j in Proc { when node[j].next != i { node[i] := Node(!node[i].locked, j) } } } }
    `);
    expect(symmetry.report.variables.map(({ name, roles }) => [name, roles])).toContainEqual([
        'node',
        ['Field `next` holds indices of P: its values move with the instances.', 'It moves with its process P.'],
    ]);
});

test('an explanation quotes what is sent and received', async () => {
    const { symmetry } = await analysisOf(CLIENTS.replace('grant[i] ? _', 'grant[i] ? == (i < 1)'));
    expect(symmetry.report.structure).toBe('C2');
    expect(symmetry.report.broken.map(({ locations }) => locations.map(({ text }) => text))).toEqual([
        ['the message == (i < 1)'],
    ]);
});
