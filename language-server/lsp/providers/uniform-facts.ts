/** What is proved for all values of the parameters, from the text of a document: at once, whatever these values are. */
import { AstUtils, type AstNode } from 'langium';
import * as ast from '../../generated/ast.js';
import { modelsOf } from '../../references/imports.js';
import { inferSorts, type UniformSorts } from '../../uniform/infer-sorts.js';

/** By model, with the files that it stands on: an import may have changed. */
const known = new WeakMap<ast.Model, { readonly files: readonly ast.Model[]; readonly sorts: UniformSorts }>();

/** Only for a model without errors. */
export function uniformFactsOf(node: AstNode): UniformSorts | undefined {
    const model = AstUtils.getDocument(node).parseResult.value;
    if (!ast.isModel(model)) {
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
