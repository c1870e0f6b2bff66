/** Random texts and damaged models get a fast answer. `bench/fuzz.ts` tries many more of them. */
// @module-tag long
import { describe, expect, test } from 'vitest';
import { cases } from '../cases.js';
import { patient } from '../patience.js';
import { InProcessServer } from '../lsp/in-process.js';
import { examineEditor, examineLoading } from './examine.js';
import { FUZZ_KINDS, fuzzCase } from './texts.js';

const SEED = 20_261_121;
const CASES = cases(500, 7);
/** Fewer cases, since each makes all requests of an editor. */
const EDITOR_CASES = cases(60);
/** Processor time for a text of at most 200 lines, on a quiet machine. */
const LIMIT_MILLISECONDS = 1000;

/** The numbers of the cases that failed. */
async function failures(count: number, run: (number: number) => Promise<unknown>): Promise<string[]> {
    const failed: string[] = [];
    for (let number = 0; number < count; number++) {
        const before = process.cpuUsage();
        try {
            await run(number);
        } catch (error) {
            failed.push(`case ${number}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        }
        const { user } = process.cpuUsage(before);
        // V8 compiles the code during the first cases.
        if (user / 1000 > patient(LIMIT_MILLISECONDS) && number > 20) {
            failed.push(`case ${number} took ${Math.round(user / 1000)} milliseconds`);
        }
    }
    return failed;
}

describe.each(FUZZ_KINDS)('random %s', kind => {
    test('are a model or have an error in the text', async () => {
        expect(await failures(CASES, number => examineLoading(fuzzCase(kind, SEED, number)))).toEqual([]);
    }, 300_000);

    test('are no trouble in the editor', async () => {
        const server = new InProcessServer();
        const run = (number: number): Promise<void> =>
            examineEditor(server, new TextDecoder().decode(fuzzCase(kind, SEED, number)), number);
        expect(await failures(EDITOR_CASES, run)).toEqual([]);
    }, 300_000);
});

test('some damaged models are models still', async () => {
    let models = 0;
    for (let number = 0; number < 100; number++) {
        models += (await examineLoading(fuzzCase('models', SEED, number))) ? 1 : 0;
    }
    expect(models).toBeGreaterThan(5);
});
