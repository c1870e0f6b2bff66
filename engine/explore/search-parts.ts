/** The parts of a search that reductions make (verdict/reduction.ts). Without any all states of the model as written are stored. */
import type { OrbitSizes } from '../representative/orbit-size.js';
import type { PassedModel } from '../sequential/reduced-model.js';
import type { AlikeProperties } from '../symmetry/alike-properties.js';
import type { SymmetriesOnCells } from './initial/initial-states.js';
import type { StartSymmetries } from './initial/roots.js';
import type { NumberSteps } from './number-successors.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';
import type { EqualProcesses } from './equal-processes.js';
import type { StepSelection } from './stubborn.js';

/**
 * A search has a place for each part: what is searched, which steps are taken, what is stored, and what is told of it.
 */
export interface SearchParts {
    /** The model to search in place of the one as written, with the same properties and symmetries. */
    readonly passed?: PassedModel;
    /** Takes some of the possible steps of each state. */
    readonly selection?: StepSelection;
    /** Stores one state of each orbit, under symmetries that keep what is checked. */
    readonly canonicalizer?: StateCanonicalizer;
    /** The processes that the symmetries behind `canonicalizer` exchange freely. */
    readonly equal?: EqualProcesses;
    /** Brings states to a form before their representative: the numbers without end that they hold. */
    readonly numbers?: NumberSteps;
    /** The search ends at a state without a representative instead of storing it. The value is the work allowed. */
    readonly exactWithin?: number;
    /** The orbits of the group behind `canonicalizer`, if available; called on demand. */
    readonly orbits?: () => OrbitSizes | undefined;
    /** The same, but undefined where finding out takes long. */
    readonly quickOrbits?: () => OrbitSizes | undefined;
    /** Present if symmetries behind `canonicalizer` may map initial states to other states. */
    readonly startMoved?: StartSymmetries;
    /**
     * The invariants that the symmetries behind `canonicalizer` exchange, as those of them do that keep the start; called
     * if one is violated.
     */
    readonly alike?: () => AlikeProperties;
}

/** Symmetries that map initial states to initial states; undefined if none are used. */
export function elementsOfStart({ canonicalizer, startMoved }: SearchParts): SymmetriesOnCells | undefined {
    return startMoved === undefined
        ? canonicalizer && ((most, cells) => canonicalizer.elements?.(most, cells) ?? [])
        : startMoved.elements;
}
