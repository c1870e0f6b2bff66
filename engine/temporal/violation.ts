/** A violation of a temporal property for readers: its run, where that comes back to, and to whom the loop is unfair. */
import { traceOf } from '../explore/run-trace.js';
import type { UnfairStep, Violation } from '../explore/verdict.js';
import { interpretedSuccessors } from '../explore/successors.js';
import type { PropertyMember, SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import type { Lasso } from './lasso.js';
import { REST } from './marked-firings.js';
import type { Outcome } from './temporal-check.js';

/** The member that the outcome is about. */
interface CheckedMember {
    readonly property: TemporalProperty;
    readonly member: PropertyMember;
    /** How many members it stands for by symmetry. */
    readonly copies: number;
    /** Whether the run was checked once more, to the end. */
    readonly isRechecked: boolean;
}

export function violationOf(
    model: SequentialModel,
    outcome: Extract<Outcome, { kind: 'violated' | 'fault' }>,
    { property: { name, range, members }, member, copies, isRechecked }: CheckedMember,
): Violation {
    const about = {
        member: member.values,
        members: members.length,
        copies,
        ...(!isRechecked && { rechecked: false as const }),
    };
    if (outcome.kind === 'fault') {
        const { fault, run } = outcome;
        return {
            kind: 'fault',
            name: fault.kind,
            range: fault.range,
            invariant: name,
            trace: traceOf(model, run),
            run,
        };
    }
    const { lasso } = outcome;
    const { states, firings, loopStart } = lasso;
    // Where nothing happens any more, the run ends, even if the automaton goes on: there is no step back to show.
    const end = firings.indexOf(REST);
    const isRest = end >= 0;
    const run = isRest ? { states: states.slice(0, end + 1), firings: firings.slice(0, end) } : lasso;
    return {
        kind: 'property',
        name,
        range,
        trace: traceOf(model, run),
        run: { states: run.states, firings: run.firings },
        loop: { start: isRest ? end : loopStart, ...about, unfair: isRest ? [] : unfairIn(model, lasso) },
    };
}

/**
 * The processes that can take part in a step in every state of the loop, or again and again, and never do, by the only
 * labeled step that they can take if there is one; of the others their labeled steps of which the same is true.
 * O(length of the loop · firings).
 */
function unfairIn(model: SequentialModel, { states, firings, loopStart }: Lasso): UnfairStep[] {
    const successors = interpretedSuccessors(model);
    const loop = states.slice(loopStart, -1);
    const steps = new Map<string, { readonly step: UnfairStep; enabled: number; isTaken: boolean }>();
    const keysOf = (summand: number): ReadonlyMap<string, UnfairStep> => {
        const keys = new Map<string, UnfairStep>();
        for (const { instance, label, range } of model.summands[summand].participants) {
            const process = model.instances[instance].name;
            keys.set(process, { process, kind: 'weak' });
            if (label !== undefined) {
                // Fairness is of a place: a label that stands at two is said of both.
                keys.set(JSON.stringify([process, label, range]), { process, label, kind: 'weak', range });
            }
        }
        return keys;
    };
    loop.forEach((state, index) => {
        const enabled = new Set<string>();
        const add = (summand: number): boolean => {
            for (const [key, step] of keysOf(summand)) {
                enabled.add(key);
                if (!steps.has(key)) {
                    steps.set(key, { step, enabled: 0, isTaken: false });
                }
            }
            return true;
        };
        successors.forEachFiring(state, {
            fired: add,
            faulted: (summand, { kind }) => kind !== 'outside' || add(summand),
        });
        for (const [key, entry] of steps) {
            entry.enabled += enabled.has(key) ? 1 : 0;
        }
        for (const key of keysOf(firings[loopStart + index]).keys()) {
            const entry = steps.get(key);
            if (entry !== undefined) {
                entry.isTaken = true;
            }
        }
    });
    const unfair = [...steps.values()].filter(({ isTaken }) => !isTaken);
    const wholes = new Map(unfair.flatMap(each => (each.step.label === undefined ? [[each.step.process, each]] : [])));
    const stepsOf = (process: string): typeof unfair =>
        unfair.filter(({ step }) => step.process === process && step.label !== undefined);
    // A single step that is possible whenever its process is tells more than the process.
    const isTold = ({ step: { process, label } }: (typeof unfair)[number]): boolean => {
        const whole = wholes.get(process);
        const own = stepsOf(process);
        const isByStep = own.length === 1 && own[0].enabled === whole?.enabled;
        return whole === undefined || (label === undefined) !== isByStep;
    };
    return unfair
        .filter(isTold)
        .map(({ step, enabled }) => ({ ...step, kind: enabled === loop.length ? 'weak' : 'strong' }));
}
