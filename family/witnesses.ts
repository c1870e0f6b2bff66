/**
 * How many members of a family decide the value of an expression. If so many *witnesses* are kept with those that the
 * names of the expression mean, it has the same value in the part of a state with them and any others: a true `exists`
 * needs one, a false one none; `count(…) >= c` needs c. Infinity if no number is enough, with the reason.
 */
import { memberBoundsOf, domainSize } from '../engine/model/domain.js';
import { isMember, type Binder, type Expression, type Place } from '../engine/model/expression.js';
import type { Initializer, Model, Statement } from '../engine/model/model.js';
import { expressionsOf, partsOf } from '../engine/model/walk-model.js';
import type { Problem } from '../engine/common/problem.js';
import type { PathItem } from '../engine/sequential/control/locations.js';
import type { LoweredText } from './lowered-text.js';
import { offersOf } from './offers.js';
import { refusal } from './refusal.js';

type Quantifier = Extract<Expression, { kind: 'quantifier' }>;

/** The comparison of a number of members with a constant. */
interface Comparison {
    readonly count: Quantifier;
    readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
    readonly constant: number;
}

const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

export class Witnesses {
    readonly #text: LoweredText;
    /** Why no number was enough. */
    readonly reasons: Problem[];
    readonly #calls = new Set<number>();
    /** Labels whose ways are looked at: what stands before them may ask for labels. */
    #labels = new Set<string>();

    constructor(text: LoweredText, reasons: Problem[] = []) {
        this.#text = text;
        this.reasons = reasons;
    }

