/** The document of a question (asked-run.ts) has the URI of its model with a query, so its path is the same. */
export const QUESTION = 'question';

/** Whether a place is one of a question. */
export function isQuestion(uri: string): boolean {
    return uri.endsWith(`?${QUESTION}`);
}
