/** What the quick fixes make of a text. */
import { CodeActionKind, type CodeAction, type Diagnostic } from 'vscode-languageserver';
import { beforeAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer } from './in-process.js';

const URI = 'file:///fix.orbit';

let server: InProcessServer;

beforeAll(() => {
    server = new InProcessServer();
});

interface Fixable {
    readonly text: string;
    readonly diagnostic: Diagnostic;
    readonly actions: readonly CodeAction[];
}

/** The first diagnostic with a code, and what is offered for it. */
async function fixable(text: string, code: string): Promise<Fixable> {
    const document = await server.write(URI, text);
    const diagnostics = document.diagnostics ?? [];
    const diagnostic = diagnostics.find(each => each.code === code);
    if (diagnostic === undefined) {
        throw new Error(`no ${code} among ${diagnostics.map(each => `${each.code} ${each.message}`).join('\n')}`);
    }
    const actions = await server.Orbit.lsp.CodeActionProvider?.getCodeActions(document, {
        textDocument: { uri: URI },
        range: diagnostic.range,
        context: { diagnostics: [diagnostic] },
    });
    return { text, diagnostic, actions: (actions ?? []) as CodeAction[] };
}

function applied(action: CodeAction | undefined, text: string): string {
    const edits = action?.edit?.changes?.[URI];
    if (edits === undefined) {
        throw new Error('there is no such action');
    }
    return TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 0, text), edits);
}

const HEAD = 'model M\nvar x: 0 .. 3 = 0\n';
const CHANNEL =
    'param K: 1 .. 3 = 1\nvar k: 0 .. K\nrecord Message = { kind: 0 .. K, bit: bool }\nchannel ch: 1 of Message\n';
const CASES =
    'enum Message = { ask(from: 1 .. 2), done }\nvar sent: set of Message = {}\nprocess P { sent := { done } }\n';
const TAIL = 'process P { loop { here: x := 0 } }\n';

