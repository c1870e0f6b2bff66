/**
 * From a broken symmetry to its fix as an editor does it: the diagnostic, the actions at it, and the text with the edits
 * of one of them, which is analyzed again. The seven places are those of a slip that a modeler makes.
 */
import { describe, expect, test } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createTextOf } from '../../engine/common/source-text.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { analysisDiagnostics } from '../../language-server/lsp/diagnostics/symmetry-diagnostics.js';
import { readSettings } from '../../language-server/settings.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawsAll } from '../cases.js';
import { symmetryOf } from '../model-of-text.js';
import { InProcessServer } from './in-process.js';

const URI = 'file:///model.orbit';
const HEAD = 'model M\nparam N: 2 .. 8 = 4\ntype Id = 0 .. N - 1\n';
const RING = readFileSync(join(import.meta.dirname, '../../models/token-ring.orbit'), 'utf8');

function reportOf(text: string): Promise<SymmetryReport> {
    return symmetryOf(text, { textOf: createTextOf(() => text) }).then(({ report }) => report);
}

interface Offered {
    readonly diagnostics: readonly Diagnostic[];
    /** For the first diagnostic. */
    readonly actions: readonly CodeAction[];
}

async function offeredFor(text: string): Promise<Offered> {
    const server = new InProcessServer();
    const document = await server.openAnalyzed(URI, text, await reportOf(text));
    const { explained } = server.analysis.findings(document);
    const diagnostics =
        explained === undefined ? [] : analysisDiagnostics(explained, document, readSettings(undefined));
    const broken = diagnostics.filter(({ code }) => code === 'symmetry/broken');
    const actions = await server.Orbit.lsp.CodeActionProvider?.getCodeActions(document, {
        textDocument: { uri: URI },
        range: broken[0]!.range,
        context: { diagnostics: broken.slice(0, 1) },
    });
    return { diagnostics: broken, actions: (actions ?? []) as CodeAction[] };
}

/** The text after the action with this title; a click on the light bulb and one on the title. */
function applied({ actions }: Offered, title: string, text: string): string {
    expect(actions.map(action => action.title)).toContain(title);
    const edits = actions.find(action => action.title === title)?.edit?.changes?.[URI] ?? [];
    return TextDocument.applyEdits(TextDocument.create(URI, 'orbit', 1, text), [...edits]);
}

interface Slip {
    readonly text: string;
    readonly title: string;
    /** A part of the text, and what stands there after the fix. */
    readonly before: string;
    readonly after: string;
    /** The instances of this family are all alike after it; the action on them has this name. */
    readonly family: string;
    readonly structure: string;
}

const TANK = (name: string, guard: string): string =>
    `var ${name}: 0 .. 3 = 0\nprocess Tank_${name} { loop { up: when ${guard} || s == 3 { ${name} := s }; down: s := ${name} } }\n`;

