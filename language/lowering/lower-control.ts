/** Control flow and steps. */
import { isNames, templateOf } from '../../engine/model/domain.js';
import { unreachable } from '../../engine/common/assert.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Control, Statement } from '../../engine/model/model.js';
import * as ast from '../generated/nodes.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import { variablesOf } from '../references/locals.js';
import { joined } from '../representation/build-expression.js';
import { lowerScalar, type LoweringContext } from './context.js';
import { lowerBagStep } from './lower-bag-channel.js';
import { lowerCommunication } from './lower-communication.js';
import {
    loopBinderOf,
    lowerAssert,
    lowerAssign,
    lowerBody,
    lowerProcedureCall,
    lowerSpawn,
} from './lower-statement.js';
import { conditionOfGroups } from './lower-set.js';
import { chosenPlace } from './lower-variable.js';
import { lowerFairness } from './lower-temporal.js';

export function lowerBlock(block: ast.Block, context: LoweringContext): Control[] {
    return block.items.flatMap(item => lowerItem(item, context));
}

/** A constant or a name for an expression has no control of its own. */
function lowerItem(item: ast.Item, context: LoweringContext): Control[] {
    switch (item.$type) {
        case 'Constant':
        case 'Let':
            return [];
        case 'Variable':
            return declarationsOfLocal(item, context);
        default:
            return [lowerControl(item, context)];
    }
}

/** A local of a record type becomes several. */
function declarationsOfLocal(local: ast.Variable | ast.BinderVariable, context: LoweringContext): Control[] {
    const { first, shape } = context.table.slotOf(local);
    const range = rangeOf(local);
    const own = shape.leaves().map((_, leaf): Control => ({ kind: 'declare', local: first + leaf, range }));
    const chosen = chosenPlace(local, context);
    return chosen === undefined
        ? own
        : [
              { kind: 'declare', local: first - 1, range },
              { kind: 'assume', condition: chosen.sequence.hasPlace(chosen.place), range },
              ...own,
          ];
}

function lowerControl(item: ast.Labeled | ast.Control, context: LoweringContext): Control {
    const range = rangeOf(item);
    switch (item.$type) {
        case 'Labeled':
            return lowerLabeled(item, context);
        case 'Loop':
            return { kind: 'loop', body: lowerBlock(item.body, context), range };
        case 'While': {
            const condition = lowerScalar(item.condition, context);
            return { kind: 'while', condition, body: lowerBlock(item.body, context), range };
        }
        case 'For':
            return { kind: 'for', binder: loopBinderOf(item, context), body: lowerBlock(item.body, context), range };
        case 'IfControl':
            return {
                kind: 'if',
                condition: lowerScalar(item.condition, context),
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
            const alternatives = item.alternatives.map(alternative => lowerAlternative(alternative, context));
            return { kind: 'choose', alternatives, range };
        }
        case 'Break':
            return { kind: 'break', range };
        case 'Terminate':
            return { kind: 'terminate', range };
        case 'Step':
            return lowerStep(item, context);
        default:
            return unreachable(item);
    }
}

/** The label of a receive from a channel without order belongs to its step, not to the choice of the message. */
function lowerLabeled(item: ast.Labeled, context: LoweringContext): Control {
    const labeled = (control: Control): Control => ({
        kind: 'labeled',
        isEnd: item.isEnd,
        label: item.name,
        ...lowerFairness(item),
        control,
        range: rangeOf(item),
        labelRange: nameRangeOf(item),
    });
    const control = lowerControl(item.item, context);
    return control.kind === 'choose' && ast.isStep(item.item)
        ? {
              ...control,
              alternatives: control.alternatives.map(parts =>
                  parts.map(part => (part.kind === 'step' ? labeled(part) : part)),
              ),
          }
        : labeled(control);
}

/** The variables of an alternative become locals with any value that satisfies the condition. */
function lowerAlternative(alternative: ast.Alternative, context: LoweringContext): Control[] {
    const variables = variablesOf(alternative.groups);
    return [
        ...variables.flatMap(variable => [
            ...declarationsOfLocal(variable, context),
            ...choiceOfName(variable, context),
        ]),
        ...restrictionOf(alternative, variables, context),
        ...lowerBlock(alternative.body, context),
    ];
}

/** That the choice may take a value without end, before the next variable gets its value. */
function choiceOfName(variable: ast.BinderVariable, context: LoweringContext): Control[] {
    const condition = mayBeChosen(variable, context);
    return condition === undefined || !isOfNames(variable, context)
        ? []
        : [{ kind: 'assume', condition, range: condition.range }];
}

function isOfNames(variable: ast.BinderVariable, { table }: LoweringContext): boolean {
    return table.sequenceOf(variable) === undefined && isNames(table.slotOf(variable).shape.asCell().domain);
}

/** That the instance lives that a variable stands for; undefined if it stands for something else. */
function mayBeChosen(variable: ast.BinderVariable, context: LoweringContext): Expression | undefined {
    const { first, shape } = context.table.slotOf(variable);
    if (context.table.sequenceOf(variable) !== undefined) {
        // It may hold instances that have ended.
        return undefined;
    }
    const process = templateOf(shape.asCell().domain);
    const range = rangeOf(variable);
    const place = { kind: 'local', local: first, indices: [], range } as const;
    return process === undefined
        ? undefined
        : { kind: 'alive', process, reference: { kind: 'read', place, range }, range };
}

/** That all chosen instances live, and the condition of the choice. */
function restrictionOf(
    { groups, where }: ast.Alternative,
    variables: readonly ast.BinderVariable[],
    context: LoweringContext,
): Control[] {
    const live = variables.flatMap(variable =>
        isOfNames(variable, context) ? [] : (mayBeChosen(variable, context) ?? []),
    );
    const condition = conditionOfGroups(groups, where, context);
    const conditions = condition === undefined ? live : [...live, condition];
    const range = where === undefined ? conditions[0]?.range : rangeOf(where);
    return range === undefined ? [] : [{ kind: 'assume', condition: joined(conditions, 'and', range), range }];
}

/** A place before `:=` is assigned to; any other place is an event or a channel. */
function lowerStep(step: ast.Step, context: LoweringContext): Control {
    const { guard, place, value } = step;
    const body = lowerStepBody(step, context);
    const ofBag = lowerBagStep(step, body, context);
    if (ofBag !== undefined) {
        return ofBag;
    }
    const isCommunication = place !== undefined && value === undefined;
    return {
        kind: 'step',
        ...(guard === undefined ? {} : { guard: lowerScalar(guard, context) }),
        ...(isCommunication ? { communication: lowerCommunication(step, place, context) } : {}),
        body,
        range: rangeOf(step),
    };
}

function lowerStepBody(step: ast.Step, context: LoweringContext): Statement[] {
    if (step.spawn !== undefined) {
        return [lowerSpawn(step.spawn, undefined, step, context)];
    }
    if (step.call !== undefined) {
        return lowerProcedureCall(step.call, context);
    }
    if (step.place !== undefined && step.value !== undefined) {
        return lowerAssign(step.place, step.value, step, context);
    }
    if (step.assertion !== undefined) {
        return [lowerAssert(step.assertion, step, context)];
    }
    return step.body === undefined ? [] : lowerBody(step.body, context);
}
