/** The text of a reference syntax tree; parse.ts reads it back to the same tree. */
import type {
    Alternative,
    Binder,
    Communication,
    Control,
    Declaration,
    Expression,
    IndexType,
    Model,
    Pattern,
    Statement,
    Type,
    Variable,
} from './syntax.js';

export function printModel(model: Model): string {
    return [`model ${model.name}`, '', ...model.declarations.map(printDeclaration), ''].join('\n');
}

function printDeclaration(declaration: Declaration): string {
    switch (declaration.kind) {
        case 'param':
            return `param ${printField(declaration)} = ${printExpression(declaration.value)}`;
        case 'const': {
            const type = declaration.type === undefined ? '' : `: ${printType(declaration.type)}`;
            return `const ${declaration.name}${type} = ${printExpression(declaration.value)}`;
        }
        case 'type':
            return `type ${declaration.name} = ${printType(declaration.type)}`;
        case 'enum':
            return `enum ${declaration.name} = { ${declaration.values.join(', ')} }`;
        case 'cases': {
            const cases = declaration.cases.map(each =>
                each.fields.length === 0 ? each.name : `${each.name}(${each.fields.map(printField).join(', ')})`,
            );
            return `enum ${declaration.name} = { ${cases.join(', ')} }`;
        }
        case 'record': {
            const fields = declaration.fields.map(printField).join(', ');
            return `record ${declaration.name} = { ${fields}${printWhere(declaration.where)} }`;
        }
        case 'var':
            return printVariable(declaration.variable);
        case 'init':
            return `init ${printExpression(declaration.condition)}`;
        case 'constraint':
            return `constraint ${printExpression(declaration.condition)}`;
        case 'start': {
            const { where } = declaration;
            const fields = declaration.binders.map(printField).join(', ');
            const indices = fields === '' ? '' : `[${fields}${printWhere(where)}]`;
            return `init ${declaration.name}${indices} ${printBody(declaration.body)}`;
        }
        case 'channel': {
            const head = `channel ${declaration.name}${printIndices(declaration.indices.map(printType))}`;
            return `${head}: ${printOperand(declaration.capacity)} of ${printType(declaration.message)}`;
        }
        case 'event':
            return `event ${declaration.name}${printIndices(declaration.arguments.map(printType))}`;
        case 'function': {
            const parameters = declaration.parameters.map(printField).join(', ');
            const head = `function ${declaration.name}(${parameters}): ${printType(declaration.result)}`;
            const [first] = declaration.body;
            return declaration.body.length === 1 && first?.kind === 'return'
                ? `${head} = ${printExpression(first.value)}`
                : `${head} ${printBody(declaration.body)}`;
        }
        case 'procedure': {
            const parameters = declaration.parameters.map(
                ({ isPlace, ...field }) => `${isPlace ? 'var ' : ''}${printField(field)}`,
            );
            return `procedure ${declaration.name}(${parameters.join(', ')}) ${printBody(declaration.body)}`;
        }
        case 'process': {
            const { parameters } = declaration;
            if (parameters !== undefined) {
                const head = `${declaration.name}(${parameters.map(printField).join(', ')})`;
                return `\nprocess ${head} {\n${printControls(declaration.body, '    ')}}`;
            }
            const fields = declaration.indices.map(printField).join(', ');
            const head = declaration.indices.length === 0 ? '' : `[${fields}${printWhere(declaration.where)}]`;
            return `\nprocess ${declaration.name}${head} {\n${printControls(declaration.body, '    ')}}`;
        }
        case 'invariant':
            return `invariant ${declaration.name} = ${printExpression(declaration.expression)}`;
        case 'allow deadlock':
        case 'deadlock free':
            return declaration.kind;
        case 'assert symmetric':
            return `assert symmetric ${declaration.ofValues ? 'values of ' : ''}${declaration.name}`;
    }
}

function printField(field: { readonly name: string; readonly type: Type }): string {
    return `${field.name}: ${printType(field.type)}`;
}

