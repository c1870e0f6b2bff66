/** What is proved for all values of the parameters, from the text of a document: at once, whatever these values are. */
import type { LangiumCoreServices, LangiumDocument } from 'langium';
import type { Model } from '../../generated/ast.js';
import { modelsOf } from '../../../language/references/imports.js';
import { inferSorts, type UniformSorts } from '../../../family/infer-sorts.js';
import { sizesOf } from '../../../family/sort-report.js';
import type { AnalysisService } from '../../analysis/analysis-service.js';
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

/** The parameters for all of whose values a verdict may be found: those of sets that move, if the text is narrow. */
export function everySizesOf(
    document: LangiumDocument,
    services: LangiumCoreServices,
    analysis: Pick<AnalysisService, 'isNarrow'>,
): readonly string[] {
    const sorts = uniformFactsOf(document, services);
    const sizes = sorts === undefined ? [] : sizesOf(sorts);
    return sizes.length > 0 && analysis.isNarrow(document, sizes) === true ? sizes : [];
}
