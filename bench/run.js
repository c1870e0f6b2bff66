/**
 * Runs the benches, each in a process of its own, one after the other.
 *
 *     npm run bench [name] [rounds] [-- part of a case's name]
 *     npm run bench models 5 -- --write
 *
 * Each bench is a program of this folder; it takes `--rounds=5`, `--table` and a part of the names of its cases, and
 * writes a line of JSON for each case. With `--write` the table of its results becomes bench/results/NAME.md, and the lines go
 * to out/bench. Without a name all of them run, which takes an hour.
 */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildCommand } from '../cli/build.js';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What it is called, its file, and whether it can write a table. */
const BENCHES = [
    { name: 'models', file: 'models', hasTable: true },
    { name: 'spin', file: 'exploration', hasTable: true },
    { name: 'spin-runs', file: 'runs', hasTable: true },
    { name: 'spin-order', file: 'order', hasTable: true },
    { name: 'rumur', file: 'reduction', hasTable: true },
    { name: 'tables', file: 'tables', hasTable: true },
    { name: 'table-one', file: 'table-one', hasTable: true },
    { name: 'incremental', file: 'incremental', hasTable: true },
    { name: 'first-state', file: 'first-state', hasTable: true },
    { name: 'passes', file: 'passes', hasTable: false },
    { name: 'automorphisms', file: 'automorphisms', hasTable: true },
    { name: 'editor', file: 'editor', hasTable: false },
    { name: 'scale', file: 'scale', hasTable: true },
    { name: 'threads', file: 'threads', hasTable: false },
    { name: 'answers', file: 'answers', hasTable: false },
    { name: 'murphi', file: 'murphi', hasTable: false },
    { name: 'house', file: 'house', hasTable: false },
    { name: 'repetitions', file: 'repetitions', hasTable: false },
    { name: 'agreement', file: 'agreement', hasTable: false },
    { name: 'partial-order', file: 'partial-order', hasTable: false },
    { name: 'numbers', file: 'numbers', hasTable: false },
    { name: 'numbers-times', file: 'numbers-times', hasTable: true },
    { name: 'equal-processes', file: 'equal-processes', hasTable: false },
    { name: 'logs', file: 'logs', hasTable: false },
    { name: 'mutants', file: 'mutants', hasTable: false },
    { name: 'temporal', file: 'temporal', hasTable: false },
    { name: 'every-size', file: 'every-size', hasTable: false },
    { name: 'dynamic', file: 'dynamic', hasTable: false },
    { name: 'uneven', file: 'uneven', hasTable: false },
    { name: 'expansion', file: 'expansion', hasTable: false },
    { name: 'completeness', file: 'completeness', hasTable: false },
    { name: 'uniform', file: 'uniform', hasTable: false },
    { name: 'uniform-times', file: 'uniform-times', hasTable: false },
    { name: 'explanations', file: 'explanations', hasTable: false },
    { name: 'fuzz', file: 'fuzz', hasTable: false },
].filter(({ file }) => existsSync(`${root}bench/${file}.ts`));

const words = process.argv.slice(2);
const isWriting = words.includes('--write');
const given = words.filter(word => word !== '--write');
const chosen = BENCHES.filter(({ name }) => name === given[0]);
const rounds = given.find(word => /^\d+$/.test(word));
const rest = given.filter(word => word !== chosen[0]?.name && word !== rounds);

if (given.length > 0 && chosen.length === 0 && !/^\d+$/.test(given[0] ?? '')) {
    process.stderr.write(`There is no bench '${given[0]}'; there are ${BENCHES.map(({ name }) => name).join(', ')}\n`);
    process.exit(2);
}

await buildCommand(root, `${root}out/bench`);
let worst = 0;
for (const bench of chosen.length > 0 ? chosen : BENCHES) {
    worst = Math.max(worst, await run(bench));
}
process.exitCode = worst;

/** @param {{ name: string, file: string, hasTable: boolean }} bench */
async function run({ name, file, hasTable }) {
    await bundle(`bench/${file}.ts`, `${file}.mjs`);
    const writes = isWriting && hasTable;
    const options = [
        ...(rounds === undefined ? [] : [`--rounds=${rounds}`]),
        ...(writes ? ['--table', `--results=${root}out/bench/${name}.jsonl`] : []),
        ...rest,
    ];
    process.stderr.write(`${name}\n`);
    const { status, stdout } = spawnSync(process.execPath, [`${root}out/bench/${file}.mjs`, ...options], {
        cwd: root,
        stdio: ['ignore', writes ? 'pipe' : 'inherit', 'inherit'],
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
    });
    if (writes) {
        process.stdout.write(stdout);
        if (status === 0) {
            writeResults(name, stdout);
        }
    }
    return status ?? 1;
}

/**
 * The first line of a file of results is its title, which stays.
 *
 * @param {string} name
 * @param {string} table
 */
function writeResults(name, table) {
    const path = `${root}bench/results/${name}.md`;
    const [title = ''] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${title}\n\n${table}`);
}

/**
 * @param {string} entry
 * @param {string} output
 */
async function bundle(entry, output) {
    await build({
        entryPoints: [`${root}${entry}`],
        outfile: `${root}out/bench/${output}`,
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
        logLevel: 'error',
    });
}
