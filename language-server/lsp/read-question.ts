/** A question to a model while it is being written (question/asked-question.ts). */
import type { LangiumCoreServices, LangiumDocument } from 'langium';
import { InsertTextFormat, type CancellationToken, type CompletionItem } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { Model } from '../../engine/model/model.js';
import { lowerWithQuestion, type LoadedQuestion } from '../load-model.js';
import { valuesInForce } from '../parsing/chosen-parameters.js';
import type { QuestionCompletion, QuestionResult } from '../protocol.js';
import { askedQuestion, type AskedQuestion } from '../question/asked-question.js';
import type { Question } from '../question/question.js';
import { modelOf } from '../references/imports.js';
import type { OrbitServices, OrbitSharedServices } from './services.js';
import { ALWAYS_DECLARATION, OUTSIDE_DECLARATION } from './while-parsing/declaration-words.js';

/** More words are not offered. */
const MOST_COMPLETIONS = 50;

/** The model of a validated document with what a question asks for; with the values of parameters that count. */
export async function lowerQuestion(
    document: LangiumDocument,
    model: Model,
    question: Question,
    { ServiceRegistry, analysis }: OrbitSharedServices,
    token: CancellationToken,
): Promise<LoadedQuestion> {
    const services = ServiceRegistry.getServices(document.uri);
    const asked = await askedQuestion(document, question, services);
    return lowered(document, model, asked, { services, analysis, token });
}

function lowered(
    document: LangiumDocument,
    model: Model,
    asked: AskedQuestion,
    { services, analysis, token }: Asking,
): LoadedQuestion {
    const tree = modelOf(document);
    const chosen = [...analysis.Parameters.valuesOf(document.uri)];
    const counting = new Map(chosen.filter(([name]) => tree !== undefined && valuesInForce(tree).has(name)));
    return lowerWithQuestion(model, asked, counting, services, work => {
        if (token.isCancellationRequested) {
            throw new OperationCancelled();
        }
        return work();
    });
}

interface Asking {
    readonly services: LangiumCoreServices;
    readonly analysis: OrbitSharedServices['analysis'];
    readonly token: CancellationToken;
}

/** What is wrong with a question to a validated document, and the words that may stand at its end. */
export async function readQuestion(
    document: LangiumDocument,
    model: Model,
    question: Question,
    services: OrbitServices,
    token: CancellationToken,
): Promise<QuestionResult> {
    const asked = await askedQuestion(document, question, services);
    const { problems } = lowered(document, model, asked, { services, analysis: services.shared.analysis, token });
    const problem = problems.find(({ severity }) => severity === 'error');
    const text = asked.document.textDocument;
    const { length } = text.getText();
    const params = { textDocument: { uri: text.uri }, position: text.positionAt(length) };
    const list = await services.lsp.CompletionProvider?.getCompletion(asked.document, params, token);
    const start = length - question.text.length;
    const completions = (list?.items ?? []).flatMap(item => toCompletion(item, text, start) ?? []);
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
