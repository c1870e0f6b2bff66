import { expect } from 'vitest';
import { invariant } from '../engine/common/assert.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { Model } from '../engine/model/model.js';
import { analyze, type AnalysisOptions, type SymmetryAnalysis } from '../engine/pipeline.js';
import { loadModel, type ParameterTexts } from '../language-server/load-model.js';

export async function modelOf(text: string, parameters: ParameterTexts = []): Promise<Model> {
    const { model, problems } = await loadModel(text, 'file:///model.orbit', parameters);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    invariant(model !== undefined, 'a text without errors is a model');
    return model;
}

/** The symmetries of the model in the text, without a limit unless the options have one. */
export async function symmetryOf(text: string, options: Partial<AnalysisOptions> = {}): Promise<SymmetryAnalysis> {
    const { symmetry } = analyze(await modelOf(text), { now: () => 0, workLimit: UNLIMITED, ...options });
    invariant(symmetry !== undefined, 'a model without errors has symmetries');
    return symmetry;
}
