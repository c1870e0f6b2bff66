/**
 * What the passes know of a model: the codes that cells can have, and which summands are never a fault. It comes from
 * the fixpoint of symmetry detection (constraints/reachable-values.ts) and is sound. If that takes too long, nothing is
 * known.
 */
import { unreachable } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import { type KnownValues, valuesOf } from '../constraints/dead-steps.js';
import type { Domains } from '../constraints/formula.js';
import type { PlacedFragment } from '../constraints/fragment.js';
import { PossibleValues } from '../constraints/possible-values.js';
import { domainSize, NO_VALUE } from '../model/domain.js';
import { cellsOfPlace } from '../sequential/cell-access.js';
import { Fault } from '../sequential/expression/evaluate.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { valuesOfInitial } from '../sequential/initial-cells.js';
import type {
    Cell,
    InitialCell,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../sequential/sequential-model.js';
import { mayFault, mayLeave } from '../sequential/expression/bounds.js';

export interface Knowledge {
    /** As in ReachableValues: empty where nothing is known of a cell. */
    readonly domains: Domains;
    readonly neverFaults: (summand: number) => boolean;
}

/** `values` are those of the model, where they are known already. */
export function knowledgeOf(
    model: SequentialModel,
    limit: WorkLimit,
    values: KnownValues | undefined = valuesOf(model, limit),
): Knowledge {
    if (values === undefined) {
        return nothingOf(model);
    }
    const { placed, reachable } = values;
    return {
        domains: reachable.domains,
        neverFaults: remembering(summand => {
            const { transition } = placed[summand].transition;
            if (!transition.mayFault || transition.isTooLarge) {
                return !transition.isTooLarge;
            }
            const at = reachable.at(summand);
            return at === undefined || isWithoutFault(placed[summand], at.localCodes);
        }),
    };
}

function remembering(decide: (summand: number) => boolean): (summand: number) => boolean {
    const known: boolean[] = [];
    return summand => (known[summand] ??= decide(summand));
}

function nothingOf({ cells }: SequentialModel): Knowledge {
    return {
        domains: cells.map(({ kind }) => (kind === 'temporary' ? [NO_VALUE] : [])),
        neverFaults: () => false,
    };
}

/** Each participant alone: its tests in order, over the codes with which those before hold. `domains` are local. */
function isWithoutFault({ fragment, transition }: PlacedFragment, domains: Domains): boolean {
    const { cells, compiler } = fragment;
    const possible = new PossibleValues(cells, compiler);
    return transition.transition.participants.every(tests => {
        const current = [...domains];
        return tests.flatMap(conjunctsOf).every(test => {
            const outcomes = possible.narrow(test, current);
            return outcomes === undefined
                ? !mayFault(test, cells)
                : ![...outcomes].some(outcome => outcome instanceof Fault);
        });
    });
}

export function mayInitialValueFail({ cell, value }: InitialCell, cells: readonly Cell[]): boolean {
    const isEmpty =
        (value.kind === 'any' && domainSize(cells[cell].domain) === 0) ||
        (value.kind === 'oneOf' && value.expressions.length === 0);
    return isEmpty || valuesOfInitial(value).some(expression => mayNotFit([cell], expression, cells));
}

/** Whether the part of a step may be a fault or not end, by the domains of the cells that it reads. */
export function mayPartFault({ path, body }: Participant, cells: readonly Cell[]): boolean {
    return (
        path.some(element =>
            element.kind === 'test'
                ? mayFault(element.condition, cells)
                : mayNotFit([element.cell], element.value, cells),
        ) || body.some(statement => mayStatementFault(statement, cells))
    );
}

function mayStatementFault(statement: SequentialStatement, cells: readonly Cell[]): boolean {
    switch (statement.kind) {
        case 'assign':
            return mayAssignmentFault(statement, cells);
        case 'clear':
            return false;
        case 'if':
            return (
                mayFault(statement.condition, cells) ||
                [...statement.then, ...statement.otherwise].some(inner => mayStatementFault(inner, cells))
            );
        case 'while':
        case 'assert':
            return true;
        default:
            return unreachable(statement);
    }
}

export function mayAssignmentFault(
    { target, value }: Extract<SequentialStatement, { kind: 'assign' }>,
    cells: readonly Cell[],
): boolean {
    return (
        mayNotFit(cellsOfPlace(target), value, cells) ||
        (target.kind === 'element' && mayFault({ ...target, kind: 'element' }, cells))
    );
}

/** Whether a value may be a fault or outside of the domain of one of its targets. */
export function mayNotFit(targets: readonly number[], value: SequentialExpression, cells: readonly Cell[]): boolean {
    return mayFault(value, cells) || targets.some(target => mayLeave(cells[target].domain, value, cells));
}
