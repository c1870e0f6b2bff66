/**
 * Findings as a SARIF log, the form that code scanning services read. [SARIF2020]
 *
 * One run of one tool; a rule for each code that occurs, in the order of the codes. What could not be decided is no
 * result but a notification. Columns are counted in UTF-16 code units, as everywhere in Orbit, and the log says so.
 */
import type { DocumentLocation } from '../../language-server/document-schema.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { toFileUri } from '../model-source.js';
import { VERSION } from '../version.js';
import type { Case, ReportedFinding, Suite } from './report.js';

/** Outcomes that a service must not take for passed. */
const OPEN: ReadonlySet<Case['outcome']> = new Set(['undecided', 'skipped']);

const LEVELS = { error: 'error', warning: 'warning', information: 'note' } as const;

/** The steps of a run that are listed, the last ones: a service takes a limited number. */
const MOST_STEPS = 1000;

export function toSarif(suites: readonly Suite[], exitCode: ExitCode): object {
    const all = suites.flatMap(({ findings, cases }) => [...cases.flatMap(each => each.findings ?? []), ...findings]);
    // The problems of a file that several others import are found several times.
    const different = [...new Map(all.map(finding => [JSON.stringify(finding), finding])).values()];
    const [findings, placeless] = [true, false].map(isPlaced =>
        different.filter(({ file }) => (file !== '') === isPlaced),
    ) as [ReportedFinding[], ReportedFinding[]];
    const isOfCall = ({ code }: ReportedFinding): boolean => code.startsWith('call/');
    const undecided = suites.flatMap(({ name, cases }) =>
        cases
            .filter(({ outcome, findings: own = [] }) => OPEN.has(outcome) && own.length === 0)
            .map(each => ({ level: 'warning', message: { text: `${name}: ${each.name}: ${each.reason ?? ''}` } })),
    );
    const ofCall = placeless.filter(isOfCall).map(toNotification);
    const ofRun = [...placeless.filter(finding => !isOfCall(finding)).map(toNotification), ...undecided];
    const rules = [...new Set(findings.map(({ code }) => code))].sort();
    return {
        $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
        version: '2.1.0',
        runs: [
            {
                tool: {
                    driver: { name: 'Orbit', version: VERSION, rules: rules.map(id => ({ id })) },
                },
                columnKind: 'utf16CodeUnits',
                invocations: [
                    {
                        // A violation is an answer, and so are errors of a model; a limit ended the call before one.
                        executionSuccessful:
                            [EXIT.holds, EXIT.violated, EXIT.wrong].some(code => code === exitCode) &&
                            ofCall.length === 0 &&
                            suites.every(({ isUnreadable }) => isUnreadable !== true),
                        exitCode,
                        ...(ofCall.length > 0 && { toolConfigurationNotifications: ofCall }),
                        ...(ofRun.length > 0 && { toolExecutionNotifications: ofRun }),
                    },
                ],
                results: findings.map(finding => toResult(finding, rules)),
            },
        ],
    };
}

/** What is about the call itself has no place, so it is no result. */
function toNotification({ code, severity, message }: ReportedFinding): object {
    return { descriptor: { id: code }, level: LEVELS[severity], message: { text: message } };
}

function toResult(finding: ReportedFinding, rules: readonly string[]): object {
    const { code, severity, message, related, flow } = finding;
    return {
        ruleId: code,
        ruleIndex: rules.indexOf(code),
        level: LEVELS[severity],
        message: { text: message },
        locations: [toLocation(finding)],
        ...(related !== undefined && { relatedLocations: related.map(toLocationWithMessage) }),
        ...(flow !== undefined &&
            flow.length > 0 && {
                codeFlows: [
                    {
                        threadFlows: [
                            {
                                locations: flow
                                    .slice(-MOST_STEPS)
                                    .map(step => ({ location: toLocationWithMessage(step) })),
                            },
                        ],
                    },
                ],
            }),
    };
}

function toLocationWithMessage(location: DocumentLocation & { readonly message: string }): object {
    return { ...toLocation(location), message: { text: location.message } };
}

function toLocation(location: DocumentLocation): object {
    return {
        physicalLocation: {
            artifactLocation: { uri: toRelativeReference(location.file) },
            region: {
                startLine: location.line,
                startColumn: location.column,
                endLine: location.endLine,
                endColumn: location.endColumn,
            },
        },
    };
}

/** A path as a URI reference; relative paths stay relative, so that a service finds the file in its checkout. */
function toRelativeReference(file: string): string {
    const path = file.replaceAll('\\', '/');
    return /^(\/|[A-Za-z]:\/)/.test(path)
        ? toFileUri(path)
        : path
              .replace(/^(\.\/)+/, '')
              .split('/')
              .map(encodeURIComponent)
              .join('/');
}
