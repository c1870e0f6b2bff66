/**
 * What it takes from a typed model of a thousand lines to the first state of its exploration.
 *
 *     npm run bench first-state [rounds] [-- part of a case's name]
 *
 * An editor analyzes a model when it is saved, so an exploration begins with what is known of it, in a process that has
 * worked before; a command has to find the symmetries first, or without a reduction the linear form alone, in a process
 * that has just begun. Processor milliseconds: the analysis, and from there to the first state, which is the choice of a
 * strategy, the passes and generated code.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { Model } from '../engine/model/model.js';
import { analyze, startExploration, type Analysis, type Reduction } from '../engine/pipeline.js';
import { linearize } from '../engine/sequential/linearize.js';
import { loadModel } from '../language-server/load-model.js';
import { familyModel } from '../test/arbitrary/family-model.js';
import { longModel } from '../test/arbitrary/long-model.js';
import { benchOptions, formatSpread, head, report, row, spread, type Spread } from './measure.js';

/** Rounds before those that count. */
const WARM_UP = 5;

const MODELS: Readonly<Record<string, string>> = {
    'forty families of six': familyModel(40),
    'a thousand lines': longModel(1000),
};
const REDUCTIONS: readonly Reduction[] = ['none', 'auto', 'unique'];

interface Case {
    readonly model: string;
    readonly reduction: Reduction;
}

const CASES: readonly Case[] = Object.keys(MODELS).flatMap(model =>
    REDUCTIONS.map(reduction => ({ model, reduction })),
);

const nameOf = ({ model, reduction }: Case): string => `${model}, ${reduction}`;

/** In milliseconds. */
interface Latency {
    readonly analysis: number;
    readonly firstState: number;
}

interface Result {
    readonly case: string;
    readonly lines: number;
    readonly rounds: number;
    readonly warmAnalysis: Spread;
    readonly warmFirstState: Spread;
    readonly coldAnalysis: Spread;
    readonly coldFirstState: Spread;
}

function now(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
}

type Begin = (model: Model) => Pick<Analysis, 'model' | 'sequential' | 'symmetry'>;

const analyzed: Begin = model => analyze(model, { now, workLimit: UNLIMITED, explain: false });
const linearized: Begin = model => ({ model, ...linearize(model) });

function latencyOf(model: Model, reduction: Reduction, begin: Begin): Latency {
    const start = now();
    const analysis = begin(model);
    const found = now();
    const { exploration } = startExploration(analysis, { reduction, now }, UNLIMITED);
    exploration.advance({ isExhausted: () => true });
    const end = now();
    if (exploration.progress().states !== 1) {
        throw new Error(`${String(exploration.progress().states)} states in place of the first one`);
    }
    exploration.close();
    return { analysis: found - start, firstState: end - found };
}

/** In a process of its own, which says it in a line of JSON. */
function coldLatencyOf(each: Case): Latency {
    const { stdout, status, stderr } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), `--once=${nameOf(each)}`],
        { encoding: 'utf8' },
    );
    if (status !== 0) {
        throw new Error(stderr);
    }
    return JSON.parse(stdout) as Latency;
}

function measure(each: Case, model: Model, rounds: number): Result {
    const warm: Latency[] = [];
    const cold: Latency[] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
        const latency = latencyOf(model, each.reduction, analyzed);
        if (round >= 0) {
            warm.push(latency);
            cold.push(coldLatencyOf(each));
        }
    }
    const spreadOf = (latencies: readonly Latency[], part: keyof Latency): Spread =>
        spread(latencies.map(latency => latency[part]));
    return {
        case: nameOf(each),
        lines: MODELS[each.model]!.split('\n').length,
        rounds,
        warmAnalysis: spreadOf(warm, 'analysis'),
        warmFirstState: spreadOf(warm, 'firstState'),
        coldAnalysis: spreadOf(cold, 'analysis'),
        coldFirstState: spreadOf(cold, 'firstState'),
    };
}

async function modelOf(name: string): Promise<Model> {
    const { model, problems } = await loadModel(MODELS[name]!, 'file:///model.orbit');
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return model;
}

const options = benchOptions(process.argv.slice(2));
const once = CASES.find(each => nameOf(each) === options.once);
if (once !== undefined) {
    const begin = once.reduction === 'none' ? linearized : analyzed;
    process.stdout.write(`${JSON.stringify(latencyOf(await modelOf(once.model), once.reduction, begin))}\n`);
} else {
    const cases = await Promise.all(CASES.map(async each => ({ ...each, typed: await modelOf(each.model) })));
    const milliseconds = (times: Spread): string => formatSpread(times, ' ms', 0);
    report(cases, options, {
        nameOf,
        measure: each => measure(each, each.typed, options.rounds),
        head: head(
            'Case',
            'Lines',
            'First state, warm',
            'Analysis before, warm',
            'First state, cold',
            'Analysis before, cold',
        ),
        row: result =>
            row(
                result.case,
                result.lines,
                milliseconds(result.warmFirstState),
                milliseconds(result.warmAnalysis),
                milliseconds(result.coldFirstState),
                milliseconds(result.coldAnalysis),
            ),
    });
}
