/**
 * Whether a text treats the members of its families alike: it only copies and compares them and takes them as indices.
 * Then a model looks the same after its members are exchanged, and a part of a state is a state of a smaller model.
 * Each expression is a member, a number (of any other type) or `none`; what mixes them is refused at its place.
 */
import { unreachable } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import { keyOfRange, NOWHERE, type SourceRange } from '../engine/common/source-range.js';
import { memberBoundsOf, domainSize, NONE, type Domain } from '../engine/model/domain.js';
import { isMember, type Binder, type ChannelPlace, type Expression, type Place } from '../engine/model/expression.js';
import type { Communication, Control, Initializer, Model, Statement, Variable } from '../engine/model/model.js';
import { controlsIn, partsOf, statementsIn } from '../engine/model/walk-model.js';
import { isFixed, type Carrier } from './carrier.js';
import { refusal } from './refusal.js';
import { uniformText } from './uniform-text.js';

/** What an expression may be: a member of a family, a value of another type, or `none`. */
type Use = 'member' | 'number' | 'none';

/** The uses of members that depend on which member it is, in the order of the text. O(size of the model). */
export function unevenUses(model: Model, carrier: Carrier): readonly Problem[] {
    return new UseCheck(model, carrier).run();
}

class UseCheck {
    private readonly model: Model;
    private readonly carrier: Carrier;
    private readonly problems: Problem[] = [];
    /** Of names whose values have no declared type. */
    private readonly uses = new Map<number, Use>();
    /** The scalars of the message that is received. */
    private message: readonly Domain[] = [];
    /** The locals of the process that is looked at. */
    private locals: readonly Variable[] = [];
    /** Whether the expressions are rows, which may name their member. */
    private isRow = false;
    /** The expression around; constants that lowering has written have no place of their own. */
    private place: SourceRange = NOWHERE;

    constructor(model: Model, carrier: Carrier) {
        this.model = model;
        this.carrier = carrier;
    }

    run(): readonly Problem[] {
        const { variables, channels, events, functions, processes, initialConditions, invariants } = this.model;
        for (const declaration of functions) {
            this.statements(
                declaration.body,
                declaration.results.map(({ element }) => element),
            );
        }
        for (const { element, indices, initializer, nameRange } of variables) {
            indices.forEach(index => this.index(index, nameRange));
            this.domain(element, nameRange);
            this.initializer(initializer, element);
        }
        for (const { arguments: domains, nameRange } of events) {
            domains.forEach(domain => this.index(domain, nameRange));
        }
        for (const { indices, message, nameRange } of channels) {
            indices.forEach(index => this.index(index, nameRange));
            message.forEach(({ domain }) => this.domain(domain, nameRange));
        }
        initialConditions.forEach(condition => this.number(condition));
        for (const { indices, where, locals, body, nameRange } of processes) {
            if (where !== undefined) {
                this.number(where);
            }
            indices.forEach(({ domain, range }) => this.index(domain, range ?? nameRange));
            this.locals = locals;
            for (const { element, indices, initializer, nameRange } of locals) {
                indices.forEach(index => this.index(index, nameRange));
                this.domain(element, nameRange);
                this.initializer(initializer, element);
            }
            body.forEach(control => this.control(control));
        }
        invariants.forEach(({ expression }) => this.number(expression));
        return this.problems;
    }

    private refuse(message: string, range: SourceRange): void {
        const problem = refusal(message, range === NOWHERE ? this.place : range);
        const isKnown = this.problems.some(
            other => other.message === problem.message && keyOfRange(other.range) === keyOfRange(problem.range),
        );
        if (!isKnown) {
            this.problems.push(problem);
        }
    }

    /** Records that are one value may hold no members: their values are counted through. */
    private domain(domain: Domain, range: SourceRange): void {
        if (holdsMembers(domain)) {
            this.refuse('the values of this type are records with members', range);
        }
    }

    /** A type that something runs through, or is indexed by. */
    private index(domain: Domain, range: SourceRange): void {
        this.domain(domain, range);
        if (domain.kind === 'optional' && memberBoundsOf(domain) !== undefined) {
            this.refuse('`none` and members are indices together', range);
        }
    }

