/**
 * A short search for a state in which a step is a fault at a given place. States are expanded in the order of their
 * distance from the values with which it may be one, so that a counter is driven to its end without the interleavings of
 * everything else. What is found is a fault of a run; what is not found may be one nevertheless.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import { withinQuestions, type WorkLimit } from '../common/work-limit.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { FEW_QUESTIONS, InitialStates } from './initial/initial-states.js';
import { NO_PARENT, SeenSet } from './seen-set.js';
import type { Successors } from './successors.js';

/** Where a search for a fault goes. */
export interface FaultGoal {
    readonly kind: Fault['kind'];
    readonly range: SourceRange;
    /** By cell the codes with which the step may be the fault. */
    readonly codes: ReadonlyMap<number, readonly number[]>;
}

export interface ReachedFault {
    readonly state: Int32Array;
    readonly summand: number;
}

/** The most initial states that a search begins with. */
const MOST_INITIAL_STATES = 64;
/** What one cell adds to a distance at most. */
const FARTHEST = 1_000;

/** Expands at most so many states. Undefined if no fault is found at the place. */
export function reachFault(
    model: SequentialModel,
    successors: Successors,
    goal: FaultGoal,
    mostStates: number,
    limit: WorkLimit,
): ReachedFault | undefined {
    const distanceOf = distanceTo(goal, model);
    const seen = new SeenSet(model.cells.length);
    /** By distance the numbers of states that are to be expanded. */
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
        const next = waiting[nearest]?.shift();
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
                    reached = { state: Int32Array.from(state), summand };
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

/** How far a state is from the codes of the goal, summed over its cells. */
function distanceTo({ codes }: FaultGoal, { cells }: SequentialModel): (state: Readonly<Int32Array>) => number {
    const parts = [...codes].filter(([, goals]) => goals.length > 0);
    return state => {
        let distance = 0;
        for (const [cell, goals] of parts) {
            const code = state[cell];
            const isNumber = cells[cell].domain.kind === 'range';
            let nearest = FARTHEST;
            for (const goal of goals) {
                nearest = Math.min(nearest, isNumber ? Math.abs(goal - code) : goal === code ? 0 : 1);
            }
            distance += nearest;
        }
        return distance;
    };
}
