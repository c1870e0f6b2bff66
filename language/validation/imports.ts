/** Files with errors are told at the imports that lead to them. */
import { isImport, type Import, type Model } from '../generated/nodes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { importedModel, modelsOf } from '../references/imports.js';
import type { SourceText } from '../tree/node.js';
import { rangeOfProperty, sourceOf } from '../tree/source-text.js';

/** Reports one error at each import that leads to a file with errors, since that file may not be open. */
export function reportErrorsOfImports(model: Model, problems: ProblemCollector): void {
    const own = sourceOf(model)?.uri;
    const errors = problems.errors().filter(({ range }) => range.uri !== own);
    if (errors.length === 0) {
        return;
    }
    for (const node of model.declarations.filter(isImport)) {
        const files = filesBehind(node);
        const found = errors.find(({ range }) => files.some(({ uri }) => uri === range.uri));
        const file = files.find(({ uri }) => uri === found?.range.uri);
        if (found !== undefined && file !== undefined) {
            const name = file.path.slice(file.path.lastIndexOf('/') + 1);
            const line = found.range.start.line + 1;
            problems.error(
                'import/has-errors',
                `\`${name}\` has an error in line ${line}: ${found.message}`,
                rangeOfProperty(node, 'path'),
                [{ message: found.message, range: found.range }],
            );
        }
    }
}

/** The import of a model that leads to a file, directly or through other imports. */
export function importOf(model: Model, uri: string): Import | undefined {
    return model.declarations.filter(isImport).find(node => filesBehind(node).some(file => file.uri === uri));
}

/** The files that an import leads to. */
function filesBehind(node: Import): readonly SourceText[] {
    const imported = importedModel(node);
    return imported === undefined ? [] : modelsOf(imported).flatMap(model => sourceOf(model) ?? []);
}
