/** What each instance waits for in a state without a step, and who else would have to move first. */
import { Compiler } from '../sequential/expression/evaluate.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import type { Participant, SequentialExpression, SequentialModel, Summand } from '../sequential/sequential-model.js';
import type { Run } from '../explore/verdict.js';
import { cellsWrittenBy, supportOf } from '../sequential/cell-access.js';

/** Why one step from the place of an instance is not possible. */
export type Obstacle =
    /** A test on its own way to the step is false. */
    | { readonly kind: 'test'; readonly test: SequentialExpression }
    /** A partner of the step is at another place, or its test is false. */
    | { readonly kind: 'partner'; readonly partner: number; readonly isThere: boolean };

/** What an instance would do next, and why it cannot. */
export interface Wait {
    readonly step: Participant;
    /** The event or the channel, as in a trace; absent where a label, maybe of a partner, is shown in its place. */
    readonly event?: string;
    readonly obstacle: Obstacle;
}

/** The waits of one instance, by the steps that go on from its place, one for each label and obstacle. */
export function waitsOf(instance: number, model: SequentialModel, state: Readonly<Int32Array>): readonly Wait[] {
    const compiler = new Compiler(model.cells);
    const waits = new Map<string, Wait>();
    for (const summand of stepsFrom(instance, model, state)) {
        const step = summand.participants.find(participant => participant.instance === instance);
        const obstacle = step && obstacleOf(summand, step, { model, state, compiler });
        if (step !== undefined && obstacle !== undefined) {
            const key = obstacle.kind === 'test' ? [step.range, supportOf(obstacle.test)] : [summand.label, obstacle];
            const text = JSON.stringify(key);
            waits.set(
                text,
                waits.get(text) ?? { step, obstacle, ...(!isLabeled(summand) && { event: summand.label }) },
            );
        }
    }
    return [...waits.values()];
}

function isLabeled({ label, participants }: Summand): boolean {
    return participants.some(participant => participant.label === label);
}

/** The summands that begin where the instance is. */
export function stepsFrom(instance: number, model: SequentialModel, state: Readonly<Int32Array>): readonly Summand[] {
    const location = locationOf(instance, model, state);
    return summandsOf(instance, model).filter(({ participants }) =>
        participants.some(participant => participant.instance === instance && participant.source === location),
    );
}

/** The summands by the instances that take part in them, for each model once. */
const SUMMANDS = new WeakMap<SequentialModel, readonly (readonly Summand[])[]>();

/** The summands in which the instance takes part. */
export function summandsOf(instance: number, model: SequentialModel): readonly Summand[] {
    let summands = SUMMANDS.get(model);
    if (summands === undefined) {
        const byInstance = model.instances.map((): Summand[] => []);
        for (const summand of model.summands) {
            new Set(summand.participants.map(participant => participant.instance)).forEach(each =>
                byInstance[each].push(summand),
            );
        }
        summands = byInstance;
        SUMMANDS.set(model, summands);
    }
    return summands[instance];
}

export function locationOf(instance: number, { instances }: SequentialModel, state: Readonly<Int32Array>): number {
    const { counter } = instances[instance];
    return counter < 0 ? 0 : state[counter];
}

interface Surroundings {
    readonly model: SequentialModel;
    readonly state: Readonly<Int32Array>;
    readonly compiler: Compiler;
}

/** Its own test counts before those of its partners. */
function obstacleOf({ participants }: Summand, own: Participant, surroundings: Surroundings): Obstacle | undefined {
    const test = falseTestOf(own, surroundings);
    if (test !== undefined) {
        return { kind: 'test', test };
    }
    for (const partner of participants.filter(participant => participant !== own)) {
        const { instance, source } = partner;
        const isThere = locationOf(instance, surroundings.model, surroundings.state) === source;
        if (!isThere || falseTestOf(partner, surroundings) !== undefined) {
            return { kind: 'partner', partner: instance, isThere };
        }
    }
    return undefined;
}

/** The first test on the way to the step that is false, in its smallest conjunct. */
function falseTestOf({ path }: Participant, { state, compiler }: Surroundings): SequentialExpression | undefined {
    const own = Int32Array.from(state);
    for (const element of path) {
        if (element.kind === 'assign') {
            compiler.assignment(element.cell, element.value, element.range)(own);
        } else if (!compiler.condition(element.condition)(own)) {
            const conjuncts = conjunctsOf(element.condition);
            return conjuncts.find(conjunct => !compiler.condition(conjunct)(own)) ?? element.condition;
        }
    }
    return undefined;
}

/**
 * The instance that holds another one: all steps from the place of `held` are with this partner, and so was its last step
 * in the run. Undefined if there is none.
 */
export function holderOf(held: number, model: SequentialModel, run: Run): number | undefined {
    const state = run.states[run.states.length - 1];
    const partners = new Set(stepsFrom(held, model, state).flatMap(summand => partnersOf(held, summand)));
    const [holder] = partners;
    const isAlone = stepsFrom(held, model, state).some(({ participants }) => participants.length === 1);
    if (partners.size !== 1 || isAlone) {
        return undefined;
    }
    const own = run.firings
        .map(summand => model.summands[summand])
        .filter(({ participants }) => participants.some(({ instance }) => instance === held));
    const last = own.at(-1);
    return last !== undefined && partnersOf(held, last).includes(holder) ? holder : undefined;
}

function partnersOf(instance: number, { participants }: Summand): readonly number[] {
    return participants.map(participant => participant.instance).filter(other => other !== instance);
}

/** Who may have changed one of the cells last, and in which step of the run, counted from 1. */
export function lastChangeOf(
    cells: readonly number[],
    model: SequentialModel,
    { states, firings }: Run,
): { readonly instances: readonly number[]; readonly step: number } | undefined {
    let step = states.length - 1;
    while (step > 0 && cells.every(cell => states[step][cell] === states[step - 1][cell])) {
        step--;
    }
    return step < 1
        ? undefined
        : {
              instances: model.summands[firings[step - 1]].participants
                  .filter(participant => cellsWrittenBy(participant).some(cell => cells.includes(cell)))
                  .map(({ instance }) => instance),
              step,
          };
}
