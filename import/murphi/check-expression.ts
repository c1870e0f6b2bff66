/**
 * Types of expressions, with the numbers that they can have. What does not fit is refused at its place; its type then fits
 * everywhere.
 */
import { unreachable } from '../../engine/common/assert.js';
import { arrayOf, fieldOf, recordOf, type Facts } from './facts.js';
import type {
    Binary,
    Call,
    Expression,
    NumberLiteral,
    ProcedureCall,
    Quantifier,
    Type as TypeNode,
} from './generated/ast.js';
import { arithmetic, interval, type Interval } from './intervals.js';
import { Scope } from './scope.js';
import {
    isSimple,
    REFUSED,
    type DataType,
    type NumberType,
    type Routine,
    type Type,
    type Variable,
} from './symbols.js';

const BOOLEAN: Type = { kind: 'boolean', text: 'bool' };
const NOTHING: Type = { kind: 'nothing' };

/** Types that are written in an expression. */
export type ResolveType = (node: TypeNode, scope: Scope, hint: string) => DataType | undefined;

/** Finds the type of an expression and of all its parts. */
export class ExpressionChecker {
    private readonly facts: Facts;
    private readonly resolveType: ResolveType;
    /** Routines that cannot be called, and why. */
    readonly unfit = new Map<Routine, string>();

    constructor(facts: Facts, resolveType: ResolveType) {
        this.facts = facts;
        this.resolveType = resolveType;
    }

    check(expression: Expression, scope: Scope): Type {
        const type = this.typeOf(expression, scope);
        this.facts.setType(expression, type);
        return type;
    }

    checkCondition(expression: Expression, scope: Scope): void {
        this.expect('boolean', expression, this.check(expression, scope));
    }

    checkNumber(expression: Expression, scope: Scope): Interval {
        const type = this.check(expression, scope);
        this.expect('number', expression, type);
        return type.kind === 'number' ? type : interval();
    }

    /** A value for a cell of this type; parts of it may be undefined only as a whole record or array. */
    checkValue(expression: Expression, expected: Type, scope: Scope): void {
        const type = this.check(expression, scope);
        if (!isComparable(expected, type)) {
            this.facts.refuse(expression, 'murphi/type', `this is ${nameOf(type)}, not ${nameOf(expected)}`);
        }
    }

    /** The variable is known in the result, and nowhere else. */
    declareQuantifier(quantifier: Quantifier, scope: Scope): Scope {
        const type = this.quantifierType(quantifier, scope);
        const inner = new Scope(scope);
        if (type === undefined) {
            inner.declare(quantifier.name, { kind: 'refused' });
        } else {
            const variable: Variable = {
                kind: 'variable',
                name: quantifier.name,
                written: quantifier.name,
                type,
                role: 'bound',
                isOptional: false,
            };
            this.facts.declare(quantifier, [variable]);
            inner.declare(quantifier.name, variable);
        }
        return inner;
    }

    private quantifierType({ type, low, high, step, name }: Quantifier, scope: Scope): DataType | undefined {
        if (type !== undefined) {
            const resolved = this.resolveType(type, scope, name);
            if (resolved !== undefined && !isSimple(resolved)) {
                this.facts.refuse(type, 'murphi/type', `a variable cannot run through ${nameOf(resolved)}`);
                return undefined;
            }
            return resolved;
        }
        if (low === undefined || high === undefined) {
            return undefined;
        }
        const [from, to] = [this.checkNumber(low, scope), this.checkNumber(high, scope)];
        const by = step === undefined ? interval(1, 1) : this.checkNumber(step, scope);
        const isUpward = to.low > from.high && by.high <= 0;
        const isDownward = to.high < from.low && by.low >= 0;
        if (isUpward || isDownward || (by.low === 0 && by.high === 0)) {
            this.facts.refuse(step ?? low, 'murphi/type', 'these steps do not lead from the first number to the last');
        }
        const bounds = interval(Math.min(from.low, to.low), Math.max(from.high, to.high));
        return { kind: 'number', ...bounds, text: `${bounds.low} .. ${bounds.high}`, bounds: '', isOpen: false };
    }

