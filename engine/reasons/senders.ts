/** Tests of channels, and the instances that can change what a test reads, as far as control tells. */
import { channelWithLength } from '../describe/shown-state.js';
import { remembered } from '../common/list-map.js';
import { cellsWrittenBy } from '../sequential/cell-access.js';
import { domainSize } from '../model/domain.js';
import type { Participant, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import type { Scene } from './scene.js';
import { summandsOf } from './waits.js';

/**
 * Whether the instance can come to a send on the channel with this length from where it is, whatever the tests on the way
 * are. O(summands) for each location that is passed.
 */
function canReachSend(instance: number, length: number, scene: Scene): boolean {
    const own = stepsOf(instance, scene.model);
    const reached = new Set([scene.locationOf(instance)]);
    for (const location of reached) {
        for (const step of own) {
            if (step.source === location) {
                if (sendsOn(length, step, scene.model)) {
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
    const isLength = kind === 'channel' && channelWithLength(name) !== undefined;
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
    const writers = remembered(WRITERS, model, () => {
        const byCell = new Map<number, Set<number>>();
        for (const participant of model.summands.flatMap(({ participants }) => participants)) {
            for (const cell of cellsWrittenBy(participant)) {
                remembered(byCell, cell, () => new Set<number>()).add(participant.instance);
            }
        }
        return byCell;
    });
    const [first, ...more] = cells.map(cell => writers.get(cell) ?? new Set<number>());
    return more.length === 0 ? (first ?? new Set()) : new Set([first, ...more].flatMap(each => [...each]));
}

/** The instances that can reach a send, by the length of the channel, for each state once. */
const SENDERS = new WeakMap<Readonly<Int32Array>, Map<number, readonly number[]>>();

/** The instances that can come to a send on the channel with this length. */
export function sendersOf(length: number, scene: Scene): readonly number[] {
    const known = remembered(SENDERS, scene.state, () => new Map<number, readonly number[]>());
    return remembered(known, length, () =>
        [...scene.model.instances.keys()].filter(instance => canReachSend(instance, length, scene)),
    );
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
