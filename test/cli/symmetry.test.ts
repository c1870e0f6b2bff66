/**
 * `orbit symmetry` and `orbit export` on the models of the repository.
 * The orders are those of Zhang et al., ASE 2013, Table I, where the system is in it (Peterson 9, dining philosophers
 * 10, Hanoi 6, readers-writers 2 + 1); the token ring has its N rotations times the exchange of the two labels.
 */
import { describe, expect, test } from 'vitest';
import type { SymmetryDocument } from '../../language-server/document-schema.js';
import { readFileSync } from 'node:fs';
import { orbit } from './in-process.js';

const models = (name: string) => ({ [`${name}.orbit`]: readFileSync(`models/${name}.orbit`) });

async function symmetryOf(name: string, ...words: string[]): Promise<SymmetryDocument> {
    const outcome = await orbit(['symmetry', `${name}.orbit`, '--json', ...words], { files: models(name) });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    return JSON.parse(outcome.stdout) as SymmetryDocument;
}

/** `orbit symmetry` of a model that is called `m`. */
const ask = (text: string, ...words: string[]) => orbit(['symmetry', 'm', ...words], { files: { m: text } });

const exported = (name: string, ...words: string[]) =>
    orbit(['export', `${name}.orbit`, '--to', ...words], { files: models(name) });

test.each([
    ['peterson', 'N=9', '362880', 'S9', []],
    ['token-ring', 'N=5', '10', 'C10', []],
    ['token-ring', 'N=4', '8', 'C4 x C2', []],
    ['dining-philosophers', 'N=10', '10', 'C10', []],
    // Discs have sizes, and begin on one of the pegs.
    ['hanoi', 'N=6', '2', 'C2', ['S6', 'S3']],
    ['readers-writers', 'R=2', '2', 'C2', []],
])('%s with %s has a group of order %s', async (name, parameter, order, structure, expected) => {
    const document = await symmetryOf(name, '--param', parameter);
    expect(document).toMatchObject({ order, structure, complete: true, verified: true });
    expect(document.broken.map(broken => broken.expected)).toEqual(expected);
});

test('the document has the fields that are promised', async () => {
    const document = await symmetryOf('token-ring', '--param', 'N=3');
    expect(Object.keys(document)).toEqual([
        'schemaVersion',
        'model',
        'params',
        'order',
        'structure',
        'factors',
        'generators',
        'variableOrbits',
        'literalOrbits',
        'potentialStates',
        'potentialOrbits',
        'reachableEstimate',
        'properties',
        'graph',
        'work',
        'complete',
        'verified',
        'uniform',
        'timings',
        'broken',
        'assertions',
    ]);
    expect(document).toMatchObject({ schemaVersion: 1, model: 'TokenRing', params: { N: 3 } });
    expect(document.uniform).toEqual([
        {
            forAll: ['N'],
            group: 'C_N',
            places: ['Link[u]', 'leader[Agent]', 'label[Agent]', 'token[Agent]'],
            proved: true,
        },
        { forAll: ['N'], group: 'C_2', places: ['label'], proved: true },
    ]);
    expect(Object.keys(document.timings)).toEqual(
        expect.arrayContaining(['parse', 'lower', 'encode', 'automorphisms', 'group', 'total']),
    );
    // All agents are alike, so each variable is one orbit; the values of a leader and of a token are not, labels are.
    expect(document.variableOrbits.map(orbit => orbit.length)).toEqual([3, 3, 3]);
    expect(document.literalOrbits).toBe(5);
    expect(document.factors).toEqual([
        {
            structure: 'C3',
            order: '3',
            permutes: 'the 3 instances of `Link` can be rotated',
            moves: ['Link', 'leader', 'token', 'label'],
            picture: { kind: 'ring', members: [['Link[0]', 'Link[1]', 'Link[2]']] },
            example: 0,
        },
        {
            structure: 'C2',
            order: '2',
            permutes: 'the values 0 and 1 of `label` are interchangeable',
            moves: ['label'],
            picture: { kind: 'interchangeable', members: [['0', '1']], valuesOf: 'label' },
            example: 1,
        },
    ]);
    const moved = document.generators.flatMap(generator => generator.moves);
    expect(moved).toContain('label[0]=0 -> label[0]=1');
});

