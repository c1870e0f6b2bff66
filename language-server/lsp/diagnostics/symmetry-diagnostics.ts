/**
 * The results of an analysis as diagnostics: faults of the instantiated model, and symmetry-problems.ts. Positions are
 * mapped to the present text; edited places are not reported. A problem of an imported file stands at the import.
 */
import { URI, UriUtils, type LangiumDocument } from 'langium';
import {
    type Diagnostic,
    type DiagnosticRelatedInformation,
    DiagnosticSeverity,
    type Range,
} from 'vscode-languageserver';
import { unreachable } from '../../../engine/common/assert.js';
import type { Fix, Problem, RelatedLocation, Severity } from '../../../engine/common/problem.js';
import type { SourceRange } from '../../../engine/common/source-range.js';
import type { SymmetryReport } from '../../../engine/describe/report.js';
import type { FinishedAnalysis } from '../../analysis/document-record.js';
import { createRangeShift } from '../../analysis/text-shift.js';
import { rangeOfProperty } from '../../../language/tree/source-text.js';
import { MAY_FAULT_CODE } from '../../../engine/verdict/possible-faults.js';
import { importOf } from '../../../language/validation/imports.js';
import { modelOf } from '../../references/imports.js';
import { withoutIgnored } from '../../../language/problems/ignored.js';
import type { DiagnosticLevel, OrbitSettings } from '../../../engine/options.js';
import { headerRange } from '../providers/declarations.js';
import {
    BROKEN_SYMMETRY_CODE,
    HELD_FIXED_CODE,
    isMeant,
    REDUCING_PROPERTY_CODE,
    REFUTED_CODE,
    symmetryProblems,
    type SymmetryProblem,
} from './symmetry-problems.js';
import { withoutBackticks } from './exploration-diagnostics.js';
import type { DiagnosticData } from './code-action-provider.js';
import { REFUTED } from '../../../engine/describe/words.js';

/** The diagnostics of an analysis for the text of `document` as it is now. */
export function analysisDiagnostics(
    analysis: FinishedAnalysis,
    document: LangiumDocument,
    settings: OrbitSettings,
): Diagnostic[] {
    const { report, problems, advice = [] } = analysis.outcome;
    const levels = { settings, lostFrom: analysis.moreSymmetric?.outcome.report };
    const own = document.uri.toString();
    const shift = createRangeShift(analysis.text, document.textDocument);
    const texts: Texts = { document, shift: range => (range.uri === own ? shift(range) : range) };
    // Advice about an imported file is not given in its importers.
    const isShown = ({ code, range }: Problem): boolean =>
        range.uri === own && (code !== MAY_FAULT_CODE || settings.possibleFaults);
    const found = [...problems, ...advice.filter(isShown)];
    const textOf = (uri: string): string | undefined => (uri === own ? analysis.text.getText() : undefined);
    return [
        ...(report?.refuted === true ? [refutation(document)] : []),
        ...withoutIgnored(found, textOf).flatMap(problem => problemDiagnostic(problem, texts)),
        ...(report === undefined
            ? []
            : symmetryProblems({ ...report, broken: report.broken.filter(broken => broken.isIntended !== true) })
                  .filter(problem => !isMeantNow(problem, texts))
                  .flatMap(problem => symmetryDiagnostic(problem, levels, texts))),
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

/** By the comments of the text as it is now: they change no model, so there may be no analysis after them. */
function isMeantNow(problem: SymmetryProblem, { document, shift }: Texts): boolean {
    const { uri, textDocument } = document;
    const places = problem.places.flatMap((place): SourceRange[] => {
        const now = place.uri === uri.toString() ? shift(place) : undefined;
        return now === undefined ? [] : [{ uri: place.uri, ...now }];
    });
    return isMeant({ ...problem, places }, () => textDocument.getText());
}

function symmetryDiagnostic(problem: SymmetryProblem, levels: Levels, texts: Texts): Diagnostic[] {
    const fixes = problem.repairs.flatMap(({ title, edits }): Fix[] => {
        const shifted = edits.flatMap(({ range, newText }) => {
            const now = texts.shift(range);
            return now === undefined ? [] : [{ range: { uri: range.uri, start: now.start, end: now.end }, newText }];
        });
        return shifted.length === edits.length
            ? [{ title: withoutBackticks(title), edits: shifted, isGuess: true }]
            : [];
    });
    const data: DiagnosticData | undefined = fixes.length === 0 ? undefined : { fixes };
    const plain = {
        ...problem,
        message: withoutBackticks(problem.message),
        related: problem.related?.map(({ message, range }) => ({ message: withoutBackticks(message), range })) ?? [],
    };
    return problemDiagnostic(plain, texts).flatMap(diagnostic => {
        const severity = severityIn(levels, problem);
        return severity === undefined ? [] : [{ ...diagnostic, severity, ...(data && { data }) }];
    });
}

/** The settings that decide how loudly a problem is told. */
interface Levels {
    readonly settings: OrbitSettings;
    /** The symmetries of an earlier text that had more of them. */
    readonly lostFrom: SymmetryReport | undefined;
}

/** A failed statement of the model is always reported; the settings decide about suggestions. */
function severityIn({ settings, lostFrom }: Levels, problem: Problem): DiagnosticSeverity | undefined {
    const { code, severity, message } = problem;
    switch (code) {
        case BROKEN_SYMMETRY_CODE: {
            // An edit has broken it: few would see a hint.
            const isLost = lostFrom !== undefined && !lostFrom.broken.some(broken => broken.message === message);
            return severityOf(isLost && settings.brokenSymmetry === 'hint' ? 'information' : settings.brokenSymmetry);
        }
        case HELD_FIXED_CODE:
            return severityOf(settings.brokenSymmetry);
        case REDUCING_PROPERTY_CODE:
            return severityOf(settings.reducingProperty);
        default:
            return severityOf(severity);
    }
}

interface Texts {
    /** As it is now. */
    readonly document: LangiumDocument;
    /** Carries a place of the analyzed text over to the text as it is now. Places in other files stay. */
    readonly shift: (range: SourceRange) => Range | undefined;
}

function problemDiagnostic(problem: Problem, texts: Texts): Diagnostic[] {
    const { code, message, range, related = [] } = problem;
    const severity = code === MAY_FAULT_CODE ? 'hint' : problem.severity;
    const { document, shift } = texts;
    if (range.uri === document.uri.toString()) {
        const others = related.map(other => relatedInformation(other, texts));
        return toDiagnostic(shift(range), severityOf(severity), code, message, others);
    }
    const model = modelOf(document);
    const node = model && importOf(model, range.uri);
    const place = `\`${UriUtils.basename(URI.parse(range.uri))}\`, line ${range.start.line + 1}: ${message}`;
    const others = [{ range, message }, ...related].map(other => relatedInformation(other, texts));
    return toDiagnostic(node && rangeOfProperty(node, 'path'), severityOf(severity), code, place, others);
}

function relatedInformation(
    { range, message }: RelatedLocation,
    { shift }: Texts,
): DiagnosticRelatedInformation | undefined {
    const shifted = shift(range);
    if (shifted === undefined) {
        return undefined;
    }
    const { start, end } = shifted;
    return { location: { uri: range.uri, range: { start, end } }, message };
}

/** Empty if the setting is `off`, or an edit has removed the place. */
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
