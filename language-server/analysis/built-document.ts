/**
 * A document as the server built it: its text, and the engine's model where it has no error.
 *
 * Two texts mean the same when they are lowered to the same model, source positions included: results point at the text.
 */
import type { LangiumDocument } from 'langium';
import { DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { NONE } from '../../engine/model/domain.js';
import type { Model } from '../../engine/model/model.js';
import type { DocumentProblem, ProblemsDocument } from '../protocol.js';
import type { KeyedModel } from './worker-pool.js';

export interface BuiltDocument {
    readonly document: LangiumDocument;
    readonly text: TextDocument;
    /** Absent where the document has errors. */
    readonly keyed: KeyedModel | undefined;
}

/** Undefined where the editor has sent a newer text than the one that was built. */
export function toBuiltDocument(
    document: LangiumDocument,
    lower: (document: LangiumDocument) => Model | undefined,
): BuiltDocument | undefined {
    const text = builtText(document);
    if (text === undefined) {
        return undefined;
    }
    const model = hasErrors(document) ? undefined : lower(document);
    return { document, text, keyed: model && { key: modelKey(model), document: text.uri, model } };
}

/** The text that a document was parsed from; undefined where the editor has sent a newer one in the meantime. */
function builtText(document: LangiumDocument): TextDocument | undefined {
    const { uri, languageId, version } = document.textDocument;
    const parsed = document.parseResult.value.$cstNode?.root.fullText;
    return parsed === document.textDocument.getText()
        ? TextDocument.create(uri, languageId, version, parsed)
        : undefined;
}

function hasErrors(document: LangiumDocument): boolean {
    return document.diagnostics?.some(diagnostic => diagnostic.severity === DiagnosticSeverity.Error) === true;
}

/** Equal for equal models. JSON has no infinity, which is how models write `none`. */
function modelKey(model: Model): string {
    return JSON.stringify(model, (_, value: unknown) => (value === NONE ? 'none' : value));
}

export function toProblems(problems: readonly DocumentProblem[]): ProblemsDocument {
    return { schemaVersion: 1, problems };
}

/** The errors and warnings that the editor shows, as a document. */
export function problemsOf(document: LangiumDocument): ProblemsDocument {
    return toProblems(
        (document.diagnostics ?? []).map(({ severity, code, message, range }) => ({
            severity: toSeverity(severity),
            code: String(code ?? ''),
            message,
            file: document.uri.toString(),
            line: range.start.line + 1,
            column: range.start.character + 1,
            endLine: range.end.line + 1,
            endColumn: range.end.character + 1,
        })),
    );
}

function toSeverity(severity: DiagnosticSeverity | undefined): DocumentProblem['severity'] {
    if (severity === DiagnosticSeverity.Error) {
        return 'error';
    }
    return severity === DiagnosticSeverity.Warning ? 'warning' : 'information';
}
