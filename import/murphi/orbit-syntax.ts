/**
 * Orbit text as a tree, and its printer. Names are final here; parentheses are the printer's business, lines and columns
 * those of the formatter.
 */
import { unreachable } from '../../engine/common/assert.js';

export type Expression =
    /** A name, a number or a word: never in parentheses. */
    | { readonly kind: 'atom'; readonly text: string }
    | { readonly kind: 'element'; readonly array: Expression; readonly index: Expression }
    | { readonly kind: 'field'; readonly record: Expression; readonly field: string }
    | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
    | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression }
    | {
          readonly kind: 'binary';
          readonly operator: BinaryOperator;
          readonly left: Expression;
          readonly right: Expression;
      }
    | {
          readonly kind: 'conditional';
          readonly condition: Expression;
          readonly then: Expression;
          readonly otherwise: Expression;
      }
    | {
          readonly kind: 'quantifier';
          readonly word: 'forall' | 'exists';
          readonly binder: Binder;
          readonly body: Expression;
      }
    /** `[i in T: e]` */
    | { readonly kind: 'comprehension'; readonly binders: readonly Binder[]; readonly body: Expression }
    | { readonly kind: 'list'; readonly elements: readonly Expression[] }
    | { readonly kind: 'set'; readonly elements: readonly Expression[] };

/** `i in T where c` */
export interface Binder {
    readonly name: string;
    readonly type: string;
    readonly where?: Expression | undefined;
}

export type Statement =
    | { readonly kind: 'assign'; readonly place: Expression; readonly value: Expression }
    | { readonly kind: 'let'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'var'; readonly name: string; readonly type: string; readonly value?: Expression | undefined }
    | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Statement[] }
    | { readonly kind: 'for'; readonly binder: Binder; readonly body: readonly Statement[] }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly text?: string | undefined }
    | { readonly kind: 'return'; readonly value: Expression }
    | { readonly kind: 'call'; readonly call: Expression }
    | { readonly kind: 'comment'; readonly lines: readonly string[] };

interface Branch {
    readonly condition: Expression;
    readonly body: readonly Statement[];
}

const PRECEDENCE = {
    implies: 1,
    '||': 2,
    '&&': 3,
    '==': 4,
    '!=': 4,
    '<': 4,
    '<=': 4,
    '>': 4,
    '>=': 4,
    in: 4,
    '+': 5,
    '-': 5,
    '*': 6,
    div: 6,
    mod: 6,
} as const;
const COMPARISON = 4;
const UNARY = 7;

export type BinaryOperator = keyof typeof PRECEDENCE;

export function atom(text: string | number): Expression {
    return typeof text === 'number' && text < 0
        ? { kind: 'unary', operator: '-', operand: atom(-text) }
        : { kind: 'atom', text: String(text) };
}

export const TRUE = atom('true');
export const FALSE = atom('false');
export const NONE = atom('none');

export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    return { kind: 'binary', operator, left, right };
}

export function call(name: string, ...operands: readonly Expression[]): Expression {
    return { kind: 'call', name, arguments: operands };
}

/** Without parts that are `true`. */
export function conjunction(parts: readonly Expression[]): Expression {
    const others = parts.filter(part => part !== TRUE);
    return others.length === 0 ? TRUE : others.reduce((left, right) => binary('&&', left, right));
}

export function implication(condition: Expression, consequence: Expression): Expression {
    return consequence === TRUE || condition === TRUE ? consequence : binary('implies', condition, consequence);
}

export function conjuncts(condition: Expression): readonly Expression[] {
    if (condition === TRUE) {
        return [];
    }
    return condition.kind === 'binary' && condition.operator === '&&'
        ? [...conjuncts(condition.left), ...conjuncts(condition.right)]
        : [condition];
}

/** The name that a place begins with. */
export function rootName(place: Expression): string {
    switch (place.kind) {
        case 'element':
            return rootName(place.array);
        case 'field':
            return rootName(place.record);
        default:
            return printExpression(place);
    }
}

/** Of the opposite truth value; a test for equality becomes one for difference. */
export function negation(operand: Expression): Expression {
    if (operand === TRUE || operand === FALSE) {
        return operand === TRUE ? FALSE : TRUE;
    }
    if (operand.kind === 'binary' && operand.operator === '==' && operand.right === TRUE) {
        return { ...operand, right: FALSE };
    }
    if (operand.kind === 'binary' && (operand.operator === '==' || operand.operator === '!=')) {
        return { ...operand, operator: operand.operator === '==' ? '!=' : '==' };
    }
    return operand.kind === 'unary' && operand.operator === '!'
        ? operand.operand
        : { kind: 'unary', operator: '!', operand };
}

export function printExpression(expression: Expression): string {
    return print(expression, 0);
}

