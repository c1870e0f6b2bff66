/** What an editor is told about a request that it has taken back: not that it failed. */
import { isOperationCancelled } from 'langium';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';

/** The answer, or the error by which the editor knows that it has taken the request back. */
export async function unlessCancelled<Answer>(work: () => Promise<Answer>): Promise<Answer | ResponseError<never>> {
    try {
        return await work();
    } catch (error) {
        if (isOperationCancelled(error)) {
            return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
        }
        throw error;
    }
}
