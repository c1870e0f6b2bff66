/** `assert symmetric`: decided by the model and not by the generators found, and explained where it fails. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { domainSize } from '../../engine/model/domain.js';
import { analyze, type AnalysisOptions, type SymmetryAnalysis } from '../../engine/pipeline.js';
import { identityOf, indexTypes } from '../../engine/symmetry/declared-action.js';
import { memberActionOf } from '../../engine/describe/member-action.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { cases, drawsAll } from '../cases.js';
import { symmetryOf } from '../model-of-text.js';
import { closure } from '../reference/brute-force-group.js';
import { printModel } from '../reference/print.js';

/** The verdict of the only assertion and the places that stand against it, as the model writes them. */
async function decide(text: string, options?: Partial<AnalysisOptions>): Promise<[string, string[]]> {
    const [assertion] = (await symmetryOf(text, options)).report.assertions;
    invariant(assertion !== undefined, 'the model asserts something');
    return [assertion.verdict, assertion.locations.map(location => location.text)];
}

/** Workers that paint their tiles in the colors of the moment. */
function painters(flaw: string, asserted: string): string {
    return `
model Painters
enum Color = { red, green, blue }
type Id = 0 .. 3
record Job = { by: Id, color: Color where true }
var paint: Color[Id] = any
var last: Job? = none
process P[i: Id] {
    loop { when (last == none || last != Job(i, paint[i])) ${flaw} { last := Job(i, paint[i]) } }
}
assert symmetric ${asserted}
`;
}

describe('what holds', () => {
    test.each(['P', 'values of Id', 'values of Color', 'values of paint'])('symmetric %s', async asserted => {
        expect(await decide(painters('', asserted))).toEqual(['holds', []]);
    });

    test('for instances that have neither locals nor places of their own', async () => {
        const text =
            'model M var n: 0 .. 3 = 0 process P[i: 0 .. 5] { loop { when n < 3 { n := n + 1 } } } allow deadlock';
        expect(await decide(`${text} assert symmetric P`)).toEqual(['holds', []]);
    });

    test('for values that can only be exchanged together with processes', async () => {
        const text = `
model Tickets
type Id = 0 .. 2
var holder: Id? = none
process P[i: Id] { loop { when holder == none { holder := i }; when holder == i { holder := none } } }
assert symmetric values of holder
`;
        expect(await decide(text)).toEqual(['holds', []]);
    });

    test('for a family with one instance', async () => {
        expect(await decide('process P[i: 0 .. 0] { loop { skip } } assert symmetric P')).toEqual(['holds', []]);
    });
});

describe('what fails names its places', () => {
    test.each([
        ['P', '&& i != 2', ['i != 2']],
        ['values of Id', '&& i != 2', ['i != 2']],
        ['values of Color', '&& paint[i] != red', ['paint[i] != red']],
        ['values of paint', '&& paint[i] != red', ['paint[i] != red']],
    ])('symmetric %s with `%s`', async (asserted, flaw, places) => {
        expect(await decide(painters(flaw, asserted))).toEqual(['fails', places]);
    });

    test('a flaw of another type leaves it', async () => {
        expect(await decide(painters('&& i != 2', 'values of Color'))).toEqual(['holds', []]);
        expect(await decide(painters('&& paint[i] != red', 'P'))).toEqual(['holds', []]);
    });

    test('two places where neither alone is to blame', async () => {
        const text = painters('&& (i != 2 || paint[i] != red) && i < 3', 'P');
        expect(await decide(text)).toEqual(['fails', ['i != 2', 'i < 3']]);
    });

    test('a ring is not interchangeable', async () => {
        const text = `
type Id = 0 .. 3
var token: bool[Id] = false
process P[i: Id] { loop { when !token[(i + 1) mod 4] { token[i] := !token[i] } } }
assert symmetric P
`;
        const { report } = await symmetryOf(text);
        expect(report.assertions).toMatchObject([{ verdict: 'fails', text: 'assert symmetric P' }]);
        expect(report.assertions[0]?.message).toContain(
            'they have C4, not S4; without `(i + 1) mod 4` they would be interchangeable',
        );
    });

    test('a value that nothing ever has is no value like the others', async () => {
        const text = `
enum Color = { red, green, blue }
var x: Color in { red, green }
process P { loop { when x == red { x := green }; when x == green { x := red } } }
assert symmetric values of x
`;
        const [assertion] = (await symmetryOf(text)).report.assertions;
        expect(assertion?.message).toContain('`blue` is a value that nothing ever has');
        expect(assertion?.verdict).toBe('fails');
    });
});

test('a value that a variable always has is unlike the others of its type', async () => {
    const text = `
enum Color = { red, green }
var fixed: Color = red
var x: Color = any
process P { loop { when x == red { x := green }; when x == green { x := red } } }
`;
    expect((await decide(`${text} assert symmetric values of Color`))[0]).toBe('fails');
    const moving = text.replace('when x == red { x := green }; when x == green { x := red }', '{ x := red; x := x }');
    expect((await decide(`${moving} assert symmetric values of x`))[0]).toBe('fails');
    const free = moving.replace('x := red; x := x', 'x := if x == red then green else red');
    expect((await decide(`${free} assert symmetric values of x`))[0]).toBe('holds');
    expect((await decide(`${free} assert symmetric values of Color`))[0]).toBe('fails');
});

test('a search that was ended decides nothing', async () => {
    expect(await decide(painters('', 'P'), { workLimit: { isExhausted: () => true } })).toEqual(['undecided', []]);
});

