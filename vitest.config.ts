import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.test.ts'],
        exclude: ['test/end-to-end/**'],
        setupFiles: ['test/property-seed.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        // By default one core is left to watching; on the two of a small machine that is half of them.
        maxWorkers: '100%',
    },
});
