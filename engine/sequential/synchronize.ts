/**
 * The meeting of steps. An event `e[v]` fires if every instance with `e[v]` in its alphabet offers it (the alphabet
 * comes from all its offers); each choice of one offer per instance is one summand (the alphabetized parallel of CSP).
 * A rendezvous joins a send and a receive of two instances; a step at a buffer has one participant. A variable argument
 * or channel becomes one offer for each value, compared at the end of the path. A communication takes place before the
 * body.
 */
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, formatValue, templateOf, valueOfCode } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import type { EventDeclaration } from '../model/model.js';
import { readsAnyOf } from './cell-access.js';
import { nameOfElement } from './cell-layout.js';
import type { OfferedCommunication } from './control/instance-view.js';
import { LIMITS, stop } from './linearization-limits.js';
import {
    headOf,
    receiveFromBuffer,
    receiverOf,
    senderOf,
    sendToBuffer,
    testElements,
    type ChannelOffer,
    type SynchronizeOptions,
} from './channel-steps.js';
import { completed } from './control/offers.js';
import type { InstanceOffer } from './control/offers.js';
import { RaceSearch } from './races.js';
import type { Racer } from './races.js';
import type {
    Cell,
    Participant,
    SequentialExpression,
    Summand,
    SummandMessage,
    TemplateSlots,
} from './sequential-model.js';
import { looksOnPath } from './templates/looks-on-path.js';
import { isAlive } from './expression/alive.js';
import { binary, conditional, conjunction, constant, disjunction, FALSE, isFalse } from './expression/simplify.js';
import { isDefined } from './expression/substitute.js';
import { mayFault, mayLeave } from './expression/bounds.js';

interface EventOffer {
    readonly offer: number;
    readonly participant: Participant;
}

/** One event with values for its arguments, and its participants. */
interface Meeting {
    readonly name: string;
    readonly range: SourceRange;
    /** Index into `Model.events`. */
    readonly event: number;
    /** The codes of the arguments. */
    readonly codes: readonly number[];
    /** In the order of the instances. */
    readonly parties: Map<number, EventOffer[]>;
}

/** A rendezvous channel and its possible partners. */
interface Rendezvous {
    readonly channel: number;
    readonly position: number;
    readonly senders: ChannelOffer<'send'>[];
    readonly receivers: ChannelOffer<'receive'>[];
}

interface OrderedSummand {
    readonly summand: Summand;
    /** Instance and offer of the first participant, the event or channel, then the other participants. */
    readonly order: readonly number[];
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

/** By offer the summand of a step without partners. */
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

