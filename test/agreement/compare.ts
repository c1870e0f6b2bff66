/**
 * Compares one model as the product and as the reference read it: state space, orders and soundness of the symmetries,
 * counts and violations of reduced exploration, and traces, each of which is a run of the reference. Generated code,
 * threads and memories (ways.ts) change nothing, and passes keep the violations.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { Problem } from '../../engine/common/problem.js';
import type { ExplorationReport, Violation } from '../../engine/explore/verdict.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { exploreStateGraph, type StateEdge } from '../../engine/explore/state-graph.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { analyze, startExploration } from '../../engine/pipeline.js';
import { detectSymmetries } from '../../engine/symmetry/detect.js';
import type { ModelGroup } from '../../engine/symmetry/model-symmetry.js';
import { loadModel } from '../../language-server/load-model.js';
import { catchFault, interpret, type Semantics, type State } from '../reference/interpreter.js';
import { parseModel } from '../reference/parse.js';
import { specialize } from '../reference/specialize.js';
import type { Cell, Value } from '../reference/values.js';
import { exploreAll, type ReachedState, type StateSpace } from '../reference/state-space.js';
import { agree, stateMap, viewEngine, type EngineView, type StateMap } from './engine-view.js';
import { agreeOnPasses, type PassesComparison } from './passes.js';
import { replay, traceState, type Side } from './replay.js';
import { explore, Ways, type Way, type WayTaken } from './ways.js';

export type Comparison =
    /** There are too many states, an initial state is none, or the definition leaves something open. */
    | { readonly kind: 'too large' }
    /** States and firings agree, but symmetries take them to too many states that cannot be reached. */
    | { readonly kind: 'too many images' }
    | { readonly kind: 'rejected'; readonly problems: readonly Problem[] }
    | {
          readonly kind: 'agreed';
          readonly text: string;
          readonly states: number;
          /** Of the reachable states, under the symmetries that keep what is checked. */
          readonly orbits: number;
          /** Under those of them that keep the start, too. */
          readonly startOrbits: number;
          /** Parts of the model are held fixed because they are too large, and the report says so. */
          readonly isHeldFixed: boolean;
          readonly order: bigint;
          readonly exploredOrder: bigint;
          readonly violations: ReadonlyMap<string, number>;
          /** The names of the invariants that symmetries exchange, by set. */
          readonly alike: readonly (readonly string[])[];
          readonly passes: PassesComparison;
          readonly ways: readonly WayTaken[];
      };

export type ReferenceParameter = number | readonly number[];

function valueOf(parameter: ReferenceParameter): Value {
    return typeof parameter === 'number'
        ? parameter
        : { indices: [parameter.map((_, position) => position)], items: parameter };
}

export interface CompareOptions {
    readonly parameters?: Readonly<Record<string, ReferenceParameter>>;
    /** How many choices of passes and properties to compare; some when absent. */
    readonly passes?: 'some' | 'all';
    /** Ways to explore besides the plain ones; none when absent. */
    readonly ways?: readonly Way[];
    readonly workers?: WorkerHost;
}

