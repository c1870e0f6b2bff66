/**
 * The meaning of a model as a transition system, from the definition. A state maps cells to values; a cell without a
 * value is absent. `P[1].at` is a location, `len(queue[1])` the length of a channel, `queue[1][0].kind` a slot.
 *
 * An instance of a template is called `Worker@3`, by a number that no other one gets in the whole run. Its cells, and
 * those over its template, have that in their names, and they are there while it lives: while `Worker@3.at` is.
 */
import { controlGraph, flattenPattern, type ControlGraph, type LocatedOffer, type PathElement } from './control.js';
import { NotStatic, NoValue, type Channel, type Closure, type Memory } from './evaluate.js';
import { FAULTS, FaultError, type Fault } from './operators.js';
import type { Instance, LocalVariable, SpecializedModel, StepNode } from './specialize.js';
import type { Communication, Expression, Pattern, PlaceExpression } from './syntax.js';
import {
    assemble,
    convert,
    equal,
    flatten,
    formatIndices,
    formatValue,
    isGrowing,
    isRecord,
    leavesOf,
    type LeafCell,
    numberOf,
    positionsOf,
    present,
    presentIndices,
    referencesIn,
    referenceTo,
    templateOf,
    valuesOf,
    type Cell,
    type Domain,
    type Value,
} from './values.js';

/** A body creates no more instances than this. */
const MOST_SPAWNS = 3;

export type State = ReadonlyMap<Cell, Value>;

/** One transition, or one that faults and so has no successor. */
interface Firing {
    readonly steps: readonly { readonly instance: Instance; readonly step: StepNode }[];
    readonly successor?: State;
    /** `outside`: a constraint cuts off the firing. */
    readonly fault?: Fault | 'outside';
    /** A fault before a meeting whose partner depends on the state and may not be ready: it may arise alone or not. */
    readonly isOpen?: boolean;
}

export interface Semantics {
    readonly model: SpecializedModel;
    /** Every cell, in an order of its own, with the values it can hold; for `P[1].at` the numbers of the locations. */
    readonly cells: ReadonlyMap<Cell, readonly Value[]>;
    /** The cells that vary on their own: each shared one, those of a channel, the control and the locals of an instance. */
    readonly parts: readonly (readonly Cell[])[];
    /** Of what holds no value at times: the cell that says whether it does. */
    readonly within: ReadonlyMap<Cell, NonNullable<LeafCell['within']>>;
    /** Undefined where the declarations allow more combinations of values than `most`, before any condition is asked. */
    initialStates(most?: number): State[] | undefined;
    fire(state: State): Firing[];
    /** Every instance may stop here: it has come to its end, or waits under an `end` label. */
    allMayStop(state: State): boolean;
    /** The value of an expression of the model. Throws a FaultError. */
    evaluate(closure: Closure, state: State): Value;
    control(instance: Instance): ControlGraph;
    /** A text that is the same for equal states only. */
    readonly key: (state: State) => string;
}

interface Participant {
    readonly instance: Instance;
    readonly offer: LocatedOffer;
    /** The state that its body starts from, or the fault on the way there. */
    readonly start: State | Fault;
    readonly message?: { readonly channel: Channel; readonly value: Value };
    /** Of a channel that delivers in any order: how many copies of the message there are then. */
    readonly copies?: { readonly cell: Cell; readonly count: number; readonly value: Value };
}

type EventUse = Extract<Communication, { kind: 'event' }>;
type ChannelUse = Exclude<Communication, EventUse>;

interface Side extends Participant {
    readonly use: ChannelUse;
    readonly channels: readonly Channel[];
}

