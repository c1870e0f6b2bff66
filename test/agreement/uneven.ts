/**
 * A model beside its own state space: the orbits that meet it, by applying generators to all states until nothing is new,
 * and what an exploration under the symmetries of the steps says. Nothing here uses a representative.
 */
import { appendTo } from '../../engine/common/list-map.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { exploreStateGraph, type StateEdge, type StateGraph } from '../../engine/explore/state-graph.js';
import { Properties, type Finding } from '../../engine/explore/properties.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport, Violation } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { stateAction } from '../../engine/symmetry/certify.js';
import type { ModelGroup } from '../../engine/symmetry/model-symmetry.js';
import { loadModel } from '../../language-server/load-model.js';

export interface UnevenWay extends Pick<ReducedExplorationOptions, 'isInterpreted' | 'passes' | 'maxViolations'> {
    readonly reduction: 'unique' | 'auto' | 'local';
}

export const UNEVEN_WAYS: readonly UnevenWay[] = [
    { reduction: 'unique', isInterpreted: false, passes: [] },
    { reduction: 'unique', isInterpreted: true, passes: [] },
    { reduction: 'local', isInterpreted: false, passes: [] },
    { reduction: 'local', isInterpreted: true, passes: [] },
    { reduction: 'auto', isInterpreted: false, passes: [] },
    { reduction: 'unique', isInterpreted: false, passes: ['reset', 'narrow'] },
    { reduction: 'unique', isInterpreted: true, passes: ['cone', 'reset', 'merge', 'narrow'] },
    { reduction: 'unique', isInterpreted: false, passes: [], maxViolations: 4 },
];

export type UnevenComparison =
    | { readonly kind: 'skipped' }
    | {
          readonly kind: 'agreed';
          readonly isMoved: boolean;
          readonly states: number;
          readonly orbits: number;
          readonly violations: number;
      };

/** Throws where the two do not agree. */
export async function compareUneven(text: string, stateLimit: number, way: UnevenWay): Promise<UnevenComparison> {
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        throw new Error(`no model: ${problems.map(({ message }) => message).join('; ')}`);
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const { sequential, symmetry } = analysis;
    if (sequential === undefined || symmetry === undefined) {
        // A step that is a race or a fault whenever it is taken is an error of the model.
        return { kind: 'skipped' };
    }
    const whole = exploreStateGraph(sequential, stateLimit);
    if (whole.kind !== 'graph') {
        return { kind: 'skipped' };
    }
    const space = new StateSpace(sequential, whole.graph);
    const { explorationGroup, startGroup } = symmetry;
    space.checkSymmetries(explorationGroup);
    space.checkStart(startGroup);
    const { reduction, ...options } = way;
    const plain = report(
        startExploration(analysis, { reduction: 'none', continueAfterViolation: true, isInterpreted: true }, UNLIMITED),
    );
    const started = startExploration(analysis, { reduction, continueAfterViolation: true, ...options }, UNLIMITED);
    const reduced = report(started);
    const { passes = [] } = way;
    const group = started.group ?? { ...explorationGroup, generators: [] };
    if (passes.every(pass => pass === 'narrow')) {
        const orbits = space.orbitsMet(group);
        equal(plain.depth, Math.max(...space.depths));
        if (reduced.reduction?.unique === true || started.group === undefined) {
            equal({ states: reduced.states, depth: reduced.depth }, { states: orbits.count, depth: orbits.depth });
        } else if (reduced.states < orbits.count) {
            throw new Error(`${reduced.states} of ${orbits.count} orbits are stored`);
        }
    }
    const verdicts = ({ properties = [] }: ExplorationReport): unknown =>
        properties.map(({ name, verdict, members }) => [name, verdict, members]);
    equal(verdicts(reduced), verdicts(plain));
    if (way.maxViolations === undefined) {
        equal(kindsOf(reduced, passes), kindsOf(plain, passes));
    } else {
        equal(reduced.verdict, plain.verdict);
    }
    reduced.violations.forEach(violation => {
        space.checkTrace(violation, started.startGroup ?? group, passes.length === 0);
    });
    const unreached = started.unreached() ?? [];
    unreached.forEach(({ process, label }) => {
        if (space.fires(process, label)) {
            throw new Error(`${process} ${label} is said to be never taken`);
        }
    });
    return {
        kind: 'agreed',
        isMoved: started.startGroup !== undefined,
        states: whole.graph.states.length,
        orbits: reduced.states,
        violations: reduced.violations.length,
    };
}

