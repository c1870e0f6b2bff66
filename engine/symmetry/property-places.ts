/**
 * The parts of an invariant that may cost symmetries, and the invariant without them.
 *
 * A part is a condition inside the invariant. To neutralize it is to leave it out: of `a && b` and `a || b` the other
 * operand stays, a quantifier over nothing is gone, too. What is around it keeps its meaning.
 */
import type { SourceRange } from '../common/source-range.js';
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { mentionsOrder, type Place } from './neutralize.js';

export interface PropertyPlace extends Place {
    /** Whether there is no smaller condition inside. */
    readonly isLeaf: boolean;
}

/** The conditions in an invariant, the shortest first; the last one is the whole. */
export function placesOfInvariant(model: Model, invariant: number): PropertyPlace[] {
    const places: PropertyPlace[] = [];
    withoutConditions(model.invariants[invariant].expression, condition => {
        const { range } = condition;
        const text = formatExpression(model, undefined, condition);
        places.push({ range, text, mentionsOrder: mentionsOrder(condition), isLeaf: isLeaf(condition) });
        return false;
    });
    return places.sort((a, b) => a.text.length - b.text.length);
}

function isLeaf(condition: Expression): boolean {
    let asked = 0;
    withoutConditions(condition, () => ++asked < 0);
    return asked === 1;
}

/** The model without these parts of an invariant. */
export function neutralizeInInvariant(model: Model, invariant: number, ranges: ReadonlySet<SourceRange>): Model {
    return {
        ...model,
        invariants: model.invariants.map((stated, index) =>
            index === invariant
                ? {
                      ...stated,
                      expression:
                          withoutConditions(stated.expression, ({ range }) => ranges.has(range)) ??
                          always(stated.expression),
                  }
                : stated,
        ),
    };
}

function always({ range }: Expression): Expression {
    return { kind: 'constant', value: 1, domain: BOOLEAN, range };
}

/** A condition without those inside it that `decide` takes, asked from the outside in; undefined where nothing is left. */
function withoutConditions(condition: Expression, decide: (condition: Expression) => boolean): Expression | undefined {
    if (decide(condition)) {
        return undefined;
    }
    switch (condition.kind) {
        case 'unary': {
            const operand = withoutConditions(condition.operand, decide);
            return operand && { ...condition, operand };
        }
        case 'binary': {
            const { operator, range } = condition;
            if (operator !== 'and' && operator !== 'or' && operator !== 'implies') {
                return insideValue(condition, decide);
            }
            const left = withoutConditions(condition.left, decide);
            const right = withoutConditions(condition.right, decide);
            if (left === undefined || right === undefined) {
                const isNegated = operator === 'implies' && left !== undefined;
                return isNegated ? { kind: 'unary', operator: 'not', operand: left, range } : (left ?? right);
            }
            return { ...condition, left, right };
        }
        case 'quantifier': {
            const body = withoutConditions(condition.body, decide);
            return body && withoutInWhere({ ...condition, body }, decide);
        }
        default:
            return condition;
    }
}

/** The operands of a comparison hold conditions only in what they count and sum up. */
function insideValue(value: Expression, decide: (condition: Expression) => boolean): Expression {
    switch (value.kind) {
        case 'binary':
            return { ...value, left: insideValue(value.left, decide), right: insideValue(value.right, decide) };
        case 'quantifier': {
            const body =
                value.quantifier === 'count'
                    ? (withoutConditions(value.body, decide) ?? always(value.body))
                    : insideValue(value.body, decide);
            return withoutInWhere({ ...value, body }, decide);
        }
        default:
            return value;
    }
}

type Quantified = Extract<Expression, { kind: 'quantifier' }>;

function withoutInWhere(quantified: Quantified, decide: (condition: Expression) => boolean): Quantified {
    const { where, ...rest } = quantified;
    const left = where && withoutConditions(where, decide);
    return left === undefined ? rest : { ...rest, where: left };
}
