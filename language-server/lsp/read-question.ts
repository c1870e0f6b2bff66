/** A question to a model while it is being written (question/asked-question.ts). */
import type { LangiumDocument } from 'langium';
import { InsertTextFormat, type CancellationToken, type CompletionItem } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { lowerWithQuestion, type LoadedQuestion } from '../load-model.js';
import { valuesInForce } from '../parsing/chosen-parameters.js';
import type { QuestionCompletion, QuestionResult } from '../protocol.js';
import { askedQuestion } from '../question/asked-question.js';
import type { Question } from '../question/question.js';
import { modelOf } from '../references/imports.js';
import type { OrbitServices, OrbitSharedServices } from './services.js';
import { ALWAYS_DECLARATION, OUTSIDE_DECLARATION } from './while-parsing/declaration-words.js';

/** More words are not offered. */
const MOST_COMPLETIONS = 50;

/** The model of a validated document without errors with one more run, with the values of parameters that count. */
export function lowerQuestion(
    document: LangiumDocument,
    question: Question,
    { ServiceRegistry, analysis }: OrbitSharedServices,
): Promise<LoadedQuestion> {
    const model = modelOf(document);
    const chosen = [...analysis.Parameters.valuesOf(document.uri)];
    const counting = new Map(chosen.filter(([name]) => model !== undefined && valuesInForce(model).has(name)));
    return lowerWithQuestion(document, question, counting, ServiceRegistry.getServices(document.uri));
}

/** What is wrong with a question to a validated document without errors, and the words that may stand at its end. */
export async function readQuestion(
    document: LangiumDocument,
    question: Question,
    services: OrbitServices,
    token: CancellationToken,
): Promise<QuestionResult> {
    const { problems } = await lowerQuestion(document, question, services.shared);
    const problem = problems.find(({ severity }) => severity === 'error');
    const asked = await askedQuestion(document, question, services);
    const text = asked.document.textDocument;
    const { length } = text.getText();
    const params = { textDocument: { uri: text.uri }, position: text.positionAt(length) };
    const list = await services.lsp.CompletionProvider?.getCompletion(asked.document, params, token);
    const completions = (list?.items ?? []).flatMap(
        item => toCompletion(item, text, length - question.text.length) ?? [],
    );
    return {
        ...(problem !== undefined && { problem: problem.message }),
        completions: completions.slice(0, MOST_COMPLETIONS),
    };
}

/** Undefined for snippets, which have places to fill in, and for words that begin a declaration. */
function toCompletion(item: CompletionItem, text: TextDocument, start: number): QuestionCompletion | undefined {
    const { label, detail, textEdit, insertTextFormat } = item;
    const isDeclaration = ALWAYS_DECLARATION.has(label) || OUTSIDE_DECLARATION.has(label);
    if (
        textEdit === undefined ||
        !('range' in textEdit) ||
        insertTextFormat === InsertTextFormat.Snippet ||
        isDeclaration
    ) {
        return undefined;
    }
    return {
        label,
        ...(detail !== undefined && { detail }),
        from: text.offsetAt(textEdit.range.start) - start,
        text: textEdit.newText,
    };
}
