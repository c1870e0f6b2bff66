/**
 * The state space of a typed model, straight from the semantics: continuations as lists of what is left to do, states as
 * strings, sets as sets. Slow and obvious. It shares nothing with engine/sequential and engine/explore but the meaning of
 * single values (engine/model/domain.ts).
 *
 * Races between joint steps are not looked for; do not give it models that have any.
 */
import { codeOfValue, NONE, valuesOfDomain } from '../../engine/model/domain.js';
import type { Domain } from '../../engine/model/domain.js';
import type { Expression, Place } from '../../engine/model/expression.js';
import type { Control, Model, Process, Statement, Step, Variable } from '../../engine/model/model.js';

export interface StateSpace {
    /** Each state as canonical text; see `formatState`. */
    readonly states: ReadonlySet<string>;
    readonly initial: ReadonlySet<string>;
    readonly transitions: number;
    /** The text of each deadlock state. */
    readonly deadlocks: ReadonlySet<string>;
    /** The kinds of the faults that firings of reachable states come to. */
    readonly faults: ReadonlySet<string>;
    /** The invariants that fail in some reachable state. */
    readonly violated: ReadonlySet<string>;
    /** Steps to the farthest state. */
    readonly depth: number;
}

type Binders = ReadonlyMap<number, number>;

/** `null` is no value. */
interface State {
    readonly shared: number[][];
    /** For each instance: its locals, and its location. */
    readonly locals: (number | null)[][][];
    readonly locations: number[];
}

class Fault extends Error {}
class NotStatic extends Error {}

/** What is left to do, first things first. `again` is the return to a loop, `after` marks where a loop's body ends. */
type Pending =
    { readonly kind: 'do'; readonly control: Control } | { readonly kind: 'again'; readonly control: Control };
type Continuation = readonly Pending[];

type PathItem =
    | { readonly kind: 'test'; readonly test: Control; readonly condition: Expression; readonly outcome: boolean }
    | { readonly kind: 'declare'; readonly control: Control; readonly local: number; readonly values?: number[] }
    | { readonly kind: 'label'; readonly label: string };

interface Offer {
    readonly path: readonly PathItem[];
    readonly step?: Step;
    readonly rest: Continuation;
}

interface Location {
    readonly offers: readonly Offer[];
}

interface Instance {
    readonly process: Process;
    readonly processIndex: number;
    readonly indices: readonly number[];
    readonly binders: Binders;
    readonly locations: readonly Location[];
    readonly locationOf: (continuation: Continuation) => number;
    /** `live[location]` has the locals that are live there. */
    readonly live: readonly ReadonlySet<number>[];
    readonly headLocals: readonly number[];
}

/** Where an expression is evaluated. Without a state, reading one is NotStatic. */
interface Context {
    readonly binders: Binders;
    readonly instance?: number;
    readonly state?: State;
}

/** What models of test/arbitrary/engine-models.ts do not have. */
function beyond(construct: string): never {
    throw new Error(`the reference does not know ${construct}`);
}

/** The event that a step takes part in. */
function eventOf({ communication }: Step): Extract<Step['communication'], { kind: 'event' }> | undefined {
    return communication === undefined || communication.kind === 'event' ? communication : beyond(communication.kind);
}

function localOf(place: Place): number {
    return place.kind === 'local' ? place.local : beyond(place.kind);
}

function only<T>(items: readonly T[]): T {
    const [item] = items;
    return item === undefined || items.length > 1 ? beyond('several values at once') : item;
}

