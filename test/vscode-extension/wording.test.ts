/** What the result panel says of a verdict. */
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import {
    caveatOf,
    describeKept,
    limitWords,
    describeRetraced,
    describeSearch,
    describeStates,
    explain,
    howChecked,
    listSome,
    nameGroup,
    notesOn,
    outcomesOf,
    repairsOf,
} from '../../vscode-extension/webview/wording.js';

const HOLDS: ExploreDocument = {
    schemaVersion: 1,
    model: 'Lock',
    params: {},
    verdict: 'holds',
    reduction: { group: 'S3', order: '6', start: 'kept', startOrder: '6', strategy: 'sort', unique: true },
    passes: [],
    states: 1234,
    transitions: 2345,
    depth: 7,
    deadlocks: 0,
    seconds: 0.1,
    statesPerSecond: 12340,
    bytesPerState: 16,
    peakBytes: 655360,
    workers: 1,
    violations: [],
};
const UNREDUCED: ExploreDocument = {
    ...HOLDS,
    reduction: { group: '1', order: '1', start: 'kept', startOrder: '1', strategy: 'none', unique: true },
};
const VIOLATION = {
    kind: 'invariant' as const,
    name: 'alone',
    location: { file: 'm', line: 1, column: 1, endLine: 1, endColumn: 2 },
    trace: [],
};

test('a property that holds is named, and what a stored state stands for', () => {
    expect(explain({ ...HOLDS, checked: ['deadlock', 'alone'], allStates: '7000' }, undefined)).toBe(
        'No deadlock, alone hold in all 7,000 states; 1,234 explored (5.7x).',
    );
    expect(explain({ ...UNREDUCED, checked: ['alone'] }, 'alone')).toBe('alone holds in all 1,234 states.');
    expect(explain({ ...UNREDUCED, checked: ['deadlock'] }, 'deadlock')).toBe('No deadlock in all 1,234 states.');
});

test('violations are counted', () => {
    const violated = (violations: ExploreDocument['violations']): string =>
        explain({ ...UNREDUCED, verdict: 'violated', violations }, undefined);
    expect(violated([VIOLATION])).toBe('1 violation among 1,234 states.');
    expect(explain({ ...UNREDUCED, states: 1 }, undefined)).toBe('No fault in its one state.');
    expect(violated([VIOLATION, VIOLATION])).toBe('2 violations among 1,234 states.');
});

test.each([
    ['states', 50_000_000, 'The limit of 50,000,000 states was reached', 'orbit.explore.maximumStates'],
    ['memory', 2 ** 31, 'The limit of 2.0 GB of memory was reached', 'orbit.explore.maximumMemory'],
    ['time', 600, 'The time limit of 10 min 0 s was reached', 'orbit.explore.timeLimit'],
    ['work', 20_000_000, 'Finding the representative of one state took more than 20,000,000 steps', undefined],
    ['numbers', 1024, 'Some state needs more than 1,024 different numbers', undefined],
    ['thread', 0, 'A thread of the search has ended', 'orbit.explore.maximumThreads'],
])('a limit of %s is named with its unit, and the setting that lets the search go on', (kind, value, text, setting) => {
    const found = limitWords({ kind, value });
    expect([found.text.slice(0, text.length), found.setting]).toEqual([text, setting]);
    expect(explain({ ...UNREDUCED, verdict: 'undecided', limit: { kind, value } }, undefined)).toBe(
        'No violation was found in 1,234 states; nothing down to depth 5.',
    );
});

test('steps that no run takes are named up to a number, and why a model was interpreted is said', () => {
    const step = (label: string) => ({ process: 'P', label, location: VIOLATION.location });
    const unreached = Array.from({ length: 10 }, (_, index) => step(`l${index}`));
    expect(notesOn({ ...HOLDS, unreached, interpretedBecause: 'a cell is too long' })).toEqual([
        'The model was interpreted: a cell is too long.',
        'Never taken: P l0, P l1, P l2, P l3, P l4, P l5, P l6, P l7, and 2 more.',
    ]);
    expect(notesOn(HOLDS)).toEqual([]);
});

