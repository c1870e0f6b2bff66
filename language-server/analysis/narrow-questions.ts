/**
 * Whether views may answer for all values of parameters of a text. A worker says so, once for each text with the values of
 * its parameters: before it has, the answer is not known.
 */
import type { LangiumDocument } from 'langium';
import { CancellationToken } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { toPosted } from '../../language/posting/posted-family.js';
import { toDocumentParameters } from '../documents.js';
import type { EverySize } from '../family-of-document.js';
import type { KeyedModel, WorkerPool } from './worker-pool.js';

interface Options {
    readonly pool: Pick<WorkerPool, 'everySize'>;
    readonly familyOf: (document: LangiumDocument, names: readonly string[]) => EverySize;
    readonly logError: (message: string) => void;
}

interface Question {
    /** Of the text, the values of its parameters and those that have all. */
    readonly key: string;
    isNarrow: boolean | undefined;
}

/** A text of which a worker knows nothing after this time may be narrow. */
const MOST_MILLISECONDS = 2_000;

export class NarrowQuestions {
    readonly #options: Options;
    readonly #answered: (document: LangiumDocument) => void;
    /** The last question about each document. */
    readonly #last = new WeakMap<LangiumDocument, Question>();

    constructor(options: Options, answered: (document: LangiumDocument) => void) {
        this.#options = options;
        this.#answered = answered;
    }

    /** Asks if that is not known; `keyed` is the model of the present text. */
    isNarrow(document: LangiumDocument, names: readonly string[], keyed: KeyedModel): boolean | undefined {
        const text = document.textDocument.getText();
        const key = JSON.stringify([keyed.key, toDocumentParameters(keyed.model), names, text]);
        const last = this.#last.get(document);
        if (last?.key === key) {
            return last.isNarrow;
        }
        const question: Question = { key, isNarrow: undefined };
        this.#last.set(document, question);
        void this.#ask(document, names, keyed, question);
        return question.isNarrow;
    }

    /** A check has found that views cannot answer. */
    refuse(document: LangiumDocument): void {
        const last = this.#last.get(document);
        if (last !== undefined) {
            last.isNarrow = false;
        }
    }

    async #ask(
        document: LangiumDocument,
        names: readonly string[],
        keyed: KeyedModel,
        question: Question,
    ): Promise<void> {
        const { pool, familyOf, logError } = this.#options;
        const family = familyOf(document, names);
        if (family.kind !== 'family') {
            question.isNarrow = false;
            return;
        }
        try {
            const { problems } = await pool.everySize(
                keyed,
                {
                    ask: 'narrow',
                    text: { uri: document.uri.toString(), content: document.textDocument.getText() },
                    family: toPosted(family.family),
                    property: undefined,
                    limits: { milliseconds: MOST_MILLISECONDS },
                },
                CancellationToken.None,
            );
            question.isNarrow = problems.length === 0;
            this.#answered(document);
        } catch (error) {
            if (!(error instanceof OperationCancelled)) {
                logError(String(error));
            }
        }
    }
}
