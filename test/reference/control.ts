/** The control of an instance: the next steps at each point, their locations, and the locals with a value there. */
import type { Closure, Evaluator, Meaning, Scope } from './evaluate.js';
import type { Instance, LocalVariable, Node, StepNode } from './specialize.js';
import type { Binder, Expression, Pattern, PlaceExpression, Statement } from './syntax.js';
import type { Domain } from './values.js';

/** An element of a path: what stands between a location and a step. */
export type PathElement =
    | { readonly kind: 'test'; readonly id: string; readonly condition: Closure; readonly holds: boolean }
    | { readonly kind: 'label'; readonly id: string; readonly label: string; readonly isEnd: boolean }
    | { readonly kind: 'initialize'; readonly id: string; readonly local: LocalVariable };

/** A step that may come next, or the exit where `step` is absent, and what is left to do after it. */
interface Offer {
    readonly path: readonly PathElement[];
    readonly step?: StepNode;
    readonly rest: Continuation;
}

/** What is left to do: a stack, empty at the exit. */
type Continuation = { readonly node: Node; readonly rest: Continuation } | undefined;

/** The locations of an instance: `offers[location]`, with `target` a location. */
export interface ControlGraph {
    readonly initial: number;
    readonly offers: readonly (readonly LocatedOffer[])[];
    /** `live[location]`: the names of the locals that hold a value there. */
    readonly live: readonly ReadonlySet<string>[];
}

export interface LocatedOffer {
    readonly path: readonly PathElement[];
    readonly step?: StepNode;
    /** -1 for an exit. */
    readonly target: number;
}

/** What may come next when `continuation` is left to do, without passing the same point of control twice. */
function next(continuation: Continuation, passed: readonly string[] = []): Offer[] {
    const point = continuationKey(continuation);
    if (passed.includes(point)) {
        return [];
    }
    if (continuation === undefined) {
        return [{ path: [], rest: undefined }];
    }
    const seen = [...passed, point];
    const { node, rest } = continuation;
    const labels: PathElement[] = [];
    let inner = node;
    while (inner.kind === 'labeled') {
        labels.push({ kind: 'label', id: `label ${inner.id}`, label: inner.label, isEnd: inner.isEnd });
        inner = inner.node;
    }
    const unlabeled = ((): Offer[] => {
        switch (inner.kind) {
            case 'step':
                return [{ path: [], step: inner, rest }];
            case 'loop':
                return next(followedBy(inner.body, continuation), seen);
            case 'while':
                return [
                    ...after(test(inner, inner.condition, true), next(followedBy(inner.body, continuation), seen)),
                    ...after(test(inner, inner.condition, false), next(rest, seen)),
                ];
            case 'if':
                return [
                    ...after(test(inner, inner.condition, true), next(followedBy(inner.then, rest), seen)),
                    ...after(test(inner, inner.condition, false), next(followedBy(inner.otherwise, rest), seen)),
                ];
            case 'choose':
                return inner.alternatives.flatMap(body => next(followedBy(body, rest), seen));
            case 'block':
                return next(followedBy(inner.body, rest), seen);
            case 'initialize':
                return after(
                    { kind: 'initialize', id: `initialize ${inner.id}`, local: inner.local },
                    next(rest, seen),
                );
            case 'assume':
                return after(test(inner, inner.condition, true), next(rest, seen));
            case 'break':
                return next(behind(inner.loop, rest), seen);
            case 'terminate':
                return [{ path: [], rest: undefined }];
        }
    })();
    return labels.reduceRight((offers, label) => after(label, offers), unlabeled);
}

function after(element: PathElement, offers: readonly Offer[]): Offer[] {
    return offers.map(offer => ({ ...offer, path: [element, ...offer.path] }));
}

function test(node: Node, condition: Closure, holds: boolean): PathElement {
    return { kind: 'test', id: `test ${node.id} ${holds}`, condition, holds };
}

function followedBy(body: readonly Node[], rest: Continuation): Continuation {
    return body.reduceRight<Continuation>((continuation, node) => ({ node, rest: continuation }), rest);
}

function behind(loop: number, continuation: Continuation): Continuation {
    let rest = continuation;
    while (rest !== undefined && unwrap(rest.node).id !== loop) {
        rest = rest.rest;
    }
    if (rest === undefined) {
        throw new Error('break stands in a loop');
    }
    return rest.rest;
}

