/**
 * What an analysis found, as diagnostics: faults that only the instantiated model shows; what breaks a symmetry that a
 * declaration suggests, at the guilty expression (`symmetry/broken`); an assertion about symmetry that does not hold
 * (`symmetry/assertion`); a property that leaves a smaller group to explore
 * with (`symmetry/property`).
 *
 * Positions are carried over from the analyzed text to the text as it is; a place that was edited since is not reported.
 */
import type { LangiumDocument } from 'langium';
import {
    type Diagnostic,
    type DiagnosticRelatedInformation,
    DiagnosticSeverity,
    type Range,
} from 'vscode-languageserver';
import { unreachable } from '../../engine/common/assert.js';
import type { Problem, Severity } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { SymmetryReport } from '../../engine/symmetry/report.js';
import type { FinishedAnalysis } from '../analysis/analysis-service.js';
import { createRangeShift } from '../analysis/text-shift.js';
import { withoutIgnored } from '../validation/ignored.js';
import type { DiagnosticLevel, OrbitSettings } from './settings.js';
import { formatProperty } from './wording.js';

const BROKEN_SYMMETRY_CODE = 'symmetry/broken';
const ASSERTION_CODE = 'symmetry/assertion';
const REDUCING_PROPERTY_CODE = 'symmetry/property';

/** The diagnostics of an analysis for the text of `document` as it is now. */
export function analysisDiagnostics(
    analysis: FinishedAnalysis,
    document: LangiumDocument,
    settings: OrbitSettings,
): Diagnostic[] {
    const { report, problems, advice = [] } = analysis.outcome;
    const shift = createRangeShift(analysis.text, document.textDocument);
    const own = document.uri.toString();
    const found = [...problems, ...advice].filter(({ range }) => range.uri === own);
    return [
        ...withoutIgnored(found, () => analysis.text.getText()).flatMap(problem => problemDiagnostic(problem, shift)),
        ...(report === undefined
            ? []
            : [
                  ...assertionDiagnostics(report, shift),
                  ...brokenDiagnostics(report, severityOf(settings.brokenSymmetry), shift),
                  ...propertyDiagnostics(report, severityOf(settings.reducingProperty), shift),
              ]),
    ];
}

type Shift = (range: SourceRange) => Range | undefined;

function problemDiagnostic(problem: Problem, shift: Shift): Diagnostic[] {
    const range = shift(problem.range);
    const related = (problem.related ?? []).map(other => relatedInformation(other.range, other.message, shift));
    return toDiagnostic(range, severityOf(problem.severity), problem.code, problem.message, related);
}

/** One for each guilty place; the declaration and the other places are related to it. */
function brokenDiagnostics(
    report: SymmetryReport,
    severity: DiagnosticSeverity | undefined,
    shift: Shift,
): Diagnostic[] {
    return report.broken.flatMap(broken => {
        const suggests = `suggests ${broken.expected} on the ${broken.subject}`;
        const declaration = relatedInformation(broken.declaration, suggests, shift);
        if (broken.locations.length === 0) {
            return toDiagnostic(shift(broken.declaration), severity, BROKEN_SYMMETRY_CODE, broken.message, []);
        }
        return broken.locations.flatMap(({ range }) => {
            const others = broken.locations
                .filter(other => other.range !== range)
                .map(other => relatedInformation(other.range, `together with \`${other.text}\``, shift));
            const related = [declaration, ...others];
            return toDiagnostic(shift(range), severity, BROKEN_SYMMETRY_CODE, broken.message, related);
        });
    });
}

/** The model states it, so there is no setting for it. */
function assertionDiagnostics(report: SymmetryReport, shift: Shift): Diagnostic[] {
    return report.assertions.flatMap(({ range, verdict, message, locations }) => {
        if (verdict === 'holds') {
            return [];
        }
        const severity = verdict === 'fails' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
        const related = locations.map(place =>
            relatedInformation(place.range, `\`${place.text}\` stands against it`, shift),
        );
        return toDiagnostic(shift(range), severity, ASSERTION_CODE, message, related);
    });
}

function propertyDiagnostics(
    report: SymmetryReport,
    severity: DiagnosticSeverity | undefined,
    shift: Shift,
): Diagnostic[] {
    return report.properties.flatMap(property => {
        if (property.range === undefined || property.order === report.order) {
            return [];
        }
        const { name, range, cost } = property;
        const keeps = `\`${name}\` ${formatProperty(property, report)}; exploring with it uses only those`;
        const message = cost === undefined ? keeps : `${keeps}: ${cost.message}`;
        const related = (cost?.locations ?? []).map(place =>
            relatedInformation(place.range, `\`${place.text}\` costs symmetries`, shift),
        );
        return toDiagnostic(shift(range), severity, REDUCING_PROPERTY_CODE, message, related);
    });
}

function relatedInformation(
    range: SourceRange,
    message: string,
    shift: Shift,
): DiagnosticRelatedInformation | undefined {
    const shifted = shift(range);
    if (shifted === undefined) {
        return undefined;
    }
    const { start, end } = shifted;
    return { location: { uri: range.uri, range: { start, end } }, message };
}

/** Empty where the setting or an edit takes the diagnostic away. */
function toDiagnostic(
    range: Range | undefined,
    severity: DiagnosticSeverity | undefined,
    code: string,
    message: string,
    related: readonly (DiagnosticRelatedInformation | undefined)[],
): Diagnostic[] {
    if (range === undefined || severity === undefined) {
        return [];
    }
    const { start, end } = range;
    const relatedInformation = related.filter(information => information !== undefined);
    return [{ range: { start, end }, severity, code, message, source: 'orbit', relatedInformation }];
}

export function severityOf(level: DiagnosticLevel | Severity): DiagnosticSeverity | undefined {
    switch (level) {
        case 'off':
            return undefined;
        case 'hint':
            return DiagnosticSeverity.Hint;
        case 'information':
            return DiagnosticSeverity.Information;
        case 'warning':
            return DiagnosticSeverity.Warning;
        case 'error':
            return DiagnosticSeverity.Error;
        default:
            return unreachable(level);
    }
}