// prettier-ignore
const FIXES: readonly (readonly [code: string, title: string, before: string, after: string])[] = [
    ['name/unresolved', 'Replace by `level`', `${HEAD}var level: bool\nprocess P { loop { lvel := true } }`, `${HEAD}var level: bool\nprocess P { loop { level := true } }`],
    ['name/unresolved', 'Declare the variable `count1` in process `Q`', `${HEAD}${TAIL}\n// Q\nprocess Q { loop { count1 := 7 } }\n`, `${HEAD}${TAIL}\n// Q\nprocess Q { var count1: 0 .. 7 loop { count1 := 7 } }\n`],
    ['name/unresolved', 'Declare the shared variable `turn`', `${HEAD}${TAIL}\n// Q\nprocess Q { turn := 1 }\nprocess R { turn := 2 }\n`, `${HEAD}${TAIL}\nvar turn: 0 .. 2\n\n// Q\nprocess Q { turn := 1 }\nprocess R { turn := 2 }\n`],
    ['name/unresolved', 'Declare the shared variable `done`', `${HEAD}process P { done := true }\ninvariant i = !done\n`, `${HEAD}var done: bool\n\nprocess P { done := true }\ninvariant i = !done\n`],
    ['name/unresolved', 'Declare the variable `v` in process `P`', `${CHANNEL}process P {\n    loop { ch ? v }\n}\n`, `${CHANNEL}process P {\n    var v: Message\n    loop { ch ? v }\n}\n`],
    ['name/unresolved', 'Declare the variable `v` in process `P`', `${CHANNEL}process P {\n    var w: Message // the last one\n    // Receives.\n    loop { w := v; ch ? v }\n}\n`, `${CHANNEL}process P {\n    var w: Message // the last one\n    var v: Message\n    // Receives.\n    loop { w := v; ch ? v }\n}\n`],
    ['name/unresolved', 'Declare the variable `b` in process `P`', `${CHANNEL}process P { loop { ch ? (k, b) } }\n`, `${CHANNEL}process P { var b: bool loop { ch ? (k, b) } }\n`],
    ['name/unresolved', 'Declare the variable `b` in process `P`', `${CHANNEL}process P { loop { ch ? Message(k, b) } }\n`, `${CHANNEL}process P { var b: bool loop { ch ? Message(k, b) } }\n`],
    ['name/unresolved', 'Declare the variable `old` in this step', `${HEAD}process P {\n    loop {\n        {\n            old := x;\n            x := 0;\n            x := old\n        }\n    }\n}\n`, `${HEAD}process P {\n    loop {\n        {\n            var old: 0 .. 3\n            old := x;\n            x := 0;\n            x := old\n        }\n    }\n}\n`],
    ['name/unresolved', 'Declare the variable `old` in this step', `${HEAD}process P { loop { { old := x + 1; x := old } } }`, `${HEAD}process P { loop { { var old: 0 .. 3 old := x + 1; x := old } } }`],
    ['name/unresolved', 'Declare the variable `r` in this function', `function f(a: bool): bool { r := a; return r }\n${HEAD}${TAIL}`, `function f(a: bool): bool { var r: bool r := a; return r }\n${HEAD}${TAIL}`],
    ['name/unresolved', 'Replace by `here`', `${HEAD}${TAIL}invariant i = P at her`, `${HEAD}${TAIL}invariant i = P at here`],
    ['name/unresolved', 'Label the step in line 3 `start`', `${HEAD}process P { loop { x := 0 } }\ninvariant i = P at start`, `${HEAD}process P { loop { start: x := 0 } }\ninvariant i = P at start`],
    ['case/order', 'Insert `where m is ask`', `${CASES}invariant i = exists m in sent: m.from == 1`, `${CASES}invariant i = exists m in sent where m is ask: m.from == 1`],
    ['syntax/missing-semicolon', 'Insert `;`', `${HEAD}process P { loop { x := 0 x := 1 } }`, `${HEAD}process P { loop { x := 0; x := 1 } }`],
    ['syntax/chained-comparison', 'Replace by `0 <= x && x < 2`', `${HEAD}${TAIL}invariant i = 0 <= x < 2`, `${HEAD}${TAIL}invariant i = 0 <= x && x < 2`],
    ['syntax/unexpected', 'Insert `where`', `${HEAD}${TAIL}invariant i = forall j in 0 .. 2 j != 1: x >= j`, `${HEAD}${TAIL}invariant i = forall j in 0 .. 2 where j != 1: x >= j`],
    ['syntax/unexpected', 'Replace by `:=`', `${HEAD}process P { loop { x = 1 } }`, `${HEAD}process P { loop { x := 1 } }`],
    ['syntax/unexpected', 'Replace by `==`', `${HEAD}process P { loop { when x = 1 { x := 2 } } }`, `${HEAD}process P { loop { when x == 1 { x := 2 } } }`],
    ['syntax/unexpected', 'Replace by `==`', `${HEAD}process P { loop { if x = 1 { x := 2 } } }`, `${HEAD}process P { loop { if x == 1 { x := 2 } } }`],
    ['syntax/unexpected', 'Replace by `==`', `${HEAD}${TAIL}invariant i = x = 2`, `${HEAD}${TAIL}invariant i = x == 2`],
    ['syntax/unexpected', 'Replace by `implies`', `${HEAD}${TAIL}invariant i = x > 1 => x > 0`, `${HEAD}${TAIL}invariant i = x > 1 implies x > 0`],
    ['syntax/unexpected', 'Replace by `!=`', `${HEAD}${TAIL}invariant i = x <> 2`, `${HEAD}${TAIL}invariant i = x != 2`],
    ['syntax/character', 'Replace by `<=`', `${HEAD}${TAIL}invariant i = x ≤ 2`, `${HEAD}${TAIL}invariant i = x <= 2`],
    ['syntax/unexpected', 'Replace by `:=`', `${HEAD}process P { loop { when x == 1 { x = 2 } } }`, `${HEAD}process P { loop { when x == 1 { x := 2 } } }`],
    ['syntax/unexpected', 'Replace by `&&`', `${HEAD}${TAIL}invariant i = x > 0 and x < 2`, `${HEAD}${TAIL}invariant i = x > 0 && x < 2`],
    ['syntax/unexpected', 'Insert `)`', `${HEAD}${TAIL}invariant i = (x > 0\ninvariant j = true`, `${HEAD}${TAIL}invariant i = (x > 0\n)invariant j = true`],
    ['syntax/unexpected', 'Replace by `choose`', `${HEAD}process P { loop { either { x := 1 } or { x := 2 } } }`, `${HEAD}process P { loop { choose { x := 1 } or { x := 2 } } }`],
    ['syntax/unexpected', 'Replace by `==`', `${HEAD}process P { loop { if x := 1 { x := 2 } } }`, `${HEAD}process P { loop { if x == 1 { x := 2 } } }`],
    ['syntax/unexpected', 'Replace by `implies`', `${HEAD}${TAIL}invariant i = x > 1 -> x > 0`, `${HEAD}${TAIL}invariant i = x > 1 implies x > 0`],
    ['syntax/unexpected', 'Replace by `;`', `${HEAD}process P { loop { x := 1, x := 2 } }`, `${HEAD}process P { loop { x := 1; x := 2 } }`],
    ['syntax/unexpected', 'Replace by `var a: bool[0 .. 2]`', `${HEAD}var a[3]: bool = false\n${TAIL}`, `${HEAD}var a: bool[0 .. 2] = false\n${TAIL}`],
    ['syntax/unexpected', 'Insert `}`', `${HEAD}process P {\n    loop {\n        x := 1\n    }\ninvariant i = x > 0\n`, `${HEAD}process P {\n    loop {\n        x := 1\n    }\n}\n\ninvariant i = x > 0\n`],
    ['syntax/unexpected', 'Insert `}`', `${HEAD}process P {\n    x := 1`, `${HEAD}process P {\n    x := 1\n}\n`],
    ['process/self-outside', 'Replace by `i`', `${HEAD}process P[i: 0 .. 2] { loop { x := self } }`, `${HEAD}process P[i: 0 .. 2] { loop { x := i } }`],
    ['reference/no-first-value', 'Replace by `W?[0 .. 1]`', `var w: W[0 .. 1]\nprocess P { loop { w[0] := spawn W() } }\nprocess W() { skip }\n`, `var w: W?[0 .. 1]\nprocess P { loop { w[0] := spawn W() } }\nprocess W() { skip }\n`],
    ['name/unresolved', 'Replace by `P[p].t`', `process P[i: 0 .. 2] { var t: bool; loop { t := true } }\ninvariant i = forall p in 0 .. 2: t`, `process P[i: 0 .. 2] { var t: bool; loop { t := true } }\ninvariant i = forall p in 0 .. 2: P[p].t`],
    ['type/out-of-range', 'Replace by `3`', `${HEAD}type Id = 0 .. 3\nvar i: Id\nprocess P { loop { i := 7 } }`, `${HEAD}type Id = 0 .. 3\nvar i: Id\nprocess P { loop { i := 3 } }`],
    ['type/out-of-range', 'Replace by `3`', `${HEAD}process P { loop { x := 12 } }`, `${HEAD}process P { loop { x := 3 } }`],
    ['type/out-of-range', 'Replace by `(x + 4) mod 4`', `${HEAD}process P { loop { x := x + 4 } }`, `${HEAD}process P { loop { x := (x + 4) mod 4 } }`],
    ['type/not-a-type', 'Replace by `0 .. N - 1`', `${HEAD}param N: 1 .. 3 = 2\nvar a: N\n${TAIL}`, `${HEAD}param N: 1 .. 3 = 2\nvar a: 0 .. N - 1\n${TAIL}`],
    ['parameter/no-value', 'Begin with `2`', `${HEAD}param N: 2 .. 3\n${TAIL}`, `${HEAD}param N: 2 .. 3 = 2\n${TAIL}`],
    ['model/not-first', 'Move to the top', 'var x: 0 .. 3 = 0\nmodel M\n' + TAIL, `model M\n\nvar x: 0 .. 3 = 0\n${TAIL}`],
    ['process/unreachable', 'Remove this', `${HEAD}process P {\n    loop { x := 1 }\n    // later\n    x := 2\n}\n`, `${HEAD}process P {\n    loop { x := 1 }\n}\n`],
    ['process/break-outside-loop', 'Replace by `terminate`', `${HEAD}process P { x := 1; break }\n`, `${HEAD}process P { x := 1; terminate }\n`],
    ['property/unclear', 'Write `(always eventually x > 0) && x < 3`', `${HEAD}${TAIL}property p = always eventually x > 0 && x < 3`, `${HEAD}${TAIL}property p = (always eventually x > 0) && x < 3`],
    ['property/unclear', 'Write `always eventually (x > 0 && x < 3)`', `${HEAD}${TAIL}property p = always eventually x > 0 && x < 3`, `${HEAD}${TAIL}property p = always eventually (x > 0 && x < 3)`],
    ['property/unclear', 'Write `x > 0 leads to (x < 3 implies x > 1)`', `${HEAD}${TAIL}property p = x > 0 leads to x < 3 implies x > 1`, `${HEAD}${TAIL}property p = x > 0 leads to (x < 3 implies x > 1)`],
    ['property/unclear', 'Write `(x > 0 until x < 3) until x > 1`', `${HEAD}${TAIL}property p = x > 0 until x < 3 until x > 1`, `${HEAD}${TAIL}property p = (x > 0 until x < 3) until x > 1`],
    ['property/no-run-word', 'Make it an invariant', `${HEAD}${TAIL}property p = x > 0`, `${HEAD}${TAIL}invariant p = x > 0`],
    ['property/no-run-word', 'Put `always` before it', `${HEAD}${TAIL}property p = x > 0`, `${HEAD}${TAIL}property p = always (x > 0)`],
    ['property/takes', 'Replace by `here`', `${HEAD}${TAIL}property p = infinitely often P takes her`, `${HEAD}${TAIL}property p = infinitely often P takes here`],
    ['syntax/unexpected', 'Replace by `leads to`', `${HEAD}${TAIL}property p = x > 1 ~> x > 0`, `${HEAD}${TAIL}property p = x > 1 leads to x > 0`],
    ['syntax/unexpected', 'Replace by `always`', `${HEAD}${TAIL}property p = [] (x > 1)`, `${HEAD}${TAIL}property p = always (x > 1)`],
    ['unused/constant', 'Remove `c`', `${HEAD}/// Never used.\nconst c = 3\n${TAIL}`, `${HEAD}${TAIL}`],
    ['unused/constant', 'Ignore unused/constant here', `${HEAD}const c = 3\n${TAIL}`, `${HEAD}// orbit-ignore unused/constant\nconst c = 3\n${TAIL}`],
    ['process/test-and-step', 'Make the test a step of its own', `${HEAD}process P[i: 0 .. 1] {\n    loop {\n        while x == 1 { }\n        enter: x := 1\n    }\n}\n`, `${HEAD}process P[i: 0 .. 1] {\n    loop {\n        while x == 1 { }\n        skip;\n        enter: x := 1\n    }\n}\n`],
    ['property/tested-label', 'Make the test a step', `${HEAD}process P[i: 0 .. 1] {\n    enter: x := i;\n    if x == i { leave: x := 2 }\n}\ninvariant i = !(P[0] at leave && P[1] at leave)\n`, `${HEAD}process P[i: 0 .. 1] {\n    enter: x := i;\n    if x == i { skip; leave: x := 2 }\n}\ninvariant i = !(P[0] at leave && P[1] at leave)\n`],
    ['process/test-and-step', 'Make the test a step of its own', `${HEAD}process P[i: 0 .. 1] {\n    if x == 1 { x := 2 }\n}\n`, `${HEAD}process P[i: 0 .. 1] {\n    if x == 1 { skip; x := 2 } else { skip }\n}\n`],
];

