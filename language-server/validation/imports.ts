/** Each import finds a file. */
import type { LangiumDocument } from 'langium';
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
