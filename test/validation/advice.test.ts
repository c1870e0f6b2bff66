/** Warnings for models without errors: a text can ignore them, and the published models have none. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';

/** The codes of warnings and advice, by line from 1. */
async function found(text: string): Promise<string[]> {
    const { problems, advice = [] } = await loadModel(text, 'file:///advice.orbit');
    return [...problems, ...advice].map(({ code, range }) => `${range.start.line + 1} ${code}`);
}

const PROCESS = 'process P { skip }';

test.each([
    ['behind the line', 'const N = 3 // orbit-ignore unused/constant\n'],
    ['behind other words', 'const N = 3 // for later; orbit-ignore unused/constant: see below\n'],
    ['on a line of its own', '// orbit-ignore unused/constant\nconst N = 3\n'],
    ['before more comments', '// orbit-ignore unused/constant\n/// The number.\n// Of all.\nconst N = 3\n'],
    ['with several codes', '// orbit-ignore unused/type, unused/constant\nconst N = 3\n'],
    ['with line ends of another system', '// orbit-ignore unused/constant\r\nconst N = 3\r\n'],
])('a warning is ignored %s', async (_, text) => {
    expect(await found(text + PROCESS)).toEqual([]);
});

test.each([
    ['of another code', '// orbit-ignore unused/type\nconst N = 3\n', 2],
    ['further below', '// orbit-ignore unused/constant\n\nconst N = 3\n', 3],
    [
        'above a comment behind a line',
        'var x: bool[2] // orbit-ignore unused/constant, unused/variable\nconst N = 3\n',
        2,
    ],
    ['without a code', 'const N = 3 // orbit-ignore\n', 1],
])('a warning %s is not ignored', async (_, text, line) => {
    expect(await found(text + PROCESS)).toEqual([`${line} unused/constant`]);
});

test('an error is never ignored', async () => {
    expect(await found(`var x: bool = 3 // orbit-ignore type/mismatch\n${PROCESS}`)).toEqual(['1 type/mismatch']);
});

test('every name of the published models is of use', async () => {
    for (const file of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        expect(await found(readFileSync(`models/${file}`, 'utf8')), file).toEqual([]);
    }
});
