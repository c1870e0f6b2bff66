/**
 * Many texts that no one means to write, given to the front end, to the providers of the editor and to the commands.
 *
 *     npx esbuild bench/fuzz.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/fuzz.mjs
 *     node out/bench/fuzz.mjs [--cases=20000] [--editor=2000] [--commands=4000] [--seed=7] [--kind=bytes|words|models] [--only=NUMBER]
 *
 * Run it from the folder of the project, whose models it damages. Writes one line of JSON for each kind and way: the
 * cases, how many were models, the longest time of a case in milliseconds of processor time with its number, and the
 * failures. A failure is kept as a model in test/regressions once it is repaired. Ends with 1 where there was one.
 */
import { examineCommands } from '../test/fuzz/commands.js';
import { examineEditor, examineLoading } from '../test/fuzz/examine.js';
import { FUZZ_KINDS, fuzzCase } from '../test/fuzz/texts.js';
import { InProcessServer } from '../test/lsp/in-process.js';
import { freshSeed } from './fresh-seed.js';

const text = (name: string): string | undefined =>
    process.argv.find(argument => argument.startsWith(`--${name}=`))?.split('=')[1];
const flag = (name: string, otherwise: number): number => Number(text(name) ?? otherwise);

const seed = flag('seed', freshSeed());

async function run(
    kind: string,
    way: string,
    count: number,
    examine: (number: number) => Promise<boolean>,
): Promise<void> {
    const failures: string[] = [];
    let models = 0;
    let slowest = { number: -1, milliseconds: 0 };
    const [first, end] = text('only') === undefined ? [0, count] : [flag('only', 0), flag('only', 0) + 1];
    for (let number = first; number < end; number++) {
        const before = process.cpuUsage();
        try {
            models += (await examine(number)) ? 1 : 0;
        } catch (error) {
            failures.push(`case ${number}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        }
        const milliseconds = Math.round(process.cpuUsage(before).user / 1000);
        if (milliseconds > slowest.milliseconds) {
            slowest = { number, milliseconds };
        }
    }
    console.log(JSON.stringify({ kind, way, seed, cases: end - first, models, slowest, failures }));
    if (failures.length > 0) {
        process.exitCode = 1;
    }
}

for (const kind of FUZZ_KINDS.filter(each => text('kind') === undefined || text('kind') === each)) {
    await run(kind, 'load', flag('cases', 20_000), number => examineLoading(fuzzCase(kind, seed, number)));
    const server = new InProcessServer();
    await run(kind, 'editor', flag('editor', 2000), async number => {
        await examineEditor(server, new TextDecoder().decode(fuzzCase(kind, seed, number)), number);
        return false;
    });
}

/** The commands, for so many of the damaged models that are models still. */
async function runCommands(count: number): Promise<void> {
    const failures: string[] = [];
    let models = 0;
    let number = flag('only', 0);
    for (; models < count; number++) {
        const bytes = fuzzCase('models', seed, number);
        if (await examineLoading(bytes).catch(() => false)) {
            models++;
            process.stderr.write(`\rcase ${number}`);
            const wrong = await examineCommands(new TextDecoder().decode(bytes), number);
            failures.push(...wrong.map(line => `case ${number}: ${line}`));
            wrong.forEach(line => console.error(`\nFAIL case ${number}: ${line}`));
        }
    }
    console.log(JSON.stringify({ kind: 'models', way: 'commands', seed, cases: number, models, failures }));
    if (failures.length > 0) {
        process.exitCode = 1;
    }
}

if (text('kind') === undefined || text('kind') === 'models') {
    await runCommands(text('only') === undefined ? flag('commands', 4000) : 1);
}