/** Compares both readings of a text. Throws a Disagreement where they differ. */
export async function compare(
    text: string,
    stateLimit: number,
    { parameters = {}, passes, ways = [], workers }: CompareOptions = {},
): Promise<Comparison> {
    const values = Object.entries(parameters).map(([name, value]) => [name, valueOf(value)] as const);
    const semantics = remembering(interpret(specialize(parseModel(text), new Map(values))));
    const space = catchFault(() => exploreAll(semantics, stateLimit));
    if (typeof space === 'string' || space === undefined || space.isOpen || space.states.size === 0) {
        return { kind: 'too large' };
    }
    const texts = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)] as const);
    const { model, problems } = await loadModel(text, 'test:/model.orbit', texts);
    if (model === undefined) {
        return rejected(problems);
    }
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const { sequential, symmetry } = analysis;
    if (sequential === undefined || symmetry === undefined) {
        return rejected(analysis.problems);
    }
    const view = viewEngine(sequential, semantics);
    const firings = agreeOnGraph(sequential, view, semantics, space);
    const side: Side = { analysis, view, semantics, space };

    agree(symmetry.report.verified, () => 'the engine does not trust its own symmetries');
    agree(symmetry.group.complete && symmetry.explorationGroup.complete, () => 'an unlimited search is incomplete');
    const mapsOf = (group: ModelGroup): StateMap[] =>
        group.generators.map(generator => stateMap(view, group, generator));
    const { group, explorationGroup, startGroup } = symmetry;
    if (explorationGroup !== startGroup && explorationGroup.order > MOST_SYMMETRIES) {
        return { kind: 'too many images' };
    }
    const explored = mapsOf(explorationGroup);
    const names = sequential.invariants.map(({ name }) => name);
    const images = explorationGroup === startGroup ? space : closedUnder(explored, semantics, space);
    if (images === undefined) {
        return { kind: 'too many images' };
    }
    if (images.isOpen) {
        return { kind: 'too large' };
    }
    explored.forEach(map => agreeThatSymmetric({ ...side, space: images }, map, names));
    agreeThatOrderIsExact(explorationGroup);
    symmetry.propertyGroups.forEach((keeping, index) => {
        const { kind, name } = symmetry.constraints.properties[index]!;
        if (keeping !== group && keeping !== startGroup) {
            mapsOf(keeping).forEach(map => agreeThatSymmetric(side, map, kind === 'invariant' ? [name] : []));
        }
    });
    const maps = group === explorationGroup ? explored : mapsOf(group);
    if (group !== explorationGroup) {
        maps.forEach(map => agreeThatSymmetric(side, map, []));
        agreeThatOrderIsExact(group);
    }
    agreeOnProduct(side, maps);
    const unaided = detectSymmetries(symmetry.constraints, [], [], UNLIMITED).group;
    agree(
        unaided.order === group.order,
        () => `order ${unaided.order} without suggested candidates, ${group.order} with them`,
    );

    const orbitOf = orbits({ ...side, space: images }, explored);
    const orbitCount = new Set([...space.states.keys()].map(key => orbitOf.get(key))).size;
    const counts = {
        none: countsOf(sequential, space, images, firings, key => key),
        unique: countsOf(sequential, space, images, firings, key => orbitOf.get(key)!),
    };
    const explorations = new Ways(analysis, workers);
    const plain: Pick<Way, 'reduction' | 'passes'>[] = [
        { reduction: 'none', passes: 'no' },
        { reduction: 'unique', passes: 'no' },
        ...ways,
    ];
    // Ways that differ in how they search only share one.
    const distinct = new Map(plain.map(way => [`${way.reduction} ${way.passes}`, way]));
    for (const { reduction, passes } of distinct.values()) {
        agreeOnPlain(side, counts, { reduction, passes }, explorations.plain(reduction, passes));
    }
    const counted = explorationGroup === startGroup ? orbitOf : orbits(side, mapsOf(startGroup));
    agreeOnDistinctViolations(side, orbitOf, counted);
    const alike = symmetry.alikeSets.map(({ members }) =>
        members.map(member => symmetry.constraints.properties[member]!.name),
    );
    agreeOnFirstViolation(side);
    alike.forEach(names => agreeOnSet(side, names));
    agreeOnCoverage(side);
    if (explorationGroup.order > 1n) {
        // It may use a part of the symmetries only, and then has more states than there are orbits.
        const { report, isUnique } = explore(analysis, { reduction: 'auto' });
        agreeOnCounts(isUnique ? 'unique' : 'local', counts, report);
        agreeOnViolations(side, report);
    }
    return {
        kind: 'agreed',
        text,
        states: space.states.size,
        orbits: orbitCount,
        startOrbits: new Set(counted.values()).size,
        isHeldFixed: symmetry.report.heldFixed !== undefined,
        order: group.order,
        exploredOrder: explorationGroup.order,
        violations: space.violations,
        alike,
        // Any number that differs from model to model.
        passes: agreeOnPasses(side, passes === 'all' ? undefined : text.length),
        ways: ways.map(way => explorations.take(way)),
    };
}

