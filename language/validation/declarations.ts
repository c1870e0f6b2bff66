/** Declarations outside of processes: parameters, types, shared variables, channels, events, functions, invariants. */
import type { SourceRange } from '../../engine/common/source-range.js';
import { descendantsOf, nodesOf } from '../tree/descendants.js';
import type { Node } from '../tree/node.js';
import * as ast from '../generated/nodes.js';
import { isTypeOfNames } from '../references/templates.js';
import { nameRangeOf, rangeOf, sourceOf, spanOf } from '../tree/source-text.js';
import { problemOfGiven, type Constants } from '../typing/constants.js';
import { formatCount } from '../problems/describe.js';
import { countOf } from '../representation/domains.js';
import { EXPANSION_LIMIT, type Shape, type ConstantValue } from '../representation/shape.js';
import { fitOf } from '../representation/type.js';
import { checkSymmetryAssertion } from './assertions.js';
import { isNumberOfValues } from '../typing/constants.js';
import { fixIntoRange } from '../typing/fix-into-range.js';
import { holdsNumber } from '../typing/one-cell.js';
import type { CheckContext } from './check-context.js';
import { checkReturns, reportReturns } from './control-flow.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { checkReadsEarlier, checkUsedAfterDeclaration } from './reading-order.js';
import { checkBody } from './statements.js';
import { checkExpectation, checkStatedRun } from './meant-verdicts.js';
import { checkStatic } from './static-expressions.js';
import { checkAssumption, checkProperty } from './temporal.js';
import { checkVariable } from './variables.js';

/** `declarations` are those of the model and its imports. */
export function checkDeclarations(
    model: ast.Model,
    declarations: readonly ast.Declaration[],
    overrides: ReadonlyMap<string, ast.Expression>,
    context: CheckContext,
): void {
    const { constants, inference, problems } = context;
    checkHeader(model, declarations, problems);
    checkDeadlock(declarations, problems);
    for (const declaration of declarations) {
        switch (declaration.$type) {
            case 'Parameter':
                checkParameter(declaration, overrides, context);
                break;
            case 'Constant':
                checkConstant(declaration, context);
                break;
            case 'TypeDeclaration':
                constants.shapeOf(declaration.type);
                break;
            case 'RecordDeclaration':
                checkRecord(declaration, context);
                break;
            case 'Enumeration':
                checkEnumeration(declaration, context);
                break;
            case 'Variable':
                checkVariable(declaration, context);
                checkReadsEarlier(declaration, declarations, problems);
                break;
            case 'InitialBody':
                checkInitialBody(declaration, context);
                break;
            case 'Constraint':
                inference.checkCondition(declaration.expression, 'what `constraint` states');
                break;
            case 'InitialCondition':
                checkInitialCondition(declaration, context);
                break;
            case 'ChannelDeclaration':
                checkChannel(declaration, context);
                break;
            case 'EventDeclaration':
                checkEvent(declaration, context);
                break;
            case 'FunctionDeclaration':
                checkFunction(declaration, context);
                break;
            case 'Procedure':
                checkProcedure(declaration, context);
                break;
            case 'Invariant':
                inference.checkCondition(declaration.expression, `invariant \`${declaration.name}\``);
                break;
            case 'Property':
                checkProperty(declaration, context);
                break;
            case 'Assumption':
                checkAssumption(declaration, context);
                break;
            case 'StatedRun':
                checkStatedRun(declaration, context);
                break;
            case 'Expectation':
                checkExpectation(declaration, declarations, context);
                break;
            case 'SymmetryAssertion':
                checkSymmetryAssertion(declaration, context);
                break;
            default:
                break;
        }
    }
    checkTypesOf(declarations, context);
    checkKnown(declarations, context);
}

function checkEnumeration(declaration: ast.Enumeration, { constants, problems }: CheckContext): void {
    const withFields = declaration.values.find(({ fields }) => fields.length > 0);
    if (isTypeOfNames(declaration) && withFields !== undefined) {
        const message =
            `values without end are only compared, so \`${withFields.name}\` has no fields; ` +
            'a record has a field for such a value and others beside it';
        problems.error('name/place', message, rangeOf(withFields));
    } else if (withFields !== undefined) {
        constants.shapeOfCases(declaration);
    }
}