function unwrap(node: Node): Node {
    return node.kind === 'labeled' ? unwrap(node.node) : node;
}

function continuationKey(continuation: Continuation): string {
    return continuation === undefined ? '' : `${continuation.node.id} ${continuationKey(continuation.rest)}`;
}

/** The locations of an instance: the coarsest classes of continuations with the same offers. */
export function controlGraph(instance: Instance, evaluator: Evaluator): ControlGraph {
    const start = followedBy(instance.body, undefined);
    const offersOf = new Map<string, Offer[]>();
    const collect = (continuation: Continuation): void => {
        const point = continuationKey(continuation);
        if (!offersOf.has(point)) {
            const offers = next(continuation);
            offersOf.set(point, offers);
            offers.filter(offer => offer.step !== undefined).forEach(offer => collect(offer.rest));
        }
    };
    collect(start);

    // All points start in one class; classes are split by what they offer until nothing splits.
    let classOf = new Map<string, number>([...offersOf.keys()].map(point => [point, 0]));
    for (let count = 0; ;) {
        const numbers = new Map<string, number>();
        const refined = new Map<string, number>();
        for (const [point, offers] of offersOf) {
            const signature = [...new Set(offers.map(offer => offerKey(offer, classOf)))].sort().join('\n');
            if (!numbers.has(signature)) {
                numbers.set(signature, numbers.size);
            }
            refined.set(point, numbers.get(signature)!);
        }
        classOf = refined;
        if (numbers.size === count) {
            break;
        }
        count = numbers.size;
    }

    const offers: LocatedOffer[][] = [];
    for (const [point, found] of offersOf) {
        const distinct = new Map(found.map(offer => [offerKey(offer, classOf), offer]));
        offers[classOf.get(point)!] = [...distinct.values()].map(offer => ({
            path: offer.path,
            ...(offer.step && { step: offer.step }),
            target: offer.step === undefined ? -1 : classOf.get(continuationKey(offer.rest))!,
        }));
    }
    return { initial: classOf.get(continuationKey(start))!, offers, live: liveness(offers, instance.named, evaluator) };
}

function offerKey(offer: Offer, classOf: ReadonlyMap<string, number>): string {
    const path = offer.path.map(element => element.id).join(', ');
    return offer.step === undefined
        ? `${path}: exit`
        : `${path}: step ${offer.step.id} to ${classOf.get(continuationKey(offer.rest))!}`;
}

/** The locals that some path reads before it writes them whole, and those `named` by properties: the least solution. */
function liveness(
    offers: readonly (readonly LocatedOffer[])[],
    named: ReadonlySet<string>,
    evaluator: Evaluator,
): ReadonlySet<string>[] {
    let live: ReadonlySet<string>[] = offers.map(() => named);
    for (;;) {
        const updated = offers.map(
            located =>
                new Set([
                    ...named,
                    ...located.flatMap(offer => [
                        ...new Liveness(evaluator).before(
                            offer,
                            offer.step === undefined ? new Set() : live[offer.target]!,
                        ),
                    ]),
                ]),
        );
        if (updated.every((names, location) => names.size === live[location]!.size)) {
            return live;
        }
        live = updated;
    }
}

/** Goes backwards through an offer. A set of names is what is read from there on. */
class Liveness {
    private readonly evaluator: Evaluator;

    constructor(evaluator: Evaluator) {
        this.evaluator = evaluator;
    }

    before(offer: LocatedOffer, liveAfter: ReadonlySet<string>): ReadonlySet<string> {
        let live = new Set(liveAfter);
        if (offer.step !== undefined) {
            const { guard, communication, body, names } = offer.step;
            live = this.beforeStatements(body, names, live);
            switch (communication?.kind) {
                case 'event':
                    communication.arguments.forEach(argument => this.addReads(argument, names, live));
                    break;
                case 'send':
                    this.addReads(communication.message, names, live);
                    this.addReads(communication.channel, names, live);
                    break;
                case 'receive':
                    this.beforePattern(communication.pattern, names, live);
                    this.addReads(communication.channel, names, live);
                    break;
                case undefined:
                    break;
            }
            if (guard !== undefined) {
                this.addReads(guard, names, live);
            }
        }
        for (const element of [...offer.path].reverse()) {
            if (element.kind === 'test') {
                this.addReads(element.condition.expression, element.condition.names, live);
            } else if (element.kind === 'initialize') {
                const { info, declaration, names } = element.local;
                live.delete(info.local!);
                if (declaration.initial.kind === 'value') {
                    this.addReads(declaration.initial.value, names, live);
                } else if (declaration.initial.kind === 'in') {
                    this.addReads(declaration.initial.choices, names, live);
                }
            }
        }
        return live;
    }

