/**
 * A short search for a state in which a step is a fault at a given place. Only steps that the place may depend on are
 * taken, and states near the values with which it is a fault are expanded first, so that a counter is driven to its end
 * without the interleavings of everything else. What is found is a fault of a run; what is not found may be one, too.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import { withinQuestions, type WorkLimit } from '../common/work-limit.js';
import { cellsWrittenBySummand, forEachCellRead, forEachExpressionOf } from '../sequential/cell-access.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel, Summand } from '../sequential/sequential-model.js';
import { FEW_QUESTIONS, InitialStates } from './initial/initial-states.js';
import { NO_PARENT, SeenSet } from './seen-set.js';
import { interpretedSuccessors } from './successors.js';

/** Where a search for a fault goes. */
export interface FaultGoal {
    readonly kind: Fault['kind'];
    readonly range: SourceRange;
    /** Cells, and codes of them with which the step is the fault. */
    readonly support: readonly number[];
    readonly assignments: readonly (readonly number[])[];
    /** By other cells the codes with which control comes to the place. */
    readonly codes: ReadonlyMap<number, readonly number[]>;
}

export interface ReachedFault {
    readonly state: Int32Array;
    readonly summand: number;
}

/** The most initial states that a search begins with. */
const MOST_INITIAL_STATES = 64;
/** One cell adds at most this much to a distance. */
const FARTHEST = 1_000;

/** Expands at most so many states. Undefined if no fault is found at the place. */
export function reachFault(
    model: SequentialModel,
    goal: FaultGoal,
    mostStates: number,
    limit: WorkLimit,
): ReachedFault | undefined {
    const sources = relevantSummands(model, [...goal.support, ...goal.codes.keys()]);
    const successors = interpretedSuccessors({ ...model, summands: sources.map(index => model.summands[index]) });
    const distanceOf = distanceTo(goal, model);
    const seen = new SeenSet(model.cells.length);
    /** By distance the numbers of states that are to be expanded, the newest first: others lead away from it. */
    const waiting: (number[] | undefined)[] = [];
    let nearest = 0;
    const words = new Uint32Array(model.cells.length);
    const add = (state: Readonly<Int32Array>): void => {
        words.set(state);
        if (seen.find(words) < 0 && seen.reserve(limit)) {
            const distance = distanceOf(state);
            nearest = Math.min(nearest, distance);
            (waiting[distance] ??= []).push(seen.insert(words, NO_PARENT));
        }
    };
    const state = new Int32Array(model.cells.length);
    const initial = new InitialStates(model);
    const few = withinQuestions(limit, FEW_QUESTIONS);
    while (seen.count < MOST_INITIAL_STATES && initial.nextInto(state, few)) {
        add(state);
    }
    const place = keyOfRange(goal.range);
    for (let expanded = 0; expanded < mostStates && !limit.isExhausted(); expanded++) {
        while (nearest < waiting.length && (waiting[nearest]?.length ?? 0) === 0) {
            nearest++;
        }
        const next = waiting[nearest]?.pop();
        if (next === undefined) {
            return undefined;
        }
        seen.readInto(words, next);
        state.set(words);
        let reached: ReachedFault | undefined;
        successors.forEachFiring(state, {
            fired(_, successor): boolean {
                add(successor);
                return true;
            },
            faulted(summand, { kind, range }): boolean {
                if (kind === goal.kind && keyOfRange(range) === place) {
                    reached = { state: Int32Array.from(state), summand: sources[summand] };
                }
                return reached === undefined;
            },
        });
        if (reached !== undefined) {
            return reached;
        }
    }
    return undefined;
}

/** The summands that write a cell on which the cells given depend, by their indices. */
function relevantSummands({ summands }: SequentialModel, cells: readonly number[]): readonly number[] {
    const relevant = new Set(cells);
    const isTaken = summands.map(() => false);
    for (let size = -1; size < relevant.size;) {
        size = relevant.size;
        summands.forEach((summand, index) => {
            if (!isTaken[index] && cellsWrittenBySummand(summand).some(cell => relevant.has(cell))) {
                isTaken[index] = true;
                readsOf(summand).forEach(cell => relevant.add(cell));
            }
        });
    }
    return [...summands.keys()].filter(index => isTaken[index]);
}

function readsOf({ participants }: Summand): readonly number[] {
    const reads: number[] = [];
    for (const participant of participants) {
        forEachExpressionOf(participant, expression => {
            forEachCellRead(expression, cell => reads.push(cell));
        });
    }
    return reads;
}

/** How far a state is from the codes of the goal. */
function distanceTo(
    { support, assignments, codes }: FaultGoal,
    { cells }: SequentialModel,
): (state: Readonly<Int32Array>) => number {
    const isNumber = cells.map(({ domain }) => domain.kind === 'range');
    const between = (cell: number, code: number, goal: number): number =>
        isNumber[cell] ? Math.min(FARTHEST, Math.abs(goal - code)) : Number(goal !== code);
    return state => {
        let distance = Infinity;
        for (const assignment of assignments) {
            let sum = 0;
            for (let position = 0; position < support.length; position++) {
                sum += between(support[position], state[support[position]], assignment[position]);
            }
            distance = Math.min(distance, sum);
        }
        for (const [cell, goals] of codes) {
            let least = FARTHEST;
            for (const goal of goals) {
                least = Math.min(least, between(cell, state[cell], goal));
            }
            distance += least;
        }
        return distance;
    };
}
