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
    /** The time from now on that the limit gives. */
    readonly milliseconds: number;
    /** Called before each mutant. */
    readonly report: (judged: number, all: number) => void;
}

/** Throws OperationCancelled. What is not judged within the limit is undecided. */
export function judgeMutants(model: Model, { report, milliseconds, ...options }: MutateTools): MutateOutcome {
    const { now } = options;
    const deadline = now() + milliseconds;
    const mutants = new Mutants(model, options);
    if (mutants.problems.length > 0) {
        return { problems: mutants.problems };
    }
    const { mutations } = mutants;
    const judging = mutants.judgeAll(() => deadline - now());
    let step = judging.next();
    for (; step.done !== true; step = judging.next()) {
        report(step.value, mutations.length);
    }
    const judged = step.value.map(mutant => toMutantDocument(mutant, uri => uri));
    return { problems: [], mutants: judged, parts: mutations.map(({ part }) => part) };
}
