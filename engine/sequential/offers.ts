/**
 * What an instance can do at each of its locations, before it meets others: one offer for each way to a step, in the
 * order of the locations and of the text.
 */
import { invariant } from '../common/assert.js';
import type { InstanceView, OfferedCommunication } from './instance-view.js';
import { cellsWritten } from './liveness.js';
import type { Offer } from './locations.js';
import type { Cell, Participant, PathElement, SequentialExpression, SequentialStatement } from './sequential-model.js';
import { binary, constant, isTrue } from './simplify.js';

/** The body of the participant is without what its communication does. */
export interface InstanceOffer {
    readonly participant: Participant;
    readonly communication?: OfferedCommunication;
    /** The locals that are not live after the step. */
    readonly dead: readonly DeadLocal[];
}

interface DeadLocal {
    readonly cells: readonly number[];
    /** Whether it holds a value before the step. */
    readonly wasLive: boolean;
}

/** `live[location][local]` is 1 where the local is live. */
export function offersOf(view: InstanceView, instance: number, live: readonly Uint8Array[]): InstanceOffer[] {
    return view.instance.ways.flatMap((ways, source) =>
        ways.filter(offer => offer.step !== undefined).map(offer => offerOf(view, instance, offer, source, live)),
    );
}

function offerOf(
    view: InstanceView,
    instance: number,
    offer: Offer,
    source: number,
    live: readonly Uint8Array[],
): InstanceOffer {
    const { counter, unassigned } = view.instance;
    invariant(offer.step !== undefined, 'the offer has a step');
    const { range } = offer.step.step;
    const way = view.way(offer);
    const { guard, communication, body } = view.step(offer.step, way.chosen);
    const path: PathElement[] = [];
    if (counter >= 0) {
        const current: SequentialExpression = { kind: 'cell', cell: counter, range };
        path.push({ kind: 'test', condition: binary('==', current, constant(source), range) });
    }
    for (const { item, elements } of way.elements) {
        // Everything behind it knows the choice; nobody reads the cell unless it is live after the step.
        const isKnown =
            item.kind === 'declare' &&
            item.values !== undefined &&
            unassigned.has(item.site.local) &&
            live[offer.target][item.site.local] === 0;
        if (!isKnown) {
            path.push(...elements);
        }
    }
    if (guard !== undefined) {
        path.push({ kind: 'test', condition: guard });
    }
    const moves: SequentialStatement[] = [...body];
    if (counter >= 0 && offer.target !== source) {
        const target = constant(offer.target);
        moves.push({ kind: 'assign', target: { kind: 'cell', cell: counter }, value: target, range });
    }
    const last = offer.path.at(-1);
    const branches = offer.path.flatMap(item =>
        item.kind === 'test' ? [{ range: item.site.range, outcome: item.outcome }] : [],
    );
    return {
        participant: {
            instance,
            source,
            target: offer.target,
            path: path.filter(element => element.kind !== 'test' || !isTrue(element.condition)),
            body: moves,
            ...(last?.kind === 'label' ? { label: last.label } : {}),
            ...(branches.length > 0 ? { branches } : {}),
            range,
        },
        ...(communication === undefined ? {} : { communication }),
        dead: view.instance.locals.flatMap((_, local) =>
            live[offer.target][local] === 0 ? [{ cells: view.cellsOf(local), wasLive: live[source][local] === 1 }] : [],
        ),
    };
}

/** The participant with what its communication does before its body, and with what holds no value after it cleared. */
export function completed(
    offer: InstanceOffer,
    tests: readonly PathElement[],
    before: readonly SequentialStatement[],
    cells: readonly Cell[],
): Participant {
    const { participant } = offer;
    const path = tests.length === 0 ? participant.path : [...participant.path, ...tests];
    const body = before.length === 0 ? participant.body : [...before, ...participant.body];
    const written = new Set(cellsWritten(body));
    for (const element of path) {
        if (element.kind === 'assign') {
            written.add(element.cell);
        }
    }
    // Those that hold a value before or during the step.
    const dead = offer.dead
        .filter(local => local.wasLive || local.cells.some(cell => written.has(cell)))
        .flatMap(local => local.cells);
    const temporaries = [...written].filter(cell => cells[cell].kind === 'temporary');
    const clear = [...dead, ...temporaries].map((cell): SequentialStatement => ({ kind: 'clear', cell }));
    return { ...participant, path, body: [...body, ...clear] };
}
