/** SARIF logs: the official schema, and the parts that code scanning services insist on. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { suiteOfProblems } from '../../cli/report/report.js';
import { toSarif } from '../../cli/report/sarif.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

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
    return toSarif([suiteOfProblems('m.orbit', problems, isUnreadable)], 2) as Log;
}

test('a result has its rule, its level and its place', () => {
    const other = { ...PROBLEM, severity: 'error', code: 'name/unresolved' } as const;
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
    expect(second).toMatchObject({ ruleIndex: 0, level: 'error' });
});

test('a call that could not be carried out is no successful execution', () => {
    expect(logOf([], true).runs[0].invocations).toEqual([{ executionSuccessful: false, exitCode: 2 }]);
    expect(logOf([]).runs[0].invocations).toEqual([{ executionSuccessful: true, exitCode: 2 }]);
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

/** What Ajv does not know of draft 4 is what names the schema; the rest means the same in later drafts. */
function schemaOf(file: string): object {
    const {
        $schema: _version,
        id: _name,
        ...schema
    } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return schema;
}

const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    schemaOf('test/cli/sarif-2.1.0.schema.json'),
);

const LOCK = `model Lock
param N: 2 .. 5 = 2
type Id = 1 .. N
var taken: bool = false
var unused: bool = false
process Worker[i: Id] {
    loop { look: when !taken && i != 1; enter: taken := true; leave: taken := false }
}
invariant alone = count(i in Id: Worker[i] at leave) <= 1
assert symmetric Worker
`;

test.each([
    ['check lock.orbit', 0],
    ['check wrong.orbit lock.orbit', 2],
    ['check missing.orbit', 2],
    ['symmetry lock.orbit', 1],
    ['explore lock.orbit --param N=3 --continue', 1],
    ['explore lock.orbit --param N=4 --each', 1],
    ['explore lock.orbit --sweep N=3..4', 1],
    ['explore lock.orbit --property deadlock --max-states 2', 3],
    ['explore wrong.orbit', 2],
    ['explore missing.orbit', 2],
    ['explore lock.orbit --nonsense', 2],
    ['explore lock.orbit --coverage', 2],
    ['symmetry lock.orbit --why', 2],
])('the log of orbit %s is one by the schema, with the exit code', async (call, exitCode) => {
    const files = { 'lock.orbit': LOCK, 'wrong.orbit': LOCK.replace('taken := true', 'token := true') };
    const outcome = await orbit([...call.split(' '), '--format', 'sarif'], { files });
    expect(outcome).toMatchObject({ exitCode, stderr: '' });
    const log = JSON.parse(outcome.stdout) as { runs: [{ invocations: [{ exitCode: number }]; results: object[] }] };
    isSarif(log);
    expect(isSarif.errors ?? []).toEqual([]);
    expect(log.runs[0].invocations[0].exitCode).toBe(exitCode);
});

test('what is wrong with a call is a notification, since it has no place', async () => {
    const { stdout } = await orbit(['explore', 'm.orbit', '--nonsense', '--format', 'sarif']);
    expect((JSON.parse(stdout) as Log).runs[0]).toMatchObject({
        results: [],
        invocations: [
            {
                executionSuccessful: false,
                toolConfigurationNotifications: [{ descriptor: { id: 'call/option' }, level: 'error' }],
            },
        ],
    });
});

test('the schema refuses what is no log', () => {
    expect(isSarif({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
});