export function interpret(model: SpecializedModel): Semantics {
    const { evaluator, instances, channels, templates } = model;
    const graphs = new Map<Instance, ControlGraph>();
    const graphOf = (instance: Instance): ControlGraph => {
        const graph = graphs.get(instance) ?? controlGraph(instance, evaluator);
        graphs.set(instance, graph);
        return graph;
    };
    /** What a step does that only ends its instance: the test before the end of the body holds. */
    const endStep: StepNode = { id: -1, kind: 'step', body: [], names: evaluator.globals };
    /** The events that instances may name change where there are templates. */
    let alphabets: ReadonlyMap<Instance, ReturnType<typeof alphabet>> | undefined;

    const cells = new Map<Cell, readonly Value[]>();
    const parts: Cell[][] = [];
    const within = new Map<Cell, NonNullable<LeafCell['within']>>();
    const addLeaf = ({ cell, domain, within: around }: LeafCell): Cell => {
        cells.set(cell, valuesOf(domain));
        if (around !== undefined) {
            within.set(cell, around);
        }
        return cell;
    };
    const addCells = (variable: LocalVariable): Cell[] => leavesNow(variable.info, new Map()).map(addLeaf);
    model.shared.forEach(variable => {
        const own = addCells(variable);
        parts.push(...(own.some(cell => within.has(cell)) ? [own] : own.map(cell => [cell])));
    });
    for (const channel of channels.values()) {
        if (channel.capacity > 0) {
            cells.set(lengthCell(channel), [...Array(channel.capacity + 1).keys()]);
            const slots = [...Array(channel.capacity).keys()].flatMap(slot => slotCells(channel, slot));
            slots.forEach(addLeaf);
            parts.push([lengthCell(channel), ...slots.map(({ cell }) => cell)]);
        }
    }
    for (const instance of instances) {
        const locals = instance.locals.flatMap(addCells);
        cells.set(controlCell(instance), [...graphOf(instance).offers.keys()]);
        parts.push([controlCell(instance), ...locals]);
    }
    const cellNames = [...cells.keys()];

    function key(state: State): string {
        if (templates.size > 0) {
            return [...state]
                .map(([cell, value]) => `${cell} = ${formatValue(value)}`)
                .sort()
                .join('\n');
        }
        return cellNames.map(cell => (state.has(cell) ? formatValue(state.get(cell)!) : '-')).join(' ');
    }

    /** The instances of a template that live, in the order of their creation. */
    function livingIn(state: State, template: string): string[] {
        const numbers = [...Array(Number(state.get(createdCell(template)) ?? 0)).keys()];
        return numbers.map(number => referenceTo(template, number)).filter(reference => state.has(`${reference}.at`));
    }

    function isAliveIn(state: State, reference: Value): boolean {
        return state.has(`${formatValue(reference)}.at`);
    }

    function instanceNamed(name: string): Instance | undefined {
        const template = templateOf(name);
        return template === undefined
            ? instances.find(instance => instance.name === name)
            : templates.get(template)!(numberOf(name));
    }

    /** All instances that are there: of the families, and those of the templates that live. */
    function instancesIn(state: State): Instance[] {
        const living = [...templates.keys()].flatMap(template => livingIn(state, template));
        return [...instances, ...living.map(reference => instanceNamed(reference)!)];
    }

    function domainNow(domain: Domain, state: State): Domain {
        return present(domain, template => livingIn(state, template));
    }

    function leavesNow({ domain, name }: LocalVariable['info'], state: State): ReturnType<typeof leavesOf> {
        return leavesOf(domainNow(domain, state), name);
    }

    function startValues(
        { info, declaration, names }: LocalVariable,
        state: State,
        memory: Memory,
        most?: number,
    ): readonly Value[] {
        return evaluator.initialValues(declaration, domainNow(info.domain, state), names, memory, most);
    }

    /**
     * The cells over templates that are missing for the instances that live, with what they hold at first. Those of a
     * local are there while it holds a value, and, in the step that `acting` takes, for all of its locals.
     */
    function missingCells(state: State, acting: readonly Instance[]): [Cell, Value][] {
        const present = instancesIn(state);
        const locals = present.flatMap(instance => {
            const live = acting.includes(instance)
                ? undefined
                : graphOf(instance).live[Number(state.get(controlCell(instance)))];
            return instance.locals.filter(({ info }) => live === undefined || live.has(info.local!));
        });
        const growing = [...model.shared, ...locals].filter(({ info }) => info.domain.kind === 'growing');
        const missing = growing.flatMap(variable => {
            const { info } = variable;
            const value = startValues(variable, state, memoryOf(new Map()))[0]!;
            const items = flatten(domainNow(info.domain, state), value);
            return leavesNow(info, state).flatMap(({ cell }, position): [Cell, Value][] => {
                const item = items[position];
                return item === undefined ? [] : [[cell, item]];
            });
        });
        const lengths = [...evaluator.globals].flatMap(([name, meaning]) => {
            if (meaning.kind !== 'channels' || !isGrowing(meaning.indices)) {
                return [];
            }
            return positionsOf(presentIndices(meaning.indices, template => livingIn(state, template)))
                .map(position => evaluator.channelNamed(name + formatIndices(position))!)
                .filter(({ capacity }) => capacity > 0)
                .map((channel): [Cell, Value] => [lengthCell(channel), 0]);
        });
        return [...missing, ...lengths].filter(([cell]) => !state.has(cell));
    }

    /** Parameters come first; then the instance lives, with its cells over templates; then its head, in order. */
    function create(
        template: string,
        values: readonly Value[],
        creator: Instance,
        state: Map<Cell, Value>,
        memory: Memory,
    ): string {
        const number = Number(state.get(createdCell(template)) ?? 0);
        const instance = templates.get(template)!(number);
        const graph = graphOf(instance);
        const put = ({ info }: LocalVariable, value: Value): void => {
            const items = flatten(domainNow(info.domain, state), value);
            leavesNow(info, state).forEach(({ cell }, position) => memory.write(cell, items[position]));
        };
        instance.parameters.forEach((parameter, position) => put(parameter, values[position]!));
        memory.write(createdCell(template), number + 1);
        memory.write(controlCell(instance), graph.initial);
        missingCells(state, [creator, instance]).forEach(([cell, value]) => memory.write(cell, value));
        for (const local of instance.head) {
            const [value, ...others] = startValues(local, state, memory);
            if (value === undefined || others.length > 0) {
                throw new Error(`what ${template} begins with is one value`);
            }
            put(local, value);
        }
        for (const { info } of instance.locals.filter(({ info }) => !graph.live[graph.initial]!.has(info.local!))) {
            leavesNow(info, state).forEach(({ cell }) => state.delete(cell));
        }
        if (hasEnded(graph, graph.initial)) {
            state.delete(controlCell(instance));
            removeEnded(state);
        }
        return instance.name;
    }

    /** A state to read, and to write where it is a Map; `touched` collects what is read and written by `acting`. */
    function memoryOf(
        state: Map<Cell, Value> | State,
        touched?: { read: Set<Cell>; written: Set<Cell> },
        acting?: Instance,
    ): Memory {
        return {
            read(cell) {
                touched?.read.add(cell);
                if (!state.has(cell)) {
                    throw new NoValue(`${cell} is read where it holds no value`);
                }
                return state.get(cell)!;
            },
            write(cell, value) {
                touched?.written.add(cell);
                put(state as Map<Cell, Value>, cell, value);
            },
            length: channel => memoryOf(state, touched).read(lengthCell(channel)) as number,
            isAt(process, indices, label) {
                const instance = instanceNamed(process + formatIndices(indices));
                if (instance === undefined) {
                    throw new FaultError('index');
                }
                touched?.read.add(controlCell(instance));
                const ways = offersAt(instance, state).flatMap(({ path }) =>
                    path.flatMap((element, position) =>
                        element.kind === 'label' && element.label === label ? [path.slice(0, position)] : [],
                    ),
                );
                if (templates.size === 0) {
                    return ways.some(way => holds(way, state, touched));
                }
                // Ways may be of instances, which have no order.
                const outcomes = ways.map(way => catchFault(() => holds(way, state, touched)));
                const fault = FAULTS.find(each => outcomes.includes(each));
                if (fault !== undefined) {
                    throw new FaultError(fault);
                }
                return outcomes.includes(true);
            },
            living(template) {
                // An instance that another body of the step creates is one of the next.
                const numbers = [...Array(Number(state.get(createdCell(template)) ?? 0) + MOST_SPAWNS).keys()];
                numbers.forEach(number => touched?.read.add(aliveCell(referenceTo(template, number))));
                return livingIn(state, template);
            },
            indices: template => livingIn(state, template),
            isAlive(reference) {
                touched?.read.add(aliveCell(formatValue(reference)));
                return isAliveIn(state, reference);
            },
            create(template, values) {
                if (acting === undefined) {
                    throw new Error('instances are created in the bodies of steps');
                }
                const reference = create(template, values, acting, state as Map<Cell, Value>, this);
                touched?.written.add(aliveCell(reference));
                return reference;
            },
            key: () => key(state),
        };
    }

    function evaluate(closure: Closure, state: State): Value {
        return evaluator.evaluate(closure.expression, closure.names, memoryOf(state));
    }

    function offersAt(instance: Instance, state: State): readonly LocatedOffer[] {
        return graphOf(instance).offers[Number(state.get(controlCell(instance)))]!;
    }

    /** For each way to choose values on the path on which all tests hold, the state at its end; or the fault met there. */
    function follow(
        path: readonly PathElement[],
        state: State,
        touched?: { read: Set<Cell>; written: Set<Cell> },
    ): (State | Fault)[] {
        const [element, ...rest] = path;
        switch (element?.kind) {
            case undefined:
                return [state];
            case 'label':
                return follow(rest, state, touched);
            case 'test': {
                const { expression, names } = element.condition;
                const value = catchFault(() => evaluator.evaluate(expression, names, memoryOf(state, touched)));
                return typeof value === 'string'
                    ? [value as Fault]
                    : value === element.holds
                      ? follow(rest, state, touched)
                      : [];
            }
            case 'initialize': {
                const { info } = element.local;
                const values = catchFault(() => startValues(element.local, state, memoryOf(state, touched)));
                return typeof values === 'string'
                    ? [values]
                    : values.flatMap(value => follow(rest, withValue(info, value, state), touched));
            }
        }
    }

    /** Some way along the path holds. The ways are tried in order; a fault on one that is tried is a fault of all. */
    function holds(
        path: readonly PathElement[],
        state: State,
        touched?: { read: Set<Cell>; written: Set<Cell> },
    ): boolean {
        const [first] = follow(path, state, touched);
        if (typeof first === 'string') {
            throw new FaultError(first);
        }
        return first !== undefined;
    }

    function withValue(info: LocalVariable['info'], value: Value, state: State): State {
        const after = new Map(state);
        const items = flatten(domainNow(info.domain, state), value);
        leavesNow(info, state).forEach(({ cell }, position) => put(after, cell, items[position]));
        return after;
    }

    /** The states from which the step of an offer can be taken as far as the instance itself is concerned. */
    function prepared(offer: LocatedOffer, state: State): (State | Fault)[] {
        const { guard, names } = offer.step!;
        return follow(offer.path, state).flatMap(start => {
            if (typeof start === 'string' || guard === undefined) {
                return [start];
            }
            const holds = catchFault(() => evaluator.evaluate(guard, names, memoryOf(start)) === true);
            return typeof holds === 'string' ? [holds] : holds ? [start] : [];
        });
    }

    function fire(state: State): Firing[] {
        const present = instancesIn(state);
        if (alphabets === undefined || templates.size > 0) {
            alphabets = new Map(present.map(instance => [instance, alphabet(instance, state)]));
        }
        const events = new Set([...alphabets.values()].flatMap(names => [...names.keys()]));
        return [
            ...present.flatMap(instance =>
                offersAt(instance, state).flatMap(offer => fireAlone(instance, offer, state)),
            ),
            ...[...events].flatMap(named => fireEvent(named, alphabets!, state)),
            ...fireRendezvous(present, state),
        ].map(cutOff);
    }

    /** The firing without its successor where a constraint is false there, or a fault. */
    function cutOff(firing: Firing): Firing {
        const { steps, successor } = firing;
        for (const constraint of successor === undefined ? [] : model.constraints) {
            const value = catchFault(() => evaluate(constraint, successor!));
            if (value !== true) {
                return { steps, fault: value === false ? 'outside' : (value as Fault) };
            }
        }
        return firing;
    }

    /** What an instance does without a partner: steps without communication, buffered channels, and faults. */
    function fireAlone(instance: Instance, offer: LocatedOffer, state: State): Firing[] {
        const { step } = offer;
        if (step === undefined) {
            return templateOf(instance.name) === undefined
                ? []
                : fireAlone(instance, { ...offer, step: endStep }, state);
        }
        const { communication } = step;
        if (communication !== undefined && communication.kind !== 'event' && isBagChannel(communication, step)) {
            return prepared(offer, state).flatMap(start =>
                useBag(step, communication, start).map(outcome =>
                    fireTogether(state, [{ instance, offer, ...outcome }]),
                ),
            );
        }
        return prepared(offer, state).flatMap((start): Firing[] => {
            if (typeof start === 'string' && communication !== undefined && meetsOthers(communication, step, state)) {
                return isStaticUse(communication, step)
                    ? []
                    : [{ steps: [{ instance, step }], fault: start, isOpen: true }];
            }
            let outcome: Pick<Participant, 'start' | 'message'> | undefined;
            switch (communication?.kind) {
                case undefined:
                    outcome = { start };
                    break;
                case 'event':
                    outcome = unknownEvent(step, communication, start);
                    break;
                case 'send':
                case 'receive':
                    outcome = useBuffer(step, communication, start);
                    break;
            }
            return outcome === undefined ? [] : [fireTogether(state, [{ instance, offer, ...outcome }])];
        });
    }

    function meetsOthers(communication: Communication, step: StepNode, state: State): boolean {
        return (
            communication.kind === 'event' ||
            possibleChannels(communication.channel, step, state).every(({ capacity }) => capacity === 0)
        );
    }

    function isStaticUse(communication: Communication, step: StepNode): boolean {
        const named =
            communication.kind === 'event'
                ? communication.arguments
                : isGrowingChannel(communication.channel, step)
                  ? communication.channel.indices
                  : [communication.channel];
        return named.every(expression => {
            const outcome = evaluator.staticOutcome(expression, step.names);
            return outcome !== undefined && 'value' in outcome;
        });
    }

    /** An argument that is none of its type is a fault, whoever would be there to meet. */
    function unknownEvent(step: StepNode, event: EventUse, start: State | Fault): { start: Fault } | undefined {
        if (typeof start === 'string') {
            return undefined;
        }
        const fault = catchFault(() => {
            event.arguments.forEach((argument, position) => {
                const value = evaluator.evaluate(argument, step.names, memoryOf(start));
                const dimension = model.events.get(event.name)![position]!;
                // Who has ended takes part in nothing, and waits for nothing.
                const isKnown =
                    typeof dimension === 'string'
                        ? value !== null
                        : dimension.some(candidate => equal(candidate, value));
                if (!isKnown) {
                    throw new FaultError('index');
                }
            });
        });
        return typeof fault === 'string' ? { start: fault } : undefined;
    }

    /** A send to a channel that has room, a receive from one whose head matches; nothing for other channels. */
    function useBuffer(
        step: StepNode,
        use: ChannelUse,
        start: State | Fault,
    ): Pick<Participant, 'start' | 'message'> | undefined {
        if (typeof start === 'string') {
            return { start };
        }
        const channel = catchFault(() => channelOf(use.channel, step, start));
        if (typeof channel === 'string') {
            return { start: channel };
        }
        const length = channel.capacity === 0 ? 0 : Number(start.get(lengthCell(channel)));
        if (use.kind === 'send') {
            if (length === channel.capacity) {
                return undefined;
            }
            const value = sent(use.message, channel, step, start);
            return typeof value === 'string' ? { start: value } : { start, message: { channel, ...value } };
        }
        if (length === 0) {
            return undefined;
        }
        const value = assemble(channel.message, slotName(channel, 0), cell => start.get(cell)!);
        const matches = catchFault(() => isMatch(use.pattern, value, step, start));
        if (matches === false) {
            return undefined;
        }
        return matches === true ? { start, message: { channel, value } } : { start: matches };
    }

    function isBagChannel({ channel }: ChannelUse, { names }: StepNode): boolean {
        return evaluator.typeOf(channel, names)?.kind === 'bag';
    }

    /** A send of a message that there is room for, or the receives of the different messages that match. */
    function useBag(
        step: StepNode,
        { channel, ...use }: ChannelUse,
        start: State | Fault,
    ): Pick<Participant, 'start' | 'copies'>[] {
        if (typeof start === 'string') {
            return [{ start }];
        }
        const bag = evaluator.typeOf(channel, step.names);
        const { member, copies: most } = bag?.kind === 'bag' ? bag : failed('a bag');
        const countOf = (value: Value): { readonly cell: Cell; readonly count: number } | Fault =>
            catchFault(() => {
                const place = evaluator.nameOfPlace(channel, step.names, memoryOf(start));
                const cell = place + formatIndices([value]);
                return { cell, count: Number(start.get(cell)) };
            });
        const outcomes =
            use.kind === 'send'
                ? [catchFault(() => convert(evaluator.evaluate(use.message, step.names, memoryOf(start)), member))]
                : valuesOf(member);
        return outcomes.flatMap((value): Pick<Participant, 'start' | 'copies'>[] => {
            const found =
                use.kind === 'send' && FAULTS.some(fault => fault === value) ? (value as Fault) : countOf(value);
            if (typeof found === 'string') {
                return [{ start: found }];
            }
            const { cell, count } = found;
            if (use.kind === 'send') {
                return count < most ? [{ start, copies: { cell, count: count + 1, value } }] : [];
            }
            const matches = count > 0 ? catchFault(() => isMatch(use.pattern, value, step, start)) : false;
            return matches === false
                ? []
                : [matches === true ? { start, copies: { cell, count: count - 1, value } } : { start: matches }];
        });
    }

    /** Every instance that knows the event takes part, each with one of the offers it is ready for. */
    function fireEvent(
        named: string,
        alphabets: ReadonlyMap<Instance, ReturnType<typeof alphabet>>,
        state: State,
    ): Firing[] {
        let combinations: Participant[][] = [[]];
        for (const [instance, events] of alphabets) {
            const known = events.get(named);
            if (known === undefined) {
                continue;
            }
            const choices = offersAt(instance, state).flatMap((offer): Participant[] => {
                const { step } = offer;
                const communication = step?.communication;
                if (communication?.kind !== 'event' || communication.name !== known.event) {
                    return [];
                }
                const given = communication.arguments;
                const mayBe = given.every((argument, position) => {
                    const outcome = evaluator.staticOutcome(argument, step!.names);
                    return (
                        outcome === undefined || !('value' in outcome) || equal(outcome.value, known.values[position]!)
                    );
                });
                return !mayBe
                    ? []
                    : prepared(offer, state).flatMap((start): Participant[] => {
                          if (typeof start === 'string') {
                              return [{ instance, offer, start }];
                          }
                          const means = catchFault(() =>
                              given.every((argument, position) =>
                                  equal(
                                      evaluator.evaluate(argument, step!.names, memoryOf(start)),
                                      known.values[position]!,
                                  ),
                              ),
                          );
                          return means === false ? [] : [{ instance, offer, start: means === true ? start : means }];
                      });
            });
            combinations = combinations.flatMap(chosen => choices.map(choice => [...chosen, choice]));
        }
        return combinations.map(participants => fireTogether(state, participants));
    }

    /** The sends and the receives over channels without a buffer, every pair of different instances. */
    function fireRendezvous(present: readonly Instance[], state: State): Firing[] {
        const sides = present.flatMap(instance =>
            offersAt(instance, state).flatMap(offer => sidesOf(instance, offer, state)),
        );
        return sides.flatMap(sender =>
            sides.flatMap((receiver): Firing[] => {
                const channel = sender.channels.find(
                    ({ name, capacity }) => capacity === 0 && receiver.channels.some(other => other.name === name),
                );
                const { use: send } = sender;
                const { use: receive } = receiver;
                if (
                    send.kind !== 'send' ||
                    receive.kind !== 'receive' ||
                    sender.instance === receiver.instance ||
                    channel === undefined
                ) {
                    return [];
                }
                const { start } = receiver;
                if (typeof sender.start === 'string') {
                    const fault = sender.start;
                    return [
                        fireTogether(
                            state,
                            [sender, receiver].map(side => ({ ...side, start: fault })),
                        ),
                    ];
                }
                if (typeof start === 'string') {
                    return [fireTogether(state, [sender, receiver])];
                }
                const value = sent(send.message, channel, sender.offer.step!, sender.start);
                if (typeof value === 'string') {
                    // Nothing is received, so the other body does not run.
                    return [
                        fireTogether(
                            state,
                            [sender, receiver].map(side => ({ ...side, start: value })),
                        ),
                    ];
                }
                const matches = catchFault(() => isMatch(receive.pattern, value.value, receiver.offer.step!, start));
                if (matches === false) {
                    return [];
                }
                const received = matches === true ? receiver : { ...receiver, start: matches };
                return [fireTogether(state, [sender, { ...received, message: { channel, ...value } }])];
            }),
        );
    }

    function sidesOf(instance: Instance, offer: LocatedOffer, state: State): Side[] {
        const { step } = offer;
        const use = step?.communication;
        if (use === undefined || use.kind === 'event' || isBagChannel(use, step!)) {
            return [];
        }
        return prepared(offer, state).flatMap((start): Side[] => {
            if (typeof start === 'string') {
                return [{ instance, offer, use, start, channels: possibleChannels(use.channel, step!, state) }];
            }
            // A channel that there is not is a fault already.
            const channel = catchFault(() => channelOf(use.channel, step!, start));
            return typeof channel === 'string' ? [] : [{ instance, offer, use, start, channels: [channel] }];
        });
    }

    function fireTogether(state: State, given: readonly Participant[]): Firing {
        const present = instancesIn(state);
        const participants = [...given].sort(
            (first, second) => present.indexOf(first.instance) - present.indexOf(second.instance),
        );
        const faults: Fault[] = [];
        const outcomes = participants.flatMap(participant => {
            const { start } = participant;
            const outcome = typeof start === 'string' ? start : catchFault(() => runBody(participant, state, start));
            if (typeof outcome === 'string') {
                faults.push(outcome);
                return [];
            }
            return [outcome];
        });
        const races = outcomes.some(writer =>
            outcomes.some(
                other =>
                    other !== writer &&
                    [...writer.written].some(
                        ([cell, value]) =>
                            other.read.has(cell) ||
                            // Several instances that end give up what belonged to both of them.
                            (other.written.has(cell) && (value ?? other.written.get(cell)) !== undefined),
                    ),
            ),
        );
        if (races) {
            faults.push('race');
        }
        const steps = participants.map(({ instance, offer }) => ({ instance, step: offer.step! }));
        if (faults.length > 0) {
            return { steps, fault: FAULTS.find(fault => faults.includes(fault))! };
        }
        const successor = new Map(state);
        for (const [cell, value] of outcomes.flatMap(outcome => [...outcome.written])) {
            if (value === undefined) {
                successor.delete(cell);
            } else {
                successor.set(cell, value);
            }
        }
        if (templates.size > 0 && participants.length > 1) {
            // Where one participant creates an instance and another one ends, there is no cell for both.
            removeEnded(successor);
            missingCells(successor, []).forEach(([cell, value]) => successor.set(cell, value));
        }
        return { steps, successor };
    }

    /** Removes all that belongs to instances that have ended, and says what it was. */
    function removeEnded(state: Map<Cell, Value>): Cell[] {
        const removed = [...state.keys()].filter(cell =>
            referencesIn(cell).some(reference => !isAliveIn(state, reference)),
        );
        removed.forEach(cell => state.delete(cell));
        return removed;
    }

    /** The cells that an instance's part of a firing reads in its body and writes. */
    function runBody(
        { instance, offer, message, copies }: Participant,
        before: State,
        start: State,
    ): { written: Map<Cell, Value | undefined>; read: Set<Cell> } {
        const after = new Map(start);
        const touched = { read: new Set<Cell>(), written: new Set<Cell>() };
        const memory = memoryOf(after, touched, instance);
        const step = offer.step!;
        if (message !== undefined) {
            communicate(step, message, after, touched.written, memory);
        }
        if (copies !== undefined) {
            memory.read(copies.cell);
            memory.write(copies.cell, copies.count);
            bind(step, copies.value, memory);
        }
        evaluator.execute(step.body, step.names, memory);
        const written = new Map([...touched.written].map(cell => [cell, after.get(cell)]));
        const graph = graphOf(instance);
        if (templateOf(instance.name) !== undefined && hasEnded(graph, offer.target)) {
            after.delete(controlCell(instance));
            [...removeEnded(after), controlCell(instance), aliveCell(instance.name)].forEach(cell =>
                written.set(cell, undefined),
            );
            return { written, read: touched.read };
        }
        written.set(controlCell(instance), offer.target);
        const live = graph.live[offer.target]!;
        for (const { info } of instance.locals) {
            for (const { cell } of leavesNow(info, after)) {
                const value = live.has(info.local!) ? after.get(cell) : undefined;
                if (value !== before.get(cell)) {
                    written.set(cell, value);
                } else {
                    written.delete(cell);
                }
            }
        }
        return { written, read: touched.read };
    }

    function communicate(
        step: StepNode,
        { channel, value }: NonNullable<Participant['message']>,
        after: Map<Cell, Value>,
        written: Set<Cell>,
        memory: Memory,
    ): void {
        const putHere = (cell: Cell, item: Value | undefined): void => {
            written.add(cell);
            put(after, cell, item);
        };
        const { communication } = step;
        if (communication?.kind === 'send') {
            if (channel.capacity > 0) {
                const length = Number(after.get(lengthCell(channel)));
                const items = flatten(channel.message, value);
                slotCells(channel, length).forEach(({ cell }, position) => putHere(cell, items[position]));
                putHere(lengthCell(channel), length + 1);
            }
        } else if (communication?.kind === 'receive') {
            if (channel.capacity > 0) {
                const length = Number(after.get(lengthCell(channel)));
                for (let slot = 0; slot < length; slot++) {
                    const following = slot + 1 < length ? slotCells(channel, slot + 1) : [];
                    const moved = following.map(({ cell }) => after.get(cell));
                    slotCells(channel, slot).forEach(({ cell }, position) => putHere(cell, moved[position]));
                }
                putHere(lengthCell(channel), length - 1);
            }
            bind(step, value, memory);
        }
    }

    /** Writes what the pattern of a receive names. */
    function bind({ communication, names }: StepNode, value: Value, memory: Memory): void {
        const parts = communication?.kind === 'receive' ? flattenPattern(communication.pattern, names, evaluator) : [];
        for (const part of parts.filter(({ binds }) => binds)) {
            evaluator.assign(part.value as PlaceExpression, fieldAt(value, part.path), names, memory);
        }
    }

    function channelOf(place: PlaceExpression, step: StepNode, start: State): Channel {
        const name = evaluator.evaluate(place, step.names, memoryOf(start));
        const channel = evaluator.channelNamed(formatValue(name));
        if (channel === undefined) {
            throw name === null ? new FaultError('undefined') : new Error(`${formatValue(name)} is no channel`);
        }
        if (!referencesIn(channel.name).every(owner => isAliveIn(start, owner))) {
            throw new FaultError('index');
        }
        return channel;
    }

    function isGrowingChannel(place: PlaceExpression, step: StepNode): boolean {
        const meaning = place.kind === 'name' ? step.names.get(place.name) : undefined;
        return meaning?.kind === 'channels' && isGrowing(meaning.indices);
    }

    /** The channels that a step may name, as far as the text says. */
    function possibleChannels(place: PlaceExpression, step: StepNode, state: State): Channel[] {
        const outcome = evaluator.staticOutcome(place, step.names);
        if (outcome !== undefined) {
            return 'value' in outcome ? [channels.get(formatValue(outcome.value))!] : [];
        }
        const meaning = place.kind === 'name' ? step.names.get(place.name) : undefined;
        if (place.kind === 'name' && meaning?.kind === 'channels') {
            const indices = presentIndices(meaning.indices, template => livingIn(state, template));
            return positionsOf(indices)
                .filter(position =>
                    place.indices.every((index, dimension) => {
                        const known = evaluator.staticOutcome(index, step.names);
                        return known === undefined || !('value' in known) || equal(known.value, position[dimension]!);
                    }),
                )
                .map(position => evaluator.channelNamed(place.name + formatIndices(position))!);
        }
        return [...channels.values()];
    }

    /** The value of a message; a value that its channel does not carry is a fault. */
    function sent(message: Expression, channel: Channel, step: StepNode, start: State): { value: Value } | Fault {
        return catchFault(() => ({
            value: convert(evaluator.evaluate(message, step.names, memoryOf(start)), channel.message),
        }));
    }

    function isMatch(pattern: Pattern, value: Value, step: StepNode, start: State): boolean {
        return flattenPattern(pattern, step.names, evaluator).every(part => {
            const own = fieldAt(value, part.path);
            return (
                part.binds ||
                (part.value === undefined
                    ? isRecord(own) && (part.record ?? own.record) === own.record
                    : equal(own, evaluator.evaluate(part.value, step.names, memoryOf(start))))
            );
        });
    }

    /** The event instances that offers may name, `get[0, 1]`: all values if an argument depends on the state. */
    function alphabet(instance: Instance, state: State): Map<string, { event: string; values: readonly Value[] }> {
        const names = new Map<string, { event: string; values: readonly Value[] }>();
        for (const { path, step } of graphOf(instance).offers.flat()) {
            if (step?.communication?.kind !== 'event') {
                continue;
            }
            const { name, arguments: given } = step.communication;
            for (const chosen of choicesOn(path, new Map())) {
                const possible = given.map((argument, position) => {
                    const known = knownValue({ expression: argument, names: step.names }, chosen);
                    const dimension = model.events.get(name)![position]!;
                    const all = typeof dimension === 'string' ? livingIn(state, dimension) : dimension;
                    return known === undefined ? all : all.filter(value => equal(value, known));
                });
                positionsOf(possible).forEach(values =>
                    names.set(name + formatIndices(values), { event: name, values }),
                );
            }
        }
        return names;
    }

    /** What may be chosen on a path, as far as that and the tests behind it are known before the run. */
    function choicesOn([element, ...rest]: readonly PathElement[], chosen: State): State[] {
        switch (element?.kind) {
            case undefined:
                return [chosen];
            case 'label':
                return choicesOn(rest, chosen);
            case 'test': {
                const known = knownValue(element.condition, chosen);
                return known === undefined || known === element.holds ? choicesOn(rest, chosen) : [];
            }
            case 'initialize': {
                const { info, declaration, names } = element.local;
                const unknown = new Map(chosen);
                leavesOf(info.domain, info.name).forEach(({ cell }) => unknown.delete(cell));
                const values = ['any', 'in'].includes(declaration.initial.kind)
                    ? unlessUnknown(() =>
                          evaluator.initialValues(declaration, info.domain, names, memoryOfChosen(chosen)),
                      )
                    : undefined;
                return values === undefined
                    ? choicesOn(rest, unknown)
                    : values.flatMap(value => choicesOn(rest, withValue(info, value, chosen)));
            }
        }
    }

    function knownValue({ expression, names }: Closure, chosen: State): Value | undefined {
        return unlessUnknown(() => evaluator.evaluate(expression, names, memoryOfChosen(chosen)));
    }

    /** Of what is chosen on the way; everything else is not known before the run. */
    function memoryOfChosen(chosen: State): Memory {
        const unknown = (): never => {
            throw new NotStatic();
        };
        return {
            read: cell => (chosen.has(cell) ? chosen.get(cell)! : unknown()),
            write: unknown,
            length: unknown,
            isAt: unknown,
            living: unknown,
            indices: unknown,
            isAlive: unknown,
            create: unknown,
            key: unknown,
        };
    }

    /** Undefined where the value depends on the state, or is a fault. */
    function unlessUnknown<T>(evaluate: () => T): T | undefined {
        try {
            return evaluate();
        } catch (error) {
            if (error instanceof NotStatic || error instanceof FaultError) {
                return undefined;
            }
            throw error;
        }
    }

    function allMayStop(state: State): boolean {
        return instancesIn(state).every(instance =>
            offersAt(instance, state).some(
                ({ path, step }) =>
                    (step === undefined || path.some(element => element.kind === 'label' && element.isEnd)) &&
                    follow(path, state).some(outcome => typeof outcome === 'object'),
            ),
        );
    }

    function initialStates(most = Infinity): State[] | undefined {
        let states: State[] = [new Map()];
        const extend = (variable: LocalVariable): void => {
            const shorter = states;
            states = [];
            for (const state of shorter) {
                // One more than that are enough to tell; all of them may be beyond any memory.
                const missing = most + 1 - states.length;
                const values = startValues(variable, state, memoryOf(state), missing);
                values.forEach(value => states.push(withValue(variable.info, value, state)));
            }
        };
        for (const channel of channels.values()) {
            if (channel.capacity > 0) {
                const contents = { kind: 'sequence', capacity: channel.capacity, member: channel.message } as const;
                const value = convert(evaluator.contentsAtStart(channel.name), contents);
                states = states.map(state => withValue({ name: channel.name, domain: contents }, value, state));
            }
        }
        model.shared.forEach(extend);
        if (model.starts.length > 0) {
            states = states.flatMap(state =>
                model.starts.map(({ body, names }) => {
                    const computed = new Map(state);
                    evaluator.execute(body, names, memoryOf(computed));
                    return computed;
                }),
            );
        }
        for (const instance of instances) {
            instance.head.forEach(extend);
            states = states.map(state => new Map(state).set(controlCell(instance), graphOf(instance).initial));
        }
        if (states.length > most) {
            return undefined;
        }
        const distinct = new Map<string, State>();
        for (const state of states) {
            const cleared = new Map(state);
            for (const instance of instances) {
                const graph = graphOf(instance);
                for (const { info } of instance.locals) {
                    if (!graph.live[graph.initial]!.has(info.local!)) {
                        leavesNow(info, cleared).forEach(({ cell }) => cleared.delete(cell));
                    }
                }
            }
            if (model.initialConditions.every(condition => evaluate(condition, cleared) === true)) {
                distinct.set(key(cleared), cleared);
            }
        }
        return [...distinct.values()];
    }

    return { model, cells, parts, within, initialStates, fire, allMayStop, evaluate, control: graphOf, key };
}

