/** SARIF logs: the parts that code scanning services insist on. */
import { expect, test } from 'vitest';
import { suiteOfProblems } from '../../cli/report/report.js';
import { toSarif } from '../../cli/report/sarif.js';
import type { DocumentProblem } from '../../language-server/protocol.js';

const PROBLEM: DocumentProblem = {
    severity: 'information',
    code: 'type/out-of-range',
    message: 'out of range',
    file: './my models/a.orbit',
    line: 2,
    column: 3,
    endLine: 2,
    endColumn: 7,
};

interface Log {
    version: string;
    runs: [{ tool: { driver: { rules: object[] } }; invocations: object[]; results: Record<string, unknown>[] }];
}

function logOf(problems: readonly DocumentProblem[], isUnreadable = false): Log {
    return toSarif([suiteOfProblems('m.orbit', problems, isUnreadable)]) as Log;
}

test('a result has its rule, its level and its place', () => {
    const other = { ...PROBLEM, severity: 'error', code: 'name/unresolved', file: '' } as const;
    const log = logOf([PROBLEM, other, PROBLEM]);
    expect(log.version).toBe('2.1.0');
    expect(log.runs[0].tool.driver.rules).toEqual([{ id: 'name/unresolved' }, { id: 'type/out-of-range' }]);
    // Errors first, and one that is found twice once.
    const [second, first, ...others] = log.runs[0].results;
    expect(others).toEqual([]);
    expect(first).toEqual({
        ruleId: 'type/out-of-range',
        ruleIndex: 1,
        level: 'note',
        message: { text: 'out of range' },
        locations: [
            {
                physicalLocation: {
                    artifactLocation: { uri: 'my%20models/a.orbit' },
                    region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 7 },
                },
            },
        ],
    });
    expect(second).toMatchObject({ ruleIndex: 0, level: 'error', locations: [] });
});

test('a call that could not be carried out is no successful execution', () => {
    expect(logOf([], true).runs[0].invocations).toEqual([{ executionSuccessful: false }]);
    expect(logOf([]).runs[0].results).toEqual([]);
});

test.each([
    ['/models/a b.orbit', 'file:///models/a%20b.orbit'],
    ['C:\\models\\a.orbit', 'file:///C:/models/a.orbit'],
    ['..\\lib\\a.orbit', '../lib/a.orbit'],
])('the file %s is referred to as %s', (file, uri) => {
    const [result] = logOf([{ ...PROBLEM, file }]).runs[0].results;
    expect(result).toMatchObject({ locations: [{ physicalLocation: { artifactLocation: { uri } } }] });
});
