/** Templates in the editor: from `spawn` and `self` to the template, names, hovers, and what is offered. */
import type { LangiumDocument } from 'langium';
import { beforeAll, describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';
import { positionOf } from './language-client.js';

const URI = 'file:///workers.orbit';

const TEXT = `model Workers
var last: Worker? = none
var used: bool[Worker] = false

process Main {
    first: last := spawn Worker(1);
    second: spawn Worker(2)
}

/// Does something.
process Worker(size: 1 .. 2) {
    go: when self == last || size == 2 { used[self] := true };
    more: when last.size == 1 && last at go && (last) at more { skip }
}

invariant small = forall w in Worker: w.size <= 2
`;

let server: InProcessServer;
let document: LangiumDocument;

beforeAll(async () => {
    server = new InProcessServer();
    document = await server.write(URI, TEXT);
    expect(document.diagnostics?.filter(diagnostic => diagnostic.severity === 1)).toEqual([]);
});

function at(search: string): { textDocument: { uri: string }; position: ReturnType<typeof positionOf> } {
    return { textDocument: { uri: URI }, position: positionOf(TEXT, search) };
}

async function renamed(search: string, newName: string): Promise<string | undefined> {
    const edit = await server.Orbit.lsp.RenameProvider?.rename(document, { ...at(search), newName });
    const edits = edit?.changes?.[URI];
    return edits && TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, TEXT), edits);
}

async function hover(search: string): Promise<string> {
    const found = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, at(search));
    return (found?.contents as { value: string } | undefined)?.value ?? '';
}

describe('navigation', () => {
    test.each(['Worker(1)', 'Worker? =', 'Worker] =', 'Worker: w', 'self == last'])(
        'leads from %s to the template',
        async search => {
            const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at(search));
            expect(links).toMatchObject([{ targetSelectionRange: { start: positionOf(TEXT, 'Worker(size') } }]);
        },
    );

    test.each(['size == 2', 'size == 1', 'size <= 2'])('leads from %s to the parameter', async search => {
        const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at(search));
        expect(links).toMatchObject([{ targetSelectionRange: { start: positionOf(TEXT, 'size: 1') } }]);
    });

    test.each(['go &&', 'more {'])('leads from %s to the label', async search => {
        const links = await server.Orbit.lsp.DefinitionProvider?.getDefinition(document, at(search));
        expect(links).toHaveLength(1);
    });

    test('finds all uses of a template', async () => {
        const params = { ...at('Worker(size'), context: { includeDeclaration: true } };
        const references = (await server.Orbit.lsp.ReferencesProvider?.findReferences(document, params)) ?? [];
        expect(references).toHaveLength([...TEXT.matchAll(/\bWorker\b/g)].length);
    });

    test('tells who creates instances, and of what', async () => {
        const provider = server.Orbit.lsp.CallHierarchyProvider;
        const [item] = (await provider?.prepareCallHierarchy(document, at('Worker(1)'))) ?? [];
        expect(item?.name).toBe('Worker');
        const calls = item && (await provider?.incomingCalls({ item }));
        expect(calls?.map(({ from, fromRanges }) => [from.name, fromRanges.length])).toEqual([['Main', 2]]);
    });
});

describe('renaming', () => {
    test('a template takes its uses with it, and leaves `self` alone', async () => {
        expect(await renamed('Worker(1)', 'Agent')).toBe(TEXT.replaceAll(/\bWorker\b/g, 'Agent'));
    });

    test('a parameter is renamed behind the dot, too', async () => {
        expect(await renamed('size == 1', 'weight')).toBe(TEXT.replaceAll('size', 'weight'));
    });

    test('`self` keeps its name, and nothing else in a template gets it', async () => {
        expect(await server.Orbit.lsp.RenameProvider?.prepareRename(document, at('self == last'))).toBeUndefined();
        await expect(renamed('size: 1', 'self')).rejects.toThrow('the instance in a template');
    });
});

test('a hover on a template says what it takes and where it is created', async () => {
    expect(await hover('Worker(1)')).toContain('process Worker(size: 1 .. 2)');
    expect(await hover('Worker(1)')).toContain('Created in 2 places, in `Main`.');
    expect(await hover('self == last')).toContain('self: Worker');
    expect(await hover('last: Worker')).toContain('an instance of Worker, or none');
    expect(await hover('used: bool')).toContain('for each instance');
});

describe('completion', () => {
    async function offered(marked: string): Promise<readonly string[]> {
        const { text, position } = withCursor(marked);
        const written = await server.write('file:///completion.orbit', text);
        const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(written, {
            textDocument: { uri: 'file:///completion.orbit' },
            position,
        });
        return (list?.items ?? []).filter(({ detail }) => detail !== 'snippet').map(({ label }) => label);
    }

    const TEMPLATE = 'process Worker(size: 1 .. 2) { var k: bool  go: skip }\nprocess Main[i: 0 .. 1] { skip }\n';

    test('offers templates behind `spawn`', async () => {
        expect(await offered(`${TEMPLATE}process P { one: spawn ‸ }`)).toEqual(['Worker']);
        expect(await offered(`${TEMPLATE}process P { one: spawn Wo‸ }`)).toEqual(['Worker']);
    });

    test('offers templates, and no families, as types', async () => {
        const types = await offered(`${TEMPLATE}var x: ‸`);
        expect(types).toContain('Worker');
        expect(types).not.toContain('Main');
    });

    test('offers `self`, parameters and `alive` in a template', async () => {
        const inside = await offered('process Worker(size: 1 .. 2) { go: when ‸ }');
        expect(inside).toEqual(expect.arrayContaining(['self', 'size', 'alive']));
        expect(await offered(`${TEMPLATE}process P { go: when ‸ }`)).not.toContain('self');
    });

    test('offers parameters and locals behind a dot, and labels behind `at`', async () => {
        const declared = `${TEMPLATE}var last: Worker? = none\n`;
        expect(await offered(`${declared}invariant i = last.‸`)).toEqual(['size', 'k']);
        expect(await offered(`${declared}invariant i = last at ‸`)).toEqual(['go']);
    });
});