    checkCall(node: Call | ProcedureCall, scope: Scope): Type {
        const symbol = scope.find(node.name);
        if (symbol?.kind !== 'routine') {
            node.arguments.forEach(argument => this.check(argument, scope));
            this.facts.refuse(node, 'murphi/unresolved', `there is no function or procedure \`${node.name}\` before`);
            return REFUSED;
        }
        this.facts.link(node, symbol);
        const { parameters, result } = symbol;
        const fault = this.unfit.get(symbol);
        if (fault !== undefined) {
            this.facts.refuse(node, 'murphi/not-carried-over', `\`${node.name}\` ${fault}`);
            node.arguments.forEach(argument => this.check(argument, scope));
            return REFUSED;
        }
        if (parameters.length !== node.arguments.length) {
            const expected = `\`${node.name}\` takes ${parameters.length} arguments, not ${node.arguments.length}`;
            this.facts.refuse(node, 'murphi/type', expected);
        }
        node.arguments.forEach((argument, index) => {
            const parameter = parameters[index];
            if (parameter === undefined) {
                this.check(argument, scope);
                return;
            }
            this.checkValue(argument, parameter.type, scope);
            if (parameter.role === 'reference') {
                this.checkWritable(argument);
            }
        });
        return result ?? NOTHING;
    }

    /** A place that may be written, which is checked already. */
    checkWritable(place: Expression): void {
        const root = this.facts.rootOf(place);
        const isPlace = this.facts.cellOf(place) !== undefined;
        const type = this.facts.typeOf(place);
        if (
            type.kind !== 'refused' &&
            (!isPlace || root === undefined || root.role === 'bound' || root.role === 'value')
        ) {
            this.facts.refuse(place, 'murphi/type', 'this is no place that can be written');
        }
    }

    private typeOf(expression: Expression, scope: Scope): Type {
        switch (expression.$type) {
            case 'NumberLiteral':
                return this.numberOf(expression);
            case 'TruthLiteral':
                return BOOLEAN;
            case 'Undefined':
                return { kind: 'undefined' };
            case 'Name': {
                const symbol = scope.find(expression.name);
                if (symbol === undefined || symbol.kind === 'routine' || symbol.kind === 'type') {
                    const message = `there is no variable or constant \`${expression.name}\` before`;
                    this.facts.refuse(expression, 'murphi/unresolved', message);
                    return REFUSED;
                }
                if (symbol.kind === 'refused') {
                    const message = `\`${expression.name}\` is not carried over`;
                    this.facts.refuse(expression, 'murphi/not-carried-over', message);
                    return REFUSED;
                }
                this.facts.link(expression, symbol);
                return symbol.type;
            }
            case 'Member': {
                const record = this.check(recordOf(expression), scope);
                const field = record.kind === 'record' ? fieldOf(record, expression.field) : undefined;
                if (field === undefined && record.kind !== 'refused') {
                    this.facts.refuse(
                        expression,
                        'murphi/type',
                        `${nameOf(record)} has no field \`${expression.field}\``,
                    );
                }
                return field?.type ?? REFUSED;
            }
            case 'Element': {
                const array = this.check(arrayOf(expression), scope);
                if (array.kind !== 'array') {
                    this.check(expression.index, scope);
                    if (array.kind !== 'refused') {
                        this.facts.refuse(expression, 'murphi/type', `${nameOf(array)} has no elements`);
                    }
                    return REFUSED;
                }
                this.checkValue(expression.index, array.index, scope);
                return array.element;
            }
            case 'Call': {
                const type = this.checkCall(expression, scope);
                if (type.kind === 'nothing') {
                    this.facts.refuse(expression, 'murphi/type', `the procedure \`${expression.name}\` has no result`);
                    return REFUSED;
                }
                return type;
            }
            case 'Unary':
                return this.typeOfUnary(expression.operator, expression.operand, scope);
            case 'Binary':
                return this.typeOfBinary(expression, scope);
            case 'Conditional': {
                this.checkCondition(expression.condition, scope);
                const then = this.check(expression.then, scope);
                this.checkValue(expression.otherwise, then, scope);
                const otherwise = this.facts.typeOf(expression.otherwise);
                return then.kind === 'number' && otherwise.kind === 'number'
                    ? toNumber(interval(Math.min(then.low, otherwise.low), Math.max(then.high, otherwise.high)))
                    : then;
            }
            case 'Quantified':
                this.checkCondition(expression.body, this.declareQuantifier(expression.quantifier, scope));
                return BOOLEAN;
            case 'IsUndefined':
                this.check(expression.place, scope);
                if (
                    !isSimple(this.facts.typeOf(expression.place)) ||
                    this.facts.cellOf(expression.place) === undefined
                ) {
                    this.facts.refuse(expression, 'murphi/type', '`isundefined` is for a single place');
                }
                return BOOLEAN;
            case 'IsMember':
                this.facts.refuse(expression, 'murphi/not-carried-over', 'unions of types are not carried over');
                return BOOLEAN;
            case 'MultisetCount':
                this.facts.refuse(expression, 'murphi/not-carried-over', 'multisets are not carried over');
                return REFUSED;
            default:
                return unreachable(expression);
        }
    }

