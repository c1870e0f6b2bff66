/** Conditions that compare some bits of one word with a constant. Two such tests of one word are combined. */
import type { StateLayout } from '../explore/state-layout.js';
import { codeOfValue } from '../model/domain.js';
import type { Cell, SequentialExpression } from '../sequential/sequential-model.js';
import type { Int } from '../webassembly/function-body.js';
import { maskOf, type StateCopy } from './state-copy.js';

/** Bits of one word that must have one value. */
interface MaskTest {
    readonly word: number;
    readonly mask: bigint;
    readonly value: bigint;
}

interface TestedState {
    readonly context: { readonly cells: readonly Cell[]; readonly layout: StateLayout };
    readonly copy: StateCopy;
}

/** The expression as a test of bits, if it never faults and its cell has not changed in a known way. */
export function maskTest(expression: SequentialExpression, over: TestedState): MaskTest | undefined {
    switch (expression.kind) {
        case 'cell':
            return cellTest(expression.cell, 1, over);
        case 'not':
            return expression.operand.kind === 'cell' ? cellTest(expression.operand.cell, 0, over) : undefined;
        case 'binary':
            return expression.operator === '==' ? equalityTest(expression.left, expression.right, over) : undefined;
        default:
            return undefined;
    }
}

/** The test that is true exactly if the expression is false. */
export function oppositeTest(expression: SequentialExpression, over: TestedState): MaskTest | undefined {
    return expression.kind === 'binary' && expression.operator === '!='
        ? equalityTest(expression.left, expression.right, over)
        : undefined;
}

function equalityTest(
    left: SequentialExpression,
    right: SequentialExpression,
    over: TestedState,
): MaskTest | undefined {
    if (left.kind === 'cell' && right.kind === 'constant') {
        return cellTest(left.cell, right.value, over);
    }
    return left.kind === 'constant' && right.kind === 'cell' ? cellTest(right.cell, left.value, over) : undefined;
}

function cellTest(cell: number, value: number, { context, copy }: TestedState): MaskTest | undefined {
    const { word, shift, bits, bias } = context.layout.placements[cell];
    const code = codeOfValue(context.cells[cell].domain, value);
    const stored = code + bias;
    const isStorable = code >= 0 && stored >= 0 && stored < 2 ** bits;
    if (bias > 0 || bits === 0 || !isStorable || copy.knownStored(cell) !== undefined) {
        return undefined;
    }
    return { word, mask: maskOf(bits) << BigInt(shift), value: BigInt(stored) << BigInt(shift) };
}

/** Both tests as one if they test different bits of one word. */
export function joinTests(one: MaskTest, other: MaskTest | undefined): MaskTest | undefined {
    if (other === undefined || one.word !== other.word || (one.mask & other.mask) !== 0n) {
        return undefined;
    }
    return { word: one.word, mask: one.mask | other.mask, value: one.value | other.value };
}

/** Whether the test holds; its cells have no pending changes. */
export function passes({ word, mask, value }: MaskTest, copy: StateCopy): Int {
    return copy.unchanged(word).and(mask).is(value);
}
