/** What is asked while a document is built again with the same text: its names have no meaning until they are linked. */
import { DocumentState, URI } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { chooseParameters } from '../../language-server/lsp/parameters.js';
import { InProcessServer } from './in-process.js';

const CALLING = 'file:///calling.orbit';
const CALLED = 'file:///called.orbit';
const NONE = new CancellationTokenSource().token;

const FUNCTION = 'function next(i: 0 .. 9): 0 .. 9 = (i + 1) mod 10';
const RENAMED = FUNCTION.replace('next', 'other');
const CALLER = `import "called.orbit"
param N: 1 .. 9 = 2
param M: 1 .. 9 = 2
type P = 1 .. N
var x: 0 .. 9 = 0
process W[p: P] { loop { s: when x < M { x := next(x) } } }
allow deadlock
invariant small = x < 10
`;

let server: InProcessServer;

beforeEach(async () => {
    server = new InProcessServer();
    await server.write(CALLED, FUNCTION);
    server.save(CALLING);
    await server.write(CALLING, CALLER);
});

/** Renames what is called, and asks when that file is parsed and nothing is linked yet; there is time for an answer. */
async function whileRebuilt<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    let asked: Promise<Answer> | undefined;
    const subscription = server.Orbit.shared.workspace.DocumentBuilder.onDocumentPhase(
        DocumentState.Parsed,
        async () => {
            subscription.dispose();
            asked = ask();
            await Promise.race([asked, new Promise(resolve => setTimeout(resolve, 50))]);
        },
    );
    await server.write(CALLED, RENAMED);
    if (asked === undefined) {
        throw new Error('the file was not parsed');
    }
    return asked;
}

function diagnostics(): unknown {
    return server.Orbit.shared.workspace.LangiumDocuments.getDocument(URI.parse(CALLING))?.diagnostics;
}

const UNRESOLVED = { code: 'name/unresolved', message: expect.stringContaining('next') as string };

// The names were linked by the check: "a checked call is one of a function or a record".
test('a sweep waits until the document is built, and tells what is wrong', async () => {
    const range = { name: 'N', first: 3, last: 3 };
    const params = { uri: CALLING, reduction: 'unique', runId: 'r', range, continueAfterViolation: false } as const;
    const swept = await whileRebuilt(() => server.analysis.sweep(params, () => undefined, NONE));
    expect(swept).toMatchObject({ problems: { problems: [UNRESOLVED] } });
});

// The same in the build, which came to no end.
test('a choice of values leaves the names as they are', async () => {
    const params = { uri: CALLING, parameters: { N: '3' } };
    expect(await whileRebuilt(() => chooseParameters(params, server.Orbit.shared))).toEqual({ problems: [] });
    expect(diagnostics()).toMatchObject([UNRESOLVED]);
});

// Its models would have names that were linked before the file was parsed.
test('a family is not made from a document that is built again', async () => {
    const answer = await whileRebuilt(() => server.analysis.everySize({ uri: CALLING, names: ['N'] }, NONE));
    expect(answer).toMatchObject({ document: { problems: [UNRESOLVED] } });
});
