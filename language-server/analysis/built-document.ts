/** A document as built: its text and, without errors, its model. Equal models with equal positions have one key, in all sessions. */
import type { LangiumDocument } from 'langium';
import { DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { sameData } from '../../engine/common/same-data.js';
import type { Model } from '../../engine/model/model.js';
import type { DocumentProblem, ProblemsDocument } from '../document-schema.js';
import { modelKey, sourceKey, UNKEYED_FIELDS } from './model-key.js';
import type { KeyedModel } from './worker-pool.js';

export interface BuiltDocument {
    readonly document: LangiumDocument;
    readonly text: TextDocument;
    /** Absent if the document has errors. */
    readonly keyed: KeyedModel | undefined;
    /** Of the text and its imports, without the values of parameters. */
    readonly sourceKey: string;
}

/** Undefined if the editor has a newer text. A model that equals one of the known models takes its key. */
export function toBuiltDocument(
    document: LangiumDocument,
    lower: (document: LangiumDocument) => Model | undefined,
    known: readonly KeyedModel[],
): BuiltDocument | undefined {
    const text = builtText(document);
    if (text === undefined) {
        return undefined;
    }
    const model = hasErrors(document) ? undefined : lower(document);
    const keyed =
        model &&
        (known.find(other => sameData(other.model, model, UNKEYED_FIELDS)) ?? {
            key: modelKey(model),
            document: text.uri,
            model,
        });
    return { document, text, keyed, sourceKey: sourceKey(document) };
}

/** The text that a document was parsed from; undefined if the editor has sent a newer one in the meantime. */
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
