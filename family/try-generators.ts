/**
 * The proved groups at the values at hand, tried like generators that are found: run on states of the model. One that
 * the model refutes is a defect of Orbit, and nothing is then said to be proved.
 */
import { certify } from '../engine/verdict/certify-by-running.js';
import type { WorkLimit } from '../engine/common/work-limit.js';
import type { ConstraintProblem } from '../engine/constraints/constraint-problem.js';
import { describeGroup } from '../engine/group/structure.js';
import type { Model } from '../engine/model/model.js';
import { literalPoints } from '../engine/symmetry/model-symmetry.js';
import { uniformGenerators } from '../engine/symmetry/proved-generators.js';
import type { Constants } from '../language/typing/constants.js';
import { generatorsOf } from './generators.js';
import type { SortClass, UniformSorts } from './infer-sorts.js';

export interface UniformCheck {
    /** The order of the proved group at these values. */
    readonly order: bigint;
    readonly isRefuted: boolean;
    /** Those of which some permutation leads to values that a search does not know of: they could not be tried. */
    readonly untried: ReadonlySet<SortClass>;
}

/** `problem` is that of the model. The order is 1 if the model refutes a generator. */
export function checkUniform(
    sorts: UniformSorts,
    constants: Constants,
    model: Model,
    problem: ConstraintProblem,
    workLimit: WorkLimit,
): UniformCheck {
    const points = literalPoints(problem);
    const proved = generatorsOf(sorts, constants, model);
    const images = proved.map(each => each.images);
    const permutations = uniformGenerators(model, problem.sequential, points, images);
    const untried = new Set(proved.filter((_, index) => permutations[index] === undefined).map(({ sort }) => sort));
    const generators = permutations.flatMap(each => (each === undefined || each.points.length === 0 ? [] : [each]));
    const { order } = describeGroup(generators, points.cellOfPoint.length);
    const group = { ...points, generators, order, complete: true };
    const isRefuted = certify(problem.sequential, group, undefined, workLimit) === 'refuted';
    return { order: isRefuted ? 1n : order, isRefuted, untried };
}
