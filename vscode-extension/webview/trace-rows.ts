/**
 * A run in words, one row for each state: who moves, by which step, with which message or assignment. Messages are read
 * off the lengths of channels, which a trace shows as `len(link[1])`.
 */
import {
    changeOfCollection,
    channelWithLength,
    instanceAt,
    isOfChannel,
    messageAt,
    shownValues,
} from '../../engine/describe/shown-state.js';
import { formatPlainValue } from '../../engine/describe/words.js';
import type { DocumentLocation, TraceEntryDocument, TraceStepDocument } from '../../language-server/document-schema.js';
import { NO_VALUE_MARK } from './wording.js';

export interface TraceRow {
    /** The instances that move; none for the start. */
    readonly movers: readonly string[];
    readonly label: string;
    /** `link[3] ! candidate 2`, `taken := true`; empty if nothing but control has moved. */
    readonly note: string;
    /** The first row that says the same of others. */
    readonly like?: number;
    readonly location?: DocumentLocation;
    readonly fault?: string;
}

/** A message that is sent in one step and received in a later one, unless it is still in its channel. */
export interface Message {
    readonly channel: string;
    readonly text: string;
    readonly sender: string;
    /** UNSEEN if it was in its channel when the run began. */
    readonly sent: number;
    readonly receiver?: string;
    readonly received?: number;
}

export const UNSEEN = -1;
const MOST_CHANGES = 3;

/** The rows of the entries, in their order. O(entries · changes). */
export function rowsOf(entries: readonly TraceEntryDocument[]): readonly TraceRow[] {
    const messages = messagesOf(entries);
    const notes = new Map<number, string[]>();
    const add = (row: number, note: string): void => void notes.set(row, [...(notes.get(row) ?? []), note]);
    for (const { channel, text, sent, received } of messages) {
        if (sent !== UNSEEN) {
            add(sent, `${channel} ! ${text}`);
        }
        if (received !== undefined) {
            add(received, `${channel} ? ${text}`);
        }
    }
    const firstOfPattern = new Map<string, number>();
    return entries.map(({ step, state, changed, fault }, row): TraceRow => {
        if (step === null) {
            return { movers: [], label: '', note: '' };
        }
        const changes = changed
            .filter(name => instanceAt(name) === undefined && !isOfChannel(name, state, entries[row - 1]?.state))
            .map(name => {
                const ofSet = changeOfCollection(entries[row - 1]?.state[name], state[name]);
                return ofSet === undefined
                    ? `${name} := ${formatPlainValue(state[name], NO_VALUE_MARK)}`
                    : `${name} ${ofSet}`;
            });
        const shown = [...(notes.get(row) ?? []), ...changes.slice(0, MOST_CHANGES)];
        const note =
            shown.join(', ') + (changes.length > MOST_CHANGES ? `, ${changes.length - MOST_CHANGES} more` : '');
        const movers = step.process.split(' & ');
        const label = labelOf(step);
        const pattern = patternOf({ movers, label, note, location: step.location });
        const first = firstOfPattern.get(pattern);
        if (first === undefined) {
            firstOfPattern.set(pattern, row);
        }
        return {
            movers,
            label,
            note,
            location: step.location,
            ...(first !== undefined && { like: first }),
            ...(fault !== undefined && { fault }),
        };
    });
}

/** `set (k = 2)`: what was chosen tells steps of one label apart. */
export function labelOf({ label, choice }: Pick<TraceStepDocument, 'label' | 'choice'>): string {
    return choice === undefined ? label : `${label} (${choice})`;
}

/** Equal for rows that differ in numbers only. */
export function patternOf({ movers, label, note, location }: TraceRow): string {
    return JSON.stringify([location?.line, movers.length, [label, note].map(text => text.replace(/\d+/g, '#'))]);
}

const MOST_ALIKE = 3;

/** Sets of alike entries in the order of their first: few are all shown, of many the first and those that must be seen. */
export function foldEntries<Entry>(
    entries: readonly Entry[],
    patternOfEntry: (entry: Entry) => string,
    mustBeSeen: (entry: Entry) => boolean,
): readonly { readonly shown: readonly Entry[]; readonly folded: readonly Entry[] }[] {
    const sets = new Map<string, Entry[]>();
    for (const entry of entries) {
        const pattern = patternOfEntry(entry);
        sets.set(pattern, [...(sets.get(pattern) ?? []), entry]);
    }
    return [...sets.values()].map(alike => {
        const isShown = (entry: Entry, index: number): boolean =>
            alike.length <= MOST_ALIKE || index === 0 || mustBeSeen(entry);
        return { shown: alike.filter(isShown), folded: alike.filter((entry, index) => !isShown(entry, index)) };
    });
}

