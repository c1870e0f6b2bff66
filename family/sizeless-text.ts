/**
 * A model, or a part of it, as a text in which the sizes of families do not occur: ranges stand with their bounds as
 * sums, and what is repeated for each member of a family stands once. If the texts of two models of a family are equal,
 * lowering has decided nothing by their sizes.
 */
import { textOfSum } from './carrier.js';
import type { SourceRange } from '../engine/common/source-range.js';
import { memberBoundsOf, type Domain } from '../engine/model/domain.js';
import { isMember, type Expression } from '../engine/model/expression.js';

/** What differs without a meaning: places, how values are shown, names of binders, values of parameters, what is meant. */
const LEFT_OUT = new Set(
    'range nameRange labelRange documentation id parameters text format runs expectations'.split(' '),
);

/** O(size of the part). */
export function uniformText(part: unknown): string {
    if (Array.isArray(part)) {
        return `[${uniformTexts(part).join(' ')}]`;
    }
    if (typeof part !== 'object' || part === null) {
        return String(part);
    }
    const bounds = isDomain(part) ? memberBoundsOf(part) : undefined;
    if (bounds !== undefined) {
        return `${'base' in part ? 'optional ' : ''}${textOfSum(bounds.low)}..${textOfSum(bounds.high)}`;
    }
    if ('kind' in part && part.kind === 'constant' && isMember(part as Expression)) {
        return '(member)';
    }
    const entries = Object.entries(part).filter(([name, value]) => !LEFT_OUT.has(name) && value !== undefined);
    return `{${entries.map(([name, value]) => `${name}:${uniformText(value)}`).join(' ')}}`;
}

/** A place where two parts with different texts differ: the range of the smallest differing part that has one. */
export function differenceOf(first: unknown, second: unknown): SourceRange | undefined {
    if (typeof first !== 'object' || first === null || typeof second !== 'object' || second === null) {
        return undefined;
    }
    const others = second as Record<string, unknown>;
    const different = Object.entries(first).find(
        ([name, value]) => !LEFT_OUT.has(name) && uniformText(value) !== uniformText(others[name]),
    );
    const inside = different && differenceOf(different[1], others[different[0]]);
    return inside ?? ('range' in first ? (first.range as SourceRange) : undefined);
}

/** Equal texts one after the other, and all those of members, stand once. */
function uniformTexts(parts: readonly unknown[]): string[] {
    const texts = parts.map(uniformText);
    const seen = new Set<string>();
    return texts.filter((text, position) => {
        if (text.includes('(member)')) {
            const isNew = !seen.has(text);
            seen.add(text);
            return isNew;
        }
        return text !== texts[position - 1];
    });
}

function isDomain(part: unknown): part is Domain {
    return (
        typeof part === 'object' &&
        part !== null &&
        'kind' in part &&
        ((part.kind === 'range' && 'low' in part) || (part.kind === 'optional' && 'base' in part))
    );
}
