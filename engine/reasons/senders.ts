/** Tests of channels, and who can change what a test reads, as far as control tells. */
import { cellsWrittenBy } from '../sequential/cell-access.js';
import { domainSize } from '../model/domain.js';
import type { Participant, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { locationOf, summandsOf } from './waits.js';

/**
 * Whether the instance can come to a send on the channel with this length from where it is, whatever the tests on the way
 * are. O(summands) for each location that is passed.
 */
function canReachSend(instance: number, length: number, model: SequentialModel, state: Readonly<Int32Array>): boolean {
    const own = stepsOf(instance, model);
    const reached = new Set([locationOf(instance, model, state)]);
    for (const location of reached) {
        for (const step of own) {
            if (step.source === location) {
                if (sendsOn(length, step, model)) {
                    return true;
                }
                reached.add(step.target);
            }
        }
    }
    return false;
}

/** A test that a channel has a message, which fails if it is empty, or room for one. */
export function lengthTestOf(
    test: SequentialExpression,
    { cells }: SequentialModel,
): { readonly cell: number; readonly isEmpty: boolean } | undefined {
    if (test.kind !== 'binary' || test.left.kind !== 'cell' || test.right.kind !== 'constant') {
        return undefined;
    }
    const { name, kind, domain } = cells[test.left.cell];
    const isLength = kind === 'channel' && name.startsWith('len(');
    const capacity = domainSize(domain) - 1;
    return isLength &&
        ((test.operator === '>' && test.right.value === 0) || (test.operator === '<' && test.right.value === capacity))
        ? { cell: test.left.cell, isEmpty: test.operator === '>' }
        : undefined;
}

/** The instances that may write a cell, by the cell, for each model once. */
const WRITERS = new WeakMap<SequentialModel, ReadonlyMap<number, ReadonlySet<number>>>();

/** The instances with a step that may write one of the cells. */
export function writersOf(cells: readonly number[], model: SequentialModel): ReadonlySet<number> {
    let writers = WRITERS.get(model);
    if (writers === undefined) {
        const byCell = new Map<number, Set<number>>();
        for (const participant of model.summands.flatMap(({ participants }) => participants)) {
            for (const cell of cellsWrittenBy(participant)) {
                byCell.set(cell, (byCell.get(cell) ?? new Set<number>()).add(participant.instance));
            }
        }
        writers = byCell;
        WRITERS.set(model, writers);
    }
    const [first, ...more] = cells.map(cell => writers.get(cell) ?? new Set<number>());
    return more.length === 0 ? (first ?? new Set()) : new Set([first, ...more].flatMap(each => [...each]));
}

/** The instances that can reach a send, by the length of the channel, for each state once. */
const SENDERS = new WeakMap<Readonly<Int32Array>, Map<number, readonly number[]>>();

/** The instances that can come to a send on the channel with this length. */
export function sendersOf(length: number, model: SequentialModel, state: Readonly<Int32Array>): readonly number[] {
    const known = SENDERS.get(state) ?? new Map<number, readonly number[]>();
    SENDERS.set(state, known);
    const senders =
        known.get(length) ??
        [...model.instances.keys()].filter(instance => canReachSend(instance, length, model, state));
    known.set(length, senders);
    return senders;
}

function stepsOf(instance: number, model: SequentialModel): readonly Participant[] {
    return summandsOf(instance, model).flatMap(({ participants }) =>
        participants.filter(participant => participant.instance === instance),
    );
}

/** A send has a test that there is room. */
function sendsOn(length: number, { path }: Participant, model: SequentialModel): boolean {
    return path.some(element => {
        const test = element.kind === 'test' ? lengthTestOf(element.condition, model) : undefined;
        return test?.cell === length && !test.isEmpty;
    });
}
