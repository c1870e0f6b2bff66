/**
 * The meaning of a model, computed from the definition: control is unfolded structurally, locations are classes of
 * continuations, locals without a future are cleared, and events are met by trying every combination of partners.
 *
 * A state is a map from cells to values; a cell that holds no value is absent. The control of an instance is the cell
 * `P[1].at`, whose value is the number of a location, also where there is one location only.
 */
import { FAULTS, FaultError, apply, type Fault } from './operators.js';
import {
    formatIndices,
    outcomes,
    type Action,
    type ArrayInfo,
    type Cell,
    type Instance,
    type LocalVariable,
    type Node,
    type SpecializedModel,
    type StepNode,
    type Term,
} from './specialize.js';
import type { Value } from './syntax.js';

export type State = ReadonlyMap<Cell, Value>;

/** One transition, or one that faults and so has no successor. */
export interface Firing {
    /** The steps taken together, one for each participant. */
    readonly steps: readonly { readonly instance: Instance; readonly step: StepNode }[];
    readonly successor?: State;
    readonly fault?: Fault;
}

/** The model as a transition system. */
export interface Semantics {
    readonly model: SpecializedModel;
    /** Every cell, in an order of its own, with the values it can hold; for `P[1].at` the numbers of the locations. */
    readonly cells: ReadonlyMap<Cell, readonly Value[]>;
    initialStates(): State[];
    fire(state: State): Firing[];
    /** Control may leave the body of every instance without a step. */
    allTerminated(state: State): boolean;
    /** The value of an expression. Throws a FaultError. */
    evaluate(term: Term, state: State): Value;
    /** What an instance looks like at its locations. */
    control(instance: Instance): ControlGraph;
    /** A text that is the same for equal states only. */
    readonly key: (state: State) => string;
}

/** An element of a path: what stands between a location and a step. */
type PathElement =
    | { readonly kind: 'test'; readonly id: string; readonly condition: Term; readonly holds: boolean }
    | { readonly kind: 'label'; readonly id: string; readonly label: string }
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