    /** All that a pattern writes is written after all that it compares with is read. */
    private beforePattern(pattern: Pattern, names: Scope, live: Set<string>): void {
        const parts = flattenPattern(pattern, names, this.evaluator);
        for (const part of [...parts].reverse()) {
            if (part.binds) {
                this.beforeWrite(part.value as PlaceExpression, names, live);
            }
        }
        parts.forEach(({ binds, value }) => binds || value === undefined || this.addReads(value, names, live));
    }

    private beforeWrite(target: PlaceExpression, names: Scope, live: Set<string>, value?: Expression): void {
        const root = rootOf(target);
        const meaning = names.get(root.name);
        if (meaning?.kind === 'alias') {
            target.indices.forEach(index => this.addReads(index, names, live));
            this.beforeWrite(meantBy(target, meaning.meant.expression), meaning.meant.names, live);
            return;
        }
        const local = meaning?.kind === 'variable' ? meaning.variable.local : undefined;
        if (local !== undefined) {
            // A write to a part is a read. Of an array of one element there is only the element.
            const { domain } = (meaning as Extract<Meaning, { kind: 'variable' }>).variable;
            const isElement = domain.kind === 'array' && domain.indices.every(values => values.length === 1);
            if (target === root && root.indices.length === 0 && !isElement) {
                live.delete(local);
            } else if (value !== undefined && this.beginsNoRecord(target, domain, value, names)) {
                live.delete(local);
            } else {
                live.add(local);
            }
        }
        for (let place: Expression = target; ; place = place.record) {
            if (place.kind === 'name' || place.kind === 'field') {
                place.indices.forEach(index => this.addReads(index, names, live));
            }
            if (place.kind !== 'field') {
                break;
            }
        }
    }

    /** Whether the write faults before it reads the rest: a record with a `where` is made anew, field by field. */
    private beginsNoRecord(target: PlaceExpression, domain: Domain, value: Expression, names: Scope): boolean {
        if (
            domain.kind !== 'record' ||
            domain.holds === undefined ||
            target.kind !== 'field' ||
            target.record.kind !== 'name' ||
            target.field !== domain.fields[0]!.name
        ) {
            return false;
        }
        const outcome = this.evaluator.staticOutcome(value, names);
        return outcome !== undefined && ('fault' in outcome || !this.evaluator.mayBegin(domain.name, [value], names));
    }

    /** What is live before a list of statements. Scopes are made on the way down, sets of names on the way up. */
    private beforeStatements(
        statements: readonly Statement[],
        outer: Scope,
        liveAfter: ReadonlySet<string>,
    ): Set<string> {
        const [statement, ...rest] = statements;
        if (statement === undefined) {
            return new Set(liveAfter);
        }
        const names = new Map<string, Meaning>(outer);
        switch (statement.kind) {
            case 'let':
            case 'var': {
                const called = statement.kind === 'let' ? statement.name : statement.variable.name;
                const value =
                    statement.kind === 'let'
                        ? statement.value
                        : statement.variable.initial.kind === 'value'
                          ? statement.variable.initial.value
                          : undefined;
                const outcome =
                    statement.kind === 'let' ? this.evaluator.staticOutcome(statement.value, outer) : undefined;
                names.set(
                    called,
                    outcome !== undefined && 'value' in outcome
                        ? { kind: 'value', value: outcome.value }
                        : { kind: 'unknown' },
                );
                const live = this.beforeStatements(rest, names, liveAfter);
                if (value !== undefined) {
                    this.addReads(value, outer, live);
                }
                return live;
            }
            case 'return': {
                const live = new Set<string>();
                this.addReads(statement.value, names, live);
                return live;
            }
            default: {
                const live = this.beforeStatements(rest, names, liveAfter);
                return this.beforeStatement(statement, names, live);
            }
        }
    }

