import { defineConfig } from 'vitest/config';

/** These replace a module of the engine, so that no other file may share modules with them. */
const MOCKED = ['test/cli/refuted.test.ts', 'test/cli/unchecked.test.ts'];

export default defineConfig({
    test: {
        setupFiles: ['test/property-seed.ts'],
        // Only a test that hangs should reach them, on a machine with much else to do, too.
        testTimeout: 180_000,
        hookTimeout: 180_000,
        // By default one core is left to watching; on the two of a small machine that is half of them.
        maxWorkers: '100%',
        tags: [
            { name: 'long', description: 'Takes seconds: left out by `npm test -- --quick`.' },
            { name: 'thorough', description: 'Takes long for what it adds: only in `npm test -- --all`.' },
        ],
        projects: [
            {
                extends: true,
                // Loading the engine for each file again would be a quarter of the time.
                test: {
                    name: 'shared',
                    isolate: false,
                    include: ['test/**/*.test.ts'],
                    exclude: ['test/end-to-end/**', ...MOCKED],
                },
            },
            { extends: true, test: { name: 'mocked', include: MOCKED } },
        ],
    },
});
