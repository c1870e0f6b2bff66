/** Indices that are known before a run: as constants, and the values of those that operators make of constants. */
import { NOWHERE, type SourceRange } from '../../engine/common/source-range.js';
import { domainSize, NONE, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import { applyBinary } from '../../engine/sequential/expression/evaluate.js';

/** A constant that the text does not hold: an index that runs through a type. */
export function constantOf(value: Value, domain: Domain, range: SourceRange = NOWHERE): Expression {
    return { kind: 'constant', value, domain, range };
}

/** The first value of a domain; any value where it has none. */
export function firstConstant(domain: Domain, range?: SourceRange): Expression {
    return constantOf(domainSize(domain) === 0 ? NONE : valueOfCode(domain, 0), domain, range);
}

/** The indices of the element in a row, as constants. */
export function indicesOfRow(domains: readonly Domain[], row: number): Expression[] {
    const indices: Expression[] = [];
    let rest = row;
    for (const domain of [...domains].reverse()) {
        const size = domainSize(domain);
        indices.unshift(constantOf(valueOfCode(domain, rest % size), domain));
        rest = Math.floor(rest / size);
    }
    return indices;
}

/** The value of an index, as far as constants and operators go: that of `(i + 1) mod N` in an element of a comprehension. */
export function knownValueOf(index: Expression): Value | undefined {
    switch (index.kind) {
        case 'constant':
            return index.value;
        case 'unary': {
            const operand = index.operator === 'negate' ? knownValueOf(index.operand) : undefined;
            return operand === undefined ? undefined : 0 - operand;
        }
        case 'binary': {
            const { operator } = index;
            if (operator === 'and' || operator === 'or' || operator === 'implies') {
                return undefined;
            }
            const left = knownValueOf(index.left);
            const right = left === undefined ? undefined : knownValueOf(index.right);
            const outcome = left === undefined || right === undefined ? undefined : applyBinary(operator, left, right);
            return typeof outcome === 'number' ? outcome : undefined;
        }
        default:
            return undefined;
    }
}
