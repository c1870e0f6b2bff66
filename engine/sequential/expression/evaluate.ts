/**
 * The reference interpreter of expressions and statements. A `Compiler` turns them once into closures over a state (an
 * Int32Array with one code for each cell), shared like subexpressions. A fault is the exception `Fault`, one
 * preallocated object for each place in the text; it is caught where a step ends. Operands and indices are evaluated
 * from left to right. An assignment evaluates its value, then the indices of its target, then checks the range.
 */
import { unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, domainSize, isNumber, NO_VALUE, NONE, valueOfCode } from '../../model/domain.js';
import type { Domain, Value } from '../../model/domain.js';
import type {
    Cell,
    ElementPlace,
    FaultKind,
    SequentialExpression,
    SequentialStatement,
    TemplateSlots,
} from '../sequential-model.js';
import { cellsCarried } from '../cell-access.js';
import { freeAfter, usedSlots } from '../templates/slot-usage.js';
import { applyBinary, isArithmetic, type Arithmetic, type Comparison } from './arithmetic.js';

/** An expression as a function of the state. Throws Fault. */
export type Evaluator = (state: Int32Array) => Value;

/** The truth of a Boolean expression in a state. Throws Fault. */
export type Condition = (state: Int32Array) => boolean;

/** Changes the state. If it throws Fault, the state is half changed. */
export type Effect = (state: Int32Array) => void;

/** A fault of the user's model, not of Orbit. */
export class Fault extends Error {
    override readonly name = 'Fault';
    readonly kind: FaultKind;
    readonly range: SourceRange;

    constructor(kind: FaultKind, range: SourceRange) {
        super(kind);
        this.kind = kind;
        this.range = range;
    }
}

/** A read of a cell without a value: in no reachable state, but other states can be evaluated. */
export class AbsentRead extends Fault {
    constructor(range: SourceRange) {
        super('undefined', range);
    }
}

/** The value of an expression in `state`, or its fault; undefined if it reads a cell that holds no value. */
export function outcomeOf(evaluate: Evaluator, state: Int32Array): Value | Fault | undefined {
    try {
        return evaluate(state);
    } catch (error) {
        if (error instanceof AbsentRead) {
            return undefined;
        }
        if (error instanceof Fault) {
            return error;
        }
        throw error;
    }
}

/** The kinds in their order: of several kinds at once the first counts. */
export const FAULT_KINDS: readonly FaultKind[] = [
    'index',
    'range',
    'division',
    'overflow',
    'assert',
    'race',
    'undefined',
    'endless',
    'case',
    'slots',
    'numbers',
    'outside',
];

/** Compiles for states of these cells. */
export class Compiler {
    readonly #cells: readonly Cell[];
    readonly #values = new Map<SequentialExpression, Evaluator>();
    readonly #conditions = new Map<SequentialExpression, Condition>();

    constructor(cells: readonly Cell[]) {
        this.#cells = cells;
    }

    /** A read of these cells, before which a compiler for states that are not whole does something. */
    protected reading<Result>(
        _cells: readonly number[],
        read: (state: Int32Array) => Result,
    ): (state: Int32Array) => Result {
        return read;
    }

    expression(expression: SequentialExpression): Evaluator {
        let evaluator = this.#values.get(expression);
        if (evaluator === undefined) {
            evaluator = this.#compileValue(expression);
            this.#values.set(expression, evaluator);
        }
        return evaluator;
    }

    condition(expression: SequentialExpression): Condition {
        let condition = this.#conditions.get(expression);
        if (condition === undefined) {
            condition = this.#compileCondition(expression);
            this.#conditions.set(expression, condition);
        }
        return condition;
    }

