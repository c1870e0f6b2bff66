/**
 * Comparisons by order inside of conditions, and the model that only asks whether their sides differ.
 *
 *     when forall m in Node where m > n: !alive[m]
 *
 * Without `m > n` this is about all nodes, `n` among them, and nothing may happen any more; and without all of it more is
 * gone than needs to be. With `m != n` it says the same of all others, so it is the order in it that matters.
 */
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { keyOfPlace, type ModelPlace } from './model-places.js';
import { forEachPart, isComputed, wordsAt, type TextOfRange } from './places.js';
import { ValueFlow } from './value-flow.js';

const COMPARISON = 'comparison';

/** The comparisons inside of larger conditions; none of those that are a place as a whole. */
export function comparisonsOf(model: Model, textOf: TextOfRange): ModelPlace[] {
    const flow = new ValueFlow(model);
    const found = new Map<string, ModelPlace>();
    const look = (process: Model['processes'][number] | undefined, body: readonly unknown[]): void => {
        forEachPart(body as readonly Expression[], part => {
            if (isOrder(part)) {
                const { range } = part;
                const key = keyOfPlace({ kind: COMPARISON, range });
                found.set(key, {
                    key,
                    range,
                    kind: COMPARISON,
                    text: wordsAt(range, textOf, () => formatExpression(model, process, part)),
                    aspect: 'the order in',
                    owners: new Set(),
                    mentionsOrder: true,
                    isComputed: isComputed(part),
                    types: new Set(flow.typesToldApart([part])),
                    reaches: [],
                    subject: { kind: 'expression', expression: part },
                });
            }
        });
    };
    model.processes.forEach(process => look(process, process.body));
    model.functions.forEach(({ body }) => look(undefined, body));
    return [...found.values()];
}

/** The model with `!=` in the place of the comparisons of these keys; the same model where there is no such key. */
export function withoutOrder(model: Model, keys: ReadonlySet<string>): Model {
    return [...keys].some(key => key.startsWith(COMPARISON))
        ? replaceParts(model, part =>
              isOrder(part) && keys.has(keyOfPlace({ kind: COMPARISON, range: part.range }))
                  ? { ...part, operator: '!=' }
                  : undefined,
          )
        : model;
}

type Comparison = Extract<Expression, { kind: 'binary' }>;

/** Of two that differ one comes before the other; what may also be equal says nothing without its order. */
function isOrder(part: object): part is Comparison {
    const { kind, operator } = part as Partial<Comparison>;
    return kind === 'binary' && (operator === '<' || operator === '>');
}
