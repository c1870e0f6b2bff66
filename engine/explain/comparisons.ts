/**
 * Comparisons by order inside conditions, and the model in which they only compare for difference. Without `m > n` in
 * `when forall m in Node where m > n: !alive[m]` the guard is about `n`, too; with `m != n` only the order is removed.
 */
import type { TextOfRange } from '../common/source-text.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { forEachExpression, hasArithmetic, keyOfPlace, wordsAt, type ModelPlace } from './places.js';
import { ValueFlow } from './value-flow.js';

const COMPARISON = 'comparison';

/** All comparisons, also those inside larger conditions that are places as a whole. */
export function comparisonsOf(model: Model, textOf: TextOfRange): ModelPlace[] {
    const flow = new ValueFlow(model);
    const found = new Map<string, ModelPlace>();
    const look = (process: Model['processes'][number] | undefined, body: readonly unknown[]): void => {
        forEachExpression(body as readonly Expression[], part => {
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
                    isComputed: hasArithmetic(part),
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

/** The model with `!=` in the place of the comparisons with these keys; the same model if there are none. */
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

/** `<=` and `>=` would say nothing without their order. */
function isOrder(part: object): part is Comparison {
    const { kind, operator } = part as Partial<Comparison>;
    return kind === 'binary' && (operator === '<' || operator === '>');
}
