/** Imports: each finds a file, and the file has no errors. */
import { AstUtils, UriUtils, type LangiumDocument } from 'langium';
import type { Import } from '../generated/ast.js';
import { importedModel, modelsOf } from '../../language/references/imports.js';
import { importTargetOf, importsOf } from '../references/imports.js';
import { rangeOf, rangeOfProperty } from '../../language/tree/source-text.js';
import type { ProblemCollector } from '../../language/problems/problem-collector.js';

/** Checks the imports of one file, but not the imported files. */
export function checkImports(document: LangiumDocument, problems: ProblemCollector): void {
    const seen = new Map<LangiumDocument, (typeof imports)[number]>();
    const imports = importsOf(document);
    for (const node of imports) {
        const target = importTargetOf(node);
        const range = rangeOfProperty(node, 'path');
        if (target?.kind !== 'document') {
            const reason = target?.reason ?? 'files cannot be read here';
            problems.error('import/not-found', `\`${node.path}\` cannot be imported: ${reason}`, range);
            continue;
        }
        const first = seen.get(target.document);
        if (target.document === document) {
            problems.error('import/itself', 'a file does not import itself: its own declarations are known', range);
        } else if (first !== undefined) {
            const related = [{ message: 'first imported here', range: rangeOf(first) }];
            problems.warning('import/repeated', 'this file is imported already', range, related);
        } else {
            seen.set(target.document, node);
        }
    }
}

/** Reports one error at each import that leads to a file with errors, since that file may not be open. */
export function reportErrorsOfImports(document: LangiumDocument, problems: ProblemCollector): void {
    const own = document.uri.toString();
    const errors = problems.errors().filter(({ range }) => range.uri !== own);
    if (errors.length === 0) {
        return;
    }
    for (const node of importsOf(document)) {
        const files = filesBehind(node);
        const found = errors.find(({ range }) => files.some(({ uri }) => uri.toString() === range.uri));
        const file = files.find(({ uri }) => uri.toString() === found?.range.uri);
        if (found !== undefined && file !== undefined) {
            const name = UriUtils.basename(file.uri);
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

/** The import of a document that leads to a file, directly or through other imports. */
export function importOf(document: LangiumDocument, uri: string): Import | undefined {
    return importsOf(document).find(node => filesBehind(node).some(file => file.uri.toString() === uri));
}

/** The files that an import leads to. */
function filesBehind(node: Import): readonly LangiumDocument[] {
    const imported = importedModel(node);
    return imported === undefined ? [] : modelsOf(imported).map(AstUtils.getDocument);
}
