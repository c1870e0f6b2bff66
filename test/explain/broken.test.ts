/**
 * Broken symmetries, one model each in the folder `broken`, annotated with what is said of it (see ../fixture.ts).
 * By the whole detection, the model as the engine neutralizes it has the symmetry, and not with fewer places changed.
 * The text repaired by its lines `//! repair 7: …` has nothing broken any more.
 */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { factorial, isIdentity, permutation } from '../../engine/group/permutation.js';
import { tryStabilizerChain } from '../../engine/group/stabilizer-chain.js';
import { domainSize, formatDomain, valuesOfDomain, type Domain } from '../../engine/model/domain.js';
import type { Model } from '../../engine/model/model.js';
import { analyze } from '../../engine/pipeline.js';
import type { Instance } from '../../engine/sequential/sequential-model.js';
import { keyOfPlace } from '../../engine/explain/places.js';
import { neutralize } from '../../engine/explain/neutralize.js';
import type { PlaceReport, SymmetryReport } from '../../engine/describe/report.js';
import { symmetryProblems } from '../../language-server/lsp/diagnostics/symmetry-problems.js';
import { drawsAll } from '../cases.js';
import { annotate, isAnnotation } from '../fixture.js';
import { imagesOf } from '../images-of-cycles.js';
import { modelOf } from '../model-of-text.js';

const FOLDER = join(import.meta.dirname, 'broken');
const FIXTURES = readdirSync(FOLDER).filter(name => name.endsWith('.orbit'));
const REPAIR = /^\/\/! repair (\d+): ?(.*)$/gm;

function reportOf(model: Model, text?: string): SymmetryReport {
    return analysisOf(model, text).report;
}

/** A model with its processes made instances, and what is said of it. */
interface Analyzed {
    readonly model: Model;
    readonly instances: readonly Instance[];
    readonly report: SymmetryReport;
}

function analysisOf(model: Model, text?: string): Analyzed {
    const textOf = createTextOf(() => text);
    const { symmetry, sequential, problems } = analyze(model, {
        now: () => 0,
        workLimit: UNLIMITED,
        textOf,
        explain: text !== undefined,
    });
    invariant(symmetry !== undefined && sequential !== undefined, problems.map(({ message }) => message).join());
    return { model, instances: sequential.instances, report: symmetry.report };
}

/** What is broken in a report: an assertion or what a declaration suggests. */
interface Broken {
    readonly keys: readonly string[];
    readonly isThereIn: (analyzed: Analyzed) => boolean;
}

function keysOf(locations: readonly PlaceReport[]): string[] {
    return locations.flatMap(({ range, kind }) => (kind === undefined ? [] : [keyOfPlace({ kind, range })]));
}

function brokenIn(report: SymmetryReport): Broken[] {
    return [
        ...report.assertions.flatMap(({ text, verdict, locations }): Broken[] =>
            verdict !== 'fails'
                ? []
                : [
                      {
                          keys: keysOf(locations),
                          isThereIn: ({ report: other }) =>
                              other.assertions.some(known => known.text === text && known.verdict === 'holds'),
                      },
                  ],
        ),
        ...report.broken.map(({ subject, expected, locations }) => ({
            keys: keysOf(locations),
            isThereIn: (other: Analyzed) => hasSymmetry(other, subject, expected),
        })),
    ];
}

/** By the generators: that together they move the instances of a family so, or processes in all ways. */
function hasSymmetry({ model, instances, report }: Analyzed, subject: string, expected: string): boolean {
    const [, family] = /^instances of (\w+)$/.exec(subject) ?? [];
    if (family === undefined) {
        const [, names] = /^processes (\w+(?:, \w+)* and \w+)$/.exec(subject) ?? [];
        invariant(names !== undefined, 'what is broken is a family or processes');
        const numbers = new Map(names.split(/, | and /).map((name, index) => [name, index]));
        const exchanges = report.generators.map(({ cycles }) => permutation(imagesOf(cycles, numbers)));
        const found = tryStabilizerChain(exchanges, numbers.size, {})!;
        return isAll(movesOf(`S${numbers.size}`, numbers.size), move => found.contains(permutation(move)));
    }
    const process = model.processes.find(({ name }) => name === family);
    const found = report.families.find(({ name }) => name === family);
    invariant(process !== undefined && found !== undefined, 'the family is declared');
    const own = instances.filter(instance => model.processes[instance.process] === process);
    const numbers = new Map(own.map(({ name }, index) => [name, index]));
    const moves = report.generators.map(({ cycles }) => permutation(imagesOf(cycles, numbers)));
    const isAllTold =
        expected === `S${own.length}` && found.orbits.length === 1 && BigInt(found.order) === factorial(own.length);
    if (isAllTold && moves.some(isIdentity)) {
        // They move in their steps with others only, and it is not said of each generator how.
        return true;
    }
    const group = tryStabilizerChain(moves, own.length, {})!;
    const isThere = (images: readonly number[]): boolean => !images.includes(-1) && group.contains(permutation(images));
    const domains = process.indices.map(({ domain }) => domain);
    const rows = own.map(({ indices }) => indices.flatMap((value, index) => parts(domains[index]!, value)));
    const types = domains.flatMap(typesOf);
    return expected
        .split(' x ')
        .every(
            name =>
                isAll(movesOf(name, own.length), isThere) ||
                types.some(type => isAll(movesOf(name, domainSize(type)), move => isThere(moved(type, move)))),
        );

    /** Where the instances go when the values of a type go where `images` says; -1 where nobody is. */
    function moved(type: Domain, images: readonly number[]): number[] {
        const values = valuesOfDomain(type);
        const keys = rows.map(row => row.join());
        return rows.map(row => {
            const target = row.map((value, index) =>
                formatType(types[index]!) === formatType(type) ? values[images[values.indexOf(value)]!] : value,
            );
            return keys.indexOf(target.join());
        });
    }
}

