/** A run in words, as the panel shows it. */
import { expect, test } from 'vitest';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { toCsv, toMarkdown } from '../../vscode-extension/webview/trace-export.js';
import { columnsOf, numbersIn } from '../../vscode-extension/webview/trace-instances.js';
import {
    chainTo,
    foldEntries,
    matches,
    messagesOf,
    patternOf,
    rowsOf,
    stateRows,
    UNSEEN,
} from '../../vscode-extension/webview/trace-rows.js';

const LINE = { file: 'm', column: 1, endColumn: 2 };

function entry(
    process: string,
    label: string,
    line: number,
    state: TraceEntryDocument['state'],
    changed: string[],
): TraceEntryDocument {
    return { step: { process, label, location: { ...LINE, line, endLine: line } }, state, changed };
}

const EMPTY = { 'len(link[1])': 0, 'len(link[2])': 0, 'P[1].at': 'start', 'P[2].at': 'start', won: false };

/** P[1] sends 1 to P[2], which sends 2 on to P[1], which takes it. */
const RUN: readonly TraceEntryDocument[] = [
    { step: null, state: EMPTY, changed: [] },
    entry(
        'P[1]',
        'send',
        3,
        { ...EMPTY, 'len(link[2])': 1, 'link[2][0].kind': 'candidate', 'link[2][0].who': 1, 'P[1].at': 'wait' },
        ['len(link[2])', 'link[2][0].kind', 'link[2][0].who', 'P[1].at'],
    ),
    entry('P[2]', 'hear', 4, { ...EMPTY, 'P[1].at': 'wait', 'P[2].at': 'relay' }, [
        'len(link[2])',
        'link[2][0].kind',
        'link[2][0].who',
        'P[2].at',
    ]),
    entry(
        'P[2]',
        'send',
        3,
        {
            ...EMPTY,
            'len(link[1])': 1,
            'link[1][0].kind': 'candidate',
            'link[1][0].who': 2,
            'P[1].at': 'wait',
            'P[2].at': 'wait',
        },
        ['len(link[1])', 'link[1][0].kind', 'link[1][0].who', 'P[2].at'],
    ),
    entry('P[1]', 'hear', 4, { ...EMPTY, 'P[1].at': 'end', 'P[2].at': 'wait', won: true }, [
        'len(link[1])',
        'link[1][0].kind',
        'link[1][0].who',
        'P[1].at',
        'won',
    ]),
];

test('messages are written out, and other changes after them', () => {
    expect(rowsOf(RUN).map(({ movers, label, note }) => `${movers.join()} ${label}: ${note}`)).toEqual([
        ' : ',
        'P[1] send: link[2] ! candidate 1',
        'P[2] hear: link[2] ? candidate 1',
        'P[2] send: link[1] ! candidate 2',
        'P[1] hear: link[1] ? candidate 2, won := true',
    ]);
});

test('a row that says the same of others names the first of them', () => {
    expect(rowsOf(RUN).map(({ like }) => like)).toEqual([undefined, undefined, undefined, 1, undefined]);
});

test('a message leads from its step to the step that receives it, the oldest first', () => {
    expect(messagesOf(RUN)).toEqual([
        { channel: 'link[2]', text: 'candidate 1', sender: 'P[1]', sent: 1, receiver: 'P[2]', received: 2 },
        { channel: 'link[1]', text: 'candidate 2', sender: 'P[2]', sent: 3, receiver: 'P[1]', received: 4 },
    ]);
    expect(messagesOf(RUN.slice(0, 4)).at(-1)).not.toHaveProperty('received');
    // A part of a run begins with the message in its channel.
    expect(messagesOf(RUN.slice(1, 3))).toMatchObject([{ sent: UNSEEN, text: 'candidate 1', received: 1 }]);
});

test('what led to a step is the message that it received, and those before it', () => {
    const messages = messagesOf(RUN);
    expect([...chainTo(messages, RUN, 4)].map(({ sent }) => sent)).toEqual([3, 1]);
    expect([...chainTo(messages, RUN, 2)].map(({ sent }) => sent)).toEqual([1]);
    expect(chainTo(messages, RUN, 1).size).toBe(0);
});