    private initializer(initializer: Initializer, element: Domain): void {
        switch (initializer.kind) {
            case 'default':
            case 'any':
                return;
            case 'value':
                this.values(initializer.expressions, element, initializer.range);
                return;
            case 'oneOf':
                this.rows(initializer.choices, initializer.range, () =>
                    initializer.choices.flat().forEach(expression => this.stored(expression, element)),
                );
                return;
            default:
                unreachable(initializer);
        }
    }

    private control(control: Control): void {
        switch (control.kind) {
            case 'step':
                if (control.guard !== undefined) {
                    this.number(control.guard);
                }
                if (control.communication !== undefined) {
                    this.communication(control.communication);
                }
                this.statements(control.body, []);
                return;
            case 'while':
            case 'if':
            case 'assume':
                this.number(control.condition);
                break;
            case 'for':
                this.loop(control.binder, control.range);
                break;
            default:
                break;
        }
        controlsIn(control).forEach(inside => this.control(inside));
    }

    private loop({ domain }: Binder, range: SourceRange): void {
        if (memberBoundsOf(domain) !== undefined) {
            this.refuse('this loop takes the members one after the other', range);
        }
    }

    private communication(communication: Communication): void {
        switch (communication.kind) {
            case 'event':
                this.indices(communication.arguments, this.model.events[communication.event].arguments);
                return;
            case 'send': {
                const message = this.messageOf(communication.channel);
                communication.values.forEach((value, position) => this.stored(value, message[position]));
                this.channel(communication.channel);
                return;
            }
            case 'receive':
                this.channel(communication.channel);
                this.message = this.messageOf(communication.channel);
                communication.tests.forEach(test => this.number(test));
                this.assignments(communication.bindings, communication.range);
                this.message = [];
                return;
            default:
                unreachable(communication);
        }
    }

    private messageOf(place: ChannelPlace): readonly Domain[] {
        const { channels, channelTypes } = this.model;
        const channel = place.kind === 'declared' ? place.channel : channelTypes[place.type].members[0]?.channel;
        return channel === undefined ? [] : channels[channel].message.map(({ domain }) => domain);
    }

    private channel(place: ChannelPlace): void {
        if (place.kind === 'declared') {
            this.indices(place.indices, this.model.channels[place.channel].indices);
        } else {
            this.number(place.expression);
        }
    }

    private statements(statements: readonly Statement[], results: readonly Domain[]): void {
        for (const statement of statements) {
            this.statement(statement, results);
            this.statements(statementsIn(statement), results);
        }
    }

    private statement(statement: Statement, results: readonly Domain[]): void {
        switch (statement.kind) {
            case 'assign':
            case 'fill':
                this.assignments(statement.assignments, statement.range);
                return;
            case 'declare':
                for (const { temporary, values } of statement.declarations) {
                    const uses = this.values(values, temporary.element, statement.range);
                    this.uses.set(temporary.id, uses.includes('member') ? 'member' : 'number');
                }
                return;
            case 'if':
            case 'while':
            case 'assert':
                this.number(statement.condition);
                return;
            case 'for':
                this.loop(statement.binder, statement.range);
                return;
            case 'return':
                statement.values.forEach((values, result) => this.values(values, results[result], statement.range));
                return;
            case 'spawn':
                this.refuse('instances are created while the model runs', statement.range);
                return;
            case 'skip':
                return;
            default:
                unreachable(statement);
        }
    }

    private assignments(
        assignments: readonly { readonly target: Place; readonly value: Expression }[],
        range: SourceRange,
    ): void {
        const rows = assignments.map(({ target, value }): Expression[] => [
            { kind: 'read', place: target, range },
            value,
        ]);
        this.rows(rows, range, () => {
            for (const { target, value } of assignments) {
                this.stored(value, this.elementOf(target));
            }
        });
    }

    /** Values row by row; of no declared type they are taken as they are. */
    private values(values: readonly Expression[], element: Domain | undefined, range: SourceRange): readonly Use[] {
        const uses: Use[] = [];
        this.rows(
            values.map(value => [value]),
            range,
            () => uses.push(...values.map(value => this.stored(value, element))),
        );
        return uses;
    }