/** Fires each state once: it is asked for it again by symmetries and by traces. */
function remembering(semantics: Semantics): Semantics {
    const known = new Map<string, ReturnType<Semantics['fire']>>();
    return {
        ...semantics,
        fire(state) {
            const key = semantics.key(state);
            const firings = known.get(key) ?? semantics.fire(state);
            known.set(key, firings);
            return firings;
        },
    };
}

function rejected(problems: readonly Problem[]): Comparison {
    return problems.some(({ code }) => code.startsWith('limit/'))
        ? { kind: 'too large' }
        : { kind: 'rejected', problems: problems.filter(({ severity }) => severity === 'error') };
}

function agreeOn(what: string, engine: number | bigint | undefined, reference: number | bigint | undefined): void {
    agree(
        engine === reference,
        () => `${what}: ${String(engine)} in the engine, ${String(reference)} in the reference`,
    );
}

/** Both sides have the same states, firings and kinds of faults; returns the number of firings of each state. */
function agreeOnGraph(
    sequential: SequentialModel,
    view: EngineView,
    semantics: Semantics,
    space: StateSpace,
): ReadonlyMap<string, number> {
    const result = exploreStateGraph(sequential, 2 * space.states.size + 10);
    agree(
        result.kind === 'graph',
        () => `the state graph of the engine: ${result.kind}, ${space.states.size} states in the reference`,
    );
    const { graph } = result as Extract<typeof result, { kind: 'graph' }>;
    const keys = graph.states.map(state => semantics.key(view.stateOf(state)));
    agreeOn('initial states', graph.initial.length, space.initial.length);
    graph.initial.forEach(number =>
        agree(space.initial.includes(keys[number]!), () => `${keys[number]!} is initial in the engine only`),
    );
    const edgesFrom = graph.states.map((): StateEdge[] => []);
    graph.edges.forEach(edge => edgesFrom[edge.from]!.push(edge));
    for (const [number, key] of keys.entries()) {
        const reached = space.states.get(key);
        agree(reached !== undefined, () => `${key} is reached by the engine only`);
        const edges = edgesFrom[number]!;
        const successors = edges.flatMap(({ to }) => (typeof to === 'number' ? [keys[to]!] : []));
        agree(
            successors.sort().join('\n') === [...reached!.firings].sort().join('\n'),
            () =>
                `from ${key} the engine goes to\n${successors.join('\n')}\nthe reference to\n${reached!.firings.join('\n')}`,
        );
        const faults = new Set(edges.flatMap(({ to }) => (typeof to === 'number' ? [] : [to])));
        agree(
            sameSet(faults, reached!.faults),
            () =>
                `in ${key} the engine has the faults ${[...faults].join()}, the reference ${[...reached!.faults].join()}`,
        );
    }
    agreeOn('states', graph.states.length, space.states.size);
    return new Map(keys.map((key, number) => [key, edgesFrom[number]!.length]));
}

/** The least and the most that an exploration may count. */
interface Counts {
    readonly states: Bounds;
    readonly transitions: Bounds;
    readonly depth: Bounds;
    readonly deadlocks: Bounds;
}

type Bounds = readonly [least: number, most: number];

/**
 * Counts with one state for each name. States of one name may differ in firings: steps that do the same are one. The
 * stored state of a name may be an image that cannot be reached.
 */
