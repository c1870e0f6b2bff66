/** The size of expressions, and the limits on it. */
import type { SourceRange } from '../../common/source-range.js';
import { LIMITS, stop } from '../linearization-limits.js';
import { operandsOf } from './operands.js';
import type { SequentialExpression } from '../sequential-model.js';

/** The size of an expression without sharing. */
export interface Measure {
    /** The number of nodes, each counted at every occurrence. */
    readonly size: number;
    /** The number of nodes one inside the other. */
    readonly depth: number;
}

/** Expressions share parts; visiting each occurrence would take exponential time. */
const known = new WeakMap<SequentialExpression, Measure>();

const LEAF: Measure = { size: 1, depth: 1 };

/** O(size of the expression) the first time. */
export function measureOf(expression: SequentialExpression): Measure {
    if (expression.kind === 'cell' || expression.kind === 'constant') {
        return LEAF;
    }
    let measure = known.get(expression);
    if (measure === undefined) {
        measure = measured(expression);
        known.set(expression, measure);
    }
    return measure;
}

/** The expression, unless it is too large to be kept. */
export function withinSize(expression: SequentialExpression, range: SourceRange): SequentialExpression {
    const { size, depth } = measureOf(expression);
    if (size > LIMITS.nodes) {
        stop(
            'limit/expression-size',
            `an expression expands to more than ${LIMITS.nodes.toLocaleString('en-US')} terms here; ` +
                'smaller parameters or index types would make fewer',
            range,
        );
    }
    if (depth > LIMITS.expressionDepth) {
        stop(
            'limit/expression-depth',
            `what is computed here takes more than ${LIMITS.expressionDepth.toLocaleString('en-US')} operations one ` +
                'after the other; fewer rounds, or several steps, would take fewer',
            range,
        );
    }
    return expression;
}

function measured(expression: SequentialExpression): Measure {
    let size = expression.kind === 'element' ? 1 + expression.cells.length : 1;
    let depth = 0;
    for (const operand of operandsOf(expression)) {
        const measure = measureOf(operand);
        size += measure.size;
        depth = Math.max(depth, measure.depth);
    }
    return { size, depth: depth + 1 };
}
