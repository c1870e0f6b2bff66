/** Models of several files: the file of an import, the names in each file, and the problems of imports. */
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../engine/common/problem.js';
import { loadModel, type LoadResult } from '../../language-server/load-model.js';

const FOLDER = 'file:///folder/';

/** Loads `main.orbit` of some files; `reads` lists the files that were read. */
async function load(files: Readonly<Record<string, string>>, reads: string[] = []): Promise<LoadResult> {
    return loadModel(files['main.orbit'] ?? '', `${FOLDER}main.orbit`, [], uri => {
        const name = decodeURIComponent(uri.slice(FOLDER.length));
        reads.push(name);
        const content = uri.startsWith(FOLDER) ? files[name] : undefined;
        return Promise.resolve(content === undefined ? { reason: 'there is no such file' } : { content });
    });
}

/** Without the warnings that are not about imports. */
function isRelevant({ severity, code }: Problem): boolean {
    return severity === 'error' || code.startsWith('import/');
}

/** `file:line code: message` */
function told({ problems }: LoadResult): string[] {
    return problems
        .filter(isRelevant)
        .map(
            ({ range, code, message }) =>
                `${range.uri.slice(FOLDER.length)}:${range.start.line + 1} ${code}: ${message}`,
        );
}

const USER = 'process P[i: Proc] { loop { take: when isFree() { holder := i }; give: holder := none } }\n';
const LOCK = `/// Who may go.
type Proc = 1 .. 3
var holder: Proc? = none
function isFree(): bool = holder == none
invariant sane = holder == none || holder != none
`;

describe('an import', () => {
    test('brings the declarations of another file', async () => {
        const { model, ...rest } = await load({ 'main.orbit': `import "lock.orbit"\n${USER}`, 'lock.orbit': LOCK });
        expect(told(rest)).toEqual([]);
        expect(model?.variables.map(({ name }) => name)).toEqual(['holder']);
        expect(model?.invariants.map(({ name, range }) => [name, range.uri])).toEqual([
            ['sane', `${FOLDER}lock.orbit`],
        ]);
        expect(model?.name).toBe('main');
    });

    test('brings what the other file imports, relative to that file, and each file once', async () => {
        const reads: string[] = [];
        const { model, ...rest } = await load(
            {
                'main.orbit': `model Several\nimport "lib/a.orbit"\nimport "lib/deep/b.orbit"\n${USER}`,
                'lib/a.orbit': 'model A\nimport "deep/b.orbit"\nimport "../lock.orbit"\nallow deadlock\n',
                'lib/deep/b.orbit': 'var b: bool\n',
                'lock.orbit': LOCK,
            },
            reads,
        );
        expect(told(rest)).toEqual([]);
        expect(reads).toEqual(['lib/a.orbit', 'lib/deep/b.orbit', 'lock.orbit']);
        expect(model?.variables.map(({ name }) => name)).toEqual(['b', 'holder']);
        expect(model?.name).toBe('Several');
        expect(model?.allowsDeadlock).toBe(true);
    });

    test('may go round in a circle', async () => {
        const { model, ...rest } = await load({
            'main.orbit': `import "lock.orbit"\nconst three = 3\n${USER}`,
            'lock.orbit': LOCK.replace('1 .. 3', '1 .. three').replace('type', 'import "main.orbit"\ntype'),
        });
        expect(told(rest)).toEqual([]);
        expect(model?.variables).toHaveLength(1);
    });

    test('may name a file with blanks and letters of all kinds', async () => {
        const files = { 'main.orbit': `import "my löck%20.orbit"\n${USER}`, 'my löck%20.orbit': LOCK };
        expect(told(await load(files))).toEqual([]);
    });

    test('sets parameters of the other file', async () => {
        const files: Record<string, string> = { 'lock.orbit': 'param N: 1 .. 9 = 3\nvar x: bool[0 .. N - 1]\n' };
        const text = 'import "lock.orbit"\nprocess P[i: 0 .. N - 1] { x[i] := !x[i] }\n';
        const { model, ...rest } = await loadModel(text, `${FOLDER}main.orbit`, [['N', '5']], uri =>
            Promise.resolve({ content: files[uri.slice(FOLDER.length)] ?? '' }),
        );
        expect(told(rest)).toEqual([]);
        expect(model?.parameters.map(({ name, value }) => [name, value])).toEqual([['N', 5]]);
    });
});

