/**
 * What a code of a state means in an instance, without what depends on the number of members: the keys of the shared cells
 * and of those of each member, and for each instance of a process its locations and steps, and the locals that hold no
 * value behind them. A part of a state of one instance is a part of a state of another only if these are the same.
 */
import { keyOfRange } from '../engine/common/source-range.js';
import type { Participant } from '../engine/sequential/sequential-model.js';
import type { MemberLayout, SizedInstance } from './member-layout.js';

/** What it is about, such as the members of a family, and a text; one entry for each member and each instance. */
export type ControlStructure = readonly (readonly [part: string, text: string])[];

/** O(size of the summands). */
export function controlOf({ sequential, layout }: SizedInstance): ControlStructure {
    const { instances, summands, cells, initial } = sequential;
    /** By instance; absent without cells: then it has one location, whatever its steps are. */
    const parts = new Map<number, Set<string>>();
    for (const { kind, instance } of cells) {
        if (kind === 'local' || kind === 'counter') {
            const { locations } = instances[instance];
            parts.set(instance, new Set([`locations ${locations.map(({ range }) => keyOfRange(range)).join(' ')}`]));
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
        parts.get(participant.instance)?.add(textOf(participant));
    }
    for (const { cell, value } of initial) {
        const { kind, instance } = cells[cell];
        if (kind === 'local') {
            parts.get(instance)?.add(`${layout.keys[cell]} ${value.kind === 'none' ? 'none' : ''}`);
        }
    }
    return [
        ...cellsOf(layout),
        ...layout.instanceKeys.map(
            (key, instance) => [key, [...(parts.get(instance) ?? [])].sort().join('\n')] as const,
        ),
    ];
}

/** Whether all that the second one has is the same in the first one; it may lack members, and instances with them. */
export function sameControl(first: ControlStructure, second: ControlStructure): boolean {
    const texts = new Map(first);
    return [...first, ...second].every(([part, text]) => texts.get(part) === text);
}

function cellsOf({ shared, own, familyOfMember, keys }: MemberLayout): ControlStructure {
    const textOf = (cells: Int32Array): string => Array.from(cells, cell => keys[cell]).join('\n');
    return [
        ['shared', textOf(shared.cells)],
        ...own.map((cells, member) => [`family ${familyOfMember[member]}`, textOf(cells)] as const),
    ];
}
