/** What a terminal shows, on plain data and without colors. */
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { formatExploration } from '../../cli/text/exploration.js';
import { writersTo } from '../../cli/terminal-text.js';
import type { TextStyle } from '../../cli/text/layout.js';
import { formatProblems } from '../../cli/text/problems.js';
import { formatViolationLines } from '../../cli/text/traces.js';
import type { DocumentProblem, ExploreDocument, ViolationDocument } from '../../language-server/document-schema.js';

const PLAIN: TextStyle = { colors: pc.createColors(false), columns: 80 };

function problem(
    line: number,
    column: number,
    endColumn: number,
    changes: Partial<DocumentProblem> = {},
): DocumentProblem {
    return {
        severity: 'error',
        code: 'name/unresolved',
        message: "There is no variable 'trun'",
        file: 'a.orbit',
        line,
        column,
        endLine: line,
        endColumn,
        ...changes,
    };
}

describe('a problem', () => {
    test('shows its line with carets under its range', () => {
        const text = 'model M\nprocess P {\n    when turn == 1 { trun := 2 }\n}\n';
        expect(formatProblems([problem(3, 22, 26)], () => text, PLAIN)).toBe(
            [
                "a.orbit:3:22: error: There is no variable 'trun' [name/unresolved]",
                '  3 |     when turn == 1 { trun := 2 }',
                '    |                      ^^^^',
                '',
            ].join('\n'),
        );
    });

    test('over several lines is marked to the end of the first', () => {
        const shown = formatProblems([problem(1, 5, 2, { endLine: 3 })], () => 'var x\n  in\n{', PLAIN);
        expect(shown).toContain('  1 | var x\n    |     ^\n');
    });

    test('in a file that has no text, or behind its end, stands without an excerpt', () => {
        expect(formatProblems([problem(1, 1, 1)], () => undefined, PLAIN).split('\n')).toHaveLength(2);
        expect(formatProblems([problem(9, 1, 1)], () => 'model M', PLAIN).split('\n')).toHaveLength(2);
    });

    test('in a line wider than the terminal shows the part around it', () => {
        const line = `${'x'.repeat(500)} oops ${'y'.repeat(500)}`;
        const lines = formatProblems([problem(1, 502, 506)], () => line, PLAIN).split('\n');
        expect(lines[1]?.length).toBeLessThanOrEqual(80);
        expect(lines[1]).toContain(' oops ');
        const caret = lines[2]?.indexOf('^') ?? -1;
        expect(lines[1]?.slice(caret, caret + 4)).toBe('oops');
        expect(lines[2]).toMatch(/^ +\| +\^{4}$/);
    });

    test('cannot write to the terminal through the text of the model', () => {
        const evil = 'var \u001b[2J\tx';
        const problems = [problem(1, 10, 11, { message: 'bad \u001b]0;title\u0007', file: '\u001b[1Ga.orbit' })];
        let written = '';
        writersTo(text => (written += text)).write(formatProblems(problems, () => evil, PLAIN));
        expect(written).not.toContain('\u001b');
        expect(written).not.toContain('\u0007');
        // One character each, so that the carets stay where they belong.
        expect(written).toContain('\ufffd[2J x');
    });

    test('among two hundred is counted, not shown, after the twentieth', () => {
        const problems = Array.from({ length: 200 }, (_, index) => problem(index + 1, 1, 2));
        const shown = formatProblems(problems, () => '', PLAIN);
        expect(shown.trimEnd().split('\n')).toHaveLength(21);
        expect(shown).toContain('… and 180 more');
    });

    test('names the other places that belong to it', () => {
        const location = { file: 'a.orbit', line: 2, column: 5, endLine: 2, endColumn: 6 };
        const shown = formatProblems(
            [problem(1, 1, 2, { related: [{ ...location, message: 'declared here' }] })],
            () => '',
            PLAIN,
        );
        expect(shown).toContain('  a.orbit:2:5: declared here\n');
    });
});

