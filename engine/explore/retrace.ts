/**
 * A run of an earlier text in a later one: as far as the steps of the same names are possible, whatever else has changed.
 * Of several steps of one name, and of several initial states, the one that agrees with the run in most values is taken.
 */
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { InitialStates } from './initial/initial-states.js';
import { walk, type Simulation } from './simulate.js';
import { describeStep } from './trace.js';
import { formatState } from '../describe/shown-state.js';
import type { TraceValue } from './verdict.js';

/** An entry of the earlier run, as documents have it. */
export interface EarlierEntry {
    readonly step: { readonly process: string; readonly label: string } | null;
    readonly state: Readonly<Record<string, unknown>>;
}

/** The most initial states that are compared with that of the run. */
const MOST_INITIAL_STATES = 10_000;

/** The label of a step without one is its place, which an edit moves. */
const PLACE = /^line \d+$/;

/**
 * The walk along the run, up to the first violation. A step that is not possible is a problem, with the number of the
 * step as its line. The cost is that of a walk of this length, and of comparing the initial states.
 */
export function retrace(model: SequentialModel, [start, ...steps]: readonly EarlierEntry[]): Simulation {
    return walk(model, {
        chooseInitialInto: (states, target) => chooseNearest(model, states, target, start?.state ?? {}),
        choose: (at, firings, taken) => {
            const wanted = steps.at(taken);
            if (wanted?.step === undefined || wanted.step === null) {
                return undefined;
            }
            const { process, label } = wanted.step;
            let best = -1;
            let most = -1;
            firings.forEach((firing, index) => {
                const step = describeStep(model, firing.summand, at.names);
                const isNamed = step.process === process && (step.label === label || PLACE.test(label));
                const after =
                    'successor' in firing
                        ? formatState(model, firing.successor, at.names?.next(at.state, firing.successor))
                        : {};
                const agreeing = isNamed ? agreement(after, wanted.state) : -1;
                if (agreeing > most) {
                    [best, most] = [index, agreeing];
                }
            });
            if (best >= 0) {
                return best;
            }
            const possibleSteps = firings.map(({ summand }) => describeStep(model, summand, at.names));
            const own = possibleSteps.filter(step => step.process === process);
            const possible =
                firings.length === 0
                    ? 'no step is possible here'
                    : own.length === 0
                      ? `others could take ${listLabels(possibleSteps)}`
                      : `${process} could take ${listLabels(own)}`;
            const isGone = model.summands.every(summand => summand.label !== label);
            const what = isGone ? `\`${label}\` is gone` : `${process} cannot take \`${label}\``;
            return { code: 'script/not-enabled', line: taken + 1, message: `${what}; ${possible}` };
        },
    });
}

/** `` `look`, `enter` ``: of many the first. */
function listLabels(steps: readonly { readonly label: string }[]): string {
    const labels = [...new Set(steps.map(({ label }) => `\`${label}\``))];
    const left = labels.length - MOST_LABELS;
    return `${labels.slice(0, MOST_LABELS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const MOST_LABELS = 3;

function chooseNearest(
    model: SequentialModel,
    states: InitialStates,
    target: Int32Array,
    wanted: EarlierEntry['state'],
): boolean {
    let nearest: Int32Array | undefined;
    let most = -1;
    for (let tried = 0; tried < MOST_INITIAL_STATES && states.nextInto(target); tried++) {
        const agreeing = agreement(formatState(model, target), wanted);
        if (agreeing > most) {
            [nearest, most] = [target.slice(), agreeing];
        }
    }
    target.set(nearest ?? []);
    return nearest !== undefined;
}

/** How many names have one value in both. */
function agreement(state: Readonly<Record<string, TraceValue>>, wanted: EarlierEntry['state']): number {
    return Object.entries(state).filter(([name, value]) => wanted[name] === value).length;
}
