/**
 * A run of the model as written along a log, from its end back through the trails and then forward: of the firings of a
 * state that can be the line, the one is taken whose candidate has the hashes that were kept. Each step is checked by the
 * interpreter, so it does not depend on symmetries being right.
 */
import { sameNumbers } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import { changedNames, formatState } from '../describe/shown-state.js';
import { successorsWithAllSlots } from '../explore/all-slots-successors.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { namesAtFirst, type InstanceNames } from '../explore/instance-names.js';
import { describeStep } from '../explore/trace.js';
import type { TraceEntry } from '../explore/verdict.js';
import { trailHash } from './candidates.js';
import { folded, type Folding } from './folding.js';
import type { Ground } from './ground.js';
import { ENDED, UNBOUND, type Bindings, type LogName } from './log-names.js';
import { FIRST_HASH, SECOND_HASH, type Trail } from './matcher.js';
import type { Observation } from './observation.js';

/** More states that hidden steps lead to between two lines are not looked at. */
const MOST_NODES = 1_000_000;

/** A run along a log, and what the names of the log are in it. */
export interface Replayed {
    readonly trace: readonly TraceEntry[];
    readonly meanings: readonly NameMeaning[];
}

interface NameMeaning {
    readonly name: LogName;
    readonly code: number;
    /** As the run calls it. */
    readonly value: string;
    readonly isInstance: boolean;
}

interface Standing {
    readonly state: Int32Array;
    readonly bindings: Bindings;
}

/** A state of a run with the step that leads there, -1 for the first. */
interface RunStep {
    readonly summand: number;
    readonly state: Int32Array;
    /** The line of the log that the step is. */
    readonly line?: number;
}

interface Way {
    readonly to: Standing;
    /** The summands on the way, each with the state behind it. */
    readonly steps: readonly (readonly [number, Int32Array])[];
}

/** The last `most` entries; undefined at the limit. `ground` has names of its own, `folding` is over them. */
export function replay(
    ground: Ground,
    folding: Folding,
    trails: readonly Trail[],
    observations: readonly Observation[],
    most: number,
    limit: WorkLimit,
): Replayed | undefined {
    const goals = goalsOf(trails);
    const isGoal = ({ state, bindings }: Standing, line: number): boolean => {
        const canonical = folded({ state, bindings }, folding);
        const { bound } = ground.names;
        return (
            trailHash(canonical, bound, FIRST_HASH) === goals[line][0] &&
            trailHash(canonical, bound, SECOND_HASH) === goals[line][1]
        );
    };
    const start = startOf(ground, standing => isGoal(standing, 0), limit);
    if (start === undefined) {
        return undefined;
    }
    let current = start;
    const run: RunStep[] = [{ summand: -1, state: start.state }];
    const meanings = new Map<string, NameMeaning>();
    let instances = namesAtFirst(ground.sequential, start.state);
    for (const [index, observation] of observations.entries()) {
        const way = wayOf(ground, observation, current, to => isGoal(to, index + 1), limit);
        if (way === undefined) {
            return undefined;
        }
        way.steps.forEach(([summand, state], at) => {
            const isLine = at === way.steps.length - 1 && observation.step !== undefined;
            instances = instances?.next(run[run.length - 1].state, state);
            run.push({ summand, state, ...(isLine && { line: observation.line }) });
        });
        current = way.to;
        noteNames(ground, current.bindings, instances, meanings);
    }
    const found = [...meanings.values()];
    if (found.every(({ name, code }) => name.code === undefined || name.code === code)) {
        return { trace: entriesOf(ground, run, most), meanings: found };
    }
    // Literals came to be images of themselves: the run is moved as a whole.
    const { codeOf, imageOf } = folding.restoring(current.bindings);
    const moved = movedRun(ground, run, imageOf, limit);
    return (
        moved && {
            trace: entriesOf(ground, moved, most),
            meanings: found.map(meaning => {
                const { type } = meaning.name;
                const code = codeOf(type, meaning.code);
                return meaning.isInstance ? meaning : { ...meaning, code, value: ground.names.textOfCode(type, code) };
            }),
        }
    );
}

/** The image of a run under a symmetry; undefined if it is none, and at the limit. */
function movedRun(
    { sequential, steps }: Ground,
    run: readonly RunStep[],
    imageOf: (state: Readonly<Int32Array>) => Int32Array,
    limit: WorkLimit,
): readonly RunStep[] | undefined {
    const successors = successorsWithAllSlots(sequential);
    const moved: RunStep[] = [];
    for (const { summand, state, ...rest } of run) {
        const image = imageOf(state);
        let found = moved.length === 0 ? summand : undefined;
        const before = moved.at(-1);
        if (before !== undefined) {
            const called = [...steps.facts[summand].labels].join();
            successors.forEachFiring(before.state, {
                fired: (other, after) => {
                    const isImage = [...steps.facts[other].labels].join() === called && sameNumbers(after, image);
                    found ??= isImage ? other : undefined;
                    return found === undefined;
                },
                faulted: () => true,
            });
        }
        if (found === undefined || limit.isExhausted()) {
            return undefined;
        }
        moved.push({ summand: found, state: image, ...rest });
    }
    return moved;
}

