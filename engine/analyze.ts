/** The analysis of a model: its symmetries, what they are, and what stands against others. */
import { AnalysisMemory } from './analysis-memory.js';
import { certify } from './certify-by-running.js';
import { invariant } from './common/assert.js';
import type { Problem } from './common/problem.js';
import type { WorkLimit } from './common/work-limit.js';
import type { ConstraintProblem } from './constraints/constraint-problem.js';
import type { Encoding } from './constraints/encode.js';
import type { KnownValues } from './constraints/dead-steps.js';
import { estimateReduction } from './explore/reachable-estimate.js';
import type { Model } from './model/model.js';
import { linearize } from './sequential/linearize.js';
import type { SequentialModel } from './sequential/sequential-model.js';
import { decideAssertions } from './explain/assertions.js';
import { suggestCandidates } from './symmetry/declared-action.js';
import type { CertificateResult } from './symmetry/certify.js';
import { constraintsOf } from './symmetry/constraints.js';
import { detectSymmetries } from './symmetry/detect.js';
import { explainBroken } from './explain/explain.js';
import { structureOf } from './describe/factors.js';
import type { GraphEncoding } from './symmetry/graph-encoding.js';
import { detectGroups, knownGroups, type Groups } from './symmetry/groups.js';
import { describeTooLarge } from './describe/too-large.js';
import { literalPoints, type ModelGroup } from './symmetry/model-symmetry.js';
import { placesOf } from './explain/neutralize.js';
import { NO_TEXT, type TextOfRange } from './explain/places.js';
import { placesOfInvariant, withCosts } from './explain/property-cost.js';
import type { SymmetryReport, WorkCounts } from './describe/report.js';
import { isComplete, isSearched, summarize, type Findings, type Summary } from './describe/summarize.js';
import { Trials } from './explain/trials.js';
import { explainSuggestions } from './explain/why.js';

/** How symmetries are searched for. */
export interface SearchOptions {
    /** Milliseconds on any monotonic clock, for the timings. */
    readonly now: () => number;
    /** When it is exhausted the search stops with a subgroup, and what is not yet explained stays so. */
    readonly workLimit: WorkLimit;
}

/** How symmetries are searched for, and what is said of them. */
export interface AnalysisOptions extends SearchOptions {
    /** Whether to look for what breaks symmetries that declarations suggest. */
    readonly explain?: boolean;
    /** Whether to say of each declaration why there is not more than was found. */
    readonly why?: boolean;
    /** For explanations that quote the text; without it they quote the model, with the values of constants. */
    readonly textOf?: TextOfRange;
    /** What is left of earlier analyses of the same text, to save work; the analysis adds to it. */
    readonly memory?: AnalysisMemory;
    /**
     * Told what was found before it is explained, which may take longer than the search: a report with nothing in it of
     * what breaks symmetries, what came of assertions, what properties cost and what is reachable. Not called where all of
     * it is known already.
     */
    readonly onFound?: (report: SymmetryReport) => void;
}

/** What comes of a model; without errors it has a sequential model and symmetries. */
export interface Searched<Symmetries = FoundSymmetries> {
    readonly model: Model;
    readonly problems: readonly Problem[];
    /** Absent where a problem is an error. */
    readonly sequential?: SequentialModel;
    readonly symmetry?: Symmetries;
}

/** A model with its symmetries and all that is said of them. */
export type Analysis = Searched<SymmetryAnalysis>;

/** With all that can be said of them. */
export interface SymmetryAnalysis extends FoundSymmetries {
    readonly report: SymmetryReport;
}

/** What an exploration needs. */
export interface FoundSymmetries {
    /** As in the report. */
    readonly complete: boolean;
    readonly verified: boolean;
    readonly refuted: boolean;
    /** All symmetries of the model. */
    readonly group: ModelGroup;
    /** Those that keep the truth of everything that is checked, and what a deadlock is. */
    readonly explorationGroup: ModelGroup;
    /** Those that keep the truth of one property; the same order as `report.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    /** The graph of the model without properties, and what its vertices stand for. */
    readonly encoding: GraphEncoding;
    readonly constraints: ConstraintProblem;
    /** Which values can occur where, for who looks at the steps of the model; absent where that is not known. */
    readonly values?: KnownValues;
}