test('distinct states are counted, and those that are reached are estimated', () => {
    const states = { potentialStates: '32768', potentialOrbits: '3280' };
    const estimate = (statesPerOrbit: number) => ({ statesPerOrbit, standardError: 1, states: 100, walks: 16 });
    expect(describeStates({ ...states, reachableEstimate: estimate(9.84) })).toEqual([
        '3,280 of 32,768 potential states are distinct.',
        'About 9.8 reachable states to an orbit, an estimate from 16 random walks.',
    ]);
    expect(describeStates({ ...states, reachableEstimate: estimate(33621.9) })[1]).toContain('About 33,622 reachable');
    expect(describeStates({ potentialStates: '8', potentialOrbitsMissing: 'there are too many symmetries' })).toEqual([
        'How many of 8 potential states are distinct was not computed: there are too many symmetries.',
    ]);
});

test.each([
    [{ order: '10', structure: 'C10', complete: true }, 'C10 · 10 symmetries', undefined],
    [{ order: '1', structure: 'trivial', complete: true }, 'No symmetry', undefined],
    [
        { order: '6', structure: 'order 6', complete: true, undescribed: true } as const,
        'order 6 · 6 symmetries',
        /time limit .* before everything was described/,
    ],
    [
        { order: '6', structure: 'S3', complete: false },
        'S3 · at least 6 symmetries',
        /time limit .* more symmetries than these\.$/,
    ],
    [
        { order: '1', structure: 'trivial', complete: false },
        'No symmetry found',
        /time limit .* symmetries all the same\.$/,
    ],
    [
        { order: '6', structure: 'S3', complete: false, heldFixed: [] },
        'S3 · at least 6 symmetries',
        /^What is too large to compare is kept in place/,
    ],
    [
        { order: '1', structure: 'trivial', complete: false, refuted: true } as const,
        'Symmetry is not used',
        /a defect of Orbit and not of the model/,
    ],
])('the group %j is called "%s"', (group, name, caveat) => {
    expect(nameGroup(group)).toBe(name);
    if (caveat === undefined) {
        expect(caveatOf(group)).toBeUndefined();
    } else {
        expect(caveatOf(group)).toMatch(caveat);
    }
});

test('what a property keeps is counted beside what the model has', () => {
    const mutex = { name: 'mutex', order: '16', structure: 'D4 x C2' };
    expect(describeKept(mutex, { order: '48' })).toBe('`mutex` keeps 16 of 48 symmetries, D4 x C2');
    expect(describeKept(mutex, { order: '16' })).toBe('`mutex` keeps all 16 symmetries');
});

test('where symmetries were looked for is said, and that they were checked where there are some', () => {
    const graph = { vertices: 2013, edges: 1 };
    const where = 'in a colored graph of 2,013 vertices and 1 edge';
    expect(describeSearch({ generators: [], graph, verified: true })).toBe(`Searched ${where}.`);
    const generators = [{ cycles: '(P[0] P[1])', moves: [] }];
    expect(describeSearch({ generators, graph, verified: true })).toBe(
        `Found ${where}; each generator was checked against the model.`,
    );
    expect(describeSearch({ generators, graph, verified: false })).toMatch(/the generators were not checked\.$/);
});

test('of many names the first are listed and the others counted', () => {
    const names = Array.from({ length: 14 }, (_, index) => `x[${index}]`);
    expect(listSome(names.slice(0, 2))).toBe('x[0], x[1]');
    expect(listSome(names)).toMatch(/^x\[0\], .*, x\[11\] and 2 more$/);
});

test('of a run that is tried on an edited text it is said what has become of it', () => {
    const entry = { step: null, state: {}, changed: [] };
    const earlier = { ...VIOLATION, trace: [entry, entry, entry] };
    const { kind, name, location } = VIOLATION;
    const violation = { kind, name, location };
    const said = (retraced: Parameters<typeof describeRetraced>[0]): string => describeRetraced(retraced, earlier);
    expect(said({ steps: 2, violation })).toBe('It is still a run: `alone` is violated after 2 steps, as before.');
    expect(said({ steps: 1, violation })).toBe('It is a run up to step 1: `alone` is violated after 1 step.');
    expect(said({ steps: 2 })).toBe('It is still a run, and nothing is violated in it any more.');
    expect(said({ steps: 1, stop: '`P enter` is not possible here; nothing is' })).toBe(
        'It stops before step 2: `P enter` is not possible here; nothing is.',
    );
});

