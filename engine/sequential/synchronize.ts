/**
 * Where steps meet. An event instance `e[v]` fires when every instance with `e[v]` in its alphabet has a ready offer of
 * it; one offer of each makes one summand (CSP's alphabetized parallel). The alphabet of an instance comes from all its
 * offers, also from those of an instance that has terminated meanwhile. A rendezvous is a send and a receive of two
 * instances; what is sent or received by way of a buffer is a step of one.
 *
 * An argument or a channel that is not known before the run stands for all values of its type: one offer for each, with
 * the comparison appended to the path.
 *
 * A communication takes place before the body of its step: a message is appended or removed, and what a pattern binds is
 * written, when the body begins.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, formatValue, valueOfCode } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import type { EventDeclaration, Model } from '../model/model.js';
import { readsAnyOf } from './cell-access.js';
import { nameOfChannel } from './cell-layout.js';
import type { ChannelCells } from './cell-layout.js';
import type { InstanceView, OfferedCommunication } from './control/instance-view.js';
import { LIMITS, stop } from './linearization-limits.js';
import type { NodeBudget } from './linearization-limits.js';
import { completed } from './control/offers.js';
import type { InstanceOffer } from './control/offers.js';
import { RaceSearch } from './races.js';
import type { Racer } from './races.js';
import type {
    Cell,
    Instance,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialStatement,
    Summand,
} from './sequential-model.js';
import { binary, conditional, constant, disjunction, FALSE, isFalse, isTrue } from './expression/simplify.js';
import { assignable, inDomain, substitute } from './expression/substitute.js';
import type { TemporaryCells } from './expression/temporary-cells.js';
import { mayFault, mayLeave } from './expression/bounds.js';

interface EventOffer {
    readonly offer: number;
    readonly participant: Participant;
}

/** One event with values for its arguments, and who takes part. */
interface Meeting {
    readonly name: string;
    readonly range: SourceRange;
    /** The codes of the arguments. */
    readonly codes: readonly number[];
    /** In the order of the instances. */
    readonly parties: Map<number, EventOffer[]>;
}

/** A rendezvous channel and who may meet there. */
interface Rendezvous {
    readonly channel: number;
    readonly position: number;
    readonly senders: ChannelOffer<'send'>[];
    readonly receivers: ChannelOffer<'receive'>[];
}

interface ChannelOffer<Kind extends 'send' | 'receive'> {
    readonly instance: number;
    readonly index: number;
    readonly offer: InstanceOffer;
    readonly communication: Extract<OfferedCommunication, { kind: Kind }>;
    /** That the channel is this one. */
    readonly tests: readonly PathElement[];
}

interface OrderedSummand {
    readonly summand: Summand;
    /** Instance and offer of the first participant, what they communicate by, then the other participants. */
    readonly order: readonly number[];
}

export interface SynchronizeOptions {
    readonly model: Model;
    /** By the index in `Model.channels`. */
    readonly channels: readonly ChannelCells[];
    readonly cells: readonly Cell[];
    readonly instances: readonly Instance[];
    /** By instance. */
    readonly views: readonly InstanceView[];
    readonly budget: NodeBudget;
    readonly temporaries: TemporaryCells;
}

/** `offers[instance]` are the offers of an instance in the order of its locations and of the text. */
export function synchronize(
    options: SynchronizeOptions,
    offers: readonly (readonly InstanceOffer[])[],
): { summands: Summand[]; problems: Problem[] } {
    const synchronizer = new Synchronizer(options);
    offers.forEach((offersOfInstance, instance) => {
        offersOfInstance.forEach((offer, index) => {
            synchronizer.addOffer(offer, instance, index);
        });
    });
    return synchronizer.finish();
}

/** By offer the summand of who takes its step alone. */
const aloneSummands = new WeakMap<InstanceOffer, Summand | 'never'>();

class Synchronizer {
    readonly #options: SynchronizeOptions;
    readonly #cells: readonly Cell[];
    readonly #ordered: OrderedSummand[] = [];
    readonly #meetings = new Map<string, Meeting>();
    readonly #rendezvous = new Map<string, Rendezvous>();
    readonly #races: RaceSearch;

    constructor(options: SynchronizeOptions) {
        this.#options = options;
        this.#cells = options.cells;
        this.#races = new RaceSearch(options.cells, options.instances, options.budget);
    }

