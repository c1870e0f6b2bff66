/** Processes: families, control flow, steps and the statements inside them. */
import { CstUtils, type AstNode } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import { domainSize } from '../../engine/model/domain.js';
import * as ast from '../generated/ast.js';
import type { Block, Body, Item, Model, Process, Statement, Step } from '../generated/ast.js';
import { localsOf } from '../references/locals.js';
import { nameRangeOf, rangeOf, rangeOfProperty } from '../source-range.js';
import { EXPANSION_LIMIT } from '../typing/constant-evaluation.js';
import type { Constants } from '../typing/constants.js';
import { describeNamed, formatCount } from '../typing/describe.js';
import { ARGUMENT, type TypeInference } from '../typing/type-inference.js';
import { checkControlFlow } from './control-flow.js';
import { checkVariable } from './declarations.js';
import type { ProblemCollector } from './problem-collector.js';
import { checkReadsEarlier, checkUsedAfterDeclaration } from './reading-order.js';
import { checkTestAndStep } from './test-and-step.js';
import { checkExpandedSizes, checkStatic } from './static-expressions.js';

/** What every check of one process needs. */
interface Context {
    readonly constants: Constants;
    readonly inference: TypeInference;
    readonly problems: ProblemCollector;
    /** The declarations at the head of the body: they are initialized before the run. */
    readonly head: readonly Item[];
}

export function checkProcesses(
    model: Model,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): void {
    checkTotal(model, constants, problems);
    checkTestAndStep(model, problems);
    for (const process of model.declarations.filter(ast.isProcess)) {
        const isEmpty = checkFamily(process, constants, inference, problems);
        const context = { constants, inference, problems, head: headOf(process) };
        problems.whileUnreachable(isEmpty, () => checkBlock(process.body, context));
        checkControlFlow(process, problems);
        checkUsedAfterDeclaration(process, problems);
        checkExpandedSizes(process, problems);
    }
}

