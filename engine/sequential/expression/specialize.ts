/**
 * Expressions of a process, specialized to one instance: binders become constants, quantifiers are expanded, a known
 * index selects its cell, and static parts are evaluated (simplify.ts). In the ring, agent 1 reads `label[v]` as the
 * cell `label[2]`. `at` and locals of other instances are resolved by functions passed in, after locations are known.
 */
import { remembered } from '../../common/list-map.js';
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, domainSize, NONE, templateOf, valueOfCode } from '../../model/domain.js';
import type { Domain, RecordDomain, Value } from '../../model/domain.js';
import type { Binder, Expression, Place, Temporary } from '../../model/expression.js';
import { isTypeOfNames, type Model, type Statement } from '../../model/model.js';
import { forEachStatement } from '../../model/walk-model.js';
import type { SharedLayout } from '../cell-layout.js';
import { factsOfFunctions } from './function-facts.js';
import type { FunctionFacts } from './function-facts.js';
import { freeNamesOf } from './free-names.js';
import { supportOf } from '../cell-access.js';
import { mayFault } from './bounds.js';
import { inlineCall, OpenCalls } from './inline-call.js';
import { measureOf, withinSize } from './expression-size.js';
import type { NodeBudget } from '../linearization-limits.js';
import { evenly, isAlive } from './alive.js';
import type { Scope, TemporaryValue } from './scope.js';
import type {
    Cell,
    PathElement,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
    TemplateSlots,
} from '../sequential-model.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    count,
    disjunction,
    extremum,
    FALSE,
    isFalse,
    isTrue,
    negation,
    negative,
    select,
    sum,
    TRUE,
} from './simplify.js';
import { choiceByIndices, inDomain, withPresence } from './substitute.js';
import type { TemporaryCells } from './temporary-cells.js';

/** The condition that `process[indices] at label` stands for. */
type ResolveAt = (
    process: number,
    indices: readonly SequentialExpression[],
    label: string,
    range: SourceRange,
) => SequentialExpression;

/** The expression that `process[instance].local[indices]` stands for. */
type ResolveLocal = (
    process: number,
    instance: readonly SequentialExpression[],
    local: number,
    indices: readonly SequentialExpression[],
    range: SourceRange,
) => SequentialExpression;

/** The instances of templates, and what creates them. */
interface Templates {
    /** By process. */
    readonly slots: readonly (TemplateSlots | undefined)[];
    readonly create: (
        statement: Extract<Statement, { kind: 'spawn' }>,
        slot: SequentialExpression,
        scope: Scope,
    ) => SequentialStatement[];
}

/** A place whose index is known to be outside its type. */
export type FaultyPlace = { readonly kind: 'fault'; readonly fault: 'index'; readonly range: SourceRange };

interface SpecializerOptions {
    readonly model: Model;
    readonly shared: SharedLayout;
    readonly budget: NodeBudget;
    /** Absent where the meaning of `at` does not matter. */
    readonly resolveAt?: ResolveAt;
    /** Absent where no property is specialized, since only properties name locals of other instances. */
    readonly resolveLocal?: ResolveLocal;
    /** Absent where it does not matter which instances of templates live. */
    readonly templates?: Templates;
    /** Gives the names of bodies their cells. */
    readonly temporaries: TemporaryCells;
    /** Only values known before the run are wanted: evaluation ends at a read of the state. */
    readonly isStatic?: boolean;
}

/** A value that depends only on the indices. */
const opaqueAt: ResolveAt = (_process, indices, _label, range) => ({
    kind: 'element',
    cells: [],
    indices,
    domains: [],
    range,
});

const noLocal: ResolveLocal = (process, instance, _local, indices, range) =>
    opaqueAt(process, [...instance, ...indices], '', range);

/** Evaluation has reached a read of the state. */
class NotStatic extends Error {
    override readonly name = 'NotStatic';
}

/** It is thrown often, and nobody asks where. */
const NOT_STATIC = new NotStatic();

export class Specializer {
    readonly model: Model;
    readonly budget: NodeBudget;
    readonly temporaries: TemporaryCells;
    /** By the index in `Model.functions`. */
    readonly functions: readonly FunctionFacts[];
    readonly calls = new OpenCalls();
    readonly #shared: SharedLayout;
    readonly #resolveAt: ResolveAt;
    readonly #resolveLocal: ResolveLocal;
    readonly #isStatic: boolean;
    readonly templates: Templates | undefined;
    readonly #specialized = new Map<Expression, Map<string, SequentialExpression>>();