test.each(FIXES)('%s: %s', async (code, title, before, after) => {
    const { text, actions } = await fixable(before, code);
    expect(actions.map(action => action.title)).toContain(title);
    const action = actions.find(each => each.title === title);
    expect(action?.kind).toBe(CodeActionKind.QuickFix);
    expect(applied(action, text)).toBe(after);
});

test.each(FIXES)('%s: after “%s” the problem is gone', async (code, title, before) => {
    const { text, actions, diagnostic } = await fixable(before, code);
    const document = await server.write(
        URI,
        applied(
            actions.find(action => action.title === title),
            text,
        ),
    );
    expect(document.diagnostics?.filter(each => each.message === diagnostic.message)).toEqual([]);
});

test.each([
    ['a channel', 'process P { loop { ch ! 1 } }'],
    ['an event', 'process P { loop { go { x := 1 } } }'],
    ['a type', 'process P { var t: Kind loop { t := 1 } }'],
    ['a record', 'process P { loop { r.first := 1 } }'],
])('no variable is declared for what is %s', async (_, text) => {
    const { actions } = await fixable(`${HEAD}${text}`, 'name/unresolved');
    expect(actions.filter(({ title }) => title.startsWith('Declare'))).toEqual([]);
});

test('a message that does not say what to write in place of its text has no such fix', async () => {
    const choice = await fixable(
        `${HEAD}${TAIL}property p = eventually (if always x > 1 then x > 0 else true)`,
        'property/place',
    );
    expect(choice.diagnostic.message).toContain('write `(c implies a) && (!c implies b)`');
    expect(choice.actions.map(({ title }) => title)).toEqual([]);
    const array = await fixable(`${HEAD}const c: 0 .. 3[2] = [1, 2 + 7]\nvar y: 0 .. 3[2] = c\n`, 'type/out-of-range');
    expect(array.actions.map(({ title }) => title)).toEqual([]);
});

test('a fix is offered once', async () => {
    const { actions } = await fixable(`${HEAD}${TAIL}invariant i = P at her`, 'name/unresolved');
    expect(actions.map(({ title }) => title)).toEqual(['Replace by `here`']);
});

test('an error cannot be ignored', async () => {
    const { actions } = await fixable(`${HEAD}process P { loop { something := 1 } }`, 'name/unresolved');
    expect(actions.filter(({ title }) => title.startsWith('Ignore'))).toEqual([]);
});
