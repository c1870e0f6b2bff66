/**
 * What an analysis found, as diagnostics: faults that only the instantiated model shows, and what there is to say of
 * its symmetries (symmetry-problems.ts).
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
import type { FinishedAnalysis } from '../analysis/analysis-service.js';
import { createRangeShift } from '../analysis/text-shift.js';
import { withoutIgnored } from '../validation/ignored.js';
import type { DiagnosticLevel, OrbitSettings } from './settings.js';
import { headerRange } from './declarations.js';
import {
    BROKEN_SYMMETRY_CODE,
    HELD_FIXED_CODE,
    REDUCING_PROPERTY_CODE,
    REFUTED_CODE,
    symmetryProblems,
    type SymmetryProblem,
} from './symmetry-problems.js';
import type { DiagnosticData, OfferedFix } from './offered-fixes.js';
import { REFUTED } from './wording.js';

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
        ...(report?.refuted === true ? [refutation(document)] : []),
        ...withoutIgnored(found, () => analysis.text.getText()).flatMap(problem => problemDiagnostic(problem, shift)),
        ...(report === undefined
            ? []
            : symmetryProblems(report).flatMap(problem => symmetryDiagnostic(problem, settings, shift))),
    ];
}

/** At the model's name; there is no place of the text that is to blame. */
function refutation(document: LangiumDocument): Diagnostic {
    const { start, end } = headerRange(document.parseResult.value);
    return {
        range: { start, end },
        severity: DiagnosticSeverity.Error,
        code: REFUTED_CODE,
        message: REFUTED,
        source: 'orbit',
    };
}

function symmetryDiagnostic(problem: SymmetryProblem, settings: OrbitSettings, shift: Shift): Diagnostic[] {
    const fixes = problem.repairs.flatMap(({ title, edits }): OfferedFix[] => {
        const shifted = edits.map(({ range, newText }) => ({ uri: range.uri, range: shift(range), newText }));
        return shifted.every((edit): edit is OfferedFix['edits'][number] => edit.range !== undefined)
            ? [{ title, edits: shifted }]
            : [];
    });
    const data: DiagnosticData | undefined = fixes.length === 0 ? undefined : { fixes };
    return problemDiagnostic(problem, shift).flatMap(diagnostic => {
        const severity = severityIn(settings, problem);
        return severity === undefined ? [] : [{ ...diagnostic, severity, ...(data && { data }) }];
    });
}

/** What the model states is decided by the model, what it suggests is reported as the settings say. */
function severityIn(settings: OrbitSettings, { code, severity }: Problem): DiagnosticSeverity | undefined {
    switch (code) {
        case BROKEN_SYMMETRY_CODE:
        case HELD_FIXED_CODE:
            return severityOf(settings.brokenSymmetry);
        case REDUCING_PROPERTY_CODE:
            return severityOf(settings.reducingProperty);
        default:
            return severityOf(severity);
    }
}

type Shift = (range: SourceRange) => Range | undefined;

function problemDiagnostic(problem: Problem, shift: Shift): Diagnostic[] {
    const range = shift(problem.range);
    const related = (problem.related ?? []).map(other => relatedInformation(other.range, other.message, shift));
    return toDiagnostic(range, severityOf(problem.severity), problem.code, problem.message, related);
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
