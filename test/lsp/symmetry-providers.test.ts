/** Lenses, hovers and diagnostics that speak of symmetry, and how they age with the text. */
import type { LangiumDocument } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import { MarkupContent, type Diagnostic, type Hover } from 'vscode-languageserver';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { analysisDiagnostics } from '../../language-server/lsp/diagnostics/symmetry-diagnostics.js';
import { readSettings } from '../../language-server/settings.js';
import { InProcessServer } from './in-process.js';
import { formatSymmetryCount } from '../../engine/describe/words.js';
import { positionOf } from './language-client.js';
import { rangeIn, RING, RING_REPORT, RING_URI } from './ring.js';

let server: InProcessServer;

beforeEach(() => {
    server = new InProcessServer();
});

function analyzedRing(report = RING_REPORT): Promise<LangiumDocument> {
    return server.openAnalyzed(RING_URI, RING, report);
}

/** Title and line (counted from 1) of each lens. */
async function lenses(document: LangiumDocument): Promise<readonly string[]> {
    const textDocument = { uri: RING_URI };
    const provided = (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument })) ?? [];
    return provided.map(({ range, command }) => `${range.start.line + 1}: ${command?.title ?? ''}`);
}

async function hover(document: LangiumDocument, search: string): Promise<string | undefined> {
    const position = positionOf(document.textDocument.getText(), search);
    const params = { textDocument: { uri: RING_URI }, position };
    const provided: Hover | undefined = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, params);
    return MarkupContent.is(provided?.contents) ? provided.contents.value : undefined;
}

function diagnostics(document: LangiumDocument, settings = readSettings(undefined)): readonly Diagnostic[] {
    const { explained } = server.analysis.findings(document);
    return explained === undefined ? [] : analysisDiagnostics(explained, document, settings);
}

/** Of the broken symmetry that the report of the ring has. */
const LOST = '2: 3 P would be interchangeable without line 18 · fix';

test('after an analysis the lenses name what is lost, what is alike and the commands', async () => {
    expect(await lenses(await analyzedRing())).toEqual([
        LOST,
        '2: Explore',
        '2: 3 P in a ring · about 4.8x fewer states',
        '5: N = 3',
        '5: change',
        '5: sweep',
        '6: values move with P',
        '13: 3 instances, a ring',
        '23: Check',
        '23: keeps 2 of 6 symmetries',
    ]);
});

test('while the first analysis runs, the model can be explored already', async () => {
    server.save(RING_URI);
    const document = await server.write(RING_URI, RING);
    expect(await lenses(document)).toEqual([
        '2: searching for symmetries…',
        '2: Explore',
        '5: N = 3',
        '5: change',
        '5: sweep',
        '23: Check',
    ]);
});

test('the group is shown as soon as it is found; what is said of the places before stays until they are explained', async () => {
    const report = { ...RING_REPORT, order: '3', structure: 'C3' };
    const found = { ...report, broken: [], assertions: [] };
    await analyzedRing();
    const edited = RING.replace('turn == i', 'turn != i');
    const document = await server.write(RING_URI, edited);
    server.save(RING_URI);
    server.find(found);
    expect((await lenses(document))[0]).toBe('2: 3 P in a ring · about 4.8x fewer states');
    expect(diagnostics(document).map(({ code }) => code)).toContain('symmetry/broken');
    await server.answer({ report: { ...report, broken: [] } });
    expect(diagnostics(document).map(({ code }) => code)).not.toContain('symmetry/broken');
});

test('an edit of the model leaves the lenses, at their new places, and says that they are older', async () => {
    await analyzedRing();
    const document = await server.write(RING_URI, `\n${RING.replace('turn == i', 'turn != i')}`);
    const titles = await lenses(document);
    expect(titles).toContain('3: 3 P in a ring · about 4.8x fewer states · edited since');
    expect(titles).toContain('14: 3 instances, a ring');
});

test('an edit that leaves the model as it is leaves the lenses as they are', async () => {
    const before = await lenses(await analyzedRing());
    const document = await server.write(RING_URI, `${RING}// the end\n`);
    expect(await lenses(document)).toEqual(before);
});

test('taking an edit back makes the analysis valid again', async () => {
    const before = await lenses(await analyzedRing());
    await server.write(RING_URI, RING.replace('turn == i', 'turn != i'));
    expect(await lenses(await server.write(RING_URI, RING))).toEqual(before);
});

test('a model with errors keeps the lenses of its last analysis', async () => {
    await analyzedRing();
    const document = await server.write(RING_URI, RING.replace('turn == i', 'turn == nobody'));
    const titles = await lenses(document);
    expect(titles).toContain('2: 3 P in a ring · about 4.8x fewer states · edited since');
});

test('text that is no model has no lenses', async () => {
    expect(await lenses(await server.write(RING_URI, '// nothing\n'))).toEqual([]);
});