    statements(statements: readonly SequentialStatement[]): Effect {
        const effects = statements.map(statement => this.#compileStatement(statement));
        switch (effects.length) {
            case 0:
                return () => undefined;
            case 1:
                return effects[0];
            case 2: {
                const [first, second] = effects;
                return state => {
                    first(state);
                    second(state);
                };
            }
            default:
                return state => {
                    for (let index = 0; index < effects.length; index++) {
                        effects[index](state);
                    }
                };
        }
    }

    /** Writes the value of `value` to a fixed cell. */
    assignment(cell: number, value: SequentialExpression, range: SourceRange): Effect {
        const { domain } = this.#cells[cell];
        if (value.kind === 'constant') {
            const code = codeOfValue(domain, value.value);
            return code < 0 ? raise(faultOutside(domain), range) : state => void (state[cell] = code);
        }
        const evaluator = this.expression(value);
        const codeOf = encoder(domain);
        const outOfRange = raise(faultOutside(domain), range);
        return state => {
            const code = codeOf(evaluator(state));
            if (code < 0) {
                outOfRange();
            }
            state[cell] = code;
        };
    }

    #compileValue(expression: SequentialExpression): Evaluator {
        switch (expression.kind) {
            case 'constant': {
                const { value } = expression;
                return () => value;
            }
            case 'cell':
                return this.#compileRead(expression.cell, expression);
            case 'element': {
                const reads = expression.cells.map(cell => this.#compileRead(cell, expression));
                const position = this.#compilePosition(expression.indices, expression.domains, expression.range);
                return state => reads[position(state)](state);
            }
            case 'negate': {
                const operand = this.expression(expression.operand);
                const undefinedOperand = raise('undefined', expression.range);
                return state => {
                    const value = operand(state);
                    return value === NONE ? undefinedOperand() : 0 - value;
                };
            }
            case 'binary':
                return isArithmetic(expression.operator)
                    ? this.#compileArithmetic(expression.operator, expression)
                    : this.#fromCondition(expression);
            case 'conditional': {
                const condition = this.condition(expression.condition);
                const then = this.expression(expression.then);
                const otherwise = this.expression(expression.otherwise);
                return state => (condition(state) ? then(state) : otherwise(state));
            }
            case 'select': {
                const position = this.#compilePosition([expression.index], [expression.domain], expression.range);
                const options = expression.options.map(option => this.expression(option));
                return state => options[position(state)](state);
            }
            case 'min':
            case 'max':
                return this.#compileExtremum(expression.kind, expression.operands, expression.range);
            case 'the':
                return this.#compileOnly(expression.operands, expression.range);
            case 'count': {
                const valuesIn = this.#together(expression.operands);
                return state => {
                    const values = valuesIn(state);
                    let count = 0;
                    for (let index = 0; index < values.length; index++) {
                        if (values[index] === 1) {
                            count++;
                        }
                    }
                    return count;
                };
            }
            case 'sum': {
                const valuesIn = this.#together(expression.operands);
                const { range } = expression;
                return state => {
                    const values = valuesIn(state);
                    let sum = 0;
                    for (let index = 0; index < values.length; index++) {
                        const operand = values[index];
                        sum += operand;
                        if (!Number.isSafeInteger(sum)) {
                            throw new Fault(operand === NONE ? 'undefined' : 'overflow', range);
                        }
                    }
                    return sum;
                };
            }
            case 'fresh':
                return this.#compileFresh(expression);
            case 'choosable':
                return this.#compileChoosable(expression);
            case 'fault':
                return raise(expression.fault, expression.range);
            case 'not':
            case 'and':
            case 'or':
            case 'all':
            case 'some':
            case 'holds':
                return this.#fromCondition(expression);
            default:
                return unreachable(expression);
        }
    }

    #compileFresh({ template, before, taken, range }: Extract<SequentialExpression, { kind: 'fresh' }>): Evaluator {
        const noSlot = raise('slots', range);
        return this.#usedSlots(template, isUsed => {
            taken.forEach(slot => (isUsed[slot] = 1));
            const slot = freeAfter(isUsed, before);
            return slot < 0 ? noSlot() : slot;
        });
    }

    #compileChoosable({
        template,
        slot,
        taken,
        own,
        range,
    }: Extract<SequentialExpression, { kind: 'choosable' }>): Evaluator {
        const noSlot = raise('slots', range);
        const holders = template.holders.filter(cell => !own.includes(cell));
        return this.#usedSlots({ ...template, holders }, isUsed => {
            taken.forEach(other => (isUsed[other] = 1));
            const isTaken = isUsed[slot] === 1;
            const first = freeAfter(isUsed, 0);
            return first < 0 ? noSlot() : isTaken || slot === first ? 1 : 0;
        });
    }

    /** `look` gets an array in which it may write. */
    #usedSlots(template: TemplateSlots, look: (isUsed: Uint8Array) => Value): Evaluator {
        const isUsed = new Uint8Array(template.slots.length);
        const read = [...template.slots.map(({ counter }) => counter), ...template.holders];
        return this.reading(read, state => {
            usedSlots(template, this.#cells, state, isUsed);
            return look(isUsed);
        });
    }

    #compileExtremum(kind: 'min' | 'max', operands: readonly SequentialExpression[], range: SourceRange): Evaluator {
        const valuesIn = this.#together(operands);
        const undefinedExtremum = raise('undefined', range);
        const isMinimum = kind === 'min';
        return state => {
            const values = valuesIn(state);
            let best: Value = NONE;
            for (let index = 0; index < values.length; index++) {
                const value = values[index];
                if (value !== NONE && (best === NONE || (isMinimum ? value < best : value > best))) {
                    best = value;
                }
            }
            return best === NONE ? undefinedExtremum() : best;
        };
    }

    /** The value that all operands have. */
    #compileOnly(operands: readonly SequentialExpression[], range: SourceRange): Evaluator {
        const valuesIn = this.#together(operands);
        const notOne = raise('undefined', range);
        return state => {
            const values = valuesIn(state);
            let only: Value = NONE;
            for (let index = 0; index < values.length; index++) {
                const value = values[index];
                if (value !== NONE && only !== NONE && value !== only) {
                    return notOne();
                }
                only = value === NONE ? only : value;
            }
            return only === NONE ? notOne() : only;
        };
    }

    /** The values of operands that have no order, in an array that is used again for the next state. */
    #together(operands: readonly SequentialExpression[]): (state: Int32Array) => Float64Array {
        const evaluators = operands.map(operand => this.expression(operand));
        const values = new Float64Array(operands.length);
        return state => {
            let first: Fault | undefined;
            for (let index = 0; index < evaluators.length; index++) {
                try {
                    values[index] = evaluators[index](state);
                } catch (error) {
                    first = firstOf(first, error);
                }
            }
            if (first !== undefined) {
                throw first;
            }
            return values;
        };
    }

    #fromCondition(expression: SequentialExpression): Evaluator {
        const condition = this.condition(expression);
        return state => (condition(state) ? 1 : 0);
    }

    #compileCondition(expression: SequentialExpression): Condition {
        switch (expression.kind) {
            case 'not': {
                const operand = this.condition(expression.operand);
                return state => !operand(state);
            }
            case 'and':
                return conjunctionOf(expression.operands.map(operand => this.condition(operand)));
            case 'or':
                return disjunctionOf(expression.operands.map(operand => this.condition(operand)));
            case 'all':
            case 'some': {
                const valuesIn = this.#together(expression.operands);
                return expression.kind === 'all'
                    ? state => !valuesIn(state).includes(0)
                    : state => valuesIn(state).includes(1);
            }
            case 'conditional': {
                const condition = this.condition(expression.condition);
                const then = this.condition(expression.then);
                const otherwise = this.condition(expression.otherwise);
                return state => (condition(state) ? then(state) : otherwise(state));
            }
            case 'binary':
                if (!isArithmetic(expression.operator)) {
                    return this.#compileComparison(expression.operator, expression.left, expression.right);
                }
                break;
            case 'select': {
                const position = this.#compilePosition([expression.index], [expression.domain], expression.range);
                const options = expression.options.map(option => this.condition(option));
                return state => options[position(state)](state);
            }
            case 'holds': {
                const { cell, value } = expression;
                const code = codeOfValue(this.#cells[cell].domain, value);
                return this.reading([cell], state => state[cell] === code);
            }
            case 'fault':
                return raise(expression.fault, expression.range);
            case 'constant':
            case 'fresh':
            case 'choosable':
            case 'cell':
            case 'element':
            case 'negate':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
            case 'the':
                break;
            default:
                return unreachable(expression);
        }
        const evaluator = this.expression(expression);
        return state => evaluator(state) === 1;
    }

    #compileComparison(operator: Comparison, left: SequentialExpression, right: SequentialExpression): Condition {
        if (left.kind === 'cell' && right.kind === 'constant' && (operator === '==' || operator === '!=')) {
            const { cell } = left;
            const { domain, mayBeAbsent } = this.#cells[cell];
            const code = codeOfValue(domain, right.value);
            if (!mayBeAbsent && code >= 0) {
                return this.reading(
                    [cell],
                    operator === '==' ? state => state[cell] === code : state => state[cell] !== code,
                );
            }
        }
        const first = this.expression(left);
        const second = this.expression(right);
        switch (operator) {
            case '==':
                return state => first(state) === second(state);
            case '!=':
                return state => first(state) !== second(state);
            case '<':
                return state => first(state) < second(state);
            case '<=':
                return state => first(state) <= second(state);
            case '>':
                return state => first(state) > second(state);
            case '>=':
                return state => first(state) >= second(state);
            default:
                return unreachable(operator);
        }
    }

    #compileArithmetic(
        operator: Arithmetic,
        expression: { readonly left: SequentialExpression; readonly right: SequentialExpression; range: SourceRange },
    ): Evaluator {
        const left = this.expression(expression.left);
        const right = this.expression(expression.right);
        const { range } = expression;
        const faults: Partial<Record<FaultKind, Fault>> = {};
        return state => {
            const first = left(state);
            const result = applyBinary(operator, first, right(state));
            if (typeof result === 'number') {
                return result;
            }
            throw (faults[result] ??= new Fault(result, range));
        };
    }

    #compileRead(cell: number, place: Pick<ElementPlace, 'isPresent' | 'range'>): Evaluator {
        return this.reading([cell], this.#compileCell(cell, place));
    }

    #compileCell(cell: number, { isPresent, range }: Pick<ElementPlace, 'isPresent' | 'range'>): Evaluator {
        const { domain, mayBeAbsent } = this.#cells[cell];
        if (isPresent === true && domain.kind === 'optional') {
            return this.#compilePresent(cell, domain, range);
        }
        if (mayBeAbsent) {
            let absentRead: AbsentRead | undefined;
            return state => {
                const code = state[cell];
                if (code === NO_VALUE) {
                    throw (absentRead ??= new AbsentRead(range));
                }
                return valueOfCode(domain, code);
            };
        }
        switch (domain.kind) {
            case 'boolean':
            case 'enumeration':
            case 'record':
            case 'number':
                return state => state[cell];
            case 'range': {
                const { low } = domain;
                return low === 0 ? state => state[cell] : state => state[cell] + low;
            }
            case 'optional':
                return state => valueOfCode(domain, state[cell]);
            default:
                return unreachable(domain);
        }
    }

    /** A read behind a test that excludes `none`. */
    #compilePresent(cell: number, domain: Domain, range: SourceRange): Evaluator {
        let absentRead: AbsentRead | undefined;
        return state => {
            const code = state[cell];
            const value = code === NO_VALUE ? NONE : valueOfCode(domain, code);
            if (value === NONE) {
                throw (absentRead ??= new AbsentRead(range));
            }
            return value;
        };
    }

    /** Where in the array, row by row, the indices point. */
    #compilePosition(
        indices: readonly SequentialExpression[],
        domains: readonly Domain[],
        range: SourceRange,
    ): Evaluator {
        const evaluators = indices.map(index => this.expression(index));
        const encoders = domains.map(encoder);
        const sizes = domains.map(domainSize);
        const outOfBounds = raise('index', range);
        if (evaluators.length === 1) {
            const [evaluator] = evaluators;
            const [codeOf] = encoders;
            return state => {
                const code = codeOf(evaluator(state));
                return code < 0 ? outOfBounds() : code;
            };
        }
        return state => {
            let position = 0;
            let outside = false;
            for (let dimension = 0; dimension < evaluators.length; dimension++) {
                const code = encoders[dimension](evaluators[dimension](state));
                outside ||= code < 0;
                position = position * sizes[dimension] + code;
            }
            return outside ? outOfBounds() : position;
        };
    }

    #compileStatement(statement: SequentialStatement): Effect {
        switch (statement.kind) {
            case 'assign':
                return statement.target.kind === 'cell'
                    ? this.assignment(statement.target.cell, statement.value, statement.range)
                    : this.#compileElementAssignment(statement.target, statement.value, statement.range);
            case 'clear': {
                const { cell } = statement;
                return state => void (state[cell] = NO_VALUE);
            }
            case 'if': {
                const condition = this.condition(statement.condition);
                const then = this.statements(statement.then);
                const otherwise = this.statements(statement.otherwise);
                return state => {
                    if (condition(state)) {
                        then(state);
                    } else {
                        otherwise(state);
                    }
                };
            }
            case 'while':
                return this.#compileLoop(statement);
            case 'assert': {
                const condition = this.condition(statement.condition);
                const failed = raise('assert', statement.range);
                return state => {
                    if (!condition(state)) {
                        failed();
                    }
                };
            }
            default:
                return unreachable(statement);
        }
    }

    /**
     * A loop is endless as soon as the cells that rounds hand on repeat. One earlier round is compared, replaced after
     * 1, 2, 4, … rounds (R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980, section 2).
     */
    #compileLoop(statement: Extract<SequentialStatement, { kind: 'while' }>): Effect {
        const condition = this.condition(statement.condition);
        const body = this.statements(statement.body);
        const cells = Int32Array.from(cellsCarried(statement));
        const known = new Int32Array(cells.length);
        const endless = raise('endless', statement.range);
        const remember = (state: Int32Array): void => {
            for (let index = 0; index < cells.length; index++) {
                known[index] = state[cells[index]];
            }
        };
        const isKnown = (state: Int32Array): boolean => {
            for (let index = 0; index < cells.length; index++) {
                if (known[index] !== state[cells[index]]) {
                    return false;
                }
            }
            return true;
        };
        return state => {
            remember(state);
            let round = 0;
            for (let replacedAt = 1; condition(state);) {
                body(state);
                if (isKnown(state)) {
                    endless();
                }
                if (++round === replacedAt) {
                    remember(state);
                    replacedAt *= 2;
                }
            }
        };
    }

    #compileElementAssignment(target: ElementPlace, value: SequentialExpression, range: SourceRange): Effect {
        const evaluator = this.expression(value);
        const position = this.#compilePosition(target.indices, target.domains, target.range);
        // The elements of an array have one domain.
        const domain = target.cells.length === 0 ? EMPTY_DOMAIN : this.#cells[target.cells[0]].domain;
        const codeOf = encoder(domain);
        const cells = Int32Array.from(target.cells);
        const outOfRange = raise(faultOutside(domain), range);
        return state => {
            const assigned = evaluator(state);
            const cell = cells[position(state)];
            const code = codeOf(assigned);
            if (code < 0) {
                outOfRange();
            }
            state[cell] = code;
        };
    }
}

