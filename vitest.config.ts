import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These replace a module of the engine, so that no other file may share modules with them. */
const MOCKED = ['test/cli/refuted.test.ts', 'test/cli/unchecked.test.ts'];

/** Long files first, and of these the largest: one of them that begins last runs alone while other processors have nothing to do. */
class LongFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
        const sorted = await super.sort(files);
        const long = new Set(
            sorted.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('// @module-tag long')),
        );
        return [...long, ...sorted.filter(file => !long.has(file))];
    }
}

export default defineConfig({
    test: {
        setupFiles: ['test/property-seed.ts'],
        // Only a test that hangs should reach them, on a machine with much else to do, too.
        testTimeout: 180_000,
        hookTimeout: 180_000,
        // By default one core is left to watching; on the two of a small machine that is half of them.
        maxWorkers: '100%',
        sequence: { sequencer: LongFirst },
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