/** The coverage under symmetries is that of all states. */
export async function compareCoverage(text: string, stateLimit: number): Promise<void> {
    const { model } = await loadModel(text, 'file:///random.orbit');
    const analysis = model && findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis?.sequential === undefined || exploreStateGraph(analysis.sequential, stateLimit).kind !== 'graph') {
        return;
    }
    const [reduced, plain] = (['unique', 'none'] as const).map(reduction => {
        const options = { reduction, continueAfterViolation: true, countsCoverage: true };
        const started = startExploration(analysis, options, UNLIMITED);
        report(started);
        return started.coverage?.();
    });
    equal(reduced, plain);
}

function report({ exploration }: ReturnType<typeof startExploration>): ExplorationReport {
    while (!exploration.advance(UNLIMITED));
    const result = exploration.result();
    if (result.report === undefined) {
        throw new Error(`no report: ${result.problems.map(({ message }) => message).join('; ')}`);
    }
    return result.report;
}

function equal(actual: unknown, expected: unknown): void {
    const [first, second] = [actual, expected].map(value => JSON.stringify(value, null, 1));
    if (first !== second) {
        throw new Error(`the exploration says ${first}\nthe state space says ${second}`);
    }
}

/**
 * What is violated, and after how many steps at least. Of faults of steps the places depend on representatives; merged
 * steps change distances, and a step that changes nothing that is kept may come earlier.
 */
function kindsOf({ verdict, violations }: ExplorationReport, passes: readonly string[]): unknown {
    const least = new Map<string, number>();
    for (const { kind, name, invariant, trace } of violations.filter(violation => violation.loop === undefined)) {
        const key = `${kind} ${name} ${invariant ?? ''}`;
        least.set(key, Math.min(least.get(key) ?? Infinity, trace.length));
    }
    const hasDistances = !passes.includes('merge') && !passes.includes('cone');
    return [verdict, [...least].map(([key, length]) => (hasDistances ? `${key} ${length}` : key)).sort()];
}

class StateSpace {
    readonly depths: readonly number[];
    readonly #model: SequentialModel;
    readonly #graph: StateGraph;
    readonly #numberOf: ReadonlyMap<string, number>;
    readonly #edgesFrom: Map<number, StateEdge[]>;
    readonly #successors;