    private beforeStatement(
        statement: Exclude<Statement, { kind: 'let' | 'var' | 'return' }>,
        names: Scope,
        live: Set<string>,
    ): Set<string> {
        switch (statement.kind) {
            case 'skip':
                return live;
            case 'assert':
                this.addReads(statement.condition, names, live);
                return live;
            case 'run':
                return this.beforeRun(statement, names, live);
            case 'spawn':
                if (statement.target !== undefined) {
                    this.beforeWrite(statement.target, names, live);
                }
                statement.arguments.forEach(argument => this.addReads(argument, names, live));
                return live;
            case 'change': {
                const { target, element } = statement;
                this.beforeWrite({ ...target, indices: [...target.indices, element] }, names, live, element);
                this.addReads(element, names, live);
                return live;
            }
            case 'assign':
                this.beforeWrite(statement.target, names, live, statement.value);
                this.addReads(statement.value, names, live);
                return live;
            case 'if': {
                const known = this.decided(statement.condition, names);
                if (known !== undefined) {
                    return this.beforeStatements(known ? statement.then : statement.otherwise, names, live);
                }
                const either = new Set([
                    ...this.beforeStatements(statement.then, names, live),
                    ...this.beforeStatements(statement.otherwise, names, live),
                ]);
                this.addReads(statement.condition, names, either);
                return either;
            }
            case 'for': {
                if (statement.over !== undefined && this.evaluator.isListed(statement.over, names)) {
                    const inner = new Map(names).set(statement.binder.name, { kind: 'unknown' });
                    let before = live;
                    for (let size = -1; size < before.size;) {
                        size = before.size;
                        before = new Set([...before, ...this.beforeRound(statement, inner, before)]);
                    }
                    this.addReads(statement.over, names, before);
                    return before;
                }
                const before = this.valuations([statement.binder], names).reduceRight((found, inner) => {
                    const round = this.beforeRound(statement, inner, found);
                    // A round whose variable is not in the set is none.
                    return statement.over === undefined ? round : new Set([...round, ...found]);
                }, live);
                if (statement.over !== undefined) {
                    this.addReads(statement.over, names, before);
                }
                return before;
            }
            case 'while': {
                const known = this.decided(statement.condition, names);
                if (known === false) {
                    return live;
                }
                let before = live;
                for (;;) {
                    const again = new Set([...before, ...this.beforeStatements(statement.body, names, before)]);
                    this.addReads(statement.condition, names, again);
                    if (again.size === before.size) {
                        return before;
                    }
                    before = again;
                }
            }
        }
    }

    /** The arguments are evaluated once, before the body. What is given as a place is not read by that. */
    private beforeRun(
        statement: Extract<Statement, { kind: 'run' }>,
        names: Scope,
        liveAfter: Set<string>,
    ): Set<string> {
        const { parameters, body } = this.evaluator.procedureNamed(statement.procedure);
        const inner = new Map<string, Meaning>(this.evaluator.globals);
        const given = parameters.map((parameter, position) => ({
            ...parameter,
            argument: statement.arguments[position]!,
        }));
        given.forEach(({ name, argument, isPlace }) => {
            const outcome = isPlace ? undefined : this.evaluator.staticOutcome(argument, names);
            const value = outcome !== undefined && 'value' in outcome ? outcome.value : undefined;
            inner.set(
                name,
                isPlace
                    ? { kind: 'alias', meant: { expression: argument, names } }
                    : value === undefined
                      ? { kind: 'unknown' }
                      : { kind: 'value', value },
            );
        });
        const live = this.beforeStatements(body, inner, liveAfter);
        for (const { argument, isPlace } of given.reverse()) {
            if (!isPlace) {
                this.addReads(argument, names, live);
                continue;
            }
            for (let place = argument; place.kind === 'name' || place.kind === 'field';) {
                place.indices.forEach(index => this.addReads(index, names, live));
                if (place.kind === 'name') {
                    break;
                }
                place = place.record;
            }
        }
        return live;
    }

    /** All values of the binders. An instance, an element of a sequence is not known: what is read of one is read of all. */
    private valuations(binders: readonly Binder[], names: Scope): Scope[] {
        return binders.reduce<Scope[]>(
            (scopes, binder) =>
                scopes.flatMap(outer =>
                    this.mayBeEmpty(binder, outer)
                        ? [new Map(outer).set(binder.name, { kind: 'unknown' })]
                        : this.evaluator.valuations([binder], outer),
                ),
            [names],
        );
    }

