/** Smaller models near a given one, largest cuts first; for shrinking what a test or a fuzzing run has found. */
import type {
    Alternative,
    Communication,
    Control,
    Declaration,
    Expression,
    Model,
    Pattern,
    PlaceExpression,
    Statement,
    Variable,
} from '../reference/syntax.js';

/** Each model with one part left out, or replaced by one of its own parts. A result may have errors. */
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
            for (const variable of shrinkVariable(declaration.variable)) {
                yield { kind: 'var', variable };
            }
            break;
        case 'init':
            for (const condition of shrinkExpression(declaration.condition)) {
                yield { kind: 'init', condition };
            }
            break;
        case 'channel':
            if (declaration.capacity.kind === 'literal' && Number(declaration.capacity.value) > 0) {
                yield { ...declaration, capacity: { kind: 'literal', value: Number(declaration.capacity.value) - 1 } };
            }
            break;
        case 'function':
            for (const body of shrinkStatements(declaration.body)) {
                yield { ...declaration, body };
            }
            break;
        case 'record':
            if (declaration.where !== undefined) {
                const { where: _, ...rest } = declaration;
                yield rest;
            }
            break;
        default:
            break;
    }
}

function* shrinkVariable(variable: Variable): Generator<Variable> {
    const { initial } = variable;
    if (initial.kind !== 'default') {
        yield { ...variable, initial: { kind: 'default' } };
    }
    if (initial.kind === 'value') {
        for (const value of shrinkExpression(initial.value)) {
            yield { ...variable, initial: { kind: 'value', value } };
        }
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

function* shrinkControl(control: Control): Generator<readonly Control[]> {
    switch (control.kind) {
        case 'step': {
            const { guard, communication, ...rest } = control;
            if (guard !== undefined) {
                yield [{ ...rest, ...(communication && { communication }) }];
            }
            if (communication !== undefined) {
                yield [{ ...rest, ...(guard && { guard }) }];
                for (const smaller of shrinkCommunication(communication)) {
                    yield [{ ...control, communication: smaller }];
                }
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
            yield* control.alternatives.map(({ body }) => body);
            for (const alternatives of withoutOne(control.alternatives)) {
                if (alternatives.length > 0) {
                    yield [{ ...control, alternatives }];
                }
            }
            for (const [position, alternative] of control.alternatives.entries()) {
                for (const smaller of shrinkAlternative(alternative)) {
                    yield [{ ...control, alternatives: replaceAt(control.alternatives, position, [smaller]) }];
                }
            }
            break;
        case 'for':
            for (const body of shrinkControls(control.body)) {
                yield [{ ...control, body }];
            }
            break;
        case 'let':
            for (const value of shrinkExpression(control.value)) {
                yield [{ ...control, value }];
            }
            break;
        case 'labeled':
            yield [control.control];
            if (control.isEnd) {
                yield [{ ...control, isEnd: false }];
            }
            for (const smaller of shrinkControl(control.control)) {
                if (smaller.length === 1) {
                    yield [{ ...control, control: smaller[0]! }];
                }
            }
            break;
        case 'declare':
            for (const variable of shrinkVariable(control.variable)) {
                yield [{ kind: 'declare', variable }];
            }
            break;
        case 'const':
        case 'break':
        case 'terminate':
            break;
    }
}

function* shrinkAlternative(alternative: Alternative): Generator<Alternative> {
    const { where, ...rest } = alternative;
    if (where !== undefined) {
        yield rest;
        for (const smaller of shrinkExpression(where)) {
            yield { ...rest, where: smaller };
        }
    }
    for (const binders of withoutOne(alternative.binders)) {
        if (binders.length > 0) {
            yield { ...alternative, binders };
        }
    }
    for (const body of shrinkControls(alternative.body)) {
        yield { ...alternative, body };
    }
}

function* shrinkCommunication(communication: Communication): Generator<Communication> {
    switch (communication.kind) {
        case 'event':
            for (const [position, argument] of communication.arguments.entries()) {
                for (const smaller of shrinkExpression(argument)) {
                    yield { ...communication, arguments: replaceAt(communication.arguments, position, [smaller]) };
                }
            }
            break;
        case 'send':
            for (const message of shrinkExpression(communication.message)) {
                yield { ...communication, message };
            }
            for (const channel of shrinkPlace(communication.channel)) {
                yield { ...communication, channel };
            }
            break;
        case 'receive':
            for (const pattern of shrinkPattern(communication.pattern)) {
                yield { ...communication, pattern };
            }
            for (const channel of shrinkPlace(communication.channel)) {
                yield { ...communication, channel };
            }
            break;
    }
}

function* shrinkPattern(pattern: Pattern): Generator<Pattern> {
    if (pattern.kind !== 'any') {
        yield { kind: 'any' };
    }
    if (pattern.kind === 'record') {
        for (const [position, part] of pattern.parts.entries()) {
            for (const smaller of shrinkPattern(part)) {
                yield { ...pattern, parts: replaceAt(pattern.parts, position, [smaller]) };
            }
        }
    }
}

function* shrinkPlace(place: PlaceExpression): Generator<PlaceExpression> {
    for (const [position, index] of place.indices.entries()) {
        for (const smaller of shrinkExpression(index)) {
            yield { ...place, indices: replaceAt(place.indices, position, [smaller]) };
        }
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
        case 'change':
            for (const element of shrinkExpression(statement.element)) {
                yield [{ ...statement, element }];
            }
            break;
        case 'assign':
            for (const value of shrinkExpression(statement.value)) {
                yield [{ ...statement, value }];
            }
            for (const target of shrinkPlace(statement.target)) {
                yield [{ ...statement, target }];
            }
            break;
        case 'if':
            yield statement.then;
            yield statement.otherwise;
            for (const then of shrinkStatements(statement.then)) {
                yield [{ ...statement, then }];
            }
            for (const otherwise of shrinkStatements(statement.otherwise)) {
                yield [{ ...statement, otherwise }];
            }
            for (const condition of shrinkExpression(statement.condition)) {
                yield [{ ...statement, condition }];
            }
            break;
        case 'assert':
            for (const condition of shrinkExpression(statement.condition)) {
                yield [{ ...statement, condition }];
            }
            break;
        case 'run':
            break;
        case 'spawn':
            if (statement.target !== undefined) {
                const { target: _, ...rest } = statement;
                yield [rest];
            }
            for (const [position, argument] of statement.arguments.entries()) {
                for (const smaller of shrinkExpression(argument)) {
                    yield [{ ...statement, arguments: replaceAt(statement.arguments, position, [smaller]) }];
                }
            }
            break;
        case 'for':
            yield statement.body;
            if (statement.where !== undefined) {
                const { where, ...rest } = statement;
                yield [rest];
                for (const smaller of shrinkExpression(where)) {
                    yield [{ ...statement, where: smaller }];
                }
            }
            for (const body of shrinkStatements(statement.body)) {
                yield [{ ...statement, body }];
            }
            break;
        case 'while':
            yield statement.body;
            for (const body of shrinkStatements(statement.body)) {
                yield [{ ...statement, body }];
            }
            for (const condition of shrinkExpression(statement.condition)) {
                yield [{ ...statement, condition }];
            }
            break;
        case 'let':
        case 'return':
            for (const value of shrinkExpression(statement.value)) {
                yield [{ ...statement, value }];
            }
            break;
        case 'var':
            for (const variable of shrinkVariable(statement.variable)) {
                yield [{ ...statement, variable }];
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
        case 'call':
            yield* expression.arguments;
            for (const [position, argument] of expression.arguments.entries()) {
                for (const smaller of shrinkExpression(argument)) {
                    yield { ...expression, arguments: replaceAt(expression.arguments, position, [smaller]) };
                }
            }
            break;
        case 'array':
            for (const [position, element] of expression.elements.entries()) {
                for (const smaller of shrinkExpression(element)) {
                    yield { ...expression, elements: replaceAt(expression.elements, position, [smaller]) };
                }
            }
            break;
        case 'comprehension':
            for (const body of shrinkExpression(expression.body)) {
                yield { ...expression, body };
            }
            break;
        case 'each':
            for (const body of shrinkExpression(expression.body)) {
                yield { ...expression, body };
            }
            break;
        case 'set':
            for (const elements of withoutOne(expression.elements)) {
                yield { ...expression, elements };
            }
            break;
        case 'name':
        case 'field':
        case 'at':
            for (const [position, index] of expression.indices.entries()) {
                for (const smaller of shrinkExpression(index)) {
                    yield { ...expression, indices: replaceAt(expression.indices, position, [smaller]) };
                }
            }
            break;
        case 'any':
        case 'literal':
        case 'standing':
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