function printWhere(where: Expression | undefined): string {
    return where === undefined ? '' : ` where ${printExpression(where)}`;
}

function printVariable(variable: Variable): string {
    const type = printType(variable.type) + printIndices(variable.indices.map(printIndexType));
    const { initial } = variable;
    switch (initial.kind) {
        case 'default':
            return `var ${variable.name}: ${type}`;
        case 'any':
            return `var ${variable.name}: ${type} = any`;
        case 'value':
            return `var ${variable.name}: ${type} = ${printExpression(initial.value)}`;
        case 'in':
            return `var ${variable.name}: ${type} in ${printExpression(initial.choices)}`;
    }
}

function printType(type: Type): string {
    switch (type.kind) {
        case 'bool':
            return 'bool';
        case 'named':
            return type.name;
        case 'range':
            return `${printExpression(type.low)} .. ${printExpression(type.high)}`;
        case 'optional':
            return `${printType(type.base)}?`;
        case 'set':
            return `set of ${printType(type.member)}`;
        case 'sequence':
        case 'bag':
            return `${type.kind === 'bag' ? 'bag' : 'seq'} ${printOperand(type.most)} of ${printType(type.member)}`;
        case 'members':
            return printOperand(type.of);
        case 'channel':
            return `channel of ${printType(type.message)}`;
        case 'array':
            return printType(type.element) + printIndices(type.indices.map(printIndexType));
    }
}

function printIndexType(type: IndexType): string {
    return type.kind === 'open' ? '*' : printType(type);
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
            if (control.communication !== undefined) {
                parts.push(printCommunication(control.communication));
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
        case 'for':
            return `for ${printBinders([control.binder])} ${printBlock(control.body, indent)}`;
        case 'if': {
            const otherwise = control.otherwise.length === 0 ? '' : ` else ${printBlock(control.otherwise, indent)}`;
            return `if ${printExpression(control.condition)} ${printBlock(control.then, indent)}${otherwise}`;
        }
        case 'choose':
            return `choose ${control.alternatives.map(body => printAlternative(body, indent)).join(' or ')}`;
        case 'labeled':
            return `${control.isEnd ? 'end ' : ''}${control.label}: ${printControl(control.control, indent)}`;
        case 'declare':
            return printVariable(control.variable);
        case 'const':
        case 'let':
            return `${control.kind} ${control.name} = ${printExpression(control.value)};`;
        case 'break':
        case 'terminate':
            return `${control.kind};`;
    }
}

function printAlternative({ binders, where, body }: Alternative, indent: string): string {
    const head = binders.length === 0 ? '' : `${printBinders(binders, where)} `;
    return head + printBlock(body, indent);
}

function printCommunication(communication: Communication): string {
    switch (communication.kind) {
        case 'event':
            return communication.name + printIndices(communication.arguments.map(printExpression));
        case 'send':
            return `${printExpression(communication.channel)} ! ${printExpression(communication.message)}`;
        case 'receive':
            return `${printExpression(communication.channel)} ? ${printPattern(communication.pattern)}`;
    }
}

function printPattern(pattern: Pattern): string {
    switch (pattern.kind) {
        case 'any':
            return '_';
        case 'record':
            return `${pattern.name ?? ''}(${pattern.parts.map(printPattern).join(', ')})`;
        case 'expression':
            return pattern.equal ? `== ${printOperand(pattern.value)}` : printOperand(pattern.value);
    }
}

function printBody(statements: readonly Statement[]): string {
    return statements.length === 0 ? '{ }' : `{ ${statements.map(printStatement).join('; ')} }`;
}

