/**
 * The results of the detection as plain data, which terminal, editor and JSON print: the JSON document of `orbit
 * symmetry`, with ranges for places in files. Orders and counts of states are decimal digits, because they exceed 2^53.
 */
import type { SourceRange } from '../common/source-range.js';
import type { ReachableEstimate } from '../explore/reachable-estimate.js';

/** The symmetries of a model. */
export interface SymmetryReport {
    /** Exact order of the group found, for the model without its properties. */
    readonly order: string;
    /** The group's name, `C10` or `S5`; `trivial` for the group of order 1. */
    readonly structure: string;
    /** The direct factors of the group, largest first; empty if the search was stopped. */
    readonly factors: readonly FactorReport[];
    readonly generators: readonly GeneratorReport[];
    /** The classes of interchangeable cells, each sorted, single cells included. */
    readonly variableOrbits: readonly (readonly string[])[];
    /** The number of classes of interchangeable literals `variable = value`. */
    readonly literalOrbits: number;
    /** Deadlock first, if it is checked, then the invariants, then the temporal properties, in the order of the text. */
    readonly properties: readonly PropertyReport[];
    /** Absent for a model in which nothing is fair and nothing assumed. */
    readonly fairness?: FairnessReport;
    /** The group that keeps all properties, alike ones as a set. */
    readonly explored: NamedGroup;
    /**
     * Of the steps, whose symmetries need not map initial states to initial states: all of them, and those that keep all
     * properties, which a reduced exploration uses. Absent if all of them keep the start: then it uses `explored`.
     */
    readonly steps?: NamedGroup & { readonly explored: NamedGroup };
    readonly graph: { readonly vertices: number; readonly edges: number };
    /** False if a budget ended the search or something is held fixed: the group may be a subgroup. */
    readonly complete: boolean;
    /** Parts of the model that are held fixed because they are too large, so that symmetries may be lost; absent if none. */
    readonly heldFixed?: readonly HeldFixedReport[];
    /** The generators passed a check on states of the model, by code that shares nothing with the search. */
    readonly verified: boolean;
    /** A generator failed this check, which is a defect of Orbit: no symmetries are reported. */
    readonly refuted: boolean;
    readonly broken: readonly BrokenSymmetry[];
    /** Other missing symmetries, and why no places are named: ``instances of `P`: the search …``. Absent if there are none. */
    readonly unexplained?: readonly string[];
    /** The assertions of the model about its symmetries, in the order of the text. */
    readonly assertions: readonly AssertionReport[];
    /** The suggestions of declarations, and why there is not more; absent if not requested, empty if not known. */
    readonly why?: readonly SuggestionReport[];
    /** The limit came first: factors, roles, orbit counts and names other than orders may be missing. Else absent. */
    readonly undescribed?: true;
    /** The number of states in which each cell holds any value that can occur in it. */
    readonly potentialStates: string;
    /** The number of orbits of potential states; absent if counting them would take too long. */
    readonly potentialOrbits?: string;
    /** The reason why they were not counted, as a clause: `the group has too many elements …` */
    readonly potentialOrbitsMissing?: string;
    /** Up to which one numbers without end are considered: with more of them no step is different. Absent if there are none. */
    readonly numbersUpTo?: number;
    /** An estimate by random walks of the reachable states for each orbit under `explored`. Absent with `steps`. */
    readonly reachable?: ReachableEstimate;
    /** The processes whose instances are created; absent if there are none. */
    readonly templates?: readonly TemplateReport[];
    /** The order without what exchanges instances that are created; absent without templates. */
    readonly staticOrder?: string;
    readonly families: readonly FamilyReport[];
    readonly variables: readonly VariableReport[];
    readonly types: readonly TypeReport[];
    readonly work: WorkCounts;
    /** By the clock that was passed in. */
    readonly timings: StageTimings;
}

/** A group by its structure, such as `S3 wr C2`, and its order. */
export interface NamedGroup {
    readonly order: string;
    readonly structure: string;
}

/** A part of the group that acts independently of the other parts. */
export interface FactorReport {
    /** `S3 wr C2` */
    readonly structure: string;
    readonly order: string;
    /** ``the 9 instances of `P` are interchangeable`` */
    readonly permutes: string;
    /** The families, variables, channels and locals (`P.k`) that it moves in part, in the order of the text. */
    readonly moves: readonly string[];
    /** Absent for an action that has no simple picture. */
    readonly picture?: FactorPicture;
    /** The number of a generator of the whole group, from 0 on, that belongs to this factor alone, if there is one. */
    readonly example?: number;
}