    private mayBeEmpty({ type }: Binder, names: Scope): boolean {
        const isSequence = type.kind === 'members' && this.evaluator.isListed(type.of, names);
        return isSequence || this.evaluator.isTemplate(type);
    }

    /** `names`: around the binders, of which none names another one here. */
    private isOpen(binders: readonly Binder[], names: Scope): boolean {
        return binders.some(binder => this.mayBeEmpty(binder, names));
    }

    /** A round whose condition is false reads that condition only. */
    private beforeRound(
        { where, body }: Extract<Statement, { kind: 'for' }>,
        names: Scope,
        live: Set<string>,
    ): Set<string> {
        const known = where === undefined ? true : this.decided(where, names);
        if (known === false) {
            return live;
        }
        const before = this.beforeStatements(body, names, live);
        if (where === undefined || known === true) {
            return before;
        }
        const either = new Set([...before, ...live]);
        this.addReads(where, names, either);
        return either;
    }

    private decided(condition: Expression, names: Scope): boolean | undefined {
        const outcome = this.evaluator.staticOutcome(condition, names);
        return outcome !== undefined && 'value' in outcome ? outcome.value === true : undefined;
    }

    /** Adds the locals in an expression that may be evaluated. False if the evaluation always faults. */
    private addReads(expression: Expression, names: Scope, live: Set<string>): boolean {
        // A set has no value of its own.
        const outcome = expression.kind === 'set' ? undefined : this.evaluator.staticOutcome(expression, names);
        if (outcome !== undefined) {
            return 'value' in outcome;
        }
        const all = (operands: readonly Expression[]): boolean =>
            operands.every(operand => this.addReads(operand, names, live));
        switch (expression.kind) {
            case 'any':
            case 'literal':
                return true;
            case 'name': {
                const meaning = names.get(expression.name)!;
                if (meaning.kind === 'alias') {
                    this.addReads(meaning.meant.expression, meaning.meant.names, live);
                } else if (meaning.kind === 'variable' && meaning.variable.local !== undefined) {
                    live.add(meaning.variable.local);
                }
                return all(expression.indices);
            }
            case 'field': {
                const made = this.evaluator.constructedField(expression, names);
                const record = made ?? { expression: expression.record, names };
                return this.addReads(record.expression, record.names, live) && all(expression.indices);
            }
            case 'unary':
                return this.addReads(expression.operand, names, live);
            case 'binary': {
                const { operator, left, right } = expression;
                const decided = this.decided(left, names);
                if (decided !== undefined && ['&&', '||', 'implies'].includes(operator)) {
                    return this.addReads(right, names, live);
                }
                // The name of a type is no value.
                const named = right.kind === 'name' ? (names.get(right.name) ?? { kind: 'template' }) : undefined;
                if (named?.kind === 'template' && operator === 'in') {
                    return this.addReads(left, names, live);
                }
                return all([left, right]);
            }
            case 'if': {
                const decided = this.decided(expression.condition, names);
                if (decided !== undefined) {
                    return this.addReads(decided ? expression.then : expression.otherwise, names, live);
                }
                if (!this.addReads(expression.condition, names, live)) {
                    return false;
                }
                return [expression.then, expression.otherwise]
                    .map(branch => this.addReads(branch, names, live))
                    .includes(true);
            }
            case 'quantifier': {
                const mayBeEmpty = this.isOpen(expression.binders, names);
                for (const inner of this.valuations(expression.binders, names)) {
                    const where = expression.where === undefined ? true : this.decided(expression.where, inner);
                    if (where === false) {
                        continue;
                    }
                    if (where === undefined && !this.addReads(expression.where!, inner, live) && !mayBeEmpty) {
                        return false;
                    }
                    const value = this.decided(expression.body, inner);
                    const ends = (expression.quantifier === 'forall') === (value === false);
                    const stops = expression.quantifier === 'forall' || expression.quantifier === 'exists';
                    if (where === true && value !== undefined && stops && ends) {
                        break;
                    }
                    if (!this.addReads(expression.body, inner, live) && where === true && !mayBeEmpty) {
                        return false;
                    }
                }
                return true;
            }
            case 'at':
                if ((names.get(expression.process)?.kind ?? 'process') !== 'process') {
                    return this.addReads({ ...expression, kind: 'name', name: expression.process }, names, live);
                }
                return all(expression.indices);
            case 'standing':
                return this.addReads(expression.reference, names, live);
            case 'call': {
                // A function is what its caller would have written: a parameter that is not used is not read.
                const declaration = this.evaluator.functionNamed(expression.name);
                if (this.evaluator.isRecordName(expression.name)) {
                    return expression.arguments.every(
                        (argument, position) =>
                            this.addReads(argument, names, live) &&
                            this.evaluator.mayBegin(
                                expression.name,
                                expression.arguments.slice(0, position + 1),
                                names,
                            ),
                    );
                }
                if (declaration === undefined) {
                    return all([...expression.arguments, ...expression.indices]);
                }
                const inner = new Map<string, Meaning>(this.evaluator.globals);
                declaration.parameters.forEach(({ name }, position) => {
                    const meant = { expression: expression.arguments[position]!, names };
                    const given = this.evaluator.staticOutcome(meant.expression, names);
                    const isKnown = given !== undefined && 'value' in given;
                    inner.set(name, isKnown ? { kind: 'value', value: given.value } : { kind: 'alias', meant });
                });
                this.beforeStatements(declaration.body, inner, new Set()).forEach(local => live.add(local));
                return all(expression.indices);
            }
            case 'array':
                return all(expression.elements);
            case 'comprehension':
                return (
                    this.valuations(expression.binders, names).every(inner =>
                        this.addReads(expression.body, inner, live),
                    ) || this.isOpen(expression.binders, names)
                );
            case 'each':
                return (
                    this.valuations(expression.binders, names).every(
                        inner =>
                            this.addReads(expression.where ?? expression.body, inner, live) &&
                            this.addReads(expression.body, inner, live),
                    ) || this.isOpen(expression.binders, names)
                );
            case 'set':
                return all(
                    expression.elements.flatMap(({ low, high, copies }) =>
                        [low, high, copies].filter(part => part !== undefined),
                    ),
                );
        }
    }
}

