/**
 * The control of the processes of an instance, without what depends on the number of members: by process the steps of its
 * instances, from which location to which, and the locals that hold no value behind them. Equal in two instances if their
 * locations have the same meaning.
 */
import { keyOfRange } from '../common/source-range.js';
import type { Participant } from '../sequential/sequential-model.js';
import type { SizedInstance } from './narrow.js';

/** By process; a process without an instance has no entry. */
export type ControlStructure = ReadonlyMap<number, string>;

/** O(size of the summands). */
export function controlOf({ sequential, layout }: SizedInstance): ControlStructure {
    const { instances, summands, cells, initial } = sequential;
    const hasState = new Set<number>();
    for (const { kind, instance } of cells) {
        if (kind === 'local' || kind === 'counter') {
            hasState.add(instance);
        }
    }
    const parts = new Map<number, Set<string>>();
    instances.forEach(({ process, locations }, instance) => {
        if (hasState.has(instance)) {
            const entry = parts.get(process) ?? new Set();
            parts.set(process, entry.add(`locations ${locations.map(({ range }) => keyOfRange(range)).join(' ')}`));
        }
    });
    const textOf = ({ source, target, range, label, branches = [], body }: Participant): string => {
        const cleared = new Set(
            body.flatMap(statement => (statement.kind === 'clear' ? [layout.keys[statement.cell]] : [])),
        );
        const tests = branches.map(branch => `${keyOfRange(branch.range)} ${branch.outcome}`);
        return [source, target, keyOfRange(range), label, ...tests, 'clear', ...[...cleared].sort()].join(' ');
    };
    for (const participant of summands.flatMap(({ participants }) => participants)) {
        parts.get(instances[participant.instance].process)?.add(textOf(participant));
    }
    for (const { cell, value } of initial) {
        const { kind, instance } = cells[cell];
        if (kind === 'local') {
            parts.get(instances[instance].process)?.add(`${layout.keys[cell]} ${value.kind === 'none' ? 'none' : ''}`);
        }
    }
    return new Map([...parts].map(([process, texts]) => [process, [...texts].sort().join('\n')]));
}

/** Whether the processes that both instances have are controlled in the same way. */
export function sameControl(first: ControlStructure, second: ControlStructure): boolean {
    return [...first].every(([process, text]) => (second.get(process) ?? text) === text);
}