    /** The summand of an offer without partners. An offer from an earlier model keeps its summand. */
    #addAlone(offer: InstanceOffer, order: readonly number[]): void {
        const message = offer.message && { by: 0, channel: offer.message.domain, scalars: [offer.message.value] };
        const summand = remembered(
            aloneSummands,
            offer,
            () => this.#alone(completed(offer, [], [], this.#cells), message) ?? 'never',
        );
        if (summand !== 'never') {
            this.#add(summand, order, offer.participant.range);
        }
    }

    #addParticipant(participant: Participant, order: readonly number[], message?: SummandMessage, name?: string): void {
        const summand = this.#alone(participant, message, name);
        if (summand !== undefined) {
            this.#add(summand, order, participant.range);
        }
    }

    #alone(
        participant: Participant,
        message: SummandMessage | undefined,
        name = `line ${participant.range.start.line + 1}`,
    ): Summand | undefined {
        return canMatter(participant, this.#cells)
            ? { label: participant.label ?? name, participants: [participant], ...(message && { message }) }
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
            const meeting = remembered(this.#meetings, key, () => {
                const name = eventName(event, codes);
                return this.#meetings.size < LIMITS.summands
                    ? { name, range, event: communication.event, codes, parties: new Map<number, EventOffer[]>() }
                    : tooManySummands(range);
            });
            const party = remembered(meeting.parties, instance, () => []);
            // An offer that is never ready still keeps the event in the alphabet.
            const alive = this.#areAlive(event.arguments, codes, instance, range);
            const participant = completed(offer, testElements([...tests, ...alive]), [], this.#cells);
            if (canMatter(participant, this.#cells)) {
                party.push({ offer: index, participant });
            }
        }
    }

    /** That the instances live that an event is for: one that has ended has no events. */
    #areAlive(
        domains: readonly Domain[],
        codes: readonly number[],
        self: number,
        range: SourceRange,
    ): SequentialExpression[] {
        return domains.flatMap((domain, position) => {
            const slots = this.#options.templates[templateOf(domain) ?? -1];
            const slot = codes[position];
            return slots === undefined || slots.slots[slot].instance === self ? [] : [isAlive(slots, slot, range)];
        });
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
                const { event, codes } = meeting;
                this.#add({ label, event: { event, codes }, participants }, order, meeting.range);
            },
        );
    }

    /**
     * The participants, one with a test if there may be a race: last on a path, after the guard, and over the state
     * before the step, so that path must not write the cells that it reads.
     */
    #withoutRace(step: string, racers: readonly Racer[]): Participant[] {
        const participants = racers.map(({ participant }) => participant);
        refuseJointNames(step, participants);
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
                        ? sendToBuffer(this.#options, offer, communication, layout, position, here)
                        : receiveFromBuffer(this.#options, offer, communication, layout, position, here);
                const scalars = communication.kind === 'send' ? communication.values : headOf(layout, position, range);
                const name = `${communication.kind} ${nameOfElement(this.#options.model.channels[number], position)}`;
                const message = { by: 0, channel: number, scalars };
                this.#addParticipant(participant, [instance, index, ...codes], message, name);
                continue;
            }
            const key = `${number}:${position}`;
            const rendezvous = remembered(this.#rendezvous, key, () => ({
                channel: number,
                position,
                senders: [],
                receivers: [],
            }));
            if (communication.kind === 'send') {
                rendezvous.senders.push({ instance, index, offer, communication, tests: here });
            } else {
                rendezvous.receivers.push({ instance, index, offer, communication, tests: here });
            }
        }
    }

    #meetAtChannel({ channel, position, senders, receivers }: Rendezvous): void {
        const declaration = this.#options.model.channels[channel];
        const name = nameOfElement(declaration, position);
        for (const sender of senders) {
            const sending = senderOf(this.#options, sender, channel);
            if (!canMatter(sending.participant, this.#cells)) {
                continue;
            }
            for (const receiver of receivers) {
                if (receiver.instance === sender.instance) {
                    continue;
                }
                const receiving = receiverOf(this.#options, receiver, sending.message);
                if (!canMatter(receiving.participant, this.#cells)) {
                    continue;
                }
                const isSenderFirst = sender.instance < receiver.instance;
                const senderRacer: Racer = { participant: sending.participant, bindings: [] };
                const racers = isSenderFirst ? [senderRacer, receiving] : [receiving, senderRacer];
                const [first, second] = isSenderFirst ? [sender, receiver] : [receiver, sender];
                const label = sending.participant.label ?? receiving.participant.label ?? name;
                const message = { by: isSenderFirst ? 0 : 1, channel, scalars: sender.communication.values };
                this.#add(
                    { label, participants: this.#withoutRace(name, racers), message },
                    [first.instance, first.index, channel, position, second.instance, second.index],
                    sender.communication.range,
                );
            }
        }
    }
}

/** Two bodies that make or take values of one type without end in one step: whether these are equal is nowhere said. */
function refuseJointNames(step: string, participants: readonly Participant[]): void {
    const seen = new Set<TemplateSlots>();
    for (const { path, range } of participants) {
        const types = new Set(
            looksOnPath(path).flatMap(({ template }) => (template.named === undefined ? [] : [template])),
        );
        types.forEach(type => {
            if (seen.has(type)) {
                stop(
                    'name/joint',
                    `both sides of \`${step}\` take a value of \`${type.name}\` in one step, with \`new\` or a choice; ` +
                        'let one of them do it',
                    range,
                );
            }
            seen.add(type);
        });
    }
}

/**
 * Whether the path may hold or fault: no test is certainly false before a possible fault. Of a step for one of several
 * values no part of a test is, either; another step is kept, since its author is told which test is never true.
 */
function canMatter(participant: Participant, cells: readonly Cell[]): boolean {
    for (const element of participant.path) {
        if (element.kind === 'assign') {
            if (mayFault(element.value, cells) || mayLeave(cells[element.cell].domain, element.value, cells)) {
                return true;
            }
            continue;
        }
        const { condition } = element;
        const hasParts = condition.kind === 'and' && participant.choice !== undefined;
        for (const part of hasParts ? condition.operands : [condition]) {
            if (isFalse(part)) {
                return false;
            }
            if (mayFault(part, cells)) {
                return true;
            }
        }
    }
    return true;
}

interface ArgumentChoices {
    /** The codes of the arguments, and the tests under which they have these values. */
    readonly choices: { readonly codes: readonly number[]; readonly tests: readonly SequentialExpression[] }[];
    /** A test that is a fault if an argument is outside its type, and false otherwise. */
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
        // One firing is the fault of an argument, and not one for each value.
        const sound = isDefined(argument, cells);
        choices = tests.flatMap((test, code) =>
            choices.map(rest => ({
                codes: [code, ...rest.codes],
                tests: [conjunction([sound, test], range), ...rest.tests],
            })),
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

/** Calls `visit` with each choice of one element of each list. */
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
