/**
 * From the offers of the instances to the summands of the model: a step without an event is a summand of its own; steps
 * with the same event meet, one of each instance that has the event in its alphabet.
 *
 * The alphabet of an instance is the set of events its offers may name once static tests are folded, also after it has
 * terminated. An argument that is not known before the run contributes all values of its type, and the comparison with
 * each is appended to the path.
 *
 * Bodies that meet may not race: one may not write a cell that another one reads or writes. Overlaps that cannot be
 * excluded before the run are rejected.
 */
import type { Problem } from '../common/problem.js';
import { formatPosition } from '../common/source-range.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, formatValue, valueOfCode } from '../model/domain.js';
import type { EventDeclaration } from '../model/model.js';
import { LIMITS, stop } from './linearization-limits.js';
import { forEachCellRead } from './liveness.js';
import type {
    Cell,
    Instance,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialStatement,
    Summand,
} from './sequential-model.js';
import { binary, conditional, constant, disjunction, FALSE, isFalse, isTrue, mayFault, mayLeave } from './simplify.js';

/** What one instance can do at one location, before it meets others. */
export interface InstanceOffer {
    readonly participant: Participant;
    readonly event?: {
        /** Index into `Model.events`. */
        readonly event: number;
        readonly arguments: readonly SequentialExpression[];
        readonly range: SourceRange;
    };
}

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

interface OrderedSummand {
    readonly summand: Summand;
    /** Instance and offer of the first participant, the values of the event, then the other participants. */
    readonly order: readonly number[];
}

/** `offers[instance]` are the offers of an instance in the order of its locations and of the text. */
export function synchronize(
    events: readonly EventDeclaration[],
    offers: readonly (readonly InstanceOffer[])[],
    cells: readonly Cell[],
    instances: readonly Instance[],
): { summands: Summand[]; problems: Problem[] } {
    const ordered: OrderedSummand[] = [];
    const meetings = new Map<string, Meeting>();

    function add(summand: Summand, order: readonly number[], range: SourceRange): void {
        ordered.push({ summand, order });
        if (ordered.length > LIMITS.summands) {
            tooManySummands(range);
        }
    }

    offers.forEach((offersOfInstance, instance) => {
        offersOfInstance.forEach((offer, offerIndex) => {
            const { participant, event } = offer;
            if (event === undefined) {
                if (canMatter(participant, cells)) {
                    add(alone(participant), [instance, offerIndex], participant.range);
                }
                return;
            }
            const values = valuesOfArguments(events[event.event], event, cells);
            if (values.fault !== undefined && canMatter(participant, cells)) {
                const faulty = withTests(participant, [values.fault]);
                add(alone(faulty), [instance, offerIndex], participant.range);
            }
            for (const { codes, tests } of values.meetings) {
                const key = `${event.event}:${codes.join(',')}`;
                let meeting = meetings.get(key);
                if (meeting === undefined) {
                    if (meetings.size >= LIMITS.summands) {
                        tooManySummands(event.range);
                    }
                    const name = eventName(events[event.event], codes);
                    meeting = { name, range: event.range, codes, parties: new Map<number, EventOffer[]>() };
                    meetings.set(key, meeting);
                }
                let party = meeting.parties.get(instance);
                if (party === undefined) {
                    party = [];
                    meeting.parties.set(instance, party);
                }
                // An offer that can never be ready keeps the event in the alphabet.
                if (canMatter(participant, cells)) {
                    party.push({ offer: offerIndex, participant: withTests(participant, tests) });
                }
            }
        });
    });

    const races = new RaceSearch(cells, instances);
    for (const meeting of meetings.values()) {
        const parties = [...meeting.parties];
        let product = 1;
        for (const [, party] of parties) {
            product *= party.length;
            if (product > LIMITS.summands) {
                tooManySummands(meeting.range);
            }
        }
        if (product === 0) {
            continue;
        }
        forEachChoice(
            parties.map(([, party]) => party),
            chosen => {
                const participants = chosen.map(offer => offer.participant);
                races.search(meeting.name, participants);
                const label = participants.find(participant => participant.label !== undefined)?.label ?? meeting.name;
                const partners = chosen.map((offer, index) => [parties[index][0], offer.offer]);
                const order = [...partners[0], ...meeting.codes, ...partners.slice(1).flat()];
                add({ label, participants }, order, meeting.range);
            },
        );
    }

    ordered.sort((first, second) => compareOrders(first.order, second.order));
    return { summands: ordered.map(({ summand }) => summand), problems: races.problems };
}

