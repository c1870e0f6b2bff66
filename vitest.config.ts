import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.test.ts'],
        exclude: ['test/end-to-end/**'],
        setupFiles: ['test/property-seed.ts'],
        // Only a test that hangs should reach them, on a machine with much else to do, too.
        testTimeout: 180_000,
        hookTimeout: 180_000,
        // By default one core is left to watching; on the two of a small machine that is half of them.
        maxWorkers: '100%',
    },
});
