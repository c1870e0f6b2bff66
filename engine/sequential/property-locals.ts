/** Locals that properties name, `P[i].k`: they hold a value everywhere. */
import type { SourceRange } from '../common/source-range.js';
import type { Model } from '../model/model.js';
import { conditionsIn } from '../model/temporal.js';
import { freeNamesOf } from './expression/free-names.js';
import type { Family, PlacedInstance } from './control/instances.js';
import type { NodeBudget } from './linearization-limits.js';
import type { SequentialExpression } from './sequential-model.js';
import { choiceByIndices } from './expression/substitute.js';

/** For each process the indices of the locals that some property names. */
export function localsInProperties(model: Model): readonly ReadonlySet<number>[] {
    const named = model.processes.map(() => new Set<number>());
    const runs = [...model.properties, ...model.assumptions].flatMap(({ expression }) => conditionsIn(expression));
    for (const expression of [...model.invariants.map(stated => stated.expression), ...runs]) {
        for (const name of freeNamesOf(expression).instanceLocals) {
            const [process, local] = name.split(':').map(Number);
            named[process].add(local);
        }
    }
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
