/** The question of an exploration in its parts: about each state, about runs, and runs that are followed along their steps. */
import type { Explorable } from '../analysis.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProperty } from '../constraints/constraint-problem.js';
import { TRUE_FORMULA } from '../constraints/formula.js';
import { withImages } from '../expect/run-images.js';
import type { Model } from '../model/model.js';
import type { StatedRun } from '../model/meant.js';
import { isAboutOneState } from '../sequential/runs/observed-run.js';
import type { SequentialInvariant, SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import { groupKeeping, groupWithoutStart } from '../symmetry/groups.js';
import { literalImages } from '../symmetry/model-symmetry.js';
import { groupsKeeping, selectedProperties, type SearchedSymmetries } from './usable-groups.js';

export interface Asked {
    readonly ofStates: {
        /** Without properties of runs; the runs that are to exist are among its invariants. */
        readonly sequential: SequentialModel;
        /** The names of the invariants, and `deadlock`; all if absent. */
        readonly properties?: readonly string[];
    };
    /** With the runs among what it keeps. */
    readonly symmetry?: Explorable['symmetry'];
    readonly ofRuns: readonly TemporalProperty[];
}

/** The names are those of all properties that are asked for; everything if absent. */
export function askedOf(
    { model, sequential, symmetry }: Explorable,
    names: readonly string[] | undefined,
    workLimit: WorkLimit,
): Asked {
    const isAsked = ({ name }: { readonly name: string }): boolean => names?.includes(name) ?? true;
    const ofRuns = sequential.properties.filter(isAsked);
    const runs = sequential.runs.filter(isAsked);
    const others = new Set([...ofRuns, ...model.runs].map(({ name }) => name));
    const properties = names?.filter(name => !others.has(name));
    const ofStates = ofRuns.length === 0 ? sequential : { ...sequential, properties: [] };
    if (runs.length === 0) {
        return {
            ofRuns,
            ofStates: { sequential: ofStates, ...(properties !== undefined && { properties }) },
            ...(symmetry !== undefined && { symmetry }),
        };
    }
    const known = symmetry && keepingRuns(symmetry, runs, properties, workLimit);
    const { invariants } = known ?? { invariants: runs };
    return {
        ofRuns,
        ofStates: {
            sequential: { ...ofStates, invariants: [...ofStates.invariants, ...invariants] },
            ...(properties !== undefined && { properties: [...properties, ...invariants.map(({ name }) => name)] }),
        },
        ...(symmetry !== undefined && known !== undefined && { symmetry: { ...symmetry, ...known.symmetry } }),
    };
}

/** The runs that a search of states does not show: each has a search of its own. */
export function observedRuns({ runs }: Model, names: readonly string[] | undefined): readonly StatedRun[] {
    return runs.filter(run => !isAboutOneState(run) && (names?.includes(run.name) ?? true));
}

type KeptSymmetries = Pick<SearchedSymmetries, 'constraints' | 'startGroup' | 'explorationGroup'>;

/** The invariants are the runs with their images. Without images, and symmetries, if the time for them is over. */
function keepingRuns(
    symmetry: SearchedSymmetries,
    runs: SequentialModel['runs'],
    names: readonly string[] | undefined,
    workLimit: WorkLimit,
): Pick<SequentialModel, 'invariants'> & { readonly symmetry: KeptSymmetries } {
    const { constraints, stepsGroup } = symmetry;
    const selected = selectedProperties(constraints, names);
    const kept = groupsKeeping(symmetry, selected, workLimit).startGroup;
    const found = withImages(runs, constraints, literalImages(kept), workLimit);
    const { invariants, properties } = found ?? { invariants: runs, properties: runs.map(withoutTruth) };
    const stated = {
        ...constraints,
        properties: [...selected.map(index => constraints.properties[index]), ...properties],
    };
    if (found === undefined) {
        const none = { ...kept, generators: [], order: 1n, complete: false };
        return { invariants, symmetry: { constraints: stated, startGroup: none, explorationGroup: none } };
    }
    const all = [...stated.properties.keys()];
    // The images are kept by what they are images under: then nothing is searched.
    const startGroup = groupKeeping(stated, kept, all, kept.generators, workLimit);
    const explorationGroup = groupWithoutStart(stated, stepsGroup, startGroup, all, workLimit);
    return {
        invariants,
        symmetry: { constraints: stated, startGroup, explorationGroup },
    };
}

function withoutTruth({ name }: SequentialInvariant, index: number): ConstraintProperty {
    return { name, kind: 'run', invariant: index, holds: TRUE_FORMULA, faults: [], pinned: [] };
}
