/** Random constant expressions have their values by definition. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';

/** An expression with its value; undefined after a division by zero. */
interface Sample {
    readonly text: string;
    readonly value: number | undefined;
}

const { integer } = fc.letrec<{ integer: Sample; condition: Sample }>(tie => ({
    integer: fc.oneof(
        { depthSize: 'small' },
        fc.nat(9).map(value => ({ text: String(value), value })),
        fc.tuple(fc.constantFrom('+', '-', '*', 'div', 'mod'), tie('integer'), tie('integer')).map(arithmetic),
        tie('integer').map(({ text, value }) => ({
            text: `-(${text})`,
            value: value === undefined ? value : 0 - value,
        })),
        fc.tuple(tie('condition'), tie('integer'), tie('integer')).map(([condition, then, otherwise]) => ({
            text: `(if ${condition.text} then ${then.text} else ${otherwise.text})`,
            value: condition.value === undefined ? undefined : condition.value === 0 ? otherwise.value : then.value,
        })),
        fc.tuple(fc.nat(4), fc.nat(6)).map(([high, limit]) => ({
            text: `count(i, j in 0 .. ${high} where i <= j: i + j < ${limit})`,
            value: pairs(high).filter(([i, j]) => i <= j && i + j < limit).length,
        })),
        fc.nat(4).map(high => ({
            text: `sum(i, j in 0 .. ${high}: i * j - 1)`,
            value: pairs(high).reduce((sum, [i, j]) => sum + i * j - 1, 0),
        })),
    ),
    condition: fc.oneof(
        { depthSize: 'small' },
        fc.boolean().map(value => ({ text: String(value), value: Number(value) })),
        fc.tuple(fc.constantFrom('==', '<', '>='), tie('integer'), tie('integer')).map(comparison),
        fc.tuple(fc.constantFrom('&&', '||', 'implies'), tie('condition'), tie('condition')).map(connective),
        fc.tuple(fc.nat(4), fc.nat(9)).map(([high, limit]) => ({
            text: `(forall i, j in 0 .. ${high} where i != j: i + j < ${limit})`,
            value: Number(pairs(high).every(([i, j]) => i === j || i + j < limit)),
        })),
        fc.tuple(fc.nat(4), fc.nat(9)).map(([high, limit]) => ({
            text: `(exists i, j in 0 .. ${high}: i + j == ${limit})`,
            value: Number(pairs(high).some(([i, j]) => i + j === limit)),
        })),
    ),
}));

function pairs(high: number): [number, number][] {
    const range = Array.from({ length: high + 1 }, (_, index) => index);
    return range.flatMap(i => range.map((j): [number, number] => [i, j]));
}

function arithmetic([operator, left, right]: [string, Sample, Sample]): Sample {
    const text = `(${left.text} ${operator} ${right.text})`;
    const [a, b] = [left.value, right.value];
    if (a === undefined || b === undefined) {
        return { text, value: undefined };
    }
    switch (operator) {
        case '+':
            return { text, value: a + b };
        case '-':
            return { text, value: a - b };
        case '*':
            return { text, value: a * b + 0 };
        default: {
            if (b === 0) {
                return { text, value: undefined };
            }
            // Tries all remainders from 0 to |b| - 1.
            let remainder = 0;
            while ((a - remainder) % b !== 0) {
                remainder++;
            }
            return { text, value: operator === 'mod' ? remainder : (a - remainder) / b + 0 };
        }
    }
}

function comparison([operator, left, right]: [string, Sample, Sample]): Sample {
    const text = `(${left.text} ${operator} ${right.text})`;
    const [a, b] = [left.value, right.value];
    if (a === undefined || b === undefined) {
        return { text, value: undefined };
    }
    return { text, value: Number(operator === '==' ? a === b : operator === '<' ? a < b : a >= b) };
}

/** The right side does not matter if the left side decides. */
function connective([operator, left, right]: [string, Sample, Sample]): Sample {
    const text = `(${left.text} ${operator} ${right.text})`;
    switch (operator) {
        case '&&':
            return { text, value: left.value === 1 ? right.value : left.value };
        case '||':
            return { text, value: left.value === 0 ? right.value : left.value };
        default:
            return { text, value: left.value === 1 ? right.value : left.value === 0 ? 1 : undefined };
    }
}

test('a constant expression has its value, or an error where it has none', async () => {
    let withoutValue = 0;
    await fc.assert(
        fc.asyncProperty(integer, async ({ text, value }) => {
            fc.pre(value === undefined || Math.abs(value) < 1e6);
            const source = `param p: -1000000 .. 1000000 = ${text}\nvar x: bool\nprocess P { x := p == 0 }`;
            const { model, problems } = await loadModel(source, 'file:///constant.orbit');
            if (value === undefined) {
                withoutValue++;
                expect(model).toBeUndefined();
                expect(problems.map(({ code }) => code)).toContain('type/division-by-zero');
            } else {
                expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
                expect(model?.parameters[0]?.value).toBe(value);
            }
        }),
        { numRuns: 400 },
    );
    expect(withoutValue).toBeGreaterThan(0);
});