/** `loosest` is the least precedence that needs no parentheses. */
function print(expression: Expression, loosest: number): string {
    switch (expression.kind) {
        case 'atom':
            return expression.text;
        case 'element':
            return printElement(expression);
        case 'field':
            return `${print(expression.record, UNARY + 1)}.${expression.field}`;
        case 'call':
            return `${expression.name}(${expression.arguments.map(printExpression).join(', ')})`;
        case 'unary':
            return within(`${expression.operator}${print(expression.operand, UNARY)}`, UNARY, loosest);
        case 'binary': {
            const { operator, left, right } = expression;
            const own = PRECEDENCE[operator];
            // Comparisons do not chain, implications group to the right.
            const [before, behind] =
                own === COMPARISON
                    ? [own + 1, own + 1]
                    : operator === 'implies'
                      ? [own + 1, own]
                      : operator === '&&' || operator === '||'
                        ? [own, own]
                        : [own, own + 1];
            return within(`${print(left, before)} ${operator} ${print(right, behind)}`, own, loosest);
        }
        case 'conditional': {
            const [condition, then, otherwise] = [expression.condition, expression.then, expression.otherwise];
            return within(
                `if ${printExpression(condition)} then ${printExpression(then)} else ${printExpression(otherwise)}`,
                0,
                loosest,
            );
        }
        case 'quantifier':
            return within(
                `${expression.word} ${printBinder(expression.binder)}: ${printExpression(expression.body)}`,
                0,
                loosest,
            );
        case 'comprehension':
            return `[${expression.binders.map(printBinder).join(', ')}: ${printExpression(expression.body)}]`;
        case 'list':
            return `[${expression.elements.map(printExpression).join(', ')}]`;
        case 'set':
            return `{ ${expression.elements.map(printExpression).join(', ')} }`;
        default:
            return unreachable(expression);
    }
}

function within(text: string, own: number, loosest: number): string {
    return own < loosest ? `(${text})` : text;
}

/** `a[i][j]` is written `a[i, j]`. */
function printElement(expression: Expression & { readonly kind: 'element' }): string {
    const indices = [];
    let array: Expression = expression;
    while (array.kind === 'element') {
        indices.unshift(printExpression(array.index));
        array = array.array;
    }
    return `${print(array, UNARY + 1)}[${indices.join(', ')}]`;
}

function printBinder({ name, type, where }: Binder): string {
    return `${name} in ${type}${where === undefined ? '' : ` where ${printExpression(where)}`}`;
}

/** Each in lines of its own; a semicolon is between those that could else be read as one. */
function printStatements(statements: readonly Statement[]): string {
    const last = [...statements].reverse().find(({ kind }) => kind !== 'comment');
    return statements
        .map(statement => `${printStatement(statement)}${statement === last || isClosed(statement) ? '' : ';'}`)
        .join('\n');
}

function isClosed({ kind }: Statement): boolean {
    return kind === 'if' || kind === 'while' || kind === 'for' || kind === 'comment';
}

function printStatement(statement: Statement): string {
    switch (statement.kind) {
        case 'assign':
            return `${printExpression(statement.place)} := ${printExpression(statement.value)}`;
        case 'let':
            return `let ${statement.name} = ${printExpression(statement.value)}`;
        case 'var':
            return `var ${statement.name}: ${statement.type}${printInitial(statement.value)}`;
        case 'if': {
            const branches = statement.branches.map(
                ({ condition, body }) => `if ${printExpression(condition)} ${printBlock(body)}`,
            );
            const otherwise = statement.otherwise.length === 0 ? [] : [printBlock(statement.otherwise)];
            return [...branches, ...otherwise].join(' else ');
        }
        case 'while':
            return `while ${printExpression(statement.condition)} ${printBlock(statement.body)}`;
        case 'for':
            return `for ${printBinder(statement.binder)} ${printBlock(statement.body)}`;
        case 'assert':
            return `assert ${printExpression(statement.condition)}${
                statement.text === undefined ? '' : `, "${statement.text}"`
            }`;
        case 'return':
            return `return ${printExpression(statement.value)}`;
        case 'call':
            return printExpression(statement.call);
        case 'comment':
            return printComment(statement.lines);
        default:
            return unreachable(statement);
    }
}

export function printInitial(value: Expression | undefined): string {
    return value === undefined ? '' : ` = ${printExpression(value)}`;
}

export function printBlock(body: readonly Statement[]): string {
    const [only] = body;
    return body.length === 0
        ? '{}'
        : body.length === 1 && only !== undefined && !isClosed(only)
          ? `{ ${printStatement(only)} }`
          : block(printStatements(body));
}

/** Lines between braces. */
export function block(text: string): string {
    return `{\n${text}\n}`;
}

export function printComment(lines: readonly string[]): string {
    return lines.map(line => `// ${line}`.trimEnd()).join('\n');
}

/** As a bound of a type, where only sums and products of names stand without parentheses. */
export function printBound(bound: Expression): string {
    const isPlain =
        bound.kind === 'atom' ||
        bound.kind === 'call' ||
        bound.kind === 'unary' ||
        (bound.kind === 'binary' && PRECEDENCE[bound.operator] > COMPARISON);
    return isPlain ? printExpression(bound) : `(${printExpression(bound)})`;
}
