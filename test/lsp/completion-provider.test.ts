import { beforeAll, expect, test } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer, withCursor } from './in-process.js';

const URI = 'file:///completion.orbit';

let server: InProcessServer;

beforeAll(async () => {
    server = new InProcessServer();
    await server.initialize();
});

const DECLARATIONS = `model M
/// How many there are.
param N: 2 .. 8 = 3
type Proc = 0 .. N - 1
enum Color = { red, green }
/// Whose turn it is.
var turn: Proc = 0
var light: Color[Proc] = red
event go[Proc]
record Node = { locked: bool, next: Proc? }
var node: Node[Proc]
channel request[Proc]: 2 of Node
/// The one after i.
function after(i: Proc): Proc = (i + 1) mod N
invariant safe = turn < N
`;

/** What is offered at the cursor, in a text after some declarations. */
async function offered(marked: string): Promise<readonly CompletionItem[]> {
    const { text, position } = withCursor(DECLARATIONS + marked);
    const document = await server.write(URI, text);
    const params = { textDocument: { uri: URI }, position };
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, params);
    return list?.items ?? [];
}

async function names(marked: string): Promise<readonly string[]> {
    const items = await offered(marked);
    return items.filter(item => item.detail !== 'keyword' && item.detail !== 'snippet').map(item => item.label);
}

async function keywords(marked: string): Promise<readonly string[]> {
    return (await offered(marked)).filter(item => item.detail === 'keyword').map(item => item.label);
}

test('the declarations can begin everywhere between declarations', async () => {
    expect(await keywords('‸')).toEqual(expect.arrayContaining(['param', 'type', 'var', 'process', 'invariant']));
    expect(await keywords('‸')).not.toContain('loop');
});

test('words about runs are offered in properties, where they can stand', async () => {
    const before = ['always', 'eventually', 'infinitely often', 'possible'];
    const behind = ['until', 'weak until', 'leads to'];
    expect(await keywords('property p = ‸')).toEqual(expect.arrayContaining(before));
    expect(await keywords('assume a = forall i in Proc: always ‸')).toEqual(expect.arrayContaining(before));
    expect(await keywords('property p = turn == 0 ‸')).toEqual(expect.arrayContaining(behind));
    const words = [...before, ...behind, 'takes'];
    for (const text of ['invariant q = ‸', 'invariant q = turn == 0 ‸', 'process P { loop { when turn == 0 ‸']) {
        expect((await keywords(text)).filter(word => words.includes(word))).toEqual([]);
    }
});

test('behind takes, the labels and events of the process are offered', async () => {
    const process = 'process P[i: Proc] { loop { choose { enter: turn := i } or { go[i] } } }\n';
    expect(await keywords(`${process}property p = infinitely often P[0] ‸`)).toContain('takes');
    expect(await names(`${process}property p = infinitely often P[0] takes ‸`)).toEqual(['enter', 'go']);
});

test('a type is a type, never a variable', async () => {
    const candidates = await names('var next: ‸');
    expect(candidates).toEqual(expect.arrayContaining(['Proc', 'Color']));
    expect(candidates).not.toContain('turn');
    expect(candidates).not.toContain('go');
});

test('a guard sees the shared variables, the indices and the values of enumerations', async () => {
    const candidates = await names('process P[i: Proc] { when ‸');
    expect(candidates).toEqual(expect.arrayContaining(['turn', 'light', 'red', 'i', 'N']));
    expect(candidates).not.toContain('safe');
    expect(candidates).not.toContain('go');
});

test('a step can begin with a variable to assign or an event, not with a parameter', async () => {
    const candidates = await names('process P[i: Proc] { loop { ‸ } }');
    expect(candidates).toEqual(expect.arrayContaining(['turn', 'light', 'go']));
    expect(candidates).not.toContain('N');
    expect(candidates).not.toContain('Proc');
});

test('words that may serve as names are not offered where a label can stand', async () => {
    const candidates = await keywords('process P[i: Proc] { loop { ‸ } }');
    expect(candidates).toEqual(expect.arrayContaining(['loop', 'when']));
    expect(candidates).not.toContain('model');
    expect(candidates).not.toContain('deadlock');
});

test('a value to assign is an expression', async () => {
    const candidates = await names('process P[i: Proc] { loop { turn := ‸ } }');
    expect(candidates).toEqual(expect.arrayContaining(['turn', 'i', 'N']));
    expect(candidates).not.toContain('go');
});

test('after a guard comes an event, after a label a step', async () => {
    expect(await names('process P[i: Proc] { loop { when turn == i ‸ } }')).toEqual(['go', 'request']);
    expect(await names('process P[i: Proc] { loop { enter: ‸ } }')).toEqual(expect.arrayContaining(['turn', 'go']));
});

