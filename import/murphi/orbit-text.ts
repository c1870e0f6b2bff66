/**
 * Texts of Orbit, put together from their parts: parentheses stand where they are needed, lines and columns are those of
 * the formatter. Names are final here.
 */

export interface Expression {
    readonly text: string;
    /** How tightly its outermost operator binds. */
    readonly level: number;
    readonly operator?: string;
    readonly operands?: readonly Expression[];
}

/** `i in T where c` */
export interface Binder {
    readonly name: string;
    readonly type: string;
    readonly where?: Expression | undefined;
}

export interface Statement {
    readonly text: string;
    /** What ends in a brace or is a comment needs no semicolon. */
    readonly kind: 'open' | 'closed' | 'if' | 'comment';
}

const LEVELS = {
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
const ATOM = 9;

export type BinaryOperator = keyof typeof LEVELS;

export function atom(text: string | number): Expression {
    return typeof text === 'number' && text < 0 ? minus(atom(-text)) : { text: String(text), level: ATOM };
}

export const TRUE = atom('true');
export const FALSE = atom('false');
export const NONE = atom('none');

export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    const level = LEVELS[operator];
    // Comparisons do not chain, implications group to the right.
    const isEitherWay = operator === '&&' || operator === '||';
    const before = within(left, level === COMPARISON || operator === 'implies' ? level + 1 : level);
    const behind = within(right, isEitherWay || operator === 'implies' ? level : level + 1);
    return { text: `${before} ${operator} ${behind}`, level, operator, operands: [left, right] };
}

export function minus(operand: Expression): Expression {
    return { text: `-${within(operand, UNARY)}`, level: UNARY, operator: 'minus', operands: [operand] };
}

export function call(name: string, ...operands: readonly Expression[]): Expression {
    return atom(`${name}(${operands.map(({ text }) => text).join(', ')})`);
}

/** `a[i][j]` is written `a[i, j]`. */
export function element(array: Expression, index: Expression): Expression {
    const before = array.operator === 'element' ? `${array.text.slice(0, -1)}, ` : `${within(array, ATOM)}[`;
    return { ...atom(`${before}${index.text}]`), operator: 'element' };
}

export function field(record: Expression, name: string): Expression {
    return atom(`${within(record, ATOM)}.${name}`);
}

export function conditional(condition: Expression, then: Expression, otherwise: Expression): Expression {
    return { text: `if ${condition.text} then ${then.text} else ${otherwise.text}`, level: 0 };
}

export function quantified(word: 'forall' | 'exists', binder: Binder, body: Expression): Expression {
    return { text: `${word} ${binders([binder])}: ${body.text}`, level: 0 };
}

/** `[i in T: e]` */
export function comprehension(indices: readonly Binder[], body: Expression): Expression {
    return atom(`[${binders(indices)}: ${body.text}]`);
}

export function list(elements: readonly Expression[]): Expression {
    return atom(`[${elements.map(({ text }) => text).join(', ')}]`);
}

/** `{ a, b }` */
export function set(elements: readonly Expression[]): Expression {
    return atom(`{ ${elements.map(({ text }) => text).join(', ')} }`);
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
    return condition === TRUE
        ? []
        : condition.operator === '&&'
          ? (condition.operands ?? []).flatMap(conjuncts)
          : [condition];
}

/** The places that are no `none` where a condition holds, by its parts. */
export function definedPlaces(condition: Expression): readonly string[] {
    return conjuncts(condition).flatMap(({ operator, operands: [left, right] = [] }) =>
        operator === '!=' && left !== undefined && right === NONE ? [left.text] : [],
    );
}

/** Of the opposite truth value; a test for equality becomes one for difference. */
export function negation(operand: Expression): Expression {
    const { operator, operands: [left, right] = [] } = operand;
    if (operand === TRUE || operand === FALSE) {
        return operand === TRUE ? FALSE : TRUE;
    }
    if (left !== undefined && operator === '!') {
        return left;
    }
    if (left !== undefined && right !== undefined && (operator === '==' || operator === '!=')) {
        return operator === '==' && right === TRUE
            ? binary('==', left, FALSE)
            : binary(operator === '==' ? '!=' : '==', left, right);
    }
    return { text: `!${within(operand, UNARY)}`, level: UNARY, operator: '!', operands: [operand] };
}

function within({ text, level }: Expression, loosest: number): string {
    return level < loosest ? `(${text})` : text;
}

/** As a bound of a type, where only sums and products of names stand without parentheses. */
export function bound(expression: Expression): string {
    return within(expression, COMPARISON + 1);
}

/** `i in T, j in U where c`; the conditions of all are behind them. */
export function binders(list: readonly Binder[], sign: ' in ' | ': ' = ' in '): string {
    const where = conjunction(list.map(binder => binder.where ?? TRUE));
    const names = list.map(({ name, type }) => `${name}${sign}${type}`).join(', ');
    return where === TRUE ? names : `${names} where ${where.text}`;
}

export function statement(text: string): Statement {
    return { text, kind: 'open' };
}

export function assertion(condition: Expression, message?: string): Statement {
    return statement(`assert ${condition.text}${message === undefined ? '' : `, "${toText(message)}"`}`);
}

/** A text for quotation marks, which has none in it. */
function toText(text: string): string {
    return text.replaceAll(/["“”]/g, "'").replaceAll(/[\r\n]+/g, ' ');
}

/** `head { … }` */
export function closed(head: string, body: readonly Statement[]): Statement {
    return { text: `${head} ${block(body)}`, kind: 'closed' };
}

export function choice(condition: Expression, body: readonly Statement[], rest: readonly Statement[]): Statement {
    if (body.length === 0 && rest.length > 0) {
        return choice(negation(condition), rest, []);
    }
    const [only] = rest;
    const chain = rest.length === 1 && only?.kind === 'if' ? only.text : block(rest);
    const otherwise = rest.length === 0 ? '' : ` else ${chain}`;
    return { text: `if ${condition.text} ${block(body)}${otherwise}`, kind: 'if' };
}

export function block(body: readonly Statement[]): string {
    const [only] = body;
    if (body.length === 0 || (body.length === 1 && only?.kind === 'open')) {
        return only === undefined ? '{}' : `{ ${only.text} }`;
    }
    // A semicolon is between those that could else be read as one.
    const last = [...body].reverse().find(({ kind }) => kind !== 'comment');
    return lines(body.map(part => `${part.text}${part === last || part.kind !== 'open' ? '' : ';'}`).join('\n'));
}

/** Lines between braces. */
export function lines(text: string): string {
    return `{\n${text}\n}`;
}

export function comment(texts: readonly string[]): string {
    return texts.map(line => `// ${line}`.trimEnd()).join('\n');
}
