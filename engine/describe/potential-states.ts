/** Potential states, in which each cell holds any value that can occur in it, and their orbits. */
import type { WorkLimit } from '../common/work-limit.js';
import { countOrbits } from '../group/orbit-count.js';
import { domainSize } from '../model/domain.js';
import { codesIn } from '../sequential/numbers/enough-codes.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { literalGroup, type ModelGroup } from '../symmetry/model-symmetry.js';
import type { SymmetryReport } from './report.js';

/** Counting the orbits of potential states stops after this many steps: a lens must not wait for it. */
const ORBIT_COUNT_STEPS = 20_000_000;

/** The number of potential states and, unless counting takes too long, the number of their orbits. */
export function countPotentialStates(
    problem: ConstraintProblem,
    group: ModelGroup,
    limit: WorkLimit,
): Pick<SymmetryReport, 'potentialStates' | 'potentialOrbits' | 'potentialOrbitsMissing' | 'numbersUpTo'> {
    const contents = contentsOf(problem, group);
    const unlisted = unlistedStates(problem);
    const orbits = countKnownOrbits(group, contents, limit);
    return {
        ...(problem.sequential.numbers !== undefined && { numbersUpTo: codesIn(problem) - 1 }),
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

/** The number of orbits of the contents of `cells`, which the group keeps as a set; undefined if counting takes too long. */
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

/** Counting takes long, and most edits keep the group. */
const knownCounts = new WeakMap<ModelGroup, OrbitCount>();

function countKnownOrbits(
    group: ModelGroup,
    contents: readonly (readonly number[])[],
    limit: WorkLimit,
): bigint | undefined {
    const known = knownCounts.get(group);
    // The contents of a cell are all of its codes and perhaps one more, so equal lengths are equal contents.
    if (known?.contents.every((codes, cell) => codes.length === contents[cell].length) === true) {
        return known.orbits;
    }
    const orbits = countOrbits(literalGroup(group), { codes: contents, workLimit: ORBIT_COUNT_STEPS, limit });
    if (orbits !== undefined || !limit.isExhausted()) {
        knownCounts.set(group, { contents, orbits });
    }
    return orbits;
}

/** The contents that each cell can have, in the group's numbering; -1 if it can be without a value. */
function contentsOf(problem: ConstraintProblem, group: ModelGroup): number[][] {
    return group.codes.map((codes, cell) => [
        // A cell whose values are not listed is never moved: here it has a single content.
        ...(codes.length === 0 || problem.domains[cell][0] === -1 ? [-1] : []),
        ...codes.map((_, position) => position),
    ]);
}

/** The number of contents of the cells whose values are not listed: of all cells, or of those counted. */
function unlistedStates(problem: ConstraintProblem, counted?: ReadonlySet<number>): bigint {
    return problem.sequential.cells.reduce(
        (product, cell, index) =>
            problem.domains[index].length > 0 || counted?.has(index) === false
                ? product
                : product * BigInt(domainSize(cell.domain) + (cell.mayBeAbsent ? 1 : 0)),
        1n,
    );
}
