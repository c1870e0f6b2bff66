/** The steps that no run takes, as hints. After an edit nothing is reported, since source positions have changed. */
import type { LangiumDocument } from 'langium';
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { FinishedExploration } from '../../analysis/analysis-service.js';

const UNREACHED_CODE = 'explore/unreached';

/** Several explorations of one model know the same steps; the first one that knows any speaks for all. */
export function explorationDiagnostics(
    explorations: readonly (FinishedExploration & { readonly isStale: boolean })[],
    document: LangiumDocument,
): Diagnostic[] {
    const current = explorations.find(({ isStale, document: { unreached } }) => !isStale && unreached !== undefined);
    const own = document.uri.toString();
    return (current?.document.unreached ?? [])
        .filter(({ location }) => location.file === own)
        .map(({ process, label, location: { line, column, endLine, endColumn } }) => ({
            range: {
                start: { line: line - 1, character: column - 1 },
                end: { line: endLine - 1, character: endColumn - 1 },
            },
            severity: DiagnosticSeverity.Hint,
            tags: [DiagnosticTag.Unnecessary],
            code: UNREACHED_CODE,
            message: `no run takes the step \`${process} ${label}\`: all states were explored, and in none of them it is possible`,
            source: 'orbit',
        }));
}
