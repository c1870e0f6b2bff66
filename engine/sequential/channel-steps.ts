/** The participants of sends and receives: at a buffer each alone, at a rendezvous two together. */
import { invariant } from '../common/assert.js';
import type { Model } from '../model/model.js';
import type { SourceRange } from '../common/source-range.js';
import { isPresentField, withoutAbsentFields, type KnownValues } from './absent-fields.js';
import { readsAnyOf } from './cell-access.js';
import type { ChannelCells } from './cell-layout.js';
import type { InstanceView, OfferedCommunication } from './control/instance-view.js';
import { assignment, completed, type InstanceOffer } from './control/offers.js';
import { binary, constant, isTrue } from './expression/simplify.js';
import { assignable, inDomain, substitute } from './expression/substitute.js';
import type { TemporaryCells } from './expression/temporary-cells.js';
import type { NodeBudget } from './linearization-limits.js';
import type { Racer } from './races.js';
import type {
    Cell,
    Instance,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialStatement,
    TemplateSlots,
} from './sequential-model.js';

export interface SynchronizeOptions {
    readonly model: Model;
    /** By the index in `Model.channels`. */
    readonly channels: readonly ChannelCells[];
    readonly cells: readonly Cell[];
    readonly instances: readonly Instance[];
    /** By instance. */
    readonly views: readonly InstanceView[];
    readonly budget: NodeBudget;
    readonly temporaries: TemporaryCells;
    /** By process; undefined for a family. */
    readonly templates: readonly (TemplateSlots | undefined)[];
}

export interface ChannelOffer<Kind extends 'send' | 'receive'> {
    readonly instance: number;
    readonly index: number;
    readonly offer: InstanceOffer;
    readonly communication: Extract<OfferedCommunication, { kind: Kind }>;
    /** That the channel is this one. */
    readonly tests: readonly PathElement[];
}

export function testElements(tests: readonly SequentialExpression[]): PathElement[] {
    return tests.filter(test => !isTrue(test)).map(condition => ({ kind: 'test', condition }));
}

export function sendToBuffer(
    options: SynchronizeOptions,
    offer: InstanceOffer,
    { values, range }: Extract<OfferedCommunication, { kind: 'send' }>,
    layout: ChannelCells,
    position: number,
    here: readonly PathElement[],
): Participant {
    const length = layout.lengthCell(position);
    const current: SequentialExpression = { kind: 'cell', cell: length, range };
    const hasRoom = binary('<', current, constant(layout.capacity), range);
    const fill = (slot: number): SequentialStatement[] =>
        filled(
            values.map((_, scalar) => layout.slotCell(position, slot, scalar)),
            values,
            atMost(layout, position),
            options.cells,
            range,
        );
    const statements = Array.from({ length: layout.capacity }, (_, slot): SequentialStatement => {
        options.budget.spend(values.length + 1, range);
        const condition = binary('==', current, constant(slot), range);
        return { kind: 'if', condition, then: fill(slot), otherwise: [], range };
    });
    const grow = assignment(length, binary('+', current, constant(1), range), range);
    return completed(
        offer,
        [...here, { kind: 'test', condition: hasRoom }],
        [...(layout.capacity === 1 ? fill(0) : statements), grow],
        options.cells,
    );
}

/** The length for which all places are in use: a step tests by itself which ones are. */
function atMost(layout: ChannelCells, position: number): KnownValues {
    return new Map([[layout.lengthCell(position), constant(layout.capacity)]]);
}

