/**
 * A state as people and programs read it: values by the names of cells, and names put together again to channels with
 * their messages and instances with their places. Traces, panels, reasons and JSON have it from here.
 */
import type { InstanceNames } from '../explore/instance-names.js';
import type { TraceValue } from '../explore/verdict.js';
import { NO_VALUE, plainValue, valueOfCode } from '../model/domain.js';
import type { ParameterValue } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { withCopies } from '../model/value-format.js';
import { copiesOfElements, elementsOfList, formatParts, shownName, writtenWith } from '../sequential/split-values.js';
import { remembered } from '../common/list-map.js';
import { formatPlainValue } from './words.js';

/** A state as documents carry it. */
type ShownState = Readonly<Record<string, ParameterValue>>;

/**
 * The cells that hold a value, by name; each set, and each record that may be `none`, as one value. With `names` those of
 * instances that live have them, and others are left out.
 */
export function formatState(
    model: SequentialModel,
    state: Readonly<Int32Array>,
    names?: InstanceNames,
): Record<string, TraceValue> {
    const shown = new Map<string, TraceValue>();
    const elements = new Map<string, string[]>();
    const hidden = countersOfValues(model);
    model.cells.forEach(({ name, domain, member, format }, cell) => {
        const isLeftOut = state[cell] === NO_VALUE || names?.haveCell(name) === false || hidden.has(cell);
        if (isLeftOut || writtenWith(cell, model.cells, state) !== undefined) {
            return;
        }
        const value =
            format === undefined
                ? plainValue(domain, valueOfCode(domain, state[cell]))
                : formatParts(format, model.cells, state);
        const own = shownName(model.cells[cell]);
        const place = names?.inText(own) ?? own;
        if (member === undefined) {
            shown.set(place, names !== undefined && typeof value === 'string' ? names.inValue(value) : value);
            return;
        }
        // Its place among the others; its text is known at the end.
        shown.set(place, '{}');
        const present = remembered(elements, place, () => []);
        if (value === true || (typeof value === 'number' && value > 0)) {
            present.push(withCopies(names?.inValue(member.element) ?? member.element, Number(value)));
        }
    });
    for (const [place, present] of elements) {
        shown.set(place, `{${present.join(', ')}}`);
    }
    return Object.fromEntries(shown);
}

const knownCounters = new WeakMap<SequentialModel, ReadonlySet<number>>();

/** The counters in the slots of types whose values have no end: these take no steps. */
export function countersOfValues(model: SequentialModel): ReadonlySet<number> {
    return remembered(knownCounters, model, () => {
        const types = (model.templates ?? []).filter(({ named }) => named !== undefined);
        return new Set(types.flatMap(({ slots }) => slots.map(({ counter }) => counter)));
    });
}

/**
 * What came into a set or a bag and what went, `+ 3 - 1: 2`; what left a sequence and what is behind its other elements,
 * `- syn + fin`. Undefined if a value is none of them, or a sequence changes in another way.
 */
export function changeOfCollection(
    before: ParameterValue | undefined,
    after: ParameterValue | undefined,
): string | undefined {
    return changeOfSet(before, after) ?? changeOfSequence(before, after);
}

function changeOfSequence(before: ParameterValue | undefined, after: ParameterValue | undefined): string | undefined {
    const [old, now] = [before, after].map(value => (typeof value === 'string' ? elementsOfList(value) : undefined));
    if (old === undefined || now === undefined) {
        return undefined;
    }
    const isKept = (left: number): boolean =>
        old.filter((_, place) => place !== left).every((element, place) => now[place] === element);
    // The last one of several that may have left: `old.length` for none.
    const left = old.length === 0 || isKept(old.length) ? old.length : old.findIndex((_, place) => isKept(place));
    const changes = [
        ...old.slice(left, left + 1).map(element => `- ${element}`),
        ...now.slice(old.length - (left < old.length ? 1 : 0)).map(element => `+ ${element}`),
    ];
    return left < 0 || changes.length === 0 || changes.length > 2 ? undefined : changes.join(' ');
}

function changeOfSet(before: ParameterValue | undefined, after: ParameterValue | undefined): string | undefined {
    const [old, now] = [before, after].map(value => (typeof value === 'string' ? copiesOfElements(value) : undefined));
    if (old === undefined || now === undefined) {
        return undefined;
    }
    const more = (sign: string, from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): string[] =>
        [...to].flatMap(([element, copies]) => {
            const added = copies - (from.get(element) ?? 0);
            return added > 0 ? [`${sign} ${withCopies(element, added)}`] : [];
        });
    return [...more('+', old, now), ...more('-', now, old)].join(' ');
}

/**
 * The cells whose value differs, appears or disappears between two states, by name, in the order of the model. Locals of two
 * blocks may have one name.
 */
export function changedNames(
    { cells, templates }: SequentialModel,
    before: Readonly<Record<string, TraceValue>>,
    after: Readonly<Record<string, TraceValue>>,
): string[] {
    // Cells of slots have the names of the instances in them, which come and go.
    const names = templates === undefined ? cells.map(shownName) : [...Object.keys(before), ...Object.keys(after)];
    return [...new Set(names)].filter(name => before[name] !== after[name]);
}

/** A name with `[*]` for its indices. */
export function namePattern(name: string): string {
    return name.replaceAll(/\[[^\]]*\]/g, '[*]');
}

/** The instance whose place a cell holds: `P[1]` of `P[1].at`. */
export function instanceAt(name: string): string | undefined {
    return name.endsWith('.at') ? name.slice(0, -'.at'.length) : undefined;
}

/** The channel whose length a cell holds: `queue[1]` of `len(queue[1])`. */
export function channelWithLength(name: string): string | undefined {
    return /^len\((.*)\)$/.exec(name)?.[1];
}

/** Whether a cell is the length or part of a message of a channel, which has its length in one of the states. */
export function isOfChannel(name: string, ...states: readonly (ShownState | undefined)[]): boolean {
    const channel = /^(.*)\[\d+\](\.[^.[\]]+)*$/.exec(name)?.[1];
    return (
        name.startsWith('len(') ||
        (channel !== undefined && states.some(state => state !== undefined && `len(${channel})` in state))
    );
}

/** `candidate 2`: the message at a place of a channel, its fields in their order; `missing` for a cell without a value. */
export function messageAt(channel: string, place: number, state: ShownState, missing: string): string {
    const cell = `${channel}[${place}]`;
    const fields = Object.entries(state).filter(([name]) => name === cell || name.startsWith(`${cell}.`));
    return fields.map(([, value]) => formatPlainValue(value, missing)).join(' ');
}

/** The values by name; of a channel its messages, of an instance its place. */
export function shownValues(state: ShownState, missing: string): Map<string, string> {
    const values = new Map<string, string>();
    for (const [name, value] of Object.entries(state)) {
        const channel = channelWithLength(name);
        if (channel !== undefined) {
            const messages = Array.from({ length: Number(value) }, (_, place) =>
                messageAt(channel, place, state, missing),
            );
            values.set(channel, messages.length === 0 ? 'empty' : messages.join(', '));
        } else if (!isOfChannel(name, state)) {
            values.set(instanceAt(name) ?? name, formatPlainValue(value, missing));
        }
    }
    return values;
}
