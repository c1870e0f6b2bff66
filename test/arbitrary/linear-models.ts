import type * as fc from 'fast-check';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { printModel } from '../reference/print.js';
import { models } from './models.js';

/** A random model, printed and read; undefined if the language server refuses it. */
export function loadedModels(): fc.Arbitrary<() => Promise<Model | undefined>> {
    return models().map(model => async () => (await loadModel(printModel(model), 'file:///random.orbit')).model);
}

/** The same, linearized; undefined also if linearization refuses it, for a race for example. */
export function linearModels(): fc.Arbitrary<() => Promise<SequentialModel | undefined>> {
    return loadedModels().map(load => async () => {
        const model = await load();
        return model && linearize(model).sequential;
    });
}
