/** Quick fixes for diagnostics: those derived from the text, and those that an analysis has tried. */
import type { LangiumDocument } from 'langium';
import type { CodeActionProvider } from 'langium/lsp';
import {
    CodeActionKind,
    type CodeAction,
    type CodeActionParams,
    type Diagnostic,
    type Range,
} from 'vscode-languageserver';
import { quickFixesFor, type QuickFix } from './quick-fixes.js';

/** The `data` of a diagnostic, which the editor sends back when it asks for fixes. */
export interface DiagnosticData {
    readonly fixes: readonly OfferedFix[];
}

export interface OfferedFix {
    readonly title: string;
    readonly edits: readonly { readonly uri: string; readonly range: Range; readonly newText: string }[];
}

export class OrbitCodeActionProvider implements CodeActionProvider {
    getCodeActions(document: LangiumDocument, { context }: CodeActionParams): CodeAction[] {
        return context.diagnostics.flatMap(diagnostic =>
            [...offeredFixes(diagnostic, document.uri.toString()), ...quickFixesFor(diagnostic, document)].map(
                ({ title, edits, isPreferred }) => ({
                    title,
                    kind: CodeActionKind.QuickFix,
                    diagnostics: [diagnostic],
                    isPreferred,
                    edit: { changes: { [document.uri.toString()]: [...edits] } },
                }),
            ),
        );
    }
}

/** The fixes of a diagnostic that edit only this document. */
export function offeredFixes({ data }: Diagnostic, uri: string): QuickFix[] {
    const fixes = isDiagnosticData(data) ? data.fixes : [];
    return fixes
        .filter(({ edits }) => edits.every(edit => edit.uri === uri))
        .map(({ title, edits }) => ({
            title,
            edits: edits.map(({ range, newText }) => ({ range, newText })),
            isPreferred: false,
        }));
}

function isDiagnosticData(data: unknown): data is DiagnosticData {
    return typeof data === 'object' && data !== null && 'fixes' in data && Array.isArray(data.fixes);
}