/** A part of a pattern. Without a `value` it only asks for a record, which may be `none`. */
interface PatternPart {
    readonly path: readonly number[];
    readonly binds: boolean;
    readonly value?: Expression;
    /** The record or the case that it asks for, if it is named. */
    readonly record?: string;
}

/** The parts of a pattern from left to right, a record before its fields, with the fields that lead to them. */
export function flattenPattern(
    pattern: Pattern,
    names: Scope,
    evaluator: Evaluator,
    path: readonly number[] = [],
): PatternPart[] {
    switch (pattern.kind) {
        case 'any':
            return [];
        case 'record':
            return [
                { path, binds: false, ...(pattern.name !== undefined && { record: pattern.name }) },
                ...pattern.parts.flatMap((part, position) =>
                    flattenPattern(part, names, evaluator, [...path, position]),
                ),
            ];
        case 'expression': {
            const { equal, value } = pattern;
            if (!equal && value.kind === 'call' && evaluator.isRecordName(value.name)) {
                const parts = value.arguments.map((argument): Pattern =>
                    argument.kind === 'name' && argument.name === '_'
                        ? { kind: 'any' }
                        : { kind: 'expression', equal: false, value: argument },
                );
                return flattenPattern({ kind: 'record', name: value.name, parts }, names, evaluator, path);
            }
            return [{ path, binds: !equal && evaluator.isPlace(value, names), value }];
        }
    }
}

function rootOf(place: PlaceExpression): Extract<PlaceExpression, { kind: 'name' }> {
    let root: Expression = place;
    while (root.kind === 'field') {
        root = root.record;
    }
    if (root.kind !== 'name') {
        throw new Error('what is written has a name');
    }
    return root;
}

/** The place that is written where its name stands for another place. */
function meantBy(target: PlaceExpression, meant: Expression): PlaceExpression {
    if (meant.kind !== 'name' && meant.kind !== 'field') {
        throw new Error('what is given as a place is one');
    }
    // A part is a part, whatever its index.
    return target.kind === 'field'
        ? { ...target, record: meantBy(target.record as PlaceExpression, meant), indices: [] }
        : {
              ...meant,
              indices: [...meant.indices, ...target.indices.map((): Expression => ({ kind: 'literal', value: 0 }))],
          };
}
