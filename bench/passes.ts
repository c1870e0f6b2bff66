/**
 * What the passes over a model gain, and what they cost (engine/passes), on models of this repository.
 *
 *     npx esbuild bench/passes.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/passes.mjs
 *     node out/bench/passes.mjs [--rounds=5] [part of a case's name]
 *
 * Explores each case without reduction, with no passes, with those that run by default and with all of them, taking turns.
 * Writes the rows of a table for bench/results. Seconds are those of the processor, passes and compiling the model
 * included, the median of the rounds; bits and bytes are of a state in the table of states.
 */
import { readFileSync } from 'node:fs';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { DEFAULT_PASSES, PASSES, type PassName, type PassReport } from '../engine/passes/pass-names.js';
import { startExploration } from '../engine/pipeline.js';
import { linearize } from '../engine/sequential/linearize.js';
import { loadModel } from '../language-server/load-model.js';
import { modelFile } from './measure.js';

interface Case {
    /** Of the files in `models/`. */
    readonly model: string;
    readonly parameters: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
    { model: 'peterson', parameters: { N: '5' } },
    { model: 'leader-election-ring', parameters: { N: '5' } },
    { model: 'paxos-single', parameters: { N: '3', B: '3' } },
    { model: 'elevator', parameters: { N: '8' } },
    { model: 'dining-philosophers', parameters: { N: '11' } },
    { model: 'bounded-buffer', parameters: { P: '5', C: '5', K: '5' } },
    { model: 'milner-scheduler', parameters: { N: '13' } },
    { model: 'three-tier', parameters: { clients: '[4, 4, 3]' } },
    { model: 'german-cache', parameters: {} },
    { model: 'raft-election', parameters: {} },
    { model: 'two-phase-commit', parameters: { N: '7' } },
    { model: 'mcs-lock', parameters: { N: '4' } },
];

const CHOICES: Readonly<Record<string, readonly PassName[]>> = { none: [], default: DEFAULT_PASSES, all: PASSES };

interface Run {
    readonly states: number;
    readonly transitions: number;
    readonly bytesPerState: number;
    readonly seconds: number;
    readonly passes: readonly PassReport[];
}

type Loaded = Parameters<typeof startExploration>[0];

async function load({ model: name, parameters }: Case): Promise<Loaded> {
    const file = modelFile(name);
    const { model, problems } = await loadModel(readFileSync(file), `file:///${file}`, Object.entries(parameters));
    const { sequential } = model === undefined ? {} : linearize(model);
    if (model === undefined || sequential === undefined) {
        throw new Error(`${name}: ${problems.map(({ message }) => message).join('\n')}`);
    }
    return { model, sequential };
}

function run(loaded: Loaded, passes: readonly PassName[]): Run {
    const before = process.cpuUsage();
    const { exploration, passes: reports } = startExploration(
        loaded,
        { reduction: 'none', continueAfterViolation: true, passes },
        UNLIMITED,
    );
    exploration.advance(UNLIMITED);
    const { user, system } = process.cpuUsage(before);
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('there is no initial state');
    }
    const { states, transitions, bytesPerState } = report;
    return { states, transitions, bytesPerState, seconds: (user + system) / 1e6, passes: reports };
}

const rounds = Number(process.argv.find(argument => argument.startsWith('--rounds='))?.slice(9) ?? 5);
const part = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? '';

console.log('| Case | Passes | States | Transitions | Bytes per state | Seconds | What they did |');
console.log('|---|---|---:|---:|---:|---:|---|');
for (const each of CASES.filter(({ model }) => model.includes(part))) {
    const loaded = await load(each);
    const runs = new Map<string, Run[]>(Object.keys(CHOICES).map(name => [name, []]));
    for (let round = 0; round < rounds; round++) {
        for (const [name, passes] of Object.entries(CHOICES)) {
            runs.get(name)?.push(run(loaded, passes));
        }
    }
    const values = Object.entries(each.parameters).map(([name, value]) => `${name}=${value}`);
    const title = [each.model, ...values];
    for (const [name, all] of runs) {
        const [first] = all;
        if (first === undefined) {
            continue;
        }
        const seconds = all.map(one => one.seconds).sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
        const did = first.passes.flatMap(({ name: _, ...counts }) =>
            Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${what} ${String(count)}`] : [])),
        );
        const counts = [first.states, first.transitions, first.bytesPerState].map(count =>
            count.toLocaleString('en-US'),
        );
        console.log(`| ${[title.join(' '), name, ...counts, seconds.toFixed(2), did.join(', ')].join(' | ')} |`);
    }
}