/** Checks that every parameter and constant has a value, or that an error says why not. */
function checkKnown(declarations: readonly ast.Declaration[], { constants, problems }: CheckContext): void {
    for (const declaration of declarations) {
        const isNamedValue = ast.isParameter(declaration) || ast.isConstant(declaration);
        const type = isNamedValue ? declaration.type : undefined;
        const shape = type && constants.shapeOfElement(type.element);
        if (type !== undefined && shape !== undefined && holdsNumber(shape)) {
            const message = 'a constant has an end: give its type a bound, `0 .. 9`';
            problems.error('number/place', message, rangeOf(type));
        }
        if (isNamedValue && constants.valueOf(declaration) === undefined && !problems.hasErrors()) {
            const message = `the value of \`${declaration.name}\` cannot be computed`;
            problems.error('type/not-constant', message, nameRangeOf(declaration));
        }
    }
}

function checkHeader(model: ast.Model, declarations: readonly ast.Declaration[], problems: ProblemCollector): void {
    const [first, ...others] = model.headers;
    for (const header of others) {
        problems.error('model/repeated', 'a file holds one model', rangeOf(header), [
            { message: 'the first one', range: rangeOf(first ?? header) },
        ]);
    }
    const [own] = model.declarations;
    if (first !== undefined && own !== undefined && offsetOf(own) < offsetOf(first)) {
        problems.error('model/not-first', '`model` stands before all declarations', rangeOf(first));
    }
    if (own === undefined) {
        const range = first === undefined ? firstLineOf(model) : rangeOf(first);
        problems.error('model/empty', 'there is no model here: declare variables and a `process`', range);
    } else if (!declarations.some(node => ast.isProcess(node) && !node.isTemplate)) {
        const range = first === undefined ? rangeOf(own) : nameRangeOf(first);
        const where = declarations.some(ast.isProcess) ? ' that is there at the start' : '';
        problems.warning('model/no-process', `the model has no process${where}, so nothing ever happens`, range);
    }
}

/** The range of an error in an empty file. */
function firstLineOf(model: ast.Model): SourceRange {
    const { uri, text } = sourceOf(model) ?? { uri: '', text: '' };
    const start = { line: 0, character: 0 };
    const length = (text.split(/\r?\n/, 1)[0] ?? '').length;
    return { uri, start, end: { line: 0, character: length } };
}

function offsetOf(node: ast.ModelHeader | ast.Declaration): number {
    return spanOf(node).offset;
}

function checkDeadlock(declarations: readonly ast.Declaration[], problems: ProblemCollector): void {
    const allowance = declarations.find(ast.isDeadlockAllowance);
    const freedom = declarations.find(ast.isDeadlockFreedom);
    if (allowance !== undefined && freedom !== undefined) {
        problems.error(
            'model/deadlock-conflict',
            'the model says both that it never deadlocks and that it may; keep one of the two lines',
            rangeOf(freedom),
            [{ message: 'deadlocks are allowed here', range: rangeOf(allowance) }],
        );
    }
}

function checkParameter(
    parameter: ast.Parameter,
    overrides: ReadonlyMap<string, ast.Expression>,
    context: CheckContext,
): void {
    const { constants, problems } = context;
    const what = `\`${parameter.name}\``;
    const given = overrides.get(parameter.name);
    if (parameter.value !== undefined && given === undefined) {
        const shape = constants.shapeOfParameter(parameter);
        checkConstantValue(parameter.value, constants.valueOf(parameter), shape, what, context);
    } else if (parameter.value !== undefined) {
        const value = constants.evaluate(parameter.value);
        const shape = value === undefined ? undefined : constants.shapeOfParameterFor(parameter, value);
        checkConstantValue(parameter.value, value, shape, what, context);
    }
    if (given !== undefined) {
        problems.elsewhere(problemOfGiven(parameter), () => checkGiven(given, parameter, what, context));
    } else if (parameter.value === undefined) {
        constants.shapeOf(parameter.type);
        const message = `${what} has no value: give it a default here, or a value from outside`;
        problems.error('parameter/no-value', message, nameRangeOf(parameter));
    }
}

