/**
 * The offers of an instance, before it meets others: one for each path to a step, by location and in text order. The
 * instance of a template that may leave its body behind a test has a step for that, `end`.
 */
import { invariant } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { formatValue, type Value } from '../../model/domain.js';
import type { Variable } from '../../model/model.js';
import { isEnd } from './instances.js';
import type { InstanceView, OfferedCommunication, OfferedMessage, SpecializedStep } from './instance-view.js';
import type { Offer } from './locations.js';
import type { Cell, Participant, PathElement, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import { binary, constant, isTrue } from '../expression/simplify.js';
import { withoutAbsentFields } from '../absent-fields.js';
import { cellsWritten } from '../cell-access.js';

/** The body of the participant lacks the effects of its communication. */
export interface InstanceOffer {
    readonly participant: Participant;
    readonly communication?: OfferedCommunication;
    readonly message?: OfferedMessage;
    /** The locals that are not live after the step. */
    readonly dead: readonly DeadLocal[];
    /** Finds slots for the instances that the step creates, over the state before it. */
    readonly created?: readonly PathElement[];
}

interface DeadLocal {
    readonly cells: readonly number[];
    /** Whether it holds a value before the step. */
    readonly wasLive: boolean;
}

/** `live[location][local]` is 1 where the local is live; `released`: what happens to the shared cells of an instance that ends. */
export function offersOf(
    view: InstanceView,
    instance: number,
    live: readonly Uint8Array[],
    released: readonly SequentialStatement[],
): InstanceOffer[] {
    const { ways, ended, locations } = view.instance;
    const isTaken = ({ step }: Offer, source: number): boolean =>
        step !== undefined || (ended !== undefined && !isEnd(locations[source]));
    return ways.flatMap((offers, source) =>
        offers
            .filter(offer => isTaken(offer, source))
            .map(offer => offerOf(view, instance, offer, source, live, released)),
    );
}

function offerOf(
    view: InstanceView,
    instance: number,
    offer: Offer,
    source: number,
    live: readonly Uint8Array[],
    released: readonly SequentialStatement[],
): InstanceOffer {
    const { counter, unassigned, ended, declaration } = view.instance;
    const target = offer.step === undefined ? ended : offer.target;
    invariant(target !== undefined, 'only the instance of a template leaves its body');
    const range = offer.step?.step.range ?? declaration.nameRange;
    const way = view.way(offer);
    const { guard, communication, message, body, created } =
        offer.step === undefined ? NOTHING_DONE : view.step(offer.step, way.chosen);
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
            live[target][item.site.local] === 0;
        if (!isKnown) {
            addOpen(elements, path);
        }
    }
    if (guard !== undefined) {
        addOpen([{ kind: 'test', condition: guard }], path);
    }
    const isMove = counter >= 0 && target !== source;
    const last = offer.path.at(-1);
    const label = offer.step === undefined ? 'end' : last?.kind === 'label' ? last.label : undefined;
    const branches = branchesOf(offer);
    return {
        participant: {
            instance,
            source,
            target,
            path,
            body: [
                ...body,
                ...(isMove ? [assignment(counter, constant(target), range)] : []),
                ...(target === ended ? released : []),
            ],
            ...(label === undefined ? {} : { label }),
            ...choiceOf(view, offer),
            ...(branches.length > 0 ? { branches } : {}),
            range,
        },
        ...(communication === undefined ? {} : { communication }),
        ...(message === undefined ? {} : { message }),
        ...(created === undefined ? {} : { created }),
        dead: deadLocals(view, live[source], live[target]),
    };
}

/** The end of a body behind a test. */
const NOTHING_DONE: SpecializedStep = { body: [] };

export function assignment(
    cell: number,
    value: SequentialExpression,
    range: SourceRange,
): Extract<SequentialStatement, { kind: 'assign' }> {
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

function choiceOf(view: InstanceView, { path }: Offer): Pick<Participant, 'choice'> {
    const { locals } = view.instance.declaration;
    const values = new Map<number, readonly Value[]>();
    const chosen = path.flatMap(item => {
        if (item.kind !== 'declare' || item.values === undefined) {
            return [];
        }
        const { local } = item.site;
        values.set(local, item.values);
        const { within } = locals[local];
        // A part that no value has says nothing.
        const isThere =
            within === undefined ||
            values.get(within.of)?.some(value => (within.value === undefined ? value > 0 : value === within.value));
        return isThere === true ? describeChoice(locals[local], item.values) : [];
    });
    return chosen.length === 0 ? {} : { choice: chosen.join(', ') };
}

function describeChoice({ name, element, indices }: Variable, values: readonly Value[]): string {
    const texts = values.map(value => formatValue(element, value));
    return `${name} = ${indices.length === 0 ? texts.join('') : `[${texts.join(', ')}]`}`;
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
    first: readonly SequentialStatement[],
    cells: readonly Cell[],
): Participant {
    const { participant, created = [] } = offer;
    // A message that is received may take the place of a name that was held before the step.
    const firstBinding = tests.findIndex(({ kind }) => kind === 'assign');
    const [before, bound] = firstBinding < 0 ? [tests, []] : [tests.slice(0, firstBinding), tests.slice(firstBinding)];
    const path =
        tests.length + created.length === 0 ? participant.path : [...participant.path, ...before, ...created, ...bound];
    const initialized = new Map(
        path.flatMap(each => (each.kind === 'assign' ? [[each.cell, each.value] as const] : [])),
    );
    const emptied = withoutAbsentFields(initialized, cells, participant.range);
    const effects = [...emptied, ...first];
    const body = effects.length === 0 ? participant.body : [...effects, ...participant.body];
    const written = new Set(cellsWritten(body));
    initialized.forEach((_, cell) => written.add(cell));
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
