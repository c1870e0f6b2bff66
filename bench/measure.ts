/** What the benches share: running programs and measuring them, medians and spreads, tables. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The cost of a program, with all processes that it started. */
export interface Cost {
    /** Of processors, user and system. */
    readonly seconds: number;
    readonly wallSeconds: number;
    /** The greatest resident set of one of its processes. */
    readonly peakBytes: number;
}

export interface Spread {
    readonly median: number;
    readonly least: number;
    readonly greatest: number;
}

const TIME = '/usr/bin/time';

/** Throws where one of the programs is not there, with the Debian packages that have them. */
export function needPrograms(...programs: readonly string[]): void {
    const missing = ['time', ...programs].filter(program => !existsSync(`/usr/bin/${program}`));
    if (missing.length > 0) {
        throw new Error(`needed: ${missing.join(', ')} (on Debian: apt-get install ${missing.join(' ')})`);
    }
}

/** Runs a program to its end; `accepts` says which exit codes are none of a failure. */
export function measured(
    command: readonly string[],
    folder: string,
    accepts: readonly number[] = [0],
): Cost & { readonly output: string } {
    const report = join(folder, 'cost.txt');
    const { stdout, status, stderr } = spawnSync(TIME, ['-q', '-f', '%U %S %e %M', '-o', report, ...command], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
    });
    if (status === null || !accepts.includes(status)) {
        throw new Error(`${command.join(' ')} ended with ${String(status)}: ${stderr}`);
    }
    const [user = NaN, system = NaN, wallSeconds = NaN, kilobytes = NaN] = readFileSync(report, 'utf8')
        .trim()
        .split(' ')
        .map(Number);
    return { output: stdout, seconds: user + system, wallSeconds, peakBytes: kilobytes * 1024 };
}

/** A folder for one case, removed afterwards. */
export function withFolder<Result>(work: (folder: string) => Result): Result {
    const folder = mkdtempSync(join(tmpdir(), 'orbit-bench-'));
    try {
        return work(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** The root of the repository: benches are bundled into `out/bench`. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The command line as it ships, bundled by bench/run.js. */
export const COMMAND_LINE = join(ROOT, 'out/bench/cli.cjs');

/** `parts` of a unit are told apart: of a second those that `time` measures. */
export function spread(values: readonly number[], parts = 100): Spread {
    const rounded = (value: number): number => Math.round(value * parts) / parts;
    const sorted = [...values].sort((first, second) => first - second);
    const middle = (sorted.length - 1) / 2;
    const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
    return { median: rounded(median), least: rounded(sorted[0] ?? NaN), greatest: rounded(sorted.at(-1) ?? NaN) };
}

export function formatSpread({ median, least, greatest }: Spread, unit = ' s', digits = 2): string {
    return `${median.toFixed(digits)}${unit} (${least.toFixed(digits)} - ${greatest.toFixed(digits)})`;
}

export function formatMegabytes(bytes: number): string {
    return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** A row of a Markdown table. */
export function row(...cells: readonly (string | number)[]): string {
    return `| ${cells.map(cell => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |\n`;
}

/** A head whose columns after the first are to the right. */
export function head(...titles: readonly string[]): string {
    return `| ${titles.join(' | ')} |\n|---|${'---:|'.repeat(titles.length - 1)}\n`;
}

/** The words after the program: `--rounds=5`, `--table`, `--once=…`, and a part of the names of cases. */
export interface BenchOptions {
    readonly rounds: number;
    /** A table for bench/results on standard output, and not the results, which go to `resultsFile`. */
    readonly isTable: boolean;
    readonly resultsFile?: string;
    readonly part: string;
    readonly once?: string;
}

export function benchOptions(words: readonly string[], rounds = 5): BenchOptions {
    const valueOf = (name: string): string | undefined =>
        words.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);
    const resultsFile = valueOf('results');
    const once = valueOf('once');
    return {
        rounds: Number(valueOf('rounds') ?? rounds),
        isTable: words.includes('--table'),
        part: words.find(word => !word.startsWith('--')) ?? '',
        ...(resultsFile !== undefined && { resultsFile }),
        ...(once !== undefined && { once }),
    };
}

/** Measures case after case: results as lines of JSON, and with `--table` rows on standard output in their place. */
export function report<Case, Result>(
    cases: readonly Case[],
    options: BenchOptions,
    {
        nameOf,
        measure,
        head: title,
        row: toRow,
    }: {
        readonly nameOf: (each: Case) => string;
        readonly measure: (each: Case) => Result;
        readonly head: string;
        readonly row: (result: Result) => string;
    },
): void {
    const { isTable, resultsFile, part } = options;
    const lines: string[] = [];
    if (isTable) {
        process.stdout.write(title);
    }
    for (const each of cases.filter(candidate => nameOf(candidate).includes(part))) {
        const result = measure(each);
        const line = `${JSON.stringify(result)}\n`;
        lines.push(line);
        process.stdout.write(isTable ? toRow(result) : line);
        if (resultsFile !== undefined) {
            writeFileSync(resultsFile, lines.join(''));
        }
    }
}

/** A model with values for its parameters: `peterson N=6`. */
export interface ModelCase {
    /** Of the files that `modelFile` finds, and in `bench/peers/`. */
    readonly model: string;
    readonly parameters: Readonly<Record<string, number | readonly number[]>>;
}

/** The text that tables began with: a model of `bench/plain-texts/`, else of `models/`. */
export function modelFile(model: string): string {
    const plain = join(ROOT, `bench/plain-texts/${model}.orbit`);
    return existsSync(plain) ? plain : join(ROOT, `models/${model}.orbit`);
}

export function modelCaseName({ model, parameters }: ModelCase): string {
    const values = Object.entries(parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return `${model} ${values.join(',')}`.trimEnd();
}

/** The words of a call of the command line on a case. */
export function orbitCommand(command: string, { model, parameters }: ModelCase, ...words: string[]): string[] {
    const values = Object.entries(parameters).flatMap(([name, value]) => [
        '--param',
        `${name}=${JSON.stringify(value)}`,
    ]);
    return [process.execPath, COMMAND_LINE, command, modelFile(model), ...values, ...words, '--json'];
}