function countsOf(
    { allowsDeadlock }: SequentialModel,
    space: StateSpace,
    images: StateSpace,
    firings: ReadonlyMap<string, number>,
    nameOf: (key: string) => string,
): Counts {
    const depthOf = new Map<string, number>();
    for (const [key, { depth }] of space.states) {
        depthOf.set(nameOf(key), Math.min(depth, depthOf.get(nameOf(key)) ?? Infinity));
    }
    const firingsOf = new Map<string, Bounds>();
    for (const [key, count] of firings) {
        const [least, most] = firingsOf.get(nameOf(key)) ?? [count, count];
        firingsOf.set(nameOf(key), [Math.min(least, count), Math.max(most, count)]);
    }
    const sum = (bound: 0 | 1): number => [...firingsOf.values()].reduce((total, bounds) => total + bounds[bound], 0);
    const exactly = (count: number): Bounds => [count, count];
    const deadlocks = new Set(space.deadlocks.map(nameOf));
    const notOnly = new Set([...images.states.keys()].filter(key => !images.deadlocks.includes(key)).map(nameOf));
    return {
        states: exactly(firingsOf.size),
        transitions: [sum(0), sum(1)],
        // Symmetries keep the number of steps from an initial state or an image of one, so it is that of the nearest.
        depth: exactly(Math.max(...depthOf.values())),
        // If deadlocks are allowed, symmetric states may differ in that, and the stored one is counted.
        deadlocks: [
            allowsDeadlock ? [...deadlocks].filter(name => !notOnly.has(name)).length : deadlocks.size,
            deadlocks.size,
        ],
    };
}

/** Of all states, and of one for each orbit. */
interface ExpectedCounts {
    readonly none: Counts;
    readonly unique: Counts;
}

function agreeOnCounts(reduction: Way['reduction'], { none, unique }: ExpectedCounts, report: ExplorationReport): void {
    for (const count of ['states', 'transitions', 'depth', 'deadlocks'] as const) {
        const [least] = (reduction === 'none' ? none : unique)[count];
        // Representatives that are not unique may be stored one step later than the initial states that they stand for.
        const isDeeper = reduction === 'local' && count === 'depth';
        const [, most] = isDeeper ? [0, Infinity] : (reduction === 'unique' ? unique : none)[count];
        agree(
            least <= report[count] && report[count] <= most,
            () => `${count} with reduction ${reduction}: ${report[count]}, and ${least} to ${most} in the reference`,
        );
    }
}

function agreeOnPlain(
    side: Side,
    counts: ExpectedCounts,
    { reduction, passes }: Pick<Way, 'reduction' | 'passes'>,
    report: ExplorationReport,
): void {
    if (passes === 'all') {
        const [, most] = (reduction === 'unique' ? counts.unique : counts.none).states;
        agree(report.states <= most, () => `${report.states} states after all passes, ${most} before`);
        agreeOnVerdict(side, report);
    } else {
        agreeOnCounts(reduction, counts, report);
        if (report.outside !== undefined && reduction === 'none') {
            agreeOn('firings that a constraint cuts off', report.outside, side.space.outside);
        }
        agreeOnViolations(side, report);
    }
}

/** The same violations, the shortest of each kind and name equally far. */
function agreeOnViolations(side: Side, report: ExplorationReport): void {
    const nearest = new Map<string, number>();
    for (const violation of report.violations) {
        const length = violation.trace.filter(entry => entry.fault === undefined).length - 1;
        const name = nameOf(violation);
        nearest.set(name, Math.min(nearest.get(name) ?? Infinity, length));
    }
    const format = (violations: ReadonlyMap<string, number>): string =>
        [...violations]
            .map(([name, depth]) => `${name} after ${depth}`)
            .sort()
            .join(', ');
    const { violations } = side.space;
    agree(
        format(nearest) === format(violations),
        () => `violations: ${format(nearest)} in the engine, ${format(violations)} in the reference`,
    );
    agreeOnVerdict(side, report);
}

function agreeOnVerdict(side: Side, report: ExplorationReport): void {
    const { violations } = side.space;
    const names = new Set(report.violations.map(nameOf));
    agree(
        sameSet(names, new Set(violations.keys())),
        () => `violations: ${[...names].join()} in the engine, ${[...violations.keys()].join()} in the reference`,
    );
    agree(report.verdict === (violations.size > 0 ? 'violated' : 'holds'), () => `the verdict is '${report.verdict}'`);
    report.violations.forEach(violation => {
        replay(side, violation);
    });
}