export function exploreReference(model: Model, stateLimit = 20_000): StateSpace {
    const ids = new Map<object, number>();
    const idOf = (object: object): number => {
        if (!ids.has(object)) {
            ids.set(object, ids.size);
        }
        return ids.get(object) ?? -1;
    };

    // Values

    function evaluate(expression: Expression, context: Context): number {
        const valueOf = (operand: Expression): number => evaluate(operand, context);
        switch (expression.kind) {
            case 'constant':
                return expression.value;
            case 'binder': {
                const value = context.binders.get(expression.binder.id);
                if (value === undefined) {
                    throw new Error(`unbound ${expression.binder.name}`);
                }
                return value;
            }
            case 'read': {
                if (context.state === undefined) {
                    throw new NotStatic();
                }
                const [cells, position] = locate(expression.place, context);
                const value = cells[position];
                if (value === null || value === undefined) {
                    throw new Error('no value is never an operand');
                }
                return value;
            }
            case 'unary':
                return expression.operator === 'not' ? 1 - valueOf(expression.operand) : -valueOf(expression.operand);
            case 'binary': {
                const left = valueOf(expression.left);
                if (expression.operator === 'and') {
                    return left === 0 ? 0 : valueOf(expression.right);
                }
                if (expression.operator === 'or') {
                    return left === 1 ? 1 : valueOf(expression.right);
                }
                if (expression.operator === 'implies') {
                    return left === 0 ? 1 : valueOf(expression.right);
                }
                return apply(expression.operator, left, valueOf(expression.right));
            }
            case 'conditional':
                return valueOf(expression.condition) === 1 ? valueOf(expression.then) : valueOf(expression.otherwise);
            case 'quantifier': {
                const results: number[] = [];
                for (const binders of valuations(expression.binders, context.binders)) {
                    const inner = { ...context, binders };
                    if (expression.where !== undefined && evaluate(expression.where, inner) === 0) {
                        continue;
                    }
                    const value = evaluate(expression.body, inner);
                    if (expression.quantifier === 'forall' && value === 0) {
                        return 0;
                    }
                    if (expression.quantifier === 'exists' && value === 1) {
                        return 1;
                    }
                    results.push(value);
                }
                if (expression.quantifier === 'forall' || expression.quantifier === 'exists') {
                    return expression.quantifier === 'forall' ? 1 : 0;
                }
                return results.reduce((total, value) => apply('+', total, value), 0);
            }
            case 'at': {
                const values = expression.indices.map(valueOf);
                const { state } = context;
                if (state === undefined) {
                    throw new NotStatic();
                }
                const instance = instances.findIndex(
                    other =>
                        other.processIndex === expression.process &&
                        other.indices.every((value, dimension) => value === values[dimension]),
                );
                if (instance < 0) {
                    throw new Fault('index');
                }
                return isAt(instance, expression.label, state) ? 1 : 0;
            }
            default:
                return beyond(expression.kind);
        }
    }

    function apply(operator: string, left: number, right: number): number {
        const exact = (value: number): number => {
            if (!Number.isSafeInteger(value)) {
                throw new Fault(left === NONE || right === NONE ? 'undefined' : 'overflow');
            }
            return value;
        };
        const remainder = (): number => {
            if (right === 0) {
                throw new Fault('division');
            }
            return ((left % right) + Math.abs(right)) % Math.abs(right);
        };
        switch (operator) {
            case '+':
                return exact(left + right);
            case '-':
                return exact(left - right);
            case '*':
                return exact(left * right);
            case 'mod':
                return remainder();
            case 'div':
                return exact((left - remainder()) / right);
            case '==':
                return Number(left === right);
            case '!=':
                return Number(left !== right);
            case '<':
                return Number(left < right);
            case '<=':
                return Number(left <= right);
            case '>':
                return Number(left > right);
            case '>=':
                return Number(left >= right);
            default:
                throw new Error(operator);
        }
    }

    /** The cells of the variable and the position of the element. */
    function locate(place: Place, context: Context): [(number | null)[], number] {
        const { state, instance } = context;
        if (state === undefined) {
            throw new NotStatic();
        }
        const declaration =
            place.kind === 'shared'
                ? model.variables[place.variable]
                : model.processes.find(process => process === instances[instance ?? -1]?.process)?.locals[
                      localOf(place)
                  ];
        const cells =
            place.kind === 'shared' ? state.shared[place.variable] : state.locals[instance ?? -1]?.[localOf(place)];
        if (declaration === undefined || cells === undefined) {
            throw new Error('unknown variable');
        }
        let position = 0;
        const codes = place.indices.map((index, dimension) => {
            const domain = declaration.indices[dimension];
            return domain === undefined ? -1 : codeOfValue(domain, evaluate(index, context));
        });
        codes.forEach((code, dimension) => {
            if (code < 0) {
                throw new Fault('index');
            }
            position = position * valuesOfDomain(declaration.indices[dimension] as Domain).length + code;
        });
        return [cells, position];
    }

    function run(body: readonly Statement[], context: Context & { state: State }): void {
        for (const statement of body) {
            switch (statement.kind) {
                case 'assign': {
                    const { target, value: assigned } = only(statement.assignments);
                    const value = evaluate(assigned, context);
                    const [cells, position] = locate(target, context);
                    const declaration =
                        target.kind === 'shared'
                            ? model.variables[target.variable]
                            : instances[context.instance ?? -1]?.process.locals[localOf(target)];
                    store(cells, position, value, declaration as Variable);
                    break;
                }
                case 'if':
                    run(evaluate(statement.condition, context) === 1 ? statement.then : statement.otherwise, context);
                    break;
                case 'assert':
                    if (evaluate(statement.condition, context) !== 1) {
                        throw new Fault('assert');
                    }
                    break;
                case 'skip':
                    break;
                default:
                    beyond(statement.kind);
            }
        }
    }

    function store(cells: (number | null)[], position: number, value: number, declaration: Variable): void {
        if (codeOfValue(declaration.element, value) < 0) {
            throw new Fault('range');
        }
        cells[position] = value;
    }

    // Control: next(K)

    function next(continuation: Continuation, binders: Binders, passed: ReadonlySet<string>): Offer[] {
        const [first, ...rest] = continuation;
        if (first === undefined) {
            return [{ path: [], rest: [] }];
        }
        const isLoop = unlabeled(first.control).kind === 'loop' || unlabeled(first.control).kind === 'while';
        const key = keyOf(isLoop ? [{ kind: 'again', control: first.control }, ...rest] : continuation);
        // Coming back to a control point without a step contributes nothing.
        return passed.has(key) ? [] : nextOf(first.control, first.control, rest, binders, new Set([...passed, key]));
    }

    /** next(A; K). `whole` is A with its labels, to which a loop returns. */
    function nextOf(
        control: Control,
        whole: Control,
        rest: Continuation,
        binders: Binders,
        passed: ReadonlySet<string>,
    ): Offer[] {
        const sequence = (body: readonly Control[]): Pending[] => body.map(inner => ({ kind: 'do', control: inner }));
        const test = (outcome: boolean, condition: Expression, offers: () => Offer[]): Offer[] => {
            const known = staticValue(condition, binders);
            if (known !== undefined) {
                return known === outcome ? offers() : [];
            }
            return after({ kind: 'test', test: control, condition, outcome }, offers());
        };
        const again: Pending = { kind: 'again', control: whole };
        switch (control.kind) {
            case 'step':
                return [{ path: [], step: control, rest }];
            case 'labeled':
                return after(
                    { kind: 'label', label: control.label },
                    nextOf(control.control, whole, rest, binders, passed),
                );
            case 'loop':
                return next([...sequence(control.body), again, ...rest], binders, passed);
            case 'while':
                return [
                    ...test(true, control.condition, () =>
                        next([...sequence(control.body), again, ...rest], binders, passed),
                    ),
                    ...test(false, control.condition, () => next(rest, binders, passed)),
                ];
            case 'if':
                return [
                    ...test(true, control.condition, () => next([...sequence(control.then), ...rest], binders, passed)),
                    ...test(false, control.condition, () =>
                        next([...sequence(control.otherwise), ...rest], binders, passed),
                    ),
                ];
            case 'choose':
                return control.alternatives.flatMap(alternative =>
                    next([...sequence(alternative), ...rest], binders, passed),
                );
            case 'declare':
                return after({ kind: 'declare', control, local: control.local }, next(rest, binders, passed));
            case 'break': {
                const loop = rest.findIndex(pending => pending.kind === 'again');
                return next(rest.slice(loop + 1), binders, passed);
            }
            default:
                return beyond(control.kind);
        }
    }

    function after(item: PathItem, offers: readonly Offer[]): Offer[] {
        return offers.map(offer => ({ ...offer, path: [item, ...offer.path] }));
    }

    function staticValue(condition: Expression, binders: Binders): boolean | undefined {
        try {
            return evaluate(condition, { binders }) === 1;
        } catch (error) {
            if (error instanceof NotStatic || error instanceof Fault) {
                return undefined;
            }
            throw error;
        }
    }

    function keyOf(continuation: Continuation): string {
        return continuation.map(({ kind, control }) => `${kind}${idOf(control)}`).join(' ');
    }

    function keyOfPath(path: readonly PathItem[]): string {
        return path
            .map(item => {
                switch (item.kind) {
                    case 'test':
                        return `${item.outcome ? '+' : '-'}${idOf(item.test)}`;
                    case 'declare':
                        return `=${idOf(item.control)}`;
                    case 'label':
                        return `:${item.label}`;
                }
            })
            .join(' ');
    }

    // Locations: continuations with equal offers, up to what remains

    function findLocations(
        initial: Continuation,
        binders: Binders,
    ): { locations: Location[]; locationOf: (continuation: Continuation) => number } {
        const offersOf = new Map<string, Offer[]>();
        const waiting = [initial];
        for (let continuation = waiting.pop(); continuation !== undefined; continuation = waiting.pop()) {
            const key = keyOf(continuation);
            if (!offersOf.has(key)) {
                const offers = next(continuation, binders, new Set());
                offersOf.set(key, offers);
                waiting.push(...offers.filter(offer => offer.step !== undefined).map(offer => offer.rest));
            }
        }
        let classOf = new Map([...offersOf.keys()].map(key => [key, '']));
        for (let round = 0; round <= offersOf.size; round++) {
            classOf = new Map(
                [...offersOf].map(([key, offers]) => {
                    const signature = offers.map(({ path, step, rest }) =>
                        step === undefined
                            ? `${keyOfPath(path)} exit`
                            : `${keyOfPath(path)} ${idOf(step)} ${numberOf(classOf.get(keyOf(rest)) ?? '')}`,
                    );
                    return [key, [...new Set(signature)].sort().join('|')];
                }),
            );
        }
        const classes = [...new Set(classOf.values())];
        const initialClass = classOf.get(keyOf(initial)) ?? '';
        const ordered = [initialClass, ...classes.filter(other => other !== initialClass)];
        const locations = ordered.map(wanted => {
            const [key] = [...classOf].find(([, found]) => found === wanted) ?? [''];
            // A set of offers: the same path and step twice is one offer.
            const byKey = new Map<string, Offer>();
            for (const offer of offersOf.get(key) ?? []) {
                const identity = `${keyOfPath(offer.path)} ${offer.step === undefined ? 'exit' : idOf(offer.step)}`;
                if (!byKey.has(identity)) {
                    byKey.set(identity, offer);
                }
            }
            return { offers: [...byKey.values()] };
        });
        return { locations, locationOf: continuation => ordered.indexOf(classOf.get(keyOf(continuation)) ?? '') };
    }

    const signatureNumbers = new Map<string, number>();
    /** Keeps signatures short. */
    function numberOf(signature: string): number {
        if (!signatureNumbers.has(signature)) {
            signatureNumbers.set(signature, signatureNumbers.size);
        }
        return signatureNumbers.get(signature) ?? -1;
    }

    // Live locals: some way of steps reads the local before it writes it whole

    type Effect = 'read' | 'written' | 'untouched';

    function findLive(instance: Omit<Instance, 'live'>): Set<number>[] {
        return instance.locations.map((_, location) => {
            const live = new Set<number>();
            instance.process.locals.forEach((_declaration, local) => {
                if (isLive(instance, location, local)) {
                    live.add(local);
                }
            });
            return live;
        });
    }

    function isLive(instance: Omit<Instance, 'live'>, start: number, local: number): boolean {
        const seen = new Set<number>();
        const waiting = [start];
        for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
            if (seen.has(location)) {
                continue;
            }
            seen.add(location);
            for (const offer of instance.locations[location]?.offers ?? []) {
                const effects = effectsOfOffer(offer, local, instance);
                if (effects.has('read')) {
                    return true;
                }
                if (effects.has('untouched') && offer.step !== undefined) {
                    waiting.push(instance.locationOf(offer.rest));
                }
            }
        }
        return false;
    }

    function effectsOfOffer(offer: Offer, local: number, instance: Omit<Instance, 'live'>): Set<Effect> {
        const { process, binders } = instance;
        for (const item of offer.path) {
            if (item.kind === 'test' && reads(item.condition, local, binders)) {
                return new Set(['read']);
            }
            if (item.kind === 'declare') {
                const initializer = process.locals[item.local]?.initializer;
                if (initializer?.kind === 'value' && reads(only(initializer.expressions), local, binders)) {
                    return new Set(['read']);
                }
                if (item.local === local) {
                    return new Set(['written']);
                }
            }
        }
        if (offer.step === undefined) {
            return new Set(['untouched']);
        }
        const { guard, body } = offer.step;
        const event = eventOf(offer.step);
        const before = [...(guard === undefined ? [] : [guard]), ...(event?.arguments ?? [])];
        if (before.some(expression => reads(expression, local, binders))) {
            return new Set(['read']);
        }
        return effectsOfBody(body, local, instance);
    }

    function effectsOfBody(body: readonly Statement[], local: number, instance: Omit<Instance, 'live'>): Set<Effect> {
        const [statement, ...rest] = body;
        if (statement === undefined) {
            return new Set(['untouched']);
        }
        const { process, binders } = instance;
        switch (statement.kind) {
            case 'skip':
                return effectsOfBody(rest, local, instance);
            case 'assert':
                return reads(statement.condition, local, binders)
                    ? new Set(['read'])
                    : effectsOfBody(rest, local, instance);
            case 'assign': {
                const { target, value } = only(statement.assignments);
                if ([value, ...target.indices].some(expression => reads(expression, local, binders))) {
                    return new Set(['read']);
                }
                if (target.kind === 'local' && target.local === local) {
                    // A write to a part is a read.
                    return new Set([process.locals[local]?.indices.length === 0 ? 'written' : 'read']);
                }
                return effectsOfBody(rest, local, instance);
            }
            case 'if': {
                const known = staticValue(statement.condition, binders);
                if (known !== undefined) {
                    return effectsOfBody([...(known ? statement.then : statement.otherwise), ...rest], local, instance);
                }
                if (reads(statement.condition, local, binders)) {
                    return new Set(['read']);
                }
                return new Set([
                    ...effectsOfBody([...statement.then, ...rest], local, instance),
                    ...effectsOfBody([...statement.otherwise, ...rest], local, instance),
                ]);
            }
            default:
                return beyond(statement.kind);
        }
    }

    /** Whether the specialized expression mentions the local. */
    function reads(expression: Expression, local: number, binders: Binders): boolean {
        if (staticValue(expression, binders) !== undefined) {
            return false;
        }
        const inner = (operand: Expression): boolean => reads(operand, local, binders);
        switch (expression.kind) {
            case 'constant':
            case 'binder':
                return false;
            case 'read':
                return (
                    (expression.place.kind === 'local' && expression.place.local === local) ||
                    expression.place.indices.some(inner)
                );
            case 'unary':
                return inner(expression.operand);
            case 'binary': {
                const left = staticValue(expression.left, binders);
                const isDecided =
                    (expression.operator === 'and' && left === false) ||
                    (expression.operator === 'or' && left === true) ||
                    (expression.operator === 'implies' && left === false);
                return inner(expression.left) || (!isDecided && inner(expression.right));
            }
            case 'conditional': {
                const known = staticValue(expression.condition, binders);
                if (known !== undefined) {
                    return inner(known ? expression.then : expression.otherwise);
                }
                return inner(expression.condition) || inner(expression.then) || inner(expression.otherwise);
            }
            case 'quantifier':
                return [...valuations(expression.binders, binders)].some(valuation => {
                    const { where } = expression;
                    if (where !== undefined) {
                        if (staticValue(where, valuation) === false) {
                            return false;
                        }
                        if (reads(where, local, valuation)) {
                            return true;
                        }
                    }
                    return reads(expression.body, local, valuation);
                });
            case 'at':
                return expression.indices.some(inner);
            default:
                return beyond(expression.kind);
        }
    }

    // Paths

    /** The state after the path if its tests hold, else undefined. The state is copied where it changes. */
    function follow(path: readonly PathItem[], instance: number, state: State): State | undefined {
        const { process, binders } = instances[instance] as Instance;
        const copy = structuredClone(state);
        for (const item of path) {
            if (item.kind === 'test') {
                const holds = evaluate(item.condition, { binders, instance, state: copy }) === 1;
                if (holds !== item.outcome) {
                    return undefined;
                }
            } else if (item.kind === 'declare') {
                const declaration = process.locals[item.local] as Variable;
                const cells = copy.locals[instance]?.[item.local] ?? [];
                const { initializer } = declaration;
                if (initializer.kind === 'any') {
                    throw new Error("the reference does not know 'any' inside a body");
                }
                cells.forEach((_, position) => {
                    const value =
                        initializer.kind === 'value'
                            ? evaluate(only(initializer.expressions), { binders, instance, state: copy })
                            : (valuesOfDomain(declaration.element)[0] as number);
                    store(cells, position, value, declaration);
                });
            }
        }
        return copy;
    }

    function isAt(instance: number, label: string, state: State): boolean {
        const { locations } = instances[instance] as Instance;
        const { offers } = locations[state.locations[instance] ?? -1] as Location;
        return offers.some(({ path }) => {
            const position = path.findIndex(item => item.kind === 'label' && item.label === label);
            return position >= 0 && follow(path.slice(0, position), instance, state) !== undefined;
        });
    }

    function hasTerminated(instance: number, state: State): boolean {
        const { locations } = instances[instance] as Instance;
        const { offers } = locations[state.locations[instance] ?? -1] as Location;
        return offers.some(({ path, step }) => step === undefined && follow(path, instance, state) !== undefined);
    }

    // Instances and alphabets

    const instances: Instance[] = [];
    model.processes.forEach((process, processIndex) => {
        for (const binders of valuations(process.indices, new Map())) {
            if (process.where !== undefined && evaluate(process.where, { binders }) === 0) {
                continue;
            }
            const indices = process.indices.map(({ id }) => binders.get(id) ?? NaN);
            const head = process.body.findIndex(control => control.kind !== 'declare');
            const headCount = head < 0 ? process.body.length : head;
            const headLocals = process.body
                .slice(0, headCount)
                .flatMap(control => (control.kind === 'declare' ? [control.local] : []));
            const initial = process.body.slice(headCount).map((control): Pending => ({ kind: 'do', control }));
            const outline = { process, processIndex, indices, binders, headLocals, ...findLocations(initial, binders) };
            instances.push({ ...outline, live: findLive(outline) });
        }
    });

    function argumentValues(step: Step, binders: Binders): number[][] {
        const event = eventOf(step);
        if (event === undefined) {
            return [];
        }
        return event.arguments.reduce<number[][]>(
            (tuples, argument, position) => {
                const type = valuesOfDomain(model.events[event.event]?.arguments[position] as Domain);
                let values: number[];
                try {
                    const known = evaluate(argument, { binders });
                    values = type.filter(value => value === known);
                } catch (error) {
                    if (!(error instanceof NotStatic || error instanceof Fault)) {
                        throw error;
                    }
                    values = type;
                }
                return tuples.flatMap(tuple => values.map(value => [...tuple, value]));
            },
            [[]],
        );
    }

    const alphabets = instances.map(({ locations, binders }) => {
        const alphabet = new Set<string>();
        for (const { step } of locations.flatMap(location => location.offers)) {
            if (step !== undefined && eventOf(step) !== undefined) {
                for (const tuple of argumentValues(step, binders)) {
                    alphabet.add(nameOf(step, tuple));
                }
            }
        }
        return alphabet;
    });

    // Firing

    interface Ready {
        readonly instance: number;
        readonly offer: Offer;
        readonly state: State;
    }

    /** The offers of an instance whose path and guard hold; of an event, those with these values. */
    function ready(instance: number, state: State, event: string | undefined): (Ready | Fault)[] {
        const { locations, binders } = instances[instance] as Instance;
        const { offers } = locations[state.locations[instance] ?? -1] as Location;
        return offers.flatMap((offer): (Ready | Fault)[] => {
            const { step } = offer;
            if (step === undefined || (eventOf(step) !== undefined) !== (event !== undefined)) {
                return [];
            }
            // An offer of another event has nothing to do with this one.
            if (event !== undefined && !argumentValues(step, binders).some(tuple => nameOf(step, tuple) === event)) {
                return [];
            }
            try {
                const reached = follow(offer.path, instance, state);
                if (reached === undefined) {
                    return [];
                }
                const context = { binders, instance, state: reached };
                if (step.guard !== undefined && evaluate(step.guard, context) !== 1) {
                    return [];
                }
                if (event !== undefined) {
                    const values = (eventOf(step)?.arguments ?? []).map(argument => evaluate(argument, context));
                    if (nameOf(step, values) !== event) {
                        return [];
                    }
                }
                return [{ instance, offer, state: reached }];
            } catch (error) {
                if (error instanceof Fault) {
                    return [error];
                }
                throw error;
            }
        });
    }

    function nameOf(step: Step, values: readonly number[]): string {
        return `${eventOf(step)?.event ?? -1}:${values.join(',')}`;
    }

    /** The outcome of one joint step: each body on its own copy, the writes united, dead locals cleared. */
    function fire(state: State, participants: readonly (Ready | Fault)[]): State | Fault {
        const faults: Fault[] = participants.filter(participant => participant instanceof Fault);
        const outcome = structuredClone(state);
        for (const participant of participants) {
            if (participant instanceof Fault) {
                continue;
            }
            const { instance, offer } = participant;
            const { binders, locationOf, live } = instances[instance] as Instance;
            const copy = structuredClone(participant.state);
            try {
                run(offer.step?.body ?? [], { binders, instance, state: copy });
            } catch (error) {
                if (!(error instanceof Fault)) {
                    throw error;
                }
                faults.push(error);
            }
            const target = locationOf(offer.rest);
            copy.locations[instance] = target;
            copy.locals[instance]?.forEach((cells, local) => {
                if (live[target]?.has(local) !== true) {
                    cells.fill(null);
                }
            });
            unite(outcome, state, copy);
        }
        const order = ['index', 'range', 'division', 'overflow', 'assert', 'race', 'undefined'];
        faults.sort((first, second) => order.indexOf(first.message) - order.indexOf(second.message));
        return faults[0] ?? outcome;
    }

    function unite(outcome: State, before: State, after: State): void {
        const merge = <T>(target: T[], old: readonly T[], changed: readonly T[]): void => {
            changed.forEach((value, position) => {
                if (value !== old[position]) {
                    target[position] = value;
                }
            });
        };
        outcome.shared.forEach((cells, variable) => {
            merge(cells, before.shared[variable] ?? [], after.shared[variable] ?? []);
        });
        outcome.locals.forEach((locals, instance) => {
            locals.forEach((cells, local) => {
                merge(cells, before.locals[instance]?.[local] ?? [], after.locals[instance]?.[local] ?? []);
            });
        });
        merge(outcome.locations, before.locations, after.locations);
    }

    /** Whether an argument is neither static nor taken `mod` the size of its type. */
    function mayNameNothing(event: NonNullable<ReturnType<typeof eventOf>>, binders: Binders): boolean {
        return event.arguments.some((argument, position) => {
            const type = valuesOfDomain(model.events[event.event]?.arguments[position] as Domain);
            try {
                return !type.includes(evaluate(argument, { binders }));
            } catch {
                return !(argument.kind === 'binary' && argument.operator === 'mod' && argument.left.kind === 'read');
            }
        });
    }

    /** An argument that is a fault or lies outside its type is a fault of the step, whoever would be there to meet. */
    function faultsAlone(instance: number, state: State): Fault[] {
        const { locations, binders } = instances[instance] as Instance;
        const { offers } = locations[state.locations[instance] ?? -1] as Location;
        return offers.flatMap(({ path, step }): Fault[] => {
            const event = step === undefined ? undefined : eventOf(step);
            if (event === undefined || !mayNameNothing(event, binders)) {
                return [];
            }
            try {
                const reached = follow(path, instance, state);
                if (reached === undefined) {
                    return [];
                }
                const context = { binders, instance, state: reached };
                if (step?.guard !== undefined && evaluate(step.guard, context) !== 1) {
                    return [];
                }
                const isInside = event.arguments.every((argument, position) => {
                    const type = model.events[event.event]?.arguments[position] as Domain;
                    return codeOfValue(type, evaluate(argument, context)) >= 0;
                });
                return isInside ? [] : [new Fault('index')];
            } catch (error) {
                if (!(error instanceof Fault)) {
                    throw error;
                }
                return [error];
            }
        });
    }

    function firings(state: State): (State | Fault)[] {
        const alone = instances.flatMap((_, instance) =>
            ready(instance, state, undefined).map(offer => fire(state, [offer])),
        );
        const events = new Set(alphabets.flatMap(alphabet => [...alphabet]));
        const joint = [...events].flatMap(event => {
            const parties = instances.flatMap((_, instance) =>
                alphabets[instance]?.has(event) === true ? [instance] : [],
            );
            const choices = parties.reduce<(Ready | Fault)[][]>(
                (tuples, instance) =>
                    tuples.flatMap(tuple => ready(instance, state, event).map(offer => [...tuple, offer])),
                [[]],
            );
            return choices.map(participants => fire(state, participants));
        });
        return [...alone, ...instances.flatMap((_, instance) => faultsAlone(instance, state)), ...joint];
    }

    // Initial states

    function initialStates(): State[] {
        const empty: State = {
            shared: model.variables.map(variable => Array.from({ length: cellCount(variable) }, () => NaN)),
            locals: instances.map(({ process }) =>
                process.locals.map(variable => Array.from({ length: cellCount(variable) }, () => null)),
            ),
            locations: instances.map(() => 0),
        };
        let states = [empty];
        model.variables.forEach((variable, index) => {
            for (let position = 0; position < cellCount(variable); position++) {
                states = states.flatMap(state =>
                    startValues(variable, { binders: new Map(), state }).map(value => {
                        const copy = structuredClone(state);
                        store(copy.shared[index] ?? [], position, value, variable);
                        return copy;
                    }),
                );
            }
        });
        instances.forEach(({ process, headLocals, binders }, instance) => {
            for (const local of headLocals) {
                const variable = process.locals[local] as Variable;
                for (let position = 0; position < cellCount(variable); position++) {
                    states = states.flatMap(state => {
                        const start = (value: number): State => {
                            const copy = structuredClone(state);
                            store(copy.locals[instance]?.[local] ?? [], position, value, variable);
                            return copy;
                        };
                        try {
                            return startValues(variable, { binders, instance, state }).map(start);
                        } catch (error) {
                            // A local that is not live is not initialized; another initializer may want its value.
                            if (error instanceof Fault && instances[instance]?.live[0]?.has(local) !== true) {
                                return [structuredClone(state)];
                            }
                            throw error;
                        }
                    });
                }
            }
        });
        // What is not live holds no value, initially too.
        for (const state of states) {
            state.locals.forEach((locals, instance) => {
                locals.forEach((cells, local) => {
                    if (instances[instance]?.live[0]?.has(local) !== true) {
                        cells.fill(null);
                    }
                });
            });
        }
        return states;
    }

    function startValues(variable: Variable, context: Context): number[] {
        const { initializer, element } = variable;
        switch (initializer.kind) {
            case 'any':
                return valuesOfDomain(element);
            case 'default':
                return valuesOfDomain(element).slice(0, 1);
            case 'value':
                return [evaluate(only(initializer.expressions), context)];
            case 'oneOf':
                return beyond(initializer.kind);
        }
    }

    // Exploration

    const formatState = (state: State): string =>
        JSON.stringify([state.shared, state.locals, state.locations], (_, value: unknown) =>
            value === NONE ? 'none' : value,
        );

    const states = new Map<string, State>();
    let frontier = new Map<string, State>();
    for (const state of initialStates()) {
        frontier.set(formatState(state), state);
    }
    const initial = new Set(frontier.keys());
    const deadlocks = new Set<string>();
    const faults = new Set<string>();
    const violated = new Set<string>();
    let transitions = 0;
    let depth = -1;
    while (frontier.size > 0) {
        depth++;
        const nextFrontier = new Map<string, State>();
        for (const [text, state] of frontier) {
            states.set(text, state);
        }
        for (const [text, state] of frontier) {
            for (const { name, expression } of model.invariants) {
                try {
                    if (evaluate(expression, { binders: new Map(), state }) !== 1) {
                        violated.add(name);
                    }
                } catch (error) {
                    if (!(error instanceof Fault)) {
                        throw error;
                    }
                    faults.add(error.message);
                }
            }
            const outcomes = firings(state);
            transitions += outcomes.length;
            for (const outcome of outcomes) {
                if (outcome instanceof Fault) {
                    faults.add(outcome.message);
                    continue;
                }
                const key = formatState(outcome);
                if (!states.has(key)) {
                    nextFrontier.set(key, outcome);
                }
            }
            if (outcomes.length === 0) {
                try {
                    if (instances.some((_, instance) => !hasTerminated(instance, state))) {
                        deadlocks.add(text);
                    }
                } catch (error) {
                    if (!(error instanceof Fault)) {
                        throw error;
                    }
                    if (!model.allowsDeadlock) {
                        faults.add(error.message);
                    }
                }
            }
        }
        if (states.size > stateLimit) {
            throw new Error(`more than ${stateLimit} states`);
        }
        frontier = nextFrontier;
    }
    return { states: new Set(states.keys()), initial, transitions, deadlocks, faults, violated, depth };
}

function cellCount(variable: Variable): number {
    return variable.indices.reduce((count, domain) => count * valuesOfDomain(domain).length, 1);
}

/** A control without the labels before it. */
function unlabeled(control: Control): Control {
    return control.kind === 'labeled' ? unlabeled(control.control) : control;
}

function* valuations(
    binders: readonly { readonly id: number; readonly domain: Domain }[],
    outer: Binders,
): Generator<Binders> {
    const [first, ...rest] = binders;
    if (first === undefined) {
        yield outer;
        return;
    }
    for (const value of valuesOfDomain(first.domain)) {
        yield* valuations(rest, new Map([...outer, [first.id, value]]));
    }
}
