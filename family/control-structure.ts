/**
 * What a code of a state means in an instance, without what depends on the number of members: the keys of the shared cells
 * and of those of each member, and for each instance of a process its locations and steps, and the locals that hold no
 * value behind them. A part of a state of one instance is a part of a state of another only if these are the same.
 */
import { keyOfRange } from '../engine/common/source-range.js';
import type { Participant } from '../engine/sequential/sequential-model.js';
import type { MemberLayout, SizedInstance } from './member-layout.js';

/** One for each member and each instance. */
export type ControlStructure = readonly ControlPart[];

interface ControlPart {
    /** What it is about, such as the members of a family. */
    readonly key: string;
    /** What its codes mean. */
    readonly meaning: string;
    /** Of an instance the steps that it can take. */
    readonly steps: ReadonlySet<string>;
}

/** O(size of the summands). */
export function controlOf({ sequential, layout }: SizedInstance): ControlStructure {
    const { instances, summands, cells, initial } = sequential;
    /** By instance; absent without cells: then it has one location, whatever its steps are. */
    const parts = new Map<number, { readonly meanings: Set<string>; readonly steps: Set<string> }>();
    for (const { kind, instance } of cells) {
        if (kind === 'local' || kind === 'counter') {
            const { locations } = instances[instance];
            const meanings = new Set([`locations ${locations.map(({ range }) => keyOfRange(range)).join(' ')}`]);
            parts.set(instance, { meanings, steps: new Set() });
        }
    }
    const textOf = ({ source, target, range, label, branches = [], body }: Participant): string => {
        const cleared = new Set(
            body.flatMap(statement => (statement.kind === 'clear' ? [layout.keys[statement.cell]] : [])),
        );
        const tests = branches.map(branch => `${keyOfRange(branch.range)} ${branch.outcome}`);
        return [source, target, keyOfRange(range), label, ...tests, 'clear', ...[...cleared].sort()].join(' ');
    };
    for (const participant of summands.flatMap(({ participants }) => participants)) {
        parts.get(participant.instance)?.steps.add(textOf(participant));
    }
    for (const { cell, value } of initial) {
        const { kind, instance } = cells[cell];
        if (kind === 'local') {
            parts.get(instance)?.meanings.add(`${layout.keys[cell]} ${value.kind === 'none' ? 'none' : ''}`);
        }
    }
    return [
        ...cellsOf(layout),
        ...layout.instanceKeys.map((key, instance) => {
            const { meanings = NOTHING, steps = NOTHING } = parts.get(instance) ?? {};
            return { key, meaning: [...meanings].sort().join('\n'), steps };
        }),
    ];
}

const NOTHING: ReadonlySet<string> = new Set();

/** Whether the second one is the same as the first one; it may lack members, and instances with them. */
export function sameControl(first: ControlStructure, second: ControlStructure): boolean {
    const parts = new Map(first.map(part => [part.key, part]));
    return (
        withinControl(first, second) &&
        [...first, ...second].every(({ key, steps }) => parts.get(key)?.steps.size === steps.size)
    );
}

/**
 * Whether all that the second one has is the same in the first one. It may also lack steps whose guards no state of its
 * size satisfies, such as `count(…) >= 5` of three members.
 */
export function withinControl(first: ControlStructure, second: ControlStructure): boolean {
    const parts = new Map(first.map(part => [part.key, part]));
    return [...first, ...second].every(({ key, meaning, steps }) => {
        const part = parts.get(key);
        return part?.meaning === meaning && [...steps].every(step => part.steps.has(step));
    });
}

function cellsOf({ shared, own, familyOfMember, keys }: MemberLayout): ControlStructure {
    const meaningOf = (cells: Int32Array): string => Array.from(cells, cell => keys[cell]).join('\n');
    return [
        { key: 'shared', meaning: meaningOf(shared.cells), steps: NOTHING },
        ...own.map((cells, member) => ({
            key: `family ${familyOfMember[member]}`,
            meaning: meaningOf(cells),
            steps: NOTHING,
        })),
    ];
}