function nameOf({ kind, name }: Violation): string {
    return kind === 'deadlock' ? 'deadlock' : `${kind} ${name}`;
}

/**
 * Asked for all violations up to symmetry: one for each orbit that has some. Those states are counted that symmetries
 * take it to which keep the start: `counted` are their orbits.
 */
function agreeOnDistinctViolations(
    side: Side,
    orbitOf: ReadonlyMap<string, string>,
    counted: ReadonlyMap<string, string>,
): void {
    const { semantics, space } = side;
    const { violations } = explore(side.analysis, { reduction: 'unique', maxViolations: 1e6 }).report;
    const statesOf = new Map<string, ReachedState[]>();
    counted.forEach((orbit, key) => statesOf.set(orbit, [...(statesOf.get(orbit) ?? []), space.states.get(key)!]));
    const found = violations.flatMap(violation => {
        const last = traceState(side, violation.trace.at(-1)!);
        const orbit = orbitOf.get(semantics.key(last))!;
        // Only some states of an orbit violate one of several alike invariants.
        const size = statesOf
            .get(counted.get(semantics.key(last))!)!
            .filter(({ violated }) => isAmong(violated, violation)).length;
        agree(
            violation.copies === BigInt(size),
            () => `${String(violation.copies)} copies of a violation in an orbit of ${size} states`,
        );
        replay(side, violation);
        return violation.kind === 'fault' ? [] : [`${violation.name} in the orbit of ${orbit}`];
    });
    const checksDeadlock = !side.analysis.sequential!.allowsDeadlock;
    const expected = [...space.states].flatMap(([key, { violated }]) =>
        [...violated, ...(checksDeadlock && space.deadlocks.includes(key) ? ['deadlock'] : [])].flatMap(
            // A fault of an invariant is one of its place.
            name => (name.includes(': ') ? [] : `${name} in the orbit of ${orbitOf.get(key)!}`),
        ),
    );
    agree(new Set(found).size === found.length, () => `a violation is reported twice: ${found.join('; ')}`);
    agree(
        sameSet(new Set(found), new Set(expected)),
        () => `violations: ${found.join('; ')}, in the reference ${expected.join('; ')}`,
    );
}

/** A search that ends with the first violation shows one that is as near as any. */
function agreeOnFirstViolation(side: Side): void {
    for (const passes of [[], undefined]) {
        const options = { reduction: 'unique' as const, ...(passes !== undefined && { passes }) };
        const { violations } = explore(side.analysis, options, false).report;
        const distances = [...side.space.violations.values()];
        const lengths = violations.map(({ trace }) => trace.filter(({ fault }) => fault === undefined).length - 1);
        // An invariant is looked at in a successor before the states beside its predecessor are expanded.
        const least = distances.length === 0 ? [] : [Math.min(...distances), Math.min(...distances) + 1];
        agree(
            distances.length === 0 ? lengths.length === 0 : lengths.length === 1 && least.includes(lengths[0]!),
            () => `the first violation is after ${lengths.join()} steps, in the reference after ${distances.join()}`,
        );
        violations.forEach(violation => {
            replay(side, violation);
        });
    }
}

/** One search for a set of alike invariants finds each of them where each is violated, and none where none is. */
function agreeOnSet(side: Side, names: readonly string[]): void {
    const options = { properties: names, violationsToStop: names.length, ignoresFaults: true };
    const { violations } = explore(side.analysis, { reduction: 'unique', ...options }, false).report;
    const found = violations.flatMap(({ kind, name }) => (kind === 'invariant' ? [name] : []));
    const expected = names.filter(name => side.space.violations.has(`invariant ${name}`));
    agree(
        // A fault of each may come first, and ends the search.
        sameSet(new Set(found), new Set(expected)) || violations.some(({ kind }) => kind === 'fault'),
        () => `of a set ${found.join()}, in the reference ${expected.join()}`,
    );
    agree(
        expected.length === 0 || expected.length === names.length,
        () => `of the alike ${names.join()} only ${expected.join()} are violated in the reference`,
    );
    violations.forEach(violation => {
        replay(side, violation);
    });
}