/** Linearizes the model and finds its symmetries, of which nothing is said: that may take longer than to find them. */
export function findSymmetries(given: Model, options: SearchOptions): Searched {
    const { model, problems, found } = search(given, options, new AnalysisMemory());
    return found === undefined
        ? { model, problems }
        : { model, problems, sequential: found.sequential, symmetry: found.symmetry };
}

/** What there is to say of symmetries in a line, and what an exit code tells. */
export type NamedSymmetries = Pick<
    SymmetryReport,
    'structure' | 'order' | 'complete' | 'heldFixed' | 'verified' | 'refuted' | 'assertions'
>;

/** The same as `analyze` says of all symmetries together, and nothing else, which would take longer than to find them. */
export function nameSymmetries(given: Model, options: SearchOptions): Searched<NamedSymmetries> {
    const { model, problems, found } = search(given, options, new AnalysisMemory());
    if (found === undefined) {
        return { model, problems };
    }
    const { findings, groups, symmetry } = found;
    const { workLimit } = options;
    const heldFixed = describeTooLarge(model, findings.problem);
    return {
        model,
        problems,
        sequential: found.sequential,
        symmetry: {
            structure: structureOf(symmetry.group, workLimit),
            order: symmetry.group.order.toString(),
            complete: symmetry.complete,
            ...(heldFixed.length > 0 && { heldFixed }),
            verified: symmetry.verified,
            refuted: symmetry.refuted,
            assertions: decideAssertions(model, groups.detection.encoding, {
                isTrusted: isTrusted(findings),
                limit: workLimit,
            }),
        },
    };
}

/** The group was found whole, and its generators stood the check on states. */
function isTrusted({ detection, verified }: Findings): boolean {
    return detection.group.complete && verified;
}

/**
 * Finds the symmetries and says what they are. The same model gives the same analysis, but for the timings, the counts of
 * work and what analysis-memory.ts says.
 */
export function analyze(given: Model, options: AnalysisOptions): Analysis {
    const { memory = new AnalysisMemory() } = options;
    const { model, problems, found } = search(given, options, memory);
    return found === undefined
        ? { model, problems }
        : {
              model,
              problems,
              sequential: found.sequential,
              symmetry: { ...found.symmetry, report: reportOf(found, options, memory) },
          };
}

/** What was found, and what is needed to report it. */
interface Found {
    readonly sequential: SequentialModel;
    readonly symmetry: FoundSymmetries;
    readonly constraints: Encoding;
    /** As they were found, trusted or not. */
    readonly groups: Groups;
    readonly certificate: CertificateResult['kind'];
    readonly findings: Findings;
    /** The model does what the last one does, which had been analyzed to the end. */
    readonly isAgain: boolean;
    /** The report of the last model, where the same is to be said of this one. */
    readonly known?: SymmetryReport;
    /** When each stage was over. */
    readonly times: {
        readonly start: number;
        readonly linearized: number;
        readonly encoded: number;
        readonly detected: number;
    };
}

