/** The limits of a browser, whose workers have half the stack: what is nested more deeply is refused there. */
import { EmptyFileSystem } from 'langium';
import { expect, test } from 'vitest';
import { createLanguageServerServices } from '../../language-server/lsp/lsp-module.js';
import { type NestingLimits, NESTING_LIMITS_IN_BROWSERS } from '../../language-server/parsing/lexer.js';

/** What the lexer reports about a loop in a loop, so many times. */
function errorsAt(depth: number, nesting?: NestingLimits): readonly string[] {
    const { Orbit } = createLanguageServerServices({
        fileSystem: EmptyFileSystem.fileSystemProvider(),
        startWorkerThread: () => {
            throw new Error('nothing is analyzed');
        },
        ...(nesting !== undefined && { nesting }),
        now: () => 0,
        logError: () => undefined,
        log: () => undefined,
    });
    const text = `process P ${'{ loop '.repeat(depth)}{ skip }${' }'.repeat(depth)}`;
    return Orbit.parser.Lexer.tokenize(text).errors.map(({ message }) => message);
}

test.each([
    [24, undefined, 0],
    [25, /^the text is nested too deeply here; at most 25 levels and 250 operators in one expression are possible$/, 1],
])('%d levels and one more', (depth, message, count) => {
    const errors = errorsAt(depth, NESTING_LIMITS_IN_BROWSERS);
    expect(errors).toHaveLength(count);
    expect(errors[0] ?? '').toMatch(message ?? '');
    expect(errorsAt(depth)).toEqual([]);
});