/** Whether a violation of an invariant is one of these; others are in all states of an orbit. */
function isAmong(violated: ReadonlySet<string>, { kind, name, invariant }: Violation): boolean {
    return kind === 'invariant' ? violated.has(name) : invariant === undefined || violated.has(`${invariant}: ${name}`);
}

/** Steps are counted as if every state were expanded, and the same ones are never reached. */
function agreeOnCoverage({ analysis, space }: Side): void {
    const [all = '', reduced = ''] = (['none', 'unique'] as const).map(reduction => {
        const options = {
            reduction,
            continueAfterViolation: true,
            countsCoverage: true,
            // Both are counted, each by another way to expand states.
            isInterpreted: reduction === 'none',
        };
        const { exploration, coverage, unreached } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        return JSON.stringify([coverage!(), unreached()]);
    });
    agree(all === reduced, () => `coverage with reduction\n${reduced}\nand without\n${all}`);
    const { states } = (JSON.parse(all) as [{ readonly states: number }])[0];
    agreeOn('covered states', states, space.states.size);
}

/**
 * The image of the reachable states is the reachable states, with everything that can be seen of them. Each of the named
 * invariants says of a state what some other one of them says of its image.
 */
function agreeThatSymmetric({ semantics, space }: Side, map: StateMap, names: readonly string[]): void {
    const imageOf = new Map([...space.states].map(([key, { state }]) => [key, semantics.key(map.apply(state))]));
    agree(new Set(imageOf.values()).size === imageOf.size, () => 'a generator maps two states onto one');
    for (const key of space.initial) {
        agree(space.initial.includes(imageOf.get(key)!), () => `the image of the initial ${key} is not initial`);
    }
    const images = new Map(names.map(name => [name, names]));
    for (const [key, reached] of space.states) {
        const image = space.states.get(imageOf.get(key)!);
        agree(image !== undefined, () => `the image of ${key} cannot be reached`);
        agree(
            sameSet(new Set([...reached.successors].map(successor => imageOf.get(successor)!)), image!.successors),
            () => `the successors of ${key} and those of its image ${imageOf.get(key)!} are no images of each other`,
        );
        agree(sameSet(reached.faults, image!.faults), () => `${key} and its image have different faults`);
        for (const [name, candidates] of images) {
            const left = candidates.filter(other => truthOf(other, image!) === truthOf(name, reached));
            agree(left.length > 0, () => `no invariant is to the image of ${key} what ${name} is to it`);
            images.set(name, left);
        }
    }
}

function truthOf(name: string, { violated }: ReachedState): string {
    return [...violated].find(other => other === name || other.startsWith(`${name}: `))?.slice(name.length) ?? 'holds';
}

/** Most potential states that are tried, beyond the reachable ones. */
const PRODUCT_LIMIT = 200;

/** The same on all combinations of values, if few: symmetries come from the text, not from what can be reached. */
function agreeOnProduct({ semantics, space }: Side, maps: readonly StateMap[]): void {
    const states = maps.length === 0 ? undefined : productOfOccurring(semantics, [...space.states.values()]);
    if (states === undefined) {
        return;
    }
    const keys = new Set(states.map(semantics.key));
    const outcomes = (state: State, map: (successor: State) => State): Set<string> =>
        new Set(
            semantics
                .fire(state)
                .map(({ successor, fault }) => (successor === undefined ? fault! : semantics.key(map(successor)))),
        );
    for (const map of maps) {
        for (const state of states) {
            const image = map.apply(state);
            agree(
                !keys.has(semantics.key(image)) ||
                    sameSet(
                        outcomes(state, successor => map.apply(successor)),
                        outcomes(image, successor => successor),
                    ),
                () =>
                    `the potential state ${semantics.key(state)} and its image ${semantics.key(image)} ` +
                    'have different successors',
            );
        }
    }
}