test('a property may keep less than the model has, and can be asked for', async () => {
    const text = `${readFileSync('models/semaphore-mutex.orbit', 'utf8')}\ninvariant first = !(P[1] at leave)\n`;
    const askThree = (...words: string[]) => ask(text, '--param', 'N=3', ...words);
    const { properties, order } = JSON.parse((await askThree('--json')).stdout) as SymmetryDocument;
    expect(order).toBe('6');
    // The process that the invariant names stays in its place: the other two may be exchanged.
    expect(properties).toMatchObject([
        { name: 'deadlock', order: '6' },
        { name: 'mutex', order: '6' },
        { name: 'first', order: '2' },
    ]);
    const asked = JSON.parse((await askThree('--json', '--property', 'first')).stdout) as SymmetryDocument;
    expect(asked.order).toBe('2');
    expect(asked.generators).toHaveLength(1);
    expect((await askThree('--property', 'first')).stdout).toContain('2 symmetries of 6 keep first');
    const unknown = await askThree('--property', 'second');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain("the model states no property 'second'; it states deadlock, mutex, first");
});

test('a guard that names a process breaks the symmetry, and is named', async () => {
    const text = readFileSync('models/token-ring.orbit', 'utf8').replace(
        'rule1: when !leader',
        'rule1: when u != 0 && !leader',
    );
    const outcome = await ask(text, '--param', 'N=5');
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toMatch(/\nBroken +.*\n +m:\d+:\d+: .*u != 0/);
});

/** Three workers of which one may be different. */
const WORKERS = `model Workers
type Id = 0 .. 2
enum Color = { red, green }
var x: Color[Id] = any
process P[i: Id] { loop { choose { when x[i] == red { x[i] := green } } or { when x[i] == green { x[i] := red } } } }
invariant first = x[0] == red || x[1] == red
`;

describe('assert symmetric', () => {
    test('ends with 0 where it holds', async () => {
        const { exitCode, stdout } = await ask(`${WORKERS}assert symmetric P\nassert symmetric values of Color\n`);
        expect(exitCode).toBe(0);
        expect(stdout).toContain('holds  assert symmetric P  m:7:1\n  the instances of `P` are interchangeable: S3\n');
    });

    test('ends with 1 where it fails, and names the place', async () => {
        const text = `${WORKERS.replace('when x[i] == red', 'when i != 1 && x[i] == red')}assert symmetric P\n`;
        const { exitCode, stdout } = await ask(text);
        expect(exitCode).toBe(1);
        expect(stdout).toMatch(
            /\nfails {2}assert symmetric P {2}m:7:1\n.*without `i != 1` they would be.*\n {2}m:5:41: i != 1\n/,
        );
        const { assertions } = JSON.parse((await ask(text, '--json')).stdout) as SymmetryDocument;
        expect(assertions).toEqual([
            {
                text: 'assert symmetric P',
                verdict: 'fails',
                message:
                    'the instances of `P` are not interchangeable: they have C2, not S3; ' +
                    'without `i != 1` they would be interchangeable',
                location: { file: 'm', line: 7, column: 1, endLine: 7, endColumn: 19 },
                locations: [{ file: 'm', line: 5, column: 41, endLine: 5, endColumn: 47, text: 'i != 1' }],
                fixes: [
                    {
                        title: 'Remove `i != 1`: the symmetry is back',
                        edits: [{ file: 'm', line: 5, column: 41, endLine: 5, endColumn: 51, newText: '' }],
                    },
                ],
            },
        ]);
    });

    test('decides in a line as in a whole report', async () => {
        const fails = `${WORKERS.replace('when x[i] == red', 'when i != 1 && x[i] == red')}assert symmetric P\n`;
        for (const [text, code] of [
            [`${WORKERS}assert symmetric P\n`, 0],
            [fails, 1],
        ] as const) {
            const document = JSON.parse((await ask(text, '--json')).stdout) as SymmetryDocument;
            const line = `${document.structure} · ${document.order} symmetries\n`;
            expect(await ask(text, '--quiet')).toMatchObject({ stdout: line, exitCode: code });
        }
    });

    test('ends with 3 where time ran out', async () => {
        const { exitCode, stdout } = await ask(`${WORKERS}assert symmetric P\n`, '--timeout', '0.000001', '--json');
        expect(exitCode).toBe(3);
        expect((JSON.parse(stdout) as SymmetryDocument).assertions).toMatchObject([{ verdict: 'undecided' }]);
    });
});

test('a property names what costs it symmetries', async () => {
    const { stdout } = await ask(WORKERS, '--json');
    const { properties } = JSON.parse(stdout) as SymmetryDocument;
    expect(properties.map(({ cost }) => cost?.message)).toEqual([
        undefined,
        '`x[0] == red` and `x[1] == red` pin P[2]: S4 x C2 becomes C2 x C2, 4 of 48 symmetries remain',
    ]);
    expect(properties[1]?.cost?.locations.map(({ text, line, column }) => [text, line, column])).toEqual([
        ['x[0] == red', 6, 19],
        ['x[1] == red', 6, 34],
    ]);
});

