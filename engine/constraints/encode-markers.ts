/**
 * Markers of a model as constraints: their conditions on states as formulas, like invariants, and their summands. Only
 * temporal properties ask for it.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Marker } from '../sequential/sequential-model.js';
import type { ConstraintAtom, ConstraintMarker, ConstraintProblem } from './constraint-problem.js';
import { conditionsOn } from './encode.js';
import { EncodingStopped, unless } from './encoding-limits.js';

/** The problem with markers; undefined if the limit ended its encoding, or ends this one. */
export function encodeMarkers(
    problem: ConstraintProblem,
    markers: readonly Marker[],
    limit: WorkLimit,
): ConstraintProblem | undefined {
    const truthOf = conditionsOn(problem, limit);
    const encoded = ({ skeleton, atoms }: Marker): ConstraintMarker => ({
        form: JSON.stringify([skeleton, ...atoms.map(atom => (atom.kind === 'possible' ? atom.condition : atom.kind))]),
        atoms: atoms.map((atom): ConstraintAtom => {
            switch (atom.kind) {
                case 'state':
                    return { kind: 'state', ...truthOf(atom.expression) };
                case 'possible':
                    return { kind: 'possible' };
                default:
                    return atom;
            }
        }),
    });
    const withMarkers = (): ConstraintProblem => ({ ...problem, markers: markers.map(encoded) });
    return problem.complete ? unless(EncodingStopped, withMarkers, () => undefined) : undefined;
}
