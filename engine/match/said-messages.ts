/** What steps send and receive by the state before them, scalar by scalar, for the symmetries that keep what a line says. */
import { domainSize, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { MessageScalar, Model } from '../model/model.js';
import { NOWHERE } from '../common/source-range.js';
import { valuesOnPath } from '../sequential/channel-steps.js';
import { binary, conjunction, constant, isFalse } from '../sequential/expression/simplify.js';
import { substitute } from '../sequential/expression/substitute.js';
import { NodeBudget } from '../sequential/linearization-limits.js';
import type { Cell, SequentialExpression, Summand } from '../sequential/sequential-model.js';

/** A scalar of a message, and one value that it may have. */
export interface SaidScalar {
    /** What tells it from the other scalars, but for the values of its indices. */
    readonly form: string;
    readonly indices: readonly { readonly domain: Domain; readonly value: Value }[];
    readonly domain: Domain;
    readonly value: Value;
    /** That it has this value; absent if it always has, 'unknown' if that is too long to be said. */
    readonly condition?: SequentialExpression | 'unknown';
    readonly scalar: SequentialExpression;
}

/** More values of a scalar are not told one by one. */
const MOST_VALUES = 64;

/** Empty for a step that sends and receives nothing. */
export function saidMessage(
    model: Model,
    { message, participants }: Summand,
    cells: readonly Cell[],
): readonly SaidScalar[] {
    if (message === undefined) {
        return [];
    }
    const { by, channel, scalars } = message;
    const budget = new NodeBudget(Number.POSITIVE_INFINITY);
    const given = valuesOnPath(participants[by].path, cells, budget);
    const values = scalars.map(scalar => substitute(scalar, given, budget));
    const parts: readonly MessagePart[] =
        typeof channel === 'number' ? model.channels[channel].message : [{ ...PLAIN, domain: channel }];
    return parts.flatMap((part, position) => {
        const scalar = values[position];
        const isThere = presence(position, parts, values);
        if (isFalse(isThere)) {
            return [];
        }
        const { domain } = part;
        const common = {
            form: JSON.stringify([
                typeof channel === 'number' ? channel : null,
                part.segments.map(({ text }) => text),
                part.within?.value,
            ]),
            indices: part.indices.map((index, at) => ({ domain: index, value: part.values[at] })),
            domain,
            scalar,
        };
        if (scalar.kind === 'constant' && isThere.kind === 'constant') {
            return [{ ...common, value: scalar.value }];
        }
        if (domainSize(domain) > MOST_VALUES) {
            return [{ ...common, value: valueOfCode(domain, 0), condition: 'unknown' as const }];
        }
        return Array.from({ length: domainSize(domain) }, (_, code) => {
            const value = valueOfCode(domain, code);
            return { ...common, value, condition: conjunction([isThere, isValue(scalar, value)], NOWHERE) };
        }).filter(({ condition }) => !isFalse(condition));
    });
}

type MessagePart = Pick<MessageScalar, 'segments' | 'indices' | 'values' | 'domain' | 'within'>;

const PLAIN = { segments: [], indices: [], values: [] } as const;

function presence(
    position: number,
    parts: readonly MessagePart[],
    values: readonly SequentialExpression[],
): SequentialExpression {
    const conditions: SequentialExpression[] = [];
    for (let { within } = parts[position]; within !== undefined; { within } = parts[within.of]) {
        const { of, operator, value } = within;
        conditions.unshift(
            operator === '==' ? isValue(values[of], value) : binary(operator, values[of], constant(value), NOWHERE),
        );
    }
    return conjunction(conditions, NOWHERE);
}

function isValue(expression: SequentialExpression, value: Value): SequentialExpression {
    return expression.kind === 'cell'
        ? { kind: 'holds', cell: expression.cell, value, range: NOWHERE }
        : binary('==', expression, constant(value), NOWHERE);
}
