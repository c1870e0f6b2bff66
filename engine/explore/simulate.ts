/**
 * A walk: one run of the model as written, from an initial state, at random or by a script.
 *
 * It ends at a violation, at a state without firings, or after a given number of steps. A random walk takes each firing
 * with equal probability; the same model and seed give the same walk.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import type { Random } from '../common/random.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial/initial-states.js';
import { namesAtFirst, type Standing } from './instance-names.js';
import { DEADLOCK, type Finding, Properties } from './properties.js';
import { chooseByScript, hasValues, type ScriptProblem } from './script.js';
import type { Script } from './written-trace.js';
import { interpretedSuccessors } from './successors.js';
import { describeStep } from './trace.js';
import { changedNames, formatState } from '../describe/shown-state.js';
import type { TraceEntry } from './verdict.js';

interface SimulationOptions {
    readonly random: Random;
    /** As in Pilot. */
    readonly meet?: Pilot['meet'];
    /** The most steps of the walk. */
    readonly steps: number;
}

/**
 * The end of a walk. A deadlock that the model allows is an end like termination, else a violation; `outside`: the
 * constraint cuts off all steps.
 */
type SimulationEnd =
    | { readonly kind: 'steps' | 'terminated' | 'deadlock' | 'outside' }
    | { readonly kind: 'violated'; readonly finding: Finding };

export type Simulation =
    | { readonly kind: 'walk'; readonly trace: readonly TraceEntry[]; readonly end: SimulationEnd }
    | { readonly kind: 'problem'; readonly problem: Problem }
    | { readonly kind: 'script-problem'; readonly problem: ScriptProblem }
    /** There is no slot for what the summand creates in some state of the walk, whether it is chosen or not. */
    | { readonly kind: 'slots'; readonly summand: number };

/** A successor or a fault. */
type Firing =
    { readonly summand: number; readonly successor: Int32Array } | { readonly summand: number; readonly fault: Fault };

/** The chooser of the way of a walk. */
export interface Pilot {
    /** Called with each state on the way; the walk ends where it says so. */
    readonly meet?: (state: Readonly<Int32Array>) => 'go on' | 'stop';
    /** False if there is no initial state. */
    readonly chooseInitialInto: (states: InitialStates, target: Int32Array) => boolean | ScriptProblem;
    /** The index of the next firing; undefined at the end of the walk. */
    readonly choose: (at: Standing, firings: readonly Firing[], steps: number) => number | undefined | ScriptProblem;
}

/** A random walk, up to the first violation. */
export function simulate(model: SequentialModel, { random, steps, meet }: SimulationOptions): Simulation {
    return walk(model, {
        ...(meet !== undefined && { meet }),
        chooseInitialInto: (states, target) => states.chooseInto(target, random),
        choose: (_at, firings, taken) =>
            taken >= steps || firings.length === 0 ? undefined : random.below(firings.length),
    });
}

/** The most initial states that are compared with the wish of a script. */
const MOST_INITIAL_STATES = 1_000_000;

/** A walk by a script. */
export function follow(model: SequentialModel, { initial, steps }: Script): Simulation {
    return walk(model, {
        chooseInitialInto: (states, target) => {
            let tried = 0;
            for (; tried < MOST_INITIAL_STATES && states.nextInto(target); tried++) {
                if (
                    initial === undefined ||
                    hasValues(model, { state: target, names: namesAtFirst(model, target) }, initial.values)
                ) {
                    return true;
                }
            }
            return initial === undefined || states.problem !== undefined
                ? false
                : {
                      code: 'script/no-initial-state',
                      line: initial.line,
                      message:
                          tried < MOST_INITIAL_STATES
                              ? 'no initial state has these values; names are written as in a trace'
                              : 'none of the first million initial states has these values; others are not looked at',
                  };
        },
        choose: (at, firings, taken) =>
            taken >= steps.length ? undefined : chooseByScript(steps[taken], model, at, firings),
    });
}

