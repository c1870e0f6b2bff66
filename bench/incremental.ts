/**
 * The cost of an edit in a long model: 40 families of six processes, a thousand lines. The whole analysis of the edited model,
 * with the memory of the analysis before the edit (engine/analysis-memory.ts) and without, in turns.
 *
 *     npm run bench incremental [rounds] [-- part of a case's name]
 *
 * Counts are compared before any time is: what is worked out anew, and that nothing is searched after an edit of comments,
 * names or layout. The runner gives up where they are not as they should be, or where the two analyses find different
 * groups. Processor seconds in one process, after rounds that warm it up, as an editor is after some edits.
 */
import { UNLIMITED } from '../engine/common/work-limit.js';
import { AnalysisMemory } from '../engine/analysis-memory.js';
import type { Model } from '../engine/model/model.js';
import { analyze } from '../engine/pipeline.js';
import type { SymmetryReport } from '../engine/describe/report.js';
import { loadModel } from '../language-server/load-model.js';
import { familyModel, guardOf, INSTANCES } from '../test/arbitrary/family-model.js';
import { benchOptions, formatSpread, head, report, row, spread, type Spread } from './measure.js';

const FAMILIES = 40;

/** Rounds before those that count. */
const WARM_UP = 3;

/** An edit, and the most constraints that may be worked out after it. */
interface Case {
    readonly name: string;
    readonly edit: (text: string) => string;
    readonly mostEncoded: number;
    readonly isSearched: boolean;
}

const GUARD = guardOf(6, FAMILIES);

const CASES: readonly Case[] = [
    {
        name: 'one guard',
        edit: text => text.replace(GUARD.before, GUARD.after),
        mostEncoded: INSTANCES,
        isSearched: true,
    },
    { name: 'a comment', edit: text => `// A remark.\n${text}`, mostEncoded: 0, isSearched: false },
    { name: 'another layout', edit: text => text.replaceAll('    ', '  '), mostEncoded: 0, isSearched: false },
    { name: 'a new name', edit: text => text.replaceAll('load6', 'burden'), mostEncoded: 0, isSearched: false },
];

interface Result {
    readonly case: string;
    readonly rounds: number;
    readonly lines: number;
    readonly encoded: number;
    readonly constraints: number;
    readonly treeNodes: number;
    readonly full: Spread;
    readonly incremental: Spread;
    readonly fullConstraints: Spread;
    readonly incrementalConstraints: Spread;
    readonly ratio: Spread;
}

const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
};

interface Run {
    readonly report: SymmetryReport;
    readonly seconds: number;
}

function analysisOf(model: Model, memory?: AnalysisMemory): Run {
    const start = cpuSeconds();
    const { symmetry } = analyze(model, { now: cpuSeconds, workLimit: UNLIMITED, ...(memory && { memory }) });
    if (symmetry === undefined) {
        throw new Error('the model has errors');
    }
    return { report: symmetry.report, seconds: cpuSeconds() - start };
}

function must(condition: boolean, message: string): void {
    if (!condition) {
        throw new Error(message);
    }
}

function compare(each: Case, base: Model, edited: Model, lines: number, rounds: number): Result {
    const full: Run[] = [];
    const incremental: Run[] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
        const memory = new AnalysisMemory();
        analysisOf(base, memory);
        const [without, withMemory] =
            round % 2 === 0
                ? [analysisOf(edited), analysisOf(edited, memory)]
                : [analysisOf(edited, memory), analysisOf(edited)].reverse();
        if (without === undefined || withMemory === undefined) {
            throw new Error('there are two analyses');
        }
        const { work } = withMemory.report;
        must(without.report.order === withMemory.report.order, `${each.name}: the groups differ`);
        must(work.fragmentsEncoded <= each.mostEncoded, `${each.name}: ${work.fragmentsEncoded} constraints anew`);
        must(each.isSearched || work.treeNodes === 0, `${each.name}: ${work.treeNodes} nodes were searched`);
        if (round >= 0) {
            full.push(without);
            incremental.push(withMemory);
        }
    }
    const { work } = incremental[0]!.report;
    return {
        case: each.name,
        rounds,
        lines,
        encoded: work.fragmentsEncoded,
        constraints: work.fragmentsEncoded + work.fragmentsReused,
        treeNodes: work.treeNodes,
        full: spread(full.map(({ seconds }) => seconds)),
        incremental: spread(incremental.map(({ seconds }) => seconds)),
        fullConstraints: spread(full.map(run => run.report.timings.encode)),
        incrementalConstraints: spread(incremental.map(run => run.report.timings.encode)),
        ratio: spread(full.map(({ seconds }, round) => incremental[round]!.seconds / seconds)),
    };
}

async function modelOf(text: string): Promise<Model> {
    const { model, problems } = await loadModel(text, 'file:///families.orbit');
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return model;
}

const options = benchOptions(process.argv.slice(2));
const text = familyModel(FAMILIES);
const base = await modelOf(text);
const cases = await Promise.all(CASES.map(async each => ({ ...each, model: await modelOf(each.edit(text)) })));
report(cases, options, {
    nameOf: ({ name }) => name,
    measure: each => compare(each, base, each.model, text.split('\n').length, options.rounds),
    head: head(
        'Edit',
        'Constraints anew',
        'of',
        'Nodes searched',
        'Whole, anew',
        'With memory',
        'Part',
        'Constraints, anew',
        'With memory',
    ),
    row: result =>
        row(
            result.case,
            result.encoded,
            result.constraints,
            result.treeNodes,
            formatSpread(result.full),
            formatSpread(result.incremental),
            result.ratio.median.toFixed(2),
            formatSpread(result.fullConstraints),
            formatSpread(result.incrementalConstraints),
        ),
});