/** Of two faults that which counts, whatever their order is; in a state that is never reached, that may be an absent value. */
function firstOf(known: Fault | undefined, error: unknown): Fault {
    if (!(error instanceof Fault)) {
        throw error;
    }
    if (known === undefined || FAULT_KINDS.indexOf(error.kind) < FAULT_KINDS.indexOf(known.kind)) {
        return error;
    }
    return error.kind === known.kind && error instanceof AbsentRead ? new AbsentRead(known.range) : known;
}

/** Always throws the same object, so a fault in a hot loop allocates nothing. */
function raise(kind: FaultKind, range: SourceRange): () => never {
    let fault: Fault | undefined;
    return () => {
        fault ??= new Fault(kind, range);
        throw fault;
    };
}

const EMPTY_DOMAIN: Domain = { kind: 'range', low: 0, high: -1 };

/** What a value outside a domain is. */
export function faultOutside(domain: Domain): 'range' | 'numbers' {
    return isNumber(domain) ? 'numbers' : 'range';
}

/** `codeOfValue` for one domain. */
function encoder(domain: Domain): (value: Value) => number {
    if (domain.kind === 'range') {
        const { low, high } = domain;
        return value => (low <= value && value <= high ? value - low : -1);
    }
    return value => codeOfValue(domain, value);
}

function conjunctionOf(operands: readonly Condition[]): Condition {
    if (operands.length === 2) {
        const [first, second] = operands;
        return state => first(state) && second(state);
    }
    return state => {
        for (let index = 0; index < operands.length; index++) {
            if (!operands[index](state)) {
                return false;
            }
        }
        return true;
    };
}

function disjunctionOf(operands: readonly Condition[]): Condition {
    if (operands.length === 2) {
        const [first, second] = operands;
        return state => first(state) || second(state);
    }
    return state => {
        for (let index = 0; index < operands.length; index++) {
            if (operands[index](state)) {
                return true;
            }
        }
        return false;
    };
}
