/**
 * Whether two versions give the same answers: every JSON document of `check`, `symmetry`, `explore` and `verify`, with its
 * certificates, over the models and all fixtures of the tests; of `explore` and `verify` also for all values of parameters.
 *
 *     npm run bench answers -- --before=/path/to/other/dist/cli.cjs [--save=FILE] [part of a file's name]
 *     npm run bench answers -- --before=/path/to/other/dist/cli.cjs --facts [--random=2000] [--seed=7] [part of a name]
 *
 * Times, memory, counts of work and the reports of passes are left out. A call whose answers differ is made again, alone,
 * for some end by a clock. A line of JSON for each that still differs, then a count; the exit code is 1 if any does.
 * With `--save` the documents of the other version are kept in FILE, and read from it next time. With `--facts` only
 * groups, counts and verdicts are compared, in one process, from the library beside the other command line; `--random`
 * adds so many random models, of that seed or of another one each time.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import * as present from '../library/index.js';
import { models } from '../test/arbitrary/models.js';
import { printModel } from '../test/reference/print.js';
import { freshSeed } from './fresh-seed.js';
import { COMMAND_LINE, ROOT } from './measure.js';

const CALLS: readonly (readonly string[])[] = [
    ['check'],
    ['symmetry', '--why', '--timeout=600'],
    ['explore', '--max-states=200000', '--timeout=60'],
    ['explore', '--max-states=200000', '--timeout=60', '--reduction=none', '--passes=all'],
    ['verify', '--timeout=600'],
];

/** For all values of parameters: `--param NAME=all` is added. */
const CALLS_FOR_ALL: readonly (readonly string[])[] = [
    ['explore', '--max-states=20000', '--timeout=600'],
    ['verify', '--timeout=600'],
];

/** A parameter with a range of numbers, and its name. */
const NUMBER_PARAMETER = /^\s*param\s+(\w+)\s*:[^=[\n]*\.\.[^=[\n]*(?:=|$)/gm;

/** Fields that depend on the machine, or on how an answer is found. */
const LEFT_OUT = new Set(['timings', 'work', 'passes', 'seconds', 'statesPerSecond', 'peakBytes']);

/** The limits of `--facts` for each model. */
const MOST_STATES = 20_000;
const MOST_MILLISECONDS = 10_000;

const valueOf = (name: string): string | undefined =>
    process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);

function modelsIn(folder: string): string[] {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.orbit'))
        .map(file => `${folder}/${file}`)
        .sort();
}

/** The calls for a file: as it is, with each number for all values, and with all numbers for all values. */
function callsFor(file: string): readonly (readonly string[])[] {
    const names = [...readFileSync(join(ROOT, file), 'utf8').matchAll(NUMBER_PARAMETER)].map(([, name = '']) => name);
    const families =
        names.length > 1 ? [...names.map(name => [name]), names] : [names].filter(({ length }) => length > 0);
    const forAll = families.flatMap(family =>
        CALLS_FOR_ALL.map(words => [...words, ...family.map(name => `--param=${name}=all`)]),
    );
    return [...CALLS, ...forAll].map(([command = '', ...words]) => [command, file, ...words]);
}

/** What a call prints; for `verify` also the certificate that it writes, and what is said when that is checked. */
async function answerOf(program: string, words: readonly string[]): Promise<string> {
    if (words[0] !== 'verify') {
        return outputOf(program, words);
    }
    const folder = mkdtempSync(join(tmpdir(), 'orbit-answers-'));
    try {
        const certificate = join(folder, 'certificate.json');
        const answer = await outputOf(program, [...words, `--output=${certificate}`]);
        if (!existsSync(certificate)) {
            return answer.replaceAll(folder, '');
        }
        const again = await outputOf(program, [...words, `--certificate=${certificate}`]);
        return [answer, readFileSync(certificate, 'utf8'), again].join('\n').replaceAll(folder, '');
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** The output and the end of a command, without fields that may differ. */
function outputOf(program: string, words: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [program, ...words, '--json'], { cwd: ROOT });
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
        child.on('error', reject);
        child.on('close', status => resolve(`${String(status)} ${withoutWork(output)}`));
    });
}

function withoutWork(output: string): string {
    try {
        return JSON.stringify(
            JSON.parse(output, (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value)),
            undefined,
            1,
        );
    } catch {
        return output;
    }
}

