/** The server for assistants is offered to an editor that takes one, and what is offered is what the package brings. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';

class Definition {
    readonly given: readonly unknown[];

    constructor(...given: readonly unknown[]) {
        this.given = given;
    }
}

interface Offered {
    readonly id: string;
    readonly provider: { readonly provideMcpServerDefinitions: () => readonly object[] };
}

const editor: { lm: object | undefined; McpStdioServerDefinition: unknown; workspace: object } = {
    lm: undefined,
    McpStdioServerDefinition: undefined,
    workspace: {},
};
vi.mock('vscode', () => editor);
const { offerMcpServer } = await import('../../vscode-extension/mcp-server.js');

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly mcpServerDefinitionProviders: readonly { readonly id: string }[] };
};

let offers: Offered[];

beforeEach(() => {
    offers = [];
    editor.lm = {
        registerMcpServerDefinitionProvider: (id: string, provider: Offered['provider']) => {
            offers.push({ id, provider });
            return { dispose: () => undefined };
        },
    };
    editor.McpStdioServerDefinition = Definition;
    editor.workspace = { workspaceFolders: [{ uri: { scheme: 'memfs' } }, { uri: { scheme: 'file', path: '/w' } }] };
});

test('the command line of the package, in the first folder on disk', () => {
    expect(offerMcpServer('/extension/dist/cli.cjs', '0.1.0')).toBeDefined();
    expect(offers.map(({ id }) => id)).toEqual(manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id));
    const [definition] = offers[0]!.provider.provideMcpServerDefinitions();
    expect(definition).toMatchObject({
        given: ['Orbit', process.execPath, ['/extension/dist/cli.cjs', 'mcp'], { ELECTRON_RUN_AS_NODE: '1' }, '0.1.0'],
        cwd: { path: '/w' },
    });
    editor.workspace = {};
    expect(offers[0]!.provider.provideMcpServerDefinitions()[0]).not.toHaveProperty('cwd');
});

test('an editor without the interface is offered nothing', () => {
    editor.lm = undefined;
    expect(offerMcpServer('cli.cjs', '0.1.0')).toBeUndefined();
    editor.lm = {};
    expect(offerMcpServer('cli.cjs', '0.1.0')).toBeUndefined();
    editor.McpStdioServerDefinition = undefined;
    expect(offerMcpServer('cli.cjs', '0.1.0')).toBeUndefined();
    expect(offers).toEqual([]);
});

test('an editor that refuses the offer keeps the extension', () => {
    editor.lm = {
        registerMcpServerDefinitionProvider: () => {
            throw new Error('"orbit.mcp" was not registered');
        },
    };
    expect(offerMcpServer('cli.cjs', '0.1.0')).toBeUndefined();
});

test('the package has what the command line needs', () => {
    const packed = readFileSync('.vscodeignore', 'utf8').split('\n');
    expect(packed).toEqual(expect.arrayContaining(['!dist/cli.cjs', '!dist/orbit.cjs', '!dist/manual.json']));
});
