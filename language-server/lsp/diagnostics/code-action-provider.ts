/** Actions for diagnostics: fixes derived from the text or tried by an analysis, and what leads from a violation to its run. */
import type { LangiumDocument } from 'langium';
import type { CodeActionProvider } from 'langium/lsp';
import { CodeActionKind, type CodeAction, type CodeActionParams, type Diagnostic } from 'vscode-languageserver';
import type { Fix } from '../../../engine/common/problem.js';
import { type UnfairStepDocument } from '../../document-schema.js';
import { OPEN_RUN_COMMAND, STEP_COMMAND } from '../../protocol.js';
import { fairnessFixes } from './make-fair.js';
import { quickFixesFor, type QuickFix } from './quick-fixes.js';

/** The `data` of a diagnostic, which the editor sends back when it asks for actions. */
export interface DiagnosticData {
    /** What the message says to write, and repairs that were tried. */
    readonly fixes?: readonly Fix[];
    /** Of a violation: what is violated, named as in ExploreParams. */
    readonly violated?: string;
    /** Of a violated temporal property: the steps to which its run is unfair. */
    readonly unfair?: readonly UnfairStepDocument[];
}

export class OrbitCodeActionProvider implements CodeActionProvider {
    getCodeActions(document: LangiumDocument, { context }: CodeActionParams): CodeAction[] {
        const uri = document.uri.toString();
        return context.diagnostics.flatMap(diagnostic => [
            ...runActions(diagnostic, uri),
            ...[
                ...offeredFixes(diagnostic, uri),
                ...fairnessFixes(dataOf(diagnostic).unfair ?? [], document),
                ...quickFixesFor(diagnostic, document),
            ].map(({ title, edits, isPreferred }) => ({
                title,
                kind: CodeActionKind.QuickFix,
                diagnostics: [diagnostic],
                isPreferred,
                edit: { changes: { [uri]: [...edits] } },
            })),
        ]);
    }
}

/** Actions that show how a violation comes about. */
function runActions(diagnostic: Diagnostic, uri: string): CodeAction[] {
    const { violated } = dataOf(diagnostic);
    if (violated === undefined) {
        return [];
    }
    const actionOf = (title: string, command: string, ...args: string[]): CodeAction => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        command: { title, command, arguments: [uri, ...args] },
    });
    return [
        actionOf('Open run', OPEN_RUN_COMMAND, violated),
        actionOf('Step through the model from its start', STEP_COMMAND),
    ];
}

/** The fixes of a diagnostic that edit only this document. */
export function offeredFixes(diagnostic: Diagnostic, uri: string): QuickFix[] {
    const { fixes = [] } = dataOf(diagnostic);
    return fixes
        .filter(({ edits }) => edits.every(({ range }) => range.uri === uri))
        .map(({ title, edits, isGuess }) => ({
            title,
            edits: edits.map(({ range: { start, end }, newText }) => ({ range: { start, end }, newText })),
            isPreferred: isGuess !== true,
        }));
}

function dataOf({ data }: Diagnostic): DiagnosticData {
    return typeof data === 'object' && data !== null ? (data as DiagnosticData) : {};
}