function productOfOccurring(semantics: Semantics, reached: readonly ReachedState[]): State[] | undefined {
    let states: State[] = [new Map()];
    /** A field has a value exactly in its case, a place exactly below the length. */
    const isPossible = (cell: Cell, value: Value | undefined, state: State): boolean => {
        const around = semantics.within.get(cell);
        return around === undefined || (value !== undefined) === around.holds(state.get(around.cell));
    };
    for (const [first, ...locals] of semantics.parts) {
        const occurring = locals.reduce<State[]>(
            (partial, local) =>
                partial.flatMap(state => {
                    const here = reached.filter(({ state: other }) => other.get(first!) === state.get(first!));
                    const values = new Set(here.map(({ state: other }) => other.get(local)));
                    return [...values]
                        .filter(value => isPossible(local, value, state))
                        .map(value => (value === undefined ? state : new Map(state).set(local, value)));
                }),
            [...new Set(reached.map(({ state }) => state.get(first!)!))].map(value => new Map([[first!, value]])),
        );
        states = states.flatMap(state => occurring.map(part => new Map([...state, ...part])));
        if (states.length > PRODUCT_LIMIT) {
            return undefined;
        }
    }
    return states;
}

/** The reachable states and all that the maps take them to, from an initial state that is any of the images of one. */
function closedUnder(maps: readonly StateMap[], semantics: Semantics, space: StateSpace): StateSpace | undefined {
    const initial = new Map(space.initial.map(key => [key, space.states.get(key)!.state]));
    for (const state of initial.values()) {
        for (const map of maps) {
            const image = map.apply(state);
            const key = semantics.key(image);
            initial.set(key, initial.get(key) ?? image);
        }
        if (initial.size > MOST_IMAGES) {
            return undefined;
        }
    }
    return exploreAll({ ...semantics, initialStates: () => [...initial.values()] }, MOST_IMAGES);
}

const MOST_IMAGES = 20_000;
const MOST_SYMMETRIES = 10n ** 18n;

function orbits({ semantics, space }: Side, maps: readonly StateMap[]): ReadonlyMap<string, string> {
    const orbitOf = new Map<string, string>();
    for (const start of space.states.keys()) {
        const pending = orbitOf.has(start) ? [] : [start];
        for (const key of pending) {
            if (!orbitOf.has(key)) {
                orbitOf.set(key, start);
                const { state } = space.states.get(key)!;
                pending.push(...maps.map(map => semantics.key(map.apply(state))));
            }
        }
    }
    return orbitOf;
}

const LISTED_ORDER = 400n;

/** Lists the group by multiplying with generators until nothing new comes, unless it is large. */
function agreeThatOrderIsExact(group: ModelGroup): void {
    const degree = group.firstPoint[group.cellCount]!;
    const generators = group.generators.map(({ points, images }) => {
        const permutation = [...Array(degree).keys()];
        points.forEach((point, index) => (permutation[point] = images[index]!));
        return permutation;
    });
    const identity = [...Array(degree).keys()];
    const elements = new Map([[identity.join(), identity]]);
    for (const element of elements.values()) {
        for (const generator of generators) {
            const product = element.map(point => generator[point]!);
            elements.set(product.join(), product);
        }
        if (BigInt(elements.size) > LISTED_ORDER) {
            agree(group.order > LISTED_ORDER, () => `a group of order ${group.order} has more elements than that`);
            return;
        }
    }
    agreeOn('order of the group', group.order, BigInt(elements.size));
}

function sameSet<T>(first: ReadonlySet<T>, second: ReadonlySet<T>): boolean {
    return first.size === second.size && [...first].every(element => second.has(element));
}
