/** Values of parameters that are chosen in the editor: they count everywhere, and the text stays as it is. */
import type { LangiumDocument } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import { chooseParameters, parametersOf } from '../../language-server/lsp/parameters.js';
import { InProcessServer } from './in-process.js';

const URI_OF_LOCK = 'file:///models/lock.orbit';
const LOCK = `model Lock
param N: 2 .. 64 = 3
type Id = 1 .. N
const LAST = N - 1
var taken: Id = LAST
process P[i: Id] { loop { step: when taken != i { taken := i } } }
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeEach(async () => {
    server = new InProcessServer();
    server.save(URI_OF_LOCK);
    document = await server.write(URI_OF_LOCK, LOCK);
});

/** Chooses values and builds the document again, as the update handler does. */
async function choose(parameters: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const { problems } = await chooseParameters({ uri: URI_OF_LOCK, parameters }, server.Orbit.shared);
    await server.Orbit.shared.workspace.DocumentBuilder.update([document.uri], []);
    return problems;
}

/** The values in the model that a worker was asked to analyze last. */
function model(): Record<string, unknown> {
    const { request } = server.requests.at(-1) ?? {};
    return Object.fromEntries((request?.model?.parameters ?? []).map(({ name, value }) => [name, value]));
}

test('a parameter is listed with its type, its bounds and its few values', () => {
    expect(parametersOf(document)).toMatchObject([
        { name: 'N', value: '3', written: '3', isChosen: false, type: '2 .. 64', bounds: [2, 64] },
    ]);
    expect(parametersOf(document)[0]?.values).toHaveLength(63);
});

test('a chosen value is that of the model, and of what hovers and lenses say', async () => {
    expect(model()).toEqual({ N: 3 });
    expect(await choose({ N: '8' })).toEqual([]);
    expect(model()).toEqual({ N: 8 });
    expect(parametersOf(document)).toMatchObject([{ value: '8', written: '3', isChosen: true }]);
    const lenses = await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, {
        textDocument: { uri: URI_OF_LOCK },
    });
    expect(lenses?.map(({ command }) => command?.title)).toEqual(
        expect.arrayContaining(['N = 8 (3 in the text)', 'change', 'back to 3']),
    );
    const position = document.textDocument.positionAt(LOCK.indexOf('LAST'));
    const hover = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, {
        textDocument: { uri: URI_OF_LOCK },
        position,
    });
    expect(JSON.stringify(hover)).toContain('7');
    expect(document.textDocument.getText()).toBe(LOCK);
    expect(await choose({})).toEqual([]);
    expect(model()).toEqual({ N: 3 });
});

test.each([
    ['65', '65'],
    ['x', 'x'],
    ['1 +', 'not a value'],
])('%s is refused, and nothing changes', async (value, message) => {
    expect(await choose({ N: value })).toEqual([expect.stringContaining(message)]);
    expect(model()).toEqual({ N: 3 });
});

test('a value that no longer fits is named in a warning, and the text counts', async () => {
    await choose({ N: '8' });
    document = await server.write(URI_OF_LOCK, LOCK.replace('2 .. 64', '2 .. 4'));
    server.save(URI_OF_LOCK);
    expect(document.diagnostics?.map(({ code }) => code)).toEqual(['parameter/chosen']);
    expect(model()).toEqual({ N: 3 });
});

test('a value for a parameter that is gone does not matter', async () => {
    await choose({ N: '8' });
    document = await server.write(URI_OF_LOCK, LOCK.replaceAll(/\bN\b/g, 'M'));
    server.save(URI_OF_LOCK);
    expect(document.diagnostics).toEqual([]);
    expect(model()).toEqual({ M: 3 });
});
