/** Tests and branches without some of their conditions: a test holds always, a branch is a free choice. */
import type { SourceRange } from '../common/source-range.js';
import type { PlaceKind } from '../describe/report.js';
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import { mapParts } from '../model/map-expression.js';
import type { Control } from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { withoutConditions } from './conditions.js';
import type { SiteScope, Sites } from './sites.js';

/** A test without its neutralized conditions; undefined if nothing is left. */
export function neutralTest(
    test: Expression,
    scope: SiteScope,
    sites: Sites,
    kind: PlaceKind = 'test',
): Expression | undefined {
    // `b && c` in `a || b && c`: as a whole it can be left out, but without `b` or `c` more would be allowed.
    const ways = new Set<Expression>();
    const left = withoutConditions(
        test,
        onceEach(condition => {
            if (condition.kind === 'binary' && condition.operator === 'or') {
                ways.add(condition.left).add(condition.right);
            }
            const isPlace = !isCompound(condition) || isAlternative(condition) || ways.has(condition);
            return isPlace && sites.condition(condition, scope, kind);
        }),
    );
    return left && mapParts(left, sites.mapping(scope));
}

/** A test outside of steps, where values cannot be chosen: if it contains a free value, nothing of it is left. */
export function neutralTestBetweenSteps(
    test: Expression,
    scope: SiteScope,
    sites: Sites,
    kind: PlaceKind = 'test',
): Expression | undefined {
    const left = neutralTest(test, scope, sites, kind);
    return left === undefined || sites.hasFreeValue(left, scope) ? undefined : left;
}

export type Branch =
    | { readonly kind: 'test'; readonly condition: Expression }
    /** Either way, the first if `then` holds, the second if `otherwise` does; both may hold. */
    | { readonly kind: 'choice'; readonly then?: Expression; readonly otherwise?: Expression };

/** If more conditions of a branch are free, the whole branch is. */
const MOST_FREE_CONDITIONS = 3;

/** A branch between steps with its condition, or free in part or as a whole. */
export function neutralBranch(condition: Expression, scope: SiteScope, sites: Sites): Branch {
    const free: Expression[] = [];
    withoutConditions(
        condition,
        onceEach(part => {
            const isPlace = part === condition || !isCompound(part);
            if (isPlace && sites.condition(part, scope, 'branch')) {
                free.push(part);
            }
            return false;
        }),
    );
    const isFree = sites.hasFreeValue(condition, scope);
    if (isFree || free.includes(condition) || free.length > MOST_FREE_CONDITIONS) {
        return { kind: 'choice' };
    }
    const cases = Array.from({ length: 2 ** free.length }, (_, truths) =>
        mapParts(withTruths(condition, free, truths), sites.mapping(scope)),
    );
    if (cases.length === 1) {
        return { kind: 'test', condition: cases[0] };
    }
    const { range } = condition;
    const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand, range });
    return { kind: 'choice', then: anyOf(cases, range), otherwise: anyOf(cases.map(not), range) };
}

export function choiceBetween(
    { then, otherwise }: Extract<Branch, { kind: 'choice' }>,
    first: readonly Control[],
    second: readonly Control[],
    range: SourceRange,
): Control {
    const under = (condition: Expression | undefined, body: readonly Control[]): readonly Control[] =>
        condition === undefined ? body : [{ kind: 'assume', condition, range: condition.range }, ...body];
    return { kind: 'choose', alternatives: [under(then, first), under(otherwise, second)], range };
}

/** The condition with the truth of some of its parts given: the bits of `truths`. */
function withTruths(condition: Expression, parts: readonly Expression[], truths: number): Expression {
    const given = new Map<object, Expression>(
        parts.map(({ range }, bit) => [
            parts[bit],
            { kind: 'constant', value: (truths >> bit) & 1, domain: BOOLEAN, range },
        ]),
    );
    return parts.length === 0 ? condition : replaceParts(condition, part => given.get(part));
}

function anyOf(conditions: readonly Expression[], range: SourceRange): Expression {
    return conditions.reduce((left, right) => ({ kind: 'binary', operator: 'or', left, right, range }));
}

/** Decides once about a condition and its only part, if that has no parts: `!a` and `a` are one place. */
function onceEach(decide: (condition: Expression) => boolean): (condition: Expression) => boolean {
    const known = new Set<Expression>();
    return condition => {
        const isKnown = known.has(condition);
        const inner =
            condition.kind === 'quantifier'
                ? condition.body
                : condition.kind === 'unary'
                  ? condition.operand
                  : undefined;
        if (inner !== undefined && !isCompound(inner)) {
            known.add(inner);
        }
        return !isKnown && decide(condition);
    };
}

function isCompound(condition: Expression): boolean {
    return condition.kind === 'unary'
        ? isCompound(condition.operand)
        : condition.kind === 'binary' && ['and', 'or', 'implies'].includes(condition.operator);
}

/** Whether a condition consists of alternatives: without one of them it would say more. */
function isAlternative(condition: Expression): boolean {
    switch (condition.kind) {
        case 'unary':
            return condition.operand.kind === 'binary' && condition.operand.operator === 'and';
        case 'binary':
            return condition.operator === 'or' || condition.operator === 'implies';
        default:
            return false;
    }
}