/** Explores what the model means. */
export function interpret(model: SpecializedModel): Semantics {
    const graphs = new Map<Instance, ControlGraph>(model.instances.map(instance => [instance, controlGraph(instance)]));
    const graphOf = (instance: Instance): ControlGraph => graphs.get(instance)!;
    const instanceNamed = new Map(model.instances.map(instance => [instance.name, instance]));
    const alphabets = new Map(
        model.instances.map(instance => [instance, alphabet(instance, graphOf(instance), model)]),
    );
    const eventInstances = [...new Set([...alphabets.values()].flatMap(names => [...names.keys()]))];

    const cells = new Map<Cell, readonly Value[]>();
    for (const variable of model.shared) {
        elements(variable.array).forEach(cell => cells.set(cell, variable.array.values));
    }
    for (const instance of model.instances) {
        for (const local of instance.locals) {
            elements(local.array).forEach(cell => cells.set(cell, local.array.values));
        }
        cells.set(`${instance.name}.at`, [...graphOf(instance).offers.keys()]);
    }
    const cellNames = [...cells.keys()];

    function key(state: State): string {
        return cellNames.map(cell => (state.has(cell) ? String(state.get(cell)) : '-')).join(' ');
    }

    /** `reads` collects the cells that are read. */
    function evaluate(term: Term, state: State, reads?: Set<Cell>): Value {
        switch (term.kind) {
            case 'value':
                return term.value;
            case 'fault':
                throw new FaultError(term.fault);
            case 'cell':
                return read(term.cell, state, reads);
            case 'element':
                return read(place(term.array, term.indices, state, reads), state, reads);
            case '!':
                return evaluate(term.operand, state, reads) === false;
            case 'negate':
                return -Number(evaluate(term.operand, state, reads));
            case 'binary': {
                const left = evaluate(term.left, state, reads);
                return apply(term.operator, left, evaluate(term.right, state, reads));
            }
            case 'if':
                return evaluate(term.condition, state, reads) === true
                    ? evaluate(term.then, state, reads)
                    : evaluate(term.otherwise, state, reads);
            case 'and':
                return term.operands.every(operand => evaluate(operand, state, reads) === true);
            case 'or':
                return term.operands.some(operand => evaluate(operand, state, reads) === true);
            case 'count':
                return term.operands.filter(operand => evaluate(operand, state, reads) === true).length;
            case 'sum':
                return term.operands.reduce(
                    (sum, operand) => Number(apply('+', sum, evaluate(operand, state, reads))),
                    0,
                );
            case 'at': {
                const indices = term.indices.map(index => evaluate(index, state, reads));
                const instance = instanceNamed.get(term.process + formatIndices(indices));
                if (instance === undefined) {
                    throw new FaultError('index');
                }
                return isAt(instance, term.label, state, reads);
            }
        }
    }

    function read(cell: Cell, state: State, reads: Set<Cell> | undefined): Value {
        reads?.add(cell);
        if (!state.has(cell)) {
            throw new Error(`${cell} is read where it holds no value`);
        }
        return state.get(cell)!;
    }

    function place(array: ArrayInfo, indices: readonly Term[], state: State, reads?: Set<Cell>): Cell {
        const values = indices.map(index => evaluate(index, state, reads));
        if (!values.every((value, position) => array.indices[position]!.includes(value))) {
            throw new FaultError('index');
        }
        return array.name + formatIndices(values);
    }

    /** Some offer passes the label, and the tests before it hold. */
    function isAt(instance: Instance, label: string, state: State, reads?: Set<Cell>): boolean {
        reads?.add(`${instance.name}.at`);
        return offersAt(instance, state).some(offer =>
            offer.path.some(
                (element, position) =>
                    element.kind === 'label' &&
                    element.label === label &&
                    follow(instance, offer.path.slice(0, position), state, reads) !== undefined,
            ),
        );
    }

    function offersAt(instance: Instance, state: State): readonly LocatedOffer[] {
        return graphOf(instance).offers[Number(state.get(`${instance.name}.at`))]!;
    }

    /** The state after the initializations of a path, or undefined where a test fails. Throws a FaultError. */
    function follow(
        instance: Instance,
        path: readonly PathElement[],
        state: State,
        reads?: Set<Cell>,
    ): State | undefined {
        let after = state;
        for (const element of path) {
            if (element.kind === 'test') {
                if (evaluate(element.condition, after, reads) !== element.holds) {
                    return undefined;
                }
            } else if (element.kind === 'initialize') {
                after = initialize(element.local, after);
            }
        }
        return after;
    }

    function initialize(local: LocalVariable, state: State): State {
        if (local.initial.kind === 'any') {
            throw new Error('only declarations at the head of a process choose values');
        }
        const after = new Map(state);
        for (const cell of elements(local.array)) {
            const value = evaluate(local.initial.value, after);
            if (!local.array.values.includes(value)) {
                throw new FaultError('range');
            }
            after.set(cell, value);
        }
        return after;
    }

    /**
     * Whether an offer is ready, and the state that its body starts from. `wanted` are the values that the arguments
     * of its event must have. A fault on the way is returned, so that partners can still refuse.
     */
    function ready(
        instance: Instance,
        offer: LocatedOffer,
        state: State,
        wanted: readonly Value[],
    ): State | Fault | undefined {
        return catchFault(() => {
            const after = follow(instance, offer.path, state);
            const step = offer.step!;
            if (after === undefined || (step.guard !== undefined && evaluate(step.guard, after) !== true)) {
                return undefined;
            }
            const given = step.event?.arguments ?? [];
            return given.every((argument, position) => evaluate(argument, after) === wanted[position])
                ? after
                : undefined;
        });
    }

    /** The offers with an argument of their event that may lie outside its type, or fault. */
    const namesNothing = new Set(
        [...graphs.values()].flatMap(({ offers }) =>
            offers.flat().filter(({ step }) =>
                (step?.event?.arguments ?? []).some((argument, position) => {
                    const { values, faults } = outcomes(argument);
                    const type = model.events.get(step!.event!.name)![position]!;
                    return faults || values.some(value => !type.includes(value));
                }),
            ),
        ),
    );

    /** Naming an event that does not exist is a fault, whoever would be there to meet. */
    function faultAlone(instance: Instance, offer: LocatedOffer, state: State): Fault | undefined {
        const { event, guard } = offer.step!;
        return catchFault(() => {
            const after = follow(instance, offer.path, state);
            if (after === undefined || (guard !== undefined && evaluate(guard, after) !== true)) {
                return undefined;
            }
            const types = model.events.get(event!.name)!;
            const inside = event!.arguments.every((argument, position) =>
                types[position]!.includes(evaluate(argument, after)),
            );
            return inside ? undefined : 'index';
        });
    }

    /** The cells that an instance's part of a firing reads in its body and writes. */
    function runBody(
        instance: Instance,
        offer: LocatedOffer,
        before: State,
        start: State,
    ): { written: Map<Cell, Value | undefined>; read: Set<Cell> } {
        const after = new Map(start);
        const read = new Set<Cell>();
        const written = new Map<Cell, Value | undefined>();
        const run = (actions: readonly Action[]): void => {
            for (const action of actions) {
                switch (action.kind) {
                    case 'assign': {
                        const value = evaluate(action.value, after, read);
                        const cell = place(action.target, action.indices, after, read);
                        if (!action.target.values.includes(value)) {
                            throw new FaultError('range');
                        }
                        after.set(cell, value);
                        written.set(cell, value);
                        break;
                    }
                    case 'if':
                        run(evaluate(action.condition, after, read) === true ? action.then : action.otherwise);
                        break;
                    case 'assert':
                        if (evaluate(action.condition, after, read) !== true) {
                            throw new FaultError('assert');
                        }
                        break;
                }
            }
        };
        run(offer.step!.body);
        written.set(`${instance.name}.at`, offer.target);
        const live = graphOf(instance).live[offer.target]!;
        for (const local of instance.locals) {
            for (const cell of elements(local.array)) {
                const value = live.has(local.array.local!) ? after.get(cell) : undefined;
                if (value !== before.get(cell)) {
                    written.set(cell, value);
                } else {
                    written.delete(cell);
                }
            }
        }
        return { written, read };
    }

    /** The outcome when the offers fire together. */
    function fireTogether(
        state: State,
        partners: readonly { instance: Instance; offer: LocatedOffer; start: State | Fault }[],
    ): Firing {
        const faults: Fault[] = [];
        const parts = partners.flatMap(({ instance, offer, start }) => {
            const part = typeof start === 'string' ? start : catchFault(() => runBody(instance, offer, state, start));
            if (typeof part === 'string') {
                faults.push(part);
                return [];
            }
            return [part];
        });
        const races = parts.some(writer =>
            parts.some(
                other =>
                    other !== writer &&
                    [...writer.written.keys()].some(cell => other.written.has(cell) || other.read.has(cell)),
            ),
        );
        if (races) {
            faults.push('race');
        }
        const steps = partners.map(({ instance, offer }) => ({ instance, step: offer.step! }));
        if (faults.length > 0) {
            return { steps, fault: FAULTS.find(fault => faults.includes(fault))! };
        }
        const successor = new Map(state);
        for (const [cell, value] of parts.flatMap(part => [...part.written])) {
            if (value === undefined) {
                successor.delete(cell);
            } else {
                successor.set(cell, value);
            }
        }
        return { steps, successor };
    }

    function fire(state: State): Firing[] {
        const firings: Firing[] = [];
        for (const instance of model.instances) {
            for (const offer of offersAt(instance, state)) {
                if (offer.step === undefined || offer.step.event !== undefined) {
                    continue;
                }
                const start = ready(instance, offer, state, []);
                if (start !== undefined) {
                    firings.push(fireTogether(state, [{ instance, offer, start }]));
                }
            }
        }
        for (const instance of model.instances) {
            for (const offer of offersAt(instance, state)) {
                const fault = namesNothing.has(offer) ? faultAlone(instance, offer, state) : undefined;
                if (fault !== undefined) {
                    firings.push({ steps: [{ instance, step: offer.step! }], fault });
                }
            }
        }
        for (const named of eventInstances) {
            // Every instance that knows the event takes part, each with one of the offers it is ready for.
            let combinations: { instance: Instance; offer: LocatedOffer; start: State | Fault }[][] = [[]];
            for (const [instance, names] of alphabets) {
                const known = names.get(named);
                if (known === undefined) {
                    continue;
                }
                const choices = offersAt(instance, state).flatMap(offer => {
                    const given = offer.step?.event;
                    const names = given?.arguments.every(
                        (argument, position) => argument.kind !== 'value' || argument.value === known.values[position],
                    );
                    if (given?.name !== known.event || names !== true) {
                        return [];
                    }
                    const start = ready(instance, offer, state, known.values);
                    return start === undefined ? [] : [{ instance, offer, start }];
                });
                combinations = combinations.flatMap(chosen => choices.map(choice => [...chosen, choice]));
            }
            firings.push(...combinations.map(partners => fireTogether(state, partners)));
        }
        return firings;
    }

    function allTerminated(state: State): boolean {
        return model.instances.every(instance =>
            offersAt(instance, state).some(
                offer =>
                    offer.step === undefined &&
                    typeof catchFault(() => follow(instance, offer.path, state)) === 'object',
            ),
        );
    }

    function initialStates(): State[] {
        let states: Map<Cell, Value>[] = [new Map<Cell, Value>()];
        const extend = (variable: LocalVariable): void => {
            const { array, initial } = variable;
            for (const cell of elements(array)) {
                states = states.flatMap(state =>
                    (initial.kind === 'any' ? array.values : [evaluate(initial.value, state)]).map(value => {
                        if (!array.values.includes(value)) {
                            throw new Error(`the initial value ${String(value)} of ${cell} is outside its type`);
                        }
                        return new Map(state).set(cell, value);
                    }),
                );
            }
        };
        model.shared.forEach(extend);
        for (const instance of model.instances) {
            instance.head.forEach(extend);
            states.forEach(state => state.set(`${instance.name}.at`, graphOf(instance).initial));
        }
        const distinct = new Map<string, State>();
        for (const state of states) {
            for (const instance of model.instances) {
                const graph = graphOf(instance);
                for (const local of instance.locals) {
                    if (!graph.live[graph.initial]!.has(local.array.local!)) {
                        elements(local.array).forEach(cell => state.delete(cell));
                    }
                }
            }
            distinct.set(key(state), state);
        }
        return [...distinct.values()];
    }

    return { model, cells, initialStates, fire, allTerminated, evaluate, control: graphOf, key };
}

