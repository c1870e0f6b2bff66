import { defineConfig } from 'vitest/config';

/** Run by vscode-extension/workbench/test.js, which starts the workbench that the tests drive. One page, so one file at a time. */
export default defineConfig({
    test: {
        include: ['test/end-to-end/**/*.test.ts'],
        fileParallelism: false,
        sequence: { concurrent: false },
        testTimeout: 120_000,
        hookTimeout: 180_000,
    },
});