    /** As in C, a number that begins with `0` is octal. */
    private numberOf(literal: NumberLiteral): Type {
        const { value } = literal;
        const isOctal = /^0\d/.test(value);
        const number = isOctal && /[89]/.test(value) ? NaN : Number(isOctal ? `0o${value}` : value);
        if (Number.isNaN(number)) {
            this.facts.refuse(literal, 'murphi/type', `\`${value}\` is no octal number`);
        } else if (!Number.isSafeInteger(number)) {
            this.facts.refuse(literal, 'murphi/not-carried-over', 'numbers beyond 2^53 - 1 are not carried over');
        }
        return toNumber(interval(number, number));
    }

    private typeOfUnary(operator: string, operand: Expression, scope: Scope): Type {
        if (operator === '!' || operator === '¬') {
            this.checkCondition(operand, scope);
            return BOOLEAN;
        }
        const { low, high } = this.checkNumber(operand, scope);
        return toNumber(operator === '+' ? interval(low, high) : operator === '~' ? interval() : interval(-high, -low));
    }

    private typeOfBinary(expression: Binary, scope: Scope): Type {
        const { left, right } = expression;
        const operator = operatorOf(expression);
        switch (operator) {
            case '&':
            case '|':
                if (this.check(left, scope).kind !== 'number') {
                    this.expect('boolean', left, this.facts.typeOf(left));
                    this.checkCondition(right, scope);
                    return BOOLEAN;
                }
                return toNumber(arithmetic(operator, this.checkNumber(left, scope), this.checkNumber(right, scope)));
            case '&&':
            case '||':
            case '->':
                this.checkCondition(left, scope);
                this.checkCondition(right, scope);
                return BOOLEAN;
            case '==':
            case '!=':
                this.checkValue(right, this.check(left, scope), scope);
                return BOOLEAN;
            case '<':
            case '<=':
            case '>':
            case '>=':
                this.checkNumber(left, scope);
                this.checkNumber(right, scope);
                return BOOLEAN;
            default:
                return toNumber(arithmetic(operator, this.checkNumber(left, scope), this.checkNumber(right, scope)));
        }
    }

    private expect(kind: 'boolean' | 'number', expression: Expression, type: Type): void {
        if (type.kind !== kind && type.kind !== 'refused') {
            const expected = kind === 'boolean' ? 'a truth value' : 'a number';
            this.facts.refuse(expression, 'murphi/type', `this is ${nameOf(type)}, not ${expected}`);
        }
    }
}

/** The operators of the source by one sign for each. */
export type Operator =
    | '*'
    | '/'
    | '%'
    | '+'
    | '-'
    | '<<'
    | '>>'
    | '=='
    | '!='
    | '<'
    | '<='
    | '>'
    | '>='
    | '&'
    | '^'
    | '|'
    | '&&'
    | '||'
    | '->';

export function operatorOf({ operator }: Binary): Operator {
    switch (operator) {
        case '×':
            return '*';
        case '÷':
        case '∕':
            return '/';
        case '−':
            return '-';
        case '=':
            return '==';
        case '≠':
            return '!=';
        case '≤':
            return '<=';
        case '≥':
            return '>=';
        case '∧':
            return '&&';
        case '∨':
            return '||';
        case '→':
            return '->';
        default:
            return operator;
    }
}

function toNumber({ low, high }: Interval): NumberType {
    return { kind: 'number', low, high, text: `${low} .. ${high}`, bounds: '', isOpen: false };
}

/** Whether values of the types can be compared with each other and assigned to each other. */
function isComparable(one: Type, other: Type): boolean {
    if (one.kind === 'refused' || other.kind === 'refused' || one.kind === 'undefined' || other.kind === 'undefined') {
        return true;
    }
    switch (one.kind) {
        case 'number':
        case 'boolean':
            return other.kind === one.kind;
        case 'array':
            return (
                other.kind === 'array' &&
                isComparable(one.index, other.index) &&
                isComparable(one.element, other.element)
            );
        case 'nothing':
            return false;
        default:
            return other.kind === one.kind && other.text === one.text;
    }
}

export function nameOf(type: Type): string {
    switch (type.kind) {
        case 'boolean':
            return 'a truth value';
        case 'number':
            return 'a number';
        case 'scalarset':
        case 'enumeration':
            return `a value of \`${type.text}\``;
        case 'record':
            return `a record \`${type.text}\``;
        case 'array':
            return 'an array';
        case 'undefined':
            return '`undefined`';
        case 'nothing':
            return 'no value';
        case 'refused':
            return 'unknown';
        default:
            return unreachable(type);
    }
}