test('a hover over a variable shows declaration, documentation, values and symmetry', async () => {
    expect(await hover(await analyzedRing(), 'label')).toBe(
        [
            '```orbit\nvar label: 0 .. 1[Proc] = any\n```',
            '*variable · 3 cells, each 2 values: 0, 1*',
            'Written nowhere. Read nowhere.',
            '**Symmetry**: Values 0 and 1 are interchangeable. Moves with its process.',
            'Orbit of 3 cells: label[0], label[1], label[2].',
            'For example, `P[0]`, `P[1]` and `P[2]` move round by one.',
        ].join('\n\n'),
    );
});

test('a hover over a use is the hover over the declaration', async () => {
    const document = await analyzedRing();
    expect(await hover(document, 'turn == i')).toBe(await hover(document, 'turn: Proc'));
    expect(await hover(document, 'turn == i')).toContain('Whose turn it is.');
});

test('a local has the role of its process', async () => {
    expect(await hover(await analyzedRing(), 'k := !k')).toContain('**Symmetry**: Moves with its process.');
});

test.each([
    ['N: 2', '*parameter, now 3, from 2 to 8*'],
    ['Proc = 0', 'symmetries permute its values, alike wherever they stand (C3).'],
    ['i: Proc', 'process index · 3 values: 0, 1, 2'],
    ['P[i', '3 instances, a ring.'],
    ['safe', 'keeps 2 of 6 symmetries.'],
    ['pass', '*label*'],
    ['pass', '\npass: when turn == i'],
    ['Ring', 'C6 · 6 symmetries; 192 potential states.'],
    ['Ring', '- C6: the 6 values of `Corner` can be rotated'],
    ['Ring', 'About 4.8 reachable states to an orbit, an estimate from random walks.'],
])('a hover over %s says "%s"', async (search, text) => {
    expect(await hover(await analyzedRing(), search)).toContain(text);
});

test('a hover says when its analysis is older than the text', async () => {
    await analyzedRing();
    const document = await server.write(RING_URI, RING.replace('turn == i', 'turn != i'));
    expect(await hover(document, 'label')).toContain('**Symmetry** *(edited since)*: Values 0 and 1');
});

test('a hover over a channel says what symmetry does to it', async () => {
    const text = RING.replace('process P', 'channel link[Proc]: 1 of Proc\n\nprocess P');
    const [variable] = RING_REPORT.variables;
    const link = { ...variable!, name: 'link', roles: ['Moves with its process.'], orbit: ['link[0]', 'link[1]'] };
    const document = await server.openAnalyzed(RING_URI, text, { ...RING_REPORT, variables: [link] });
    expect(await hover(document, 'link')).toContain('**Symmetry**: Moves with its process.');
});

test('a hover over values without end says so, and no group of those that are held at once', async () => {
    const text = `${RING}\nenum Nonce = { .. }\nvar mine: Nonce? = none\n`;
    const [type] = RING_REPORT.types;
    const report = { ...RING_REPORT, types: [{ ...type!, name: 'Nonce' }] };
    const document = await server.openAnalyzed(RING_URI, text, report);
    expect(await hover(document, 'Nonce = {')).toBe(
        [
            '```orbit\nenum Nonce = { .. }\n```',
            '*enumeration · values without end*',
            '**Symmetry**: symmetries permute its values, alike wherever they stand.',
        ].join('\n\n'),
    );
});

test('of a field that is named nowhere a hover does not say that nothing writes it', async () => {
    const text = RING.replace(
        'process P',
        'record Pair = { first: Proc, second: Proc }\nvar pair: Pair = Pair(0, 0)\n\nprocess P',
    ).replace('turn == i', 'turn == i && pair.second == 0 && pair == Pair(0, 1)');
    const document = await server.openAnalyzed(RING_URI, text, RING_REPORT);
    expect(await hover(document, 'first: Proc')).not.toMatch(/nowhere/);
    expect(await hover(document, 'second: Proc')).toMatch(/^Read once, in `P`\.$/m);
});

test('a hover over no name says nothing', async () => {
    expect(await hover(await analyzedRing(), '{')).toBeUndefined();
});

test('a broken symmetry is reported at the guilty expression, with the declaration that suggests it', async () => {
    const [broken] = diagnostics(await analyzedRing());
    const { start, end } = rangeIn('(i + 1) mod N');
    expect(broken).toMatchObject({
        code: 'symmetry/broken',
        severity: 4,
        range: { start, end },
        relatedInformation: [{ message: 'suggests S3 on the instances of P' }],
    });
});

