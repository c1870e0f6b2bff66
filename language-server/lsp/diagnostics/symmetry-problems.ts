/**
 * The results of an analysis as problems at their places: broken suggestions, failed assertions, properties that keep
 * fewer symmetries, and parts that are too large to be compared.
 */
import type { Problem, RelatedLocation } from '../../../engine/common/problem.js';
import type { SourceRange } from '../../../engine/common/source-range.js';
import { quotePlace } from '../../../engine/explain/places.js';
import type {
    BrokenSymmetry,
    FairnessReport,
    PropertyCost,
    PropertyReport,
    RepairReport,
    SymmetryReport,
} from '../../../engine/describe/report.js';
import { formatKeeps, formatKept } from '../../../engine/describe/words.js';
import { withoutIgnored } from '../../../language/problems/ignored.js';

/** A problem, and edits without which it would not be there. */
export interface SymmetryProblem extends Problem {
    readonly repairs: readonly RepairReport[];
    /** All places of its cause; a comment at any of them says that it is meant. */
    readonly places: readonly SourceRange[];
}

export const BROKEN_SYMMETRY_CODE = 'symmetry/broken';
const ASSERTION_CODE = 'symmetry/assertion';
export const REDUCING_PROPERTY_CODE = 'symmetry/property';
export const HELD_FIXED_CODE = 'symmetry/held-fixed';
/** A defect of Orbit without a place in the model, so it is not among the problems below. */
export const REFUTED_CODE = 'symmetry/refuted';

/** Assertions, broken symmetries, properties, then parts that are held fixed. */
export function symmetryProblems(report: SymmetryReport): SymmetryProblem[] {
    return [
        ...assertionProblems(report),
        ...report.broken.flatMap(brokenProblems),
        ...report.properties.flatMap(property => propertyProblems(property, report)),
        ...fairnessProblems(report.fairness, report),
        ...(report.heldFixed ?? []).map(({ message, range }): SymmetryProblem => ({
            severity: 'information',
            code: HELD_FIXED_CODE,
            range,
            message,
            related: [],
            repairs: [],
            places: [range],
        })),
    ];
}

/** One problem, at the first guilty place, related to the other places, the missing counterparts and the declaration. */
function brokenProblems(broken: BrokenSymmetry): SymmetryProblem[] {
    const { expected, subject, locations, counterparts, declaration, message, repairs } = broken;
    const suggests = { range: declaration, message: `suggests ${expected} on the ${subject}` };
    const places = locations.map(({ range }) => range);
    const others = locations.slice(1).map((other): RelatedLocation => ({
        range: other.range,
        message: `together with ${quotePlace(other)}`,
    }));
    const related = [...others, ...counterparts, suggests];
    return places.slice(0, 1).map(range => ({
        severity: 'information',
        code: BROKEN_SYMMETRY_CODE,
        range,
        message,
        related,
        repairs,
        places,
    }));
}

/** The broken symmetries of which no place says that it is meant: `// orbit-ignore symmetry/broken`. */
export function withoutMeant(
    broken: readonly BrokenSymmetry[],
    textOf: (uri: string) => string | undefined,
): BrokenSymmetry[] {
    return broken.filter(each => brokenProblems(each).every(problem => !isMeant(problem, textOf)));
}

/** Whether a comment at one of the places ignores the problem. */
export function isMeant(problem: SymmetryProblem, textOf: (uri: string) => string | undefined): boolean {
    const at = problem.places.map(range => ({ ...problem, range }));
    return withoutIgnored(at, textOf).length < at.length;
}

/** The model states an assertion, so a failed one is an error. */
function assertionProblems({ assertions }: SymmetryReport): SymmetryProblem[] {
    return assertions.flatMap(({ range, verdict, message, locations, counterparts, repairs }): SymmetryProblem[] => {
        if (verdict === 'holds') {
            return [];
        }
        const severity = verdict === 'fails' ? 'error' : 'warning';
        const places = locations.map(place => ({
            range: place.range,
            message: `${quotePlace(place)} stands against it`,
        }));
        const related = [...places, ...counterparts];
        return [{ severity, code: ASSERTION_CODE, range, message, related, repairs, places: [range] }];
    });
}

function propertyProblems(property: PropertyReport, report: SymmetryReport): SymmetryProblem[] {
    const { name, range, cost, alike, alikeTo, kind, runs } = property;
    // Of properties that symmetries exchange, the set is what keeps symmetries; the first one speaks for it.
    const { order } = alike ?? property;
    // What fairness costs is said of fairness.
    const most = (kind === 'property' ? report.fairness?.keeps?.order : undefined) ?? report.order;
    const isKnown = kind !== 'property' || runs?.orbits !== undefined;
    // If a limit ended the search, the property may keep more symmetries than were found.
    if (range === undefined || alikeTo !== undefined || order === most || !report.complete || !isKnown) {
        return [];
    }
    const keeps = `\`${name}\` ${formatKeeps(property, report)}; exploring with it uses only those`;
    return [costlyProblem(range, keeps, cost)];
}

/** At the first constraint that costs symmetries, if there is a property that is checked with only those that are left. */
function fairnessProblems(fairness: FairnessReport | undefined, report: SymmetryReport): SymmetryProblem[] {
    const { keeps, cost } = fairness ?? {};
    const [first] = cost?.locations ?? [];
    if (keeps === undefined || first === undefined || !report.complete) {
        return [];
    }
    const message = `fairness ${formatKept(keeps, report)}; properties of runs are checked with only those`;
    return report.properties.some(({ kind }) => kind === 'property') ? [costlyProblem(first.range, message, cost)] : [];
}

function costlyProblem(range: SourceRange, message: string, cost: PropertyCost | undefined): SymmetryProblem {
    const related = (cost?.locations ?? [])
        .filter(place => place.range !== range)
        .map(place => ({ range: place.range, message: `${quotePlace(place)} costs symmetries` }));
    return {
        severity: 'information',
        code: REDUCING_PROPERTY_CODE,
        range,
        message: cost === undefined ? message : `${message}: ${cost.message}`,
        related,
        repairs: [],
        places: [range],
    };
}
