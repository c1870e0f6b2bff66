/**
 * Answers of explorations in the text: violations as errors with their reasons, warnings, and the steps that no run takes
 * as hints. An exploration belongs to one model with its source positions, so after an edit nothing is reported.
 */
import type { LangiumDocument } from 'langium';
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag, type Range } from 'vscode-languageserver';
import { formatUnexpected, isUnexpected } from '../../../engine/describe/meant-words.js';
import { formatViolation } from '../../../engine/describe/words.js';
import type { KnownExploration } from '../../analysis/explorations.js';
import { MODEL_PROPERTY } from '../document-results.js';
import type { DiagnosticData } from './code-action-provider.js';
import type {
    DocumentLocation,
    DocumentProblem,
    ReasonLineDocument,
    UnexpectedDocument,
    UnreachedStepDocument,
} from '../../document-schema.js';
import type { KeptViolation } from '../../protocol.js';

const UNREACHED_CODE = 'explore/unreached';

/** Several explorations of one model know the same violations and steps; the first one that knows any speaks for all. */
export function explorationDiagnostics(
    explorations: readonly KnownExploration[],
    document: LangiumDocument,
): Diagnostic[] {
    const current = explorations.filter(({ isStale }) => !isStale).map(exploration => exploration.document);
    const own = document.uri.toString();
    const violations = new Map<string, KeptViolation>();
    for (const violation of current.flatMap(result => result.violations).filter(isUnexpected)) {
        const { kind, name, location } = violation;
        const key = JSON.stringify([kind, name, location]);
        violations.set(key, violations.get(key) ?? violation);
    }
    const warnings = new Map(
        current.flatMap(result => result.warnings ?? []).map(warning => [JSON.stringify(warning), warning]),
    );
    const surprises = new Map(
        current.flatMap(result => result.unexpected ?? []).map(surprise => [JSON.stringify(surprise), surprise]),
    );
    const unreached = current.find(result => result.unreached !== undefined)?.unreached ?? [];
    return [
        ...[...violations.values()].filter(({ location }) => location.file === own).map(violationDiagnostic),
        ...[...surprises.values()].filter(({ location }) => location.file === own).map(surpriseDiagnostic),
        ...[...warnings.values()].filter(({ file }) => file === own).map(warningDiagnostic),
        ...unreached.filter(({ location }) => location.file === own).map(unreachedDiagnostic),
    ];
}

/** What the text says and is not so, where it says it. */
function surpriseDiagnostic(surprise: UnexpectedDocument): Diagnostic {
    const { kind, name, location, step } = surprise;
    const data: DiagnosticData = { violated: kind === 'dead' ? MODEL_PROPERTY : name };
    return {
        range: rangeOf(location),
        severity: DiagnosticSeverity.Error,
        code: kind === 'missing' ? 'explore/unexpected' : 'explore/not-reached',
        message: withoutBackticks(formatUnexpected(surprise)),
        source: 'orbit',
        data,
        ...(step !== undefined && {
            relatedInformation: [{ message: 'this step', location: { uri: step.file, range: rangeOf(step) } }],
        }),
    };
}

/** `Deadlock after 5 steps: the 5 Phil wait for one another, in a circle`, with the lines of the reason as places. */
function violationDiagnostic(violation: KeptViolation): Diagnostic {
    const { kind, name, invariant, location, reason = [], unfair = [] } = violation;
    const isOfModel = kind === 'deadlock' || kind === 'fault';
    const data: DiagnosticData = {
        violated: isOfModel ? (invariant ?? MODEL_PROPERTY) : name,
        ...(unfair.length > 0 && { unfair }),
    };
    const lines = reason.map(({ text, alike }) => (alike === undefined ? text : `${text} (${alike.text})`));
    return {
        range: rangeOf(location),
        severity: DiagnosticSeverity.Error,
        code: `explore/${isOfModel ? kind : 'violated'}`,
        message: withoutBackticks([`${formatViolation(violation)}${lines.length > 0 ? ':' : ''}`, ...lines].join('\n')),
        source: 'orbit',
        data,
        relatedInformation: reason.flatMap(relatedTo).map(({ message, at }) => ({
            message: withoutBackticks(message),
            location: { uri: at.file, range: rangeOf(at) },
        })),
    };
}

/** The lines with a place, with those that are folded into them. */
function relatedTo({
    text,
    location,
    alike,
}: ReasonLineDocument): { readonly message: string; readonly at: DocumentLocation }[] {
    const own = location === undefined ? [] : [{ message: text, at: location }];
    return [...own, ...(alike?.lines.flatMap(relatedTo) ?? [])];
}

/** Problems are shown as plain text. */
export function withoutBackticks(text: string): string {
    return text.replaceAll('`', '');
}

function rangeOf({ line, column, endLine, endColumn }: DocumentLocation): Range {
    return {
        start: { line: line - 1, character: column - 1 },
        end: { line: endLine - 1, character: endColumn - 1 },
    };
}

const SEVERITIES = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    information: DiagnosticSeverity.Information,
} as const;

function warningDiagnostic({ severity, code, message, ...place }: DocumentProblem): Diagnostic {
    return { range: rangeOf(place), severity: SEVERITIES[severity], code, message, source: 'orbit' };
}

function unreachedDiagnostic({ process, label, location }: UnreachedStepDocument): Diagnostic {
    return {
        range: rangeOf(location),
        severity: DiagnosticSeverity.Hint,
        tags: [DiagnosticTag.Unnecessary],
        code: UNREACHED_CODE,
        message: `no run takes the step \`${process} ${label}\`: all states were explored, and in none of them it is possible`,
        source: 'orbit',
    };
}