/** The fault that `compute` ends in, or its result. */
export function catchFault<T>(compute: () => T): T | Fault {
    try {
        return compute();
    } catch (error) {
        if (error instanceof FaultError) {
            return error.fault;
        }
        throw error;
    }
}

/** All cells of an array, row by row; the cell itself for a scalar. */
export function elements(array: ArrayInfo): Cell[] {
    const positions = array.indices.reduce<Value[][]>(
        (rows, values) => rows.flatMap(row => values.map(value => [...row, value])),
        [[]],
    );
    return positions.map(position => array.name + formatIndices(position));
}

/** The event instances that the offers of an instance may name, `get[0, 1]`. Where an argument depends on the state, all values. */
function alphabet(
    instance: Instance,
    graph: ControlGraph,
    model: SpecializedModel,
): Map<string, { event: string; values: readonly Value[] }> {
    const names = new Map<string, { event: string; values: readonly Value[] }>();
    for (const { step } of graph.offers.flat()) {
        if (step?.event === undefined) {
            continue;
        }
        const { name, arguments: given } = step.event;
        const possible = given.map((argument, position) =>
            argument.kind === 'value' ? [argument.value] : model.events.get(name)![position]!,
        );
        const tuples = possible.reduce<Value[][]>(
            (rows, values) => rows.flatMap(row => values.map(value => [...row, value])),
            [[]],
        );
        tuples.forEach(values => names.set(name + formatIndices(values), { event: name, values }));
    }
    return names;
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
        labels.push({ kind: 'label', id: `label ${inner.id}`, label: inner.label });
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
            case 'break':
                return next(behind(inner.loop, rest), seen);
        }
    })();
    return labels.reduceRight((offers, label) => after(label, offers), unlabeled);
}