function printStatement(statement: Statement): string {
    switch (statement.kind) {
        case 'change': {
            const place = printExpression(statement.target);
            return `${place} := ${place} ${statement.operator} { ${printExpression(statement.element)} }`;
        }
        case 'assign':
            return `${printExpression(statement.target)} := ${printExpression(statement.value)}`;
        case 'if': {
            const otherwise = statement.otherwise.length === 0 ? '' : ` else ${printBody(statement.otherwise)}`;
            return `if ${printExpression(statement.condition)} ${printBody(statement.then)}${otherwise}`;
        }
        case 'while':
            return `while ${printExpression(statement.condition)} ${printBody(statement.body)}`;
        case 'for':
            return `for ${printBinders([statement.binder], statement.where)} ${printBody(statement.body)}`;
        case 'let':
            return `let ${statement.name} = ${printExpression(statement.value)}`;
        case 'var':
            return printVariable(statement.variable);
        case 'return':
            return `return ${printExpression(statement.value)}`;
        case 'spawn': {
            const target = statement.target === undefined ? '' : `${printExpression(statement.target)} := `;
            return `${target}spawn ${statement.template}(${statement.arguments.map(printExpression).join(', ')})`;
        }
        case 'assert':
            return `assert ${printExpression(statement.condition)}${statement.text === undefined ? '' : `, "${statement.text}"`}`;
        case 'run':
            return `${statement.procedure}(${statement.arguments.map(printExpression).join(', ')})`;
        case 'skip':
            return 'skip';
    }
}

function printIndices(indices: readonly string[]): string {
    return indices.length === 0 ? '' : `[${indices.join(', ')}]`;
}

function printBinders(binders: readonly Binder[], where?: Expression): string {
    return binders.map(binder => `${binder.name} in ${printType(binder.type)}`).join(', ') + printWhere(where);
}

/** Every operand that is not atomic is put in parentheses, so precedence is tested by written models, not by these. */
function printExpression(expression: Expression): string {
    switch (expression.kind) {
        case 'any':
            return 'any';
        case 'literal':
            return expression.value === null ? 'none' : String(expression.value);
        case 'name':
            return expression.name + printIndices(expression.indices.map(printExpression));
        case 'field':
            return `${printOperand(expression.record)}.${expression.field}${printIndices(expression.indices.map(printExpression))}`;
        case 'unary':
            return `${expression.operator}${printOperand(expression.operand)}`;
        case 'binary':
            return `${printOperand(expression.left)} ${expression.operator} ${printOperand(expression.right)}`;
        case 'if':
            return `if ${printExpression(expression.condition)} then ${printExpression(expression.then)} else ${printExpression(expression.otherwise)}`;
        case 'quantifier': {
            const inner = `${printBinders(expression.binders, expression.where)}: ${printExpression(expression.body)}`;
            return isPrefix(expression) ? `${expression.quantifier} ${inner}` : `${expression.quantifier}(${inner})`;
        }
        case 'at':
            return `${expression.process}${printIndices(expression.indices.map(printExpression))} at ${expression.label}`;
        case 'standing':
            return `${printOperand(expression.reference)} at ${expression.label}`;
        case 'call':
            return `${expression.name}(${expression.arguments.map(printExpression).join(', ')})${printIndices(expression.indices.map(printExpression))}`;
        case 'array':
            return `[${expression.elements.map(printExpression).join(', ')}]`;
        case 'comprehension':
            return `[${printBinders(expression.binders)}: ${printExpression(expression.body)}]`;
        case 'each':
            return `{ ${printBinders(expression.binders, expression.where)}: ${printExpression(expression.body)} }`;
        case 'set':
            return `{ ${expression.elements
                .map(
                    ({ low, high }) =>
                        printExpression(low) + (high === undefined ? '' : ` .. ${printExpression(high)}`),
                )
                .join(', ')} }`;
    }
}

function isPrefix(expression: Extract<Expression, { kind: 'quantifier' }>): boolean {
    return expression.quantifier === 'forall' || expression.quantifier === 'exists';
}

function printOperand(expression: Expression): string {
    const text = printExpression(expression);
    switch (expression.kind) {
        case 'name':
        case 'field':
        case 'call':
        case 'array':
        case 'comprehension':
        case 'each':
        case 'set':
            return text;
        case 'literal':
            return typeof expression.value === 'number' && expression.value < 0 ? `(${text})` : text;
        case 'quantifier':
            return isPrefix(expression) ? `(${text})` : text;
        default:
            return `(${text})`;
    }
}
