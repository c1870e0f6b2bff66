/**
 * Steps that may change places. Two steps accord if in every state over the values that occur, after either one the other
 * has the outcome that it had before, and both orders end in the same state. A fault must stay the same fault at the same
 * place. Steps that are never possible together accord. [Valmari1991]
 */
import { keyOfRange } from '../common/source-range.js';
import { UNDECIDED } from './partial-states.js';
import { Fault } from '../sequential/expression/evaluate.js';
import { addTo, emptySet, type SummandSet } from '../sequential/step-relations.js';
import { type StepRuns, summandsByCell } from './step-runs.js';

/** By summand, those that do not accord with it. O(pairs that share a cell times branches of a pair). */
export function notAccording(runs: StepRuns, goOn: () => void): readonly SummandSet[] {
    const { reads, writes } = runs;
    const readers = summandsByCell(reads, runs.model.cells.length);
    const writers = summandsByCell(writes, runs.model.cells.length);
    const rows = writes.map(() => emptySet(writes.length));
    writes.forEach((written, first) => {
        goOn();
        const sharing = new Set([
            ...written.flatMap(cell => [...readers[cell], ...writers[cell]]),
            ...reads[first].flatMap(cell => writers[cell]),
        ]);
        for (const second of sharing) {
            if (second <= first && !accord(runs, first, second)) {
                addTo(rows[first], second);
                addTo(rows[second], first);
            }
        }
    });
    return rows;
}

function accord(runs: StepRuns, first: number, second: number): boolean {
    const [afterFirst, afterSecond, both, reversed] = [0, 1, 2, 3].map(number => runs.scratch(number));
    const written = [...runs.writes[first], ...runs.writes[second]];
    return runs.holdsWhere([first, second], state => {
        const one = runs.fire(first, state, afterFirst);
        if (one === 'disabled' || isUnknown(one)) {
            return true;
        }
        const other = runs.fire(second, state, afterSecond);
        if (other === 'disabled' || isUnknown(other)) {
            return true;
        }
        const laterOne = other === 'fired' ? runs.fire(first, afterSecond, reversed) : one;
        const laterOther = one === 'fired' ? runs.fire(second, afterFirst, both) : other;
        if (isUnknown(laterOne) || isUnknown(laterOther)) {
            return true;
        }
        if (!isSame(one, laterOne) || !isSame(other, laterOther)) {
            return false;
        }
        return one !== 'fired' || other !== 'fired' || written.every(cell => isEqual(runs, both, reversed, cell));
    });
}

/** Such a state is none, or looked at again. */
function isUnknown(outcome: Fault | string): boolean {
    return outcome === 'absent' || outcome === 'open';
}

function isSame(before: Fault | string, after: Fault | string): boolean {
    return before instanceof Fault && after instanceof Fault
        ? before.kind === after.kind && keyOfRange(before.range) === keyOfRange(after.range)
        : before === after;
}

/** Whether two states agree on a cell; where one of them has kept what is not decided, it must be. */
function isEqual({ compiler }: StepRuns, one: Int32Array, other: Int32Array, cell: number): boolean {
    if (one[cell] !== other[cell] && (one[cell] === UNDECIDED || other[cell] === UNDECIDED)) {
        compiler.need(cell);
    }
    return one[cell] === other[cell];
}