    /**
     * What lowering has written for each member of a family: each row names one member, all rows say the same of it, and
     * there is one for each member.
     */
    private rows(rows: readonly (readonly Expression[])[], range: SourceRange, look: () => void): void {
        const kinds = new Map<string, { readonly members: Set<number>; readonly count: number }>();
        for (const row of rows) {
            const members = row.flatMap(membersIn);
            const [first] = members;
            if (first === undefined) {
                continue;
            }
            if (members.some(({ value }) => value !== first.value)) {
                this.refuse('what is stored for one member depends on another one', range);
                return;
            }
            const text = uniformText(row);
            const kind = kinds.get(text) ?? { members: new Set(), count: first.count };
            kind.members.add(first.value);
            kinds.set(text, kind);
        }
        if ([...kinds.values()].some(({ members, count }) => members.size !== count)) {
            this.refuse('one member is treated in another way than the others', range);
            return;
        }
        const isRow = this.isRow;
        this.isRow = true;
        look();
        this.isRow = isRow;
    }

    /** A value that a place of this type stores. */
    private stored(expression: Expression, element: Domain | undefined): Use {
        const use = this.use(expression);
        if (element === undefined) {
            return use;
        }
        const expected = memberBoundsOf(element) === undefined ? 'number' : 'member';
        if (use !== 'none' && use !== expected && !(expected === 'member' && this.isFixed(expression))) {
            const message =
                expected === 'member'
                    ? 'this value is no member, but is stored as one'
                    : 'a member is stored as a number';
            this.refuse(message, expression.range);
        }
        return expected;
    }

    private number(expression: Expression): void {
        if (this.use(expression) === 'member') {
            this.refuse('a member is taken for a number', expression.range);
        }
    }

    /** Index by index: a member where the type is that of members, else a number. */
    private indices(indices: readonly Expression[], domains: readonly Domain[]): void {
        indices.forEach((index, position) => {
            const use = this.use(index);
            const isOfMembers = memberBoundsOf(domains[position]) !== undefined;
            if ((use === 'member') !== isOfMembers && !(isOfMembers && this.isFixed(index))) {
                const message = isOfMembers
                    ? 'a number is the index of a member'
                    : 'a member is an index that is a number';
                this.refuse(message, index.range);
            }
        });
    }

    /** The type of a place, after its indices are checked; undefined for a name without a declared type. */
    private elementOf(place: Place): Domain | undefined {
        switch (place.kind) {
            case 'shared': {
                const { element, indices } = this.model.variables[place.variable];
                this.indices(place.indices, indices);
                return element;
            }
            case 'local': {
                const { element, indices } = this.locals[place.local];
                this.indices(place.indices, indices);
                return element;
            }
            case 'temporary':
                this.indices(place.indices, place.temporary.indices);
                return place.temporary.element;
            default:
                return unreachable(place);
        }
    }

    private use(expression: Expression): Use {
        const around = this.place;
        this.place = expression.range === NOWHERE ? around : expression.range;
        const use = this.useInside(expression);
        this.place = around;
        return use;
    }

    private useInside(expression: Expression): Use {
        switch (expression.kind) {
            case 'constant':
                if (isMember(expression)) {
                    if (!this.isRow) {
                        this.refuse('one member is named here', expression.range);
                    }
                    return 'member';
                }
                return expression.value === NONE ? 'none' : 'number';
            case 'binder':
                return useOf(expression.binder.domain);
            case 'read': {
                const { place } = expression;
                const element = this.elementOf(place);
                return element === undefined && place.kind === 'temporary'
                    ? (this.uses.get(place.temporary.id) ?? 'number')
                    : useOf(element);
            }
            case 'unary':
                this.number(expression.operand);
                return 'number';
            case 'binary':
                this.binary(expression);
                return 'number';
            case 'conditional':
                this.number(expression.condition);
                return this.joined([expression.then, expression.otherwise]);
            case 'quantifier':
                this.quantifier(expression);
                return 'number';
            case 'at':
            case 'instance-local': {
                const { indices, locals } = this.model.processes[expression.process];
                const family = indices.map(({ domain }) => domain);
                if (expression.kind === 'at') {
                    this.indices(expression.indices, family);
                    return 'number';
                }
                this.indices(expression.instance, family);
                this.indices(expression.indices, locals[expression.local].indices);
                return useOf(locals[expression.local].element);
            }
            case 'alive':
                this.refuse('instances are created while the model runs', expression.range);
                return 'number';
            case 'select':
                if (memberBoundsOf(expression.domain) !== undefined) {
                    this.refuse('this table has an entry for each member', expression.range);
                    return 'number';
                }
                this.number(expression.index);
                return this.joined(expression.options);
            case 'field':
                this.number(expression.record);
                return useOf(expression.domain.fields[expression.field].domain);
            case 'record':
                expression.fields.forEach(field => this.number(field));
                return 'number';
            case 'call': {
                const { parameters, results } = this.model.functions[expression.function];
                expression.arguments.forEach((values, position) =>
                    this.values(values, parameters[position].element, expression.range),
                );
                const result = results[expression.result];
                this.indices(expression.indices, result.indices);
                return useOf(result.element);
            }
            case 'length':
                this.channel(expression.channel);
                return 'number';
            case 'message':
                return useOf(this.message[expression.position]);
            default:
                return unreachable(expression);
        }
    }

