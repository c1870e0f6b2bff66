/** The npm library as it ships: its bundles and declarations, used by a program that has nothing but the package. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildLibrary, writeDeclarations } from '../library/build.js';
import { check, explore, loadModel } from '../library/index.js';

const readme = readFileSync('README.md', 'utf8');
const lock = /```orbit\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';

describe('the package', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbit-library-'));
    const installed = join(folder, 'node_modules', 'orbit-model-checker');
    const [example = '', output = ''] = /```js\n([\s\S]*?)```[\s\S]*?```\n([\s\S]*?)```/.exec(readme)?.slice(1) ?? [];

    beforeAll(async () => {
        mkdirSync(installed, { recursive: true });
        writeFileSync(join(installed, 'package.json'), readFileSync('package.json'));
        // What has just been built is not built again.
        const built = process.env['ORBIT_BUILT'];
        if (built !== undefined) {
            cpSync(built, join(installed, 'dist'), { recursive: true });
        } else {
            await buildLibrary('.', join(installed, 'dist'));
            writeDeclarations('.', join(installed, 'dist'));
        }
        writeFileSync(join(folder, 'lock.orbit'), lock);
    });

    afterAll(() => {
        rmSync(folder, { recursive: true });
    });

    const node = (file: string, text: string): { readonly stdout: string; readonly stderr: string } => {
        writeFileSync(join(folder, file), text);
        return spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    };

    test('does what the README shows', () => {
        expect(node('example.mjs', example)).toMatchObject({ stdout: output, stderr: '' });
    });

    test('can be required', () => {
        const required =
            "require('orbit-model-checker').loadModel('model M').then(({ problems }) => console.log(problems.length))";
        expect(node('example.cjs', required)).toMatchObject({ stdout: '1\n', stderr: '' });
    });

    test('imports nothing, so that it runs outside of Node', () => {
        const bundles = ['library.js', 'library.cjs'].map(file => readFileSync(join(installed, 'dist', file), 'utf8'));
        const imported = bundles.flatMap(text => [
            ...text.matchAll(/^import .* from "([^"]+)"|(?<!\.)\brequire\("([^"]+)"\)/gm),
        ]);
        expect(imported.map(([, first, second]) => first ?? second)).toEqual([]);
    });

    test('declares all types that it names, and none of its parser', () => {
        const declarations = readdirSync(join(installed, 'dist', 'types'), { recursive: true, encoding: 'utf8' })
            .filter(file => file.endsWith('.d.ts'))
            .map(file => readFileSync(join(installed, 'dist', 'types', file), 'utf8'));
        expect(declarations.length).toBeGreaterThan(20);
        expect(
            declarations.filter(text => /langium|vscode-|language-server/.test(text.replaceAll(/\/\*[^]*?\*\//g, ''))),
        ).toEqual([]);
        const compilerOptions = {
            ...{ module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2022', strict: true, noEmit: true },
            ...{ lib: ['ES2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
        };
        const files = ['example.mts', 'example.cts'];
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
        writeFileSync(join(folder, 'example.mts'), example);
        writeFileSync(
            join(folder, 'example.cts'),
            `import { loadModel } from 'orbit-model-checker';\nvoid loadModel('');\n`,
        );
        const compiler = resolve('node_modules/typescript/bin/tsc');
        const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
        expect(stdout).toBe('');
    }, 60_000);
});

describe('a text', () => {
    test('that is right is a model, with the parameters asked for', async () => {
        const { model, problems } = await loadModel(lock, { parameters: { N: 3 } });
        expect(problems).toEqual([]);
        expect(model?.parameters).toMatchObject([{ name: 'N', value: 3 }]);
    });

    test('that is wrong is its problems with their places, and no model', async () => {
        const { model, problems } = await loadModel(lock.replace('taken := true', 'token := true'), {
            uri: 'memory:/a.orbit',
        });
        expect(model).toBeUndefined();
        expect(problems).toMatchObject([
            { severity: 'error', code: 'name/unresolved', range: { uri: 'memory:/a.orbit', start: { line: 9 } } },
        ]);
    });

    test('with parameters that do not fit has no model', async () => {
        for (const parameters of [{ N: 1 }, { M: 3 }, { N: 'x +' }]) {
            const { model, problems } = await loadModel(lock, { parameters: { ...parameters } });
            expect(model).toBeUndefined();
            expect(problems[0]?.code).toMatch(/^(parameter|syntax|name|type)\//);
        }
    });

    test('imports what is read for it, and says what is not', async () => {
        const files: Record<string, string> = { 'memory:/lib/size.orbit': 'const size = 2\n' };
        const text = lock.replace('model Lock', 'model Lock\nimport "lib/size.orbit"').replace('= 6', '= size');
        const readImport = (uri: string) =>
            Promise.resolve(uri in files ? { content: files[uri] ?? '' } : { reason: 'it is not there' });
        expect((await loadModel(text, { readImport })).problems).toEqual([]);
        const missing = await loadModel(text.replace('lib/', 'no/'), { readImport });
        expect(missing.problems[0]?.message).toContain('it is not there');
    });
});

test('check tells what only shows when steps are put together', async () => {
    const problems = await check(lock.replace('when !taken', 'when !taken && N > 70'));
    expect(problems.map(({ code }) => code)).toContain('step/never-enabled');
    expect(await check(lock)).toEqual([]);
});

test('a property that the model does not state is a wrong call, whether the name is unknown or deadlock is allowed', async () => {
    const { model } = await loadModel('process P { loop { step: skip } }\nallow deadlock\n');
    const call = (properties: readonly string[]) => explore(model!, { reduction: 'unique', properties });
    expect(() => call(['deadlock'])).toThrow(new RangeError("the model states no property 'deadlock'"));
    expect(() => call(['other'])).toThrow(new RangeError("the model states no property 'other'"));
    expect(call(['faults']).report).toMatchObject({ verdict: 'holds' });
});

test('an exploration ends with its limits, undecided', async () => {
    const { model } = await loadModel(lock);
    if (model === undefined) {
        throw new Error('the README has a model');
    }
    expect(explore(model, { maxStates: 2, properties: ['deadlock'] }).report).toMatchObject({
        verdict: 'undecided',
        limit: { kind: 'states' },
    });
    let time = 0;
    const late = explore(model, {
        timeLimit: { milliseconds: 5, now: () => time++ },
        continueAfterViolation: true,
        reduction: 'none',
    });
    expect(late.report).toMatchObject({ limit: { kind: 'time', value: 5 } });
    expect(explore(model, { reduction: 'none', continueAfterViolation: true }).report?.states).toBe(1393);
});
