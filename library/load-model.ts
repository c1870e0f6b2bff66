/** From a text to a model of the engine, or to what is wrong with the text. */
import type { Problem } from '../engine/common/problem.js';
import type { Model } from '../engine/model/model.js';
import { loadModel as load } from '../language-server/load-model.js';

/** How to read a text. */
export interface LoadOptions {
    /** Values by the names of parameters; arrays, records and names as the text would write them: `'[3, 3, 2]'`. */
    readonly parameters?: Readonly<Record<string, string | number | boolean>>;
    /** The name of the text in the places of problems; imports are relative to it. `memory:/model.orbit` when absent. */
    readonly uri?: string;
    /** Reads a file that the text imports. When absent, imports are problems. */
    readonly readImport?: (uri: string) => Promise<ImportedText>;
}

/** The content of an imported file, or the reason why there is none, as a clause: `there is no such file`. */
export type ImportedText = { readonly content: string | Uint8Array } | { readonly reason: string };

/** A model, or why there is none. */
export interface LoadedModel {
    /** Absent if a problem is an error. */
    readonly model?: Model;
    /** Errors and warnings with their places, in the order of the text. Lines and characters count from 0. */
    readonly problems: readonly Problem[];
    /** Warnings about names that nothing uses; empty if there is no model. */
    readonly advice: readonly Problem[];
}

const DEFAULT_URI = 'memory:/model.orbit';

/** Reads a model from a text or from the bytes of a file. What is wrong with the text is in the result, never thrown. */
export async function loadModel(text: string | Uint8Array, options: LoadOptions = {}): Promise<LoadedModel> {
    const { parameters = {}, uri = DEFAULT_URI, readImport } = options;
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
    const { model, problems, advice = [] } = await load(text, uri, values, readImport);
    const hasErrors = problems.some(({ severity }) => severity === 'error');
    return { ...(model !== undefined && !hasErrors && { model }), problems, advice };
}
