/**
 * What the detection found, as plain data in the reader's terms: the JSON document of `orbit symmetry`, with ranges of
 * texts where that has places in files. Terminal, editor and JSON print from this and from nothing else.
 *
 * Orders and counts of states are decimal digits, because they exceed 2^53.
 */
import type { SourceRange } from '../common/source-range.js';
import type { ReachableEstimate } from '../explore/reachable-estimate.js';

/** All that is said of the symmetries of a model. */
export interface SymmetryReport {
    /** Exact order of the group found, for the model without its properties. */
    readonly order: string;
    /** The group's name, `C10` or `S5`; `trivial` for the group of order 1. */
    readonly structure: string;
    /** The direct factors of the group, largest first, as far as it falls apart; empty where the search was stopped. */
    readonly factors: readonly FactorReport[];
    readonly generators: readonly GeneratorReport[];
    /** The classes of interchangeable cells, each sorted, single cells included. */
    readonly variableOrbits: readonly (readonly string[])[];
    /** The number of classes of interchangeable literals `variable = value`. */
    readonly literalOrbits: number;
    /** Deadlock first (where it is checked), then the invariants in the order of the text. */
    readonly properties: readonly PropertyReport[];
    /** The group that keeps all properties: the one that a reduced exploration uses. */
    readonly explored: { readonly order: string; readonly structure: string };
    readonly graph: { readonly vertices: number; readonly edges: number };
    /** False when a budget ended the search or something is held fixed: what is reported may be a subgroup. */
    readonly complete: boolean;
    /** What is held fixed because it is too large, which symmetries may be lost by; absent where there is no such thing. */
    readonly heldFixed?: readonly HeldFixedReport[];
    /** The generators were tried on states of the model by code that shares nothing with the search, and all agreed. */
    readonly verified: boolean;
    /** One of them did not agree, which is a defect of ours: all of them were given up, and this says nothing of the model. */
    readonly refuted: boolean;
    readonly broken: readonly BrokenSymmetry[];
    /**
     * What else is not alike, and why the places that make the difference are not named: ``instances of `P`: the search …``.
     * Absent where there is no such thing.
     */
    readonly unexplained?: readonly string[];
    /** What the model states of its symmetries, in the order of the text. */
    readonly assertions: readonly AssertionReport[];
    /** What each declaration suggests and why there is not more; absent where nobody asked, empty where it is not known. */
    readonly why?: readonly SuggestionReport[];
    /**
     * Time was over before everything was described: names may be orders only, factors and roles of variables may be
     * missing, orbits not counted. What is said is right. Absent where nothing is missing.
     */
    readonly undescribed?: true;
    /** The number of states that the values which can occur make up, each cell taken alone. */
    readonly potentialStates: string;
    /** The number of orbits of potential states; absent where counting them would take too long. */
    readonly potentialOrbits?: string;
    /** Why they were not counted, as a clause: `the group has too many elements …` */
    readonly potentialOrbitsMissing?: string;
    /** How many reachable states there are for each orbit under `explored`, as far as random walks can tell. */
    readonly reachable?: ReachableEstimate;
    readonly families: readonly FamilyReport[];
    readonly variables: readonly VariableReport[];
    readonly types: readonly TypeReport[];
    readonly work: WorkCounts;
    /** Milliseconds of each stage, by the clock that was passed in. */
    readonly timings: StageTimings;
}

/** A part of the group that acts independently of the other parts. */
export interface FactorReport {
    /** `S3 wr C2` */
    readonly structure: string;
    readonly order: string;
    /** ``the 9 instances of `P` are interchangeable`` */
    readonly permutes: string;
    /** The families, variables, channels and locals (`P.k`) of which it moves something, in the order of the text. */
    readonly moves: readonly string[];
}

/** A generator of the group, in words and by literals. */
export interface GeneratorReport {
    /** Cycle notation on instances, then cells that move apart from them, then literals: `(P[0] P[1])(last[1]=0 last[1]=1)`. */
    readonly cycles: string;
    /** One entry for each literal that moves: `flag[1]=0 -> flag[0]=0`. */
    readonly moves: readonly string[];
}

/** What a property keeps of the group. */
export interface PropertyReport {
    readonly name: string;
    readonly kind: 'deadlock' | 'invariant';
    /** The subgroup that keeps the property's truth. */
    readonly order: string;
    readonly structure: string;
    /** The name in its declaration; absent for deadlock. */
    readonly range?: SourceRange;
    /** Where it keeps fewer symmetries than the model has: what costs them, if that was found. */
    readonly cost?: PropertyCost;
}

/** Something that is too large to be compared with its image, and what therefore is not moved. */
export interface HeldFixedReport {
    /** `` `lend` of `Bank` is too large to be compared, so nothing that it touches may move `` */
    readonly message: string;
    /** The step, the condition, the initial value or the name of the variable. */
    readonly range: SourceRange;
    /** The cells that are held fixed for it: `held[0]`; without those that hold no value between steps. */
    readonly cells: readonly string[];
}

/** The parts of a property without which it would keep all symmetries of the model; checked by trying. */
export interface PropertyCost {
    /** `P[0] at critical` pins P[0]: S5 becomes S4, 24 of 120 symmetries remain */
    readonly message: string;
    readonly locations: readonly PlaceReport[];
}

