/** Temporal properties and fairness under the symmetries: how many members and constraints there are up to symmetry. */
import { remembered } from '../common/list-map.js';
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import type { TemporalExpression } from '../model/temporal.js';
import type { SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import type { KeptProperty, RunGroups } from '../symmetry/run-groups.js';
import { structureOf } from './factors.js';
import type { FairnessReport, MembersReport, PropertyReport, SymmetryReport } from './report.js';

/** Whether there is something to say: most models have no such part. */
export function speaksOfRuns({ properties, fairness }: SequentialModel): boolean {
    return properties.length + fairness.length > 0;
}

/** The temporal properties in the order of the text, and fairness if there is any. */
export function describeRuns(
    model: Model,
    sequential: SequentialModel,
    { fairness, properties }: RunGroups,
    limit: WorkLimit,
): Required<Pick<SymmetryReport, 'properties'>> & Pick<SymmetryReport, 'fairness'> {
    const constraints = sequential.fairness;
    return {
        properties: sequential.properties.map((property, index) =>
            describeProperty(property, properties[index], model, limit),
        ),
        ...(constraints.length > 0 && {
            fairness: {
                constraints: constraints.length,
                ...(fairness && { orbits: countDistinct(fairness.orbits), keeps: named(fairness.group, limit) }),
                places: placesOf(
                    constraints.map(({ range }) => range),
                    fairness?.orbits,
                ),
            },
        }),
    };
}

function describeProperty(
    { name, range, members: { length: count } }: TemporalProperty,
    { members, stabilizer }: KeptProperty,
    model: Model,
    limit: WorkLimit,
): PropertyReport {
    const declared = model.properties.find(property => property.name === name);
    const runs: MembersReport = {
        members: count,
        ...(members && { orbits: countDistinct(members.orbits) }),
        ...(stabilizer && { stabilizer: named(stabilizer, limit) }),
        ...(declared !== undefined && isAboutProcesses(declared.expression) && { areProcesses: true }),
    };
    // The identity alone is kept for certain.
    const kept = members === undefined ? { order: '1', structure: 'trivial' } : named(members.group, limit);
    return { name, kind: 'property', ...kept, range, runs };
}

function named(group: ModelGroup, limit: WorkLimit): { readonly order: string; readonly structure: string } {
    return { order: group.order.toString(), structure: structureOf(group, limit) };
}

function countDistinct(numbers: readonly number[]): number {
    return new Set(numbers).size;
}

/** The constraints of each place, in the order of the constraints. */
function placesOf(ranges: readonly SourceRange[], orbits: readonly number[] | undefined): FairnessReport['places'] {
    const constraintsAt = new Map<string, number[]>();
    ranges.forEach((range, constraint) => {
        remembered(constraintsAt, keyOfRange(range), () => []).push(constraint);
    });
    return [...constraintsAt.values()].map(own => ({
        range: ranges[own[0]],
        constraints: own.length,
        ...(orbits !== undefined && { orbits: countDistinct(own.map(constraint => orbits[constraint])) }),
    }));
}

/** Whether a property has one outer binder, which is the index of a process somewhere inside. */
function isAboutProcesses(expression: TemporalExpression): boolean {
    if (expression.kind !== 'forall') {
        return 'operand' in expression && isAboutProcesses(expression.operand);
    }
    const [binder, ...others] = expression.binders;
    return binder !== undefined && others.length === 0 && isIndexIn(expression.body, binder.id);
}

function isIndexIn(part: unknown, binder: number): boolean {
    if (typeof part !== 'object' || part === null) {
        return false;
    }
    const index = instanceIn(part);
    return (
        (index?.kind === 'binder' && index.binder.id === binder) ||
        Object.entries(part).some(([key, value]) => key !== 'range' && isIndexIn(value, binder))
    );
}

/** The only index of the process that a part is about: `P[i] at l`, `P[i] takes l`, `P[i].k`. */
function instanceIn(part: object): Expression | undefined {
    const { kind, indices, instance } = part as Partial<Extract<Expression, { kind: 'instance-local' }>>;
    const named = kind === 'instance-local' ? instance : ABOUT_INSTANCES.has(kind ?? '') ? indices : undefined;
    return named?.length === 1 ? named[0] : undefined;
}

const ABOUT_INSTANCES: ReadonlySet<string> = new Set(['at', 'takes']);
