/**
 * Expressions in Orbit. A place that may be undefined is an optional value there, so that a read of it needs a test for
 * `none` around it, in front of it, or as an invariant of its own; `definedness` is the condition that no read fails.
 */
import { invariant, unreachable } from '../../engine/common/assert.js';
import { operatorOf, type Operator } from './check-expression.js';
import { arrayOf, fieldOf, isDesignator, recordOf, type Designator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import type { Names } from './names.js';
import * as Orbit from './orbit-syntax.js';
import { binary, conjunction, FALSE, implication, negation, NONE, printExpression, TRUE } from './orbit-syntax.js';
import type { Interval } from './intervals.js';
import { NOTHING_KNOWN, withPlaces, type Known } from './known.js';
import { isSimple, type Symbol } from './symbols.js';

/** No shift by more bits leaves anything of a number. */
const MOST_BITS = 64;

/** What names stand for where an expression is written. */
export interface Surroundings {
    /** Those that are taken at this place. */
    names: Names;
    /** Of names that are not known everywhere; a variable without an entry has its own name. */
    readonly bindings: Map<Symbol, Orbit.Expression>;
    /** Calls whose results have names already. */
    readonly results: Map<Murphi.Call, Orbit.Expression>;
}

export class ExpressionWriter {
    private readonly facts: Facts;
    private readonly surroundings: Surroundings;

    constructor(facts: Facts, surroundings: Surroundings) {
        this.facts = facts;
        this.surroundings = surroundings;
    }

    /** A value; a place that may be undefined is written as it is. */
    value(node: Murphi.Expression, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'NumberLiteral': {
                const type = this.facts.typeOf(node);
                return Orbit.atom(type.kind === 'number' ? type.low : 0);
            }
            case 'TruthLiteral':
                return node.value.toLowerCase() === 'true' ? TRUE : FALSE;
            case 'Undefined':
                return NONE;
            case 'Name':
            case 'Member':
            case 'Element':
                return this.place(node, known);
            case 'Call': {
                const routine = this.facts.routineOf(node);
                const result = this.surroundings.results.get(node);
                if (result === undefined && routine.writes.size > 0) {
                    const message = 'a call that writes is not carried over here';
                    this.facts.refuse(node, 'murphi/not-carried-over', message);
                }
                return (
                    result ?? Orbit.call(routine.name, ...node.arguments.map(argument => this.value(argument, known)))
                );
            }
            case 'Conditional': {
                const condition = this.condition(node.condition, known);
                const [then, otherwise] = [node.then, node.otherwise].map((branch, index) => {
                    const inside = this.knownIf(node.condition, index === 0, known);
                    if (this.isCondition(node)) {
                        return this.condition(branch, inside);
                    }
                    if (this.untested(branch, inside).size > 0) {
                        const message = 'a choice between values that may be undefined is not carried over';
                        this.facts.refuse(branch, 'murphi/not-carried-over', message);
                    }
                    return this.value(branch, inside);
                });
                return { kind: 'conditional', condition, then: then ?? TRUE, otherwise: otherwise ?? TRUE };
            }
            case 'Unary':
                return this.isCondition(node) ? this.condition(node, known) : this.unary(node, known);
            case 'Binary':
                return this.isCondition(node) ? this.condition(node, known) : this.arithmetic(node, known);
            case 'Quantified':
            case 'IsUndefined':
            case 'IsMember':
            case 'MultisetCount':
                return this.condition(node, known);
            default:
                return unreachable(node);
        }
    }

    /** A truth value; false where a place in it is `none` that `definedness` speaks of. */
    condition(node: Murphi.Expression, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'Binary': {
                const operator = operatorOf(node);
                switch (operator) {
                    case '&':
                    case '&&':
                        return binary('&&', this.condition(node.left, known), this.right(node, true, known));
                    case '|':
                    case '||':
                        return binary('||', this.condition(node.left, known), this.right(node, false, known));
                    case '->':
                        return binary('implies', this.condition(node.left, known), this.right(node, true, known));
                    default:
                        return this.guarded(node, known, inside => this.comparison(node, operator, inside));
                }
            }
            case 'Unary':
                return negation(this.condition(node.operand, known));
            case 'Quantified': {
                const word = node.kind === '∀' || node.kind.toLowerCase() === 'forall' ? 'forall' : 'exists';
                return this.quantified(node, word, () => this.condition(node.body, known));
            }
            case 'IsUndefined': {
                const isOptional = this.facts.cellOf(node.place)?.isOptional === true;
                return isOptional ? binary('==', this.value(node.place, known), NONE) : FALSE;
            }
            case 'Conditional':
                return this.value(node, known);
            default:
                return this.guarded(node, known, inside => {
                    const value = this.value(node, inside);
                    return this.isOptional(node) ? binary('==', value, TRUE) : value;
                });
        }
    }

    private right({ left, right }: Murphi.Binary, truth: boolean, known: Known): Orbit.Expression {
        return this.condition(right, this.knownIf(left, truth, known));
    }

    /** A test in front of a condition for each place in it that Orbit would not take otherwise. */
    private guarded(
        node: Murphi.Expression,
        known: Known,
        write: (known: Known) => Orbit.Expression,
    ): Orbit.Expression {
        const places = this.untested(node, known);
        const tests = [...places].map(([, place]) => binary('!=', place, NONE));
        return conjunction([...tests, write(withPlaces(known, places.keys(), 'tested'))]);
    }

    /** The places in an expression that need a test, by their texts: operands of arithmetic and of order, and indices. */
    untested(node: Murphi.Expression, known: Known): ReadonlyMap<string, Orbit.Expression> {
        const found = new Map<string, Orbit.Expression>();
        const add = (
            part: Murphi.Expression,
            isEnough = (how: 'tested' | 'read' | undefined): boolean => how === 'tested',
        ): void => {
            if (isDesignator(part) && this.isOptional(part)) {
                const place = this.place(part, known);
                if (!isEnough(known.get(printExpression(place)))) {
                    found.set(printExpression(place), place);
                }
            }
            visit(part);
        };
        const visit = (part: Murphi.Expression): void => {
            switch (part.$type) {
                case 'Element':
                    visit(arrayOf(part));
                    add(part.index, how => how !== undefined);
                    break;
                case 'Member':
                    visit(recordOf(part));
                    break;
                case 'Name': {
                    const symbol = this.facts.symbolOf(part);
                    if (symbol?.kind === 'alias' && !this.surroundings.bindings.has(symbol)) {
                        visit(symbol.value);
                    }
                    break;
                }
                case 'Binary': {
                    const operator = operatorOf(part);
                    const isEquality = operator === '==' || operator === '!=';
                    if (isEquality || !this.isLogical(part, operator)) {
                        [part.left, part.right].forEach(side => (isEquality ? visit(side) : add(side)));
                    }
                    break;
                }
                case 'Unary':
                    if (!this.isCondition(part)) {
                        add(part.operand);
                    }
                    break;
                case 'Call':
                    if (!this.surroundings.results.has(part)) {
                        part.arguments.forEach(visit);
                    }
                    break;
                default:
            }
        };
        visit(node);
        return found;
    }

    /** Holds where no place is undefined that the value of an expression needs. */
    definedness(node: Murphi.Expression, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'Name':
            case 'Member':
            case 'Element':
                return this.definednessOfRead(node, known);
            case 'IsUndefined':
                return this.definednessOfPlace(node.place, known);
            case 'Unary':
                return this.definedness(node.operand, known);
            case 'Call':
                if (this.surroundings.results.has(node)) {
                    return TRUE;
                }
                return conjunction(
                    node.arguments.map(argument =>
                        isDesignator(argument)
                            ? this.definednessOfPlace(argument, known)
                            : this.definedness(argument, known),
                    ),
                );
            case 'Conditional': {
                const [whenTrue, whenFalse] = [true, false].map(truth => this.knownIf(node.condition, truth, known));
                const condition = this.condition(node.condition, known);
                return conjunction([
                    this.definedness(node.condition, known),
                    implication(condition, this.definedness(node.then, whenTrue ?? known)),
                    implication(negation(condition), this.definedness(node.otherwise, whenFalse ?? known)),
                ]);
            }
            case 'Binary': {
                const operator = operatorOf(node);
                const first = this.definedness(node.left, known);
                if (!this.isLogical(node, operator)) {
                    return conjunction([first, this.definedness(node.right, known)]);
                }
                const truth = operator !== '|' && operator !== '||';
                const second = this.definedness(node.right, this.knownIf(node.left, truth, known));
                const left = this.condition(node.left, known);
                return conjunction([first, implication(truth ? left : negation(left), second)]);
            }
            case 'Quantified': {
                const all = this.quantified(node, 'forall', () => this.definedness(node.body, known));
                return all.body === TRUE ? TRUE : all;
            }
            default:
                return TRUE;
        }
    }

    /** The indices of a place are read, and of a simple one the place itself. */
    private definednessOfRead(node: Designator, known: Known): Orbit.Expression {
        const indices = this.definednessOfPlace(node, known);
        const place = this.place(node, known);
        const isRead = this.isOptional(node) && !known.has(printExpression(place));
        return isRead ? conjunction([indices, ...this.rangeTests(node, known), binary('!=', place, NONE)]) : indices;
    }

    /** Of indices that may be none of their arrays: a fault in a quantifier would cost symmetries. */
    private rangeTests(node: Designator, known: Known): readonly Orbit.Expression[] {
        if (node.$type === 'Name') {
            return [];
        }
        if (node.$type === 'Member') {
            return this.rangeTests(recordOf(node), known);
        }
        const array = this.facts.typeOf(arrayOf(node));
        const numbers = this.facts.typeOf(node.index);
        const isOutside =
            array.kind === 'array' &&
            array.index.kind === 'number' &&
            numbers.kind === 'number' &&
            numbers.bounds !== array.index.bounds &&
            (array.index.isOpen || numbers.low < array.index.low || numbers.high > array.index.high);
        const before = this.rangeTests(arrayOf(node), known);
        return isOutside
            ? [...before, binary('in', this.value(node.index, known), Orbit.atom(array.index.text))]
            : before;
    }

    definednessOfPlace(node: Murphi.Expression, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'Element':
                return conjunction([
                    this.definednessOfPlace(arrayOf(node), known),
                    this.definedness(node.index, known),
                ]);
            case 'Member':
                return this.definednessOfPlace(recordOf(node), known);
            case 'Name': {
                const symbol = this.facts.symbolOf(node);
                return symbol?.kind === 'alias' && !this.surroundings.bindings.has(symbol)
                    ? this.definednessOfPlace(symbol.value, known)
                    : TRUE;
            }
            default:
                return this.definedness(node, known);
        }
    }

    /** What is known besides where a condition is true, or false. */
    knownIf(node: Murphi.Expression, truth: boolean, known: Known): Known {
        switch (node.$type) {
            case 'Unary':
                return this.isCondition(node) ? this.knownIf(node.operand, !truth, known) : known;
            case 'IsUndefined':
                return truth || !this.isOptional(node.place)
                    ? known
                    : withPlaces(known, [printExpression(this.value(node.place, known))], 'tested');
            case 'Binary': {
                const operator = operatorOf(node);
                const isAnd = operator === '&' || operator === '&&';
                if (this.isLogical(node, operator) && (truth ? isAnd : !isAnd)) {
                    const isLeftTrue = operator === '->' || truth;
                    return this.knownIf(node.right, truth, this.knownIf(node.left, isLeftTrue, known));
                }
                const tested = truth && !this.isLogical(node, operator) ? this.untested(node, known).keys() : [];
                return withPlaces(this.knownAfterReads(node, known), tested, 'tested');
            }
            default:
                return this.knownAfterReads(node, known);
        }
    }

    /** The value of an expression was needed, so all places are defined that it reads in any case. */
    knownAfterReads(node: Murphi.Expression, known: Known): Known {
        const texts: string[] = [];
        const collect = (condition: Orbit.Expression): void => {
            if (condition.kind === 'binary' && condition.operator === '&&') {
                collect(condition.left);
                collect(condition.right);
            } else if (condition.kind === 'binary' && condition.operator === '!=') {
                texts.push(printExpression(condition.left));
            }
        };
        collect(this.definedness(node, known));
        return withPlaces(known, texts, 'read');
    }

    place(node: Designator, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'Name':
                return this.nameOf(node, known);
            case 'Member': {
                const record = this.facts.typeOf(recordOf(node));
                const field = record.kind === 'record' ? fieldOf(record, node.field) : undefined;
                return {
                    kind: 'field',
                    record: this.place(recordOf(node), known),
                    field: field?.written ?? node.field,
                };
            }
            case 'Element':
                return {
                    kind: 'element',
                    array: this.place(arrayOf(node), known),
                    index: this.value(node.index, known),
                };
        }
    }

    private nameOf(node: Murphi.Name, known: Known): Orbit.Expression {
        const symbol = this.facts.symbolOf(node);
        invariant(symbol !== undefined, 'a name that was checked has a symbol');
        const bound = this.surroundings.bindings.get(symbol);
        if (bound !== undefined) {
            return bound;
        }
        switch (symbol.kind) {
            case 'alias':
                return this.value(symbol.value, known);
            case 'variable':
                return Orbit.atom(symbol.written);
            case 'constant':
            case 'member':
                return Orbit.atom(symbol.name);
            default:
                invariant(false, 'a name that was checked has a value');
        }
    }

    private quantified(
        { quantifier }: Murphi.Quantified,
        word: 'forall' | 'exists',
        body: () => Orbit.Expression,
    ): Orbit.Expression & { readonly kind: 'quantifier' } {
        const outside = this.surroundings.names;
        this.surroundings.names = outside.inner();
        const binder = this.binder(quantifier);
        const quantified = { kind: 'quantifier', word, binder, body: body() } as const;
        this.surroundings.names = outside;
        return quantified;
    }

    /** Gives the variable of a quantifier a name that is free. */
    binder(quantifier: Murphi.Quantifier): Orbit.Binder {
        const variable = this.facts.variableOf(quantifier);
        const name = this.surroundings.names.declare(variable.written);
        const { low, high, step } = quantifier;
        this.surroundings.bindings.set(variable, Orbit.atom(name));
        if (low === undefined || high === undefined) {
            return { name, type: isSimple(variable.type) ? variable.type.text : '' };
        }
        if (![low, high, step].every(bound => bound === undefined || this.facts.isConstant(bound))) {
            this.facts.refuse(
                quantifier,
                'murphi/not-carried-over',
                'bounds that are computed are not carried over here',
            );
        }
        const [from, to] = [this.value(low, NOTHING_KNOWN), this.value(high, NOTHING_KNOWN)];
        const by = step === undefined ? undefined : this.facts.typeOf(step);
        const [first, last] = by?.kind === 'number' && by.high < 0 ? [to, from] : [from, to];
        const type = `${Orbit.printBound(first)} .. ${Orbit.printBound(last)}`;
        if (step === undefined || (by?.kind === 'number' && Math.abs(by.low) === 1 && by.low === by.high)) {
            return { name, type };
        }
        const distance = binary('-', Orbit.atom(name), from);
        const where = binary('==', binary('mod', distance, this.value(step, NOTHING_KNOWN)), Orbit.atom(0));
        return { name, type, where };
    }

    /** Whether a place may be undefined that has one cell. */
    isOptional(node: Murphi.Expression): boolean {
        return isDesignator(node) && isSimple(this.facts.typeOf(node)) && this.facts.cellOf(node)?.isOptional === true;
    }

    private isCondition(node: Murphi.Expression): boolean {
        return this.facts.typeOf(node).kind === 'boolean';
    }

    /** Whether the right operand is evaluated for one value of the left one only. */
    private isLogical({ left }: Murphi.Binary, operator: Operator): boolean {
        const isWord = operator === '&&' || operator === '||' || operator === '->';
        return isWord || ((operator === '&' || operator === '|') && this.isCondition(left));
    }

    private comparison({ left, right }: Murphi.Binary, operator: Operator, known: Known): Orbit.Expression {
        invariant(
            operator === '==' ||
                operator === '!=' ||
                operator === '<' ||
                operator === '<=' ||
                operator === '>' ||
                operator === '>=',
            'other operators have no truth values',
        );
        return binary(operator, this.value(left, known), this.value(right, known));
    }

    private unary(node: Murphi.Unary, known: Known): Orbit.Expression {
        switch (node.operator) {
            case '+':
                return this.value(node.operand, known);
            case '~':
                if (node.operand.$type === 'Unary' && node.operand.operator === '~') {
                    return this.value(node.operand.operand, known);
                }
                this.facts.refuse(node, 'murphi/not-carried-over', '`~` depends on how wide numbers are in a verifier');
                return FALSE;
            default: {
                const operand = this.value(node.operand, known);
                return operand.kind === 'unary' ? operand.operand : { kind: 'unary', operator: '-', operand };
            }
        }
    }

    private arithmetic(node: Murphi.Binary, known: Known): Orbit.Expression {
        const operator = operatorOf(node);
        const [left, right] = [this.value(node.left, known), this.value(node.right, known)];
        const [leftNumbers, rightNumbers] = [this.facts.numbersOf(node.left), this.facts.numbersOf(node.right)];
        switch (operator) {
            case '+':
            case '-':
            case '*':
                return binary(operator, left, right);
            case '/':
            case '%': {
                const word = operator === '/' ? 'div' : 'mod';
                if (leftNumbers.low >= 0) {
                    return binary(word, left, right);
                }
                // Toward zero, as in C: ours are Euclidean.
                const opposite = binary(word, { kind: 'unary', operator: '-', operand: left }, right);
                const otherwise: Orbit.Expression = { kind: 'unary', operator: '-', operand: opposite };
                return leftNumbers.high <= 0
                    ? otherwise
                    : {
                          kind: 'conditional',
                          condition: binary('>=', left, Orbit.atom(0)),
                          then: binary(word, left, right),
                          otherwise,
                      };
            }
            case '&':
            case '|':
            case '^':
                if (leftNumbers.low < 0 || rightNumbers.low < 0) {
                    this.facts.refuse(node, 'murphi/not-carried-over', 'bits of negative numbers are not carried over');
                }
                return Orbit.call({ '&': 'bitand', '|': 'bitor', '^': 'xor' }[operator], left, right);
            case '<<':
            case '>>':
                return this.shift(node, operator, left, right);
            default:
                invariant(false, 'other operators have truth values');
        }
    }

    /** A negative count shifts in the other direction. */
    private shift(
        node: Murphi.Binary,
        operator: '<<' | '>>',
        left: Orbit.Expression,
        right: Orbit.Expression,
    ): Orbit.Expression {
        const [numbers, counts] = [this.facts.numbersOf(node.left), this.facts.numbersOf(node.right)];
        if (counts.high < 0 && right.kind === 'unary') {
            return this.shiftBy(node, operator === '<<' ? '>>' : '<<', left, right.operand, numbers, {
                low: -counts.high,
                high: -counts.low,
            });
        }
        return this.shiftBy(node, operator, left, right, numbers, counts);
    }

    private shiftBy(
        node: Murphi.Binary,
        operator: '<<' | '>>',
        left: Orbit.Expression,
        right: Orbit.Expression,
        numbers: Interval,
        counts: Interval,
    ): Orbit.Expression {
        if (counts.low >= MOST_BITS && (operator === '<<' || numbers.low >= 0)) {
            return Orbit.atom(0);
        }
        const isSmall = numbers.high * 2 ** counts.high <= Number.MAX_SAFE_INTEGER;
        if (counts.low < 0 || (operator === '<<' ? numbers.low < 0 || !isSmall : numbers.low < 0 && counts.high > 52)) {
            this.facts.refuse(
                node,
                'murphi/not-carried-over',
                'the result depends on how wide numbers are in a verifier',
            );
        }
        return operator === '>>' && numbers.low < 0
            ? binary('div', left, Orbit.call('pow', Orbit.atom(2), right))
            : Orbit.call(operator === '<<' ? 'shl' : 'shr', left, right);
    }
}
