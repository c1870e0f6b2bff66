/** Waiting for an event, until the caller gives up. */
import type { Event } from 'langium';
import type { CancellationToken } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';

/** Resolves with the next event; rejects with OperationCancelled when `token` comes first. */
export function nextEvent(event: Event<unknown>, token: CancellationToken): Promise<void> {
    return new Promise((resolve, reject) => {
        if (token.isCancellationRequested) {
            reject(new OperationCancelled());
            return;
        }
        const subscriptions = [
            event(() => {
                settle();
                resolve();
            }),
            token.onCancellationRequested(() => {
                settle();
                reject(new OperationCancelled());
            }),
        ];
        function settle(): void {
            for (const subscription of subscriptions) {
                subscription.dispose();
            }
        }
    });
}