/** A place of the model and what stands there. */
export interface PlaceReport {
    readonly range: SourceRange;
    readonly text: string;
    /** What of it is meant, where that is not what stands there: `the order of`. */
    readonly aspect?: string;
    /** Of a place in the steps and declarations: what it is, and so what becomes of the model without it. */
    readonly kind?: PlaceKind;
}

/** What has no counterpart under a symmetry that is missing, and where it is. */
export interface CounterpartReport {
    readonly range: SourceRange;
    /** `P[1]` has no counterpart of this step of `P[0]` */
    readonly message: string;
}

/** An edit of the text that brings a missing symmetry back; checked by doing it to the model. */
export interface RepairReport {
    /** Let `first` start with any value */
    readonly title: string;
    readonly edits: readonly EditReport[];
}

/** An edit of the text that brings a symmetry back. */
export interface EditReport {
    readonly range: SourceRange;
    readonly newText: string;
}

/** A symmetry that a declaration suggests and the model does not have. */
export interface BrokenSymmetry {
    /** The group the declaration suggests on its members, `S5`, and the group found on them. */
    readonly expected: string;
    readonly found: string;
    /** What its members are: `instances of P` or `values of Agent`. */
    readonly subject: string;
    /** The order of `expected` divided by the order of `found`. */
    readonly index: number;
    /** The smallest set of places found whose neutralization gives the symmetry back; checked by doing so. */
    readonly locations: readonly PlaceReport[];
    /** What the model lacks because of them: steps without a counterpart, values that only some variables can have. */
    readonly counterparts: readonly CounterpartReport[];
    readonly repairs: readonly RepairReport[];
    readonly message: string;
    /** The declaration that suggests it. */
    readonly declaration: SourceRange;
}

/** An `assert symmetric` of the model and what came of it. */
export interface AssertionReport {
    /** As the model states it. */
    readonly text: string;
    readonly range: SourceRange;
    readonly verdict: 'holds' | 'fails' | 'undecided';
    /** What was found and, where it fails, what stands against it. */
    readonly message: string;
    /** Where it fails: places without which it would hold, as far as they were found; checked by trying. */
    readonly locations: readonly PlaceReport[];
    /** What the model lacks because of them, and what would bring it back. */
    readonly counterparts: readonly CounterpartReport[];
    readonly repairs: readonly RepairReport[];
}

/** What a declaration suggests, what was found of it, and why not more. */
export interface SuggestionReport {
    /** ``instances of `P` ``, ``values of `Color` ``, ``ring of `Agent` ``. */
    readonly subject: string;
    readonly suggests: string;
    readonly found: string;
    readonly isAll: boolean;
    readonly message: string;
    /** The places without which there would be more, as far as they were found; checked by trying. */
    readonly locations: readonly PlaceReport[];
}

/** A process family and what the group does to its instances. */
export interface FamilyReport {
    readonly name: string;
    readonly range: SourceRange;
    readonly instances: number;
    /** The classes of interchangeable instances. */
    readonly orbits: readonly (readonly string[])[];
    /** The group's action on the instances: `S5`, `C5`, `trivial`. */
    readonly structure: string;
    /** The order of that action; 0 where the limit left no time to find it. */
    readonly order: string;
}

/** A declared variable and its role, for hovers. */
export interface VariableReport {
    /** `label`, or `P.k` for a local. */
    readonly name: string;
    readonly range: SourceRange;
    /** One sentence each, most important first: `Values 0 and 1 are interchangeable.` */
    readonly roles: readonly string[];
    /** The classes of its cells that are interchangeable with each other or with cells of other variables. */
    readonly orbit: readonly string[];
    /** A generator that moves it, in cycle notation, if there is one. */
    readonly generator?: string;
}

/** A declared type and which of its values are interchangeable wherever they stand. */
export interface TypeReport {
    readonly name: string;
    readonly range: SourceRange;
    /** What the group does to the values; absent where it fixes them, or does not do the same to them everywhere. */
    readonly action?: {
        /** `S3` */
        readonly structure: string;
        /** The numbers of values in the classes of interchangeable values, largest first; 1 for a value that is not moved. */
        readonly orbitSizes: readonly number[];
    };
}

/** Counts of work; they do not depend on the machine. */
export interface WorkCounts {
    readonly literals: number;
    readonly summands: number;
    /** Summands and conditions whose constraints were known: from another place like theirs, or from an analysis before. */
    readonly fragmentsReused: number;
    /** Those whose constraints had to be worked out. */
    readonly fragmentsEncoded: number;
    /** Searches for automorphisms, and what they took together. None where the constraints were the same before. */
    readonly searches: number;
    readonly treeNodes: number;
    readonly refinements: number;
}

/** Milliseconds that each stage took. */
export interface StageTimings {
    readonly linearize: number;
    readonly encode: number;
    readonly automorphisms: number;
    readonly group: number;
    readonly explain: number;
    readonly total: number;
}

/** What happens to a place of the model when it is neutralized. */
export type PlaceKind =
    | 'test'
    | 'branch'
    | 'assignment'
    | 'communication'
    | 'value'
    | 'start'
    | 'instances'
    | 'range'
    | 'capacity'
    | 'order'
    | 'comparison'
    | 'difference';