test('inside a step nothing can be an event', async () => {
    const candidates = await names('process P[i: Proc] { loop { when true { ‸ } } }');
    expect(candidates).toContain('turn');
    expect(candidates).not.toContain('go');
});

test('after a step another one can begin', async () => {
    const step = 'when true { turn := 0 }';
    expect(await names(`process P[i: Proc] { loop { ${step} ‸ } }`)).toEqual(expect.arrayContaining(['turn', 'go']));
});

test('a quantifier ranges over a type', async () => {
    const candidates = await names('invariant i = count(p in ‸');
    expect(candidates).toEqual(expect.arrayContaining(['Proc', 'Color']));
    expect(candidates).not.toContain('turn');
});

test('locals are offered in their process only', async () => {
    const text = 'process P[i: Proc] { var mine: bool = false loop { when ';
    expect(await names(`${text}‸`)).toContain('mine');
    expect(await names(`${text}mine } } process Q { loop { when ‸`)).not.toContain('mine');
});

test('after at come the labels of the process', async () => {
    const process = 'process P[i: Proc] { loop { enter: turn := 0; leave: turn := 1 } }\n';
    expect([...(await names(`${process}invariant i = P[0] at ‸`))].sort()).toEqual(['enter', 'leave']);
});

test('a name comes with its declaration and its documentation', async () => {
    const items = await offered('invariant other = tu‸');
    expect(items.find(item => item.label === 'turn')).toMatchObject({
        detail: 'var turn: Proc = 0',
        documentation: { value: 'Whose turn it is.' },
    });
});

test('steps, loops and processes come as snippets too', async () => {
    const snippets = async (marked: string): Promise<readonly string[]> =>
        (await offered(marked)).filter(item => item.detail === 'snippet').map(item => item.label);
    expect(await snippets('‸')).toEqual(expect.arrayContaining(['process', 'process family', 'invariant']));
    expect(await snippets('process P { ‸ }')).toEqual(expect.arrayContaining(['loop', 'step', 'choose', 'while']));
    expect(await snippets('invariant i = ‸')).toEqual(expect.arrayContaining(['forall', 'count', 'if then else']));
});

test('nothing is offered inside a comment', async () => {
    expect(await offered('var x: bool // tu‸')).toEqual([]);
});

test('after a dot come the fields of the record', async () => {
    expect([...(await names('invariant i = node[0].‸'))].sort()).toEqual(['locked', 'next']);
    expect([...(await names('process P[i: Proc] { loop { node[i].ne‸ } }'))].sort()).toEqual(['next']);
    expect(await names('process P[i: Proc] { loop { when true { node[i].‸ } } }')).toEqual(['locked', 'next']);
});

test('a call is of a function, a record or what is built in', async () => {
    const items = await offered('invariant i = af‸');
    expect(items.find(item => item.label === 'after')).toMatchObject({
        detail: 'function after(i: Proc): Proc = (i + 1) mod N',
        documentation: { value: 'The one after i.' },
        textEdit: { newText: 'after($0)' },
    });
    expect(await names('invariant i = ‸')).toEqual(expect.arrayContaining(['after', 'Node', 'min', 'len']));
});

test('channels can be sent to and received from', async () => {
    const items = await offered('process P[i: Proc] { loop { ‸ } }');
    expect(items.map(item => item.label)).toEqual(expect.arrayContaining(['request', 'request !', 'request ?']));
    expect(items.find(item => item.label === 'request !')?.textEdit?.newText).toBe('request[${1:i}] ! ${0:message}');
});

test('values of the expected type come first', async () => {
    for (const text of [
        'process P[i: Proc] { loop { light[i] := ‸ } }',
        'invariant i = light[0] == ‸',
        'var other: Color = ‸',
    ]) {
        const items = await offered(`enum Shape = { round, square }\n${text}`);
        const sortTexts = Object.fromEntries(items.map(item => [item.label, item.sortText ?? '']));
        expect([text, sortTexts]).toMatchObject([text, { red: '0', turn: '1', round: '2' }]);
    }
});

test('names are found in the text as it is, also where nothing has been built since', async () => {
    const text = `${DECLARATIONS}process P[i: Proc] { loop { when true { skip } } }`;
    const document = await server.write(URI, text);
    const edited = withCursor(text.replace('when true', 'when forall other in Proc: ‸'));
    server.Orbit.shared.workspace.TextDocuments.set(TextDocument.create(URI, 'orbit', 99, edited.text));
    const params = { textDocument: { uri: URI }, position: edited.position };
    const list = await server.Orbit.lsp.CompletionProvider?.getCompletion(document, params);
    expect(list?.items.map(item => item.label)).toEqual(expect.arrayContaining(['other', 'turn']));
});

test('words of the language come with what they mean', async () => {
    const items = await offered('process P { ‸ }');
    expect(items.find(item => item.label === 'terminate')?.documentation).toMatchObject({ value: 'Ends the process.' });
});
