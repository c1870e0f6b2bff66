/** The values of expressions in a state of a model: each is lowered as the text would be, and all are asked for at once. */
import type { LangiumDocument } from 'langium';
import type { CancellationToken } from 'vscode-languageserver';
import type { Problem } from '../../engine/common/problem.js';
import type { Model } from '../../engine/model/model.js';
import type { StepsParams, StepsResult } from '../protocol.js';
import type { Question } from '../question/question.js';
import { modelKey } from './model-key.js';
import type { KeyedModel, WorkerPool } from './worker-pool.js';

/** The model of a document with what a question asks for; `run` is the name of a run, if there is nothing wrong. */
export type LowerQuestion = (
    document: LangiumDocument,
    model: Model,
    question: Question,
    token: CancellationToken,
) => Promise<{ readonly model?: Model; readonly problems: readonly Problem[]; readonly run?: string }>;

/** The values in `state`, or at the start; for an expression without a value what is wrong with it. */
export async function valuesIn(
    state: StepsParams['state'],
    expressions: readonly string[],
    { keyed, document }: { readonly keyed: KeyedModel; readonly document: LangiumDocument },
    { lowerQuestion, pool }: { readonly lowerQuestion: LowerQuestion; readonly pool: WorkerPool },
    token: CancellationToken,
): Promise<StepsResult> {
    const questions = await Promise.all(
        expressions.map(text => lowerQuestion(document, keyed.model, { kind: 'value', text }, token)),
    );
    // The models differ in what is asked alone.
    const asked = questions.flatMap(({ model }) => model?.asked ?? []);
    const model = { ...keyed.model, asked };
    const options = { ...(state !== undefined && { state }), isAsked: true };
    const answer =
        asked.length === 0
            ? { values: [] }
            : await pool.steps({ ...keyed, key: modelKey(model), model }, options, token);
    const found = [...(answer.values ?? [])];
    return answer.values === undefined
        ? answer
        : { values: questions.map(({ model, problems }) => (model && found.shift()) ?? problemIn(problems)) };
}

function problemIn(problems: readonly Problem[]): string {
    return problems.find(({ severity }) => severity === 'error')?.message ?? 'no value';
}
