/** Hints from explorations, and that they go with the text they belong to. */
import { expect, test } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver';
import { explorationDiagnostics } from '../../language-server/lsp/diagnostics/exploration-diagnostics.js';
import type { FinishedExploration } from '../../language-server/analysis/analysis-service.js';
import { InProcessServer } from './in-process.js';
import { RING, RING_URI } from './ring.js';

const UNREACHED = {
    process: 'P',
    label: 'enter',
    location: { file: RING_URI, line: 3, column: 5, endLine: 3, endColumn: 10 },
};

function exploration(unreached: readonly (typeof UNREACHED)[] | undefined, isStale = false) {
    return { key: 'k', isStale, document: { unreached } } as unknown as FinishedExploration & { isStale: boolean };
}

test('a step that no run takes is a hint at its label', async () => {
    const document = await new InProcessServer().write(RING_URI, RING);
    expect(explorationDiagnostics([exploration(undefined), exploration([UNREACHED])], document)).toMatchObject([
        {
            severity: DiagnosticSeverity.Hint,
            code: 'explore/unreached',
            range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } },
            message: expect.stringMatching(/^no run takes the step `P enter`/) as string,
        },
    ]);
});

test('nothing is said where nobody knows, after an edit of the model, and of other files', async () => {
    const document = await new InProcessServer().write(RING_URI, RING);
    const elsewhere = { ...UNREACHED, location: { ...UNREACHED.location, file: 'file:///other.orbit' } };
    for (const known of [[], [exploration(undefined)], [exploration([UNREACHED], true)], [exploration([elsewhere])]]) {
        expect(explorationDiagnostics(known, document)).toEqual([]);
    }
});
