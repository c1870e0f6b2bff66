/**
 * No times: whether models of Murphi mean the same here. Each is imported; its states are compared with those that Rumur
 * counts without symmetry (Debian: rumur, gcc), and where no start state is left out, one of each orbit with its exhaustive
 * reduction.
 *
 *     npm run bench murphi -- --folder=/path/to/models [--seconds=60] [part of a file's name]
 *
 * A line of JSON for each model: `rejected` with the reasons, `equal`, `violated` where both find an error, `large` where a
 * limit was met, `not counted` where this Rumur makes no verifier, `not Murphi` where it refuses the text as well, or
 * `different`. Then how many there are of each; the exit code is 1 if any is different.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFormatted } from '../language-server/import-murphi.js';
import { explore, loadModel } from '../library/index.js';
import { needPrograms } from './measure.js';

type Outcome = 'rejected' | 'equal' | 'violated' | 'large' | 'different' | 'not counted' | 'not Murphi';

interface Comparison {
    readonly file: string;
    readonly outcome: Outcome;
    readonly reasons?: readonly string[];
    readonly states?: number | string;
    readonly rumurStates?: number | string;
    readonly orbits?: number | string;
    readonly rumurOrbits?: number | string;
}

/** States, or why there is no number of them. */
type Count = number | 'error' | 'large' | 'wrong';

const valueOf = (name: string): string | undefined =>
    process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);

const seconds = Number(valueOf('seconds') ?? 60);

function rumur(folder: string, setting: 'off' | 'exhaustive'): Count {
    const options = `--symmetry-reduction ${setting} --value-type int32_t --threads 1 --deadlock-detection stuck --counterexample-trace off`;
    const made = spawnSync(
        'sh',
        [
            '-c',
            `rumur ${options} -o verifier.c model.m && gcc -O1 -w -std=c11 -o verifier verifier.c -lpthread -latomic`,
        ],
        {
            cwd: folder,
            encoding: 'utf8',
        },
    );
    if (made.status !== 0) {
        return 'wrong';
    }
    const { stdout, signal } = spawnSync('./verifier', {
        cwd: folder,
        encoding: 'utf8',
        timeout: seconds * 1000,
        maxBuffer: 2 ** 28,
    });
    const states = /(\d+) states, \d+ rules fired/.exec(stdout)?.[1];
    return signal !== null
        ? 'large'
        : states === undefined || !/^\s*No error found/m.test(stdout)
          ? 'error'
          : Number(states);
}

async function orbit(text: string, reduction: 'none' | 'unique'): Promise<Count> {
    const { model } = await loadModel(text);
    if (model === undefined) {
        return 'wrong';
    }
    const now = (): number => performance.now();
    const { report, problems } = explore(model, { reduction, timeLimit: { milliseconds: seconds * 1000, now } });
    if (report === undefined) {
        return problems.some(({ code }) => code === 'model/initial-fault') ? 'error' : 'wrong';
    }
    return report.violations.length > 0 ? 'error' : report.limit === undefined ? report.states : 'large';
}

async function compare(path: string, file: string): Promise<Comparison> {
    const text = readFileSync(path, 'utf8');
    const imported = await importFormatted(text, `file://${path}`, file);
    const errors = imported.problems.filter(({ severity }) => severity === 'error');
    const folder = mkdtempSync(join(tmpdir(), 'orbit-bench-'));
    try {
        writeFileSync(join(folder, 'model.m'), text);
        if (imported.text === undefined || errors.length > 0) {
            const reasons = [...new Set(errors.map(({ code, message }) => `${code}: ${message}`))];
            return { file, outcome: rumur(folder, 'off') === 'wrong' ? 'not Murphi' : 'rejected', reasons };
        }
        const [states, rumurStates] = [await orbit(imported.text, 'none'), rumur(folder, 'off')];
        const found = { file, states, rumurStates };
        if (rumurStates === 'wrong' && states !== 'wrong') {
            return { ...found, outcome: 'not counted' };
        }
        if (states === 'wrong' || states !== rumurStates) {
            return { ...found, outcome: states === 'large' || rumurStates === 'large' ? 'large' : 'different' };
        }
        if (typeof states === 'string') {
            return { ...found, outcome: states === 'error' ? 'violated' : 'large' };
        }
        // Rumur reduces by scalarsets only.
        if (!/scalarset/i.test(text)) {
            return { ...found, outcome: 'equal' };
        }
        const [orbits, rumurOrbits] = [await orbit(imported.text, 'unique'), rumur(folder, 'exhaustive')];
        const isLess = typeof orbits === 'number' && typeof rumurOrbits === 'number' && orbits <= rumurOrbits;
        const isOpen = rumurOrbits === 'large' || orbits === 'large';
        return { ...found, orbits, rumurOrbits, outcome: isLess ? 'equal' : isOpen ? 'large' : 'different' };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

needPrograms('rumur', 'gcc');
const root = valueOf('folder') ?? '';
const part = process.argv.slice(2).find(word => !word.startsWith('--')) ?? '';
const counts = new Map<Outcome, number>();
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.m') && file.includes(part)) {
        const comparison = await compare(join(root, file), file);
        counts.set(comparison.outcome, (counts.get(comparison.outcome) ?? 0) + 1);
        process.stdout.write(`${JSON.stringify(comparison)}\n`);
    }
}
process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`);
process.exitCode = counts.has('different') ? 1 : 0;
