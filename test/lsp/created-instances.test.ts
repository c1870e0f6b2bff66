/** Lenses and hovers of processes that are created, before and after an exploration. */
import type { LangiumDocument } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import { CancellationToken, MarkupContent, type Hover } from 'vscode-languageserver';
import { invariant } from '../../engine/common/assert.js';
import { resultsOf } from '../../language-server/lsp/document-results.js';
import { symmetryOf } from '../model-of-text.js';
import { InProcessServer } from './in-process.js';
import { positionOf } from './language-client.js';
import { RING_EXPLORED } from './ring.js';

const URI = 'file:///model.orbit';
const TEXT = `model Jobs
var last: Job? = none

process Main {
    one: last := spawn Job();
    two: { spawn Job() }
}

process Job() { work: when alive(last) }
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeEach(async () => {
    server = new InProcessServer();
    const { report } = await symmetryOf(TEXT);
    invariant(typeof report === 'object', 'an analysis has a report');
    document = await server.openAnalyzed(URI, TEXT, report);
});

/** Four jobs at once: what the server is told, whatever the model says. */
async function explore(): Promise<void> {
    const params = { uri: URI, reduction: 'unique', runId: 'r', startedAt: 1000 } as const;
    const result = server.analysis.explore(params, () => undefined, CancellationToken.None);
    await new Promise(resolve => setTimeout(resolve, 0));
    const last = server.requests.at(-1);
    const templates = [{ name: 'Job', mostLive: 4, mostNamed: 5, slots: 6 }];
    const explored = { ...RING_EXPLORED, states: 120, violations: [], verdict: 'holds', templates } as const;
    last?.listener.reply({ kind: 'explored', job: last.request.job, outcome: { problems: [], document: explored } });
    await result;
}

async function lenses(): Promise<readonly string[]> {
    const provided = await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument: { uri: URI } });
    return (provided ?? []).map(({ range, command }) => `${range.start.line + 1}: ${command?.title ?? ''}`);
}

async function hover(search: string): Promise<string> {
    const params = { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
    const provided: Hover | undefined = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, params);
    return MarkupContent.is(provided?.contents) ? provided.contents.value : '';
}

test('a template has a lens of its own', async () => {
    expect(await lenses()).toEqual([
        '1: all Job interchangeable',
        '1: Explore',
        '9: interchangeable · created in 2 places',
    ]);
});

test('after an exploration it says how many live at once, and the model counts up to names', async () => {
    await explore();
    const shown = await lenses();
    expect(shown).toContain('9: interchangeable · created in 2 places · at most 4 at once');
    expect(shown[0]).toBe('1: no fault in 120 states, renamed ones not counted');
    const [item] = resultsOf(document, server.analysis.findings(document), []).items;
    expect(item?.answer?.summary).toBe('holds in 120 states, renamed ones not counted');
});

test('hovers on the template and on the type of a reference say the same in words', async () => {
    await explore();
    for (const place of ['Job()', 'Job?']) {
        const text = await hover(place);
        expect(text).toContain('Created in 2 places, in `Main`.');
        expect(text).toContain('instances are interchangeable; at most 4 live at once (last exploration).');
    }
});
