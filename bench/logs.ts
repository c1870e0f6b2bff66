/**
 * Judges logs of random runs with `orbit match`: names that are not known, and steps that are not shown.
 *
 *     npm run bench logs [rounds] [-- part of a case's name]
 *
 * A line of JSON for each log: its lines, the symmetries and the most candidates before a line, processor seconds from the
 * command to its end, and the memory in MB. Each log must fit. Needs the program `time`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariant } from '../engine/common/assert.js';
import { createRandom } from '../engine/common/random.js';
import { InitialStates } from '../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../engine/explore/successors.js';
import { stepFacts, type ParticipantFacts } from '../engine/match/step-facts.js';
import { formatValue } from '../engine/model/domain.js';
import { linearize } from '../engine/sequential/linearize.js';
import { formatState } from '../engine/describe/shown-state.js';
import { loadModel } from '../language-server/load-model.js';
import {
    benchOptions,
    COMMAND_LINE,
    formatMegabytes,
    head,
    measured,
    modelFile,
    needPrograms,
    report,
    row,
    spread,
    withFolder,
    type ModelCase,
} from './measure.js';

interface LogCase extends ModelCase {
    readonly name: string;
    readonly lines: number;
    readonly hidden: readonly string[];
    /** Steps of the text that get a label, so that a log can show them: text and label. */
    readonly labels: readonly (readonly [text: string, label: string])[];
    /** What a line says beside the step: of who takes it, and of the state behind it. */
    readonly said: (participant: ParticipantFacts, texts: readonly string[], after: Shown) => Record<string, unknown>;
}

type Shown = ReturnType<typeof formatState>;

/** The values 1 to 5 as the log calls them. */
const NAMES = ['delta', 'alpha', 'echo', 'charlie', 'bravo'];

const CASES: readonly LogCase[] = [
    {
        name: 'german-cache, 100,000 lines of caches',
        model: 'german-cache',
        parameters: { N: 5 },
        lines: 100_000,
        hidden: ['revoke'],
        labels: [
            ['order[i] ? grantShared', 'getShared'],
            ['order[i] ? grantExclusive', 'getExclusive'],
            ['order[i] ? invalidate', 'lose'],
        ],
        said: ({ family }, [value = ''], after) => ({
            process: `${family}[${nameOf(value)}]`,
            line: after[`line[${value}]`],
        }),
    },
];

needPrograms();
const options = benchOptions(process.argv.slice(2), 3);
const cases = await Promise.all(CASES.map(async each => ({ ...each, log: await randomLog(each) })));
report(cases, options, {
    nameOf: ({ name }) => name,
    measure: each =>
        withFolder(folder => {
            const file = join(folder, 'log.jsonl');
            const model = join(folder, `${each.model}.orbit`);
            writeFileSync(file, each.log);
            writeFileSync(model, textOf(each));
            const values = Object.entries(each.parameters).flatMap(([name, value]) => [
                '--param',
                `${name}=${String(value)}`,
            ]);
            const hidden = each.hidden.flatMap(label => ['--hide', label]);
            const costs = Array.from({ length: options.rounds }, () =>
                measured(
                    [process.execPath, COMMAND_LINE, 'match', model, file, ...values, ...hidden, '--json'],
                    folder,
                ),
            );
            const [{ lines, symmetries, mostCandidates }] = (
                JSON.parse(costs[0]!.output) as {
                    readonly logs: [
                        { readonly lines: number; readonly symmetries: string; readonly mostCandidates: number },
                    ];
                }
            ).logs;
            const seconds = spread(costs.map(cost => cost.seconds));
            const peakBytes = Math.max(...costs.map(cost => cost.peakBytes));
            return {
                case: each.name,
                lines,
                symmetries,
                mostCandidates,
                seconds,
                megabytes: Math.round(peakBytes / 2 ** 20),
            };
        }),
    head: head('Log', 'Lines', 'Symmetries', 'Most candidates', 'Time', 'Memory'),
    row: result =>
        row(
            result.case,
            result.lines,
            result.symmetries,
            result.mostCandidates,
            `${result.seconds.median} s`,
            formatMegabytes(result.megabytes * 2 ** 20),
        ),
});

function nameOf(value: string): string {
    return NAMES[Number(value) - 1] ?? value;
}

function textOf({ model, labels }: LogCase): string {
    const text = readFileSync(modelFile(model), 'utf8');
    return labels.reduce((labeled, [step, label]) => labeled.replace(step, `${label}: ${step}`), text);
}

/** The seen lines of a random run, which begins again where nothing more can happen. */
async function randomLog(each: LogCase): Promise<string> {
    const { model: file, parameters, lines, hidden, said } = each;
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
    const { model } = await loadModel(textOf(each), `file:///${file}.orbit`, values);
    const sequential = model && linearize(model).sequential;
    invariant(model !== undefined && sequential !== undefined, 'the model has no errors');
    const facts = stepFacts(model, sequential);
    const successors = interpretedSuccessors(sequential);
    for (let seed = 1; ; seed++) {
        const random = createRandom(seed);
        const state = new Int32Array(sequential.cells.length);
        new InitialStates(sequential).nextInto(state);
        const log: string[] = [];
        while (log.length < lines) {
            let count = 0;
            let chosen = { summand: -1, after: state };
            successors.forEachFiring(state, {
                fired: (summand, after) => {
                    if (random.below(++count) === 0) {
                        chosen = { summand, after: after.slice() };
                    }
                    return true;
                },
                faulted: () => true,
            });
            if (count === 0) {
                break;
            }
            const { participants, labels } = facts[chosen.summand]!;
            const [label] = [...labels].filter(name => !hidden.includes(name));
            state.set(chosen.after);
            if (label !== undefined) {
                const participant = participants.find(each => each.labels.has(label))!;
                const texts = participant.indices.map(({ domain, value }) => formatValue(domain, value));
                const shown = formatState(sequential, state);
                log.push(`${JSON.stringify({ step: label, ...said(participant, texts, shown) })}\n`);
            }
        }
        if (log.length === lines) {
            return log.join('');
        }
    }
}
