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
    /** What ends each step that has written these cells: those that hold no value from here on. */
    readonly clear: (written: ReadonlySet<number>) => readonly SequentialStatement[];
}

/** `live[location][local]` is 1 where the local is live. */
export function offersOf(
    view: InstanceView,
    instance: number,
    live: readonly Uint8Array[],
    cells: readonly Cell[],
): InstanceOffer[] {
    return view.instance.ways.flatMap((ways, source) =>
        ways
            .filter(offer => offer.step !== undefined)
            .map(offer => offerOf(view, instance, offer, source, live, cells)),
    );
}

function offerOf(
    view: InstanceView,
    instance: number,
    offer: Offer,
    source: number,
    live: readonly Uint8Array[],
    cells: readonly Cell[],
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
        clear: written => clearDead(view, written, live[source], live[offer.target], cells),
    };
}

/** The cells that hold a value before or during the step and none after it. */
function clearDead(
    view: InstanceView,
    written: ReadonlySet<number>,
    liveBefore: Uint8Array,
    liveAfter: Uint8Array,
    cells: readonly Cell[],
): SequentialStatement[] {
    const dead = view.instance.locals.flatMap((_, local) => {
        const own = view.cellsOf(local);
        const holds = liveBefore[local] === 1 || own.some(cell => written.has(cell));
        return liveAfter[local] === 0 && holds ? own : [];
    });
    const temporaries = [...written].filter(cell => cells[cell].kind === 'temporary');
    return [...dead, ...temporaries].map(cell => ({ kind: 'clear', cell }));
}

/** The participant with what its communication does before its body, and with what holds no value after it cleared. */
export function completed(
    offer: InstanceOffer,
    tests: readonly PathElement[],
    before: readonly SequentialStatement[],
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
    return { ...participant, path, body: [...body, ...offer.clear(written)] };
}