    private binary({ operator, left, right, range }: Extract<Expression, { kind: 'binary' }>): void {
        if (operator === '==' || operator === '!=') {
            this.joined([left, right]);
            return;
        }
        const uses = [this.use(left), this.use(right)];
        if (uses.includes('member')) {
            const isOrder = ['<', '<=', '>', '>='].includes(operator);
            this.refuse(isOrder ? 'the order of members matters here' : 'a member is taken for a number', range);
        }
    }

    /** Of values one of which is taken, or that are compared: all members, or all numbers. */
    private joined(expressions: readonly Expression[]): Use {
        const uses = new Set(expressions.map(expression => this.use(expression)));
        uses.delete('none');
        const isMixed = uses.size > 1;
        if (isMixed && expressions.every(each => this.isFixed(each) || this.isMemberOrNone(each))) {
            return 'member';
        }
        if (isMixed) {
            const [{ range: first }] = expressions;
            const end = expressions[expressions.length - 1].range.end;
            this.refuse('a member is compared or mixed with a number', { ...first, end });
        }
        const [use = 'none'] = uses;
        return use;
    }

    /** A number of the text that is a value of no family: `0` beside `1 .. N`. */
    private isFixed(expression: Expression): boolean {
        return (
            expression.kind === 'constant' && expression.domain === undefined && isFixed(this.carrier, expression.value)
        );
    }

    private isMemberOrNone(expression: Expression): boolean {
        return this.use(expression) !== 'number';
    }

    private quantifier({ quantifier, binders, where, body, range }: Extract<Expression, { kind: 'quantifier' }>): void {
        binders.forEach(binder => this.index(binder.domain, binder.range ?? range));
        const isOverMembers = binders.some(({ domain }) => memberBoundsOf(domain) !== undefined);
        if (isOverMembers && quantifier !== 'forall' && quantifier !== 'exists' && quantifier !== 'count') {
            this.refuse(`the \`${quantifier}\` over all members depends on their number`, range);
        }
        if (where !== undefined) {
            this.number(where);
        }
        if (this.use(body) === 'member') {
            this.refuse('a member is taken for a number', body.range);
        }
    }
}

function useOf(domain: Domain | undefined): Use {
    return domain === undefined || memberBoundsOf(domain) === undefined ? 'number' : 'member';
}

function holdsMembers(domain: Domain): boolean {
    const base = domain.kind === 'optional' ? domain.base : domain;
    return (
        base.kind === 'record' &&
        base.fields.some(field => memberBoundsOf(field.domain) !== undefined || holdsMembers(field.domain))
    );
}

/** The members that an expression names, with the number of values of their types. */
function membersIn(expression: Expression): readonly { readonly value: number; readonly count: number }[] {
    if (expression.kind === 'constant') {
        return isMember(expression) && expression.domain !== undefined
            ? [{ value: expression.value, count: domainSize(expression.domain) }]
            : [];
    }
    // The arguments of a call are rows of their own.
    const parts = expression.kind === 'call' ? expression.indices : partsOf(expression);
    return parts.flatMap(membersIn);
}
