import { defineConfig } from 'vitest/config';
import { patient } from '../patience.js';

/** Run by vscode-extension/workbench/test.js, which starts the workbench that the tests drive. One page, so one file at a time. */
export default defineConfig({
    test: {
        include: ['test/end-to-end/**/*.test.ts'],
        fileParallelism: false,
        isolate: false,
        sequence: { concurrent: false },
        testTimeout: patient(120_000),
        hookTimeout: patient(180_000),
        tags: [
            {
                name: 'gate',
                description: 'What `npm test` runs: the way of a user through the parts. `--all` runs every test.',
            },
        ],
    },
});
