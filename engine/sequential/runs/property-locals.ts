/** Locals that properties name, and values that are asked from the start, `P[i].k`, and parameters that others read, `w.x`: they hold a value everywhere. */
import type { SourceRange } from '../../common/source-range.js';
import type { Expression } from '../../model/expression.js';
import type { Model } from '../../model/model.js';
import { conditionsIn } from '../../model/temporal.js';
import { walkModel } from '../../model/walk-model.js';
import { freeNamesOf } from '../expression/free-names.js';
import type { Family, PlacedInstance } from '../control/instances.js';
import type { NodeBudget } from '../linearization-limits.js';
import type { SequentialExpression } from '../sequential-model.js';
import { choiceByIndices } from '../expression/substitute.js';

/** For each process the indices of the locals that are named from outside. */
export function localsInProperties(model: Model): readonly ReadonlySet<number>[] {
    const named = model.processes.map(() => new Set<number>());
    const aboutRuns = [...model.properties, ...model.assumptions].map(({ expression }) => expression);
    const stated = [...model.runs, ...(model.observed === undefined ? [] : [model.observed])];
    const runs = [...aboutRuns, ...stated.flatMap(({ parts }) => parts)].flatMap(conditionsIn);
    const add = (expression: Expression): Expression => {
        for (const name of freeNamesOf(expression).instanceLocals) {
            const [process, local] = name.split(':').map(Number);
            named[process].add(local);
        }
        return expression;
    };
    const asked = (model.asked ?? []).flatMap(({ fromStart, scalars }) => (fromStart === true ? scalars : []));
    const ofStates = [...model.invariants, ...asked].map(({ expression }) => expression);
    [...ofStates, ...runs].forEach(add);
    walkModel(model, ({ process }) => ({ model, process, part: add }));
    return named;
}

/** The element of a local of the instance at the indices; the fault `index` if there is none. */
export function localOfInstance(
    instances: readonly PlacedInstance[],
    family: Family,
    instance: readonly SequentialExpression[],
    local: number,
    indices: readonly SequentialExpression[],
    budget: NodeBudget,
    range: SourceRange,
): SequentialExpression {
    return choiceByIndices(instance, family.domains, budget, range, position => {
        const chosen = family.instanceAt(position);
        if (chosen === undefined) {
            return undefined;
        }
        const { first, indices: domains } = instances[chosen].locals[local];
        return choiceByIndices(indices, domains, budget, range, element => ({
            kind: 'cell',
            cell: first + element,
            range,
        }));
    });
}
