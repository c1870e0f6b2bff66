/** All states of a value that is swept, from another run that has counted them. */
import type { KeptRun } from '../../language-server/protocol.js';
import type { SweptValue } from './messages.js';

/** The row with the states without reduction, if a complete run of the same text with the same values is among them. */
export function withAllStates(row: SweptValue, runs: readonly KeptRun[], sourceKey: string | undefined): SweptValue {
    const values = JSON.stringify(row.document.params);
    const same = runs.find(
        ({ reduction, property, sourceKey: key, document: { params, limit, verdict } }) =>
            reduction === 'none' &&
            property === undefined &&
            key === sourceKey &&
            JSON.stringify(params) === values &&
            limit === undefined &&
            verdict !== 'undecided',
    );
    return same === undefined ? row : { ...row, allStates: same.document.states };
}
