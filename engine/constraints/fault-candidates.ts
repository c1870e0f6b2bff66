/**
 * Places where a step may be a fault, as far as the values of single cells tell: `x := x + 1` in `0 .. 3` is one with
 * the value 3 of `x`, but not behind `when x < 3`. The values are an upper bound (reachable-values.ts) and are not
 * related to each other, so no run need come to a candidate.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { supportOf } from '../sequential/cell-access.js';
import { Compiler, Fault, outcomeOf } from '../sequential/expression/evaluate.js';
import type { FaultKind, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import type { KnownValues } from './dead-steps.js';
import { assignmentCount, ENUMERATION_BUDGET, forEachAssignment } from './possible-values.js';
import { convertSummand } from './static-single-assignment.js';
import { toTransition } from './transition.js';

export interface FaultCandidate {
    readonly kind: FaultKind;
    /** The place of the fault. */
    readonly range: SourceRange;
    /** The cells whose values decide it, and codes of them that do. */
    readonly support: readonly number[];
    readonly assignments: readonly (readonly number[])[];
    /** For the other cells that the step reads, the codes with which control comes to the place. */
    readonly codes: ReadonlyMap<number, readonly number[]>;
}

/** The most assignments of a candidate, evenly chosen of all. */
const MOST_ASSIGNMENTS = 200;

/** The faults that the values of cells decide. An assertion is a statement of the author, and a race has two places. */
const OF_VALUES: ReadonlySet<FaultKind> = new Set(['index', 'range', 'division', 'overflow', 'undefined']);

/** At most one candidate for each place, in the order of the summands. Steps that fault in all instances have none. */
export function faultCandidates(
    sequential: SequentialModel,
    { placed, reachable }: KnownValues,
    limit: WorkLimit,
): FaultCandidate[] {
    const { cells, summands } = sequential;
    const candidates = new Map<string, { readonly step: string; readonly candidate: FaultCandidate }>();
    const finder = new Finder(cells.length, new Compiler(cells));
    /** The steps with a candidate: other instances of a step have the same places. */
    const found = new Set<string>();
    const mayFire = new Set<string>();
    for (const [index, summand] of summands.entries()) {
        if (limit.isExhausted()) {
            return [];
        }
        const { transition } = placed[index].transition;
        const step = summand.participants.map(({ range }) => keyOfRange(range)).join();
        const at = reachable.at(index);
        if (at?.canFire === true) {
            mayFire.add(step);
        }
        if (!transition.mayFault || transition.isTooLarge || at === undefined || found.has(step)) {
            continue;
        }
        const domains: (readonly number[])[] = [];
        placed[index].cells.forEach((cell, local) => (domains[cell] = at.codes[local]));
        for (const candidate of finder.candidatesIn(testsOf(sequential, index), domains)) {
            const key = keyOfRange(candidate.range);
            found.add(step);
            candidates.set(key, candidates.get(key) ?? { step, candidate });
        }
    }
    return [...candidates.values()].filter(({ step }) => mayFire.has(step)).map(({ candidate }) => candidate);
}

/** The cells whose values decide that a summand is a fault at a place in a state. */
export function cellsOfFault(
    sequential: SequentialModel,
    summand: number,
    place: SourceRange,
    state: Int32Array,
): readonly number[] {
    const compiler = new Compiler(sequential.cells);
    const test = testsOf(sequential, summand).find(each => {
        const outcome = outcomeOf(compiler.expression(each), state);
        return outcome instanceof Fault && keyOfRange(outcome.range) === keyOfRange(place);
    });
    return test === undefined ? [] : supportOf(test);
}

/** Without names, so that each is over the cells at the start of the summand. */
function testsOf(sequential: SequentialModel, summand: number): readonly SequentialExpression[] {
    const converted = convertSummand(sequential.cells, sequential.summands[summand], summand);
    return toTransition(converted, sequential).participants.flat();
}

/** Follows the tests of a summand, each over the codes with which those before it hold. */
class Finder {
    private readonly compiler: Compiler;
    private readonly state: Int32Array;

    constructor(cellCount: number, compiler: Compiler) {
        this.compiler = compiler;
        this.state = new Int32Array(cellCount);
    }

    candidatesIn(tests: readonly SequentialExpression[], domains: readonly (readonly number[])[]): FaultCandidate[] {
        const current = domains.slice(); // with its holes
        const candidates: FaultCandidate[] = [];
        for (const test of tests) {
            const support = supportOf(test);
            if (!(assignmentCount(support, current) <= ENUMERATION_BUDGET)) {
                continue;
            }
            const evaluate = this.compiler.expression(test);
            const kept = support.map(() => new Set<number>());
            let fault: Fault | undefined;
            const assignments: number[][] = [];
            forEachAssignment(support, current, this.state, () => {
                const outcome = outcomeOf(evaluate, this.state);
                if (outcome === 1) {
                    support.forEach((cell, position) => kept[position].add(this.state[cell]));
                } else if (outcome instanceof Fault && OF_VALUES.has(outcome.kind)) {
                    fault ??= outcome;
                    assignments.push(support.map(cell => this.state[cell]));
                }
            });
            if (fault !== undefined) {
                const { kind, range } = fault;
                const others = current.flatMap((_, cell) => (support.includes(cell) ? [] : [cell]));
                const codes = new Map(others.map(cell => [cell, current[cell]]));
                candidates.push({ kind, range, support, assignments: evenlyChosen(assignments), codes });
            }
            support.forEach((cell, position) => (current[cell] = [...kept[position]]));
        }
        return candidates;
    }
}

function evenlyChosen(assignments: readonly (readonly number[])[]): readonly (readonly number[])[] {
    const step = Math.ceil(assignments.length / MOST_ASSIGNMENTS);
    return assignments.filter((_, index) => index % step === 0);
}
