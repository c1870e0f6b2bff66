/** What an analysis remembers of the one before, and that it says what it would say without. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnalysisMemory } from '../engine/analysis-memory.js';
import { createRandom } from '../engine/common/random.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { printConstraintProblem } from '../engine/constraints/print-constraints.js';
import { findDeadSteps } from '../engine/constraints/dead-steps.js';
import { digestOf } from '../engine/graph/digest.js';
import type { Model } from '../engine/model/model.js';
import { analyze, type Analysis } from '../engine/pipeline.js';
import type { WorkCounts } from '../engine/describe/report.js';
import { loadModel } from '../language-server/load-model.js';
import { editedTexts } from './arbitrary/edits.js';
import { familyModel, guardOf, INSTANCES } from './arbitrary/family-model.js';
import { models } from './arbitrary/models.js';
import { modelOf } from './model-of-text.js';

const URI = 'file:///model.orbit';

function analysisOf(model: Model, memory?: AnalysisMemory, explain = false): Analysis {
    return analyze(model, { now: () => 0, workLimit: UNLIMITED, explain, ...(memory && { memory }) });
}

/** Everything that an analysis says, places of the text included. */
function saidBy({ model, problems, sequential, symmetry }: Analysis): unknown {
    if (sequential === undefined || symmetry === undefined) {
        return { problems };
    }
    const { work, ...report } = symmetry.report;
    return {
        problems,
        report,
        literals: [work.literals, work.summands],
        generators: [symmetry.group, symmetry.explorationGroup, ...symmetry.propertyGroups].map(
            group => group.generators,
        ),
        graph: digestOf(symmetry.encoding.graph),
        constraints: printConstraintProblem(symmetry.constraints),
        steps: findDeadSteps(model, sequential, UNLIMITED, symmetry.values),
        stepsAnew: findDeadSteps(model, sequential, UNLIMITED),
    };
}

test('whatever is edited, an analysis with a memory says what one without says', async () => {
    await fc.assert(
        fc.asyncProperty(models(), fc.nat(), async (model, seed) => {
            const memory = new AnalysisMemory();
            for (const text of editedTexts(model, 5, createRandom(seed))) {
                const { model: edited } = await loadModel(text, URI);
                if (edited !== undefined) {
                    expect(saidBy(analysisOf(edited, memory))).toEqual(saidBy(analysisOf(edited)));
                }
            }
        }),
        { numRuns: 6 },
    );
});

/** A ring that one guard breaks. */
const RING = `model Ring
type Agent = 0 .. 3
var token: bool[Agent] = any
var seen: 0 .. 2[Agent] = 0

process Member[i: Agent] {
    const next = (i + 1) mod 4
    loop {
        pass: when token[i] && !token[next] { token[i] := false; token[next] := true }
        look: when seen[i] < 2 { seen[i] := seen[i] + 1 }
        forget: when seen[i] == 2 && i != 3 { seen[i] := 0 }
    }
}

invariant first = seen[0] <= 2
`;

/** The work on `text` after that on `before`, having compared what is said. */
async function workAfter(before: string, text: string, explain = false): Promise<WorkCounts> {
    const memory = new AnalysisMemory();
    analysisOf(await modelOf(before), memory, explain);
    const analysis = analysisOf(await modelOf(text), memory, explain);
    expect(saidBy(analysis)).toEqual(saidBy(analysisOf(await modelOf(text), undefined, explain)));
    return analysis.symmetry!.report.work;
}

const NOTHING_NEW = { fragmentsEncoded: 0, searches: 0, treeNodes: 0, refinements: 0 };

test.each([
    ['a comment above', `// A ring.\n\n${RING}`],
    ['a comment within', RING.replace('loop {', 'loop { // for ever')],
    ['documentation', RING.replace('process', '/// One of four.\nprocess')],
    ['another layout', RING.replaceAll('{ ', '{\n            ').replaceAll('    ', '  ')],
    ['a new name of a variable', RING.replaceAll('seen', 'glanced')],
    ['a new name of a process', RING.replaceAll('Member', 'Station')],
    ['a new name of a label', RING.replaceAll('look', 'peep')],
    ['a new name of a constant', RING.replaceAll('next', 'right')],
    ['a new name of an invariant', RING.replaceAll('first', 'small')],
    ['a new name of a type', RING.replaceAll('Agent', 'Place')],
    ['redundant parentheses', RING.replace('seen[i] < 2', '(seen[i] < 2)')],
])('%s needs no search and no new constraint', async (_, text) => {
    expect(text).not.toBe(RING);
    expect(await workAfter(RING, text, true)).toMatchObject(NOTHING_NEW);
});

test('steps without a label are called by their line, also after their line has changed', async () => {
    const unlabeled = RING.replace('pass: ', '');
    expect(await workAfter(unlabeled, `\n${unlabeled}`, true)).toMatchObject(NOTHING_NEW);
});

test('what stands against a symmetry is found at the place where it stands now', async () => {
    const memory = new AnalysisMemory();
    const places = async (text: string): Promise<number[]> => {
        const { report } = analysisOf(await modelOf(text), memory, true).symmetry!;
        return report.broken.flatMap(({ locations }) => locations.map(({ range }) => range.start.line));
    };
    expect(await places(RING)).toEqual([10]);
    expect(await places(`// A ring.\n${RING}`)).toEqual([11]);
    expect(await places(RING.replace('loop {', '\n\nloop {'))).toEqual([12]);
});

