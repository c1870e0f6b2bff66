/** The answer to a request that the editor has cancelled: `RequestCancelled`, not a failure. */
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
