/** Properties and assumptions: a largest part without temporal words and `takes` is one condition on a state. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { Expectation, StatedRun } from '../../engine/model/meant.js';
import type { Assumption, Fairness, Property, TakenAction, TemporalExpression } from '../../engine/model/temporal.js';
import * as ast from '../generated/nodes.js';
import { documentationOf } from '../references/documentation.js';
import { variablesOf } from '../references/locals.js';
import { isTemporal } from '../references/temporal.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import { conditionOfGroups } from './lower-set.js';
import { lowerScalar, type LoweringContext } from './context.js';
import { indicesOfInstance } from './lower-reference.js';

export function lowerProperty(stated: ast.Property, context: LoweringContext): Property {
    return {
        name: stated.name,
        expression: lowerTemporal(stated.expression, context),
        documentation: documentationOf(stated),
        range: rangeOf(stated),
        nameRange: nameRangeOf(stated),
    };
}

export function lowerAssumption(stated: ast.Assumption, context: LoweringContext): Assumption {
    return {
        name: stated.name,
        expression: lowerTemporal(stated.expression, context),
        range: rangeOf(stated),
        nameRange: nameRangeOf(stated),
    };
}

export function lowerStatedRun(stated: ast.StatedRun, context: LoweringContext): StatedRun {
    return {
        name: stated.name,
        parts: stated.parts.map(part => lowerTemporal(part, context)),
        documentation: documentationOf(stated),
        range: rangeOf(stated),
        nameRange: nameRangeOf(stated),
    };
}

export function lowerExpectation(expectation: ast.Expectation, { constants }: LoweringContext): Expectation {
    const { when, whole, target } = expectation;
    const applies = when === undefined || constants.evaluate(when) === 1;
    const range = rangeOf(expectation);
    const name = whole ?? target?.ref?.name;
    return name === undefined ? { kind: 'every-step', applies, range } : { kind: 'violated', name, applies, range };
}

/** The fairness of a process, an event or a label, as a property of its declaration. */
export function lowerFairness({ fair, strong }: Pick<ast.Process, 'fair' | 'strong'>): { fairness?: Fairness } {
    return fair ? { fairness: strong ? 'strong' : 'weak' } : {};
}

function lowerTemporal(expression: ast.Expression, context: LoweringContext): TemporalExpression {
    const range = rangeOf(expression);
    if (!isTemporal(expression)) {
        return { kind: 'state', condition: lowerScalar(expression, context), range };
    }
    switch (expression.$type) {
        case 'UnaryExpression':
            return { kind: 'not', operand: lowerTemporal(expression.operand, context), range };
        case 'BinaryExpression': {
            const left = lowerTemporal(expression.left, context);
            return { kind: kindOf(expression.operator), left, right: lowerTemporal(expression.right, context), range };
        }
        case 'TemporalPrefix': {
            const kind = expression.operator === 'infinitely often' ? 'infinitely-often' : expression.operator;
            return { kind, operand: lowerTemporal(expression.operand, context), range };
        }
        case 'Quantifier':
            return lowerQuantifier(expression, context);
        case 'Reference':
            return lowerTakes(expression, context);
        default:
            return invariant(false, 'a checked expression about runs is made of operators') as never;
    }
}

function kindOf(
    operator: ast.BinaryExpression['operator'],
): 'and' | 'or' | 'implies' | 'until' | 'weak-until' | 'leads-to' {
    switch (operator) {
        case '&&':
            return 'and';
        case '||':
            return 'or';
        case 'implies':
        case 'until':
            return operator;
        case 'weak until':
            return 'weak-until';
        case 'leads to':
            return 'leads-to';
        default:
            return invariant(false, 'comparisons and arithmetic are about states') as never;
    }
}

function lowerQuantifier(expression: ast.Quantifier, context: LoweringContext): TemporalExpression {
    const { quantifier, groups } = expression;
    const where = conditionOfGroups(groups, expression.where, context);
    invariant(quantifier === 'forall' || quantifier === 'exists', 'counting is about states');
    return {
        kind: quantifier,
        binders: variablesOf(groups).map(variable => context.table.binderOf(variable)),
        ...(where === undefined ? {} : { where }),
        body: lowerTemporal(expression.body, context),
        range: rangeOf(expression),
    };
}

function lowerTakes(reference: ast.Reference, context: LoweringContext): TemporalExpression {
    const process = reference.target.ref;
    const action = reference.action?.ref;
    invariant(ast.isProcess(process) && action !== undefined, 'a process stands before `takes`');
    return {
        kind: 'takes',
        process: context.table.positionOf(process),
        indices: indicesOfInstance(reference, process, context),
        action: lowerAction(action, context),
        range: rangeOf(reference),
    };
}

function lowerAction(action: ast.Action, context: LoweringContext): TakenAction {
    switch (action.$type) {
        case 'Labeled':
            return { kind: 'label', label: action.name };
        case 'EventDeclaration':
            return { kind: 'event', event: context.table.positionOf(action) };
        default:
            return unreachable(action);
    }
}