function failed(wanted: string): never {
    throw new Error(`${wanted} is wanted`);
}

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

/** Nothing is left but the end of the body, without a test that must hold and without a choice. */
function hasEnded(graph: ControlGraph, location: number): boolean {
    const offers = graph.offers[location] ?? [];
    const isEnd = ({ path, step }: LocatedOffer): boolean =>
        step === undefined && path.every(({ kind }) => kind === 'label');
    return location < 0 || (offers.length > 0 && offers.every(isEnd));
}

/** How many instances of a template there have been; no state is told from another by it. */
export function createdCell(template: string): Cell {
    return `created(${template})`;
}

/** What a body reads that asks whether an instance lives, and one writes that creates or ends it. It holds nothing. */
function aliveCell(reference: string): Cell {
    return `alive(${reference})`;
}

function controlCell(instance: Instance): Cell {
    return `${instance.name}.at`;
}

function lengthCell(channel: Channel): Cell {
    return `len(${channel.name})`;
}

function slotName(channel: Channel, slot: number): string {
    return `${channel.name}[${slot}]`;
}

function slotCells(channel: Channel, slot: number): ReturnType<typeof leavesOf> {
    return leavesOf(channel.message, slotName(channel, slot));
}

function put(state: Map<Cell, Value>, cell: Cell, value: Value | undefined): void {
    if (value === undefined) {
        state.delete(cell);
    } else {
        state.set(cell, value);
    }
}

function fieldAt(value: Value, path: readonly number[]): Value {
    return path.reduce<Value>((record, position) => {
        if (!isRecord(record)) {
            throw new Error('a record pattern meets a record');
        }
        return record.fields[position]!;
    }, value);
}
