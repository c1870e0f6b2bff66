import { expect } from 'vitest';
import { invariant } from '../engine/common/assert.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { Model } from '../engine/model/model.js';
import { analyze, type Analysis, type AnalysisOptions, type SymmetryAnalysis } from '../engine/pipeline.js';
import { linearize } from '../engine/sequential/linearize.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { loadModel, type ParameterTexts } from '../language-server/load-model.js';

/** Values of parameters as numbers, or as texts. */
type Parameters = Readonly<Record<string, number>> | ParameterTexts;

export async function modelOf(text: string, parameters: Parameters = {}): Promise<Model> {
    const values =
        Symbol.iterator in parameters
            ? parameters
            : Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
    const { model, problems } = await loadModel(text, 'file:///model.orbit', values);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    invariant(model !== undefined, 'a text without errors is a model');
    return model;
}

export async function sequentialOf(text: string, parameters: Parameters = {}): Promise<SequentialModel> {
    const { sequential, problems } = linearize(await modelOf(text, parameters));
    invariant(sequential !== undefined, `the text is linearized: ${problems.map(({ message }) => message).join()}`);
    return sequential;
}

/** The analysis without explanations. */
export async function analysisOf(text: string, parameters: Parameters = {}): Promise<Analysis> {
    return analyze(await modelOf(text, parameters), { now: () => 0, workLimit: UNLIMITED, explain: false });
}

/** The symmetries of the model in the text, without a limit unless the options have one. */
export async function symmetryOf(text: string, options: Partial<AnalysisOptions> = {}): Promise<SymmetryAnalysis> {
    const { symmetry } = analyze(await modelOf(text), { now: () => 0, workLimit: UNLIMITED, ...options });
    invariant(symmetry !== undefined, 'a model without errors has symmetries');
    return symmetry;
}