const LOCATION = { file: 'm.orbit', line: 7, column: 3, endLine: 7, endColumn: 9 };

const VIOLATION: ViolationDocument = {
    kind: 'invariant',
    name: 'mutex',
    location: LOCATION,
    trace: [
        {
            step: null,
            state: { 'flag[0]': 0, 'flag[1]': 0, turn: 'none', 'P[0].k': 1 },
            changed: [],
        },
        {
            step: { process: 'P[0]', label: 'setFlag', location: LOCATION },
            state: { 'flag[0]': 1, 'flag[1]': 0, turn: 'none', 'P[0].k': 1 },
            changed: ['flag[0]'],
        },
    ],
};

const DOCUMENT: ExploreDocument = {
    schemaVersion: 1,
    model: 'Peterson',
    params: { N: 9 },
    verdict: 'violated',
    reduction: { group: 'S9', order: '362880', start: 'kept', startOrder: '362880', strategy: 'sorting', unique: true },
    states: 1234567,
    transitions: 7654321,
    depth: 12,
    deadlocks: 0,
    seconds: 2.5,
    statesPerSecond: 493826.8,
    bytesPerState: 24,
    passes: [],
    peakBytes: 3 * 2 ** 20,
    workers: 1,
    violations: [VIOLATION],
};

describe('a trace', () => {
    test('shows the first state whole and then only what changes', () => {
        expect(formatViolationLines(VIOLATION, PLAIN)).toBe(
            [
                'invariant mutex after 1 step m.orbit:7:3',
                '  0  initial state',
                '     flag[*] = 0',
                '     turn = none',
                '     P[0].k = 1',
                '  1  P[0] setFlag  line 7',
                '     flag[0]: 0 → 1',
                '',
            ].join('\n'),
        );
    });
});

test('a variable is written as one only where all of its cells hold the value', () => {
    const [first, second] = VIOLATION.trace;
    // A buffer holds nothing at first, so the state leaves out its cells: `link[0][0]` is known from the next one.
    const trace = [
        { ...first!, state: { 'link[1][0]': 3, 'link[2][0]': 3, 'flag[0]': 0, 'flag[1]': 0 } },
        { ...second!, state: { 'link[0][0]': 3, 'link[1][0]': 3, 'link[2][0]': 3, 'flag[0]': 0, 'flag[1]': 0 } },
    ];
    const shown = formatViolationLines({ ...VIOLATION, trace }, PLAIN);
    expect(shown).toContain('     link[1][0] = 3  link[2][0] = 3\n     flag[*] = 0\n');
});

describe('an exploration', () => {
    test('shows verdict, counts and reduction', () => {
        const shown = formatExploration(DOCUMENT, PLAIN);
        expect(shown).toContain('Peterson  N = 9\nviolated: invariant mutex\n');
        expect(shown).toContain('  states       1,234,567 (one for each orbit)\n');
        expect(shown).toContain('S9, 362,880 symmetries, sorting\n');
        expect(shown).toContain('2.5 s · 493,827 states/s · 3.0 MB\n');
    });

    test('that ended early says why, whether or not it found something', () => {
        const limit = { kind: 'states', value: 1000 };
        expect(formatExploration({ ...DOCUMENT, limit }, PLAIN)).toContain(
            'violated: invariant mutex (incomplete: the limit of 1,000 states was reached)',
        );
        expect(formatExploration({ ...DOCUMENT, violations: [], limit }, PLAIN)).toContain(
            'violated (incomplete: the limit of 1,000 states was reached)',
        );
        expect(formatExploration({ ...DOCUMENT, verdict: 'undecided', violations: [], limit }, PLAIN)).toContain(
            'undecided: the limit of 1,000 states was reached',
        );
    });

    test('is colored where colors are wanted', () => {
        const colored = formatExploration(DOCUMENT, { ...PLAIN, colors: pc.createColors(true) });
        // oxlint-disable-next-line no-control-regex
        expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(formatExploration(DOCUMENT, PLAIN));
        expect(colored).toContain('\u001b[31m');
    });
});