function search(
    given: Model,
    options: AnalysisOptions,
    memory: AnalysisMemory,
): Pick<Searched, 'model' | 'problems'> & { readonly found?: Found } {
    const { now, workLimit } = options;
    const { last } = memory;
    const start = now();
    const model = memory.withKnownDeclarations(given);
    const { sequential, problems } = linearize(model, memory.linearization);
    if (sequential === undefined) {
        return { model, problems };
    }
    const linearized = now();
    const constraints = constraintsOf(sequential, workLimit, memory.fragments, last?.constraints);
    const isQuotedNow = last?.quoted.join() === (last && quotedTexts(last.report, model, options.textOf).join());
    const known =
        constraints.isKnown && isQuotedNow
            ? memory.reportAtMovedPlaces(model, sequential, wishesOf(options))
            : undefined;
    const { problem } = constraints;
    const encoded = now();
    const points = literalPoints(problem);
    const candidates =
        known === undefined
            ? (memory.candidatesOf(model, sequential, points) ?? suggestCandidates(model, sequential, points))
            : [];
    const suggested = candidates.map(({ permutation }) => permutation).filter(({ points }) => points.length > 0);
    const knownHere = last && knownGroups(last.groups, problem);
    const groups = knownHere ?? memory.withKnownObjects(detectGroups(problem, suggested, workLimit));
    const detected = now();
    const isAgain = constraints.isKnown && knownHere !== undefined && last?.isWhole === true;
    const certificate = isAgain ? last.certificate : certify(sequential, groups.detection.group, workLimit);
    const verified = certificate === 'agrees';
    const refuted = certificate === 'refuted';
    const trusted = refuted ? withoutSymmetry(groups) : groups;
    const { detection, explorationGroup, propertyGroups } = trusted;
    const findings = { model, problem, candidates, ...trusted, verified };
    return {
        model,
        problems,
        found: {
            sequential,
            symmetry: {
                complete: isComplete(findings),
                verified,
                refuted,
                group: detection.group,
                explorationGroup,
                propertyGroups,
                encoding: detection.encoding,
                constraints: problem,
                ...(constraints.reachable !== undefined && {
                    values: { placed: constraints.placed, reachable: constraints.reachable },
                }),
            },
            constraints,
            groups,
            certificate,
            findings,
            isAgain,
            ...(known !== undefined && { known }),
            times: { start, linearized, encoded, detected },
        },
    };
}

/** What is asked for besides the model. */
function wishesOf({ explain: explains, why }: AnalysisOptions): string {
    return JSON.stringify([explains, why]);
}

function reportOf(found: Found, options: AnalysisOptions, memory: AnalysisMemory): SymmetryReport {
    const { sequential, constraints, groups, certificate, findings, isAgain, known, times } = found;
    const { refuted, verified } = found.symmetry;
    const { model } = findings;
    const { now, workLimit } = options;
    const { last } = memory;
    const wishes = wishesOf(options);
    const summary = known ?? memory.summaryOf(findings) ?? summarize(findings, workLimit);
    const summarized = now();
    const work = workOf(constraints, groups);
    const timings = {
        linearize: times.linearized - times.start,
        encode: times.encoded - times.linearized,
        automorphisms: times.detected - times.encoded,
        group: summarized - times.detected,
        explain: 0,
        total: summarized - times.start,
    };
    if (known === undefined) {
        options.onFound?.({ ...summary, broken: [], assertions: [], refuted, work, timings });
    }
    const reachable = isAgain && last?.wishes === wishes ? { estimate: last.report.reachable } : undefined;
    const explained = known ?? explain(summary, findings, groups, options, memory, reachable);
    const end = now();
    const report: SymmetryReport = {
        ...summary,
        ...explained,
        refuted,
        work,
        timings: { ...timings, explain: end - summarized, total: end - times.start },
    };
    const isWhole = verified && isSearched(findings) && !workLimit.isExhausted();
    const described = known === undefined || last === undefined ? { findings, summary } : last.described;
    const quoted = quotedTexts(report, model, options.textOf);
    memory.remember({
        model,
        sequential,
        constraints,
        groups,
        certificate,
        report,
        described,
        wishes,
        quoted,
        isWhole,
    });
    return report;
}

