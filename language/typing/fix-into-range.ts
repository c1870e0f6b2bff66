/** What is written in place of a value outside of a range: the nearest value for a number, the remainder for arithmetic. */
import type { Fix } from '../../engine/common/problem.js';
import type * as ast from '../generated/nodes.js';
import { fixOf } from '../problems/remedy.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { Shape } from '../representation/shape.js';

export function fixIntoRange(shape: Shape, expression: ast.Expression): Fix | undefined {
    const { type } = shape;
    const base = type.kind === 'optional' ? type.base : type;
    if (base.kind !== 'integer') {
        return undefined;
    }
    const { low, high } = base;
    const range = rangeOf(expression);
    const text = textOf(expression) ?? '';
    if (/^-?\s*\d+$/.test(text)) {
        const nearest = Number(text.replace(/\s/g, '')) > high ? high : low;
        return fixOf({ kind: 'replace', text: String(nearest) }, range);
    }
    return low === 0 && /[-+*]/.test(text) && !text.includes('\n')
        ? { ...fixOf({ kind: 'replace', text: `(${text}) mod ${high + 1}` }, range), isGuess: true }
        : undefined;
}
