/** A question to a model: `run`: does some run come there, `c then d`? `value`: the value of an expression in a state. */
export interface Question {
    readonly kind: 'run' | 'value';
    readonly text: string;
}

/** The document of a question (asked-question.ts) has the URI of its model with a query, so its path is the same. */
export const QUESTION = 'question';

/** Whether a place is one of a question. */
export function isQuestion(uri: string): boolean {
    return uri.endsWith(`?${QUESTION}`);
}