test('what an edit has broken is information, and what was broken before stays a hint', async () => {
    await analyzedRing({ ...RING_REPORT, order: '12', structure: 'D6', broken: [] });
    const document = await server.write(RING_URI, RING.replace('turn == i', 'turn != i'));
    server.save(RING_URI);
    await server.answer({ report: RING_REPORT });
    const severities = (): readonly unknown[] =>
        diagnostics(document)
            .filter(({ code }) => code === 'symmetry/broken')
            .map(({ severity }) => severity);
    expect(severities()).toEqual([3]);
    // Another edit of the same text does not make it usual.
    await server.write(RING_URI, RING.replace('turn == i', 'turn != i && true'));
    server.save(RING_URI);
    await server.answer({ report: RING_REPORT });
    expect(severities()).toEqual([3]);
});

test('a comment that says that it is meant takes it out of the lens', async () => {
    await analyzedRing();
    const place = '(i + 1) mod N';
    const line = RING.split('\n').find(each => each.includes(place)) ?? '';
    const meant = RING.replace(line, `// orbit-ignore symmetry/broken\n${line}`);
    expect((await lenses(await server.write(RING_URI, meant))).join()).not.toContain('would be');
});

test('a property that keeps fewer symmetries is reported at its name', async () => {
    expect(diagnostics(await analyzedRing())[1]).toMatchObject({
        code: 'symmetry/property',
        range: { start: rangeIn('safe').start },
        message: 'safe keeps 2 of 6 symmetries; exploring with it uses only those',
    });
});

test('each of these diagnostics has a setting for its severity', async () => {
    const document = await analyzedRing();
    const settings = { symmetry: { diagnostics: { severity: 'warning' }, properties: { severity: 'off' } } };
    expect(diagnostics(document, readSettings(settings))).toMatchObject([{ code: 'symmetry/broken', severity: 2 }]);
});

test('a diagnostic moves with its place, and goes when its place is edited', async () => {
    await analyzedRing();
    const moved = await server.write(RING_URI, `// moved\n${RING}`);
    expect(diagnostics(moved)[0]?.range.start.line).toBe(rangeIn('(i + 1) mod N').start.line + 1);
    const edited = await server.write(RING_URI, RING.replace('(i + 1)', '(i + 2)'));
    expect(diagnostics(edited).map(diagnostic => diagnostic.code)).toEqual(['symmetry/property']);
});

test('a group that was not searched to the end is a lower bound', async () => {
    const document = await analyzedRing({ ...RING_REPORT, complete: false, broken: [] });
    const titles = await lenses(document);
    expect(titles[0]).toContain('3 P in a ring, the search was stopped');
    expect(titles).toContain('13: 3 instances, a ring, as far as was searched');
    expect(titles.at(-1)).toBe('23: keeps at least 2 of 6 symmetries');
    expect(diagnostics(document)).toEqual([]);
});

test('what is held fixed is a lower bound, too, and marked where it stands', async () => {
    const message = 'pass of P is too large to be compared, so nothing that it touches may move';
    const { start, end } = rangeIn('(i + 1) mod N');
    const range = { uri: RING_URI, start, end };
    const heldFixed = [{ message, range, cells: ['token[0]'] }];
    const document = await analyzedRing({ ...RING_REPORT, complete: false, broken: [], heldFixed });
    expect((await lenses(document)).join()).toContain('3 P in a ring, what is too large to compare is kept in place');
    expect(diagnostics(document)).toMatchObject([
        { code: 'symmetry/held-fixed', severity: 4, range: { start, end }, message },
    ]);
    const settings = readSettings({ symmetry: { diagnostics: { severity: 'off' } } });
    expect(diagnostics(document, settings)).toEqual([]);
    expect(formatSymmetryCount({ ...RING_REPORT, order: '1', complete: false, heldFixed })).toBe(
        'no symmetry found, what is too large to compare is kept in place',
    );
});

const HELD = { message: '`pass` of `P` is too large', range: rangeIn('label'), cells: ['label[0]'] };

test.each<[Partial<SymmetryReport>, string | undefined]>([
    [{ complete: true }, undefined],
    [{ complete: false }, 'No symmetry that was found moves it.'],
    [{ complete: false, heldFixed: [HELD] }, 'It is kept in place: `pass` of `P` is too large.'],
    [{ complete: false, heldFixed: [{ ...HELD, cells: ['turn'] }] }, 'No symmetry that was found moves it.'],
])('of a variable that does not move a report with %j says "%s"', async (report, expected) => {
    const fixed = { ...HELD, name: 'label', roles: [], orbit: [] };
    const document = await analyzedRing({ ...RING_REPORT, variables: [fixed], ...report });
    expect((await hover(document, 'label'))?.split('**Symmetry**: ')[1]).toBe(expected);
});

