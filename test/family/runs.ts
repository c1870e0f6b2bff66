/** Compares what is proved for all values of the parameters with runs of the model for some. */
import { runnableModel } from '../../engine/verdict/certify-by-running.js';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { describeGroup } from '../../engine/group/structure.js';
import { domainSize } from '../../engine/model/domain.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { checkGenerators, type CertificateResult } from '../../engine/symmetry/certify.js';
import { literalPoints, type LiteralPoints } from '../../engine/symmetry/model-symmetry.js';
import { uniformGenerators } from '../../engine/symmetry/proved-generators.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { loadModel, type ParameterTexts } from '../../language-server/load-model.js';
import { inferSorts, type UniformSorts } from '../../family/infer-sorts.js';
import { generatorsOf } from '../../family/generators.js';

/** A text read with certain values of its parameters. */
export interface Instance {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly sorts: UniformSorts;
    /** All codes of all cells, whether a state has them or not. */
    readonly points: LiteralPoints;
    /** The generators of the proved groups as permutations of these. */
    readonly generators: readonly SparsePermutation[];
}

/** Undefined if the text has errors, or is too large. */
export async function instanceOf(text: string, parameters: ParameterTexts = []): Promise<Instance | undefined> {
    const { model, checked } = await loadModel(text, 'file:///model.orbit', parameters);
    const sequential = model && linearize(model).sequential;
    if (model === undefined || checked === undefined || sequential === undefined) {
        return undefined;
    }
    const sorts = inferSorts(checked.model);
    const points = literalPoints({
        domains: sequential.cells.map(({ domain }) => Array.from({ length: domainSize(domain) }, (_, code) => code)),
    });
    const images = generatorsOf(sorts, checked.constants, model).map(each => each.images);
    const generators = uniformGenerators(model, sequential, points, images).flatMap(each =>
        each === undefined || each.points.length === 0 ? [] : [each],
    );
    return { model, sequential, sorts, points, generators };
}

/** Whether each generator is a symmetry, on up to so many reachable states: all of a small model. */
export function checkByRunning({ sequential, points, generators }: Instance, states: number): CertificateResult {
    const model = runnableModel(sequential, UNLIMITED);
    for (const generator of generators) {
        const result = checkGenerators(model, points, [generator], {
            workLimit: UNLIMITED,
            states,
            random: createRandom(1),
        });
        if (result.kind !== 'agrees') {
            return result;
        }
    }
    return { kind: 'agrees' };
}

/** The order of the group that the generators generate. */
export function orderOf({ generators, points }: Pick<Instance, 'generators' | 'points'>): bigint {
    return describeGroup(generators, points.cellOfPoint.length).order;
}
