/**
 * Where all instances may stop, as a condition on reachable states: at a location of an instance its locals have only some
 * of their codes, and what is the same for all of these is not asked.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { NOWHERE } from '../common/source-range.js';
import { supportOf } from '../sequential/cell-access.js';
import { allMayStop } from '../sequential/expression/alive.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { conjunction, disjunction, FALSE } from '../sequential/expression/simplify.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { goOnWithin } from './encoding-limits.js';
import { PossibleValues } from './possible-values.js';
import type { ReachableValues } from './reachable-values.js';

/** The condition, or undefined if it is `allMayStop`. Throws EncodingStopped. */
export function mayStopWhereReached(
    model: SequentialModel,
    reachable: ReachableValues,
    limit: WorkLimit,
): SequentialExpression | undefined {
    const { cells } = model;
    const { domains } = reachable;
    const possible = new PossibleValues(cells, new Compiler(cells));
    const current = [...domains];
    let isNarrower = false;
    const instances = model.instances.map((instance, index) => {
        goOnWithin(limit, 'where instances may stop is not known yet');
        const { counter, mayStop } = instance;
        /** At a location: whether control is there, and the tests. */
        const narrowed = (way: SequentialExpression): SequentialExpression => {
            const [here, ...tests] = conjunctsOf(way);
            const isHere = here.kind === 'binary' && here.operator === '==' && here.left.kind === 'cell';
            if (!isHere || here.left.cell !== counter || here.right.kind !== 'constant' || tests.length === 0) {
                return way;
            }
            const locals = reachable.localsAt(index, here.right.value);
            const asked = conjunction(tests, NOWHERE);
            const support = supportOf(asked);
            if (support.every(cell => (locals?.get(cell) ?? domains[cell]).length === domains[cell].length)) {
                return way;
            }
            support.forEach(cell => (current[cell] = locals?.get(cell) ?? domains[cell]));
            const outcomes = possible.narrow(asked, current);
            support.forEach(cell => (current[cell] = domains[cell]));
            const [only] = outcomes?.size === 1 ? outcomes : [];
            isNarrower ||= only === 1 || only === 0;
            return only === 1 ? here : only === 0 ? FALSE : way;
        };
        const ways = mayStop.kind === 'or' ? mayStop.operands : [mayStop];
        return { ...instance, mayStop: disjunction(ways.map(narrowed), NOWHERE) };
    });
    return isNarrower ? allMayStop({ ...model, instances }) : undefined;
}