    /** For the value of an expression, or for its fault. */
    ofValue(expression: Expression): number {
        const comparison = comparisonOf(expression);
        if (comparison !== undefined) {
            return Math.max(this.#ofCount(comparison, true), this.#ofCount(comparison, false));
        }
        switch (expression.kind) {
            case 'quantifier':
                return this.#ofQuantifier(expression);
            case 'call':
                return this.ofRows(partsOf(expression)) + this.#ofFunction(expression.function);
            case 'at':
                return this.#ofParts(expression) + this.#ofLabel(expression);
            default:
                return this.#ofParts(expression);
        }
    }

    /** For a condition that is known to be true, or to be false, or to be a fault. */
    ofTruth(condition: Expression, outcome: boolean): number {
        return this.#text.mayFault(condition) ? this.ofValue(condition) : this.#ofTruth(condition, outcome);
    }

    /**
     * For values that are stored together, row by row. A row of an array over members says the same of each, so there is no
     * number of witnesses if it asks for some; one expression for all rows counts once. A row that is a fault is one.
     */
    ofRows(values: readonly Expression[]): number {
        let needed = 0;
        let faulty = 0;
        for (const value of new Set(values)) {
            const own = this.ofValue(value);
            if (namesMember(value)) {
                needed += own === 0 ? 0 : this.#none('what is stored for each member asks for others', value);
                faulty = Math.max(faulty, this.#text.mayFault(value) ? 1 : 0);
            } else {
                needed += own;
            }
        }
        return needed + faulty;
    }

    /** For what the statements do. */
    ofStatements(statements: readonly Statement[]): number {
        return statements.reduce((sum, statement) => sum + this.#ofStatement(statement), 0);
    }

    #ofStatement(statement: Statement): number {
        const { rows, single } = rowsOf(statement);
        // A value that does not fit is a fault of its row, too.
        const isFaulty = rows.some(namesMember) && this.#text.statementMayFault(statement);
        const ofSingle = single.reduce((sum, expression) => sum + this.ofValue(expression), 0);
        const own = ofSingle + this.ofRows(rows) + (isFaulty ? 1 : 0);
        switch (statement.kind) {
            case 'if':
                return own + Math.max(this.ofStatements(statement.then), this.ofStatements(statement.otherwise));
            case 'while': {
                const round = own + this.ofStatements(statement.body);
                return round === 0 ? 0 : this.#none('each round of this loop asks for members', statement.condition);
            }
            case 'for':
                return times(domainSize(statement.binder.domain), this.ofStatements(statement.body));
            default:
                return own;
        }
    }

    /** What stands between the location and the label decides, too: it may ask for nothing but the process itself. */
    #ofLabel(expression: Extract<Expression, { kind: 'at' }>): number {
        const process = this.#text.model.processes[expression.process];
        const inside = new Witnesses(this.#text);
        inside.#labels = this.#labels;
        const key = `${expression.process} ${expression.label}`;
        if (this.#labels.has(key)) {
            return this.#none(`whether a process is at \`${expression.label}\` depends on itself`, expression);
        }
        const offers = offersOf(process);
        if ('problem' in offers) {
            this.reasons.push(offers.problem);
            return Infinity;
        }
        this.#labels.add(key);
        const isSimple = (item: PathItem): boolean =>
            item.kind === 'label' ||
            (item.kind === 'test' &&
                !this.#text.mayFault(item.site.condition) &&
                inside.ofValue(item.site.condition) === 0);
        const isReachedSimply = offers.every(({ path }) => {
            const label = path.findIndex(item => item.kind === 'label' && item.label === expression.label);
            return path.slice(0, Math.max(0, label)).every(isSimple);
        });
        this.#labels.delete(key);
        return isReachedSimply
            ? 0
            : this.#none(`what stands before \`${expression.label}\` asks for members or makes a choice`, expression);
    }

    #ofParts(expression: Expression): number {
        return partsOf(expression).reduce((sum, part) => sum + this.ofValue(part), 0);
    }

    #ofFunction(position: number): number {
        if (this.#calls.has(position)) {
            // The calls inside it ask for as much again, unless that is nothing.
            return 0;
        }
        this.#calls.add(position);
        const { body } = this.#text.model.functions[position];
        const inside = new Witnesses(this.#text, this.reasons);
        inside.#labels = this.#labels;
        for (const call of this.#calls) {
            inside.#calls.add(call);
        }
        const needed = inside.ofStatements(body);
        this.#calls.delete(position);
        return needed > 0 && callsItself(position, this.#text.model) ? this.#noneAt(position) : needed;
    }

    #noneAt(position: number): number {
        const { name, nameRange } = this.#text.model.functions[position];
        this.reasons.push(refusal(`each call of \`${name}\` inside itself asks for members`, nameRange));
        return Infinity;
    }

    /** Of an expression that is never a fault. */
    #ofTruth(condition: Expression, outcome: boolean): number {
        const comparison = comparisonOf(condition);
        if (comparison !== undefined) {
            return this.#ofCount(comparison, outcome);
        }
        switch (condition.kind) {
            case 'unary':
                return this.#ofTruth(condition.operand, !outcome);
            case 'binary': {
                const { operator, left, right } = condition;
                if (operator !== 'and' && operator !== 'or' && operator !== 'implies') {
                    return this.ofValue(condition);
                }
                const first = this.#ofTruth(left, operator === 'implies' ? !outcome : outcome);
                const second = this.#ofTruth(right, outcome);
                return (operator === 'and') === outcome ? first + second : Math.max(first, second);
            }
            case 'conditional': {
                const branches = [condition.then, condition.otherwise].map(branch => this.#ofTruth(branch, outcome));
                return this.ofValue(condition.condition) + Math.max(...branches);
            }
            case 'quantifier': {
                const { quantifier } = condition;
                return quantifier === 'forall' || quantifier === 'exists'
                    ? this.#ofBinders(condition, quantifier, condition.binders, outcome)
                    : this.ofValue(condition);
            }
            default:
                return this.ofValue(condition);
        }
    }

    #ofQuantifier(expression: Quantifier): number {
        const { quantifier, binders, where, body } = expression;
        if (!binders.some(isOverMembers)) {
            const size = binders.reduce((product, { domain }) => product * domainSize(domain), 1);
            return times(size, this.ofValue(body) + (where === undefined ? 0 : this.ofValue(where)));
        }
        if (quantifier !== 'forall' && quantifier !== 'exists') {
            const message =
                quantifier === 'count'
                    ? 'the number of members is compared with constants only'
                    : `the \`${quantifier}\` over all members depends on their number`;
            return this.#none(message, expression);
        }
        const outcomes = [true, false].map(outcome => this.#ofBinders(expression, quantifier, binders, outcome));
        return Math.max(...outcomes);
    }

    /** Of a `forall` or `exists` with these binders and, inside them, the others. */
    #ofBinders(
        expression: Quantifier,
        quantifier: 'forall' | 'exists',
        binders: readonly Binder[],
        outcome: boolean,
    ): number {
        const { where, body } = expression;
        const [first, ...others] = binders;
        if (first === undefined) {
            const ofBody = this.ofTruth(body, outcome);
            if (where === undefined) {
                return ofBody;
            }
            // A witness satisfies the `where`; any other member fails it or agrees.
            const hasWitness = outcome === (quantifier === 'exists');
            return hasWitness ? this.ofTruth(where, true) + ofBody : Math.max(this.ofTruth(where, false), ofBody);
        }
        if (binders === expression.binders && binders.some(isOverMembers) && this.#faultsInside(expression)) {
            return Infinity;
        }
        const inner = this.#ofBinders(expression, quantifier, others, outcome);
        const hasWitness = outcome === (quantifier === 'exists');
        if (!isOverMembers(first)) {
            return hasWitness ? inner : times(domainSize(first.domain), inner);
        }
        if (hasWitness) {
            return 1 + inner;
        }
        return inner === 0
            ? 0
            : this.#none('inside a condition on all members another one asks for members', expression);
    }

