/** Explorations of texts with templates. */
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { withSlots } from '../../engine/model/with-slots.js';
import { findSymmetries, startExploration, startRound, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import type { Model } from '../../engine/model/model.js';

export type Options = Partial<ReducedExplorationOptions>;

const SEARCH = { now: () => 0, workLimit: UNLIMITED };

/** Without the claim that all has been explored if that is not so; a text with an error is thrown. */
export async function explored(
    text: string,
    options: Options = {},
    parameters: Readonly<Record<string, number>> = {},
): Promise<ExplorationReport> {
    const analysis = findSymmetries(await modelOf(text, parameters), SEARCH);
    return run(startExploration(analysis, withDefaults(options), UNLIMITED).exploration);
}

/** With so many slots for each template, and no more. */
export async function exploredWithSlots(
    text: string,
    slots: number,
    options: Options = {},
): Promise<ExplorationReport> {
    const model = await modelOf(text);
    const templates = model.processes.flatMap(({ template }, process) => (template === undefined ? [] : [process]));
    const analysis = findSymmetries(withSlots(model, new Map(templates.map(process => [process, slots]))), SEARCH);
    const { sequential } = analysis;
    invariant(sequential !== undefined, 'the text is right');
    return run(startRound({ ...analysis, sequential }, withDefaults(options), UNLIMITED).states.exploration);
}

export async function modelOf(text: string, parameters: Readonly<Record<string, number>> = {}): Promise<Model> {
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
    const { model, problems } = await loadModel(text, 'file:///test.orbit', values);
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return model;
}

function withDefaults(options: Options): ReducedExplorationOptions {
    return { reduction: 'auto', continueAfterViolation: true, ...options };
}

function run(exploration: ReturnType<typeof startExploration>['exploration']): ExplorationReport {
    while (!exploration.advance(UNLIMITED));
    const { report, problems } = exploration.result();
    if (report === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return report;
}