/** The length of the longest text of a row; runs are too long to spread them as arguments. */
export function longestText(rows: readonly TraceRow[], textOf: (row: TraceRow) => string): number {
    return rows.reduce((longest, row) => Math.max(longest, textOf(row).length), 0);
}

/** The messages of a run, in the order in which they were sent. */
export function messagesOf(entries: readonly TraceEntryDocument[]): readonly Message[] {
    const messages: Message[] = [];
    /** By channel: the indices of the messages in it, the oldest first. */
    const waiting = new Map<string, number[]>();
    entries.forEach(({ step, state, changed }, row) => {
        const before = entries[row - 1]?.state;
        if (step === null || before === undefined) {
            return;
        }
        const movers = step.process.split(' & ');
        for (const name of changed) {
            const channel = channelWithLength(name);
            const [was, is] = [Number(before[name] ?? 0), Number(state[name] ?? 0)];
            if (channel === undefined || was === is) {
                continue;
            }
            const queue = waiting.get(channel) ?? [];
            waiting.set(channel, queue);
            for (let sent = was; sent < is; sent++) {
                queue.push(messages.length);
                messages.push({
                    channel,
                    text: messageAt(channel, sent, state, NO_VALUE_MARK),
                    sender: movers[0] ?? '',
                    sent: row,
                });
            }
            for (let received = is; received < was; received++) {
                const index = queue.shift();
                const message = index === undefined ? undefined : messages[index];
                const reception = { receiver: movers.at(-1) ?? '', received: row };
                if (index === undefined || message === undefined) {
                    const text = messageAt(channel, was - received - 1, before, NO_VALUE_MARK);
                    messages.push({ channel, text, sender: '', sent: UNSEEN, ...reception });
                } else {
                    messages[index] = { ...message, ...reception };
                }
            }
        }
    });
    return messages;
}

/** The messages by which a step came about: the one it receives, the one its sender had received before, and so on. */
export function chainTo(
    messages: readonly Message[],
    entries: readonly TraceEntryDocument[],
    row: number,
): ReadonlySet<Message> {
    const chain = new Set<Message>();
    let end: number | undefined = row;
    let who = entries[row]?.step?.process.split(' & ') ?? [];
    while (end !== undefined) {
        const limit: number = end;
        const last: Message | undefined = messages
            .filter(({ received = Infinity, receiver = '' }) => received <= limit && who.includes(receiver))
            .sort((a, b) => (b.received ?? 0) - (a.received ?? 0))
            .at(0);
        if (last === undefined || chain.has(last)) {
            break;
        }
        chain.add(last);
        end = last.sent;
        who = [last.sender];
    }
    return chain;
}

/** What of a state is shown: `before` and `now` of each name, and how many names are left out. */
export interface StateRows {
    readonly rows: readonly {
        readonly name: string;
        readonly before?: string;
        readonly now: string;
        readonly isChanged: boolean;
    }[];
    readonly unchanged: number;
}

/** All names, or those that differ from another state. A channel is one name, and a place has that of its instance. */
export function stateRows(
    state: TraceEntryDocument['state'],
    before: TraceEntryDocument['state'] | undefined,
    showsAll: boolean,
): StateRows {
    const now = shownValues(state, NO_VALUE_MARK);
    const was = before && shownValues(before, NO_VALUE_MARK);
    const names = [...new Set([...now.keys(), ...(was?.keys() ?? [])])];
    const rows = names.map(name => {
        const [is, earlier] = [now.get(name) ?? NO_VALUE_MARK, was?.get(name) ?? NO_VALUE_MARK];
        return {
            name,
            ...(was !== undefined && { before: earlier }),
            now: is,
            isChanged: was !== undefined && is !== earlier,
        };
    });
    const shown = showsAll || was === undefined ? rows : rows.filter(({ isChanged }) => isChanged);
    return { rows: shown, unchanged: rows.length - shown.length };
}

/** Whether a row, or what it changes, contains a text; letters count alike in both cases. */
export function matches(row: TraceRow, entry: TraceEntryDocument, wanted: string): boolean {
    const texts = [...row.movers, row.label, row.note, ...entry.changed];
    return texts.some(text => text.toLowerCase().includes(wanted.trim().toLowerCase()));
}