/** A walk along what the pilot chooses, up to the first violation. */
export function walk(given: SequentialModel, pilot: Pilot): Simulation {
    const model = withRealNumbers(given);
    const initialStates = new InitialStates(model);
    const properties = new Properties(model, undefined);
    const termination = new Properties(model, ['deadlock']);
    const firingsOf = createFiringList(model);
    let state: Int32Array = new Int32Array(model.cells.length);
    const isChosen = pilot.chooseInitialInto(initialStates, state);
    if (typeof isChosen !== 'boolean') {
        return { kind: 'script-problem', problem: isChosen };
    }
    if (!isChosen) {
        invariant(initialStates.problem !== undefined, 'without an initial state there is a problem');
        return { kind: 'problem', problem: initialStates.problem };
    }
    let names = namesAtFirst(model, state);
    const trace: TraceEntry[] = [{ step: null, state: formatState(model, state, names), changed: [] }];
    const endWith = (end: SimulationEnd): Simulation => ({ kind: 'walk', trace, end });
    for (;;) {
        if (pilot.meet?.(state) === 'stop') {
            return endWith({ kind: 'steps' });
        }
        const finding = firstFinding(report => properties.checkState(state, report));
        if (finding !== undefined) {
            return endWith({ kind: 'violated', finding });
        }
        const { firings, isCutOff } = firingsOf(state);
        const missing = firings.find(firing => 'fault' in firing && firing.fault.kind === 'slots');
        if (missing !== undefined) {
            return { kind: 'slots', summand: missing.summand };
        }
        const stop =
            firings.length > 0
                ? ({ kind: 'steps' } as const)
                : isCutOff
                  ? ({ kind: 'outside' } as const)
                  : standstill(termination, state, properties.checksDeadlock);
        const chosen = stop.kind === 'violated' ? undefined : pilot.choose({ state, names }, firings, trace.length - 1);
        if (chosen === undefined) {
            return endWith(stop);
        }
        if (typeof chosen !== 'number') {
            return { kind: 'script-problem', problem: chosen };
        }
        const firing = firings[chosen];
        const before = trace[trace.length - 1].state;
        const step = describeStep(model, firing.summand, names);
        if ('fault' in firing) {
            const { kind, range } = firing.fault;
            trace.push({ step, state: before, changed: [], fault: kind });
            return endWith({ kind: 'violated', finding: { kind: 'fault', name: kind, range } });
        }
        names = names?.next(state, firing.successor);
        const after = formatState(model, firing.successor, names);
        trace.push({ step, state: after, changed: changedNames(model, before, after) });
        state = firing.successor;
    }
}

/** The firings of a state, and whether the constraint cuts off others. */
function createFiringList(
    model: SequentialModel,
): (state: Int32Array) => { readonly firings: readonly Firing[]; readonly isCutOff: boolean } {
    const successors = interpretedSuccessors(model);
    return state => {
        const firings: Firing[] = [];
        let isCutOff = false;
        successors.forEachFiring(state, {
            fired: (summand, successor) => firings.push({ summand, successor: successor.slice() }) > 0,
            faulted: (summand, fault) => {
                if (fault.kind === 'outside') {
                    isCutOff = true;
                } else {
                    firings.push({ summand, fault });
                }
                return true;
            },
        });
        return { firings, isCutOff };
    };
}

/** The end at a state without firings. */
function standstill(termination: Properties, state: Int32Array, isChecked: boolean): SimulationEnd {
    let isDeadlock = false;
    const fault = firstFinding(report => {
        isDeadlock = termination.isDeadlock(state, report);
    });
    if (!isDeadlock && fault === undefined) {
        return { kind: 'terminated' };
    }
    return isChecked ? { kind: 'violated', finding: fault ?? DEADLOCK } : { kind: 'deadlock' };
}

function firstFinding(check: (report: (finding: Finding) => void) => void): Finding | undefined {
    const findings: Finding[] = [];
    check(finding => findings.push(finding));
    return findings.at(0);
}