const SLIPS: Readonly<Record<string, Slip>> = {
    'a number that is not equal to an index in a guard, as in README': {
        text: RING.replace('rule1: when !leader[u]', 'rule1: when u != 0 && !leader[u]'),
        title: 'Remove u != 0: the ring is back',
        before: 'when u != 0 && !leader[u]',
        after: 'when !leader[u]',
        family: 'Link',
        structure: 'C5',
    },
    'an index that is not equal to a number as the whole guard': {
        text: `${HEAD}var x: 0 .. 2[Id] = 0
process P[i: Id] { loop { step: when i != 1 { x[i] := (x[i] + 1) mod 3 } } }`,
        title: 'Remove i != 1: the symmetry is back',
        before: 'step: when i != 1 { x',
        after: 'step: { x',
        family: 'P',
        structure: 'S4',
    },
    'a number as an index': {
        text: `${HEAD}var x: 0 .. 2[Id] = 0
process P[i: Id] { loop { step: when x[0] < 2 { x[i] := x[i] + 1 }; back: x[i] := 0 } }`,
        title: 'Write i in place of 0: the symmetry is back',
        before: 'when x[0] < 2',
        after: 'when x[i] < 2',
        family: 'P',
        structure: 'S4',
    },
    'a loop that sends in order': {
        text: `${HEAD}channel ch[Id]: 1 of bool
process Leader {
    loop {
        for p in Id { tell: ch[p] ! true }
    }
}
process P[i: Id] { loop { hear: ch[i] ? _ } }`,
        title: 'Go through Id in any order: the symmetry is back',
        before: '        for p in Id { tell: ch[p] ! true }\n',
        after: `        var left: bool[Id] = true
        while exists p in Id: left[p] { choose p in Id where left[p] { tell: ch[p] ! true { left[p] := false } } }
`,
        family: 'P',
        structure: 'S4',
    },
    'a start value': {
        text: `${HEAD}var turn: Id = 0
process P[i: Id] { loop { choose j in Id { pass: when turn == i { turn := j } } } }`,
        title: 'Let turn start with any value: the symmetry is back',
        before: 'var turn: Id = 0',
        after: 'var turn: Id = any',
        family: 'P',
        structure: 'S4',
    },
    'a range without one of the processes': {
        text: `${HEAD}var token: Id = any
process P[i: 0 .. N - 2] { loop { pass: when token == i { token := (i + 1) mod N } } }
allow deadlock`,
        title: 'Let i run through all of Id: the ring is back',
        before: 'P[i: 0 .. N - 2]',
        after: 'P[i: Id]',
        family: 'P',
        structure: 'C4',
    },
};

describe('a fix that brings the symmetry back is two clicks away', () => {
    test.each(Object.entries(SLIPS))('%s', async (_, { text, title, before, after, family, structure }) => {
        expect(text).toContain(before);
        const offered = await offeredFor(text);
        const repaired = applied(offered, title, text);
        expect(repaired).toBe(text.replace(before, () => after));
        const report = await reportOf(repaired);
        expect(report.broken).toEqual([]);
        expect(report.families.find(({ name }) => name === family)).toMatchObject({ structure });
        // The whole action is said of one orbit.
        expect(report.families.find(({ name }) => name === family)?.orbits).toHaveLength(1);
    });

    test.each([
        ['of three processes', ['a', 'b', 'c'], 'Write b < s in place of s < b: the symmetry is back', 'S3'],
        ['of two processes', ['a', 'b'], 'Write b < s in Tank_b, as in Tank_a: the symmetry is back', 'C2'],
    ])('swapped operands in one %s', async (_, names, title, expected) => {
        const tanks = names.map(name => TANK(name, name === 'b' ? 's < b' : `${name} < s`));
        const text = `model M\nvar s: 0 .. 3 = 0\n${tanks.join('')}process Tick { loop { when s < 3 { s := s + 1 } } }\nallow deadlock\n`;
        const repaired = applied(await offeredFor(text), title, text);
        expect(repaired).toBe(text.replace('s < b', 'b < s'));
        const report = await reportOf(repaired);
        expect(report.broken).toEqual([]);
        expect(report).toMatchObject({ structure: expected });
    });

    test('a family that leaves out an instance which another family has', async () => {
        const text = `${HEAD}var busy: bool[Id] = false
process P[i: 1 .. N - 1] { loop { enter: when forall j in Id where j != i: !busy[j] { busy[i] := true }; leave: busy[i] := false } }
process Q[i: Id] { loop { clear: when busy[i] { busy[i] := false } } }`;
        const repaired = applied(await offeredFor(text), 'Let i run through all of Id: the symmetry is back', text);
        expect(repaired).toBe(text.replace('P[i: 1 .. N - 1]', 'P[i: Id]'));
        expect((await reportOf(repaired)).broken).toEqual([]);
    });
});

