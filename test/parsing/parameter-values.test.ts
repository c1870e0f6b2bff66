/** Values given from outside, as on the command line. */
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';

const DECLARATIONS = `enum Color = { red, green, blue }
record Point = { x: 0 .. 9, y: 0 .. 9 }
type Pair = 0 .. 9[2]
param clients: 0 .. 8[*] = [3, 3, 2]
param table: 0 .. 9[2, 2] = [[1, 2], [3, 4]]
param pair: Pair = [0, 0]
param corner: Point = Point(0, 0)
param path: Point[*] = [Point(0, 0)]
param light: Color? = none
var x: bool
process P { x := !x }
`;

/** The errors of a model that has an error exactly if the condition is false. */
async function holds(parameters: readonly (readonly [string, string])[], condition: string): Promise<string[]> {
    const { problems } = await loadModel(
        `${DECLARATIONS}const held = 1 div (if ${condition} then 1 else 0)\ninvariant holds = held == 1\n`,
        'file:///m.orbit',
        parameters,
    );
    return problems.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`);
}

describe('values from outside', () => {
    const cases: readonly [name: string, value: string, condition: string][] = [
        ['clients', '[1, 2]', 'len(clients) == 2 && clients[1] == 2'],
        ['clients', '3,3,2,1', 'len(clients) == 4 && clients[3] == 1'],
        ['clients', '7', 'len(clients) == 1 && clients[0] == 7'],
        ['clients', '[i in 0 .. 4: i]', 'len(clients) == 5 && clients[4] == 4'],
        ['table', '[[5, 6], [7, 8]]', 'table[1, 0] == 7'],
        ['table', '[5, 6], [7, 8]', 'table[0, 1] == 6'],
        ['pair', '4,5', 'pair[0] == 4 && pair[1] == 5'],
        ['corner', 'Point(1, 2)', 'corner.x == 1 && corner.y == 2'],
        ['path', 'Point(1,2),Point(3,4)', 'len(path) == 2 && path[1].x == 3'],
        ['light', 'blue', 'light == blue'],
        ['light', 'none', 'light == none'],
    ];
    test.each(cases)('%s=%s', async (name, value, condition) => {
        expect(await holds([[name, value]], condition)).toEqual([]);
    });

    test('the condition of these tests can fail', async () => {
        expect(await holds([['corner', 'Point(1, 2)']], 'corner.x == 2')).not.toEqual([]);
    });

    const wrong: readonly [name: string, value: string, code: string][] = [
        ['clients', '3,,2', 'parameter/invalid'],
        ['clients', '[3, 9]', 'parameter/out-of-range'],
        ['clients', '3,9', 'parameter/out-of-range'],
        ['clients', '[]', 'parameter/invalid'],
        ['clients', 'red,green', 'parameter/invalid'],
        ['table', '1,2,3', 'parameter/invalid'],
        ['pair', '1,2,3', 'parameter/invalid'],
        ['pair', '4', 'parameter/invalid'],
        ['corner', '1,2', 'parameter/invalid'],
        ['corner', 'Pint(1, 2)', 'parameter/invalid'],
        ['corner', 'Point(1)', 'parameter/invalid'],
        ['light', 'rde', 'parameter/invalid'],
        ['light', '"red"', 'parameter/invalid'],
        ['clients', 'x', 'parameter/invalid'],
        ['nothing', '1', 'parameter/unknown'],
    ];
    test.each(wrong)('%s=%s is refused', async (name, value, code) => {
        const problems = await holds([[name, value]], 'true');
        expect(problems.map(problem => problem.split(':')[0])).toEqual([code]);
        expect(problems[0]).toContain(`\`${name}\``);
    });

    test('a field outside its type is refused', async () => {
        const problems = await holds([['corner', 'Point(1, 10)']], 'true');
        expect(problems).toEqual([expect.stringMatching(/^parameter\/out-of-range: .*10/)]);
    });

    test('a list without brackets is explained where the value is an array', async () => {
        expect(await holds([['clients', '3;2']], 'true')).toEqual([
            'parameter/invalid: `clients` = `3;2` is not a value; the values of an array are written `1,2,3`',
        ]);
        expect(await holds([['table', '1;2']], 'true')).toEqual([
            'parameter/invalid: `table` = `1;2` is not a value; the values of an array are written `[[1, 2], [3, 4]]`',
        ]);
    });
});