const SERVED = {
    name: 'served',
    kind: 'property',
    verdict: 'holds',
    states: 18,
    transitions: 57,
    members: 4,
    membersChecked: 1,
    reduction: { group: 'S2', order: '2', start: 'kept', startOrder: '2', strategy: 'sort', unique: true },
} as const;

test('a property of runs is explained by its own search and symmetries', () => {
    expect(explain({ ...HOLDS, properties: [SERVED] }, 'served')).toBe('served holds in 18 orbits.');
    expect(outcomesOf({ properties: [SERVED] }, 'served')).toEqual(['one of 4 interchangeable checked']);
    expect(outcomesOf({ properties: [SERVED] }, undefined)).toEqual([
        '`served`: holds · 18 orbits · S2, 2 symmetries · one of 4 interchangeable checked',
    ]);
    expect(outcomesOf(HOLDS, undefined)).toEqual([]);
});

test('instances of one family have one repair, of a step or of the process', () => {
    const unfair = [
        { process: 'P[1]', label: 'enter', kind: 'strong' },
        { process: 'P[2]', label: 'enter', kind: 'strong' },
        { process: 'Q', kind: 'weak' },
    ] as const;
    expect(repairsOf(unfair).map(({ words, place }) => `${words} ${place}`)).toEqual([
        'strong fair enter:',
        'fair process Q',
    ]);
});

test('a run that violated a property is still a run, which says nothing about the property', () => {
    const earlier = { ...VIOLATION, kind: 'property' as const, name: 'served', loopStart: 0 };
    expect(describeRetraced({ steps: 0 }, earlier)).toBe(
        'It is still a run; whether `served` allows it now, an exploration says.',
    );
});

test('of created instances it says how many there were at once, and where there are too many', () => {
    const templates = [
        { name: 'Handler', mostLive: 4, mostNamed: 4, slots: 4 },
        { name: 'Leap', mostLive: 2, mostNamed: 3, slots: 4 },
        { name: 'Rest', mostLive: 0, mostNamed: 0, slots: 2 },
    ];
    expect(notesOn({ ...HOLDS, templates })).toEqual([
        'Instances: Handler at most 4 at once, Leap at most 2 at once (3 with those that are only named), no Rest.',
    ]);
    expect(explain({ ...HOLDS, templates }, undefined)).toBe('No fault in 1,234 states, renamed ones not counted.');
    expect(limitWords({ kind: 'instances', value: 64, template: 'Handler' })).toEqual({
        text: 'More than 64 instances of Handler live or are named at once',
    });
});

test('how an answer for every value was found: views, their check, instances, and what stands against a proof', () => {
    const common = {
        schemaVersion: 1,
        model: 'Lock',
        params: { N: 'all' },
        forAll: ['N'],
        invariants: ['alone'],
        notForAll: [],
        extra: 1,
        violations: [],
        seconds: 0.4,
    } as const;
    const exact = [1, 2].map(N => ({ params: { N }, verdict: 'holds', states: 3, deadlocks: 0 }) as const);
    const proof = { verdict: 'holds', views: 8, viewSize: 1, configurations: 14, rechecked: true, exact } as const;
    expect(howChecked({ ...common, ...proof })).toEqual([
        'Checked for every N: `alone`, faults of steps.',
        '8 views of 1 member prove it, from 14 configurations, and were checked again.',
        'Explored as they are: N = 1 .. 2.',
    ]);
    const suspicion = { viewSize: 3, kind: 'invariant', name: 'alone' };
    expect(howChecked({ ...common, verdict: 'undecided', exact: [], suspicion }).slice(1)).toEqual([
        'Views of 3 members do not exclude a violation of `alone`.',
    ]);
});

test('a count that no line has room for is rounded', () => {
    const order = '7'.repeat(90);
    expect(nameGroup({ order, structure: 'S64 x C2', complete: true })).toBe(
        'S64 x C2 · about 7.78 × 10^89 symmetries',
    );
});
