/** Declarations outside processes: parameters, types, shared variables, events, invariants. */
import { AstUtils } from 'langium';
import type { SourceRange } from '../../engine/common/source-range.js';
import { codeOfValue, domainSize, formatValue, type Domain } from '../../engine/model/domain.js';
import * as ast from '../generated/ast.js';
import type { Expression, Model, Parameter, Variable } from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import { EXPANSION_LIMIT } from '../typing/constant-evaluation.js';
import { problemOfGiven, type Constants } from '../typing/constants.js';
import { formatCount } from '../typing/describe.js';
import type { TypeInference } from '../typing/type-inference.js';
import { describeDomain, fitOf } from '../typing/type.js';
import type { ProblemCollector } from './problem-collector.js';
import { checkReadsEarlier } from './reading-order.js';

export function checkDeclarations(
    model: Model,
    constants: Constants,
    inference: TypeInference,
    overrides: ReadonlyMap<string, Expression>,
    problems: ProblemCollector,
): void {
    checkHeader(model, problems);
    for (const declaration of model.declarations) {
        switch (declaration.$type) {
            case 'Parameter':
                checkParameter(declaration, constants, inference, overrides, problems);
                break;
            case 'Constant':
                checkConstant(declaration, constants, inference, problems);
                break;
            case 'TypeDeclaration':
                constants.shapeOf(declaration.type);
                break;
            case 'Variable':
                checkVariable(declaration, constants, inference, problems);
                checkReadsEarlier(declaration, model.declarations, problems);
                break;
            case 'EventDeclaration':
                checkEvent(declaration, constants, problems);
                break;
            case 'Invariant':
                inference.checkCondition(declaration.expression, `invariant \`${declaration.name}\``);
                break;
            case 'Enumeration':
            case 'DeadlockAllowance':
            case 'Process':
                break;
        }
    }
    checkTypesOf(model, inference, problems);
    checkKnown(model, constants, problems);
}

/** Every parameter and constant has a value, or there is an error that says why not. */
function checkKnown(model: Model, constants: Constants, problems: ProblemCollector): void {
    for (const declaration of model.declarations) {
        const isNamedValue = ast.isParameter(declaration) || ast.isConstant(declaration);
        if (isNamedValue && constants.valueOf(declaration) === undefined && !problems.hasErrors()) {
            problems.error(
                'type/not-constant',
                `the value of \`${declaration.name}\` cannot be computed`,
                nameRangeOf(declaration),
            );
        }
    }
}

/** A shared or local variable: its type has values, and its initial value is one of them. */
export function checkVariable(
    variable: Variable,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): void {
    const shape = constants.shapeOf(variable.type);
    if (shape !== undefined && domainSize(shape.element) === 0) {
        problems.error(
            'type/empty',
            `\`${variable.name}\` can hold no value: the type ${describeDomain(shape.element)} is empty`,
            rangeOf(variable.type),
        );
    }
    if (variable.initializer === undefined) {
        return;
    }
    if (shape === undefined) {
        inference.typeOf(variable.initializer);
    } else if (domainSize(shape.element) > 0) {
        inference.checkFit(variable.initializer, shape.element, `\`${variable.name}\``);
    }
}

function checkHeader(model: Model, problems: ProblemCollector): void {
    const [first, ...others] = model.headers;
    for (const header of others) {
        problems.error('model/repeated', 'a file holds one model', rangeOf(header), [
            { message: 'the first one', range: rangeOf(first ?? header) },
        ]);
    }
    const [declaration] = model.declarations;
    if (first !== undefined && declaration !== undefined && offsetOf(declaration) < offsetOf(first)) {
        problems.error('model/not-first', '`model` stands before all declarations', rangeOf(first));
    }
    if (declaration === undefined) {
        const range = first === undefined ? firstLineOf(model) : rangeOf(first);
        problems.error('model/empty', 'there is no model here: declare variables and a `process`', range);
    } else if (!model.declarations.some(ast.isProcess)) {
        const range = first === undefined ? rangeOf(declaration) : nameRangeOf(first);
        problems.warning('model/no-process', 'the model has no process, so nothing ever happens', range);
    }
}