test('processes and variables may be called symmetric and values', async () => {
    const text = `
var symmetric: bool[2] = any
process values[i: 0 .. 1] { loop { symmetric[i] := !symmetric[i] } }
`;
    expect(await decide(`${text} assert symmetric values`)).toEqual(['holds', []]);
    expect(await decide(`${text} assert symmetric values of symmetric`)).toEqual(['holds', []]);
});

/** The group on the values of a variable by definition: all elements of the group that treat its cells alike. */
function valueMapsOf({ group, constraints }: SymmetryAnalysis, variable: number, size: number): Set<string> {
    const { cells } = constraints.sequential;
    const own = cells.flatMap((cell, index) => (cell.kind === 'shared' && cell.variable === variable ? [index] : []));
    const degree = group.firstPoint[group.cellCount] ?? 0;
    const cellOf = (point: number) =>
        group.firstPoint.findIndex((first, cell) => first <= point && point < (group.firstPoint[cell + 1] ?? 0));
    const generators = group.generators.map(({ points, images }) => {
        const dense = Array.from({ length: degree }, (_, point) => point);
        points.forEach((point, index) => (dense[point] = images[index] ?? point));
        return dense;
    });
    const maps = new Set<string>();
    for (const element of closure(generators, degree)) {
        const map = new Map<number, number>();
        const isUniform = own.every(cell =>
            (group.codes[cell] ?? []).every((code, position) => {
                const image = element[(group.firstPoint[cell] ?? 0) + position] ?? -1;
                const target = cellOf(image);
                const imageCode = group.codes[target]?.[image - (group.firstPoint[target] ?? 0)] ?? -1;
                const known = map.get(code) ?? imageCode;
                map.set(code, imageCode);
                return own.includes(target) && known === imageCode;
            }),
        );
        // All values must occur: a map of some of them is no permutation of all.
        if (isUniform && map.size === size) {
            maps.add([...map].sort(([a], [b]) => a - b).join(';'));
        }
    }
    return maps;
}

test(
    'the action on the values of a variable is that of all symmetries, for random models',
    { timeout: 120_000 },
    async () => {
        let compared = 0;
        for (const declared of fc.sample(models(), { seed: 7, numRuns: cases(100) })) {
            const { model } = await loadModel(printModel(declared), 'file:///model.orbit');
            const symmetry = model && analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false }).symmetry;
            if (model === undefined || symmetry === undefined) {
                continue;
            }
            if (symmetry.group.order > 60n || !symmetry.report.complete || symmetry.constraints.pinned.length > 0) {
                continue;
            }
            model.variables.forEach(({ element }, variable) => {
                const size = domainSize(element);
                const listed = symmetry.constraints.sequential.cells.every(
                    (cell, index) =>
                        cell.kind !== 'shared' ||
                        cell.variable !== variable ||
                        (symmetry.group.codes[index]?.length ?? 0) === size,
                );
                // Constants and `none` are not among what is exchanged; the definition above knows nothing of them.
                if (size < 2 || !listed || element.kind === 'optional') {
                    return;
                }
                const action = memberActionOf(
                    { kind: 'variable-values', variable },
                    model,
                    symmetry.encoding,
                    UNLIMITED,
                );
                expect(action.order).toBe(BigInt(valueMapsOf(symmetry, variable, size).size));
                compared++;
            });
        }
        expect(compared).toBeGreaterThanOrEqual(cases(25));
    },
);

test(
    'the action on the members of every declaration has what the generators do to them',
    { timeout: 120_000 },
    async () => {
        let compared = 0;
        for (const declared of fc.sample(models(), { seed: 11, numRuns: cases(75) })) {
            const { model } = await loadModel(printModel(declared), 'file:///model.orbit');
            const symmetry = model && analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false }).symmetry;
            if (model === undefined || symmetry === undefined) {
                continue;
            }
            for (const { name, instances, order } of symmetry.report.families) {
                const process = model.processes.findIndex(known => known.name === name);
                const action = memberActionOf({ kind: 'instances', process }, model, symmetry.encoding, UNLIMITED);
                expect(action.members).toHaveLength(instances);
                expect(action.order % BigInt(order)).toBe(0n);
                compared++;
            }
            for (const { domain, name } of model.types) {
                const action = memberActionOf({ kind: 'type-values', domain }, model, symmetry.encoding, UNLIMITED);
                expect(action.members).toHaveLength(domainSize(domain));
                // The values of an index type move the instances, and not every symmetry that moves values does.
                const isIndex = indexTypes(model).some(index => identityOf(index) === identityOf(domain));
                const structure = symmetry.report.types.find(type => type.name === name)?.action?.structure;
                if (structure !== undefined && !isIndex) {
                    expect(action.structure).toBe(structure);
                }
                compared++;
            }
        }
        expect(compared).toBeGreaterThanOrEqual(cases(50));
    },
);

test('a limit that comes before the answer does not say that there is no symmetry', async () => {
    const text =
        'model Painters\ntype Id = 0 .. 3\nvar x: 0 .. 2[Id] = 0\nprocess P[i: Id] { loop { x[i] := 1; x[i] := 2 } }\nassert symmetric P\n';
    const answer = 'the instances of `P` are interchangeable: S4';
    const messages = new Set<string>();
    for (let questions = 100; questions < 1500 && !messages.has(answer); questions += drawsAll ? 5 : 10) {
        const { report } = await symmetryOf(text, { workLimit: withinQuestions(UNLIMITED, questions) });
        if (report.complete && report.verified && report.structure === 'S4') {
            report.assertions.forEach(({ message }) => messages.add(message));
        }
    }
    expect([...messages]).toEqual([
        'it is not known whether the instances of `P` are interchangeable: the search was ended by its limit',
        answer,
    ]);
});
