/** What is proved for all values of the parameters, from the text of a document: at once, whatever these values are. */
import type { LangiumCoreServices, LangiumDocument } from 'langium';
import type { Model } from '../../generated/ast.js';
import { modelsOf } from '../../../language/references/imports.js';
import { ALL, familyOf } from '../../family-of-document.js';
import { inferSorts, type UniformSorts } from '../../../family/infer-sorts.js';
import { sizesOf } from '../../../family/uniform-report.js';
import { OrbitDocumentValidator } from '../../validation/validator.js';

/** By model, with the files that it stands on: an import may have changed. */
const known = new WeakMap<Model, { readonly files: readonly Model[]; readonly sorts: UniformSorts }>();

/** Undefined for a text with errors. */
export function uniformFactsOf(
    document: LangiumDocument,
    { validation }: LangiumCoreServices,
): UniformSorts | undefined {
    const validator = validation.DocumentValidator;
    const result = validator instanceof OrbitDocumentValidator ? validator.lastResult(document) : undefined;
    const model = result?.checked?.model;
    // The result may be older than the text.
    if (model === undefined || model !== document.parseResult.value) {
        return undefined;
    }
    const files = modelsOf(model);
    const before = known.get(model);
    if (
        before !== undefined &&
        files.length === before.files.length &&
        files.every((file, i) => file === before.files[i])
    ) {
        return before.sorts;
    }
    const sorts = inferSorts(model);
    known.set(model, { files, sorts });
    return sorts;
}

/** By sorts the answer of `everySizesOf`, with the chosen values that it is about. */
const knownSizes = new WeakMap<UniformSorts, { readonly chosen: string; readonly names: readonly string[] }>();

/**
 * The parameters for all of whose values a verdict may be found, as far as the text alone tells. `values`: those that are
 * chosen for parameters.
 */
export function everySizesOf(
    document: LangiumDocument,
    services: LangiumCoreServices,
    values: ReadonlyMap<string, string>,
): readonly string[] {
    const sorts = uniformFactsOf(document, services);
    if (sorts === undefined) {
        return [];
    }
    const chosen = JSON.stringify([...values]);
    const before = knownSizes.get(sorts);
    if (before?.chosen === chosen) {
        return before.names;
    }
    const sizes = sizesOf(sorts);
    const parameters = new Map([...values, ...sizes.map(name => [name, ALL] as const)]);
    const isFamily =
        sizes.length > 0 && familyOf(document, parameters, services.parser.LangiumParser).kind === 'family';
    const names = isFamily ? sizes : [];
    knownSizes.set(sorts, { chosen, names });
    return names;
}