test('--why goes through what the declarations suggest', async () => {
    const text = WORKERS.replace('{ x[i] := green }', '{ x[i] := green; x[0] := green }');
    const { why } = JSON.parse((await ask(text, '--json', '--why')).stdout) as SymmetryDocument;
    expect(
        why?.map(({ subject, suggests, found, locations }) => [
            subject,
            suggests,
            found,
            ...locations.map(l => l.text),
        ]),
    ).toEqual([
        ['instances of `P` and values of `Id`', 'S3', 'C2', 'x[0]'],
        ['values of `Color`', 'C2', 'trivial', 'x[0] := green'],
    ]);
    expect((await ask(text, '--why')).stdout).toContain(
        'Why\n  instances of `P` and values of `Id`: S3 suggested, C2 found\n',
    );
    expect((await ask(text)).stdout).not.toContain('Why');
    expect(JSON.parse((await ask(text, '--json')).stdout)).not.toHaveProperty('why');
});

test('what is too large to be compared is named, and leaves open whether there is more', async () => {
    const text = [
        'model Product',
        'type Id = 0 .. 1',
        'var x: 0 .. 999[Id] = any',
        'process P[i: Id] { loop { go: when x[0] * x[1] < 500 { x[i] := 0 } } }',
    ].join('\n');
    const { exitCode, stdout } = await ask(text);
    expect(exitCode).toBe(3);
    const message = '`go` of `P` is too large to be compared, so nothing that it touches may move';
    expect(stdout).toContain(
        'trivial · no symmetry found (perhaps a subgroup: what is too large to compare is kept in place)\n',
    );
    expect(stdout).toContain(`Held fixed  ${message}\n  m:4:31: x[0], x[1]\n`);
    expect(stdout).toContain(`Not explained  instances of \`P\`: ${message}\n`);
    expect(stdout).not.toContain('Broken');
    expect((await ask(text, '--quiet')).stdout).toBe('trivial · no symmetry found (perhaps a subgroup)\n');
    expect(JSON.parse((await ask(text, '--json')).stdout)).toMatchObject({
        complete: false,
        broken: [],
        heldFixed: [{ message, location: { file: 'm', line: 4, column: 31, endLine: 4 }, cells: ['x[0]', 'x[1]'] }],
    });
});

test('what is permuted by name is not said to go along with itself', async () => {
    const { stdout } = await orbit(['symmetry', 'three-tier.orbit'], { files: models('three-tier') });
    expect(stdout).toContain(
        [
            'so are the 2 values of `server`',
            '    with started',
            '  C2: User[Client(2, 0)] and User[Client(2, 1)] are interchangeable',
            '',
            'Generators',
        ].join('\n'),
    );
});

test('--why tells of a ring once, also where its instances and its values have different symmetries', async () => {
    const defect = [
        'model Defect',
        'type Id = 0 .. 4',
        'var token: bool[Id] = any',
        'process P[i: Id] {',
        '    loop {',
        '        send: when token[i] && !token[(i + 1) mod 5] { token[i] := false; token[(i + 1) mod 5] := true };',
        '        rest: if i == 3 { token[0] := token[0] }',
        '    }',
        '}',
        'allow deadlock',
    ].join('\n');
    const { stdout } = await ask(defect, '--json', '--why');
    const { why } = JSON.parse(stdout) as SymmetryDocument;
    expect(why?.map(({ subject }) => subject)).toEqual(['instances of `P`', 'ring of `Id`', 'values of `Id`']);
});

test('--why says so where nothing is missing', async () => {
    const { stdout } = await ask(WORKERS, '--why');
    expect(stdout).toContain('  values of `Color`: C2 suggested, C2 found\n    all of it\n');
});

test('a search without time reports a subgroup and ends with 3', async () => {
    const outcome = await orbit(['symmetry', 'peterson.orbit', '--param', 'N=12', '--json', '--timeout', '0.000001'], {
        files: models('peterson'),
    });
    expect(outcome.exitCode).toBe(3);
    const { complete, order } = JSON.parse(outcome.stdout) as SymmetryDocument;
    expect(complete).toBe(false);
    // 12! is divisible by the order of each of its subgroups.
    expect(479001600n % BigInt(order)).toBe(0n);
});

