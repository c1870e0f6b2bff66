/** The parts of an expression: what is taken apart is what is changed. */
import { expect, test } from 'vitest';
import { NOWHERE as range } from '../../../engine/common/source-range.js';
import { operandsOf, withOperands } from '../../../engine/sequential/expression/operands.js';
import type { SequentialExpression } from '../../../engine/sequential/sequential-model.js';

const cell = (number: number): SequentialExpression => ({ kind: 'cell', cell: number, range });
const [a, b, c] = [cell(0), cell(1), cell(2)];

/** One of each shape. */
const EXPRESSIONS: readonly SequentialExpression[] = [
    a,
    { kind: 'not', operand: a, range },
    { kind: 'binary', operator: '-', left: a, right: b, range },
    { kind: 'sum', operands: [a, b, c], range },
    { kind: 'conditional', condition: a, then: b, otherwise: c, range },
    { kind: 'element', cells: [3, 4], domains: [{ kind: 'boolean' }], indices: [b], range },
];

test('the operands of an expression with changed operands are those that they were changed to', () => {
    const next = (operand: SequentialExpression): SequentialExpression =>
        operand.kind === 'cell' ? cell(operand.cell + 10) : operand;
    for (const expression of EXPRESSIONS) {
        expect(operandsOf(withOperands(expression, next))).toEqual(operandsOf(expression).map(next));
        expect(withOperands(expression, operand => operand)).toEqual(expression);
    }
});