/** The parts of a picture of an action on members. */
export interface FactorPicture {
    /** `groups`: those of a group are interchangeable, and so are the groups; `pairs`: all are exchanged at once. */
    readonly kind: 'interchangeable' | 'ring' | 'mirrored-ring' | 'groups' | 'pairs';
    /** Their names: in the order of the ring, or a list for each group and pair, else in one list. */
    readonly members: readonly (readonly string[])[];
    /** The variable or type whose values they are; absent for instances, processes and cells. */
    readonly valuesOf?: string;
}

/** A generator of the group, in words and by literals. */
export interface GeneratorReport {
    /** Cycle notation on instances, then cells that move apart from them, then literals: `(P[0] P[1])(last[1]=0 last[1]=1)`. */
    readonly cycles: string;
    /** One entry for each literal that moves: `flag[1]=0 -> flag[0]=0`. */
    readonly moves: readonly string[];
}

/** The symmetries that a property keeps. */
export interface PropertyReport {
    readonly name: string;
    readonly kind: 'deadlock' | 'invariant' | 'property';
    /** The subgroup that keeps the property's truth; of a temporal property, the set of its members, and fairness. */
    readonly order: string;
    readonly structure: string;
    /** The name in its declaration; absent for deadlock. */
    readonly range?: SourceRange;
    /** The invariants that `explored` exchanges with this one, which is the first of them. Absent if there are none. */
    readonly alike?: AlikeReport;
    /** The first one of those that `explored` exchanges with this one. */
    readonly alikeTo?: string;
    /** If it keeps fewer symmetries than the model has and is alone: the conditions that cost them, if they were found. */
    readonly cost?: PropertyCost;
    /** Of a temporal property. */
    readonly runs?: MembersReport;
}

/** The members of a temporal property, one for each valuation of its outer `forall`: one of each orbit is checked. */
export interface MembersReport {
    readonly members: number;
    /** Under the symmetries that keep the set of the members; absent if a limit came first. */
    readonly orbits?: number;
    /** The symmetries that keep the first member, for its search; absent if a limit came first, or without members. */
    readonly stabilizer?: { readonly order: string; readonly structure: string };
    /** A member is about an instance of a process, which the value of its only binder names. */
    readonly areProcesses?: true;
}

/** The statements of the model about fair runs: `fair`, `strong fair` and `assume`. */
export interface FairnessReport {
    readonly constraints: number;
    /** Absent if a limit came first. */
    readonly orbits?: number;
    /** The symmetries of the model that map constraints onto constraints; absent if a limit came first. */
    readonly keeps?: { readonly order: string; readonly structure: string };
    readonly places: readonly FairPlaceReport[];
    /** If `keeps` has fewer symmetries than the model: the constraints that cost them, if they were found. */
    readonly cost?: PropertyCost;
}

/** The constraints of a process, a label, an event or an assumption. */
export interface FairPlaceReport {
    /** Its name in the declaration. */
    readonly range: SourceRange;
    readonly constraints: number;
    /** Absent if a limit came first. */
    readonly orbits?: number;
}

/** Invariants that are one property: symmetries map each onto each, and an exploration only has to keep the set. */
export interface AlikeReport {
    /** In the order of the text. */
    readonly names: readonly string[];
    /** The subgroup that keeps the set. */
    readonly order: string;
    readonly structure: string;
}

/** A part of the model that is too large to be compared with its image, and the cells that are not moved for it. */
export interface HeldFixedReport {
    /** `` `lend` of `Bank` is too large to be compared, so nothing that it touches may move `` */
    readonly message: string;
    /** The step, the condition, the initial value or the name of the variable. */
    readonly range: SourceRange;
    /** The cells that are held fixed: `held[0]`; without those that hold no value between steps. */
    readonly cells: readonly string[];
}

/** The parts of a property without which it would keep all symmetries of the model; checked by trying. */
export interface PropertyCost {
    /** `P[0] at critical` pins P[0]: S5 becomes S4, 24 of 120 symmetries remain */
    readonly message: string;
    readonly locations: readonly PlaceReport[];
}

