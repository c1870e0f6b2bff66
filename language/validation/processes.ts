/** Processes: families and control flow. */
import { unreachable } from '../../engine/common/assert.js';
import * as ast from '../generated/nodes.js';
import { localsOf, type Local } from '../references/locals.js';
import { nameRangeOf } from '../tree/source-text.js';
import { formatCount } from '../problems/describe.js';
import { EXPANSION_LIMIT } from '../representation/shape.js';
import type { CheckContext } from './check-context.js';
import { checkControlFlow } from './control-flow.js';
import { takesNoValue } from './declarations.js';
import { checkOverTypes } from '../typing/infer-sets.js';
import { checkReadsEarlier, checkUsedAfterDeclaration } from './reading-order.js';
import { checkExpandedSizes, checkStatic } from './static-expressions.js';
import { checkStep } from './steps.js';
import { checkFairness } from './temporal.js';
import { checkTestAndStep, sharedWrites } from './test-and-step.js';
import { checkTestedLabels } from './tested-labels.js';
import { checkVariable } from './variables.js';

/** `declarations` are those of the model and its imports. */
export function checkProcesses(declarations: readonly ast.Declaration[], context: CheckContext): void {
    const { problems } = context;
    const processes = declarations.filter(ast.isProcess);
    checkTotal(declarations, context);
    const writes = sharedWrites(processes);
    checkTestAndStep(processes, writes, problems);
    checkTestedLabels(declarations, writes, problems);
    for (const process of processes) {
        const isEmpty = checkFamily(process, context);
        const isNeverMade = takesNoValue(process.parameters, context.constants);
        problems.whileUnreachable(isEmpty || isNeverMade, () => checkBlock(process.body, context));
        checkControlFlow(process, problems);
        if (!process.isTemplate) {
            checkFairness(process, problems);
        }
        checkUsedAfterDeclaration(process, problems);
        checkExpandedSizes(process, problems);
    }
}

/** Checks the number of cells of a state, which may be too large although each array is small enough. */
function checkTotal(declarations: readonly ast.Declaration[], { constants, problems }: CheckContext): void {
    let total = 0;
    const add = (variable: Local, instances: number): void => {
        const shape = ast.isBinderVariable(variable)
            ? constants.shapeOfBinder(variable)
            : constants.shapeOf(variable.type);
        const cells = instances * (shape === undefined ? 1 : shape.scalarCount());
        if (total <= EXPANSION_LIMIT && total + cells > EXPANSION_LIMIT) {
            const what = `with \`${variable.name}\` a state has ${formatCount(total + cells)} cells`;
            problems.tooLarge(what, EXPANSION_LIMIT, nameRangeOf(variable));
        }
        total += cells;
    };
    for (const declaration of declarations) {
        if (ast.isVariable(declaration)) {
            add(declaration, 1);
        } else if (ast.isProcess(declaration)) {
            const instances = constants.instancesOf(declaration);
            localsOf(declaration).forEach(local => add(local, instances));
        }
    }
}

/** Returns whether the family has no instance. */
function checkFamily(process: ast.Process, { constants, inference, problems }: CheckContext): boolean {
    const count = constants.instancesOf(process);
    const where = problems.whileUnreachable(count === 0, () => inference.checkWhere(process.where));
    if (process.where !== undefined) {
        checkStatic(process.where, 'which instances a process has', problems);
    }
    const isEmpty = count === 0 || where === false;
    if (isEmpty) {
        const reason = where === false ? 'its `where` is never true' : 'the type of its index is empty';
        const message = `process \`${process.name}\` has no instance: ${reason}`;
        problems.warning('process/no-instance', message, nameRangeOf(process));
    }
    if (count > EXPANSION_LIMIT) {
        const what = `a family of ${formatCount(count)} instances is too large`;
        problems.tooLarge(what, EXPANSION_LIMIT, nameRangeOf(process));
    }
    return isEmpty;
}

function checkBlock(block: ast.Block, context: CheckContext): void {
    block.items.forEach(item => checkItem(item, context));
}

function checkItem(item: ast.Item, context: CheckContext): void {
    const { inference, problems } = context;
    switch (item.$type) {
        case 'Labeled':
            checkItem(item.item, context);
            return;
        case 'Variable':
            checkVariable(item, context);
            checkReadsEarlier(item, [item], problems);
            return;
        case 'Constant':
            checkLocalConstant(item, context);
            return;
        case 'Let':
            inference.typeOf(item.value);
            return;
        case 'Loop':
            checkBlock(item.body, context);
            return;
        case 'While': {
            const known = inference.checkCondition(item.condition, 'the condition after `while`');
            problems.whileUnreachable(known === false, () => checkBlock(item.body, context));
            return;
        }
        case 'For': {
            checkOverTypes(item.groups, 'a `for` between steps', inference);
            const count = inference.checkBinders(item.groups, 'the `for`', item);
            problems.whileUnreachable(count === 0, () => checkBlock(item.body, context));
            return;
        }
        case 'IfControl':
            checkIf(item, context);
            return;
        case 'Choose':
            item.alternatives.forEach(alternative => checkAlternative(alternative, context));
            return;
        case 'Break':
        case 'Terminate':
            return;
        case 'Step':
            checkStep(item, context);
            return;
        default:
            unreachable(item);
    }
}

function checkAlternative(alternative: ast.Alternative, context: CheckContext): void {
    const { inference, problems } = context;
    const count = inference.checkBinders(alternative.groups, 'the choice', alternative);
    const where = problems.whileUnreachable(count === 0, () => inference.checkWhere(alternative.where));
    problems.whileUnreachable(count === 0 || where === false, () => checkBlock(alternative.body, context));
}

function checkIf(item: ast.IfControl, context: CheckContext): void {
    const { inference, problems } = context;
    const known = inference.checkCondition(item.condition, 'the condition after `if`');
    problems.whileUnreachable(known === false, () => checkBlock(item.then, context));
    problems.whileUnreachable(known === true, () => {
        if (item.otherwise !== undefined) {
            checkBlock(item.otherwise, context);
        }
        if (item.elseIf !== undefined) {
            checkIf(item.elseIf, context);
        }
    });
}

function checkLocalConstant(constant: ast.Constant, { constants, inference, problems }: CheckContext): void {
    inference.checkFit(constant.value, constant.type && constants.shapeOf(constant.type), `\`${constant.name}\``);
    checkStatic(constant.value, `the constant \`${constant.name}\``, problems);
}