describe('what is meant', () => {
    const { text } = Object.values(SLIPS)[1]!;
    const title = 'This is meant: ignore symmetry/broken here';

    test('the last action says so in the text, and nothing is reported there any more', async () => {
        const offered = await offeredFor(text);
        expect(offered.actions.at(-1)?.title).toBe(title);
        const meant = applied(offered, title, text);
        expect(meant).toContain('\n// orbit-ignore symmetry/broken\nprocess P[i: Id]');
        const server = new InProcessServer();
        const document = await server.openAnalyzed(URI, meant, await reportOf(meant));
        const { explained } = server.analysis.findings(document);
        expect(explained?.outcome.report?.broken).toHaveLength(1);
        expect(analysisDiagnostics(explained!, document, readSettings(undefined))).toEqual([]);
    });

    test('a comment that comes after the analysis is enough', async () => {
        const server = new InProcessServer();
        await server.openAnalyzed(URI, text, await reportOf(text));
        const document = await server.write(URI, text.replace('process', '// orbit-ignore symmetry/broken\nprocess'));
        const { explained } = server.analysis.findings(document);
        expect(analysisDiagnostics(explained!, document, readSettings(undefined))).toEqual([]);
    });

    test('a comment at the last of several places speaks of all', async () => {
        const twice = `${HEAD}var x: 0 .. 2[Id] = 0
process P[i: Id] { loop { up: when x[i] < 2 && i != 1 { x[i] := x[i] + 1 };
down: when i != 2 { x[i] := 0 } } }
allow deadlock`;
        const { diagnostics } = await offeredFor(twice);
        expect(diagnostics).toHaveLength(1);
        const meant = twice.replace('down:', '// orbit-ignore symmetry/broken\ndown:');
        const server = new InProcessServer();
        const document = await server.openAnalyzed(URI, meant, await reportOf(meant));
        const { explained } = server.analysis.findings(document);
        expect(analysisDiagnostics(explained!, document, readSettings(undefined))).toEqual([]);
    });
});

describe('a difference that is meant', () => {
    /** Messages of the broken symmetries in the report, and of those that the editor shows. */
    async function reported(text: string): Promise<[inReport: number, shown: number]> {
        const report = await reportOf(text);
        const server = new InProcessServer();
        const document = await server.openAnalyzed(URI, text, report);
        const { explained } = server.analysis.findings(document);
        const shown = analysisDiagnostics(explained!, document, readSettings(undefined));
        return [report.broken.length, shown.filter(({ code }) => code === 'symmetry/broken').length];
    }

    test.each([
        ['the order of two values', 'when forall j in Id: x[j] == 0 || i < j { x[i] := 1 - x[i] }', [1, 0]],
        ['one computed from another', 'when i + 1 < N { x[i + 1] := x[i] }', [1, 0]],
        ['a table with different entries', 'when x[i] < most[i] { x[i] := x[i] + 1 }', [1, 0]],
        ['a number', 'when i != 1 { x[i] := 1 - x[i] }', [1, 1]],
        ['the order of a value and a number', 'when i < 3 { x[i] := 1 - x[i] }', [1, 1]],
    ])('%s', async (_, step, expected) => {
        const text = `${HEAD}const most: 0 .. 2[Id] = [1, 2, 1, 2]\nvar x: 0 .. 2[Id] = 0\nprocess P[i: Id] { loop { step: ${step} } }\nallow deadlock\n`;
        expect(await reported(text)).toEqual(expected);
    });

    test('of published models that order their values one start value is all that is left', async () => {
        const counts: Record<string, number> = {};
        for (const name of [
            'bakery',
            'chang-roberts',
            'elevator',
            'hanoi',
            'szymanski',
            ...(drawsAll ? ['paxos-single', 'three-tier'] : []),
        ]) {
            const text = readFileSync(join(import.meta.dirname, `../../models/${name}.orbit`), 'utf8');
            const [inReport, shown] = await reported(text);
            expect(inReport).toBeGreaterThan(0);
            counts[name] = shown;
        }
        expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([['hanoi', 1]]);
    });
});
