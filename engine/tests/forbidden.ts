/**
 * Steps that a tester may ask for and that the model forbids: none of the states that the system may be in has such a step,
 * nor those that its own steps lead to, which it may have taken since it was asked last. A step that is a fault is no
 * forbidden one: the model does not say what comes of it. Of each orbit of a state and a step one is asked for.
 */
import { remembered } from '../common/list-map.js';
import type { Candidate } from '../match/candidates.js';
import type { Ground } from '../match/ground.js';
import type { Bindings } from '../match/log-names.js';
import type { Observation } from '../match/observation.js';
import type { PathKeys } from './path-keys.js';
import { requestOf, type Inputs } from './step-entry.js';

type Entry = Readonly<Record<string, unknown>>;

export interface Request {
    readonly entry: Entry;
    /** What the entry says. */
    readonly observation: Observation;
    readonly summand: number;
}

/** Chooses among requests, at the end of a test or before a step of it; who stops has not asked for those behind. */
export type ForbiddenChoice = (
    requests: readonly Request[],
    state: Readonly<Int32Array>,
    isEnd: boolean,
) => Iterable<Request>;

/** At one state of a test. */
const MOST_AT_ONCE = 10;
/** If its own steps lead to more states, nothing is asked. */
const MOST_STATES = 1_000;

/** After so many failures at steps with one name of one family no more of them is asked for, so that tests go on. */
const MOST_FAILURES = 3;

/** What was asked for in all tests, by number of the image. */
export class AskedRequests {
    readonly #keys: PathKeys;
    readonly #byImage = new Map<number, Set<string>>();
    /** How often each one was asked for. */
    readonly #counts = new Map<string, number>();
    /** By kind how often the system has taken one. */
    readonly #failures = new Map<string, number>();

    constructor(keys: PathKeys) {
        this.#keys = keys;
    }

    /**
     * Of each orbit one that was not asked for: that which was asked for least in other states, and in turn one of the
     * first and one of the last members.
     */
    choiceOf(image: number): ForbiddenChoice {
        const asked = remembered(this.#byImage, image, () => new Set<string>());
        return (requests, state) => this.#chosen(requests, state, asked, image % 2 === 1);
    }

    *#chosen(
        requests: readonly Request[],
        state: Readonly<Int32Array>,
        asked: Set<string>,
        isLastFirst: boolean,
    ): Iterable<Request> {
        const counted = requests
            .filter(({ entry }) => (this.#failures.get(kindOf(entry)) ?? 0) < MOST_FAILURES)
            .map(request => ({ request, text: JSON.stringify(request.entry) }));
        const countOf = (text: string): number => this.#counts.get(text) ?? 0;
        if (isLastFirst) {
            counted.reverse();
        }
        counted.sort((one, other) => countOf(one.text) - countOf(other.text));
        let left = MOST_AT_ONCE;
        for (const { request, text } of counted) {
            const key = this.#keys.ofRequest(state, request.summand);
            if (!asked.has(key) && left > 0) {
                left--;
                asked.add(key);
                this.#counts.set(text, countOf(text) + 1);
                yield request;
            }
        }
    }

    /** The system has taken the step. */
    noteFailure(entry: Entry): void {
        const kind = kindOf(entry);
        this.#failures.set(kind, (this.#failures.get(kind) ?? 0) + 1);
    }
}

/** Chooses those with the step and the family of a request, those of its process first, at the end only. */
export function choiceOfAlike(said: Entry): ForbiddenChoice {
    return (requests, _state, isEnd) => {
        const alike = requests.filter(({ entry }) => kindOf(entry) === kindOf(said));
        const own = alike.filter(({ entry }) => entry['process'] === said['process']);
        return isEnd ? [...new Set([...own, ...alike])].slice(0, MOST_AT_ONCE) : [];
    };
}

/** The step and the family. */
export function kindOf({ process = '', step }: Entry): string {
    return JSON.stringify([step, String(process).replace(/\[.*/s, '')]);
}

/** All of them, by `reached`, the states that the system may be in, closed under hidden steps. */
export function forbiddenRequests(
    reached: readonly Candidate[],
    ground: Ground,
    isInput: (summand: number) => boolean,
    inputs: Inputs,
    read: (entry: Entry) => Observation | undefined,
): readonly Request[] {
    const states = behindOwnSteps(reached, ground, isInput);
    if (states === undefined) {
        return [];
    }
    const possible = new Map<string, Possible[]>();
    const note = (step: Possible): void => {
        ground.steps.facts[step.summand].labels.forEach(label => remembered(possible, label, () => []).push(step));
    };
    for (const { state, bindings } of states) {
        ground.forEachStep(state, {
            fired: (summand, after) => {
                note({ summand, bindings, passage: { before: state, after: after.slice() } });
                return true;
            },
            faulted: summand => {
                note({ summand, bindings });
                return true;
            },
        });
    }
    const requests = new Map<string, Request>();
    const [{ bindings }] = reached;
    for (const summand of ground.sequential.summands.keys()) {
        const entry = isInput(summand) ? requestOf(summand, ground, inputs, bindings) : undefined;
        const text = JSON.stringify(entry);
        if (entry === undefined || requests.has(text)) {
            continue;
        }
        const observation = read(entry);
        const meant = possible.get(observation?.step ?? '') ?? [];
        if (observation !== undefined && !meant.some(step => isMeant(observation, step, ground))) {
            requests.set(text, { entry, observation, summand });
        }
    }
    return [...requests.values()];
}

/** A firing, or a fault if it has no passage. */
interface Possible {
    readonly summand: number;
    readonly bindings: Bindings;
    readonly passage?: { readonly before: Readonly<Int32Array>; readonly after: Readonly<Int32Array> };
}

function isMeant(observation: Observation, { summand, bindings, passage }: Possible, { steps }: Ground): boolean {
    return passage === undefined
        ? steps.facts[summand].participants.some(participant => steps.isBy(observation, participant, bindings))
        : steps.ofFiring(observation, summand, passage, bindings).length > 0;
}

/** Undefined if they are too many, or not all are known: a step of its own is a fault, or is cut off. */
function behindOwnSteps(
    reached: readonly Candidate[],
    ground: Ground,
    isInput: (summand: number) => boolean,
): readonly Pick<Candidate, 'state' | 'bindings'>[] | undefined {
    const found = new Map<string, Pick<Candidate, 'state' | 'bindings'>>();
    const add = (state: Readonly<Int32Array>, bindings: Bindings): void => {
        const key = `${state.join()};${bindings.join()}`;
        if (!found.has(key)) {
            found.set(key, { state: state.slice(), bindings });
        }
    };
    reached.forEach(({ state, bindings }) => {
        add(state, bindings);
    });
    let isKnown = true;
    // The map grows during the loop.
    for (const { state, bindings } of found.values()) {
        ground.forEachStep(state, {
            fired: (summand, after) => {
                if (!isInput(summand)) {
                    add(after, ground.withEnded(bindings, after));
                }
                return true;
            },
            faulted: summand => {
                isKnown &&= isInput(summand);
                return isKnown;
            },
        });
        if (!isKnown || found.size > MOST_STATES) {
            return undefined;
        }
    }
    return [...found.values()];
}
