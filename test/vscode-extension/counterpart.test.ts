/** What a symmetry makes of a state, by the moves of a generator. */
import { expect, test } from 'vitest';
import { counterpartOf } from '../../vscode-extension/webview/counterpart.js';

test('values move with their cells, and names among values are renamed', () => {
    const state = { 'flag[0]': true, 'flag[1]': false, turn: 0, 'P[0].at': 'enter', 'P[1].at': 'enter', other: 3 };
    const moves = [
        'flag[0]=true -> flag[1]=true',
        'flag[0]=false -> flag[1]=false',
        'flag[1]=true -> flag[0]=true',
        'flag[1]=false -> flag[0]=false',
        'turn=0 -> turn=1',
        'turn=1 -> turn=0',
        'P[0].at=enter -> P[1].at=enter',
        'P[1].at=enter -> P[0].at=enter',
    ];
    expect(counterpartOf(state, moves)).toEqual([
        { name: 'flag[0]', before: 'true', after: 'false' },
        { name: 'flag[1]', before: 'false', after: 'true' },
        { name: 'turn', before: '0', after: '1' },
    ]);
});

test('a cell that has a value in one of the two states only', () => {
    expect(counterpartOf({ 'c[0]': 1 }, ['c[0]=1 -> c[1]=1', 'c[1]=1 -> c[0]=1'])).toEqual([
        { name: 'c[0]', before: '1', after: undefined },
        { name: 'c[1]', before: undefined, after: '1' },
    ]);
    expect(counterpartOf({ x: 0 }, [])).toEqual([]);
});
