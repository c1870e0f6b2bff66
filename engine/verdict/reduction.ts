/**
 * A reduction makes a search smaller and changes none of its answers. It is a value that works in two phases, since one
 * needs what another finds: passes say which cells matter, symmetries choose by it between all symmetries and fewer cells,
 * and the passes run with the images under the symmetries that were chosen.
 *
 *     prepare, in the order of the list ─► facts of all ─► apply ─► parts of the search, and what is said of them
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { KnownValues } from '../constraints/dead-steps.js';
import type { CoverageSymmetry } from '../explore/coverage.js';
import type { SearchParts } from '../explore/search-parts.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import type { SummandOrbits } from '../symmetry/summand-orbits.js';
import type { PassReport } from '../passes/pass-names.js';
import type { RepresentativeStrategy } from '../representative/strategy.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ReductionChoice } from './choose-reduction.js';

/** The model of a search. */
export interface Given {
    readonly sequential: SequentialModel;
    /** The values that can occur, if they are known. */
    readonly values?: KnownValues | undefined;
}

/** The question that the search answers. */
export interface Demand {
    /** The names of the invariants to check, and `deadlock`; everything the model states if absent. */
    readonly properties?: readonly string[] | undefined;
    /** Whether each firing of the model as written counts, in all reachable states. */
    readonly countsSteps?: boolean | undefined;
    /** Whether only what states before a fault violate is asked. */
    readonly ignoresFaults?: boolean | undefined;
    readonly workLimit: WorkLimit;
}

export interface SearchReduction {
    /** `known` are the facts of those before it in the list. */
    prepare(given: Given, demand: Demand, known: ReductionFacts): Prepared;
}

interface Prepared {
    readonly facts: ReductionFacts;
    /** Makes the parts of the search; `all` are the facts of all reductions, `made` the parts of those before it. */
    apply(all: ReductionFacts, made: SearchParts): Applied;
}

/** Findings of one reduction that others need, or the counts of steps; what is a function is computed by its calls. */
export interface ReductionFacts {
    /** The cells that passes keep under symmetries, ascending; absent if they keep all. */
    readonly coneUnder?: (symmetries: readonly LiteralImage[]) => readonly number[];
    /** By their action on states; absent if every state is stored. */
    readonly symmetries?: readonly LiteralImage[];
    /** Under the symmetries; absent without any. */
    readonly summandOrbits?: () => SummandOrbits;
    readonly coverage?: () => CoverageSymmetry;
}

export interface Applied {
    readonly parts: SearchParts;
    readonly report: ReductionReport;
    /** Says as text on what states depend, beside the searched model and the plan for representatives. */
    identity?(): string;
}

/** The part of the reductions in a report. */
export interface ReductionReport {
    /** The changes of each pass, in the order in which they ran. */
    readonly passes?: readonly PassReport[] | undefined;
    /** The symmetries in use; absent without reduction. */
    readonly group?: ModelGroup | undefined;
    /** Those that keep the start, if some of `group` do not. */
    readonly startGroup?: ModelGroup | undefined;
    readonly strategy?: RepresentativeStrategy | undefined;
    /** The choice of `auto`; absent if there was nothing to choose. */
    readonly choice?: ReductionChoice | undefined;
    /** Why all steps are taken, though some would do. */
    readonly allStepsBecause?: string | undefined;
    /** The names of the invariants that the group exchanges, by set. */
    readonly alike?: (() => readonly (readonly string[])[]) | undefined;
}

/** All reductions of a search together. */
export interface Reduced extends Required<Applied> {
    readonly facts: ReductionFacts;
}

export function reduce(reductions: readonly SearchReduction[], given: Given, demand: Demand): Reduced {
    let facts: ReductionFacts = {};
    const prepared = reductions.map(reduction => {
        const each = reduction.prepare(given, demand, facts);
        facts = { ...facts, ...each.facts };
        return each;
    });
    let parts: SearchParts = {};
    const applied = prepared.map(each => {
        const made = each.apply(facts, parts);
        parts = { ...parts, ...made.parts };
        return made;
    });
    return {
        facts,
        parts,
        report: applied.reduce<ReductionReport>((all, { report }) => ({ ...all, ...report }), {}),
        identity: () => applied.map(each => each.identity?.() ?? '').join(''),
    };
}
