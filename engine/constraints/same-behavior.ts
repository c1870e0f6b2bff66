/** Whether two models behave the same over the same cells, whatever their names: results for one hold for both. */
import { sameNumbers } from '../common/same-data.js';
import type { Cell, Instance, SequentialExpression, SequentialModel, Summand } from '../sequential/sequential-model.js';
import { expressionsOfInitial } from '../sequential/initial-cells.js';
import type { CodeRenaming } from './code-renaming.js';
import type { Domains } from './formula.js';
import type { PlacedFragment } from './fragment.js';
import { cellKey, Localizer } from './local-form.js';

/** A model with the fragments of its summands. In one cache, equal forms share a fragment. */
export interface PlacedModel {
    readonly sequential: SequentialModel;
    readonly placed: readonly PlacedFragment[];
}

export function sameBehavior(first: PlacedModel, second: PlacedModel): boolean {
    const [a, b] = [first.sequential, second.sequential];
    return (
        same(first.placed, second.placed, samePlace) &&
        same(a.summands, b.summands, sameControl) &&
        a.allowsDeadlock === b.allowsDeadlock &&
        sameStart(a, b) &&
        same(conditionsOf(a), conditionsOf(b), Object.is)
    );
}

/** Whether two models have the same cells, locations and initial states. */
function sameStart(first: SequentialModel, second: SequentialModel): boolean {
    return (
        same(first.cells, second.cells, sameCell) &&
        same(first.instances, second.instances, sameLocations) &&
        same(initialOf(first), initialOf(second), Object.is)
    );
}

/** Whether every cell can have the same codes. */
export function sameDomains(first: Domains, second: Domains): boolean {
    return same(first, second, sameNumbers);
}

function samePlace(first: PlacedFragment, second: PlacedFragment): boolean {
    return (
        first.transition === second.transition &&
        sameNumbers(first.cells, second.cells) &&
        same(first.renamings, second.renamings, sameRenaming)
    );
}

function sameRenaming(first: CodeRenaming | undefined, second: CodeRenaming | undefined): boolean {
    return first === undefined || second === undefined
        ? first === second
        : sameNumbers(first.from, second.from) && sameNumbers(first.to, second.to);
}

function sameControl(first: Summand, second: Summand): boolean {
    return same(
        first.participants,
        second.participants,
        (a, b) => a.instance === b.instance && a.source === b.source && a.target === b.target,
    );
}

function sameCell(first: Cell, second: Cell): boolean {
    return first.kind === second.kind && first.instance === second.instance && cellKey(first) === cellKey(second);
}

function sameLocations(first: Instance, second: Instance): boolean {
    return first.counter === second.counter && first.locations.length === second.locations.length;
}

/** The initial values and conditions, as texts. */
function initialOf({ cells, initial, initialConditions }: SequentialModel): string[] {
    const textOf = textsOver(cells);
    return [
        ...initial.map(
            entry => `${entry.cell} ${entry.value.kind} ${expressionsOfInitial(entry).map(textOf).join('; ')}`,
        ),
        'conditions',
        ...initialConditions.map(textOf),
    ];
}

/** The conditions to stop, the constraint and the invariants, as texts. */
function conditionsOf({ cells, instances, invariants, constraint }: SequentialModel): string[] {
    const textOf = textsOver(cells);
    return [
        ...instances.map(({ mayStop }) => textOf(mayStop)),
        constraint === undefined ? '' : textOf(constraint.expression),
        'invariants',
        ...invariants.map(({ expression }) => textOf(expression)),
    ];
}

function textsOver(cells: readonly Cell[]): (expression: SequentialExpression) => string {
    const localizer = new Localizer(cells);
    return expression => {
        const form = localizer.condition(expression);
        return `${form.cells.join()}|${form.key}`;
    };
}

function same<T>(first: readonly T[], second: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
    return first.length === second.length && first.every((part, index) => isSame(part, second[index]));
}
