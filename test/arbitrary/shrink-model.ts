/** Smaller models near a given one, largest cuts first; for shrinking what a test or a fuzzing run has found. */
import type { Control, Declaration, Expression, Model, Statement } from '../reference/syntax.js';

/**
 * Each model with one part left out, or replaced by one of its own parts. A result may name what is no longer declared
 * or lack what a rule of the language asks for; whoever shrinks passes over those.
 */
export function* shrinkModel(model: Model): Generator<Model> {
    for (const declarations of withoutOne(model.declarations)) {
        yield { ...model, declarations };
    }
    for (const [position, declaration] of model.declarations.entries()) {
        for (const smaller of shrinkDeclaration(declaration)) {
            yield { ...model, declarations: replaceAt(model.declarations, position, [smaller]) };
        }
    }
}

function* shrinkDeclaration(declaration: Declaration): Generator<Declaration> {
    switch (declaration.kind) {
        case 'process':
            if (declaration.where !== undefined) {
                const { where: _, ...rest } = declaration;
                yield rest;
            }
            for (const body of shrinkControls(declaration.body)) {
                yield { ...declaration, body };
            }
            break;
        case 'invariant':
            for (const expression of shrinkExpression(declaration.expression)) {
                yield { ...declaration, expression };
            }
            break;
        case 'param':
            if (declaration.value.kind === 'literal' && Number(declaration.value.value) > 1) {
                yield { ...declaration, value: { kind: 'literal', value: Number(declaration.value.value) - 1 } };
            }
            break;
        case 'enum':
            if (declaration.values.length > 1) {
                yield { ...declaration, values: declaration.values.slice(0, -1) };
            }
            break;
        case 'var':
            if (declaration.variable.initial.kind !== 'default') {
                yield { kind: 'var', variable: { ...declaration.variable, initial: { kind: 'default' } } };
            }
            break;
        default:
            break;
    }
}

function* shrinkControls(controls: readonly Control[]): Generator<readonly Control[]> {
    yield* withoutOne(controls);
    for (const [position, control] of controls.entries()) {
        for (const smaller of shrinkControl(control)) {
            yield replaceAt(controls, position, smaller);
        }
    }
}

/** What may stand in the place of `control`. */
function* shrinkControl(control: Control): Generator<readonly Control[]> {
    switch (control.kind) {
        case 'step': {
            const { guard, event, ...rest } = control;
            if (guard !== undefined) {
                yield [{ ...rest, ...(event && { event }) }];
            }
            if (event !== undefined) {
                yield [{ ...rest, ...(guard && { guard }) }];
            }
            for (const body of shrinkStatements(control.body)) {
                yield [{ ...control, body }];
            }
            if (guard !== undefined) {
                for (const smaller of shrinkExpression(guard)) {
                    yield [{ ...control, guard: smaller }];
                }
            }
            break;
        }
        case 'loop':
            yield control.body;
            for (const body of shrinkControls(control.body)) {
                yield [{ ...control, body }];
            }
            break;
        case 'while':
            yield control.body;
            for (const body of shrinkControls(control.body)) {
                yield [{ ...control, body }];
            }
            for (const condition of shrinkExpression(control.condition)) {
                yield [{ ...control, condition }];
            }
            break;
        case 'if':
            yield control.then;
            yield control.otherwise;
            for (const then of shrinkControls(control.then)) {
                yield [{ ...control, then }];
            }
            for (const otherwise of shrinkControls(control.otherwise)) {
                yield [{ ...control, otherwise }];
            }
            for (const condition of shrinkExpression(control.condition)) {
                yield [{ ...control, condition }];
            }
            break;
        case 'choose':
            yield* control.alternatives;
            for (const alternatives of withoutOne(control.alternatives)) {
                if (alternatives.length > 0) {
                    yield [{ ...control, alternatives }];
                }
            }
            for (const [position, alternative] of control.alternatives.entries()) {
                for (const body of shrinkControls(alternative)) {
                    yield [{ ...control, alternatives: replaceAt(control.alternatives, position, [body]) }];
                }
            }
            break;
        case 'labeled':
            yield [control.control];
            for (const smaller of shrinkControl(control.control)) {
                if (smaller.length === 1) {
                    yield [{ ...control, control: smaller[0]! }];
                }
            }
            break;
        case 'declare': {
            const { initial } = control.variable;
            if (initial.kind !== 'default') {
                yield [{ kind: 'declare', variable: { ...control.variable, initial: { kind: 'default' } } }];
            }
            if (initial.kind === 'value') {
                for (const value of shrinkExpression(initial.value)) {
                    yield [{ kind: 'declare', variable: { ...control.variable, initial: { kind: 'value', value } } }];
                }
            }
            break;
        }
        case 'const':
        case 'break':
            break;
    }
}

function* shrinkStatements(statements: readonly Statement[]): Generator<readonly Statement[]> {
    yield* withoutOne(statements);
    for (const [position, statement] of statements.entries()) {
        for (const smaller of shrinkStatement(statement)) {
            yield replaceAt(statements, position, smaller);
        }
    }
}

function* shrinkStatement(statement: Statement): Generator<readonly Statement[]> {
    switch (statement.kind) {
        case 'assign':
            for (const value of shrinkExpression(statement.value)) {
                yield [{ ...statement, value }];
            }
            for (const [position, index] of statement.indices.entries()) {
                for (const smaller of shrinkExpression(index)) {
                    yield [{ ...statement, indices: replaceAt(statement.indices, position, [smaller]) }];
                }
            }
            break;
        case 'if':
            yield statement.then;
            yield statement.otherwise;
            for (const condition of shrinkExpression(statement.condition)) {
                yield [{ ...statement, condition }];
            }
            break;
        case 'assert':
            for (const condition of shrinkExpression(statement.condition)) {
                yield [{ ...statement, condition }];
            }
            break;
        case 'skip':
            break;
    }
}

/** Parts of an expression that may have its type. */
function* shrinkExpression(expression: Expression): Generator<Expression> {
    switch (expression.kind) {
        case 'unary':
            yield expression.operand;
            for (const operand of shrinkExpression(expression.operand)) {
                yield { ...expression, operand };
            }
            break;
        case 'binary': {
            const { left, right } = expression;
            yield left;
            yield right;
            for (const smaller of shrinkExpression(left)) {
                yield { ...expression, left: smaller };
            }
            for (const smaller of shrinkExpression(right)) {
                yield { ...expression, right: smaller };
            }
            break;
        }
        case 'if':
            yield expression.then;
            yield expression.otherwise;
            for (const condition of shrinkExpression(expression.condition)) {
                yield { ...expression, condition };
            }
            break;
        case 'quantifier': {
            if (expression.where !== undefined) {
                const { where: _, ...rest } = expression;
                yield rest;
            }
            for (const body of shrinkExpression(expression.body)) {
                yield { ...expression, body };
            }
            break;
        }
        case 'name':
        case 'at':
            for (const [position, index] of expression.indices.entries()) {
                for (const smaller of shrinkExpression(index)) {
                    yield { ...expression, indices: replaceAt(expression.indices, position, [smaller]) };
                }
            }
            break;
        case 'literal':
            break;
    }
}

function* withoutOne<T>(items: readonly T[]): Generator<readonly T[]> {
    for (const position of items.keys()) {
        yield replaceAt(items, position, []);
    }
}

function replaceAt<T>(items: readonly T[], position: number, by: readonly T[]): T[] {
    return [...items.slice(0, position), ...by, ...items.slice(position + 1)];
}
