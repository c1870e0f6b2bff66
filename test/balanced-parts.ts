/**
 * Divides the files of the unit tests for `--shard` so that the parts take about equally long. Vitest itself counts
 * files, of which a few take most of the time; the part with more of them would keep one processor to itself at the end.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of processor time, roughly, of the files that take longest. */
const LONG: Readonly<Record<string, number>> = {
    'agreement.test.ts': 100,
    'scale/drivers.test.ts': 60,
    'models.test.ts': 40,
    'compiled-search/sharded-search.test.ts': 38,
    'dynamic/agreement.test.ts': 34,
    'dynamic/engine.test.ts': 31,
    'temporal/random-systems.test.ts': 31,
    'representative-code/compile-representative.test.ts': 28,
    'compiled-search/models.test.ts': 26,
    'explain/broken.test.ts': 26,
    'fuzz/fuzz.test.ts': 23,
    'agreement/completeness.test.ts': 20,
    'sequential/known-processes.test.ts': 17,
    'representative/representative.test.ts': 17,
    'cli/process.test.ts': 16,
    'temporal/models.test.ts': 15,
    'temporal/verdicts.test.ts': 15,
    'analysis-memory.test.ts': 15,
    'uniform/random-models.test.ts': 15,
    'compiled-search/compiled-initial-states.test.ts': 14,
    'explain/assertions.test.ts': 14,
    'cli/mcp.test.ts': 13,
    'lsp/server.test.ts': 13,
    'describe/describe-factors.test.ts': 12,
    'symmetry/size.test.ts': 12,
    'cli/expand.test.ts': 12,
    'uneven-start.test.ts': 12,
    'load-model.test.ts': 12,
    'library.test.ts': 12,
    'uniform/table.test.ts': 11,
    'lsp/sliced-parser.test.ts': 10,
    'constraints/decompose.test.ts': 10,
    'explain/explain.test.ts': 10,
};

const SECONDS_OF_OTHERS = 2;

export class BalancedParts extends BaseSequencer {
    /** The longest file that is left goes to the part that has least. */
    override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
        const { root, shard } = this.ctx.config;
        const folder = join(root, 'test');
        const missing = Object.keys(LONG).filter(file => !existsSync(join(folder, file)));
        if (missing.length > 0) {
            throw new Error(`test/balanced-parts.ts names files that are not there: ${missing.join(', ')}`);
        }
        const secondsOf = ({ moduleId }: TestSpecification): number =>
            LONG[relative(folder, moduleId).replaceAll('\\', '/')] ?? SECONDS_OF_OTHERS;
        const byName = [...files].sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
        const parts = Array.from({ length: shard?.count ?? 1 }, () => ({
            seconds: 0,
            files: [] as TestSpecification[],
        }));
        for (const file of byName.sort((one, other) => secondsOf(other) - secondsOf(one))) {
            const part = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least));
            part.seconds += secondsOf(file);
            part.files.push(file);
        }
        return Promise.resolve(parts[(shard?.index ?? 1) - 1]!.files);
    }
}