/** Checks a value from outside, whose names were not linked with those of the document. */
function checkGiven(given: ast.Expression, parameter: ast.Parameter, what: string, context: CheckContext): void {
    const { constants, problems } = context;
    for (const node of nodesOf(given)) {
        const name = ast.isReference(node) ? node.target : ast.isCall(node) ? node.function : undefined;
        if (name !== undefined && name.ref === undefined) {
            problems.error('name/unresolved', `\`${name.$refText}\` is not declared`, rangeOf(node));
        }
    }
    checkConstantValue(given, constants.valueOf(parameter), constants.shapeOfParameter(parameter), what, context);
}

function checkConstant(constant: ast.Constant, context: CheckContext): void {
    const { constants } = context;
    const shape = constant.type === undefined ? undefined : constants.shapeOf(constant.type);
    checkConstantValue(constant.value, constants.valueOf(constant), shape, `\`${constant.name}\``, context);
}

/** Checks that a constant fits its type. The evaluation has reported the faults of the parts that it reaches. */
function checkConstantValue(
    expression: ast.Expression,
    value: ConstantValue | undefined,
    shape: Shape | undefined,
    what: string,
    { inference, problems }: CheckContext,
): void {
    problems.whileUnreachable(true, () => {
        inference.checkFit(expression, shape, what);
    });
    if (shape === undefined || value === undefined || fitOf(inference.typeOf(expression), shape) === 'mismatch') {
        return;
    }
    const typed = shape.constantAs(value);
    const misfit = typed === undefined ? undefined : shape.misfit(typed);
    if (misfit !== undefined) {
        const owner = misfit.shape === shape ? what : `each cell of ${what}`;
        const found = misfit.shape.formatValue(misfit.value);
        const message = `${owner} has the type ${misfit.shape.describe()}, but this is ${found}`;
        const fix = misfit.shape === shape ? fixIntoRange(shape, expression) : undefined;
        problems.error('type/out-of-range', message, rangeOf(expression), [], fix);
    }
}

function checkRecord(record: ast.RecordDeclaration, { constants, inference, problems }: CheckContext): void {
    constants.shapeOfRecord(record);
    const { where } = record;
    if (where !== undefined) {
        // `shapeOfRecord` has evaluated the condition for all combinations, and reported its faults.
        problems.whileUnreachable(true, () => inference.checkWhere(where));
    }
}

/** Checks statements that compute initial states. What their values are is known only when they run. */
function checkInitialBody(initial: ast.InitialBody, context: CheckContext): void {
    const { constants, inference, problems } = context;
    const count = countOf(initial.indices.map(index => constants.domainOfBinder(index)));
    const where = problems.whileUnreachable(count === 0, () => inference.checkWhere(initial.where));
    if (initial.where !== undefined) {
        checkStatic(initial.where, 'how many initial states there are', problems);
    }
    problems.whileUnreachable(count === 0 || where === false, () => checkBody(initial.body, context));
    reportReturns(initial, '`init` has none', problems);
    checkUsedAfterDeclaration(initial, problems);
    reportPlacesOfProcesses(initial, problems);
}

function checkInitialCondition({ expression }: ast.InitialCondition, { inference, problems }: CheckContext): void {
    inference.checkCondition(expression, 'what `init` states');
    reportPlacesOfProcesses(expression, problems);
}

function reportPlacesOfProcesses(initial: Node, problems: ProblemCollector): void {
    for (const node of nodesOf(initial)) {
        if ((ast.isReference(node) && node.label !== undefined) || ast.isInstanceAt(node)) {
            const message = 'initial states cannot depend on where a process is: no process has a place yet';
            problems.error('name/too-early', message, rangeOf(node));
        }
    }
}

function checkChannel(channel: ast.ChannelDeclaration, { constants, inference, problems }: CheckContext): void {
    const count = countOf(constants.indicesOf(channel));
    const message = constants.shapeOf(channel.message);
    const typed = problems.whileUnreachable(true, () =>
        inference.checkInteger(channel.capacity, 'the capacity of a channel'),
    );
    const capacity = typed === undefined ? undefined : constants.evaluate(channel.capacity);
    if (capacity === undefined || typeof capacity !== 'number') {
        return;
    }
    if (capacity < 0) {
        problems.error(
            'channel/capacity',
            `a channel holds at most so many messages, so this cannot be ${capacity}; ` +
                'write 0 where sender and receiver meet (rendezvous)',
            rangeOf(channel.capacity),
        );
        return;
    }
    const cells = count * (capacity * (message === undefined ? 1 : message.scalarCount()) + 1);
    if (cells > EXPANSION_LIMIT) {
        const what = `\`${channel.name}\` takes ${formatCount(cells)} cells of a state`;
        problems.tooLarge(what, EXPANSION_LIMIT, nameRangeOf(channel));
    }
    const { initializer } = channel;
    if (initializer === undefined) {
        return;
    }
    if (capacity === 0) {
        const text = `\`${channel.name}\` has capacity 0: messages pass from hand to hand, so there is none at the start`;
        problems.error('channel/no-buffer', text, rangeOf(initializer));
    }
    const contents = inference.contentsOf(channel);
    inference.checkFit(initializer, contents, `what is in \`${channel.name}\` at the start`, true);
}

