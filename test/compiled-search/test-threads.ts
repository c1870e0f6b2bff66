/** Threads for searches in tests: their code is bundled once, as it is for the packages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';
import type { WorkerHost } from '../../engine/explore/worker-host.js';

export const folder = mkdtempSync(join(tmpdir(), 'orbit-threads-'));
const bundle = join(folder, 'search-thread.cjs');
buildSync({
    entryPoints: ['language-server/analysis/search-thread.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: bundle,
    logLevel: 'warning',
});
afterAll(() => {
    rmSync(folder, { recursive: true });
});

export interface TestThreads extends WorkerHost {
    /** In the order in which they were started. */
    readonly threads: readonly Worker[];
    readonly ended: () => Promise<unknown>;
}

/** The same host as that of the packages, but for a record of its threads. `change` may replace what they are given. */
export function testThreads(threadCount: number, change = (data: unknown): unknown => data): TestThreads {
    const threads: Worker[] = [];
    const ends: Promise<unknown>[] = [];
    return {
        threadCount,
        threads,
        ended: () => Promise.all(ends),
        start(data, ended) {
            const thread = new Worker(bundle, { workerData: change(data) });
            threads.push(thread);
            ends.push(new Promise(resolve => thread.once('exit', resolve)));
            thread.once('error', ({ message }) => {
                ended(message);
            });
            thread.once('exit', code => {
                ended(`it ended with code ${String(code)}`);
            });
            thread.unref();
            return { terminate: () => void thread.terminate() };
        },
    };
}
