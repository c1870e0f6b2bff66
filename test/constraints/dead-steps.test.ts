/** What is said of steps is true in the state graph: what is never taken is not, what always faults has no successor. */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findDeadSteps } from '../../engine/constraints/dead-steps.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { printModel } from '../reference/print.js';

const MOST_STATES = 3_000;

interface Examined {
    readonly sequential: SequentialModel;
    readonly findings: readonly Problem[];
}

async function examine(text: string): Promise<Examined | undefined> {
    const { model } = await loadModel(text, 'file:///steps.orbit');
    const sequential = model === undefined ? undefined : linearize(model).sequential;
    return model === undefined || sequential === undefined
        ? undefined
        : { sequential, findings: findDeadSteps(model, sequential, UNLIMITED) };
}

function isInside(inner: SourceRange, outer: SourceRange): boolean {
    const isBefore = (a: SourceRange['start'], b: SourceRange['start']): boolean =>
        a.line < b.line || (a.line === b.line && a.character <= b.character);
    return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

test('what is said of the steps of random models is true of all their runs', async () => {
    const found = new Set<string>();
    await fc.assert(
        fc.asyncProperty(models(), async random => {
            const examined = await examine(printModel(random));
            if (examined === undefined || examined.findings.length === 0) {
                return;
            }
            const { sequential, findings } = examined;
            const result = exploreStateGraph(sequential, MOST_STATES);
            if (result.kind !== 'graph') {
                return;
            }
            // A transition that is no fault; a step that is never taken and one that always faults has none.
            const taken = new Set(result.graph.edges.filter(({ to }) => typeof to === 'number').map(e => e.summand));
            for (const { code, range } of findings) {
                found.add(code);
                const wrong = [...taken].filter(summand =>
                    sequential.summands[summand]?.participants.some(participant => isInside(range, participant.range)),
                );
                expect(wrong, `${code} in line ${range.start.line + 1}`).toEqual([]);
            }
        }),
        { numRuns: 30 },
    );
    expect([...found].sort()).toEqual(
        expect.arrayContaining(['event/no-partner', 'step/never-enabled', 'step/never-reached']),
    );
});

test('no step of the published models is in vain', async () => {
    for (const file of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        const examined = await examine(readFileSync(`models/${file}`, 'utf8'));
        expect(examined?.findings, file).toEqual([]);
    }
});

test('nothing is said when there is no time to find out', async () => {
    const { model } = await loadModel('var x: 0 .. 3 process P { when x > 1 { x := 0 } }', 'file:///steps.orbit');
    const sequential = model && linearize(model).sequential;
    expect(model && sequential && findDeadSteps(model, sequential, { isExhausted: () => true })).toEqual([]);
    expect(model && sequential && findDeadSteps(model, sequential, UNLIMITED)).toHaveLength(1);
});
