/** The templates of a model: where their instances are created, and whether symmetries exchange them. */
import type { SourceRange } from '../common/source-range.js';
import { factorial } from '../group/permutation.js';
import { describeGroup } from '../group/structure.js';
import { sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { templateOf } from '../model/domain.js';
import { isTypeOfNames, type Control, type Model, type Process } from '../model/model.js';
import { controlsIn, forEachStatement, stepsIn } from '../model/walk-model.js';
import type { Cell, SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import type { LiteralPoints } from '../symmetry/model-symmetry.js';
import type { TemplateReport } from './report.js';

/** Empty if there are none. The generators are permutations of literals. */
export function describeTemplates(
    model: Model,
    { templates = [], cells }: SequentialModel,
    points: LiteralPoints,
    generators: readonly SparsePermutation[],
): TemplateReport[] {
    return templates.map(template => {
        const { name, process, slots, named } = template;
        const createdAt = creationsOf(model, process);
        // Slots that are never used are all alike, and nothing moves them.
        const interchangeable = createdAt.length === 0 || exchangesAll(template, cells, points, generators);
        const { nameRange: range } = model.processes[process];
        return {
            name,
            range,
            slots: slots.length,
            ...(named !== undefined && { named }),
            interchangeable,
            createdAt,
        };
    });
}

/** The order of a group of the model without what exchanges instances that are created; undefined without templates. */
export function staticOrderOf(order: string, templates: readonly TemplateReport[]): string | undefined {
    const exchanges = templates.reduce(
        (product, { slots, named = 0, interchangeable, createdAt }) =>
            product * (interchangeable && createdAt.length > 0 ? factorial(slots - named) : 1n),
        1n,
    );
    return templates.length === 0 ? undefined : (BigInt(order) / exchanges).toString();
}

/** Whether a group exchanges all slots of a template in which an instance has been, so that names do not tell states apart. */
export function exchangesInstances(
    template: TemplateSlots,
    cells: readonly Cell[],
    points: LiteralPoints,
    generators: readonly SparsePermutation[],
): boolean {
    const { usage, named = 0 } = template;
    return usage.mostNamed === named || exchangesAll(template, cells, points, generators);
}

/** Whether all slots are exchanged, or all but those that the text names. */
function exchangesAll(
    template: TemplateSlots,
    cells: readonly Cell[],
    points: LiteralPoints,
    generators: readonly SparsePermutation[],
): boolean {
    const { slots, named = 0 } = template;
    const order = (from: number): bigint => orderOnSlots(template, cells, points, generators, from);
    return order(named) === factorial(slots.length - named) || (named > 0 && order(0) === factorial(slots.length));
}

/** In the order of the text: where instances are created, or values without end are made or chosen. */
function creationsOf({ processes }: Model, process: number): SourceRange[] {
    const places = isTypeOfNames(processes[process]) ? choicesOf(processes, process) : [];
    for (const step of processes.flatMap(({ body }) => stepsIn(body))) {
        forEachStatement(step.body, statement => {
            if (statement.kind === 'spawn' && statement.process === process) {
                places.push(statement.range);
            }
        });
    }
    return places.sort(
        ({ start: first }, { start: second }) => first.line - second.line || first.character - second.character,
    );
}

/** The choices of values without end. */
function choicesOf(processes: Model['processes'], process: number): SourceRange[] {
    const choicesIn = (controls: readonly Control[], locals: Process['locals']): SourceRange[] =>
        controls.flatMap(control => {
            if (control.kind !== 'declare') {
                return choicesIn(controlsIn(control), locals);
            }
            const { element, initializer } = locals[control.local];
            return initializer.kind === 'any' && templateOf(element) === process ? [control.range] : [];
        });
    return processes.flatMap(({ body, locals }) => choicesIn(body, locals));
}

/** Of the action on the slots after the first ones of the generators that map them onto such slots of the same template. */
function orderOnSlots(
    { slots, holders }: TemplateSlots,
    cells: readonly Cell[],
    { codes, firstPoint }: LiteralPoints,
    generators: readonly SparsePermutation[],
    first: number,
): bigint {
    const pointsOf = (cell: number, slotOf: (code: number) => number): [number, number][] =>
        codes[cell].map((code, index) => [firstPoint[cell] + index, slotOf(code)]);
    const ofCounters = slots.flatMap(({ counter }, slot) =>
        codes[counter].length > 1 ? pointsOf(counter, () => slot) : [],
    );
    // If none of them ever lives after a step, only their names move.
    const ofNames = holders.flatMap(cell =>
        pointsOf(cell, code => code - (cells[cell].domain.kind === 'optional' ? 1 : 0)),
    );
    const isMoved = ([, slot]: readonly [number, number]): boolean => slot >= first;
    const slotOf = new Map(ofCounters.length > 0 ? ofCounters : ofNames.filter(isMoved));
    const moves = generators.flatMap(({ points, images }) => {
        const moved = new Map<number, number>();
        points.forEach((point, index) => {
            const slot = slotOf.get(point);
            if (slot !== undefined) {
                moved.set(slot, slotOf.get(images[index]) ?? -1);
            }
        });
        const pairs = [...moved];
        const isWithin = pairs.every(([, image]) => image >= 0);
        return isWithin && pairs.some(([slot, image]) => slot !== image) ? [sparsePermutation(pairs)] : [];
    });
    return moves.length === 0 ? 1n : describeGroup(moves, slots.length).order;
}