describe('export', () => {
    test('to GAP defines a group on named literals', async () => {
        const outcome = await exported('token-ring', 'gap', '--param', 'N=3');
        expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
        expect(outcome.stdout).toContain('# TokenRing (N = 3)\n# Its symmetry group has order 6');
        expect(outcome.stdout).toContain('#    1  leader[0] = false\n');
        expect(outcome.stdout).toContain('#   18  label[2] = 1\n');
        expect(outcome.stdout).toMatch(/\nG := Group\(\[\n( {4}(\(\d+(,\d+)+\))+,?\n)+\], \(\)\);\n$/);
    });

    test('to DIMACS counts vertices from 1 and colors all of them', async () => {
        const { stdout } = await exported('token-ring', 'graph-dimacs');
        const [, vertices, edges] = /^p edge (\d+) (\d+)\n/.exec(stdout) ?? [];
        expect(stdout.match(/^n /gm)).toHaveLength(Number(vertices));
        expect(stdout.match(/^e /gm)).toHaveLength(Number(edges));
    });

    test.each(['sequential', 'ssa', 'constraints'])('to %s prints that stage', async form => {
        const outcome = await exported('token-ring', form, '--param', 'N=2');
        expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
        expect(outcome.stdout).toContain('label[1]');
    });

    test('writes a file where one is named, and prints only what is asked for', async () => {
        const outcome = await exported('hanoi', 'gap', '--output', 'g.g');
        expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
        expect(outcome.written.get('g.g')).toContain('G := Group');
        const asJson = await exported('hanoi', 'gap', '--output', 'g.g', '--json');
        expect(JSON.parse(asJson.stdout)).toEqual({
            schemaVersion: 1,
            model: 'Hanoi',
            params: { N: 3 },
            to: 'gap',
            output: 'g.g',
        });
        const refused = await exported('hanoi', 'gap', '--output', '/read-only/g.g');
        expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('read-only') as string });
    });
});

test('a model that is too large for a limit is not wrong, but undecided', async () => {
    const text = 'type T = 0 .. 999\nprocess P { loop { var x: T[3] = any; when x[0] == 1 } }\n';
    for (const command of ['symmetry', 'explore', 'simulate']) {
        const outcome = await orbit([command, 'm', '--json'], { files: { m: text } });
        expect(outcome.exitCode, command).toBe(3);
        expect(JSON.parse(outcome.stdout)).toMatchObject({ problems: [{ code: 'limit/paths', line: 2 }] });
    }
});

/** A lock that is fair to all processes, with an assumption about one of them. */
const LOCK = `model Lock
type Proc = 1 .. 4
var free: bool = true
fair process P[i: Proc] {
    loop { try: skip; enter: when free { free := false } leave: free := true }
}
assume calm = infinitely often P[2] at try
property served = forall i in Proc: P[i] at enter leads to P[i] at leave
property safe = always count(i in Proc: P[i] at leave) <= 1
`;

test('temporal properties have members and fairness constraints, with the symmetries that keep them', async () => {
    const { stdout, exitCode } = await ask(LOCK, '--json');
    expect(exitCode).toBe(0);
    const { properties, fairness } = JSON.parse(stdout) as SymmetryDocument;
    const whole = { order: '24', structure: 'S4' };
    const left = { order: '6', structure: 'S3' };
    expect(properties).toEqual([
        { name: 'deadlock', ...whole },
        // The first one and the two others that the assumption leaves alike: with one of them kept, two can be exchanged.
        {
            name: 'served',
            kind: 'property',
            ...left,
            members: 4,
            orbits: 2,
            stabilizer: { order: '2', structure: 'C2' },
        },
        // With an assumption it is none of all states.
        { name: 'safe', kind: 'property', ...left, members: 1, orbits: 1, stabilizer: left },
    ]);
    expect(fairness).toMatchObject({ constraints: 5, orbits: 3, keeps: left });
    expect(fairness?.cost?.locations).toMatchObject([{ line: 7, column: 8, text: 'assume calm' }]);
});

test('the text has a line for each of them, and one for what costs symmetries', async () => {
    const { stdout } = await ask(LOCK);
    expect(stdout).toContain(`
Properties
  deadlock  keeps all 24
  served    2 of 4 processes are checked, one of each orbit, with 2 symmetries that keep the first one (C2)
  safe      keeps 6 of 24 (S3)
  fairness  fair to each of 5, of 3 kinds, keeps 6 of 24 (S3)
    \`assume calm\` pins P[2]: S4 becomes S3, 6 of 24 symmetries remain
`);
});

test('with --property the symmetries that keep a temporal property are described', async () => {
    const { stdout } = await ask(LOCK, '--property', 'served');
    expect(stdout).toContain('S3 · 6 symmetries of 24 keep served\n');
    expect(stdout).toContain('  S3: P[1], P[3] and P[4] are interchangeable\n');
});

test('a model that says nothing of runs has no such fields', async () => {
    const document = await symmetryOf('peterson');
    expect('fairness' in document).toBe(false);
    expect(document.properties.flatMap(property => Object.keys(property))).not.toContain('members');
});