/** By call, the documents of a program; as many calls at a time as there are processors. */
async function answersOf(program: string, calls: readonly (readonly string[])[]): Promise<Map<string, string>> {
    const answers = new Map<string, string>();
    const waiting = calls.values();
    const work = async (): Promise<void> => {
        for (const words of waiting) {
            answers.set(words.join(' '), await answerOf(program, words));
        }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    return answers;
}

/** The first line in which two documents differ, of both. */
function firstDifference(before: string, after: string): { readonly before: string; readonly after: string } {
    const [old, present] = [before.split('\n'), after.split('\n')];
    const line = old.findIndex((text, index) => text !== present[index]);
    return { before: old[line] ?? '', after: present[line < 0 ? old.length : line] ?? '' };
}

/** The facts about one text that `--facts` compares. */
async function factsOf(
    { analyze, createWorkLimit, explore, loadModel }: typeof present,
    text: string,
    uri: string,
): Promise<object> {
    const { model, problems } = await loadModel(text, {
        uri,
        readImport: imported => Promise.resolve({ content: readFileSync(new URL(imported)) }),
    });
    if (model === undefined) {
        return { problems: problems.filter(({ severity }) => severity === 'error').map(({ code }) => code) };
    }
    const now = (): number => performance.now();
    const { symmetry } = analyze(model, {
        now,
        workLimit: createWorkLimit({ now, budgetMilliseconds: MOST_MILLISECONDS }),
        explain: false,
    });
    const found = explore(model, {
        reduction: 'unique',
        maxStates: MOST_STATES,
        timeLimit: { milliseconds: MOST_MILLISECONDS, now },
    }).report;
    const { order, structure, complete, potentialStates, potentialOrbits } = symmetry?.report ?? {};
    return {
        group: { order, structure, complete, potentialStates, potentialOrbits },
        verdict: found?.verdict,
        states: found?.states,
        transitions: found?.transitions,
        violations: found?.violations.map(({ kind }) => kind),
    };
}

/** A line for each model whose facts differ, and for each that ends in an exception; the number of differences. */
async function compareFacts(other: string, files: readonly string[]): Promise<number> {
    const old = createRequire(import.meta.url)(join(dirname(other), 'library.cjs')) as typeof present;
    const seed = Number(valueOf('seed') ?? freshSeed());
    const drawn = fc.sample(models(), { seed, numRuns: Number(valueOf('random') ?? 0) }).map(printModel);
    const texts = [
        ...files.map(file => ({ name: file, text: readFileSync(join(ROOT, file), 'utf8') })),
        ...drawn.map((text, index) => ({ name: `random ${index}`, text })),
    ];
    let different = 0;
    for (const { name, text } of texts) {
        const uri = pathToFileURL(join(ROOT, name)).toString();
        const [before, after] = await Promise.all(
            [old, present].map(each => factsOf(each, text, uri).catch((error: unknown) => ({ threw: String(error) }))),
        );
        if (JSON.stringify(before) !== JSON.stringify(after)) {
            different++;
            const shown = files.includes(name) ? {} : { text };
            process.stdout.write(`${JSON.stringify({ name, before, after, ...shown })}\n`);
        }
    }
    process.stdout.write(`${JSON.stringify({ seed, models: texts.length, different })}\n`);
    return different;
}

async function main(): Promise<number> {
    const other = valueOf('before');
    const saved = valueOf('save');
    if (other === undefined) {
        process.stderr.write('needed: --before=FILE, the cli.cjs of another version\n');
        return 2;
    }
    const part = process.argv.slice(2).find(word => !word.startsWith('--')) ?? '';
    const files = [...modelsIn('models'), ...modelsIn('test')].filter(file => file.includes(part));
    if (process.argv.includes('--facts')) {
        return (await compareFacts(other, files)) === 0 ? 0 : 1;
    }
    const calls = files.flatMap(callsFor);
    const known = new Map(
        saved !== undefined && existsSync(saved) ? (JSON.parse(readFileSync(saved, 'utf8')) as [string, string][]) : [],
    );
    const unknown = calls.filter(words => !known.has(words.join(' ')));
    const before = new Map([...known, ...(await answersOf(other, unknown))]);
    if (saved !== undefined) {
        writeFileSync(saved, JSON.stringify([...before]));
    }
    const after = await answersOf(COMMAND_LINE, calls);
    const suspects = calls.filter(words => before.get(words.join(' ')) !== after.get(words.join(' ')));
    let different = 0;
    for (const words of suspects) {
        const [old, answer] = [await answerOf(other, words), await answerOf(COMMAND_LINE, words)];
        if (old !== answer) {
            different++;
            process.stdout.write(`${JSON.stringify({ call: words.join(' '), ...firstDifference(old, answer) })}\n`);
        }
    }
    process.stdout.write(`${JSON.stringify({ calls: after.size, askedAgain: suspects.length, different })}\n`);
    return different === 0 ? 0 : 1;
}

process.exitCode = await main();