test('of a state the changes are shown, a channel by its messages and an instance by its place', () => {
    expect(stateRows(RUN[1]!.state, RUN[0]!.state, false)).toEqual({
        rows: [
            { name: 'link[2]', before: 'empty', now: 'candidate 1', isChanged: true },
            { name: 'P[1]', before: 'start', now: 'wait', isChanged: true },
        ],
        unchanged: 3,
    });
    expect(stateRows(RUN[1]!.state, RUN[0]!.state, true).rows).toHaveLength(5);
    expect(stateRows(RUN[0]!.state, undefined, false).rows.map(({ now }) => now)).toEqual([
        'empty',
        'empty',
        'start',
        'start',
        'false',
    ]);
});

test('a filter finds processes, labels, messages and changed variables', () => {
    const rows = rowsOf(RUN);
    const found = (wanted: string): number[] =>
        rows.flatMap((row, index) => (matches(row, RUN[index]!, wanted) ? [index] : []));
    expect(found('p[2]')).toEqual([2, 3]);
    expect(found('candidate 2')).toEqual([3, 4]);
    expect(found(' WON ')).toEqual([4]);
    expect(found('nothing')).toEqual([]);
});

test('each instance has a column, those of a family together', () => {
    expect(columnsOf(RUN, rowsOf(RUN))).toEqual({
        instances: ['P[1]', 'P[2]'],
        families: [{ name: 'P', count: 2 }],
        shared: ['link[1]', 'link[2]', 'won'],
    });
});

test('a run is written for other programs with quoted fields, and for readers as a table', () => {
    const quoted = entry('P[1]', 'a, "b"', 7, { won: true }, ['won']);
    expect(toCsv([{ step: null, state: { won: false }, changed: [] }, quoted])).toBe(
        'step,process,label,won\r\n0,,,false\r\n1,P[1],"a, ""b""",true\r\n',
    );
    expect(toMarkdown('Violated', ['won'], RUN.slice(0, 2)).split('\n')).toEqual([
        '## Violated',
        '',
        '- won',
        '',
        '| | who | step | what changes | |',
        '|---|---|---|---|---|',
        '| 0 | start |  |  |  |',
        '| 1 | `P[1]` | `send` | `link[2] ! candidate 1` `P[1].at = wait` | line 3 |',
        '',
    ]);
});

test('instances that are created have columns beside their family, and the greatest number is known', () => {
    const created = [
        { step: null, state: { 'Main.at': 'one', 'Other.at': 'stay' }, changed: [] },
        entry('Main', 'one', 2, { 'Main.at': 'two', 'W#1.at': 'work', 'Other.at': 'stay' }, ['Main.at', 'W#1.at']),
        entry('Main', 'two', 3, { last: 'W#1 (ended)', 'W#12.at': 'work', 'Other.at': 'stay' }, ['W#1.at', 'W#12.at']),
    ];
    expect(columnsOf(created, rowsOf(created))).toEqual({
        instances: ['Main', 'Other', 'W#1', 'W#12'],
        families: [
            { name: 'Main', count: 1 },
            { name: 'Other', count: 1 },
            { name: 'W', count: 2 },
        ],
        shared: [],
    });
    expect(numbersIn(created)).toEqual({ W: 12 });
    expect(numbersIn(created.slice(0, 1))).toEqual({});
});

test('a step says what it chooses, and alike steps are folded but for the first and one that must be seen', () => {
    const step = { process: 'P', label: 'set', choice: 'k = 2', location: { ...LINE, line: 3, endLine: 3 } };
    const [row] = rowsOf([{ step, state: {}, changed: [] }]);
    expect(row?.label).toBe('set (k = 2)');
    expect(toCsv([{ step, state: {}, changed: [] }])).toContain('P,set (k = 2)');
    const rows = Array.from({ length: 64 }, (_, index) => entry(`P[${index}]`, 'ask', 3, {}, []));
    const [ask, leave] = foldEntries(
        [...rows, entry('P[3]', 'leave', 4, {}, [])],
        each => patternOf(rowsOf([each])[0]!),
        ({ step: taken }) => taken?.process === 'P[7]',
    );
    expect(ask?.shown.map(each => each.step?.process)).toEqual(['P[0]', 'P[7]']);
    expect(ask?.folded).toHaveLength(62);
    expect(leave).toMatchObject({ shown: [{ step: { label: 'leave' } }], folded: [] });
});