/** A place of the text, and the text there. */
export interface PlaceReport {
    readonly range: SourceRange;
    readonly text: string;
    /** The meant part of it, if not all: `the order of`. */
    readonly aspect?: string;
    /** Of a place in a step or a declaration. */
    readonly kind?: PlaceKind;
}

/** A part of the model without a counterpart under a missing symmetry. */
export interface CounterpartReport {
    readonly range: SourceRange;
    /** `P[1]` has no counterpart of this step of `P[0]` */
    readonly message: string;
}

/** Edits of the text that restore a missing symmetry; checked on the model. */
export interface RepairReport {
    /** Let `first` start with any value */
    readonly title: string;
    readonly edits: readonly EditReport[];
}

/** New text for a place. */
export interface EditReport {
    readonly range: SourceRange;
    readonly newText: string;
}

/** A symmetry that a declaration suggests and the model does not have. */
export interface BrokenSymmetry {
    /** The group the declaration suggests on its members, `S5`, and the group found on them. */
    readonly expected: string;
    readonly found: string;
    /** Its members: `instances of P` or `processes A and B`. */
    readonly subject: string;
    /** The order of `expected` divided by the order of `found`. */
    readonly index: number;
    /** The smallest set of places found without which the symmetry is there; checked on the model. */
    readonly locations: readonly PlaceReport[];
    /** Steps without a counterpart because of them, and values that only some variables can have. */
    readonly counterparts: readonly CounterpartReport[];
    readonly repairs: readonly RepairReport[];
    readonly message: string;
    /** The declaration that suggests it. */
    readonly declaration: SourceRange;
    /** The places order the values of a type, compute with them, or look them up in a table: this is meant. */
    readonly isIntended?: true;
}

/** An `assert symmetric` of the model and its verdict. */
export interface AssertionReport {
    /** As the model states it. */
    readonly text: string;
    readonly range: SourceRange;
    readonly verdict: 'holds' | 'fails' | 'undecided';
    /** The symmetries that were found and, if it fails, the places that stand against it. */
    readonly message: string;
    /** If it fails: places without which it would hold, if they were found; checked on the model. */
    readonly locations: readonly PlaceReport[];
    readonly counterparts: readonly CounterpartReport[];
    readonly repairs: readonly RepairReport[];
}

/** The symmetries that a declaration suggests, those that were found, and why not more. */
export interface SuggestionReport {
    /** ``instances of `P` ``, ``values of `Color` ``, ``ring of `Agent` ``. */
    readonly subject: string;
    readonly suggests: string;
    readonly found: string;
    readonly isAll: boolean;
    readonly message: string;
    /** Places without which there would be more, if they were found; checked on the model. */
    readonly locations: readonly PlaceReport[];
}

/** A process family and the action of the group on its instances. */
export interface FamilyReport {
    readonly name: string;
    readonly range: SourceRange;
    readonly instances: number;
    /** The classes of interchangeable instances. */
    readonly orbits: readonly (readonly string[])[];
    /** The group of this action: `S5`, `C5`, `trivial`. */
    readonly structure: string;
    /** The order of this group; 0 if the limit was reached before it was known. */
    readonly order: string;
}

/** A process whose instances are created. */
export interface TemplateReport {
    readonly name: string;
    readonly range: SourceRange;
    /** How many of its instances were considered. */
    readonly slots: number;
    /** Of a type whose values have no end: so many of them have names in the text, and are not exchanged with others. */
    readonly named?: number;
    readonly interchangeable: boolean;
    /** Where the text creates instances of it, or makes or chooses such values. */
    readonly createdAt: readonly SourceRange[];
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
    /** The action of the group on the values; absent if it fixes them, or is not the same everywhere. */
    readonly action?: {
        readonly structure: string;
        readonly order: string;
        /** The numbers of values in the classes of interchangeable values, largest first; 1 for a value that is not moved. */
        readonly orbitSizes: readonly number[];
    };
}

/** Counts of work; they do not depend on the machine. */
export interface WorkCounts {
    readonly literals: number;
    readonly summands: number;
    /** Summands and conditions whose constraints were known, from an equal one or from an earlier analysis. */
    readonly fragmentsReused: number;
    /** Those whose constraints were encoded. */
    readonly fragmentsEncoded: number;
    /** Searches for automorphisms, and their work in sum. None if the constraints did not change. */
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

/** The kind of a place, which determines what happens when it is neutralized (engine/explain/neutralize.ts). */
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
