/** The functions of sequences on values that are known before a run. */
import type { SequenceFunction } from '../references/builtin-functions.js';
import { ConstantSequence } from '../representation/sequence.js';
import { ConstantSet, distinct } from '../representation/set.js';
import type { ConstantValue } from '../representation/shape.js';

/** Why a function of sequences has no value. */
export interface SequenceFault {
    readonly fault: 'index' | 'undefined';
}

/** `given` is what stands behind the sequence: an element, another sequence, places. */
export function applyToSequence(
    name: SequenceFunction,
    { parts }: ConstantSequence,
    given: readonly ConstantValue[],
): ConstantValue | SequenceFault {
    const [first, second] = given;
    const nothing: SequenceFault = { fault: parts.length === 0 ? 'undefined' : 'index' };
    switch (name) {
        case 'head':
            return parts[0] ?? nothing;
        case 'last':
            return parts.at(-1) ?? nothing;
        case 'tail':
            return parts.length === 0 ? nothing : new ConstantSequence(parts.slice(1));
        case 'places':
            return new ConstantSet(parts.map((_, place) => place));
        case 'elements':
            return new ConstantSet(distinct(parts));
        case 'append':
            return first === undefined ? nothing : new ConstantSequence([...parts, first]);
        case 'concat':
            return first instanceof ConstantSequence ? new ConstantSequence([...parts, ...first.parts]) : nothing;
        case 'without':
            return isPlace(first, parts.length - 1)
                ? new ConstantSequence(parts.filter((_, place) => place !== first))
                : { fault: 'index' };
        case 'slice':
            return isPlace(first, parts.length) && isPlace(second, parts.length) && first <= second
                ? new ConstantSequence(parts.slice(first, second))
                : { fault: 'index' };
    }
}

function isPlace(value: ConstantValue | undefined, last: number): value is number {
    return typeof value === 'number' && 0 <= value && value <= last;
}
