/** Control flow, steps and the statements inside them. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { Control, Statement, Step } from '../../engine/model/model.js';
import * as ast from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { LoweringContext } from './context.js';
import { lowerExpression, lowerPlace } from './lower-expression.js';

export function lowerBlock(block: ast.Block, context: LoweringContext): Control[] {
    return block.items.flatMap(item => lowerItem(item, context));
}

/** A constant leaves nothing behind. */
function lowerItem(item: ast.Item, context: LoweringContext): Control[] {
    if (ast.isConstant(item)) {
        return [];
    }
    if (ast.isVariable(item)) {
        return [{ kind: 'declare', local: context.slotOf(item).index, range: rangeOf(item) }];
    }
    return [lowerControl(item, context)];
}

function lowerControl(item: ast.Labeled | ast.Control, context: LoweringContext): Control {
    const range = rangeOf(item);
    switch (item.$type) {
        case 'Labeled':
            return {
                kind: 'labeled',
                label: item.name,
                control: lowerControl(item.item, context),
                range,
                labelRange: nameRangeOf(item),
            };
        case 'Loop':
            return { kind: 'loop', body: lowerBlock(item.body, context), range };
        case 'While': {
            const condition = lowerExpression(item.condition, context);
            return { kind: 'while', condition, body: lowerBlock(item.body, context), range };
        }
        case 'IfControl':
            return {
                kind: 'if',
                condition: lowerExpression(item.condition, context),
                then: lowerBlock(item.then, context),
                otherwise:
                    item.elseIf !== undefined
                        ? [lowerControl(item.elseIf, context)]
                        : item.otherwise !== undefined
                          ? lowerBlock(item.otherwise, context)
                          : [],
                range,
            };
        case 'Choose': {
            const alternatives = item.alternatives.map(alternative => lowerBlock(alternative, context));
            return { kind: 'choose', alternatives, range };
        }
        case 'Break':
            return { kind: 'break', range };
        case 'Step':
            return lowerStep(item, context);
        default:
            return unreachable(item);
    }
}

function lowerStep(step: ast.Step, context: LoweringContext): Step {
    const range = rangeOf(step);
    const body = lowerStepBody(step, context);
    const guard = step.guard === undefined ? {} : { guard: lowerExpression(step.guard, context) };
    if (step.place === undefined || step.value !== undefined) {
        return { kind: 'step', ...guard, body, range };
    }
    const event = step.place.target.ref;
    invariant(ast.isEventDeclaration(event), 'the event of a checked step is declared');
    return {
        kind: 'step',
        ...guard,
        event: {
            event: context.indexOfEvent(event),
            arguments: step.place.indices.map(argument => lowerExpression(argument, context)),
            range: rangeOf(step.place),
        },
        body,
        range,
    };
}

function lowerStepBody(step: ast.Step, context: LoweringContext): Statement[] {
    if (step.place !== undefined && step.value !== undefined) {
        const target = lowerPlace(step.place, context);
        return [{ kind: 'assign', target, value: lowerExpression(step.value, context), range: rangeOf(step) }];
    }
    if (step.assertion !== undefined) {
        return [{ kind: 'assert', condition: lowerExpression(step.assertion, context), range: rangeOf(step) }];
    }
    return step.body === undefined ? [] : lowerBody(step.body, context);
}

function lowerBody(body: ast.Body, context: LoweringContext): Statement[] {
    return body.statements.map(statement => lowerStatement(statement, context));
}

function lowerStatement(statement: ast.Statement, context: LoweringContext): Statement {
    const range = rangeOf(statement);
    switch (statement.$type) {
        case 'Assignment': {
            const target = lowerPlace(statement.target, context);
            return { kind: 'assign', target, value: lowerExpression(statement.value, context), range };
        }
        case 'IfStatement':
            return {
                kind: 'if',
                condition: lowerExpression(statement.condition, context),
                then: lowerBody(statement.then, context),
                otherwise:
                    statement.elseIf !== undefined
                        ? [lowerStatement(statement.elseIf, context)]
                        : statement.otherwise !== undefined
                          ? lowerBody(statement.otherwise, context)
                          : [],
                range,
            };
        case 'Assertion':
            return { kind: 'assert', condition: lowerExpression(statement.condition, context), range };
        case 'Skip':
            return { kind: 'skip', range };
        default:
            return unreachable(statement);
    }
}