/** A message is written to the cells of a place. */
function filled(
    slot: readonly number[],
    values: readonly SequentialExpression[],
    length: KnownValues,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialStatement[] {
    const statements = slot.map((cell, scalar) => assignment(cell, values[scalar], range));
    const known: KnownValues = new Map([...length, ...slot.map((cell, scalar) => [cell, values[scalar]] as const)]);
    return [...statements, ...withoutAbsentFields(known, cells, range)];
}

/** A scalar goes one place to the front; a field that is not there leaves none. */
function moved(
    from: number,
    to: number,
    length: KnownValues,
    cells: readonly Cell[],
    range: SourceRange,
): SequentialStatement {
    const move = assignment(to, { kind: 'cell', cell: from, range }, range);
    const condition = isPresentField(from, cells, range, length);
    return isTrue(condition)
        ? move
        : { kind: 'if', condition, then: [move], otherwise: [{ kind: 'clear', cell: to }], range };
}

/** The message that comes first, by its scalars. */
export function headOf(layout: ChannelCells, position: number, range: SourceRange): SequentialExpression[] {
    return Array.from({ length: layout.scalars }, (_, scalar) => ({
        kind: 'cell',
        cell: layout.slotCell(position, 0, scalar),
        range,
    }));
}

export function receiveFromBuffer(
    options: SynchronizeOptions,
    offer: InstanceOffer,
    communication: Extract<OfferedCommunication, { kind: 'receive' }>,
    layout: ChannelCells,
    position: number,
    here: readonly PathElement[],
): Participant {
    const { range } = communication;
    const length = layout.lengthCell(position);
    const current: SequentialExpression = { kind: 'cell', cell: length, range };
    const scalars = Array.from({ length: layout.scalars }, (_, scalar) => scalar);
    const slotOf = (slot: number, scalar: number): number => layout.slotCell(position, slot, scalar);
    const head = headOf(layout, position, range);
    const { tests, bindings } = options.views[offer.participant.instance].match(communication, head);
    const full = atMost(layout, position);
    const moves: SequentialStatement[] = [];
    for (let slot = 0; slot < layout.capacity; slot++) {
        options.budget.spend(2 * layout.scalars, range);
        const clear = scalars.map((scalar): SequentialStatement => ({ kind: 'clear', cell: slotOf(slot, scalar) }));
        const isLast: SequentialStatement = {
            kind: 'if',
            condition: binary('==', current, constant(slot + 1), range),
            then: clear,
            otherwise: [],
            range,
        };
        if (slot === layout.capacity - 1) {
            moves.push(...(slot === 0 ? clear : [isLast]));
            break;
        }
        moves.push({
            kind: 'if',
            condition: binary('>', current, constant(slot + 1), range),
            then: scalars.map(scalar =>
                moved(slotOf(slot + 1, scalar), slotOf(slot, scalar), full, options.cells, range),
            ),
            otherwise: [isLast],
            range,
        });
    }
    const shrink = assignment(length, binary('-', current, constant(1), range), range);
    const hasMessage = binary('>', current, constant(0), range);
    return completed(
        offer,
        [...here, { kind: 'test', condition: hasMessage }, ...testElements(tests)],
        [...bindings, ...moves, shrink],
        options.cells,
    );
}

/** The sender, and its message over the state before the step. */
export function senderOf(
    options: SynchronizeOptions,
    { offer, communication, tests }: ChannelOffer<'send'>,
    channel: number,
): { readonly participant: Participant; readonly message: readonly SequentialExpression[] } {
    const { values, range } = communication;
    const { message: scalars } = options.model.channels[channel];
    const fits = values.map((value, scalar) => assignable(value, scalars[scalar].domain, options.cells, range));
    const participant = completed(offer, [...tests, ...testElements(fits)], [], options.cells);
    const initialized = valuesOnPath(participant.path, options.cells, options.budget);
    const message = values.map((value, scalar) =>
        inDomain(substitute(value, initialized, options.budget), scalars[scalar].domain, options.cells, range),
    );
    return { participant, message };
}

/** What a path gives to its cells, over the state before it. */
export function valuesOnPath(
    path: readonly PathElement[],
    cells: readonly Cell[],
    budget: NodeBudget,
): ReadonlyMap<number, SequentialExpression> {
    const initialized = new Map<number, SequentialExpression>();
    for (const element of path) {
        if (element.kind === 'assign') {
            const value = substitute(element.value, initialized, budget);
            initialized.set(element.cell, inDomain(value, cells[element.cell].domain, cells, element.range));
        }
    }
    return initialized;
}

/** The receiver. Bindings end the path, where cells of the sender are as before, or begin the body for an element. */
export function receiverOf(
    options: SynchronizeOptions,
    { offer, communication, tests, instance }: ChannelOffer<'receive'>,
    message: readonly SequentialExpression[],
): Racer {
    const matched = options.views[instance].match(communication, message);
    // Kept values come first, over the state before the step; then the other cells are written.
    const kept: PathElement[] = [];
    const written: PathElement[] = [];
    const writtenCells = new Set<number>();
    const bindings: SequentialStatement[] = [];
    const keep = (statement: SequentialStatement): void => {
        invariant(statement.kind === 'assign' && statement.target.kind === 'cell', 'a value is kept in a cell');
        kept.push({
            kind: 'assign',
            cell: statement.target.cell,
            value: statement.value,
            range: statement.range,
        });
    };
    options.temporaries.continueStep(instance, options.instances[instance].name);
    for (const statement of matched.bindings) {
        if (statement.kind !== 'assign') {
            // The place does not exist: what is left is the fault.
            bindings.push(statement);
            continue;
        }
        const { target, value, range } = statement;
        if (target.kind === 'cell' && options.cells[target.cell].kind === 'temporary') {
            keep(statement);
        } else if (target.kind === 'cell' && !readsAnyOf(value, writtenCells)) {
            written.push({ kind: 'assign', cell: target.cell, value, range });
            writtenCells.add(target.cell);
        } else {
            const held = options.temporaries.hold('message', value, range);
            held.statements.forEach(keep);
            bindings.push({ kind: 'assign', target, value: held.value, range });
        }
    }
    const tail = [...tests, ...testElements(matched.tests), ...kept, ...written];
    const participant = completed(offer, tail, bindings, options.cells);
    return { participant, bindings };
}
