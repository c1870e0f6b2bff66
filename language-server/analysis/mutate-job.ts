/** Changes of a model that nothing in it notices, in a worker: the same as on the command line. */
import type { TextOfRange } from '../../engine/common/source-text.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import { Mutants } from '../../engine/mutants.js';
import type { Model } from '../../engine/model/model.js';
import { toMutantDocument } from '../documents.js';
import type { MutateOutcome } from './worker-protocol.js';

export interface MutateTools {
    readonly now: () => number;
    readonly textOf: TextOfRange;
    readonly workLimit: WorkLimit;
    /** Called before each mutant. */
    readonly report: (judged: number, all: number) => void;
}

/** Throws OperationCancelled. What is not judged within the limit is undecided. */
export function judgeMutants(model: Model, { report, ...options }: MutateTools): MutateOutcome {
    const mutants = new Mutants(model, options);
    if (mutants.problems.length > 0) {
        return { problems: mutants.problems };
    }
    const { mutations } = mutants;
    const judged = mutations.map((_, index) => {
        report(index, mutations.length);
        return toMutantDocument(mutants.judge(index), uri => uri);
    });
    return { problems: [], mutants: judged, parts: mutations.map(({ part }) => part) };
}
