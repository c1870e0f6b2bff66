/** Processes: families and control flow. */
import { unreachable } from '../../engine/common/assert.js';
import { domainSize } from '../../engine/model/domain.js';
import * as ast from '../generated/ast.js';
import type { Alternative, Block, Declaration, Item, Process } from '../generated/ast.js';
import { localsOf, type Local } from '../references/locals.js';
import { nameRangeOf } from '../source-range.js';
import { EXPANSION_LIMIT } from '../typing/constant-evaluation.js';
import { formatCount } from '../typing/describe.js';
import { scalarCount } from '../typing/shape.js';
import type { CheckContext } from './check-context.js';
import { checkControlFlow } from './control-flow.js';
import { checkReadsEarlier, checkUsedAfterDeclaration } from './reading-order.js';
import { checkExpandedSizes, checkStatic } from './static-expressions.js';
import { checkStep } from './steps.js';
import { checkTestAndStep } from './test-and-step.js';
import { checkVariable } from './variables.js';

/** `declarations` are those of the model and of what it imports. */
export function checkProcesses(declarations: readonly Declaration[], context: CheckContext): void {
    const { problems } = context;
    const processes = declarations.filter(ast.isProcess);
    checkTotal(declarations, context);
    checkTestAndStep(processes, problems);
    for (const process of processes) {
        const isEmpty = checkFamily(process, context);
        problems.whileUnreachable(isEmpty, () => checkBlock(process.body, context));
        checkControlFlow(process, problems);
        checkUsedAfterDeclaration(process, problems);
        checkExpandedSizes(process, problems);
    }
}

/** The cells of all variables together: each array may be small enough, and the state still too large to store. */
function checkTotal(declarations: readonly Declaration[], { constants, problems }: CheckContext): void {
    let total = 0;
    const add = (variable: Local, instances: number): void => {
        const shape = ast.isVariable(variable) ? constants.shapeOf(variable.type) : constants.shapeOfBinder(variable);
        const cells = instances * (shape === undefined ? 1 : scalarCount(shape));
        if (total <= EXPANSION_LIMIT && total + cells > EXPANSION_LIMIT) {
            problems.error(
                'type/too-large',
                `with \`${variable.name}\` a state has ${formatCount(total + cells)} cells; ` +
                    `at most ${formatCount(EXPANSION_LIMIT)} are possible`,
                nameRangeOf(variable),
            );
        }
        total += cells;
    };
    for (const declaration of declarations) {
        if (ast.isVariable(declaration)) {
            add(declaration, 1);
        } else if (ast.isProcess(declaration)) {
            const instances = declaration.indices.reduce((product, index) => {
                const domain = constants.domainOfBinder(index);
                return product * (domain === undefined ? 1 : domainSize(domain));
            }, 1);
            localsOf(declaration).forEach(local => add(local, instances));
        }
    }
}

/** Returns whether the family has no instance. */
function checkFamily(process: Process, { constants, inference, problems }: CheckContext): boolean {
    const sizes = process.indices.map(index => {
        const domain = constants.domainOfBinder(index);
        return domain === undefined ? undefined : domainSize(domain);
    });
    const where =
        process.where === undefined
            ? undefined
            : inference.checkCondition(process.where, 'the condition after `where`');
    if (process.where !== undefined) {
        checkStatic(process.where, 'which instances a process has', problems);
    }
    const count = sizes.reduce<number>((product, size) => product * (size ?? 1), 1);
    const isEmpty = count === 0 || where === false;
    if (isEmpty) {
        const reason = where === false ? 'its `where` is never true' : 'the type of its index is empty';
        problems.warning(
            'process/no-instance',
            `process \`${process.name}\` has no instance: ${reason}`,
            nameRangeOf(process),
        );
    }
    if (count > EXPANSION_LIMIT) {
        problems.error(
            'type/too-large',
            `a family of ${formatCount(count)} instances is too large; at most ${formatCount(EXPANSION_LIMIT)} are possible`,
            nameRangeOf(process),
        );
    }
    return isEmpty;
}

function checkBlock(block: Block, context: CheckContext): void {
    block.items.forEach(item => checkItem(item, context));
}

function checkItem(item: Item, context: CheckContext): void {
    const { inference, problems } = context;
    switch (item.$type) {
        case 'Labeled':
            checkItem(item.item, context);
            return;
        case 'Variable':
            checkLocal(item, context);
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

function checkAlternative(alternative: Alternative, context: CheckContext): void {
    const { inference, problems } = context;
    const count = inference.checkBinders(alternative.groups, 'the choice', alternative);
    const where =
        alternative.where === undefined
            ? undefined
            : inference.checkCondition(alternative.where, 'the condition after `where`');
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

function checkLocal(variable: ast.Variable, context: CheckContext): void {
    checkVariable(variable, context);
    checkReadsEarlier(variable, [variable], context.problems);
}

function checkLocalConstant(constant: ast.Constant, { constants, inference, problems }: CheckContext): void {
    const shape = constant.type === undefined ? undefined : constants.shapeOf(constant.type);
    if (shape === undefined) {
        inference.typeOf(constant.value);
    } else {
        inference.checkFit(constant.value, shape, `\`${constant.name}\``);
    }
    checkStatic(constant.value, `the constant \`${constant.name}\``, problems);
}