function checkEvent(event: ast.EventDeclaration, { constants, problems }: CheckContext): void {
    const count = countOf(constants.argumentsOf(event));
    if (count > EXPANSION_LIMIT) {
        const what = `an event of ${formatCount(count)} argument values is too large`;
        problems.tooLarge(what, EXPANSION_LIMIT, nameRangeOf(event));
    }
}

/** Checks that the bounds of all ranges are integers. Their evaluation reports faults. */
function checkTypesOf(declarations: readonly ast.Declaration[], { inference, problems }: CheckContext): void {
    for (const { length } of declarations.flatMap(each => descendantsOf(each).filter(ast.isSequenceType))) {
        problems.whileUnreachable(true, () => {
            inference.checkInteger(length, 'the most elements of a sequence');
        });
    }
    for (const type of declarations.flatMap(each => descendantsOf(each).filter(ast.isRangeType))) {
        if (type.high !== undefined) {
            const { low, high } = type;
            problems.whileUnreachable(true, () => {
                inference.checkInteger(low, 'the low bound of a range');
                inference.checkInteger(high, 'the high bound of a range');
            });
        } else if (isNumberOfValues(type)) {
            inference.checkInteger(type.low, 'the number of values of an index type');
        }
    }
}

/** Whether the type of a parameter is empty, so that there is no call. */
export function takesNoValue(parameters: readonly { readonly type: ast.Type }[], constants: Constants): boolean {
    const shapes = parameters.map(({ type }) => constants.shapeOf(type));
    return shapes.some(shape => shape !== undefined && shape.hasNoValue());
}

/** Checks a function, which computes a value from its arguments and the state, and changes nothing. */
function checkFunction(declaration: ast.FunctionDeclaration, context: CheckContext): void {
    const { constants, inference, problems } = context;
    const isUncalled = takesNoValue(declaration.parameters, constants);
    const result = constants.shapeOf(declaration.result);
    problems.whileUnreachable(isUncalled, () => {
        if (declaration.value !== undefined) {
            inference.checkFit(declaration.value, result, `the result of \`${declaration.name}\``);
        }
        if (declaration.body !== undefined) {
            checkBody(declaration.body, context, declaration);
            checkReturns(declaration, problems);
        }
    });
    checkUsedAfterDeclaration(declaration, problems);
}

/** Checks a procedure, which stands for its text wherever it is called. */
function checkProcedure(procedure: ast.Procedure, context: CheckContext): void {
    const { constants, problems } = context;
    procedure.parameters.forEach(({ type }) => constants.shapeOf(type));
    problems.whileUnreachable(takesNoValue(procedure.parameters, constants), () => checkBody(procedure.body, context));
    reportReturns(procedure, 'a procedure has none', problems);
    checkUsedAfterDeclaration(procedure, problems);
    const again = nodesOf(procedure.body).find(
        node => ast.isProcedureCall(node) && proceduresBehind(node).has(procedure),
    );
    if (again !== undefined) {
        const message = `\`${procedure.name}\` calls itself; a procedure stands for its text, so that has no end`;
        problems.error('procedure/recursion', message, rangeOf(again));
    }
}

/** The procedure that is called, and those that it calls. */
function proceduresBehind(call: ast.ProcedureCall): ReadonlySet<ast.Procedure> {
    const called = new Set([call.procedure.ref].filter(ast.isProcedure));
    // The set grows during the loop.
    for (const { body } of called) {
        for (const node of nodesOf(body)) {
            if (ast.isProcedureCall(node) && ast.isProcedure(node.procedure.ref)) {
                called.add(node.procedure.ref);
            }
        }
    }
    return called;
}
