/** What does not go together with numbers without end yet is refused at its place, in words. */
import { expect, test } from 'vitest';
import { linearize } from '../../engine/sequential/linearize.js';
import { loadModel } from '../../language-server/load-model.js';

/** The codes of the problems, by the words of the text at which they stand. */
async function problemsOf(text: string): Promise<readonly (readonly [string, string])[]> {
    const { model, problems } = await loadModel(text, 'file:///test.orbit');
    const all = model === undefined ? problems : linearize(model).problems;
    const lines = text.split('\n');
    return all
        .filter(({ severity }) => severity === 'error')
        .map(({ code, range: { start, end } }) => [
            code,
            (lines[start.line] ?? '').slice(start.character, end.line === start.line ? end.character : undefined),
        ]);
}

test.each([
    ['level < x', 'a variable with an end', 'number/finite', 'level'],
    ['x < level + 1', 'a sum with an end', 'number/finite', 'level + 1'],
    ['x == 201', 'a constant that is too large', 'number/large', 'x == 201'],
    ['x mod 300 == 1', 'a modulus that is too large', 'number/large', 'x mod 300'],
    ['x mod 199 == 1 && y mod 197 == 1 && x < y', 'moduli of numbers that meet', 'number/large', 'y mod 197'],
    ['x mod 8 == 1 && x mod 75 == 1', 'moduli of one number', 'number/large', 'x mod 75'],
    ['x - y < level', 'a distance beside a variable', 'number/finite', 'level'],
    ['x mod level == 1', 'a modulus that varies', 'number/finite', 'level'],
])('%s: %s', async (condition, _, code, place) => {
    const text = `
        var level: 1 .. 9 = 1
        var x: nat = 0
        var y: nat = 0
        process P { loop { choose { a: when ${condition} { x := y } } or { b: level := 10 - level } } }`;
    expect(await problemsOf(text)).toEqual([[code, place]]);
});

test.each([
    ['a sum with a variable', 'x := x + level', 'number/finite', 'level'],
    ['an addition in a loop', 'while x < 5 { x := x + 1 }', 'number/operation', 'x := x + 1'],
    ['a constant in a loop', 'while x > 5 { x := 1 }', 'number/operation', 'x := 1'],
    ['a constant that is too large', 'x := 1000', 'number/large', 'x := 1000'],
])('%s', async (_, statement, code, place) => {
    const text = `
        var level: 0 .. 9 = 0
        var x: nat = 0
        process P { loop { choose { a: { ${statement} } } or { b: level := 9 - level } } }`;
    expect(await problemsOf(text)).toEqual([[code, place]]);
});

test.each([
    ['computed initial states', 'init start { x := 3 } process P { loop { a: x := x + 1 } }', 'start'],
    ['every step', 'process P { loop { a: x := x + 1 } } expect every step', 'expect every step'],
])('%s', async (_, rest, place) => {
    expect(await problemsOf(`var x: nat = 0\n${rest}`)).toEqual([['number/later', place]]);
});
