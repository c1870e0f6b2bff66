/** What each instance waits for in a state without a step, and who else would have to move first. */
import { remembered } from '../common/list-map.js';
import { Fault } from '../sequential/expression/evaluate.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import type { Participant, SequentialExpression, SequentialModel, Summand } from '../sequential/sequential-model.js';
import type { Run } from '../explore/verdict.js';
import { cellsWrittenBy, supportOf } from '../sequential/cell-access.js';
import type { Scene } from './scene.js';

/** Why one step from the place of an instance is not possible. */
export type Obstacle =
    /** A test on its own way to the step is false. */
    | { readonly kind: 'test'; readonly test: SequentialExpression }
    /** A partner of the step is at another place, or its test is false. */
    | { readonly kind: 'partner'; readonly partner: number; readonly isThere: boolean };

/** The next step of an instance, and the reason that it cannot be taken. */
export interface Wait {
    readonly step: Participant;
    /** The event or the channel, as in a trace; absent where a label, maybe of a partner, is shown in its place. */
    readonly event?: string;
    readonly obstacle: Obstacle;
}

/** The waits of one instance, by the steps that go on from its place, one for each label and obstacle. */
export function waitsOf(instance: number, scene: Scene): readonly Wait[] {
    const waits = new Map<string, Wait>();
    for (const summand of stepsFrom(instance, scene)) {
        const step = summand.participants.find(participant => participant.instance === instance);
        const obstacle = step && obstacleOf(summand, step, scene);
        if (step !== undefined && obstacle !== undefined) {
            const key = obstacle.kind === 'test' ? [step.range, supportOf(obstacle.test)] : [summand.label, obstacle];
            const event = isLabeled(summand) ? {} : { event: summand.label };
            remembered(waits, JSON.stringify(key), () => ({ step, obstacle, ...event }));
        }
    }
    return [...waits.values()];
}

function isLabeled({ label, participants }: Summand): boolean {
    return participants.some(participant => participant.label === label);
}

/** The summands that begin where the instance is. */
function stepsFrom(instance: number, scene: Scene): readonly Summand[] {
    const location = scene.locationOf(instance);
    return summandsOf(instance, scene.model).filter(({ participants }) =>
        participants.some(participant => participant.instance === instance && participant.source === location),
    );
}

/** The summands by the instances that take part in them, for each model once. */
const SUMMANDS = new WeakMap<SequentialModel, readonly (readonly Summand[])[]>();

/** The summands in which the instance takes part. */
export function summandsOf(instance: number, model: SequentialModel): readonly Summand[] {
    const byInstance = remembered(SUMMANDS, model, () => {
        const lists = model.instances.map((): Summand[] => []);
        for (const summand of model.summands) {
            new Set(summand.participants.map(participant => participant.instance)).forEach(each =>
                lists[each].push(summand),
            );
        }
        return lists;
    });
    return byInstance[instance];
}

/** Its own test counts before those of its partners. */
export function obstacleOf({ participants }: Summand, own: Participant, scene: Scene): Obstacle | undefined {
    const test = falseTestOf(own, scene);
    if (test !== undefined) {
        return { kind: 'test', test };
    }
    for (const partner of participants.filter(participant => participant !== own)) {
        const { instance, source } = partner;
        const isThere = scene.locationOf(instance) === source;
        if (!isThere || falseTestOf(partner, scene) !== undefined) {
            return { kind: 'partner', partner: instance, isThere };
        }
    }
    return undefined;
}

/**
 * The first test on the way to the step that is false, in its smallest conjunct. There is none if the way is a fault
 * before: a step with a fault does not fire if a partner's way is false.
 */
function falseTestOf({ path }: Participant, { state, compiler }: Scene): SequentialExpression | undefined {
    const own = Int32Array.from(state);
    try {
        for (const element of path) {
            if (element.kind === 'assign') {
                compiler.assignment(element.cell, element.value, element.range)(own);
            } else if (!compiler.condition(element.condition)(own)) {
                const conjuncts = conjunctsOf(element.condition);
                return conjuncts.find(conjunct => !compiler.condition(conjunct)(own)) ?? element.condition;
            }
        }
    } catch (error) {
        if (!(error instanceof Fault)) {
            throw error;
        }
    }
    return undefined;
}

/**
 * The instance that holds another one: all steps from the place of `held` are with this partner, and so was its last step
 * in the run. Undefined if there is none.
 */
export function holderOf(held: number, scene: Scene, run: Run): number | undefined {
    const steps = stepsFrom(held, scene);
    const partners = new Set(steps.flatMap(summand => partnersOf(held, summand)));
    const [holder] = partners;
    if (partners.size !== 1 || steps.some(({ participants }) => participants.length === 1)) {
        return undefined;
    }
    const last = run.firings
        .map(summand => scene.model.summands[summand])
        .filter(({ participants }) => participants.some(({ instance }) => instance === held))
        .at(-1);
    return last !== undefined && partnersOf(held, last).includes(holder) ? holder : undefined;
}

function partnersOf(instance: number, { participants }: Summand): readonly number[] {
    return participants.map(participant => participant.instance).filter(other => other !== instance);
}

/** The instances that may have changed one of the cells last, and the step of the run, counted from 1. */
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
