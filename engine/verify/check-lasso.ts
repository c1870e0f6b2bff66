/**
 * Checks a counterexample of a temporal property: a run of the model that ends in a loop, on which the property is
 * false and every fairness constraint is satisfied. It replays the run with the interpreter and evaluates formulas on
 * the positions of the run by their definition; it shares nothing with the search.
 */
import { invariant, unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { successorsWithAllSlots } from '../explore/all-slots-successors.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { Compiler, Fault } from '../sequential/expression/evaluate.js';
import type {
    FairnessConstraint,
    Marker,
    PropertyMember,
    SequentialModel,
    TemporalFormula,
} from '../sequential/sequential-model.js';

/** A run that goes on with `loopStart` after its last firing. */
export interface ClaimedLasso {
    /** One more than firings; the last one equals that at `loopStart`. */
    readonly states: readonly Readonly<Int32Array>[];
    /** By position: the summand that fires there, or -1 for a rest. At least one. */
    readonly firings: readonly number[];
    /** A position. */
    readonly loopStart: number;
}

/** What is asked of a loop whose numbers without end move: so many further rounds. */
const MORE_ROUNDS = 8;

/** The most states that are looked at for what is `possible` along a lasso. */
const MOST_STATES = 100_000;

/** What is said of a lasso that is not checked to the end. */
export const POSSIBLE_UNDECIDED = `\`possible\` is not decided within ${MOST_STATES} states`;

/**
 * Undefined if the lasso is a fair run of the model that violates the property, else what is wrong, as a sentence:
 * POSSIBLE_UNDECIDED where that is not known, since what is `possible` is decided by a search of its own from each state.
 * If numbers move, the run need not end in the state at `loopStart`: further rounds of the loop then take the same steps, in
 * states of which the same is true. That no later one differs is not checked.
 */
export function checkLasso(
    model: SequentialModel,
    lasso: ClaimedLasso,
    member: PropertyMember,
    numbersMove = false,
): string | undefined {
    const problem = problemOfRun(model, lasso);
    if (problem !== undefined) {
        return problem;
    }
    try {
        const open = problemOfEnd(model, lasso, member, numbersMove);
        if (open !== undefined) {
            return open;
        }
        const truths = truthsOnLasso(model, lasso, member, member.formula);
        return truths[0] ? 'the property holds on the run' : problemOfFairness(model, lasso);
    } catch (error) {
        if (error instanceof Fault) {
            return `an atom is the fault \`${error.kind}\` in a state of the run`;
        }
        if (error instanceof NotDecided) {
            return POSSIBLE_UNDECIDED;
        }
        throw error;
    }
}

class NotDecided extends Error {}

/** The reason that it is no run of the model. */
function problemOfRun(model: SequentialModel, { states, firings, loopStart }: ClaimedLasso): string | undefined {
    if (states.length !== firings.length + 1) {
        return `there are ${states.length} states and ${firings.length} firings`;
    }
    if (!Number.isInteger(loopStart) || loopStart < 0 || loopStart >= firings.length) {
        return `the loop starts at ${loopStart}, which is no position`;
    }
    if (!isInitial(model, states[0])) {
        return 'the first state is not an initial state';
    }
    for (const [position, summand] of firings.entries()) {
        const successors = successorsOf(model, states[position]);
        if (summand < 0 && successors.size > 0) {
            return `the run rests at position ${position}, where a step is possible`;
        }
        const next = summand < 0 ? [states[position]] : (successors.get(summand) ?? []);
        if (next.length === 0) {
            return `summand ${summand} does not fire at position ${position}`;
        }
        if (!next.some(state => areEqual(state, states[position + 1]))) {
            return `the firing at position ${position} leads to another state`;
        }
    }
    return undefined;
}

/** The reason that the run does not go on with `loopStart`. Throws Fault. */
function problemOfEnd(
    model: SequentialModel,
    { states, firings, loopStart }: ClaimedLasso,
    member: PropertyMember,
    numbersMove: boolean,
): string | undefined {
    let state = states[firings.length];
    if (areEqual(state, states[loopStart])) {
        return undefined;
    }
    if (!numbersMove) {
        return `the last state is not that at position ${loopStart}`;
    }
    const atoms = [...model.fairness, member]
        .flatMap(marker => marker.atoms)
        .filter(({ kind }) => kind === 'state' || kind === 'enabled');
    const holds = atomsOf(model, atoms);
    const showing = (at: Readonly<Int32Array>): string => atoms.map((_, atom) => holds(atom, at)).join();
    const first = states.slice(loopStart, firings.length).map(showing);
    const numbers = new Set(model.numbers?.sorts.flatMap(({ cells }) => cells));
    const isMoved = (moved: Readonly<Int32Array>, from: Readonly<Int32Array>): boolean =>
        moved.every((code, cell) => numbers.has(cell) || code === from[cell]);
    for (let round = 1; round <= MORE_ROUNDS; round++) {
        for (const [index, summand] of firings.slice(loopStart).entries()) {
            const successors = successorsOf(model, state);
            const next = summand < 0 && successors.size === 0 ? [state] : (successors.get(summand) ?? []);
            const alike = next.find(each => isMoved(each, states[loopStart + index + 1]));
            if (alike === undefined || showing(state) !== first[index]) {
                return `round ${round} of the loop differs at position ${loopStart + index}`;
            }
            state = alike;
        }
    }
    return undefined;
}

function problemOfFairness(model: SequentialModel, lasso: ClaimedLasso): string | undefined {
    const unfair = model.fairness.find(constraint => !isSatisfied(model, lasso, constraint));
    return unfair && `the run is unfair: \`${unfair.name}\` is asked in the loop and not met there`;
}

function isSatisfied(model: SequentialModel, lasso: ClaimedLasso, constraint: FairnessConstraint): boolean {
    const asked = truthsOnLasso(model, lasso, constraint, constraint.asked);
    const met = truthsOnLasso(model, lasso, constraint, constraint.met);
    return !asked.slice(lasso.loopStart).includes(true) || met.slice(lasso.loopStart).includes(true);
}

function isInitial(model: SequentialModel, state: Readonly<Int32Array>): boolean {
    try {
        return new InitialStates(model).includes(state.slice());
    } catch (error) {
        if (error instanceof Fault) {
            return false;
        }
        throw error;
    }
}

/**
 * The successors by each summand that fires without a fault, one for each choice of slots; none if they lie outside of the
 * constraint.
 */
function successorsOf(model: SequentialModel, state: Readonly<Int32Array>): ReadonlyMap<number, readonly Int32Array[]> {
    const found = new Map<number, Int32Array[]>();
    successorsWithAllSlots(model).forEachFiring(state, {
        fired: (summand, successor) => remembered(found, summand, () => []).push(successor.slice()) > 0,
        faulted: (summand, { kind }) => kind !== 'outside' || remembered(found, summand, () => []).length >= 0,
    });
    return found;
}

function areEqual(state: Readonly<Int32Array>, other: Readonly<Int32Array>): boolean {
    return state.length === other.length && state.every((code, cell) => code === other[cell]);
}

/** By position. Throws Fault and NotDecided. */
function truthsOnLasso(
    model: SequentialModel,
    { states, firings, loopStart }: ClaimedLasso,
    { atoms }: Marker,
    formula: TemporalFormula,
): readonly boolean[] {
    const holds = atomsOf(model, atoms);
    // Faults count also where the formula does not depend on the atom.
    const truths = atoms.map((_, atom) => firings.map((summand, position) => holds(atom, states[position], summand)));
    return evaluate(formula, truths, firings.length, loopStart);
}

/** Whether an atom holds in a state that a summand leaves; absent for a condition that is about no firing. */
type AtomTruth = (atom: number, state: Readonly<Int32Array>, summand?: number) => boolean;

function atomsOf(model: SequentialModel, atoms: Marker['atoms']): AtomTruth {
    const compiler = new Compiler(model.cells);
    const known = atoms.map(() => new Map<string, boolean>());
    const budget = { states: MOST_STATES };
    const holds: AtomTruth = (number, state, summand) => {
        const atom = atoms[number];
        switch (atom.kind) {
            case 'state':
                return compiler.condition(atom.expression)(state.slice());
            case 'taken':
                invariant(summand !== undefined, 'a condition behind `possible` is about a state');
                return atom.summands.includes(summand);
            case 'enabled': {
                const successors = successorsOf(model, state);
                return atom.summands.some(enabled => successors.has(enabled));
            }
            case 'possible':
                return isReachable(model, state, known[number], budget, reached =>
                    evaluateInState(atom.condition, operand => holds(operand, reached)),
                );
            default:
                return unreachable(atom);
        }
    };
    return holds;
}

/** Breadth-first from the state, as far as it is not known, by state, which others reach the goal. Throws NotDecided. */
function isReachable(
    model: SequentialModel,
    start: Readonly<Int32Array>,
    known: Map<string, boolean>,
    budget: { states: number },
    isGoal: (state: Readonly<Int32Array>) => boolean,
): boolean {
    const found = new Map([[start.join(), start]]);
    // The iteration includes states that are added during it.
    for (const [key, state] of found) {
        const before = known.get(key);
        if (before ?? isGoal(state)) {
            known.set(start.join(), true);
            return true;
        }
        if (before === undefined) {
            if (budget.states-- === 0) {
                throw new NotDecided();
            }
            for (const successor of [...successorsOf(model, state).values()].flat()) {
                found.set(successor.join(), successor);
            }
        }
    }
    // Neither does any other state that was found.
    found.forEach((_, key) => known.set(key, false));
    return false;
}

function evaluateInState(formula: TemporalFormula, holds: (atom: number) => boolean): boolean {
    switch (formula.kind) {
        case 'true':
            return true;
        case 'false':
            return false;
        case 'atom':
            return holds(formula.atom) !== formula.isNegated;
        case 'and':
            return formula.operands.every(operand => evaluateInState(operand, holds));
        case 'or':
            return formula.operands.some(operand => evaluateInState(operand, holds));
        case 'until':
        case 'release':
            invariant(false, 'a condition behind `possible` is about a state');
            break;
        default:
            return unreachable(formula);
    }
}

/** By position; `truths[atom]` also. After the last position comes the one at `loopStart`. */
function evaluate(
    formula: TemporalFormula,
    truths: readonly (readonly boolean[])[],
    length: number,
    loopStart: number,
): readonly boolean[] {
    switch (formula.kind) {
        case 'true':
        case 'false':
            return new Array<boolean>(length).fill(formula.kind === 'true');
        case 'atom':
            return truths[formula.atom].map(truth => truth !== formula.isNegated);
        case 'and':
        case 'or': {
            const operands = formula.operands.map(operand => evaluate(operand, truths, length, loopStart));
            return Array.from({ length }, (_, position) =>
                formula.kind === 'and'
                    ? operands.every(operand => operand[position])
                    : operands.some(operand => operand[position]),
            );
        }
        case 'until':
        case 'release': {
            const left = evaluate(formula.left, truths, length, loopStart);
            const right = evaluate(formula.right, truths, length, loopStart);
            const isUntil = formula.kind === 'until';
            // What decides is found within as many positions as there are, from each one on.
            return Array.from({ length }, (_, position) => {
                for (let at = position, steps = 0; steps < length; steps++) {
                    if (right[at] === isUntil) {
                        return isUntil;
                    }
                    if (left[at] !== isUntil) {
                        return !isUntil;
                    }
                    at = at + 1 < length ? at + 1 : loopStart;
                }
                return !isUntil;
            });
        }
        default:
            return unreachable(formula);
    }
}
