/**
 * Broken symmetries, one model each in the folder `broken`: what is said of it stands in its comments, with the exact
 * ranges (see ../fixture.ts).
 *
 * Each is held to the truth in two ways. The model as the engine neutralizes it has the symmetry, and has it with no
 * fewer places; that is asked of the whole detection, not of the search for places. And the text as a person would
 * repair it, `//! repair 7: …` for each line that is written anew, has nothing broken any more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { Model } from '../../engine/model/model.js';
import { analyze } from '../../engine/pipeline.js';
import { keyOfPlace } from '../../engine/symmetry/model-places.js';
import { neutralize } from '../../engine/symmetry/neutralize.js';
import type { PlaceReport, SymmetryReport } from '../../engine/symmetry/report.js';
import { loadModel } from '../../language-server/load-model.js';
import { symmetryProblems } from '../../language-server/lsp/symmetry-problems.js';
import { annotate, isAnnotation } from '../fixture.js';

const FOLDER = join(import.meta.dirname, 'broken');
const FIXTURES = readdirSync(FOLDER).filter(name => name.endsWith('.orbit'));
const REPAIR = /^\/\/! repair (\d+): ?(.*)$/gm;

async function modelOf(text: string): Promise<Model> {
    const { model, problems } = await loadModel(text, 'file:///model.orbit');
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    invariant(model !== undefined, 'a model without errors is there');
    return model;
}

function reportOf(model: Model, text?: string): SymmetryReport {
    const textOf = createTextOf(() => text);
    const { symmetry, problems } = analyze(model, {
        now: () => 0,
        workLimit: UNLIMITED,
        textOf,
        explain: text !== undefined,
    });
    invariant(symmetry !== undefined, problems.map(({ message }) => message).join());
    return symmetry.report;
}

/** What is broken in a report: an assertion or what a declaration suggests. */
interface Broken {
    readonly keys: readonly string[];
    readonly isThereIn: (report: SymmetryReport) => boolean;
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
                          isThereIn: other =>
                              other.assertions.some(known => known.text === text && known.verdict === 'holds'),
                      },
                  ],
        ),
        ...report.broken.map(({ subject, expected, locations }) => ({
            keys: keysOf(locations),
            isThereIn: (other: SymmetryReport) => hasSymmetry(other, subject, expected),
        })),
    ];
}

/** By the generators: what they do to the instances of a family, or that one of them exchanges two processes. */
function hasSymmetry({ families, generators }: SymmetryReport, subject: string, expected: string): boolean {
    const [, family] = /^instances of (\w+)$/.exec(subject) ?? [];
    if (family !== undefined) {
        const found = families.find(({ name }) => name === family);
        invariant(found !== undefined, 'a family is reported');
        // A product acts on as many instances as its factors act on values, if it acts on several types at all: then no orbit has fewer.
        const factors = expected.split(' x ');
        const degree = factors.map(name => Number(name.slice(1))).reduce((product, size) => product * size, 1);
        const order = factors.map(orderOf).reduce((product, factor) => product * factor, 1n);
        return found.orbits.length <= found.instances / degree && found.order % order === 0n;
    }
    const [, first, second] = /^processes (\w+) and (\w+)$/.exec(subject) ?? [];
    invariant(first !== undefined && second !== undefined, 'what is broken is a family or two processes');
    return generators.some(({ cycles }) => cycles.includes(`(${first} ${second})`));
}

function orderOf(name: string): bigint {
    const order = { S: factorial, D: (size: number) => 2n * BigInt(size), C: BigInt }[name.charAt(0)];
    invariant(order !== undefined, 'a group that is expected has a name');
    return order(Number(name.slice(1)));
}

function factorial(size: number): bigint {
    return size <= 1 ? 1n : BigInt(size) * factorial(size - 1);
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
    const text = withoutAnnotations(annotated);

    test('is annotated with what is found', async () => {
        const report = reportOf(await modelOf(annotated), annotated);
        await expect(annotate(annotated, symmetryProblems(report))).toMatchFileSnapshot(path);
        expect(
            report.broken.length + report.assertions.length + report.properties.filter(({ cost }) => cost).length,
        ).toBeGreaterThan(0);
    });

    test('has the symmetry without the places, and with none of them left out', async () => {
        const model = await modelOf(text);
        for (const { keys, isThereIn } of brokenIn(reportOf(model, text))) {
            expect(keys.length).toBeGreaterThan(0);
            // Every proper subset, and last the whole.
            for (let subset = 0; subset < 2 ** keys.length; subset++) {
                const chosen = new Set(keys.filter((_, index) => (subset & (2 ** index)) !== 0));
                const neutral = neutralize(model, chosen);
                invariant(neutral !== undefined, 'a small model can be neutralized');
                expect(isThereIn(reportOf(neutral))).toBe(chosen.size === new Set(keys).size);
            }
        }
    });

    test('has nothing broken when it is repaired', async () => {
        const lines = text.split('\n');
        const repairs = [...text.matchAll(REPAIR)];
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
        const report = reportOf(await modelOf(text), text);
        for (const { repairs, message } of [...report.broken, ...report.assertions]) {
            for (const { edits } of repairs) {
                const repairedText = edited(text, edits);
                const after = reportOf(await modelOf(repairedText), repairedText);
                expect([...after.broken, ...after.assertions].map(broken => broken.message)).not.toContain(message);
                expect(brokenIn(report).every(({ isThereIn }) => isThereIn(after))).toBe(true);
            }
        }
    });
});

test('there are enough of them, and some come with a repair', async () => {
    expect(FIXTURES.length).toBeGreaterThanOrEqual(25);
    const offered = await Promise.all(
        FIXTURES.map(async file => {
            const text = withoutAnnotations(readFileSync(join(FOLDER, file), 'utf8'));
            const { broken, assertions } = reportOf(await modelOf(text), text);
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
