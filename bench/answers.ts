/**
 * Whether two versions of the command line give the same answers: every JSON document of `check`, `symmetry` and `explore`
 * over the models and all fixtures of the tests.
 *
 *     npm run bench answers -- --before=/path/to/other/dist/cli.cjs [--save=FILE] [part of a file's name]
 *
 * Times, memory, counts of work and the reports of passes are left out. A line of JSON for each document that differs, then a count; the exit
 * code is 1 if any differs. With `--save` the documents of the other version are kept in FILE, and read from it next time.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { COMMAND_LINE, ROOT } from './measure.js';

const CALLS: readonly (readonly string[])[] = [
    ['check'],
    ['symmetry', '--why'],
    ['explore', '--max-states=200000', '--timeout=60'],
    ['explore', '--max-states=200000', '--timeout=60', '--reduction=none', '--passes=all'],
];

/** What depends on the machine, or on how an answer is found. */
const LEFT_OUT = new Set(['timings', 'work', 'passes', 'seconds', 'statesPerSecond', 'peakBytes']);

const valueOf = (name: string): string | undefined =>
    process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);

function modelsIn(folder: string): string[] {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.orbit'))
        .map(file => `${folder}/${file}`)
        .sort();
}

/** What a command prints and how it ends, without what may differ. */
function answerOf(program: string, words: readonly string[]): Promise<string> {
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

async function main(): Promise<number> {
    const other = valueOf('before');
    const saved = valueOf('save');
    if (other === undefined) {
        process.stderr.write('needed: --before=FILE, the cli.cjs of another version\n');
        return 2;
    }
    const part = process.argv.slice(2).find(word => !word.startsWith('--')) ?? '';
    const files = [...modelsIn('models'), ...modelsIn('test')].filter(file => file.includes(part));
    const calls = files.flatMap(file => CALLS.map(([command = '', ...words]) => [command, file, ...words]));
    const before =
        saved !== undefined && existsSync(saved)
            ? new Map(JSON.parse(readFileSync(saved, 'utf8')) as [string, string][])
            : await answersOf(other, calls);
    if (saved !== undefined && !existsSync(saved)) {
        writeFileSync(saved, JSON.stringify([...before]));
    }
    const after = await answersOf(COMMAND_LINE, calls);
    let different = 0;
    for (const [call, answer] of after) {
        const old = before.get(call) ?? '';
        if (old !== answer) {
            different++;
            process.stdout.write(`${JSON.stringify({ call, ...firstDifference(old, answer) })}\n`);
        }
    }
    process.stdout.write(`${JSON.stringify({ calls: after.size, different })}\n`);
    return different === 0 ? 0 : 1;
}

process.exitCode = await main();