function isAll<Element>(elements: readonly Element[], holds: (element: Element) => boolean): boolean {
    return elements.length > 0 && elements.every(holds);
}

/** The values of an index, those of its fields where it is a record. */
function parts(domain: Domain, value: number): readonly number[] {
    return domain.kind === 'record' ? domain.tuples[value]! : [value];
}

function typesOf(domain: Domain): readonly Domain[] {
    return domain.kind === 'record' ? domain.fields.map(field => field.domain) : [domain];
}

function formatType(domain: Domain): string {
    return domain.name ?? formatDomain(domain);
}

/** What generates a group of this name on `size` values in a row; nothing where it acts on another number. */
function movesOf(name: string, size: number): readonly (readonly number[])[] {
    const rotation = Array.from({ length: size }, (_, value) => (value + 1) % size);
    const reflection = Array.from({ length: size }, (_, value) => size - 1 - value);
    const exchange = Array.from({ length: size }, (_, value) => (value < 2 ? 1 - value : value));
    switch (name) {
        case `S${size}`:
            return [exchange, rotation];
        case `D${size}`:
            return [rotation, reflection];
        case `C${size}`:
            return [rotation];
        case 'C2':
            return [reflection];
        default:
            return [];
    }
}

const analyzed = new Map<string, Promise<Analyzed>>();

/** Each text is analyzed once for all tests. */
function ofText(text: string): Promise<Analyzed> {
    const known = analyzed.get(text) ?? modelOf(text).then(model => analysisOf(model, text));
    analyzed.set(text, known);
    return known;
}

function withoutAnnotations(text: string): string {
    return text
        .split('\n')
        .filter(line => !isAnnotation(line))
        .join('\n');
}

describe.each(FIXTURES)('%s', file => {
    const path = join(FOLDER, file);
    const annotated = readFileSync(path, 'utf8');

    test('is annotated with what is found', async () => {
        const { report } = await ofText(annotated);
        await expect(annotate(annotated, symmetryProblems(report))).toMatchFileSnapshot(path);
        expect(
            report.broken.length + report.assertions.length + report.properties.filter(({ cost }) => cost).length,
        ).toBeGreaterThan(0);
    });

    test('has the symmetry without the places, and with none of them left out', async () => {
        const { model, report } = await ofText(annotated);
        for (const { keys, isThereIn } of brokenIn(report)) {
            expect(keys.length).toBeGreaterThan(0);
            // Every proper subset, and last the whole; few cases are the whole and what lacks one.
            for (let subset = 0; subset < 2 ** keys.length; subset++) {
                const chosen = new Set(keys.filter((_, index) => (subset & (2 ** index)) !== 0));
                if (!drawsAll && chosen.size < new Set(keys).size - 1) {
                    continue;
                }
                const neutral = neutralize(model, chosen);
                // Records without their condition are no model as long as something is listed for each of them.
                const isThere = neutral !== undefined && isThereIn(analysisOf(neutral));
                expect(isThere).toBe(chosen.size === new Set(keys).size);
            }
        }
    });

    test('has nothing broken when it is repaired', async () => {
        // Its lines are counted without annotations.
        const lines = withoutAnnotations(annotated).split('\n');
        const repairs = [...annotated.matchAll(REPAIR)];
        expect(repairs.length).toBeGreaterThan(0);
        for (const [, line, repaired] of repairs) {
            lines[Number(line) - 1] = repaired ?? '';
        }
        const repairedText = lines.join('\n');
        const report = reportOf(await modelOf(repairedText), repairedText);
        expect(report.broken).toEqual([]);
        expect(report.assertions.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
        expect(report.properties.filter(({ cost }) => cost !== undefined)).toEqual([]);
    });

    test('has nothing broken after each repair that is offered', async () => {
        const { report } = await ofText(annotated);
        for (const { repairs, message } of [...report.broken, ...report.assertions]) {
            for (const { edits } of repairs) {
                const repairedText = edited(annotated, edits);
                const after = analysisOf(await modelOf(repairedText), repairedText);
                expect(
                    [...after.report.broken, ...after.report.assertions].map(broken => broken.message),
                ).not.toContain(message);
                expect(brokenIn(report).every(({ isThereIn }) => isThereIn(after))).toBe(true);
            }
        }
    });
});

test('there are enough of them, and some come with a repair', async () => {
    expect(FIXTURES.length).toBeGreaterThanOrEqual(25);
    const offered = await Promise.all(
        FIXTURES.map(async file => {
            const { broken, assertions } = (await ofText(readFileSync(join(FOLDER, file), 'utf8'))).report;
            return [...broken, ...assertions].some(({ repairs }) => repairs.length > 0);
        }),
    );
    expect(offered.filter(isOffered => isOffered).length).toBeGreaterThanOrEqual(3);
});

function edited(text: string, edits: SymmetryReport['broken'][number]['repairs'][number]['edits']): string {
    const lines = text.split('\n');
    const offsetOf = ({ line, character }: { readonly line: number; readonly character: number }): number =>
        lines.slice(0, line).reduce((total, { length }) => total + length + 1, character);
    return [...edits]
        .sort((a, b) => offsetOf(b.range.start) - offsetOf(a.range.start))
        .reduce(
            (result, { range, newText }) =>
                result.slice(0, offsetOf(range.start)) + newText + result.slice(offsetOf(range.end)),
            text,
        );
}