/** The cells of all variables together: each array may be small enough, and the state still too large to store. */
function checkTotal(model: Model, constants: Constants, problems: ProblemCollector): void {
    let total = 0;
    const add = (variable: ast.Variable, instances: number): void => {
        const indices = constants.shapeOf(variable.type)?.indices ?? [];
        const cells = indices.reduce((product, index) => product * domainSize(index), instances);
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
    for (const declaration of model.declarations) {
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

/** The declarations at the beginning of a process's body. */
export function headOf(process: Process): (ast.Variable | ast.Constant)[] {
    const head: (ast.Variable | ast.Constant)[] = [];
    for (const item of process.body.items) {
        if (!ast.isVariable(item) && !ast.isConstant(item)) {
            break;
        }
        head.push(item);
    }
    return head;
}

/** Returns whether the family has no instance. */
function checkFamily(
    process: Process,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): boolean {
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

function checkBlock(block: Block, context: Context): void {
    block.items.forEach((item, index) => {
        checkItem(item, context);
        if (index < block.items.length - 1 && !ast.isVariable(item) && !ast.isConstant(item)) {
            checkSemicolon(item, context.problems);
        }
    });
}

/** A semicolon may be left out after a closing brace. */
function checkSemicolon(item: AstNode, problems: ProblemCollector): void {
    const cst = item.$cstNode;
    if (cst === undefined || cst.text.endsWith('}') || CstUtils.getNextNode(cst, false)?.text === ';') {
        return;
    }
    const range = rangeOf(item);
    const lastCharacter = { line: range.end.line, character: range.end.character - 1 };
    problems.error('syntax/missing-semicolon', '`;` is missing after this', { ...range, start: lastCharacter });
}

function checkItem(item: Item, context: Context): void {
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
        case 'Loop':
            checkBlock(item.body, context);
            return;
        case 'While': {
            const known = inference.checkCondition(item.condition, 'the condition after `while`');
            problems.whileUnreachable(known === false, () => checkBlock(item.body, context));
            return;
        }
        case 'IfControl':
            checkIf(item, context);
            return;
        case 'Choose':
            item.alternatives.forEach(alternative => checkBlock(alternative, context));
            return;
        case 'Break':
            return;
        case 'Step':
            checkStep(item, context);
            return;
        default:
            unreachable(item);
    }
}

function checkIf(item: ast.IfControl, context: Context): void {
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

function checkLocal(variable: ast.Variable, context: Context): void {
    checkVariable(variable, context.constants, context.inference, context.problems);
    checkReadsEarlier(variable, [variable], context.problems);
    if (variable.any && !context.head.includes(variable)) {
        context.problems.error(
            'process/any-inside',
            '`any` is possible only for variables at the head of a process; here use `choose`',
            rangeOfProperty(variable, 'any'),
        );
    }
}

function checkLocalConstant(constant: ast.Constant, context: Context): void {
    const domain = constant.type === undefined ? undefined : context.constants.scalarOf(constant.type);
    if (domain === undefined) {
        context.inference.typeOf(constant.value);
    } else {
        context.inference.checkFit(constant.value, domain, `\`${constant.name}\``);
    }
    checkStatic(constant.value, `the constant \`${constant.name}\``, context.problems);
}

function checkStep(step: Step, context: Context): void {
    const { inference, problems } = context;
    const known = step.guard === undefined ? undefined : inference.checkCondition(step.guard, 'the guard after `when`');
    if (step.assertion !== undefined) {
        inference.checkCondition(step.assertion, 'the condition after `assert`');
    }
    problems.whileUnreachable(known === false, () => {
        if (step.place !== undefined && step.value !== undefined) {
            checkAssignment(step.place, step.value, context);
        } else if (step.place !== undefined) {
            checkEvent(step.place, context);
        }
        if (step.body !== undefined) {
            checkBody(step.body, context);
        }
    });
}

function checkEvent(reference: ast.Reference, context: Context): void {
    const { constants, inference, problems } = context;
    const event = reference.target.ref;
    if (!ast.isEventDeclaration(event)) {
        reference.indices.forEach(index => inference.typeOf(index));
        if (event !== undefined) {
            const hint = ast.isVariable(event) ? `; assign to it with \`${event.name} := …\`` : '';
            problems.error(
                'type/not-an-event',
                `a step is expected here, but \`${event.name}\` is ${describeNamed(event)}${hint}`,
                rangeOf(reference),
            );
        }
        return;
    }
    inference.checkIndices(reference, constants.argumentsOf(event), `event \`${event.name}\``, ARGUMENT);
}

function checkBody(body: Body, context: Context): void {
    body.statements.forEach((statement, index) => {
        checkStatement(statement, context);
        if (index < body.statements.length - 1) {
            checkSemicolon(statement, context.problems);
        }
    });
}

function checkStatement(statement: Statement, context: Context): void {
    const { inference, problems } = context;
    switch (statement.$type) {
        case 'Assignment':
            checkAssignment(statement.target, statement.value, context);
            return;
        case 'Assertion':
            inference.checkCondition(statement.condition, 'the condition after `assert`');
            return;
        case 'IfStatement': {
            const known = inference.checkCondition(statement.condition, 'the condition after `if`');
            problems.whileUnreachable(known === false, () => checkBody(statement.then, context));
            problems.whileUnreachable(known === true, () => {
                if (statement.otherwise !== undefined) {
                    checkBody(statement.otherwise, context);
                }
                if (statement.elseIf !== undefined) {
                    checkStatement(statement.elseIf, context);
                }
            });
            return;
        }
        case 'Skip':
            return;
        default:
            unreachable(statement);
    }
}

function checkAssignment(target: ast.Reference, value: ast.Expression, context: Context): void {
    const { constants, inference, problems } = context;
    const variable = target.target.ref;
    const shape = ast.isVariable(variable) ? constants.shapeOf(variable.type) : undefined;
    if (shape === undefined || !ast.isVariable(variable)) {
        target.indices.forEach(index => inference.typeOf(index));
        inference.typeOf(value);
        if (variable !== undefined && !ast.isVariable(variable)) {
            problems.error(
                'type/not-assignable',
                `only variables can be assigned to, but \`${variable.name}\` is ${describeNamed(variable)}`,
                rangeOf(target),
            );
        }
        return;
    }
    if (target.indices.length === 0 && shape.indices.length > 0) {
        inference.typeOf(value);
        problems.error(
            'type/index-count',
            `\`${variable.name}\` is an array; assign to one of its cells, \`${variable.name}[…] := …\``,
            rangeOf(target),
        );
        return;
    }
    inference.checkIndices(target, shape.indices, `\`${variable.name}\``);
    inference.checkFit(value, shape.element, `\`${variable.name}\``);
}