test('of a model without symmetries nothing is said of what properties keep', async () => {
    const properties = RING_REPORT.properties.map(property => ({ ...property, order: '1', structure: 'trivial' }));
    const document = await analyzedRing({ ...RING_REPORT, order: '1', structure: 'trivial', properties });
    const titles = await lenses(document);
    expect(titles.join()).toContain('no symmetry');
    expect(titles.join()).not.toContain('keeps');
    expect(await hover(document, 'safe')).not.toContain('Symmetry');
    expect(diagnostics(document).map(({ code }) => code)).not.toContain('symmetry/property');
});

test('only where something is lost a property says what it keeps, of long orders rounded', async () => {
    const order = (10n ** 40n).toString();
    const properties = RING_REPORT.properties.map(property => ({ ...property, order }));
    const titles = await lenses(await analyzedRing({ ...RING_REPORT, order, properties }));
    expect(titles.at(-1)).toBe('23: Check');
    const kept = properties.map(property => ({ ...property, order: (10n ** 39n).toString() }));
    server = new InProcessServer();
    const lossy = await lenses(await analyzedRing({ ...RING_REPORT, order, properties: kept }));
    expect(lossy.at(-1)).toBe('23: keeps 1 in 10 symmetries');
});

test('a group that the model refutes is an error of ours: at the model, in its line and in the log', async () => {
    const refuted = { ...RING_REPORT, order: '1', structure: 'trivial', complete: false, refuted: true, broken: [] };
    const document = await analyzedRing(refuted);
    expect((await lenses(document))[0]).toMatch(/^2: symmetry is not used, by a defect of Orbit/);
    const [first] = diagnostics(document);
    expect(first).toMatchObject({ code: 'symmetry/refuted', severity: 1, range: { start: rangeIn('Ring').start } });
    expect(first?.message).toContain('a defect of Orbit and not of the model');
    expect(server.log.some(line => line.includes('a defect of Orbit and not of the model'))).toBe(true);
});

/** The ring with a property of runs and fairness, and what could be said of them. */
const FAIR = RING.replace('process P', 'fair process P').replace('pass:', 'strong fair pass:');
const SERVED = `${FAIR}property served = forall i in Proc: infinitely often turn == i\n`;

function fairReport(): SymmetryReport {
    const rangeOf = (search: string): SourceRange => ({
        uri: RING_URI,
        start: positionOf(SERVED, search),
        end: positionOf(SERVED, search, search.length),
    });
    const runs = { members: 3, orbits: 1, stabilizer: { order: '2', structure: 'C2' }, areProcesses: true } as const;
    const range = rangeOf('served');
    return {
        ...RING_REPORT,
        broken: [],
        properties: [
            { name: 'deadlock', kind: 'deadlock', order: '6', structure: 'C6' },
            { name: 'served', kind: 'property', order: '3', structure: 'C3', range, runs },
        ],
        fairness: {
            constraints: 6,
            orbits: 2,
            keeps: { order: '3', structure: 'C3' },
            places: [
                { range: rangeOf('P[i'), constraints: 3, orbits: 1 },
                { range: rangeOf('pass'), constraints: 3, orbits: 1 },
            ],
            cost: {
                message: 'strong fair pass costs symmetries',
                locations: [{ range: rangeOf('pass'), text: 'strong fair pass' }],
            },
        },
    };
}

test('a temporal property and what is fair have lenses, also after lines above were added', async () => {
    await server.openAnalyzed(RING_URI, SERVED, fairReport());
    const document = await server.write(RING_URI, `// moved\n${SERVED}`);
    const titles = await lenses(document);
    expect(titles.filter(title => /fair|interchangeable/.test(title))).toEqual([
        '14: 3 instances, a ring · fair to each of 3, alike',
        '25: one of 3 interchangeable processes is checked',
        '17: fair to each of 3, alike',
    ]);
    expect(titles).toContain('25: Check');
});

test('hovers over them have the groups', async () => {
    const document = await server.openAnalyzed(RING_URI, SERVED, fairReport());
    expect(await hover(document, 'served')).toContain(
        '**Symmetry**: one of 3 interchangeable processes is checked, with 2 symmetries that keep it (C2).',
    );
    const kept = 'all fairness together keeps 3 of 6 symmetries (C3 of C6).';
    expect(await hover(document, 'P[i')).toContain(`a ring. Fair to each of 3, alike; ${kept}`);
    expect(await hover(document, 'pass')).toContain(`**Symmetry**: Fair to each of 3, alike; ${kept}`);
});

test('fairness that costs symmetries is reported where it stands, and not at the property', async () => {
    const document = await server.openAnalyzed(RING_URI, SERVED, fairReport());
    expect(diagnostics(document)).toMatchObject([
        {
            code: 'symmetry/property',
            range: { start: positionOf(SERVED, 'pass') },
            message:
                'fairness keeps 3 of 6 symmetries; properties of runs are checked with only those: ' +
                'strong fair pass costs symmetries',
        },
    ]);
});