    constructor(options: SpecializerOptions) {
        this.model = options.model;
        this.functions = factsOfFunctions(options.model.functions);
        this.budget = options.budget;
        this.temporaries = options.temporaries;
        this.#shared = options.shared;
        this.#resolveAt = options.resolveAt ?? opaqueAt;
        this.#resolveLocal = options.resolveLocal ?? noLocal;
        this.#isStatic = options.isStatic ?? false;
        this.templates = options.templates;
    }

    expression(expression: Expression, scope: Scope): SequentialExpression {
        const { range } = expression;
        this.budget.spend(1, range);
        switch (expression.kind) {
            case 'constant':
                return constant(expression.value);
            case 'binder':
                return constant(binderValue(expression.binder, scope));
            case 'read': {
                if (expression.place.kind === 'temporary') {
                    return withPresence(this.#readTemporary(expression.place, scope), expression);
                }
                const chosen =
                    expression.place.kind === 'local' ? scope.chosen?.get(expression.place.local) : undefined;
                if (expression.place.kind === 'local' && chosen !== undefined) {
                    const { indices } = scope.locals[expression.place.local];
                    return this.#choose(chosen.map(constant), indices, expression.place.indices, scope, range);
                }
                this.#needsState();
                const place = this.place(expression.place, scope);
                switch (place.kind) {
                    case 'cell':
                        return withPresence({ kind: 'cell', cell: place.cell, range }, expression);
                    case 'element':
                        return withPresence(place, expression);
                    case 'fault':
                        return place;
                    default:
                        return unreachable(place);
                }
            }
            case 'unary': {
                const operand = this.expression(expression.operand, scope);
                return expression.operator === 'not' ? negation(operand, range) : negative(operand, range);
            }
            case 'binary':
                return this.#binary(expression, scope);
            case 'conditional': {
                const condition = this.expression(expression.condition, scope);
                if (condition.kind === 'constant') {
                    return this.expression(isTrue(condition) ? expression.then : expression.otherwise, scope);
                }
                const then = this.expression(expression.then, scope);
                return conditional(condition, then, this.expression(expression.otherwise, scope), range);
            }
            case 'quantifier':
                return this.#once(expression, scope, () => this.#quantifier(expression, scope));
            case 'alive':
                this.#needsState();
                return isTypeOfNames(this.model.processes[expression.process])
                    ? this.#choosable(expression, scope)
                    : this.#aliveAt(expression.process, this.expression(expression.reference, scope), range);
            case 'at': {
                this.#needsState();
                const indices = expression.indices.map(index => this.expression(index, scope));
                return this.#resolveAt(expression.process, indices, expression.label, range);
            }
            case 'instance-local': {
                this.#needsState();
                const { process } = expression;
                const domains = this.model.processes[process].indices.map(({ domain }) => domain);
                const instance = expression.instance.map((index, at) => this.index(index, domains[at], scope));
                const indices = expression.indices.map(index => this.expression(index, scope));
                return this.#resolveLocal(process, instance, expression.local, indices, range);
            }
            case 'select': {
                const index = this.expression(expression.index, scope);
                if (index.kind === 'constant') {
                    const code = codeOfValue(expression.domain, index.value);
                    return code < 0
                        ? { kind: 'fault', fault: 'index', range }
                        : this.expression(expression.options[code], scope);
                }
                const options = expression.options.map(option => this.expression(option, scope));
                return select(index, expression.domain, options, range);
            }
            case 'field':
                return this.#field(expression, scope);
            case 'record':
                return this.#record(expression, scope);
            case 'call':
                return this.#once(expression, scope, () => {
                    const values = inlineCall(this, expression, scope);
                    const result = this.model.functions[expression.function].results[expression.result];
                    const { indices } = expression;
                    const value = this.#choose(values[expression.result], result.indices, indices, scope, range);
                    this.budget.spend(measureOf(value).size, range);
                    return value;
                });
            case 'fault':
                return { kind: 'fault', fault: expression.fault, range };
            case 'message': {
                invariant(scope.message !== undefined, 'a message is looked at by a receive');
                return scope.message[expression.position];
            }
            default:
                return unreachable(expression);
        }
    }

    /** Makes an expression once for all instances with the same values of its free binders. */
    #once(expression: Expression, scope: Scope, make: () => SequentialExpression): SequentialExpression {
        const { binders, isLocal } = freeNamesOf(expression);
        if (isLocal) {
            return withinSize(make(), expression.range);
        }
        const shared = remembered(this.#specialized, expression, () => new Map());
        const key = binders.map(id => scope.binders.get(id)).join();
        let made = shared.get(key);
        if (made === undefined) {
            made = withinSize(make(), expression.range);
            shared.set(key, made);
        }
        return made;
    }

    /** The value before the run, left to right and short-circuit; undefined if it reads the state or is a fault. */
    known(expression: Expression, scope: Scope): Value | undefined {
        try {
            const specialized = this.expression(expression, scope);
            return specialized.kind === 'constant' ? specialized.value : undefined;
        } catch (error) {
            if (error instanceof NotStatic) {
                return undefined;
            }
            throw error;
        }
    }

    /** The truth of a condition that is known before the run. */
    decided(condition: Expression, scope: Scope): boolean | undefined {
        const value = this.known(condition, scope);
        return value === undefined ? undefined : value === 1;
    }

    /** Whether a condition holds in no state and is never a fault. Of a conjunction one part shows that, if no part before it is one. */
    isNeverTrue(condition: Expression, scope: Scope): boolean {
        if (condition.kind !== 'binary' || condition.operator !== 'and') {
            return this.decided(condition, scope) === false;
        }
        const { left, right } = condition;
        return this.isNeverTrue(left, scope) || (this.#isSafe(left, scope) && this.isNeverTrue(right, scope));
    }

    /** Whether a condition is surely no fault: it is known before the run, or reads a known cell of a shared variable. */
    #isSafe(condition: Expression, scope: Scope): boolean {
        if (condition.kind === 'binary' && condition.operator === 'and') {
            return this.#isSafe(condition.left, scope) && this.#isSafe(condition.right, scope);
        }
        if (condition.kind !== 'read' || condition.place.kind !== 'shared') {
            return this.decided(condition, scope) !== undefined;
        }
        const { indices, variable } = condition.place;
        return indices.every((index, dimension) => {
            const domain = this.model.variables[variable].indices[dimension];
            const value = templateOf(domain) === undefined ? this.known(index, scope) : undefined;
            return value !== undefined && codeOfValue(domain, value) >= 0;
        });
    }

    #needsState(): void {
        if (this.#isStatic) {
            throw NOT_STATIC;
        }
    }

    /** The cell of a place, or the part of its array that the known indices leave open. */
    place(place: Place, scope: Scope): SequentialPlace | FaultyPlace {
        const { indices: dimensions, cellAt } = this.#cellsOf(place, scope);
        invariant(dimensions.length === place.indices.length, 'a place has an index for each dimension');
        const { range } = place;
        if (dimensions.length === 0) {
            return { kind: 'cell', cell: cellAt(0) };
        }
        const indices: SequentialExpression[] = [];
        const domains: Domain[] = [];
        // The positions that the indices so far leave open, row by row.
        let positions = [0];
        let faulty = false;
        for (let dimension = 0; dimension < dimensions.length; dimension++) {
            const domain = dimensions[dimension];
            const size = domainSize(domain);
            const index = this.index(place.indices[dimension], domain, scope);
            if (index.kind === 'constant') {
                const code = codeOfValue(domain, index.value);
                faulty ||= code < 0;
                for (let open = 0; open < positions.length; open++) {
                    positions[open] = positions[open] * size + code;
                }
            } else {
                this.budget.spend(positions.length * size, range);
                indices.push(index);
                domains.push(domain);
                positions = positions.flatMap(position =>
                    Array.from({ length: size }, (_, code) => position * size + code),
                );
            }
        }
        if (faulty) {
            return { kind: 'fault', fault: 'index', range };
        }
        if (indices.length === 0) {
            return { kind: 'cell', cell: cellAt(positions[0]) };
        }
        return {
            kind: 'element',
            cells: positions.map(cellAt),
            indices,
            domains,
            range,
        };
    }

    /** The dimensions of a place, and its cells row by row. */
    #cellsOf(
        place: Place,
        scope: Scope,
    ): { readonly indices: readonly Domain[]; readonly cellAt: (position: number) => number } {
        if (place.kind === 'channel') {
            return this.#shared.channels[place.channel].leaf(place.leaf);
        }
        if (place.kind === 'temporary') {
            const { indices, values } = temporaryValue(place.temporary, scope);
            const cellAt = (position: number): number => {
                const value = values[position];
                invariant(value.kind === 'cell', 'what a body assigns has a cell');
                return value.cell;
            };
            return { indices, cellAt };
        }
        const variable = place.kind === 'shared' ? this.#shared.variables[place.variable] : scope.locals[place.local];
        invariant(variable !== undefined, 'a place names a declared variable');
        return { indices: variable.indices, cellAt: position => variable.first + position };
    }

    #readTemporary(place: Extract<Place, { kind: 'temporary' }>, scope: Scope): SequentialExpression {
        const { indices, values } = temporaryValue(place.temporary, scope);
        return this.#choose(values, indices, place.indices, scope, place.range);
    }

    /** The value at the indices of a table, row by row: one value if all of them are known. */
    #choose(
        values: readonly SequentialExpression[],
        domains: readonly Domain[],
        indices: readonly Expression[],
        scope: Scope,
        range: SourceRange,
    ): SequentialExpression {
        const specialized = indices.map((index, dimension) => this.index(index, domains[dimension], scope));
        return choiceByIndices(specialized, domains, this.budget, range, position => values[position]);
    }

    #field(expression: Extract<Expression, { kind: 'field' }>, scope: Scope): SequentialExpression {
        const { domain, field, range } = expression;
        const record = this.expression(expression.record, scope);
        if (record.kind !== 'constant') {
            this.budget.spend(domain.tuples.length, range);
        }
        return select(record, domain, fieldValues(domain, field), range);
    }

    /** A choice by the first field, then by the second, and so on; a missing tuple is a fault. */
    #record(expression: Extract<Expression, { kind: 'record' }>, scope: Scope): SequentialExpression {
        const { domain, range } = expression;
        const { cells } = this.temporaries;
        const fields = expression.fields.map((field, index) =>
            inDomain(this.expression(field, scope), domain.fields[index].domain, cells, range),
        );
        if (fields.every(field => field.kind === 'constant')) {
            this.budget.spend(fields.length + 1, range);
            const code = codeOfTuple(
                domain,
                fields.map(({ value }) => value),
            );
            return code === undefined ? { kind: 'fault', fault: 'range', range } : constant(code);
        }
        const choice = (index: number, positions: readonly number[]): SequentialExpression => {
            this.budget.spend(1, range);
            if (positions.length === 0) {
                return { kind: 'fault', fault: 'range', range };
            }
            if (index === fields.length) {
                return constant(positions[0]);
            }
            const value = fields[index];
            if (value.kind === 'constant') {
                const rest = positions.filter(position => domain.tuples[position][index] === value.value);
                return choice(index + 1, rest);
            }
            const field = domain.fields[index].domain;
            const rest: number[][] = Array.from({ length: domainSize(field) }, () => []);
            positions.forEach(position => rest[codeOfValue(field, domain.tuples[position][index])].push(position));
            return select(
                value,
                field,
                rest.map(remaining => choice(index + 1, remaining)),
                range,
            );
        };
        return choice(
            0,
            domain.tuples.map((_, position) => position),
        );
    }

    #binary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope): SequentialExpression {
        const { operator, range } = expression;
        const left = this.expression(expression.left, scope);
        // What is not evaluated is not expanded.
        if (operator === 'and' && isFalse(left)) {
            return FALSE;
        }
        if ((operator === 'or' && isTrue(left)) || (operator === 'implies' && isFalse(left))) {
            return TRUE;
        }
        const right = this.expression(expression.right, scope);
        if (operator === 'and') {
            return conjunction([left, right], range);
        }
        if (operator === 'or' || operator === 'implies') {
            const first = operator === 'or' ? left : negation(left, range);
            return disjunction([first, right], range);
        }
        if (operator === '==' && expression.left === expression.right) {
            return trueUnlessFault(left, this.temporaries.cells, range);
        }
        return binary(operator, left, right, range);
    }

    #quantifier(expression: Extract<Expression, { kind: 'quantifier' }>, scope: Scope): SequentialExpression {
        const { quantifier, range } = expression;
        const operands: SequentialExpression[] = [];
        // The value that ends `forall` and `exists` early.
        const decisive = quantifier === 'forall' ? FALSE : quantifier === 'exists' ? TRUE : undefined;
        this.forEachValuation(expression.binders, scope, range, () => {
            const alive = this.alive(expression.binders, scope, range);
            const where = expression.where === undefined ? TRUE : this.expression(expression.where, scope);
            const filter = conjunction([alive, where], range);
            if (this.#isNeverMet(filter)) {
                return true;
            }
            const body = this.expression(expression.body, scope);
            let operand: SequentialExpression;
            switch (quantifier) {
                case 'forall':
                    operand = disjunction([negation(filter, range), body], range);
                    break;
                case 'exists':
                case 'count':
                    operand = conjunction([filter, body], range);
                    if (this.#isNeverMet(operand)) {
                        return true;
                    }
                    break;
                case 'sum':
                    operand = conditional(filter, body, constant(0), range);
                    break;
                case 'min':
                case 'max':
                case 'the':
                    operand = conditional(filter, body, constant(NONE), range);
                    break;
                default:
                    return unreachable(quantifier);
            }
            operands.push(operand);
            if (operand.kind === 'and' || operand.kind === 'or') {
                // It becomes part of a longer expression.
                this.budget.spend(operand.operands.length, range);
            }
            return operand.kind !== 'constant' || decisive?.kind !== 'constant' || operand.value !== decisive.value;
        });
        // Instances have no order, so that none may hide the fault of another one.
        const isOrdered = !expression.binders.some(({ domain }) => templateOf(domain) !== undefined);
        const { cells } = this.temporaries;
        switch (quantifier) {
            case 'forall':
                return isOrdered ? conjunction(operands, range) : evenly('all', operands, cells, range);
            case 'exists':
                return isOrdered ? disjunction(operands, range) : evenly('some', operands, cells, range);
            case 'count':
                return count(operands, range);
            case 'sum':
                return sum(operands, range);
            case 'min':
            case 'max':
            case 'the':
                return extremum(quantifier, operands, range);
            default:
                return unreachable(quantifier);
        }
    }

    /** Whether a condition is false in every state; the parts before the one that shows it are no faults and read no locals. */
    #isNeverMet(condition: SequentialExpression): boolean {
        if (condition.kind !== 'and' || !isFalse(condition.operands[condition.operands.length - 1])) {
            return isFalse(condition);
        }
        const { cells } = this.temporaries;
        return condition.operands.every(
            part =>
                !mayFault(part, cells) &&
                supportOf(part).every(cell => ['shared', 'channel'].includes(cells[cell].kind)),
        );
    }

    /** Whether all instances of templates that the binders name live. */
    alive(binders: readonly Binder[], scope: Scope, range: SourceRange): SequentialExpression {
        const conditions = binders.flatMap(binder => {
            const process = templateOf(binder.domain);
            return process === undefined ? [] : [this.#aliveAt(process, constant(binderValue(binder, scope)), range)];
        });
        if (conditions.length > 0) {
            this.#needsState();
        }
        return conjunction(conditions, range);
    }

    /** `none` is the fault `index`. */
    #aliveAt(process: number, reference: SequentialExpression, range: SourceRange): SequentialExpression {
        const slots = this.templates?.slots[process];
        const domains = this.model.processes[process].indices.map(({ domain }) => domain);
        return slots === undefined
            ? opaqueAt(process, [reference], '', range)
            : choiceByIndices([reference], domains, this.budget, range, slot => isAlive(slots, slot, range));
    }

    /** Of a value that a choice on the path has given to a local. */
    #choosable(
        { process, reference, range }: Extract<Expression, { kind: 'alive' }>,
        scope: Scope,
    ): SequentialExpression {
        const template = this.templates?.slots[process];
        const value = this.expression(reference, scope);
        if (template === undefined || value.kind !== 'constant') {
            return opaqueAt(process, [value], '', range);
        }
        invariant(
            reference.kind === 'read' && reference.place.kind === 'local',
            'a choice gives its value to a local variable',
        );
        const { local } = reference.place;
        const own = scope.locals[local].first;
        return {
            kind: 'choosable',
            template,
            slot: value.value,
            taken: this.#takenBy(process, scope, own),
            own: [own],
            range,
        };
    }

    /** The values of a type without end that choices on the path have taken for other cells than `own`. */
    #takenBy(process: number, { locals, chosen }: Scope, own?: number): Value[] {
        const taken = [...(chosen ?? [])].flatMap(([local, [value]]) => {
            const cell = locals[local].first;
            const { domain } = this.temporaries.cells[cell];
            return cell !== own && templateOf(domain) === process && value !== NONE ? [value] : [];
        });
        return [...new Set(taken)];
    }

    /** An index; a reference to an instance that has ended is the fault `index`. A name of an instance is one that lives. */
    index(index: Expression, domain: Domain, scope: Scope): SequentialExpression {
        const value = this.expression(index, scope);
        const process = templateOf(domain);
        if (process === undefined || index.kind === 'binder') {
            return value;
        }
        const { range } = index;
        const alive = this.#aliveAt(process, value, range);
        return conditional(alive, value, { kind: 'fault', fault: 'index', range }, range);
    }

    /** Finds a slot for each instance that a body creates, for the statements in `scope`. */
    findSlots(body: readonly Statement[], scope: Scope): { readonly path: PathElement[]; readonly scope: Scope } {
        const path: PathElement[] = [];
        const slots = new Map<Statement, SequentialExpression>();
        const counts = new Map<number, number>();
        forEachStatement(body, statement => {
            if (statement.kind !== 'spawn') {
                return;
            }
            const { process, range } = statement;
            const template = this.templates?.slots[process];
            if (template === undefined) {
                slots.set(statement, opaqueAt(process, [], '', range));
                return;
            }
            const [{ domain }] = this.model.processes[process].indices;
            const before = counts.get(process) ?? 0;
            counts.set(process, before + 1);
            // What a choice has taken of a process lives.
            const taken = template.named === undefined ? [] : this.#takenBy(process, scope);
            const fresh: SequentialExpression = { kind: 'fresh', template, before, taken, range };
            const held = this.temporaries.holdIn(domain, template.name, fresh, range);
            slots.set(statement, held.value);
            invariant(held.value.kind === 'cell', 'a slot is kept in a cell');
            path.push({ kind: 'assign', cell: held.value.cell, value: fresh, range });
        });
        return slots.size === 0 ? { path, scope } : { path, scope: { ...scope, slots } };
    }

    /** Calls `visit` with each valuation of the binders in scope, row by row, until it returns false. */
    forEachValuation(binders: readonly Binder[], scope: Scope, range: SourceRange, visit: () => boolean): void {
        const assign = (depth: number): boolean => {
            if (depth === binders.length) {
                return visit();
            }
            const { id, domain } = binders[depth];
            const size = domainSize(domain);
            for (let code = 0; code < size; code++) {
                this.budget.spend(1, range);
                scope.binders.set(id, valueOfCode(domain, code));
                if (!assign(depth + 1)) {
                    scope.binders.delete(id);
                    return false;
                }
            }
            scope.binders.delete(id);
            return true;
        };
        assign(0);
    }
}