    constructor(model: SequentialModel, graph: StateGraph) {
        this.#model = model;
        this.#graph = graph;
        this.#numberOf = new Map(graph.states.map((state, number) => [state.join(), number]));
        this.#successors = interpretedSuccessors(model);
        const depths = graph.states.map(() => Infinity);
        graph.initial.forEach(number => (depths[number] = 0));
        const queue = [...graph.initial];
        this.#edgesFrom = new Map<number, StateEdge[]>();
        for (const edge of graph.edges) {
            appendTo(this.#edgesFrom, edge.from, edge);
        }
        for (const from of queue) {
            for (const { to } of this.#edgesFrom.get(from) ?? []) {
                if (typeof to === 'number' && depths[to] === Infinity) {
                    depths[to] = depths[from]! + 1;
                    queue.push(to);
                }
            }
        }
        this.depths = depths;
    }

    /** All images of reachable states under the group have the images of the steps, faults included. */
    checkSymmetries(group: ModelGroup): void {
        const actions = group.generators.map(generator => stateAction(group, generator));
        for (const state of this.#closure(actions)) {
            const outcomes = this.#outcomes(state);
            for (const imageOf of actions) {
                const images = [...outcomes].map(outcome => (typeof outcome === 'string' ? outcome : imageOf(outcome)));
                equal(texts(this.#outcomes(imageOf(state))), texts(images));
            }
        }
    }

    /** The group maps initial states to initial states. */
    checkStart(group: ModelGroup): void {
        const initial = new Set(this.#graph.initial.map(number => this.#graph.states[number]!.join()));
        for (const generator of group.generators) {
            const imageOf = stateAction(group, generator);
            for (const number of this.#graph.initial) {
                equal(initial.has(imageOf(this.#graph.states[number]!).join()), true);
            }
        }
    }

    /** The orbits that meet the reachable states, and the greatest distance at which one is met first. */
    orbitsMet(group: ModelGroup): { readonly count: number; readonly depth: number } {
        const actions = group.generators.map(generator => stateAction(group, generator));
        const orbitOf = new Map<string, number>();
        const depths: number[] = [];
        this.#graph.states.forEach((state, number) => {
            const known = orbitOf.get(state.join());
            const orbit = known ?? depths.push(Infinity) - 1;
            if (known === undefined) {
                closureOf([state], actions).forEach(image => orbitOf.set(image.join(), orbit));
            }
            depths[orbit] = Math.min(depths[orbit]!, this.depths[number]!);
        });
        return { count: depths.length, depth: Math.max(...depths) };
    }

    fires(process: string, label: string): boolean {
        return this.#graph.edges.some(({ summand }) =>
            this.#model.summands[summand]!.participants.some(participant => {
                const { name } = this.#model.instances[participant.instance]!;
                return name.replace(/\[.*/, '') === process && participant.label === label;
            }),
        );
    }

    /** The run is one of the model, ends with what it is about, and its end stands for as many states as it says. */
    checkTrace(
        { kind, name, invariant, run, copies, range }: Violation,
        group: ModelGroup,
        countsCopies: boolean,
    ): void {
        const [first] = run.states;
        equal(this.#graph.initial.includes(this.#numberOf.get(first!.join()) ?? -1), true);
        run.firings.forEach((summand, index) => {
            const [from, to] = [run.states[index]!, run.states[index + 1]];
            const number = this.#numberOf.get(from.join());
            const isStep = (this.#edgesFrom.get(number ?? -1) ?? []).some(
                edge =>
                    edge.summand === summand &&
                    (to === undefined ? edge.to === name : edge.to === this.#numberOf.get(to.join())),
            );
            equal(isStep, true);
        });
        if (kind === 'property') {
            // That its loop violates it is checked before it is shown (engine/verify/check-lasso.ts).
            return;
        }
        const last = run.states.at(-1)!;
        const isFaultOfStep = kind === 'fault' && invariant === undefined;
        const isViolation = (state: Int32Array): boolean =>
            isFaultOfStep
                ? this.#faults(state, name)
                : this.#findings(state).some(
                      found => found.kind === kind && found.name === name && found.invariant === invariant,
                  );
        equal(isViolation(last), true);
        if (isFaultOfStep) {
            equal(this.#faultPlaces(last, name).includes(JSON.stringify(range?.start)), true);
        }
        if (copies !== undefined && countsCopies) {
            const orbit = closureOf(
                [last],
                group.generators.map(generator => stateAction(group, generator)),
            );
            equal(
                orbit.every(state => this.#numberOf.has(state.join())),
                true,
            );
            equal(orbit.filter(isViolation).length, Number(copies));
        }
    }

    #findings(state: Int32Array): readonly Finding[] {
        const findings: Finding[] = [];
        const properties = new Properties(this.#model, undefined);
        properties.checkState(state, finding => findings.push(finding));
        const isStill = this.#outcomes(state).length === 0;
        return isStill && properties.isDeadlock(state, () => undefined)
            ? [...findings, { kind: 'deadlock', name: 'deadlock' }]
            : findings;
    }

    #faults(state: Int32Array, kind: string): boolean {
        return this.#outcomes(state).includes(kind);
    }

    #faultPlaces(state: Int32Array, kind: string): readonly string[] {
        const places: string[] = [];
        this.#successors.forEachFiring(state, {
            fired: () => true,
            faulted: (_, fault) => {
                if (fault.kind === kind) {
                    places.push(JSON.stringify(fault.range.start));
                }
                return true;
            },
        });
        return places;
    }

    #outcomes(state: Int32Array): readonly (Int32Array | string)[] {
        const outcomes: (Int32Array | string)[] = [];
        this.#successors.forEachFiring(state, {
            fired: (_, successor) => outcomes.push(successor.slice()) > 0,
            faulted: (_, { kind }) => outcomes.push(kind) > 0,
        });
        return outcomes;
    }

    #closure(actions: readonly ((state: Int32Array) => Int32Array)[]): readonly Int32Array[] {
        return closureOf(this.#graph.states, actions);
    }
}

function closureOf(
    states: readonly Int32Array[],
    actions: readonly ((state: Int32Array) => Int32Array)[],
): readonly Int32Array[] {
    const known = new Map(states.map(state => [state.join(), state]));
    for (const state of known.values()) {
        for (const imageOf of actions) {
            const image = imageOf(state);
            known.set(image.join(), known.get(image.join()) ?? image);
        }
    }
    return [...known.values()];
}

function texts(outcomes: readonly (Int32Array | string)[]): readonly string[] {
    return [...new Set(outcomes.map(outcome => (typeof outcome === 'string' ? outcome : outcome.join())))].sort();
}
