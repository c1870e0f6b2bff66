/**
 * The model without what it says of runs, which is no part of what its steps do: temporal properties, assumptions and
 * fairness. A local that a property names is live everywhere; so it stays, by an invariant that is always true.
 */
import { remembered } from '../common/list-map.js';
import type { SourceRange } from '../common/source-range.js';
import { valueOfCode } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { Control, Invariant, Model } from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { conditionsIn } from '../model/temporal.js';
import { controlsIn, partsOf } from '../model/walk-model.js';

/** The same object if it says nothing of runs. */
export function withoutRuns(model: Model): Model {
    const { properties, assumptions, runs, processes, events, invariants } = model;
    const isFair =
        events.some(({ fairness }) => fairness !== undefined) ||
        processes.some(({ fairness, body }) => fairness !== undefined || body.some(hasFairStep));
    if (properties.length + assumptions.length + runs.length === 0 && !isFair) {
        return model;
    }
    const stated = [...properties, ...assumptions].map(({ expression }) => expression);
    const conditions = [...stated, ...runs.flatMap(({ parts }) => parts)].flatMap(conditionsIn);
    return {
        ...model,
        invariants: [...invariants, ...invariantsNaming(conditions.flatMap(localsIn), model)],
        properties: [],
        assumptions: [],
        runs: [],
        ...(isFair && { processes: withoutFairness(processes), events: withoutFairness(events) }),
    };
}

function hasFairStep(control: Control): boolean {
    return (control.kind === 'labeled' && control.fairness !== undefined) || controlsIn(control).some(hasFairStep);
}

function withoutFairness<Part extends object>(parts: readonly Part[]): readonly Part[] {
    return parts.map(part =>
        replaceParts(part, inner => {
            if (!('fairness' in inner)) {
                return undefined;
            }
            const { fairness: _, ...rest } = inner;
            return withoutFairness([rest])[0];
        }),
    );
}

type InstanceLocal = Extract<Expression, { kind: 'instance-local' }>;

function localsIn(expression: Expression): readonly InstanceLocal[] {
    const inner = partsOf(expression).flatMap(localsIn);
    return expression.kind === 'instance-local' ? [expression, ...inner] : inner;
}

/** One for each local, about its first element in the first instance. */
function invariantsNaming(locals: readonly InstanceLocal[], { processes }: Model): readonly Invariant[] {
    const byLocal = new Map<string, Invariant>();
    for (const { process, local, range } of locals) {
        const { indices, locals: declared } = processes[process];
        const element: InstanceLocal = {
            kind: 'instance-local',
            process,
            instance: indices.map(({ domain }) => ({ kind: 'constant', value: valueOfCode(domain, 0), domain, range })),
            local,
            indices: declared[local].indices.map(domain => ({
                kind: 'constant',
                value: valueOfCode(domain, 0),
                domain,
                range,
            })),
            range,
        };
        remembered(byLocal, `${process}:${local}`, () => invariantOf(element, range));
    }
    return [...byLocal.values()];
}

function invariantOf(element: InstanceLocal, range: SourceRange): Invariant {
    const expression: Expression = { kind: 'binary', operator: '==', left: element, right: element, range };
    return { name: '', expression, documentation: '', range, nameRange: range };
}