/** What stands against symmetries: of declarations, of assertions and of properties. */
function explain(
    summary: Summary,
    findings: Findings,
    groups: Groups,
    { workLimit, ...options }: AnalysisOptions,
    { fragments }: AnalysisMemory,
    /** The same as of the last model. */
    known?: { readonly estimate: SymmetryReport['reachable'] },
): Pick<SymmetryReport, 'properties' | 'broken' | 'unexplained' | 'assertions' | 'why' | 'reachable'> {
    const { model, problem, verified } = findings;
    // A search that was stopped proves nothing about what is missing.
    const explains = options.explain !== false && isSearched(findings) && verified;
    const { encoding } = groups.detection;
    const textOf = options.textOf ?? NO_TEXT;
    const whole = { model, encoding };
    const trials = explains ? new Trials(whole, textOf, workLimit, fragments) : undefined;
    const assertions = decideAssertions(model, encoding, {
        isTrusted: isTrusted(findings),
        ...(trials !== undefined && { trials }),
        limit: workLimit,
    });
    const { broken, unexplained } =
        trials === undefined
            ? { broken: [], unexplained: [] }
            : explainBroken(whole, trials, summary.families, groups.detection.automorphisms, workLimit);
    const properties = explains
        ? withCosts(model, summary, groups.detection, groups.propertyGroups, textOf, workLimit)
        : summary.properties;
    const why = trials === undefined || options.why !== true ? [] : explainSuggestions(whole, trials, workLimit);
    const estimate = (): SymmetryReport['reachable'] =>
        estimateReduction(problem.sequential, groups.explorationGroup, workLimit);
    const reachable = !explains ? undefined : known === undefined ? estimate() : known.estimate;
    return {
        properties,
        broken,
        ...(unexplained.length > 0 && { unexplained }),
        assertions,
        ...(options.why === true && { why }),
        ...(reachable !== undefined && { reachable }),
    };
}

/**
 * What an explanation in the report may quote: words of the text that the model does not have, names of constants for
 * example. Nothing where it explains nothing.
 */
function quotedTexts(
    { broken, assertions, properties, why = [] }: SymmetryReport,
    model: Model,
    textOf: TextOfRange = NO_TEXT,
): string[] {
    const explained = [...broken, ...assertions, ...why, ...properties.flatMap(({ cost }) => cost ?? [])];
    return explained.every(({ locations }) => locations.length === 0)
        ? []
        : [
              ...placesOf(model, textOf),
              ...model.invariants.flatMap((_, invariant) => placesOfInvariant(model, invariant, textOf)),
          ].map(({ text }) => text);
}

function workOf({ problem, counts }: Encoding, { detection, effort }: Groups): WorkCounts {
    const { group } = detection;
    return {
        literals: group.firstPoint[group.cellCount],
        summands: problem.summands.length,
        fragmentsReused: counts.reused,
        fragmentsEncoded: counts.encoded,
        ...effort,
    };
}

/**
 * The report for the symmetries that keep the truth of one property, given by its index in `report.properties`. What
 * breaks symmetry is said of the model, not of the property.
 */
export function reportKeeping(
    { model, sequential, symmetry }: Analysis,
    property: number,
    workLimit: WorkLimit,
): SymmetryReport {
    invariant(sequential !== undefined && symmetry !== undefined, 'only a model without errors has symmetries');
    const { report, constraints, group, propertyGroups, explorationGroup, verified } = symmetry;
    const kept = propertyGroups[property];
    if (kept === group || !verified) {
        return report;
    }
    const candidates = suggestCandidates(model, sequential, literalPoints(constraints));
    const detection = detectSymmetries(constraints, [property], kept.generators, workLimit);
    const findings = { model, problem: constraints, candidates, detection, propertyGroups, explorationGroup };
    return { ...report, ...summarize({ ...findings, verified: true }, workLimit), properties: report.properties };
}

/** A failed certificate is a defect of ours: no reduction is then better than a wrong one. */
function withoutSymmetry({ detection, propertyGroups, effort }: Groups): Groups {
    const trivial: ModelGroup = { ...detection.group, generators: [], order: 1n, complete: false };
    return {
        detection: { ...detection, group: trivial, automorphisms: [] },
        propertyGroups: propertyGroups.map(() => trivial),
        explorationGroup: trivial,
        effort,
    };
}
