/**
 * A number or a name of a value replaced by the process's own index of the same type: `x[0]` becomes `x[i]`. The place
 * that stands against a symmetry is often a slip of this kind.
 */
import { keyOfRange } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import { NONE, valuesOfDomain } from '../model/domain.js';
import type { Binder, Expression } from '../model/expression.js';
import { elementDomain } from '../model/map-expression.js';
import type { Model, Process } from '../model/model.js';
import type { TextOfRange } from '../common/source-text.js';
import { replaceParts } from '../model/replace-parts.js';
import { identityOf } from '../symmetry/declared-action.js';
import { ARITHMETIC, forEachExpression, isInside, type Repair } from './places.js';

type Constant = Extract<Expression, { kind: 'constant' }>;

/** For each constant of the type in the expression and each index of its process, the model with the index there. */
export function indexForConstants(
    expression: Expression,
    type: Domain,
    model: Model,
    textOf: TextOfRange,
): readonly Repair[] {
    const process = model.processes.find(({ range }) => isInside(range, expression.range));
    const names = process?.indices.filter(({ domain }) => identityOf(domain) === identityOf(type)) ?? [];
    return names.flatMap(binder =>
        constantsIn(expression, type, binder, { model, process }).flatMap((constant): Repair[] => {
            const { range } = constant;
            const text = textOf(range);
            return text === undefined || !/^\w+$/.test(text)
                ? []
                : [
                      {
                          title: `Write \`${binder.name}\` in place of \`${text}\``,
                          edits: [{ range, newText: binder.name }],
                          change: withIndex(constant, binder),
                      },
                  ];
        }),
    );
}

/** Outside of arithmetic, and not compared with the index itself or with a value of another type. */
function constantsIn(
    expression: Expression,
    type: Domain,
    index: Binder,
    context: { readonly model: Model; readonly process: Process | undefined },
): readonly Constant[] {
    const values = new Set(valuesOfDomain(type));
    const found = new Map<string, Constant>();
    const left = new Set<Expression>();
    forEachExpression(expression, part => {
        if (part.kind === 'binary') {
            const { left: first, right: second } = part;
            const isOther = (side: Expression): boolean => {
                const own = typeOf(side, context);
                const isIndex = side.kind === 'binder' && side.binder.id === index.id;
                return isIndex || (own !== undefined && identityOf(own) !== identityOf(type));
            };
            if (ARITHMETIC.has(part.operator) || isOther(first) || isOther(second)) {
                left.add(first).add(second);
            }
        }
        const isMember =
            part.kind === 'constant' &&
            part.value !== NONE &&
            values.has(part.value) &&
            (part.domain === undefined || part.domain.kind === type.kind) &&
            (type.kind !== 'enumeration' || part.domain?.name === type.name) &&
            isInside(expression.range, part.range);
        if (isMember && !left.has(part)) {
            found.set(keyOfRange(part.range), part);
        }
    });
    return [...found.values()];
}

/** The type of what a name or a variable holds. */
function typeOf(
    expression: Expression,
    context: { readonly model: Model; readonly process: Process | undefined },
): Domain | undefined {
    const domain =
        expression.kind === 'binder'
            ? expression.binder.domain
            : expression.kind === 'read'
              ? elementDomain(expression.place, context)
              : undefined;
    return domain?.kind === 'optional' ? domain.base : domain;
}

function withIndex({ range }: Constant, binder: Binder): Repair['change'] {
    const key = keyOfRange(range);
    return model =>
        replaceParts(model, part => {
            const { kind, range: own } = part as Partial<Expression>;
            return kind === 'constant' && own !== undefined && keyOfRange(own) === key
                ? { kind: 'binder', binder, range }
                : undefined;
        });
}
