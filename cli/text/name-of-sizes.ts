/** One name for the groups at several sizes: `D_N` for D3, D4, D5. */
import type { SeenDocument } from '../../language-server/document-schema.js';

/** How far a degree may be from the parameter. */
const OFFSETS = [0, -1, 1, -2, 2];

/**
 * The common name of the groups; undefined if they have none, or if there are fewer than three. The degree of each factor
 * is a constant, or the parameter and a constant.
 */
export function nameOfAll(parameter: string, sizes: SeenDocument['sizes']): string | undefined {
    const [first, ...others] = sizes;
    if (first === undefined || others.length < 2) {
        return undefined;
    }
    const candidates = namesOf(first.structure.split(' x '), first.value, parameter);
    return candidates.find(name => sizes.every(({ value, structure }) => matches(name, structure, parameter, value)));
}

/** All ways to say the degrees of the factors by the parameter, those with the parameter first. */
function namesOf([factor, ...others]: readonly string[], value: number, parameter: string): string[] {
    if (factor === undefined) {
        return [''];
    }
    const [, kind, degree] = /^([SACD])(\d+)$/.exec(factor) ?? [];
    const own =
        kind === undefined || degree === undefined
            ? [factor]
            : [
                  ...OFFSETS.filter(offset => value + offset === Number(degree)).map(offset =>
                      offset === 0
                          ? `${kind}_${parameter}`
                          : `${kind}_(${parameter} ${offset < 0 ? '-' : '+'} ${Math.abs(offset)})`,
                  ),
                  `${kind}_${degree}`,
              ];
    const rest = namesOf(others, value, parameter);
    return own.flatMap(name => rest.map(behind => (behind === '' ? name : `${name} x ${behind}`)));
}

/** Whether a name with the parameter is the name of the group at one of its values. Groups of two elements have two names. */
function matches(name: string, structure: string, parameter: string, value: number): boolean {
    const at = name.replaceAll(
        /([SACD])_(?:\((\w+) ([-+]) (\d+)\)|(\w+))/g,
        (_, kind: string, named: string | undefined, sign: string, offset: string, single: string) => {
            const degree =
                named === undefined
                    ? single === parameter
                        ? value
                        : Number(single)
                    : value + (sign === '-' ? -1 : 1) * Number(offset);
            return `${kind}${degree}`;
        },
    );
    return normalized(at) === normalized(structure);
}

/** S2 and C2 are one group; groups of one element are left out. */
function normalized(structure: string): string {
    return structure
        .split(' x ')
        .filter(factor => !/^(1|[SC][01]|A[0-2]|trivial)$/.test(factor))
        .map(factor => (factor === 'S2' ? 'C2' : factor))
        .sort()
        .join(' x ');
}
