/** The title of a sweep. */
import { expect, test } from 'vitest';
import type { KeptDocument } from '../../language-server/protocol.js';
import { cellOf, columnsFor, sweepTitle } from '../../vscode-extension/webview/sweep-words.js';
import { describeSweep } from '../../vscode-extension/webview/sweep-chart.js';
import type { SweepContent, SweptValue } from '../../vscode-extension/webview/messages.js';
import { RING_EXPLORED } from '../lsp/ring.js';

function row(value: number, verdict: KeptDocument['verdict'], states = 10): SweptValue {
    const violation = {
        kind: 'deadlock',
        name: 'deadlock',
        location: { file: '', line: 1, column: 1, endLine: 1, endColumn: 2 },
        trace: { length: value + 1 },
    } as const;
    const violations = verdict === 'violated' ? [violation] : [];
    return { value, document: { ...RING_EXPLORED, states, verdict, violations } };
}

function title(rows: readonly SweptValue[], changed: Partial<SweepContent> = {}): string {
    return sweepTitle({
        fileName: 'm.orbit',
        range: { name: 'N', first: 3, last: 5 },
        reduction: 'unique',
        continuesAfterViolation: false,
        isStale: false,
        rows,
        state: { kind: 'finished' },
        ...changed,
    });
}

test('says what holds, what is violated where, and how far it came', () => {
    const [three, four, five] = [row(3, 'holds'), row(4, 'holds'), row(5, 'holds')];
    expect(title([three, four, five])).toBe('Holds for each N from 3 to 5');
    expect(title([three, row(4, 'violated')])).toBe('Deadlock after 4 steps for N = 4');
    expect(title([row(3, 'violated'), row(4, 'violated'), five], { continuesAfterViolation: true })).toBe(
        'Violated for 2 of 3 values of N',
    );
    expect(title([three, row(4, 'undecided')])).toBe('Undecided from N = 4 on');
    expect(title([three], { state: { kind: 'running' } })).toBe('Exploring N = 4 …');
    expect(title([three], { state: { kind: 'cancelled' } })).toBe('Cancelled after N = 3');
    expect(title([], { state: { kind: 'failed', message: 'x' } })).toBe('The sweep failed');
});

test('the picture is told in a sentence', () => {
    expect(describeSweep([row(3, 'holds', 13), row(4, 'holds', 1788)], 'N')).toBe('From 13 at N = 3 to 1,788 at N = 4');
    expect(describeSweep([], 'N')).toBe('');
});

test('each row says how many states there are in all, by what factor that is more, and what is violated', () => {
    const cells = (swept: SweptValue): string[] =>
        columnsFor('unique').map(column => `${column}: ${cellOf(swept, column)}`);
    const { document } = row(4, 'violated', 3280);
    expect(cells({ value: 4, document: { ...document, allStates: '32768' } })).toEqual(
        expect.arrayContaining([
            'orbits: 3,280',
            'all states: 32,768',
            'fewer: 10x',
            'outcome: ✗ deadlock after 4 steps',
        ]),
    );
    const few = document.violations.map(violation => ({ ...violation, kind: 'invariant' as const, name: 'few' }));
    expect(cells({ value: 4, document: { ...document, violations: few } })).toContain('outcome: ✗ few after 4 steps');
    expect(cells(row(3, 'holds'))).toEqual(expect.arrayContaining(['all states: –', 'fewer: –', 'outcome: holds']));
    expect(columnsFor('none')).toEqual(['all states', 'depth', 'time', 'outcome']);
});
