/** The group that detection finds of a small system, beside all the permutations of literals that are symmetries. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/constraints/encode.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import { countSymmetries, type SymmetryCounts } from '../reference/step-symmetries.js';

export interface Completeness extends SymmetryCounts {
    readonly found: number;
    /** `divided`: only those are missing that map a step of one summand to steps of several; `unsound`: too many. */
    readonly result: 'all' | 'divided' | 'unexplained' | 'unsound';
}

export function compareWithAll(model: SequentialModel): Completeness {
    const problem = encode(model, UNLIMITED);
    const found = Number(detectSymmetries(problem, [], [], UNLIMITED).group.order);
    const counts = countSymmetries(model);
    return { ...counts, found, result: resultOf(found, counts) };
}

function resultOf(found: number, { ofSteps, ofSummands }: SymmetryCounts): Completeness['result'] {
    if (found > ofSteps) {
        return 'unsound';
    }
    if (found === ofSteps) {
        return 'all';
    }
    return found >= ofSummands ? 'divided' : 'unexplained';
}