/** Something to point at in a file that holds nothing. */
function firstLineOf(model: Model): SourceRange {
    const { uri, textDocument } = AstUtils.getDocument(model);
    const start = { line: 0, character: 0 };
    const length = (textDocument.getText().split(/\r?\n/, 1)[0] ?? '').length;
    return { uri: uri.toString(), start, end: { line: 0, character: length } };
}

function offsetOf(node: ast.ModelHeader | ast.Declaration): number {
    return node.$cstNode?.offset ?? 0;
}

function checkParameter(
    parameter: Parameter,
    constants: Constants,
    inference: TypeInference,
    overrides: ReadonlyMap<string, Expression>,
    problems: ProblemCollector,
): void {
    const domain = constants.scalarOf(parameter.type);
    const what = `\`${parameter.name}\``;
    if (parameter.value !== undefined) {
        checkConstantValue(parameter.value, domain, what, constants, inference, problems);
    }
    const given = overrides.get(parameter.name);
    if (given !== undefined && domain !== undefined) {
        problems.elsewhere(problemOfGiven(parameter), () =>
            checkGiven(given, domain, what, constants, inference, problems),
        );
    } else if (given === undefined && parameter.value === undefined) {
        problems.error(
            'parameter/no-value',
            `${what} has no value: give it a default here, or a value from outside`,
            nameRangeOf(parameter),
        );
    }
}

/** A value from outside. Its names were not linked with the document's. */
function checkGiven(
    given: Expression,
    domain: Domain,
    what: string,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): void {
    for (const node of AstUtils.streamAst(given)) {
        if (ast.isReference(node) && node.target.ref === undefined) {
            problems.error('name/unresolved', `\`${node.target.$refText}\` is not declared`, rangeOf(node));
        }
    }
    checkConstantValue(given, domain, what, constants, inference, problems);
}

function checkConstant(
    constant: ast.Constant,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): void {
    const domain = constant.type === undefined ? undefined : constants.scalarOf(constant.type);
    constants.valueOf(constant);
    checkConstantValue(constant.value, domain, `\`${constant.name}\``, constants, inference, problems);
}

/**
 * A value that is known before the run fits its type. Which faults arise shows the evaluation, which does not reach
 * everything; only what has the wrong type is wrong wherever it stands.
 */
function checkConstantValue(
    expression: Expression,
    domain: Domain | undefined,
    what: string,
    constants: Constants,
    inference: TypeInference,
    problems: ProblemCollector,
): void {
    problems.whileUnreachable(true, () => {
        if (domain === undefined) {
            inference.typeOf(expression);
        } else {
            inference.checkFit(expression, domain, what);
        }
    });
    const value = constants.evaluate(expression);
    if (domain === undefined || value === undefined || fitOf(inference.typeOf(expression), domain) === 'mismatch') {
        return;
    }
    if (codeOfValue(domain, value) < 0) {
        const text = `${what} has the type ${describeDomain(domain)}, but this is ${formatValue(domain, value)}`;
        problems.error('type/out-of-range', text, rangeOf(expression));
    }
}

function checkEvent(event: ast.EventDeclaration, constants: Constants, problems: ProblemCollector): void {
    const domains = constants.argumentsOf(event);
    const count = domains.reduce((product, domain) => product * (domain === undefined ? 1 : domainSize(domain)), 1);
    if (count > EXPANSION_LIMIT) {
        problems.error(
            'type/too-large',
            `an event of ${formatCount(count)} argument values is too large; ` +
                `at most ${formatCount(EXPANSION_LIMIT)} are possible`,
            nameRangeOf(event),
        );
    }
}

/** The bounds of all ranges in the model are integers. Faults are found when they are evaluated. */
function checkTypesOf(model: Model, inference: TypeInference, problems: ProblemCollector): void {
    for (const type of AstUtils.streamAllContents(model).filter(ast.isRangeType)) {
        if (type.high !== undefined) {
            const { low, high } = type;
            problems.whileUnreachable(true, () => {
                inference.checkInteger(low, 'the low bound of a range');
                inference.checkInteger(high, 'the high bound of a range');
            });
        }
    }
}