function alone(participant: Participant): Summand {
    return { label: participant.label ?? `line ${participant.range.start.line + 1}`, participants: [participant] };
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

function withTests(participant: Participant, tests: readonly SequentialExpression[]): Participant {
    const added = tests.filter(test => !isTrue(test)).map((condition): PathElement => ({ kind: 'test', condition }));
    return added.length === 0 ? participant : { ...participant, path: [...participant.path, ...added] };
}

interface ArgumentValues {
    /** The codes of the arguments, and the tests under which they have these values. */
    readonly meetings: { readonly codes: readonly number[]; readonly tests: readonly SequentialExpression[] }[];
    /** A test that is a fault where an argument is outside its type, and false elsewhere. */
    readonly fault?: SequentialExpression;
}

function valuesOfArguments(
    declaration: EventDeclaration,
    event: NonNullable<InstanceOffer['event']>,
    cells: readonly Cell[],
): ArgumentValues {
    const { range } = event;
    const outside: SequentialExpression = { kind: 'fault', fault: 'index', range };
    let meetings: { codes: number[]; tests: SequentialExpression[] }[] = [{ codes: [], tests: [] }];
    let fault: SequentialExpression = FALSE;
    for (let position = declaration.arguments.length - 1; position >= 0; position--) {
        const domain = declaration.arguments[position];
        const argument = event.arguments[position];
        if (argument.kind === 'constant') {
            const code = codeOfValue(domain, argument.value);
            if (code < 0) {
                fault = outside;
                meetings = [];
            }
            meetings = meetings.map(({ codes, tests }) => ({ codes: [code, ...codes], tests }));
            continue;
        }
        const size = domainSize(domain);
        if (meetings.length * size > LIMITS.summands) {
            tooManySummands(range);
        }
        const isValue = (code: number): SequentialExpression =>
            binary('==', argument, constant(valueOfCode(domain, code)), range);
        const tests = Array.from({ length: size }, (_, code) => isValue(code));
        if (mayLeave(domain, argument, cells) || mayFault(argument, cells)) {
            fault = conditional(disjunction(tests, range), fault, outside, range);
        }
        meetings = tests.flatMap((test, code) =>
            meetings.map(rest => ({ codes: [code, ...rest.codes], tests: [test, ...rest.tests] })),
        );
    }
    return isFalse(fault) ? { meetings } : { meetings, fault };
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
        `The steps of the model can be combined in more than ${LIMITS.summands.toLocaleString('en-US')} ways`,
        range,
    );
}

/** The cells that a participant's step may write, and those that its body may read. */
interface Footprint {
    readonly written: ReadonlySet<number>;
    readonly read: ReadonlySet<number>;
}

/** Looks for races, and reports each pair of steps once. */
class RaceSearch {
    readonly problems: Problem[] = [];
    readonly #cells: readonly Cell[];
    readonly #instances: readonly Instance[];
    /** By the body: it stays the same where tests are added to the path. */
    readonly #footprints = new Map<readonly SequentialStatement[], Footprint>();
    readonly #reported = new Set<string>();

    constructor(cells: readonly Cell[], instances: readonly Instance[]) {
        this.#cells = cells;
        this.#instances = instances;
    }

    search(event: string, participants: readonly Participant[]): void {
        const writers = new Map<number, Participant>();
        for (const participant of participants) {
            for (const cell of this.#footprint(participant).written) {
                const other = writers.get(cell);
                if (other !== undefined) {
                    this.#report(event, cell, other, participant, true);
                }
                writers.set(cell, participant);
            }
        }
        for (const participant of participants) {
            for (const cell of this.#footprint(participant).read) {
                const writer = writers.get(cell);
                if (writer !== undefined && writer !== participant) {
                    this.#report(event, cell, writer, participant, false);
                }
            }
        }
    }

    #report(event: string, cell: number, writer: Participant, other: Participant, bothWrite: boolean): void {
        const key = `${placeOf(writer.range)} ${placeOf(other.range)}`;
        if (this.#reported.has(key)) {
            return;
        }
        this.#reported.add(key);
        const { name } = this.#cells[cell];
        const writerName = this.#instances[writer.instance].name;
        const otherName = this.#instances[other.instance].name;
        this.problems.push({
            severity: 'error',
            code: 'event/race',
            message:
                `In the joint step '${event}', '${writerName}' may write '${name}' while '${otherName}' ` +
                `${bothWrite ? 'may write' : 'may read'} it; an overlap that cannot be excluded before the run ` +
                'is not allowed',
            range: writer.range,
            related: [{ message: `The step of '${otherName}'`, range: other.range }],
        });
    }

    #footprint(participant: Participant): Footprint {
        let footprint = this.#footprints.get(participant.body);
        if (footprint === undefined) {
            const written = new Set<number>();
            const read = new Set<number>();
            for (const element of participant.path) {
                if (element.kind === 'assign') {
                    written.add(element.cell);
                }
            }
            collectFootprint(participant.body, written, read);
            footprint = { written, read };
            this.#footprints.set(participant.body, footprint);
        }
        return footprint;
    }
}

function placeOf(range: SourceRange): string {
    return `${range.uri} ${formatPosition(range)}`;
}

function collectFootprint(body: readonly SequentialStatement[], written: Set<number>, read: Set<number>): void {
    const addRead = (cell: number): void => void read.add(cell);
    for (const statement of body) {
        switch (statement.kind) {
            case 'assign':
                forEachCellRead(statement.value, addRead);
                if (statement.target.kind === 'cell') {
                    written.add(statement.target.cell);
                } else {
                    for (const cell of statement.target.cells) {
                        written.add(cell);
                    }
                    for (const index of statement.target.indices) {
                        forEachCellRead(index, addRead);
                    }
                }
                break;
            case 'clear':
                written.add(statement.cell);
                break;
            case 'if':
                forEachCellRead(statement.condition, addRead);
                collectFootprint(statement.then, written, read);
                collectFootprint(statement.otherwise, written, read);
                break;
            case 'assert':
                forEachCellRead(statement.condition, addRead);
                break;
        }
    }
}
