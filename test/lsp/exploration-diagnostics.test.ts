/** Violations and hints from explorations in the text, and that they go with the text they belong to. */
import { expect, test } from 'vitest';
import { DiagnosticSeverity, type CodeAction } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { explorationDiagnostics } from '../../language-server/lsp/diagnostics/exploration-diagnostics.js';
import { fairnessEdits } from '../../language-server/lsp/diagnostics/make-fair.js';
import type { KnownExploration } from '../../language-server/analysis/explorations.js';
import { InProcessServer } from './in-process.js';
import { RING, RING_URI } from './ring.js';

const UNREACHED = {
    process: 'P',
    label: 'enter',
    location: { file: RING_URI, line: 3, column: 5, endLine: 3, endColumn: 10 },
};

function exploration(
    unreached: readonly (typeof UNREACHED)[] | undefined,
    isStale = false,
    violations: unknown[] = [],
) {
    return { isStale, document: { unreached, violations } } as unknown as KnownExploration;
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

const LINE_3 = { file: RING_URI, line: 3, column: 5, endLine: 3, endColumn: 10 };

const DEADLOCK = {
    kind: 'deadlock',
    name: 'deadlock',
    location: { file: RING_URI, line: 1, column: 7, endLine: 1, endColumn: 11 },
    trace: [{}, {}, {}],
    reason: [
        { text: 'The 2 `P` wait.' },
        {
            text: '`P[0]` waits for `a`',
            location: LINE_3,
            alike: { text: 'and 1 more, likewise', lines: [{ text: '`P[1]` waits for `a`', location: LINE_3 }] },
        },
    ],
};

test('a violation is an error with its reason, told once, with the places of the reason', async () => {
    const document = await new InProcessServer().write(RING_URI, RING);
    const explorations = [exploration(undefined, false, [DEADLOCK]), exploration(undefined, false, [DEADLOCK])];
    const at = { uri: RING_URI, range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } } };
    expect(explorationDiagnostics(explorations, document)).toEqual([
        {
            severity: DiagnosticSeverity.Error,
            code: 'explore/deadlock',
            range: { start: { line: 0, character: 6 }, end: { line: 0, character: 10 } },
            message: 'Deadlock after 2 steps:\nThe 2 P wait.\nP[0] waits for a (and 1 more, likewise)',
            source: 'orbit',
            data: { violated: 'deadlock' },
            relatedInformation: [
                { message: 'P[0] waits for a', location: at },
                { message: 'P[1] waits for a', location: at },
            ],
        },
    ]);
    expect(explorationDiagnostics([exploration(undefined, true, [DEADLOCK])], document)).toEqual([]);
});

const FAIR_URI = 'file:///fair.orbit';
const FAIR = `model Lock
type Proc = 1 .. 2
var free: bool = true
fair process P[i: Proc] {
    loop {
        try: skip;
        end enter: when free { free := false }
        leave: free := true
    }
}
property served = forall i in Proc: P[i] at enter leads to P[i] at leave
`;

test.each([
    ['strong', 'enter', 'strong fair enter:', 'end enter:', 'end strong fair enter:'],
    ['weak', 'enter', 'fair enter:', 'end enter:', 'end fair enter:'],
    ['strong', undefined, 'strong fair process P', 'fair process', 'strong fair process'],
] as const)('a run that is unfair (%s, %s) is excluded by `%s`', async (kind, label, words, before, after) => {
    const server = new InProcessServer();
    const document = await server.write(FAIR_URI, FAIR);
    const step = { process: 'P[1]', kind, ...(label !== undefined && { label }) };
    const location = { file: FAIR_URI, line: 11, column: 10, endLine: 11, endColumn: 16 };
    const violation = {
        kind: 'property',
        name: 'served',
        location,
        trace: [{}, {}, {}],
        loopStart: 0,
        // The same text excludes what another instance never takes.
        unfair: [step, { ...step, process: 'P[2]' }],
    };
    const [diagnostic] = explorationDiagnostics([exploration(undefined, false, [violation])], document);
    expect(diagnostic).toMatchObject({
        code: 'explore/violated',
        message: 'served is violated by a run that repeats 2 steps for ever',
    });
    const actions = (await server.Orbit.lsp.CodeActionProvider?.getCodeActions(document, {
        textDocument: { uri: FAIR_URI },
        range: diagnostic!.range,
        context: { diagnostics: [diagnostic!] },
    })) as CodeAction[];
    expect(actions.map(({ title }) => title)).toEqual([
        'Open run',
        'Step through the model from its start',
        `Exclude this run: \`${words}\``,
    ]);
    const edits = actions[2]?.edit?.changes?.[FAIR_URI] ?? [];
    const fair = FAIR.replace(before, after);
    expect(TextDocument.applyEdits(TextDocument.create(FAIR_URI, 'orbit', 0, FAIR), edits)).toBe(fair);
    // What is fair already is offered nothing.
    const fixed = await server.write(FAIR_URI, fair);
    expect(fairnessEdits(step, fixed).edits).toEqual([]);
});

test('what an exploration finds to be odd is a warning', async () => {
    const document = await new InProcessServer().write(RING_URI, RING);
    const warning = { ...LINE_3, severity: 'warning', code: 'assume/no-run', message: 'no run satisfies them' };
    const known = { isStale: false, document: { violations: [], warnings: [warning] } } as unknown as KnownExploration;
    expect(explorationDiagnostics([known, known], document)).toMatchObject([
        { severity: DiagnosticSeverity.Warning, code: 'assume/no-run', range: { start: { line: 2, character: 4 } } },
    ]);
});

test('a violation leads to its run and to the first step, and a deadlock can be allowed', async () => {
    const server = new InProcessServer();
    const document = await server.write(RING_URI, RING);
    const actionsFor = async (violation: unknown): Promise<readonly CodeAction[]> => {
        const [diagnostic] = explorationDiagnostics([exploration(undefined, false, [violation])], document);
        const actions = await server.Orbit.lsp.CodeActionProvider?.getCodeActions(document, {
            textDocument: { uri: RING_URI },
            range: diagnostic!.range,
            context: { diagnostics: [diagnostic!] },
        });
        return (actions ?? []) as CodeAction[];
    };
    const deadlock = await actionsFor(DEADLOCK);
    expect(deadlock.map(({ title, command }) => [title, command?.arguments])).toEqual([
        ['Open run', [RING_URI, 'deadlock']],
        ['Step through the model from its start', [RING_URI]],
        ['This is meant: a state without a step is allowed', undefined],
    ]);
    const edits = deadlock[2]?.edit?.changes?.[RING_URI] ?? [];
    const allowed = TextDocument.applyEdits(TextDocument.create(RING_URI, 'orbit', 0, RING), edits);
    expect(allowed).toBe(`${RING}\nallow deadlock\n`);
    const violated = await actionsFor({ ...DEADLOCK, kind: 'invariant', name: 'safe' });
    expect(violated.map(({ command }) => command?.arguments)).toEqual([[RING_URI, 'safe'], [RING_URI]]);
});