function after(element: PathElement, offers: readonly Offer[]): Offer[] {
    return offers.map(offer => ({ ...offer, path: [element, ...offer.path] }));
}

function test(node: Node, condition: Term, holds: boolean): PathElement {
    return { kind: 'test', id: `test ${node.id} ${holds}`, condition, holds };
}

function followedBy(body: readonly Node[], rest: Continuation): Continuation {
    return body.reduceRight<Continuation>((continuation, node) => ({ node, rest: continuation }), rest);
}

/** What follows the loop with this number, which the continuation is inside of. */
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

/** Nodes have numbers, so a continuation is the numbers of what is left. */
function continuationKey(continuation: Continuation): string {
    return continuation === undefined ? '' : `${continuation.node.id} ${continuationKey(continuation.rest)}`;
}

/** The locations of an instance: the coarsest classes of continuations with the same offers. */
function controlGraph(instance: Instance): ControlGraph {
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
    return { initial: classOf.get(continuationKey(start))!, offers, live: liveness(offers) };
}

function offerKey(offer: Offer, classOf: ReadonlyMap<string, number>): string {
    const path = offer.path.map(element => element.id).join(', ');
    return offer.step === undefined
        ? `${path}: exit`
        : `${path}: step ${offer.step.id} to ${classOf.get(continuationKey(offer.rest))!}`;
}

