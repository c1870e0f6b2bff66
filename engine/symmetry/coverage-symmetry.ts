/** The action of a group on the states, summands and literals that a coverage counts. */
import { orbitNumbers } from '../group/orbits.js';
import type { OrbitSizes } from '../representative/orbit-size.js';
import { stateAction } from './certify.js';
import type { GraphEncoding } from './graph-encoding.js';
import type { ModelGroup } from './model-symmetry.js';
import { summandOrbits } from './summand-orbits.js';

/** As engine/explore/coverage.ts needs it. `encoding` has all summands, `group` is one of its symmetries. */
export function coverageSymmetry(encoding: GraphEncoding, group: ModelGroup, orbits: OrbitSizes | undefined) {
    const { cellOfPoint: cells, codes, firstPoint, generators } = group;
    const orbitOfPoint = orbitNumbers(generators, cells.length);
    const moved = [...new Set(generators.flatMap(({ points }) => [...points]))].sort((a, b) => a - b);
    return {
        orbitSize: (state: Readonly<Int32Array>): bigint | undefined => orbits?.orbitOf(state)?.size,
        summandOrbits: summandOrbits(encoding, group),
        images: generators.map(generator => stateAction(group, generator)),
        movedLiterals: moved.map(point => ({
            cell: cells[point],
            code: codes[cells[point]][point - firstPoint[cells[point]]],
            orbit: orbitOfPoint[point],
        })),
    };
}
