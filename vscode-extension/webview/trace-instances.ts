/** The instances of a run, in families. */
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { channelWithLength, instanceAt, shownValues } from '../../engine/describe/shown-state.js';
import type { TraceRow } from './trace-rows.js';
import { NO_VALUE_MARK } from './wording.js';

export interface Columns {
    /** The instances, those of a family one after the other. */
    readonly instances: readonly string[];
    /** Each family with the number of its columns. */
    readonly families: readonly { readonly name: string; readonly count: number }[];
    /** Shared variables that the run changes, channels among them, at most a few. */
    readonly shared: readonly string[];
}

/** Fits beside the numbers. */
const MOST_COLUMNS = 40;

/** The instances of a run: all if they are few, else those that move in it. */
export function columnsOf(entries: readonly TraceEntryDocument[], rows: readonly TraceRow[]): Columns {
    const all = [
        ...new Set(entries.flatMap(({ state }) => Object.keys(state).flatMap(name => instanceAt(name) ?? []))),
    ];
    const moving = new Set(rows.flatMap(({ movers }) => movers));
    const known = [...all, ...[...moving].filter(mover => !all.includes(mover))];
    const instances = known.length <= MOST_COLUMNS ? known : known.filter(instance => moving.has(instance));
    const families: { name: string; count: number }[] = [];
    const byFamily = new Map<string, string[]>();
    for (const instance of instances) {
        // Instances that are created come late, and stand beside the others.
        const own = byFamily.get(familyOf(instance)) ?? [];
        byFamily.set(familyOf(instance), [...own, instance]);
    }
    const grouped = [...byFamily.values()].flat();
    for (const instance of grouped) {
        const name = familyOf(instance);
        const last = families.at(-1);
        if (last?.name === name) {
            last.count++;
        } else {
            families.push({ name, count: 1 });
        }
    }
    return { instances: grouped, families, shared: sharedIn(entries, known) };
}

const MOST_SHARED = 6;

/** The names that change and belong to no instance, in the order of a state. */
function sharedIn(entries: readonly TraceEntryDocument[], instances: readonly string[]): readonly string[] {
    const changed = new Set(entries.flatMap(each => each.changed.map(name => channelWithLength(name) ?? name)));
    const own = new Set(instances);
    return [...shownValues(entries[0]?.state ?? {}, NO_VALUE_MARK).keys()]
        .filter(name => changed.has(name) && !own.has(name) && !own.has(name.slice(0, name.indexOf('.'))))
        .slice(0, MOST_SHARED);
}

/** By template the greatest number of an instance that a run names: `Handler#3`. */
export function numbersIn(entries: readonly TraceEntryDocument[]): Readonly<Record<string, number>> {
    const greatest: Record<string, number> = {};
    for (const { state } of entries) {
        for (const [, name = '', number = ''] of JSON.stringify(state).matchAll(/([\p{L}_][\p{L}\p{N}_]*)#(\d+)/gu)) {
            greatest[name] = Math.max(greatest[name] ?? 0, Number(number));
        }
    }
    return greatest;
}

function familyOf(instance: string): string {
    return instance.split(/[[#]/)[0] ?? instance;
}