test('a step without partners is named at the place where it stands now', async () => {
    const memory = new AnalysisMemory();
    const never = RING.replace('seen[i] < 2', 'seen[i] < 0');
    const lines = async (text: string): Promise<number[]> => {
        const { model, sequential, symmetry } = analysisOf(await modelOf(text), memory);
        return findDeadSteps(model, sequential!, UNLIMITED, symmetry!.values).map(({ range }) => range.start.line);
    };
    expect(await lines(never)).toEqual([9]);
    expect(await lines(`\n\n${never}`)).toEqual([11]);
});

/** A lock, with what is said of its runs. */
const LOCK = `model Lock
type Proc = 0 .. 2
var free: bool = true
process P[i: Proc] {
    loop { try: skip; enter: when free { free := false } leave: free := true }
}
invariant one = count(i in Proc: P[i] at leave) <= 1
property served = forall i in Proc: P[i] at enter leads to P[i] at leave
property first = always !(P[0] at leave && !free && P[1] at leave)
`;

test('what is said of runs is no part of what a model does, and is looked at anew', async () => {
    const memory = new AnalysisMemory();
    const fair = LOCK.replace('process', 'fair process');
    const texts = [
        LOCK,
        fair,
        `// moved\n\n${fair}`,
        fair.replace('process', 'process\n'),
        fair.replace('enter:', 'strong fair enter:'),
        LOCK.replace('enter:', 'fair enter:'),
        LOCK.replace('enter:', 'strong fair enter:').replaceAll('enter', 'come'),
        `${LOCK}assume calm = infinitely often P[1] at try\n`,
        `${LOCK}assume quiet = infinitely often P[2] at try\n`,
        LOCK.replace('forall i in Proc: P[i] at enter', 'P[0] at enter').replaceAll(
            'P[i] at leave\n',
            'P[0] at leave\n',
        ),
        LOCK.replace('served', 'comes'),
        LOCK.replace('always !', 'infinitely often !'),
        LOCK.replace('property first = always', 'invariant first ='),
        LOCK.replace('P[1] at leave)', 'P[2] at leave)'),
        LOCK,
    ];
    for (const text of texts) {
        const model = await modelOf(text);
        expect(saidBy(analysisOf(model, memory, true))).toEqual(saidBy(analysisOf(model, undefined, true)));
    }
});

function families(count: number): string {
    return `model Families
type Id = 0 .. 2
${Array.from(
    { length: count },
    (_, family) => `
var level${family}: 0 .. ${family + 3}[Id] = 0
process P${family}[i: Id] {
    loop {
        choose { when level${family}[i] < ${family + 3} { level${family}[i] := level${family}[i] + 1 } }
        or { when level${family}[i] > 0 && (forall j in Id: level${family}[j] > 0) { level${family}[i] := 0 } }
    }
}
`,
).join('')}`;
}

test('the constraints of one guard are worked out anew where it was edited, and no others', async () => {
    const before = families(8);
    const work = await workAfter(before, before.replace('level5[i] > 0 &&', 'level5[i] > 1 &&'));
    // The three instances have their cells in different places of the array, and one form each.
    expect(work.fragmentsEncoded).toBeLessThanOrEqual(3);
    expect(work.fragmentsEncoded).toBeGreaterThan(0);
    // The steps, and that no process may stop.
    expect(work.fragmentsReused + work.fragmentsEncoded).toBe(8 * 3 * 2 + 1);
    expect(work.searches).toBe(1);
});

test('a family that is taken out, doubled or moved takes nothing of the others with it', async () => {
    const text = families(6);
    const [head, ...parts] = text.split('\nvar ').map((part, index) => (index === 0 ? part : `\nvar ${part}`));
    const without = [head, ...parts.filter((_, family) => family !== 2)].join('');
    expect((await workAfter(text, without)).fragmentsEncoded).toBe(0);
    const moved = without + parts[2];
    expect((await workAfter(text, moved)).fragmentsEncoded).toBe(0);
    const doubled = text + parts[2]!.replaceAll('level2', 'stage').replaceAll('P2', 'Q');
    expect((await workAfter(text, doubled)).fragmentsEncoded).toBe(0);
});

test('fragments that neither of the last two analyses has used are forgotten', async () => {
    const memory = new AnalysisMemory();
    const [first, other] = [await modelOf(families(2)), await modelOf(RING)];
    const encoded = (model: Model): number => analysisOf(model, memory).symmetry!.report.work.fragmentsEncoded;
    const all = encoded(first);
    expect(all).toBeGreaterThan(0);
    encoded(other);
    expect(encoded(first)).toBe(0);
    encoded(other);
    encoded(other);
    // That every instance may stop is no condition of the models, and the same in both.
    expect(encoded(first)).toBe(all - 1);
});

test('in a thousand lines with forty families a guard takes the constraints of its six processes, and no more', async () => {
    const families = 40;
    const text = familyModel(families);
    const { before, after } = guardOf(6, families);
    expect(text.split('\n').length).toBeGreaterThan(1000);
    const memory = new AnalysisMemory();
    const [whole, edited] = [await modelOf(text), await modelOf(text.replace(before, after))];
    const { report } = analysisOf(whole, memory).symmetry!;
    const { work, order } = analysisOf(edited, memory).symmetry!.report;
    expect(work.fragmentsEncoded).toBeGreaterThan(0);
    expect(work.fragmentsEncoded).toBeLessThanOrEqual(INSTANCES);
    expect(work.fragmentsReused + work.fragmentsEncoded).toBe(
        report.work.fragmentsReused + report.work.fragmentsEncoded,
    );
    expect(order).toBe('720');
}, 120_000);
