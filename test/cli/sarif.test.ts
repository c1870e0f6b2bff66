/** SARIF logs: the parts that code scanning services insist on. */
import { expect, test } from 'vitest';
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

test('a result has its rule, its level and its place', () => {
    const other = { ...PROBLEM, severity: 'error', code: 'name/unresolved', file: '' } as const;
    const log = toSarif([PROBLEM, other, PROBLEM], true) as Log;
    expect(log.version).toBe('2.1.0');
    expect(log.runs[0].tool.driver.rules).toEqual([{ id: 'name/unresolved' }, { id: 'type/out-of-range' }]);
    const [first, second] = log.runs[0].results;
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
    expect((toSarif([], false) as Log).runs[0].invocations).toEqual([{ executionSuccessful: false }]);
    expect((toSarif([], true) as Log).runs[0].results).toEqual([]);
});

test.each([
    ['/models/a b.orbit', 'file:///models/a%20b.orbit'],
    ['C:\\models\\a.orbit', 'file:///C:/models/a.orbit'],
    ['..\\lib\\a.orbit', '../lib/a.orbit'],
])('the file %s is referred to as %s', (file, uri) => {
    const [result] = (toSarif([{ ...PROBLEM, file }], true) as Log).runs[0].results;
    expect(result).toMatchObject({ locations: [{ physicalLocation: { artifactLocation: { uri } } }] });
});
