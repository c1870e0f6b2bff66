/**
 * Hints at steps that are a fault in some state of some run. Where the values of cells make one possible
 * (fault-candidates.ts), a short search looks for a run that comes to it (reach-fault.ts), and only what it finds is
 * told: a hint is never a false alarm, and a fault that lies deep in the state space has none.
 */
import type { Problem } from '../common/problem.js';
import type { TextOfRange } from '../common/source-text.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { KnownValues } from '../constraints/dead-steps.js';
import { cellsOfFault, faultCandidates, type FaultCandidate } from '../constraints/fault-candidates.js';
import { reachFault, type ReachedFault } from '../explore/reach-fault.js';
import { reasonOfFault } from '../reasons/fault.js';
import { Scene } from '../reasons/scene.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel } from '../sequential/sequential-model.js';

export const MAY_FAULT_CODE = 'step/may-fault';

/** States that are expanded for one place. */
const MOST_STATES = 5_000;
/** Places that are looked for. */
const MOST_PLACES = 20;
/** Values that a message names. */
const MOST_VALUES = 2;

/** Fewer, if the limit is exhausted before all are looked for. */
export function findPossibleFaults(
    given: SequentialModel,
    known: KnownValues,
    textOf: TextOfRange,
    limit: WorkLimit,
): Problem[] {
    const sequential = withAllSlots(given)?.model;
    if (sequential === undefined) {
        return [];
    }
    return faultCandidates(sequential, known, limit)
        .slice(0, MOST_PLACES)
        .flatMap(candidate => {
            const reached = reachFault(sequential, candidate, MOST_STATES, limit);
            return reached === undefined ? [] : [problemOf(candidate, reached, sequential, textOf)];
        });
}

function problemOf(
    { kind, range }: FaultCandidate,
    { state, summand }: ReachedFault,
    sequential: SequentialModel,
    textOf: TextOfRange,
): Problem {
    const scene = new Scene(sequential, state, textOf);
    const values = cellsOfFault(sequential, summand, range, state).filter(cell =>
        ['shared', 'local'].includes(sequential.cells[cell].kind),
    );
    const where =
        values.length === 0 || values.length > MOST_VALUES
            ? ''
            : values.map(cell => scene.cellText(cell)).join(' and ');
    const [{ text }] = reasonOfFault(summand, kind, scene);
    // A reason begins with the text of the place, which the hint stands at.
    const why = text.replace(/^`[^`]*`: /, '');
    return {
        severity: 'information',
        code: MAY_FAULT_CODE,
        message: where === '' ? `this can be a fault: ${text}` : `where ${where}, this is a fault: ${why}`,
        range,
    };
}
