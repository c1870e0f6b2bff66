/**
 * Problems as a SARIF log, the form that code scanning services read. [SARIF2020]
 *
 * One run of one tool; a rule for each code that occurs, in the order of the codes. Columns are counted in UTF-16 code
 * units, as everywhere in Orbit, and the log says so.
 */
import type { DocumentLocation, DocumentProblem } from '../../language-server/protocol.js';
import { toFileUri } from '../model-source.js';
import { VERSION } from '../version.js';

const LEVELS = { error: 'error', warning: 'warning', information: 'note' } as const;

/** `successful` is false when the call itself could not be carried out. */
export function toSarif(problems: readonly DocumentProblem[], successful: boolean): object {
    const rules = [...new Set(problems.map(problem => problem.code))].sort();
    return {
        $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
        version: '2.1.0',
        runs: [
            {
                tool: {
                    driver: { name: 'Orbit', version: VERSION, rules: rules.map(id => ({ id })) },
                },
                columnKind: 'utf16CodeUnits',
                invocations: [{ executionSuccessful: successful }],
                results: problems.map(problem => ({
                    ruleId: problem.code,
                    ruleIndex: rules.indexOf(problem.code),
                    level: LEVELS[problem.severity],
                    message: { text: problem.message },
                    // A result about the call itself has no place.
                    locations: problem.file === '' ? [] : [toLocation(problem)],
                    ...(problem.related !== undefined && {
                        relatedLocations: problem.related.map(other => ({
                            ...toLocation(other),
                            message: { text: other.message },
                        })),
                    }),
                })),
            },
        ],
    };
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
