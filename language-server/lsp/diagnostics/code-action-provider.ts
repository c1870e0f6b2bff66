/** The quick fixes for the diagnostics that the editor asks about. */
import type { LangiumDocument } from 'langium';
import type { CodeActionProvider } from 'langium/lsp';
import { CodeActionKind, type CodeAction, type CodeActionParams } from 'vscode-languageserver';
import { offeredFixes } from './offered-fixes.js';
import { quickFixesFor } from './quick-fixes.js';

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
