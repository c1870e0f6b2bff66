/**
 * Expressions in Orbit. A place that may be undefined is an optional value there, so that a read of it needs a test for
 * `none` around it, in front of it, or as an invariant of its own; `definedness` is the condition that no read fails.
 */
import { isDesignator, operatorOf, type Choice, type Designator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { NOTHING_KNOWN, withPlaces, type Known } from './known.js';
import { chosen, count } from './multisets.js';
import { Names } from './names.js';
import * as Orbit from './orbit-text.js';
import { binary, conjunction, definedPlaces, FALSE, implication, minus, negation, NONE, TRUE } from './orbit-text.js';
import { isSimple, type DataType, type SimpleType, type Symbol } from './symbols.js';

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

export function surroundingsOf(names: Names): Surroundings {
    return { names, bindings: new Map(), results: new Map() };
}

/** An expression that is known before the run; undefined if a variable decides its value. */
export function constantOf(node: Murphi.Expression, facts: Facts): Orbit.Expression | undefined {
    const writer = new ExpressionWriter(facts, surroundingsOf(new Names()));
    return facts.isConstant(node) ? writer.value(node, NOTHING_KNOWN) : undefined;
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
            case 'NumberLiteral':
                return this.literal(node);
            case 'TruthLiteral':
                return node.value.toLowerCase() === 'true' ? TRUE : FALSE;
            case 'Undefined':
                return NONE;
            case 'Name':
                return this.nameOf(node, known);
            case 'Member':
                return Orbit.field(this.value(node.record, known), this.facts.fieldOf(node)?.written ?? node.field);
            case 'Element':
                // What is chosen from a bag is a value here, and a place in it there.
                return this.isValue(node)
                    ? this.value(node.index, known)
                    : Orbit.element(this.value(node.array, known), this.value(node.index, known));
            case 'Call':
                return this.call(node, known);
            case 'Conditional': {
                const [then, otherwise] = [node.then, node.otherwise].map((branch, index) => {
                    const inside = this.knownIf(node.condition, index === 0, known);
                    if (this.facts.isCondition(node)) {
                        return this.condition(branch, inside);
                    }
                    if (this.untested(branch, inside).size > 0) {
                        this.refuse(branch, 'a choice between values that may be undefined is not carried over');
                    }
                    return this.value(branch, inside);
                });
                return Orbit.conditional(this.condition(node.condition, known), then ?? TRUE, otherwise ?? TRUE);
            }
            case 'Unary':
                return this.facts.isCondition(node) ? this.condition(node, known) : this.unary(node, known);
            case 'Binary':
                return this.facts.isCondition(node) ? this.condition(node, known) : this.arithmetic(node, known);
            case 'MultisetCount': {
                const [bag, type] = [this.value(node.bag, known), this.facts.bagOf(node.bag)];
                return this.inside(() => {
                    const binder = this.binder(node);
                    const condition = this.condition(node.condition, known);
                    return type === undefined ? bag : count(bag, binder, condition, type);
                });
            }
            default:
                return this.condition(node, known);
        }
    }

    /** A truth value; false where a place in it is `none` that `definedness` speaks of. */
    condition(node: Murphi.Expression, known: Known): Orbit.Expression {
        switch (node.$type) {
            case 'Binary': {
                if (!this.facts.isLogical(node)) {
                    const operator = operatorOf(node) as Orbit.BinaryOperator;
                    return this.guarded(node, known, inside =>
                        binary(operator, this.value(node.left, inside), this.value(node.right, inside)),
                    );
                }
                const word = wordOf(node);
                const left = this.condition(node.left, known);
                return binary(word, left, this.condition(node.right, this.knownIf(node.left, word !== '||', known)));
            }
            case 'Unary':
                return negation(this.condition(node.operand, known));
            case 'Quantified': {
                const word = node.kind === '∀' || node.kind.toLowerCase() === 'forall' ? 'forall' : 'exists';
                return this.inside(() => {
                    const binder = this.binder(node.quantifier);
                    return Orbit.quantified(word, binder, this.condition(node.body, known));
                });
            }
            case 'IsUndefined':
                return this.isOptional(node.place) || !isSimple(this.facts.typeOf(node.place))
                    ? binary('==', this.value(node.place, known), NONE)
                    : FALSE;
            case 'Conditional':
                return this.value(node, known);
            case 'IsMember': {
                const symbol = this.facts.symbolOf(node);
                const type = symbol?.kind === 'type' ? symbol.type : undefined;
                return type !== undefined && isSimple(type)
                    ? this.guarded(node, known, inside => isIn(this.value(node.value, inside), type))
                    : FALSE;
            }
            default:
                return this.guarded(node, known, inside => {
                    const value = this.value(node, inside);
                    return this.isOptional(node) ? binary('==', value, TRUE) : value;
                });
        }
    }

    /** A test in front of a condition for each place in it that Orbit would not take otherwise. */
    private guarded(
        node: Murphi.Expression,
        known: Known,
        write: (known: Known) => Orbit.Expression,
    ): Orbit.Expression {
        const places = this.untested(node, known);
        const tests = [...places.values()].map(place => binary('!=', place, NONE));
        return conjunction([...tests, write(withPlaces(known, places.keys(), 'tested'))]);
    }

    /** The places in an expression that need a test, by their texts: operands of arithmetic and of order, and indices. */
    untested(node: Murphi.Expression, known: Known): ReadonlyMap<string, Orbit.Expression> {
        const found = new Map<string, Orbit.Expression>();
        const add = (part: Murphi.Expression, isEnough: readonly unknown[] = ['tested']): void => {
            if (this.isOptional(part)) {
                const place = this.value(part, known);
                if (!isEnough.includes(known.get(place.text))) {
                    found.set(place.text, place);
                }
            }
            visit(part);
        };
        const visit = (part: Murphi.Expression): void => {
            switch (part.$type) {
                case 'Element':
                    visit(part.array);
                    add(part.index, ['tested', 'read']);
                    break;
                case 'Member':
                    visit(part.record);
                    break;
                case 'Name':
                    this.throughAlias(part, visit);
                    break;
                case 'Binary': {
                    const isEquality = ['==', '!='].includes(operatorOf(part));
                    if (!this.facts.isLogical(part)) {
                        [part.left, part.right].forEach(side => (isEquality ? visit(side) : add(side)));
                    }
                    break;
                }
                case 'Unary':
                    if (!this.facts.isCondition(part)) {
                        add(part.operand);
                    }
                    break;
                case 'IsMember':
                    add(part.value);
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

    /** What an alias stands for that has no place of its own here. */
    private throughAlias<Result>(node: Murphi.Name, visit: (value: Murphi.Expression) => Result): Result | undefined {
        const symbol = this.facts.symbolOf(node);
        return symbol?.kind === 'alias' && !this.surroundings.bindings.has(symbol) ? visit(symbol.value) : undefined;
    }

    /** Holds where no place is undefined that the value of an expression needs; of `places` only the indices are read. */
    definedness(node: Murphi.Expression, known: Known, isPlace?: 'place'): Orbit.Expression {
        const ofPlace = (place: Murphi.Expression): Orbit.Expression => this.definedness(place, known, 'place');
        if (isDesignator(node)) {
            const indices =
                node.$type === 'Element'
                    ? conjunction([ofPlace(node.array), this.definedness(node.index, known)])
                    : node.$type === 'Member'
                      ? ofPlace(node.record)
                      : (this.throughAlias(node, ofPlace) ?? TRUE);
            const place = this.value(node, known);
            const isRead = isPlace === undefined && this.isOptional(node) && !known.has(place.text);
            return isRead
                ? conjunction([indices, ...this.rangeTests(node, known), binary('!=', place, NONE)])
                : indices;
        }
        switch (node.$type) {
            case 'IsUndefined':
                return ofPlace(node.place);
            case 'Call':
                return this.surroundings.results.has(node)
                    ? TRUE
                    : conjunction(node.arguments.map(part => this.definedness(part, known, 'place')));
            case 'Conditional': {
                const [then, otherwise] = [node.then, node.otherwise].map((branch, index) =>
                    this.definedness(branch, this.knownIf(node.condition, index === 0, known)),
                );
                const condition = this.condition(node.condition, known);
                return conjunction([
                    this.definedness(node.condition, known),
                    implication(condition, then ?? TRUE),
                    implication(negation(condition), otherwise ?? TRUE),
                ]);
            }
            case 'Binary': {
                const first = this.definedness(node.left, known);
                if (!this.facts.isLogical(node)) {
                    return conjunction([first, this.definedness(node.right, known)]);
                }
                const truth = wordOf(node) !== '||';
                const second = this.definedness(node.right, this.knownIf(node.left, truth, known));
                const left = this.condition(node.left, known);
                return conjunction([first, implication(truth ? left : negation(left), second)]);
            }
            case 'Unary':
                return this.definedness(node.operand, known);
            case 'IsMember':
                return this.definedness(node.value, known);
            case 'Quantified':
            case 'MultisetCount':
                return this.inside(() => {
                    const isCount = node.$type === 'MultisetCount';
                    const binder = this.binder(isCount ? node : node.quantifier);
                    const body = this.definedness(isCount ? node.condition : node.body, known);
                    return body === TRUE ? TRUE : Orbit.quantified('forall', binder, body);
                });
            default:
                return TRUE;
        }
    }

    /** Of indices that may be none of their arrays: a fault in a quantifier would cost symmetries. */
    private rangeTests(node: Designator, known: Known): readonly Orbit.Expression[] {
        if (node.$type !== 'Element') {
            return node.$type === 'Name' ? [] : this.rangeTests(node.record, known);
        }
        const [array, numbers] = [this.facts.typeOf(node.array), this.facts.typeOf(node.index)];
        const before = this.rangeTests(node.array, known);
        if (array.kind !== 'array') {
            return before;
        }
        const { index } = array;
        const isOutside =
            index.kind === 'number' && numbers.kind === 'number'
                ? numbers.bounds !== index.bounds &&
                  (index.isOpen || numbers.low < index.low || numbers.high > index.high)
                : numbers.kind === 'union' && numbers.text !== index.text;
        return isOutside ? [...before, isIn(this.value(node.index, known), index)] : before;
    }

    /** What is known besides where a condition is true, or false. */
    knownIf(node: Murphi.Expression, truth: boolean, known: Known): Known {
        switch (node.$type) {
            case 'Unary':
                return this.facts.isCondition(node) ? this.knownIf(node.operand, !truth, known) : known;
            case 'IsUndefined':
                return truth || !this.isOptional(node.place)
                    ? known
                    : withPlaces(known, [this.value(node.place, known).text], 'tested');
            case 'Binary': {
                const isLogical = this.facts.isLogical(node);
                if (isLogical && truth === (wordOf(node) === '&&')) {
                    const isLeftTrue = truth || wordOf(node) === 'implies';
                    return this.knownIf(node.right, truth, this.knownIf(node.left, isLeftTrue, known));
                }
                const tested = truth && !isLogical ? this.untested(node, known).keys() : [];
                return withPlaces(this.knownAfterReads(node, known), tested, 'tested');
            }
            default:
                return this.knownAfterReads(node, known);
        }
    }

    /** The value of an expression was needed, so all places are defined that it reads in any case. */
    private knownAfterReads(node: Murphi.Expression, known: Known): Known {
        return withPlaces(known, definedPlaces(this.definedness(node, known)), 'read');
    }

    private nameOf(node: Murphi.Name, known: Known): Orbit.Expression {
        const symbol = this.facts.symbolOf(node);
        const bound = symbol && this.surroundings.bindings.get(symbol);
        return (
            bound ??
            (symbol?.kind === 'alias'
                ? this.value(symbol.value, known)
                : Orbit.atom(
                      symbol?.kind === 'variable'
                          ? symbol.written
                          : symbol?.kind === 'constant' || symbol?.kind === 'member'
                            ? symbol.name
                            : node.name,
                  ))
        );
    }

    private call(node: Murphi.Call, known: Known): Orbit.Expression {
        const [routine, result] = [this.facts.routineOf(node), this.surroundings.results.get(node)];
        if (result === undefined && routine?.fault !== undefined) {
            this.refuse(node, `\`${node.name}\` ${routine.fault}`);
        } else if (result === undefined && routine?.form === 'procedure') {
            this.refuse(node, 'a call that writes is not carried over here');
        }
        return result ?? Orbit.call(routine?.name ?? node.name, ...node.arguments.map(part => this.value(part, known)));
    }

    /** Whether an element of a multiset is written as the value that was chosen. */
    isValue({ array }: Murphi.Element): boolean {
        const bag = this.facts.bagOf(array);
        return bag !== undefined && bag.places === undefined;
    }

    /** Names that are declared within are free again behind it. */
    private inside(write: () => Orbit.Expression): Orbit.Expression {
        const outside = this.surroundings.names;
        this.surroundings.names = outside.inner();
        const written = write();
        this.surroundings.names = outside;
        return written;
    }

    /** Gives the variable of a quantifier a name that is free. */
    binder(quantifier: Murphi.Quantifier | Choice): Orbit.Binder {
        const variable = this.facts.variableOf(quantifier);
        const name = this.surroundings.names.declare(variable.written);
        this.surroundings.bindings.set(variable, Orbit.atom(name));
        if (quantifier.$type !== 'Quantifier') {
            const [bag, type] = [this.value(quantifier.bag, NOTHING_KNOWN), this.facts.bagOf(quantifier.bag)];
            return type === undefined ? { name, type: bag.text } : chosen(name, bag, type);
        }
        const { low, high, step } = quantifier;
        if (low === undefined || high === undefined) {
            const { type } = variable;
            return { name, type: isSimple(type) ? type.text : '', where: conjunction(holesOf(type, Orbit.atom(name))) };
        }
        if (![low, high, step].every(bound => bound === undefined || this.facts.isConstant(bound))) {
            this.refuse(quantifier, 'bounds that are computed are not carried over here');
        }
        const [from, to] = [this.value(low, NOTHING_KNOWN), this.value(high, NOTHING_KNOWN)];
        const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
        const type = (by.high < 0 ? [to, from] : [from, to]).map(Orbit.bound).join(' .. ');
        if (step === undefined || (Math.abs(by.low) === 1 && by.low === by.high)) {
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

    private literal(node: Murphi.NumberLiteral): Orbit.Expression {
        const { low } = this.facts.numbersOf(node);
        if (!Number.isSafeInteger(low)) {
            this.refuse(node, `\`${node.value}\` is no number up to 2^53 - 1`);
        }
        return Orbit.atom(low);
    }

    private unary({ operator, operand }: Murphi.Unary, known: Known): Orbit.Expression {
        if (operator === '~') {
            if (operand.$type === 'Unary' && operand.operator === '~') {
                return this.value(operand.operand, known);
            }
            this.refuse(operand, '`~` depends on how wide numbers are in a verifier');
        }
        const value = this.value(operand, known);
        const [inside] = value.operator === 'minus' ? (value.operands ?? []) : [];
        return operator === '+' ? value : (inside ?? minus(value));
    }

    private arithmetic(node: Murphi.Binary, known: Known): Orbit.Expression {
        const operator = operatorOf(node);
        const [left, right] = [this.value(node.left, known), this.value(node.right, known)];
        const [leftNumbers, rightNumbers] = [this.facts.numbersOf(node.left), this.facts.numbersOf(node.right)];
        switch (operator) {
            case '/':
            case '%': {
                const word = operator === '/' ? 'div' : 'mod';
                if (leftNumbers.low >= 0) {
                    return binary(word, left, right);
                }
                // Toward zero, as in C: ours are Euclidean.
                const otherwise = minus(binary(word, minus(left), right));
                return leftNumbers.high <= 0
                    ? otherwise
                    : Orbit.conditional(binary('>=', left, Orbit.atom(0)), binary(word, left, right), otherwise);
            }
            case '&':
            case '|':
            case '^':
                if (this.facts.isNumber(node.left, node.right) && (leftNumbers.low < 0 || rightNumbers.low < 0)) {
                    this.refuse(node, 'bits of negative numbers are not carried over');
                }
                return Orbit.call({ '&': 'bitand', '|': 'bitor', '^': 'xor' }[operator], left, right);
            case '<<':
            case '>>':
                return this.shift(node, operator, left, right);
            default:
                return binary(operator as Orbit.BinaryOperator, left, right);
        }
    }

    /** A negative count shifts in the other direction. */
    private shift(
        node: Murphi.Binary,
        sign: '<<' | '>>',
        left: Orbit.Expression,
        right: Orbit.Expression,
    ): Orbit.Expression {
        const numbers = this.facts.numbersOf(node.left);
        let [{ low, high }, count, operator] = [this.facts.numbersOf(node.right), right, sign];
        const [opposite] = right.operator === 'minus' ? (right.operands ?? []) : [];
        if (high < 0 && opposite !== undefined) {
            [low, high, count, operator] = [-high, -low, opposite, operator === '<<' ? '>>' : '<<'];
        }
        if (low >= MOST_BITS && (operator === '<<' || numbers.low >= 0)) {
            return Orbit.atom(0);
        }
        const isSmall = numbers.high * 2 ** high <= Number.MAX_SAFE_INTEGER;
        const isOpen = low < 0 || (operator === '<<' ? numbers.low < 0 || !isSmall : numbers.low < 0 && high > 52);
        if (isOpen && this.facts.isNumber(node.left, node.right)) {
            this.refuse(node, 'the result depends on how wide numbers are in a verifier');
        }
        return operator === '>>' && numbers.low < 0
            ? binary('div', left, Orbit.call('pow', Orbit.atom(2), count))
            : Orbit.call(operator === '<<' ? 'shl' : 'shr', left, count);
    }

    private refuse(node: Murphi.Expression | Murphi.Quantifier, message: string): void {
        this.facts.refuse(node, 'murphi/not-carried-over', message);
    }
}

/** Whether a number is a value of a type. */
function isIn(value: Orbit.Expression, type: SimpleType): Orbit.Expression {
    const values = type.text.includes('..') ? `{ ${type.text} }` : type.text;
    return conjunction([binary('in', value, Orbit.atom(values)), ...holesOf(type, value)]);
}

/** That a number of a union is none of its holes. */
export function holesOf(type: DataType, value: Orbit.Expression): readonly Orbit.Expression[] {
    const holes = type.kind === 'union' ? type.holes : [];
    return holes.map(({ text }) => negation(binary('in', value, Orbit.atom(text))));
}

function wordOf(node: Murphi.Binary): '&&' | '||' | 'implies' {
    const operator = operatorOf(node);
    return operator.startsWith('&') ? '&&' : operator.startsWith('|') ? '||' : 'implies';
}
