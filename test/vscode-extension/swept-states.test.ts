/** Which run tells all states of a value that is swept. */
import { expect, test } from 'vitest';
import type { KeptRun } from '../../language-server/protocol.js';
import { withAllStates } from '../../vscode-extension/webview/swept-states.js';
import { RING_EXPLORED } from '../lsp/ring.js';

const params = { N: 3, clients: [3, 3, 2] };
const row = { value: 3, document: { ...RING_EXPLORED, params } };
const run: KeptRun = {
    runId: '1',
    reduction: 'none',
    parameters: 'N = 3',
    modelKey: 'model',
    sourceKey: 'text',
    finishedAt: 0,
    document: { ...RING_EXPLORED, params: { N: 3, clients: [3, 3, 2] }, states: 500, violations: [] },
};

function allStates(of: Partial<KeptRun>): number | undefined {
    return withAllStates(row, [{ ...run, ...of }], 'text').allStates;
}

test('it has the same text and values, and has counted all', () => {
    expect(allStates({})).toBe(500);
});

test('no other run does', () => {
    const { document } = run;
    expect(allStates({ reduction: 'unique' })).toBeUndefined();
    expect(allStates({ property: 'mutex' })).toBeUndefined();
    expect(allStates({ sourceKey: 'other' })).toBeUndefined();
    expect(allStates({ document: { ...document, params: { N: 4, clients: [3, 3, 2] } } })).toBeUndefined();
    expect(allStates({ document: { ...document, params: { N: 3, clients: [3, 2, 3] } } })).toBeUndefined();
    expect(allStates({ document: { ...document, params: { N: 3 } } })).toBeUndefined();
    expect(allStates({ document: { ...document, verdict: 'undecided' } })).toBeUndefined();
});
