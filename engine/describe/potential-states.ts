/**
 * The states that the values which can occur make up, each cell taken alone, and their orbits. Where neither the group nor
 * these values are other ones than last time, nothing is counted again.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { countOrbits } from '../group/orbit-count.js';
import { domainSize } from '../model/domain.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { literalGroup, type ModelGroup } from '../symmetry/model-symmetry.js';
import type { SymmetryReport } from './report.js';

/** Counting the orbits of potential states is given up after this many steps: a lens must not wait for it. */
const ORBIT_COUNT_STEPS = 20_000_000;

/** How many potential states there are and, unless counting them takes too long, how many orbits of them. */
export function countPotentialStates(
    problem: ConstraintProblem,
    group: ModelGroup,
    limit: WorkLimit,
): Pick<SymmetryReport, 'potentialStates' | 'potentialOrbits' | 'potentialOrbitsMissing'> {
    const contents = contentsOf(problem, group);
    const unlisted = unlistedStates(problem);
    const orbits = countKnownOrbits(group, contents, limit);
    return {
        potentialStates: contents.reduce((product, codes) => product * BigInt(codes.length), unlisted).toString(),
        ...(orbits === undefined
            ? {
                  potentialOrbitsMissing: limit.isExhausted()
                      ? 'the time limit came first'
                      : 'there are too many symmetries to count what each of them leaves as it is',
              }
            : { potentialOrbits: (orbits * unlisted).toString() }),
    };
}

/**
 * How many potential states the group tells apart that differ in `cells`, which it maps onto themselves; undefined where
 * counting them takes too long.
 */
export function countDistinctIn(
    cells: readonly number[],
    problem: ConstraintProblem,
    group: ModelGroup,
    limit: WorkLimit,
): bigint | undefined {
    const isCounted = new Set(cells);
    const codes = contentsOf(problem, group).map((contents, cell) => (isCounted.has(cell) ? contents : [-1]));
    const orbits = countOrbits(literalGroup(group), { codes, workLimit: ORBIT_COUNT_STEPS, limit });
    return orbits && orbits * unlistedStates(problem, isCounted);
}

interface OrbitCount {
    readonly contents: readonly (readonly number[])[];
    readonly orbits: bigint | undefined;
}

const knownCounts = new WeakMap<ModelGroup, OrbitCount>();

function countKnownOrbits(
    group: ModelGroup,
    contents: readonly (readonly number[])[],
    limit: WorkLimit,
): bigint | undefined {
    const known = knownCounts.get(group);
    // Of each cell all codes of the group are among the contents, and perhaps one more.
    if (known?.contents.every((codes, cell) => codes.length === contents[cell].length) === true) {
        return known.orbits;
    }
    const orbits = countOrbits(literalGroup(group), { codes: contents, workLimit: ORBIT_COUNT_STEPS, limit });
    if (orbits !== undefined || !limit.isExhausted()) {
        knownCounts.set(group, { contents, orbits });
    }
    return orbits;
}

/** The contents that each cell can have, in the group's numbering: -1 where it can have no value. */
function contentsOf(problem: ConstraintProblem, group: ModelGroup): number[][] {
    return group.codes.map((codes, cell) => [
        // A cell whose values are not listed is never moved; it stands as one content here.
        ...(codes.length === 0 || problem.domains[cell][0] === -1 ? [-1] : []),
        ...codes.map((_, position) => position),
    ]);
}

/** The number of ways to fill the cells whose values are too many to list, of all or of some. */
function unlistedStates(problem: ConstraintProblem, counted?: ReadonlySet<number>): bigint {
    return problem.sequential.cells.reduce(
        (product, cell, index) =>
            problem.domains[index].length > 0 || counted?.has(index) === false
                ? product
                : product * BigInt(domainSize(cell.domain) + (cell.mayBeAbsent ? 1 : 0)),
        1n,
    );
}