/** The locals that some way onward reads before it writes them whole: the least solution, by iteration. */
function liveness(offers: readonly (readonly LocatedOffer[])[]): ReadonlySet<string>[] {
    let live: ReadonlySet<string>[] = offers.map(() => new Set<string>());
    for (;;) {
        const updated = offers.map(
            located =>
                new Set(
                    located.flatMap(offer => [
                        ...liveBefore(offer, offer.step === undefined ? new Set() : live[offer.target]!),
                    ]),
                ),
        );
        if (updated.every((names, location) => names.size === live[location]!.size)) {
            return live;
        }
        live = updated;
    }
}

function liveBefore(offer: LocatedOffer, liveAfter: ReadonlySet<string>): Set<string> {
    let live = new Set(liveAfter);
    if (offer.step !== undefined) {
        live = liveBeforeActions(offer.step.body, live);
        offer.step.event?.arguments.forEach(argument => addReads(argument, live));
        if (offer.step.guard !== undefined) {
            addReads(offer.step.guard, live);
        }
    }
    for (const element of [...offer.path].reverse()) {
        if (element.kind === 'test') {
            addReads(element.condition, live);
        } else if (element.kind === 'initialize') {
            live.delete(element.local.array.local!);
            if (element.local.initial.kind === 'value') {
                addReads(element.local.initial.value, live);
            }
        }
    }
    return live;
}

function liveBeforeActions(actions: readonly Action[], liveAfter: ReadonlySet<string>): Set<string> {
    let live = new Set(liveAfter);
    for (const action of [...actions].reverse()) {
        switch (action.kind) {
            case 'assign':
                if (action.target.local !== undefined) {
                    if (action.target.indices.length === 0) {
                        live.delete(action.target.local);
                    } else {
                        live.add(action.target.local);
                    }
                }
                [...action.indices, action.value].forEach(term => addReads(term, live));
                break;
            case 'if':
                live = new Set([...liveBeforeActions(action.then, live), ...liveBeforeActions(action.otherwise, live)]);
                addReads(action.condition, live);
                break;
            case 'assert':
                addReads(action.condition, live);
                break;
        }
    }
    return live;
}

/** Adds the locals that a term mentions. */
function addReads(term: Term, live: Set<string>): void {
    switch (term.kind) {
        case 'value':
        case 'fault':
            break;
        case 'cell':
            if (term.array.local !== undefined) {
                live.add(term.array.local);
            }
            break;
        case 'element':
            if (term.array.local !== undefined) {
                live.add(term.array.local);
            }
            term.indices.forEach(index => addReads(index, live));
            break;
        case '!':
        case 'negate':
            addReads(term.operand, live);
            break;
        case 'binary':
            addReads(term.left, live);
            addReads(term.right, live);
            break;
        case 'if':
            addReads(term.condition, live);
            addReads(term.then, live);
            addReads(term.otherwise, live);
            break;
        case 'and':
        case 'or':
        case 'count':
        case 'sum':
            term.operands.forEach(operand => addReads(operand, live));
            break;
        case 'at':
            term.indices.forEach(index => addReads(index, live));
            break;
    }
}
