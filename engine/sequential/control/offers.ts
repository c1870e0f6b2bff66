/** The offers of an instance, before it meets others: one for each path to a step, by location and in text order. */
import { invariant } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import type { InstanceView, OfferedCommunication } from './instance-view.js';
import type { Offer } from './locations.js';
import type { Cell, Participant, PathElement, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import { binary, constant, isTrue } from '../expression/simplify.js';
import { cellsWritten } from '../cell-access.js';

/** The body of the participant lacks the effects of its communication. */
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
        // The rest of the path knows the choice, and the cell is read again only if it is live after the step.
        const isKnown =
            item.kind === 'declare' &&
            item.values !== undefined &&
            unassigned.has(item.site.local) &&
            live[offer.target][item.site.local] === 0;
        if (!isKnown) {
            addOpen(elements, path);
        }
    }
    if (guard !== undefined) {
        addOpen([{ kind: 'test', condition: guard }], path);
    }
    const isMove = counter >= 0 && offer.target !== source;
    const last = offer.path.at(-1);
    const branches = branchesOf(offer);
    return {
        participant: {
            instance,
            source,
            target: offer.target,
            path,
            body: isMove ? [...body, assignment(counter, constant(offer.target), range)] : body,
            ...(last?.kind === 'label' ? { label: last.label } : {}),
            ...(branches.length > 0 ? { branches } : {}),
            range,
        },
        ...(communication === undefined ? {} : { communication }),
        dead: deadLocals(view, live[source], live[offer.target]),
    };
}

export function assignment(cell: number, value: SequentialExpression, range: SourceRange): SequentialStatement {
    return { kind: 'assign', target: { kind: 'cell', cell }, value, range };
}

/** Adds the elements, except tests that always hold. */
function addOpen(elements: readonly PathElement[], path: PathElement[]): void {
    for (const element of elements) {
        if (element.kind !== 'test' || !isTrue(element.condition)) {
            path.push(element);
        }
    }
}

function branchesOf({ path }: Offer): NonNullable<Participant['branches']> {
    return path.some(({ kind }) => kind === 'test')
        ? path.flatMap(item => (item.kind === 'test' ? [{ range: item.site.range, outcome: item.outcome }] : []))
        : [];
}

function deadLocals(view: InstanceView, liveBefore: Uint8Array, liveAfter: Uint8Array): DeadLocal[] {
    const dead: DeadLocal[] = [];
    for (let local = 0; local < liveAfter.length; local++) {
        if (liveAfter[local] === 0) {
            dead.push({ cells: view.cellsOf(local), wasLive: liveBefore[local] === 1 });
        }
    }
    return dead;
}

/** The participant with the effects of its communication, and with its dead locals cleared. */
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
    const clear: SequentialStatement[] = [];
    // Those that hold a value before or during the step.
    for (const local of offer.dead) {
        if (local.wasLive || local.cells.some(cell => written.has(cell))) {
            local.cells.forEach(cell => clear.push({ kind: 'clear', cell }));
        }
    }
    written.forEach(cell => {
        if (cells[cell].kind === 'temporary') {
            clear.push({ kind: 'clear', cell });
        }
    });
    return { ...participant, path, body: clear.length === 0 ? body : [...body, ...clear] };
}
