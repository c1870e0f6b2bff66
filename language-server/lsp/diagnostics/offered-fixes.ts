/** Fixes that come with a diagnostic: what an analysis has checked, where a look at the text would not be enough. */
import type { Diagnostic, Range } from 'vscode-languageserver';
import type { QuickFix } from './quick-fixes.js';

/** The `data` of a diagnostic, which the editor sends back when it asks for fixes. */
export interface DiagnosticData {
    readonly fixes: readonly OfferedFix[];
}

export interface OfferedFix {
    readonly title: string;
    readonly edits: readonly { readonly uri: string; readonly range: Range; readonly newText: string }[];
}

/** The fixes of a diagnostic for a document; none that edits another one. */
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
