/**
 * The state graph of a model, or the part of it around a state, as a document for the editor. States are found again by
 * their paths: the index of an initial state, then the summands that fire, one after the other.
 */
import type { WorkLimit } from '../engine/common/work-limit.js';
import { structureOf } from '../engine/describe/factors.js';
import { InitialStates } from '../engine/explore/initial/initial-states.js';
import { exploreOrbitGraph, type OrbitGraph } from '../engine/explore/orbit-graph.js';
import type { Finding } from '../engine/explore/properties.js';
import { namesBySlot } from '../engine/explore/instance-names.js';
import { interpretedSuccessors } from '../engine/explore/successors.js';
import { describeStep } from '../engine/explore/trace.js';
import { formatState } from '../engine/describe/shown-state.js';
import type { Model } from '../engine/model/model.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { stateAction } from '../engine/symmetry/certify.js';
import type { ModelGroup } from '../engine/symmetry/model-symmetry.js';
import { orbitSizesOf } from '../engine/symmetry/orbit-sizes.js';
import { located, titleOf, toDocumentFinding, type FileOf } from './documents.js';
import type { TraceStepDocument } from './document-schema.js';
import type { GraphDocument, StatePath, UnfoldResult } from './protocol.js';

/** As many nodes as can be looked at. */
const MOST_ORBITS = 300;
/** As many states as an orbit shows. */
const MOST_MEMBERS = 100;

export interface GraphSource {
    readonly model: Model;
    readonly sequential: SequentialModel;
    /** The symmetries that keep the start and everything that is checked; absent without reduction. */
    readonly group: ModelGroup | undefined;
}

/** The graph around the state at the end of `around`; around the initial states if the model has no such path. */
export function toGraphDocument(
    { model, sequential, group }: GraphSource,
    asked: StatePath,
    fileOf: FileOf,
    workLimit: WorkLimit,
): GraphDocument {
    const sizes = group === undefined ? undefined : orbitSizesOf(group);
    const middle = stateAt(sequential, asked, workLimit);
    const around = middle === undefined ? [] : asked;
    const starts = middle === undefined ? firstInitialStates(sequential, MOST_ORBITS + 1, workLimit) : [middle];
    const graph = exploreOrbitGraph(sequential, starts, {
        orbitOf: state => (group === undefined ? { size: 1n, key: state.join() } : sizes?.orbitOf(state)),
        most: MOST_ORBITS,
        workLimit,
    });
    const stepOf = (from: number, summand: number): TraceStepDocument => {
        const state = graph.nodes[from]?.state;
        return located(describeStep(sequential, summand, state && namesBySlot(sequential, state)), fileOf);
    };
    const paths = pathsOf(graph, around);
    return {
        ...titleOf(model),
        group: { structure: group === undefined ? '1' : structureOf(group), order: (group?.order ?? 1n).toString() },
        around,
        places: Object.fromEntries(
            sequential.instances.flatMap(({ name, process, counter }) =>
                counter < 0 ? [] : [[sequential.cells[counter]?.name ?? name, model.processes[process]?.name ?? name]],
            ),
        ),
        orbits: graph.nodes.map(({ state, size, depth, origin, findings, isExpanded }, number) => ({
            state: formatState(sequential, state, namesBySlot(sequential, state)),
            path: paths[number] ?? [],
            ...(size !== undefined && { size: size.toString() }),
            depth,
            ...('from' in origin && { from: origin.from, step: stepOf(origin.from, origin.summand) }),
            violates: findings.filter(isOfModel).map(finding => toDocumentFinding(finding, model, fileOf)),
            isExpanded,
        })),
        edges: graph.edges.map(({ from, to, summand }) => ({ from, to, step: stepOf(from, summand) })),
        isWhole: graph.isWhole && graph.nodes.every(({ findings }) => findings.every(isOfModel)),
    };
}

/** Not that more instances would be created than are considered, and not that a number has no end. */
function isOfModel({ name }: Finding): boolean {
    return name !== 'slots' && name !== 'numbers';
}

/** By node. The starts are the initial states, or the one at the end of `around`. */
function pathsOf({ nodes }: OrbitGraph, around: StatePath): readonly StatePath[] {
    const paths: StatePath[] = [];
    for (const { origin } of nodes) {
        if ('from' in origin) {
            paths.push([...(paths[origin.from] ?? []), origin.summand]);
        } else {
            paths.push(around.length > 0 ? around : [origin.start]);
        }
    }
    return paths;
}

/** The states that are symmetric to the one at the end of a path, itself first; none if the model has no such path. */
export function unfoldOrbit({ sequential, group }: GraphSource, path: StatePath, workLimit: WorkLimit): UnfoldResult {
    const actions = group?.generators.map(generator => stateAction(group, generator)) ?? [];
    const first = stateAt(sequential, path, workLimit);
    const states = first === undefined ? [] : [first];
    const known = new Set(states.map(state => state.join()));
    for (const state of states) {
        for (const imageOf of states.length > MOST_MEMBERS ? [] : actions) {
            const image = imageOf(state);
            if (!known.has(image.join())) {
                known.add(image.join());
                states.push(image);
            }
        }
    }
    const shown = states.slice(0, MOST_MEMBERS);
    return {
        states: shown.map(state => formatState(sequential, state, namesBySlot(sequential, state))),
        isAll: shown.length === states.length,
    };
}

function stateAt(sequential: SequentialModel, path: StatePath, workLimit: WorkLimit): Int32Array | undefined {
    const [initial, ...summands] = path;
    let state = initial === undefined ? undefined : firstInitialStates(sequential, initial + 1, workLimit).at(initial);
    const successors = interpretedSuccessors(sequential);
    for (const summand of summands) {
        let next: Int32Array | undefined;
        if (state !== undefined) {
            successors.forEachFiring(state, {
                fired: (fired, successor) => {
                    next = fired === summand ? successor.slice() : undefined;
                    return next === undefined;
                },
                faulted: () => true,
            });
        }
        state = next;
    }
    return state;
}

/** At most so many. */
function firstInitialStates(sequential: SequentialModel, most: number, workLimit: WorkLimit): readonly Int32Array[] {
    const states: Int32Array[] = [];
    const cursor = new InitialStates(sequential);
    const state = new Int32Array(sequential.cells.length);
    while (states.length < most && cursor.nextInto(state, workLimit)) {
        states.push(state.slice());
    }
    return states;
}