/** By line the hashes of the candidate on one way to the end. */
function goalsOf(trails: readonly Trail[]): readonly (readonly [number, number])[] {
    let candidate = 0;
    const goals: (readonly [number, number])[] = [];
    for (let line = trails.length - 1; line >= 0; line--) {
        const { origins, hashes } = trails[line];
        goals.push([hashes[2 * candidate], hashes[2 * candidate + 1]]);
        candidate = origins[candidate];
    }
    return goals.reverse();
}

function startOf(ground: Ground, isGoal: (standing: Standing) => boolean, limit: WorkLimit): Standing | undefined {
    const states = new InitialStates(ground.sequential);
    const state = new Int32Array(ground.sequential.cells.length);
    while (!limit.isExhausted() && states.nextInto(state)) {
        const standing = { state: state.slice(), bindings: [] };
        if (isGoal(standing)) {
            return standing;
        }
    }
    return undefined;
}

/** A shortest way over hidden steps and the step of a line; undefined at the limit. */
function wayOf(
    ground: Ground,
    observation: Observation,
    from: Standing,
    isGoal: (standing: Standing) => boolean,
    limit: WorkLimit,
): Way | undefined {
    const { names, steps } = ground;
    const mark = names.mark;
    names.line = observation.line;
    const nodes: { readonly standing: Standing; readonly parent: number; readonly summand: number }[] = [
        { standing: from, parent: -1, summand: -1 },
    ];
    const known = new Set([keyOf(from)]);
    const wayTo = (node: number): (readonly [number, Int32Array])[] => {
        const way: (readonly [number, Int32Array])[] = [];
        for (let at = node; nodes[at].parent >= 0; at = nodes[at].parent) {
            way.push([nodes[at].summand, nodes[at].standing.state]);
        }
        return way.reverse();
    };
    // The list grows during the loop.
    for (const [index, { standing }] of nodes.entries()) {
        if (limit.isExhausted() || nodes.length > MOST_NODES) {
            return undefined;
        }
        const { state, bindings } = standing;
        let found: Way | undefined;
        // Names that the line binds have the same places in all ways in which it binds them.
        const settled = (after: Int32Array, ways: readonly Bindings[]): Standing | undefined => {
            const read = { ...names.mark, line: mark.line };
            for (const bound of ways) {
                const ended = ground.withEnded(bound, after);
                const places = names.settle(place => {
                    const code = ended[place] ?? UNBOUND;
                    return code >= 0 ? 'bound' : code === ENDED ? 'ended' : 'unused';
                });
                const to = { state: after, bindings: places?.map(place => ended[place] ?? UNBOUND) ?? ended };
                if (isGoal(to)) {
                    return to;
                }
                names.returnTo(read);
                names.line = observation.line;
            }
            names.returnTo(mark);
            names.line = observation.line;
            return undefined;
        };
        if (observation.step === undefined) {
            const to = settled(state, steps.ofState(observation, state, bindings));
            found = to && { to, steps: wayTo(index) };
        } else {
            ground.forEachNamed(
                observation,
                { state, bindings },
                {
                    fired: (summand, after) => {
                        if (found !== undefined) {
                            return false;
                        }
                        const successor = after.slice();
                        const passage = { before: state, after: successor };
                        const to = settled(successor, steps.ofFiring(observation, summand, passage, bindings));
                        found = to && { to, steps: [...wayTo(index), [summand, successor]] };
                        return true;
                    },
                    faulted: () => true,
                },
            );
        }
        if (found !== undefined) {
            return found;
        }
        ground.forEachHidden(state, {
            fired: (summand, after) => {
                const next = { state: after.slice(), bindings: ground.withEnded(bindings, after) };
                if (!known.has(keyOf(next))) {
                    known.add(keyOf(next));
                    nodes.push({ standing: next, parent: index, summand });
                }
                return true;
            },
            faulted: () => true,
        });
    }
    return undefined;
}

function keyOf({ state, bindings }: Standing): string {
    return `${state.join()};${bindings.join()}`;
}

function noteNames(
    { names }: Ground,
    bindings: Bindings,
    instances: InstanceNames | undefined,
    meanings: Map<string, NameMeaning>,
): void {
    bindings.forEach((code, place) => {
        const name = names.bound[place];
        if (code >= 0 && !meanings.has(name.key)) {
            const text = names.textOfCode(name.type, code);
            const value = instances?.inText(text) ?? text;
            meanings.set(name.key, { name, code, value, isInstance: value !== text });
        }
    });
}

function entriesOf({ sequential }: Ground, run: readonly RunStep[], most: number): readonly TraceEntry[] {
    const entries: TraceEntry[] = [];
    let names = namesAtFirst(sequential, run[0].state);
    run.forEach(({ summand, state, line }, index) => {
        const before = index === 0 ? undefined : run[index - 1].state;
        const isShown = index >= run.length - most;
        const step = before === undefined || !isShown ? null : describeStep(sequential, summand, names);
        const shownBefore = before !== undefined && isShown ? formatState(sequential, before, names) : {};
        names = before === undefined ? names : names?.next(before, state);
        if (isShown) {
            const shown = formatState(sequential, state, names);
            const changed = before === undefined ? [] : changedNames(sequential, shownBefore, shown);
            entries.push({ step, state: shown, changed, ...(line !== undefined && { logLine: line }) });
        }
    });
    return entries;
}
