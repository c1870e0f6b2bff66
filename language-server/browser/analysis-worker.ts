/** The entry of a web worker that computes, bundled on its own: connects the job runner to its messages. */
import { JobRunner } from '../analysis/worker-jobs.js';
import type { WorkerRequest } from '../analysis/worker-protocol.js';
import { bundleStarter, whenStarted } from './bundles.js';
import { SearchThreads } from './search-threads.js';

/** The messages of engines of browsers. */
const STACK_EXCEEDED = /maximum call stack|stack overflow|too much recursion/i;

whenStarted(folder => {
    const threads = new SearchThreads(bundleStarter(folder, 'search-thread.js'));
    const runner = new JobRunner({
        now: () => performance.now(),
        post: reply => {
            const isTooDeep = reply.kind === 'failed' && STACK_EXCEEDED.test(reply.message);
            postMessage(isTooDeep ? { ...reply, isTooDeep } : reply);
        },
        searchThreads: most => threads.host(most),
    });
    onmessage = async ({ data: request }: MessageEvent<WorkerRequest>): Promise<void> => {
        if (request.kind === 'explore') {
            await threads.prepare(request.limits.threads ?? 1);
        }
        runner.run(request);
    };
});