describe('a wrong import', () => {
    const names: readonly [string, string][] = [
        ['other.orbit', 'there is no such file'],
        ['../other.orbit', 'there is no such file'],
        ['', 'the name of the file is missing'],
        ['lib\\lock.orbit', 'folders are separated by `/`'],
        ['/lock.orbit', 'the name is relative to the folder of this file'],
        ['https://example.com/lock.orbit', 'the name is relative to the folder of this file'],
        ['C:/lock.orbit', 'the name is relative to the folder of this file'],
        ['lock', 'the names of models end in `.orbit`'],
    ];
    test.each(names)('"%s" is one line at its name', async (name, reason) => {
        const loaded = await load({ 'main.orbit': `import "${name}"\n${USER}`, 'lock.orbit': LOCK });
        expect(loaded.model).toBeUndefined();
        expect(told(loaded)).toEqual([`main.orbit:1 import/not-found: \`${name}\` cannot be imported: ${reason}`]);
    });

    test('without anyone to read files says so', async () => {
        const { problems } = await loadModel('import "lock.orbit"\n', `${FOLDER}main.orbit`);
        expect(problems.map(({ message }) => message)).toEqual([
            '`lock.orbit` cannot be imported: files cannot be read here',
        ]);
    });

    test('of itself and a second time is said', async () => {
        const twice = await load({
            'main.orbit': `import "lock.orbit"\nimport "./lock.orbit"\n${USER}`,
            'lock.orbit': LOCK,
        });
        expect(told(twice)).toEqual(['main.orbit:2 import/repeated: this file is imported already']);
        expect(twice.model?.variables).toHaveLength(1);
        expect(told(await load({ 'main.orbit': `import "main.orbit"\nvar x: bool\n${USER}` }))).toEqual([
            'main.orbit:1 import/itself: a file does not import itself: its own declarations are known',
        ]);
    });
});

describe('what is wrong in an imported file', () => {
    test('is shown there, and in one line at the import', async () => {
        const syntax = await load({ 'main.orbit': `import "lock.orbit"\n${USER}`, 'lock.orbit': 'var x bool\n' });
        expect(told(syntax)).toEqual([
            'lock.orbit:1 syntax/unexpected: `:` is expected here, but this is `bool`',
            'main.orbit:1 import/has-errors: `lock.orbit` has an error in line 1: `:` is expected here, but this is `bool`',
        ]);
        const type = await load({
            'main.orbit': `import "a.orbit"\n${USER}`,
            'a.orbit': 'import "lock.orbit"\n',
            'lock.orbit': `${LOCK}var y: 0 .. 3 = 7\nvar z: Y\n`,
        });
        expect(type.model).toBeUndefined();
        expect(told(type).map(line => line.split(':').slice(0, 2).join(':'))).toEqual([
            'lock.orbit:6 type/out-of-range',
            'lock.orbit:7 name/unresolved',
            'main.orbit:1 import/has-errors',
        ]);
    });

    test('is said where its own import is wrong', async () => {
        const files = { 'main.orbit': 'import "a.orbit"\nprocess P { skip }\n', 'a.orbit': 'import "b.orbit"\n' };
        expect(told(await load(files))).toEqual([
            'a.orbit:1 import/not-found: `b.orbit` cannot be imported: there is no such file',
            'main.orbit:1 import/has-errors: `a.orbit` has an error in line 1: ' +
                '`b.orbit` cannot be imported: there is no such file',
        ]);
    });
});

describe('one name space', () => {
    test('a name that an imported file declares too', async () => {
        const files = { 'main.orbit': `import "lock.orbit"\nvar holder: bool\n${USER}`, 'lock.orbit': LOCK };
        const { problems } = await load(files);
        expect(problems.filter(({ code }) => code === 'name/duplicate')).toMatchObject([
            {
                message:
                    '`holder` is declared twice: in line 3 of `lock.orbit`, which this file imports, it is a variable',
                range: { uri: `${FOLDER}main.orbit`, start: { line: 1 } },
                related: [{ range: { uri: `${FOLDER}lock.orbit`, start: { line: 2 } } }],
            },
        ]);
    });

    test('a name that two imported files declare', async () => {
        const loaded = await load({
            'main.orbit': 'import "a.orbit"\nimport "b.orbit"\nprocess P { skip }\n',
            'a.orbit': 'var x: bool\n',
            'b.orbit': 'const y = 1\nenum x = { red }\n',
        });
        expect(told(loaded)).toEqual([
            'main.orbit:2 name/duplicate: `x` is declared in line 1 of `a.orbit` and in line 2 of `b.orbit`',
        ]);
    });

    test('the importer is not known in what it imports', async () => {
        const loaded = await load({
            'main.orbit': 'import "a.orbit"\nconst one = 1\nprocess P { skip }\n',
            'a.orbit': 'const two = 1 + one\n',
        });
        expect(told(loaded)[0]).toMatch(/^a\.orbit:1 name\/unresolved: `one` is not declared/);
    });
});
