/**
 * Breaks the symmetry of many random models in one place each, and holds what is said of it to the truth.
 *
 *     npx esbuild bench/explanations.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/explanations.mjs
 *     node out/bench/explanations.mjs [--broken=300] [--seed=7]
 *
 * A model that treats all instances alike gets one more conjunct or another initial value; about every other one goes through a
 * type in order, has a family over two types, or a variable without an initial value (flawedTexts). Where its instances are no
 * longer alike, the explanation is checked twice: the model is neutralized at the places, and all places taken out of the
 * text where that can be written down; the whole detection must then find the instances alike. No proper subset of the
 * places may be enough. The last line is JSON with the numbers; the exit code is 1 where an explanation is wrong.
 */
import * as fc from 'fast-check';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { createTextOf } from '../engine/common/source-text.js';
import type { Model } from '../engine/model/model.js';
import { analyze } from '../engine/pipeline.js';
import { keyOfPlace } from '../engine/explain/places.js';
import { neutralize } from '../engine/explain/neutralize.js';
import type { BrokenSymmetry, SymmetryReport } from '../engine/describe/report.js';
import { loadModel } from '../language-server/load-model.js';
import { neutralizeText } from '../test/agreement/neutralize-text.js';
import { flawedModels } from '../test/arbitrary/models.js';
import { printModel } from '../test/reference/print.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const wanted = option('broken', 300);
const seed = option('seed', freshSeed());
const counts = {
    models: 0,
    broken: 0,
    explained: 0,
    ofOnePlace: 0,
    ofMorePlaces: 0,
    triedInText: 0,
    notMinimal: 0,
    wrong: 0,
    milliseconds: 0,
};

async function modelOf(text: string): Promise<Model | undefined> {
    return (await loadModel(text, 'bench:/model.orbit')).model;
}

function reportOf(model: Model, text?: string): SymmetryReport | undefined {
    const textOf = createTextOf(() => text);
    return analyze(model, { now: () => 0, workLimit: UNLIMITED, textOf, explain: text !== undefined }).symmetry?.report;
}

function allAlike(report: SymmetryReport | undefined): boolean {
    return report?.families.every(({ orbits }) => orbits.length === 1) === true;
}

/** Whether the instances are alike without exactly these places. */
function isEnough(model: Model, keys: ReadonlySet<string>): boolean {
    const neutral = neutralize(model, keys);
    return neutral !== undefined && allAlike(reportOf(neutral));
}

async function check(model: Model, text: string, broken: readonly BrokenSymmetry[]): Promise<void> {
    const places = broken.flatMap(({ locations }) => locations);
    const keys = places.flatMap(({ range, kind }) => (kind === undefined ? [] : [keyOfPlace({ kind, range })]));
    const without = neutralizeText(
        text,
        places.map(({ range }) => range),
    );
    const edited = without === undefined ? undefined : await modelOf(without);
    counts.triedInText += edited === undefined ? 0 : 1;
    if (!isEnough(model, new Set(keys)) || (edited !== undefined && !allAlike(reportOf(edited)))) {
        counts.wrong++;
        console.log(`${broken.map(({ message }) => message).join('\n')}\n\n${text}\n`);
    }
    const isMinimal = keys.every(key => !isEnough(model, new Set(keys.filter(other => other !== key))));
    counts.notMinimal += isMinimal ? 0 : 1;
}

/** A model in which nothing tells the values of its types apart, and one with a flaw. */
interface Pair {
    readonly whole: string;
    readonly flawed: string;
}

/** Flaws that no random model gets by one more conjunct. */
function flawedTexts(): fc.Arbitrary<Pair> {
    const flaw = fc.oneof(
        fc.constant(['choose j in Id { poll', 'for j in Id { poll'] as const),
        fc.constant(['var owner: Id = any', 'var owner: Id'] as const),
        fc
            .constantFrom('c != 1', 'k < 1', 'c == 0 && k == 1', 'c != 0 || x[c] == 0', 'k == c')
            .map(test => ['link: when true', `link: when (${test})`] as const),
        fc.constant(['choose k in Key { open', 'choose k in Key where k > 0 { open'] as const),
    );
    return fc
        .record({
            ids: fc.integer({ min: 2, max: 4 }),
            keys: fc.integer({ min: 2, max: 3 }),
            most: fc.integer({ min: 1, max: 3 }),
            flaw,
        })
        .map(({ ids, keys, most, flaw: [right, wrong] }) => {
            const whole = `model Flawed
type Id = 0 .. ${ids - 1}
type Key = 0 .. ${keys - 1}
var x: 0 .. ${most}[Id] = 0
var seen: bool[Id] = false
var free: bool[Key] = true
var owner: Id = any
process Leader { loop { choose j in Id { poll: when !seen[j] { seen[j] := true } } clear: when forall i in Id: seen[i] { seen := false } } }
process P[i: Id] { loop { choose { up: when x[i] < ${most} && owner == i { x[i] := x[i] + 1 } } or { react: when seen[i] && x[i] > 0 { x[i] := 0 } } } }
process Link[c: Id, k: Key] { loop { link: when true && free[k] && x[c] > 0 { free[k] := false } } }
process Opener { loop { choose k in Key { open: when !free[k] { free[k] := true } } } }
allow deadlock
`;
            return { whole, flawed: whole.replace(right, wrong) };
        });
}

const pairs = fc.oneof(
    flawedModels().map(({ whole, flawed }): Pair => ({ whole: printModel(whole), flawed: printModel(flawed) })),
    flawedTexts(),
);
for (const { whole, flawed: text } of fc.sample(pairs, { seed, numRuns: 20 * wanted })) {
    if (counts.broken === wanted) {
        break;
    }
    counts.models++;
    const before = await modelOf(whole);
    const model = await modelOf(text);
    if (before === undefined || model === undefined || !allAlike(reportOf(before)) || allAlike(reportOf(model))) {
        continue;
    }
    counts.broken++;
    const start = performance.now();
    const broken = reportOf(model, text)?.broken ?? [];
    counts.milliseconds += Math.round(performance.now() - start);
    if (broken.length > 0) {
        counts.explained++;
        const isOnePlace = broken.every(({ locations }) => locations.length === 1);
        counts.ofOnePlace += isOnePlace ? 1 : 0;
        counts.ofMorePlaces += isOnePlace ? 0 : 1;
        await check(model, text, broken);
    }
}
console.log(JSON.stringify({ seed, ...counts }));
process.exitCode = counts.wrong > 0 ? 1 : 0;