/** What is compared with itself is only asked whether it is a fault. */
function trueUnlessFault(
    expression: SequentialExpression,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialExpression {
    if (!mayFault(expression, cells)) {
        return TRUE;
    }
    const of = (part: SequentialExpression): SequentialExpression => trueUnlessFault(part, cells, range);
    switch (expression.kind) {
        case 'conditional':
            return conditional(expression.condition, of(expression.then), of(expression.otherwise), range);
        case 'select':
            return select(expression.index, expression.domain, expression.options.map(of), range);
        case 'element': {
            // Which value stands at the indices makes no difference.
            const { indices, domains } = expression;
            const isIn = (index: SequentialExpression, at: number): SequentialExpression =>
                select(index, domains[at], new Array<SequentialExpression>(domainSize(domains[at])).fill(TRUE), range);
            return conjunction(indices.map(isIn), range);
        }
        default:
            return binary('==', expression, expression, range);
    }
}

function binderValue(binder: Binder, scope: Scope): Value {
    const value = scope.binders.get(binder.id);
    invariant(value !== undefined, `the binder '${binder.name}' is in scope`);
    return value;
}

function temporaryValue(temporary: Temporary, scope: Scope): TemporaryValue {
    const value = scope.temporaries.get(temporary.id);
    invariant(value !== undefined, `'${temporary.name}' is in scope`);
    return value;
}

/** The codes of the records of a domain, by the values of their fields. */
const knownCodes = new WeakMap<RecordDomain, ReadonlyMap<string, number>>();

/** The code of the record with these fields; undefined where there is none. */
function codeOfTuple(domain: RecordDomain, tuple: readonly Value[]): number | undefined {
    const codes = remembered(
        knownCodes,
        domain,
        () => new Map(domain.tuples.map((fields, code) => [fields.join(), code])),
    );
    return codes.get(tuple.join());
}

/** The value of a field by the code of its record; shared by all expressions. */
const knownFieldValues = new WeakMap<RecordDomain, (readonly SequentialExpression[] | undefined)[]>();

function fieldValues(domain: RecordDomain, field: number): readonly SequentialExpression[] {
    const known = remembered(knownFieldValues, domain, () => []);
    return (known[field] ??= domain.tuples.map(tuple => constant(tuple[field])));
}