    addOffer(offer: InstanceOffer, instance: number, index: number): void {
        const { communication } = offer;
        if (communication === undefined) {
            this.#addAlone(offer, [instance, index]);
        } else if (communication.kind === 'event') {
            this.#addEvent(offer, communication, instance, index);
        } else {
            this.#addChannel(offer, communication, instance, index);
        }
    }

    finish(): { summands: Summand[]; problems: Problem[] } {
        for (const meeting of this.#meetings.values()) {
            this.#meet(meeting);
        }
        for (const rendezvous of this.#rendezvous.values()) {
            this.#meetAtChannel(rendezvous);
        }
        this.#ordered.sort((first, second) => compareOrders(first.order, second.order));
        return { summands: this.#ordered.map(({ summand }) => summand), problems: this.#races.problems };
    }

    #add(summand: Summand, order: readonly number[], range: SourceRange): void {
        this.#ordered.push({ summand, order });
        if (this.#ordered.length > LIMITS.summands) {
            tooManySummands(range);
        }
    }

    /** An offer that meets nobody. Where it is that of an earlier model, so is its summand. */
    #addAlone(offer: InstanceOffer, order: readonly number[]): void {
        let summand = aloneSummands.get(offer);
        if (summand === undefined) {
            summand = this.#alone(completed(offer, [], [], this.#cells)) ?? 'never';
            aloneSummands.set(offer, summand);
        }
        if (summand !== 'never') {
            this.#add(summand, order, offer.participant.range);
        }
    }

    #addParticipant(participant: Participant, order: readonly number[], name?: string): void {
        const summand = this.#alone(participant, name);
        if (summand !== undefined) {
            this.#add(summand, order, participant.range);
        }
    }

    #alone(participant: Participant, name = `line ${participant.range.start.line + 1}`): Summand | undefined {
        return canMatter(participant, this.#cells)
            ? { label: participant.label ?? name, participants: [participant] }
            : undefined;
    }

    #addEvent(
        offer: InstanceOffer,
        communication: Extract<OfferedCommunication, { kind: 'event' }>,
        instance: number,
        index: number,
    ): void {
        const { range } = communication;
        const event = this.#options.model.events[communication.event];
        const choices = choicesOfArguments(event.arguments, communication.arguments, range, this.#cells);
        if (choices.fault !== undefined) {
            this.#addParticipant(completed(offer, testElements([choices.fault]), [], this.#cells), [instance, index]);
        }
        for (const { codes, tests } of choices.choices) {
            const key = `${communication.event}:${codes.join(',')}`;
            let meeting = this.#meetings.get(key);
            if (meeting === undefined) {
                if (this.#meetings.size >= LIMITS.summands) {
                    tooManySummands(range);
                }
                const parties = new Map<number, EventOffer[]>();
                meeting = { name: eventName(event, codes), range, codes, parties };
                this.#meetings.set(key, meeting);
            }
            let party = meeting.parties.get(instance);
            if (party === undefined) {
                party = [];
                meeting.parties.set(instance, party);
            }
            // An offer that can never be ready keeps the event in the alphabet.
            const participant = completed(offer, testElements(tests), [], this.#cells);
            if (canMatter(participant, this.#cells)) {
                party.push({ offer: index, participant });
            }
        }
    }

    #meet(meeting: Meeting): void {
        const parties = [...meeting.parties];
        let product = 1;
        for (const [, party] of parties) {
            product *= party.length;
            if (product > LIMITS.summands) {
                tooManySummands(meeting.range);
            }
        }
        if (product === 0) {
            return;
        }
        forEachChoice(
            parties.map(([, party]) => party),
            chosen => {
                const racers = chosen.map(({ participant }): Racer => ({ participant, bindings: [] }));
                const participants = this.#withoutRace(meeting.name, racers);
                const label = participants.find(participant => participant.label !== undefined)?.label ?? meeting.name;
                const partners = chosen.map((offer, index) => [parties[index][0], offer.offer]);
                const order = [...partners[0], ...meeting.codes, ...partners.slice(1).flat()];
                this.#add({ label, participants }, order, meeting.range);
            },
        );
    }

    /**
     * The participants, one of them with a test for a race where there may be one. The test comes last on its path, so
     * that a guard that does not hold keeps the step from being a fault. It is about the state before the step, so the
     * path is one that writes nothing of what it reads.
     */
    #withoutRace(step: string, racers: readonly Racer[]): Participant[] {
        const participants = racers.map(({ participant }) => participant);
        const test = racers.length === 1 ? undefined : this.#races.test(step, racers);
        if (test !== undefined) {
            const host = participants.findIndex(({ path }) => {
                const assigned = path.flatMap(element => (element.kind === 'assign' ? [element.cell] : []));
                return !readsAnyOf(test, new Set(assigned));
            });
            if (host < 0) {
                const { range } = participants[0];
                return stop(
                    'event/race',
                    `whether \`${step}\` is a race cannot be said before its paths are taken`,
                    range,
                );
            }
            const { path } = participants[host];
            participants[host] = { ...participants[host], path: [...path, { kind: 'test', condition: test }] };
        }
        return participants;
    }

    #addChannel(
        offer: InstanceOffer,
        communication: Exclude<OfferedCommunication, { kind: 'event' }>,
        instance: number,
        index: number,
    ): void {
        const { channel, range } = communication;
        const choices = choicesOfArguments(channel.domains, channel.arguments, range, this.#cells);
        if (choices.fault !== undefined) {
            this.#addParticipant(completed(offer, testElements([choices.fault]), [], this.#cells), [instance, index]);
        }
        for (const { codes, tests } of choices.choices) {
            const { channel: number, position } = channel.at(codes);
            const layout = this.#options.channels[number];
            const here = testElements(tests);
            if (layout.capacity > 0) {
                const participant =
                    communication.kind === 'send'
                        ? this.#sendToBuffer(offer, communication, layout, position, here)
                        : this.#receiveFromBuffer(offer, communication, layout, position, here);
                const name = `${communication.kind} ${nameOfChannel(this.#options.model.channels[number], position)}`;
                this.#addParticipant(participant, [instance, index, ...codes], name);
                continue;
            }
            const key = `${number}:${position}`;
            let rendezvous = this.#rendezvous.get(key);
            if (rendezvous === undefined) {
                rendezvous = { channel: number, position, senders: [], receivers: [] };
                this.#rendezvous.set(key, rendezvous);
            }
            if (communication.kind === 'send') {
                rendezvous.senders.push({ instance, index, offer, communication, tests: here });
            } else {
                rendezvous.receivers.push({ instance, index, offer, communication, tests: here });
            }
        }
    }

    #sendToBuffer(
        offer: InstanceOffer,
        { values, range }: Extract<OfferedCommunication, { kind: 'send' }>,
        layout: ChannelCells,
        position: number,
        here: readonly PathElement[],
    ): Participant {
        const length = layout.lengthCell(position);
        const current: SequentialExpression = { kind: 'cell', cell: length, range };
        const hasRoom = binary('<', current, constant(layout.capacity), range);
        const fill = (slot: number): SequentialStatement[] =>
            values.map((value, scalar) => ({
                kind: 'assign',
                target: { kind: 'cell', cell: layout.slotCell(position, slot, scalar) },
                value,
                range,
            }));
        const statements = Array.from({ length: layout.capacity }, (_, slot): SequentialStatement => {
            this.#options.budget.spend(values.length + 1, range);
            const condition = binary('==', current, constant(slot), range);
            return { kind: 'if', condition, then: fill(slot), otherwise: [], range };
        });
        const grow: SequentialStatement = {
            kind: 'assign',
            target: { kind: 'cell', cell: length },
            value: binary('+', current, constant(1), range),
            range,
        };
        return completed(
            offer,
            [...here, { kind: 'test', condition: hasRoom }],
            [...(layout.capacity === 1 ? fill(0) : statements), grow],
            this.#cells,
        );
    }

    #receiveFromBuffer(
        offer: InstanceOffer,
        communication: Extract<OfferedCommunication, { kind: 'receive' }>,
        layout: ChannelCells,
        position: number,
        here: readonly PathElement[],
    ): Participant {
        const { range } = communication;
        const length = layout.lengthCell(position);
        const current: SequentialExpression = { kind: 'cell', cell: length, range };
        const scalars = Array.from({ length: layout.scalars }, (_, scalar) => scalar);
        const slotOf = (slot: number, scalar: number): number => layout.slotCell(position, slot, scalar);
        const head = scalars.map((scalar): SequentialExpression => ({ kind: 'cell', cell: slotOf(0, scalar), range }));
        const { tests, bindings } = this.#options.views[offer.participant.instance].match(communication, head);
        const moves: SequentialStatement[] = [];
        for (let slot = 0; slot < layout.capacity; slot++) {
            this.#options.budget.spend(2 * layout.scalars, range);
            const clear = scalars.map((scalar): SequentialStatement => ({ kind: 'clear', cell: slotOf(slot, scalar) }));
            const isLast: SequentialStatement = {
                kind: 'if',
                condition: binary('==', current, constant(slot + 1), range),
                then: clear,
                otherwise: [],
                range,
            };
            if (slot === layout.capacity - 1) {
                moves.push(...(slot === 0 ? clear : [isLast]));
                break;
            }
            moves.push({
                kind: 'if',
                condition: binary('>', current, constant(slot + 1), range),
                then: scalars.map(scalar => ({
                    kind: 'assign',
                    target: { kind: 'cell', cell: slotOf(slot, scalar) },
                    value: { kind: 'cell', cell: slotOf(slot + 1, scalar), range },
                    range,
                })),
                otherwise: [isLast],
                range,
            });
        }
        const shrink: SequentialStatement = {
            kind: 'assign',
            target: { kind: 'cell', cell: length },
            value: binary('-', current, constant(1), range),
            range,
        };
        const hasMessage = binary('>', current, constant(0), range);
        return completed(
            offer,
            [...here, { kind: 'test', condition: hasMessage }, ...testElements(tests)],
            [...bindings, ...moves, shrink],
            this.#cells,
        );
    }

    #meetAtChannel({ channel, position, senders, receivers }: Rendezvous): void {
        const declaration = this.#options.model.channels[channel];
        const name = nameOfChannel(declaration, position);
        for (const sender of senders) {
            const sending = this.#sender(sender, channel);
            if (!canMatter(sending.participant, this.#cells)) {
                continue;
            }
            for (const receiver of receivers) {
                if (receiver.instance === sender.instance) {
                    continue;
                }
                const receiving = this.#receiver(receiver, sending.message);
                if (!canMatter(receiving.participant, this.#cells)) {
                    continue;
                }
                const isSenderFirst = sender.instance < receiver.instance;
                const senderRacer: Racer = { participant: sending.participant, bindings: [] };
                const racers = isSenderFirst ? [senderRacer, receiving] : [receiving, senderRacer];
                const [first, second] = isSenderFirst ? [sender, receiver] : [receiver, sender];
                const label = sending.participant.label ?? receiving.participant.label ?? name;
                this.#add(
                    { label, participants: this.#withoutRace(name, racers) },
                    [first.instance, first.index, channel, position, second.instance, second.index],
                    sender.communication.range,
                );
            }
        }
    }

    /** The sender, and what it sends in terms of the state before the step. */
    #sender(
        { offer, communication, tests }: ChannelOffer<'send'>,
        channel: number,
    ): { readonly participant: Participant; readonly message: readonly SequentialExpression[] } {
        const { values, range } = communication;
        const { message: scalars } = this.#options.model.channels[channel];
        const fits = values.map((value, scalar) => assignable(value, scalars[scalar].domain, this.#cells, range));
        const participant = completed(offer, [...tests, ...testElements(fits)], [], this.#cells);
        const initialized = new Map<number, SequentialExpression>();
        for (const element of participant.path) {
            if (element.kind === 'assign') {
                const value = substitute(element.value, initialized, this.#options.budget);
                initialized.set(
                    element.cell,
                    inDomain(value, this.#cells[element.cell].domain, this.#cells, element.range),
                );
            }
        }
        const message = values.map((value, scalar) =>
            inDomain(substitute(value, initialized, this.#options.budget), scalars[scalar].domain, this.#cells, range),
        );
        return { participant, message };
    }

    /**
     * The receiver of a message. What the pattern binds is written at the end of the path, for there the sender's cells
     * are still as they were before the step; where the cell is not known before, its body begins with the write.
     */
    #receiver(
        { offer, communication, tests, instance }: ChannelOffer<'receive'>,
        message: readonly SequentialExpression[],
    ): Racer {
        const matched = this.#options.views[instance].match(communication, message);
        // All values are kept or written on the way; first those that are kept, in terms of the state before the step.
        const kept: PathElement[] = [];
        const written: PathElement[] = [];
        const writtenCells = new Set<number>();
        const bindings: SequentialStatement[] = [];
        const keep = (statement: SequentialStatement): void => {
            invariant(statement.kind === 'assign' && statement.target.kind === 'cell', 'a value is kept in a cell');
            kept.push({
                kind: 'assign',
                cell: statement.target.cell,
                value: statement.value,
                range: statement.range,
            });
        };
        this.#options.temporaries.continueStep(instance, this.#options.instances[instance].name);
        for (const statement of matched.bindings) {
            if (statement.kind !== 'assign') {
                // The place does not exist: what is left is the fault.
                bindings.push(statement);
                continue;
            }
            const { target, value, range } = statement;
            if (target.kind === 'cell' && this.#cells[target.cell].kind === 'temporary') {
                keep(statement);
            } else if (target.kind === 'cell' && !readsAnyOf(value, writtenCells)) {
                written.push({ kind: 'assign', cell: target.cell, value, range });
                writtenCells.add(target.cell);
            } else {
                const held = this.#options.temporaries.hold('message', value, range);
                held.statements.forEach(keep);
                bindings.push({ kind: 'assign', target, value: held.value, range });
            }
        }
        const tail = [...tests, ...testElements(matched.tests), ...kept, ...written];
        const participant = completed(offer, tail, bindings, this.#cells);
        return { participant, bindings };
    }
}

/** Whether the path may hold or fault: no test is known to be false, or a fault may come before it. */
function canMatter(participant: Participant, cells: readonly Cell[]): boolean {
    for (const element of participant.path) {
        if (element.kind === 'assign') {
            if (mayFault(element.value, cells) || mayLeave(cells[element.cell].domain, element.value, cells)) {
                return true;
            }
        } else if (isFalse(element.condition)) {
            return false;
        } else if (mayFault(element.condition, cells)) {
            return true;
        }
    }
    return true;
}

function testElements(tests: readonly SequentialExpression[]): PathElement[] {
    return tests.filter(test => !isTrue(test)).map(condition => ({ kind: 'test', condition }));
}

interface ArgumentChoices {
    /** The codes of the arguments, and the tests under which they have these values. */
    readonly choices: { readonly codes: readonly number[]; readonly tests: readonly SequentialExpression[] }[];
    /** A test that is a fault where an argument is outside its type, and false elsewhere. */
    readonly fault?: SequentialExpression;
}

function choicesOfArguments(
    domains: readonly Domain[],
    args: readonly SequentialExpression[],
    range: SourceRange,
    cells: readonly Cell[],
): ArgumentChoices {
    const outside: SequentialExpression = { kind: 'fault', fault: 'index', range };
    let choices: { codes: number[]; tests: SequentialExpression[] }[] = [{ codes: [], tests: [] }];
    let fault: SequentialExpression = FALSE;
    for (let position = domains.length - 1; position >= 0; position--) {
        const domain = domains[position];
        const argument = args[position];
        if (argument.kind === 'constant') {
            const code = codeOfValue(domain, argument.value);
            if (code < 0) {
                fault = outside;
                choices = [];
            }
            choices = choices.map(({ codes, tests }) => ({ codes: [code, ...codes], tests }));
            continue;
        }
        const size = domainSize(domain);
        if (choices.length * size > LIMITS.summands) {
            tooManySummands(range);
        }
        const tests = Array.from({ length: size }, (_, code) =>
            binary('==', argument, constant(valueOfCode(domain, code)), range),
        );
        if (mayLeave(domain, argument, cells) || mayFault(argument, cells)) {
            fault = conditional(disjunction(tests, range), fault, outside, range);
        }
        choices = tests.flatMap((test, code) =>
            choices.map(rest => ({ codes: [code, ...rest.codes], tests: [test, ...rest.tests] })),
        );
    }
    return isFalse(fault) ? { choices } : { choices, fault };
}

function eventName(declaration: EventDeclaration, codes: readonly number[]): string {
    const values = codes.map((code, position) => {
        const domain = declaration.arguments[position];
        return formatValue(domain, valueOfCode(domain, code));
    });
    return values.length === 0 ? declaration.name : `${declaration.name}[${values.join(', ')}]`;
}

/** Calls `visit` with each way to choose one of each list. */
function forEachChoice<T>(lists: readonly (readonly T[])[], visit: (chosen: readonly T[]) => void): void {
    const positions = lists.map(() => 0);
    for (;;) {
        visit(lists.map((list, index) => list[positions[index]]));
        let index = lists.length - 1;
        while (index >= 0 && ++positions[index] === lists[index].length) {
            positions[index--] = 0;
        }
        if (index < 0) {
            return;
        }
    }
}

function compareOrders(first: readonly number[], second: readonly number[]): number {
    const length = Math.min(first.length, second.length);
    for (let index = 0; index < length; index++) {
        if (first[index] !== second[index]) {
            return first[index] - second[index];
        }
    }
    return first.length - second.length;
}

function tooManySummands(range: SourceRange): never {
    return stop(
        'limit/joint-steps',
        `the steps of the model can be combined in more than ${LIMITS.summands.toLocaleString('en-US')} ways`,
        range,
    );
}
