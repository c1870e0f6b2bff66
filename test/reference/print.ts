/** The text of a reference syntax tree; parse.ts reads it back to the same tree. */
import type { Binder, Control, Declaration, Expression, Model, Statement, Type, Variable } from './syntax.js';

export function printModel(model: Model): string {
    return [`model ${model.name}`, '', ...model.declarations.map(printDeclaration), ''].join('\n');
}

function printDeclaration(declaration: Declaration): string {
    switch (declaration.kind) {
        case 'param':
            return `param ${declaration.name}: ${printType(declaration.type)} = ${printExpression(declaration.value)}`;
        case 'const':
            return `const ${declaration.name} = ${printExpression(declaration.value)}`;
        case 'type':
            return `type ${declaration.name} = ${printType(declaration.type)}`;
        case 'enum':
            return `enum ${declaration.name} = { ${declaration.values.join(', ')} }`;
        case 'var':
            return printVariable(declaration.variable);
        case 'event':
            return `event ${declaration.name}${printIndices(declaration.arguments.map(printType))}`;
        case 'process': {
            const where = declaration.where === undefined ? '' : ` where ${printExpression(declaration.where)}`;
            const fields = declaration.indices.map(index => `${index.name}: ${printType(index.type)}`).join(', ');
            const head = declaration.indices.length === 0 ? '' : `[${fields}${where}]`;
            return `\nprocess ${declaration.name}${head} {\n${printControls(declaration.body, '    ')}}`;
        }
        case 'invariant':
            return `invariant ${declaration.name} = ${printExpression(declaration.expression)}`;
        case 'allow deadlock':
            return 'allow deadlock';
    }
}

function printVariable(variable: Variable): string {
    const type = printType(variable.type) + printIndices(variable.indices.map(printType));
    const { initial } = variable;
    switch (initial.kind) {
        case 'default':
            return `var ${variable.name}: ${type}`;
        case 'any':
            return `var ${variable.name}: ${type} = any`;
        case 'value':
            return `var ${variable.name}: ${type} = ${printExpression(initial.value)}`;
    }
}

export function printType(type: Type): string {
    switch (type.kind) {
        case 'bool':
            return 'bool';
        case 'named':
            return type.name;
        case 'range':
            return `${printExpression(type.low)} .. ${printExpression(type.high)}`;
        case 'optional':
            return `${printType(type.base)}?`;
    }
}

function printControls(controls: readonly Control[], indent: string): string {
    return controls.map(control => `${indent}${printControl(control, indent)}\n`).join('');
}

function printBlock(controls: readonly Control[], indent: string): string {
    return controls.length === 0 ? '{ }' : `{\n${printControls(controls, `${indent}    `)}${indent}}`;
}

function printControl(control: Control, indent: string): string {
    switch (control.kind) {
        case 'step': {
            const parts: string[] = [];
            if (control.guard !== undefined) {
                parts.push(`when ${printExpression(control.guard)}`);
            }
            if (control.event !== undefined) {
                parts.push(control.event.name + printIndices(control.event.arguments.map(printExpression)));
            }
            if (control.body.length > 0) {
                parts.push(printBody(control.body));
            }
            return `${parts.length === 0 ? 'skip' : parts.join(' ')};`;
        }
        case 'loop':
            return `loop ${printBlock(control.body, indent)}`;
        case 'while':
            return `while ${printExpression(control.condition)} ${printBlock(control.body, indent)}`;
        case 'if': {
            const otherwise = control.otherwise.length === 0 ? '' : ` else ${printBlock(control.otherwise, indent)}`;
            return `if ${printExpression(control.condition)} ${printBlock(control.then, indent)}${otherwise}`;
        }
        case 'choose':
            return `choose ${control.alternatives.map(body => printBlock(body, indent)).join(' or ')}`;
        case 'labeled':
            return `${control.label}: ${printControl(control.control, indent)}`;
        case 'declare':
            return printVariable(control.variable);
        case 'const':
            return `const ${control.name} = ${printExpression(control.value)}`;
        case 'break':
            return 'break;';
    }
}

function printBody(statements: readonly Statement[]): string {
    return statements.length === 0 ? '{ }' : `{ ${statements.map(printStatement).join('; ')} }`;
}

function printStatement(statement: Statement): string {
    switch (statement.kind) {
        case 'assign':
            return `${statement.name}${printIndices(statement.indices.map(printExpression))} := ${printExpression(statement.value)}`;
        case 'if': {
            const otherwise = statement.otherwise.length === 0 ? '' : ` else ${printBody(statement.otherwise)}`;
            return `if ${printExpression(statement.condition)} ${printBody(statement.then)}${otherwise}`;
        }
        case 'assert':
            return `assert ${printExpression(statement.condition)}`;
        case 'skip':
            return 'skip';
    }
}

function printIndices(indices: readonly string[]): string {
    return indices.length === 0 ? '' : `[${indices.join(', ')}]`;
}

function printBinders(binders: readonly Binder[], where: Expression | undefined): string {
    const list = binders.map(binder => `${binder.name} in ${printType(binder.type)}`).join(', ');
    return where === undefined ? list : `${list} where ${printExpression(where)}`;
}

/** Every operand that is not atomic is put in parentheses, so precedence is tested by written models, not by these. */
export function printExpression(expression: Expression): string {
    switch (expression.kind) {
        case 'literal':
            return expression.value === null ? 'none' : String(expression.value);
        case 'name':
            return expression.name + printIndices(expression.indices.map(printExpression));
        case 'unary':
            return `${expression.operator}${printOperand(expression.operand)}`;
        case 'binary':
            return `${printOperand(expression.left)} ${expression.operator} ${printOperand(expression.right)}`;
        case 'if':
            return `if ${printExpression(expression.condition)} then ${printExpression(expression.then)} else ${printExpression(expression.otherwise)}`;
        case 'quantifier': {
            const inner = `${printBinders(expression.binders, expression.where)}: ${printExpression(expression.body)}`;
            const called = expression.quantifier === 'count' || expression.quantifier === 'sum';
            return called ? `${expression.quantifier}(${inner})` : `${expression.quantifier} ${inner}`;
        }
        case 'at':
            return `${expression.process}${printIndices(expression.indices.map(printExpression))} at ${expression.label}`;
    }
}

function printOperand(expression: Expression): string {
    const text = printExpression(expression);
    const called =
        expression.kind === 'quantifier' && (expression.quantifier === 'count' || expression.quantifier === 'sum');
    const atomic =
        expression.kind === 'name' ||
        called ||
        (expression.kind === 'literal' && !(typeof expression.value === 'number' && expression.value < 0));
    return atomic ? text : `(${text})`;
}