    #ofCount({ count, operator, constant }: Comparison, outcome: boolean): number {
        const { binders, where, body } = count;
        const each = binders.filter(isOverMembers).length;
        if (each === 0) {
            return this.#ofQuantifier(count);
        }
        if (this.#faultsInside(count)) {
            return Infinity;
        }
        const inside = this.ofValue(body) + (where === undefined ? 0 : this.ofValue(where));
        if (inside > 0) {
            return this.#none('inside a number of members another condition asks for members', count);
        }
        return each * Math.max(0, mostCounted(operator, constant, outcome));
    }

    #faultsInside({ where, body }: Quantifier): boolean {
        const faulty = [where, body].find(part => part !== undefined && this.#text.mayFault(part));
        if (faulty === undefined) {
            return false;
        }
        this.#none('this may be a fault, so the order of the members matters', faulty);
        return true;
    }

    #none(message: string, { range }: Expression): number {
        this.reasons.push(refusal(message, range));
        return Infinity;
    }
}

/** The expressions of a first value, those of each alternative together. */
export function valuesOf(initializer: Initializer): readonly (readonly Expression[])[] {
    switch (initializer.kind) {
        case 'value':
            return [initializer.expressions];
        case 'oneOf':
            return initializer.choices;
        default:
            return [];
    }
}

/** The expressions of a statement: those that lowering may have written for each member, and those that stand once. */
function rowsOf(statement: Statement): {
    readonly rows: readonly Expression[];
    readonly single: readonly Expression[];
} {
    switch (statement.kind) {
        case 'assign': {
            const isRow = (target: Place): boolean => target.indices.some(namesMember);
            const partsIn = (areRows: boolean): Expression[] =>
                statement.assignments
                    .filter(({ target }) => isRow(target) === areRows)
                    .flatMap(({ target, value }) => [...target.indices, value]);
            return { rows: partsIn(true), single: partsIn(false) };
        }
        case 'declare': {
            const lists = statement.declarations.map(({ values }) => values);
            return {
                rows: lists.filter(({ length }) => length > 1).flat(),
                single: lists.filter(({ length }) => length === 1).flat(),
            };
        }
        case 'return':
            return { rows: statement.values.flat(), single: [] };
        default:
            return { rows: [], single: expressionsOf(statement) };
    }
}

/** Whether an expression is of a row that lowering has written for one member. */
function namesMember(expression: Expression): boolean {
    return isMember(expression) || partsOf(expression).some(namesMember);
}

/** A product in which nothing taken without end is nothing. */
function times(count: number, needed: number): number {
    return needed === 0 || count === 0 ? 0 : count * needed;
}

function isOverMembers({ domain }: Binder): boolean {
    return memberBoundsOf(domain) !== undefined;
}

/** So many counted ones keep the outcome of the comparison: others only add to them, and there are no more. */
function mostCounted(operator: Comparison['operator'], constant: number, outcome: boolean): number {
    switch (operator) {
        case '>=':
            return outcome ? constant : 0;
        case '>':
            return outcome ? constant + 1 : 0;
        case '<=':
            return outcome ? 0 : constant + 1;
        case '<':
            return outcome ? 0 : constant;
        case '==':
            return outcome ? constant : constant + 1;
        case '!=':
            return outcome ? constant + 1 : constant;
    }
}

function comparisonOf(expression: Expression): Comparison | undefined {
    if (expression.kind !== 'binary' || !(expression.operator in MIRRORED)) {
        return undefined;
    }
    const { left, right } = expression;
    const operator = expression.operator as Comparison['operator'];
    if (left.kind === 'quantifier' && left.quantifier === 'count' && right.kind === 'constant') {
        return { count: left, operator, constant: right.value };
    }
    if (right.kind === 'quantifier' && right.quantifier === 'count' && left.kind === 'constant') {
        return { count: right, operator: MIRRORED[operator], constant: left.value };
    }
    return undefined;
}

function callsItself(position: number, model: Model): boolean {
    const seen = new Set<number>();
    const called = (statements: readonly Statement[]): readonly number[] =>
        statements.flatMap(statement => [
            ...expressionsOf(statement).flatMap(callsIn),
            ...called('then' in statement ? [...statement.then, ...statement.otherwise] : []),
            ...called('body' in statement ? statement.body : []),
        ]);
    const waiting = [...called(model.functions[position].body)];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (!seen.has(next)) {
            seen.add(next);
            waiting.push(...called(model.functions[next].body));
        }
    }
    return seen.has(position);
}

function callsIn(expression: Expression): readonly number[] {
    const inside = partsOf(expression).flatMap(callsIn);
    return expression.kind === 'call' ? [expression.function, ...inside] : inside;
}
