/**
 * A model with templates beside the reference, in which no name is used twice: the classes of states up to names, found here
 * by trying all permutations of slots on the successors of the engine, and the search of the engine.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { exchangesInstances } from '../../engine/describe/describe-templates.js';
import type { ExplorationReport, TemplateOutcome } from '../../engine/explore/verdict.js';
import { withSlots } from '../../engine/model/with-slots.js';
import type { Model } from '../../engine/model/model.js';
import { findSymmetries, startExploration, type Reduction } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { ModelGroup } from '../../engine/symmetry/model-symmetry.js';
import { referenceResult, type Classes } from '../reference/classes.js';
import { loadModel } from '../../language-server/load-model.js';
import { SlotClasses } from './slot-classes.js';

/** More permutations of slots are not tried for each state. */
const MOST_RENAMINGS = 200;

export interface Way {
    readonly reduction: Reduction;
    readonly isInterpreted: boolean;
}

export const WAYS: readonly Way[] = (['auto', 'unique', 'local', 'none'] as const).flatMap(reduction =>
    [true, false].map(isInterpreted => ({ reduction, isInterpreted })),
);

export type Comparison =
    | { readonly kind: 'skipped' }
    /** What shrinking leaves may be no model. */
    | { readonly kind: 'rejected' }
    | { readonly kind: 'agreed'; readonly reference: Classes; readonly report: ExplorationReport };

/** Throws where the two do not agree. */
export async function compare(
    text: string,
    classLimit: number,
    { reduction, isInterpreted }: Way,
): Promise<Comparison> {
    const { model } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        return { kind: 'rejected' };
    }
    const reference = referenceResult(text, classLimit);
    if (reference === undefined) {
        return { kind: 'skipped' };
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis.sequential === undefined) {
        // A race that comes whenever the step does is an error of the model.
        assertEqual(
            analysis.problems.map(({ code }) => code).filter(code => code !== 'event/race'),
            [],
        );
        return { kind: 'skipped' };
    }
    const started = startExploration(analysis, { reduction, isInterpreted, continueAfterViolation: true }, UNLIMITED);
    while (!started.exploration.advance(UNLIMITED));
    const { report } = started.exploration.result();
    if (report === undefined) {
        throw new Error('the exploration has a report');
    }
    const { templates = [], violations } = report;
    const renamings = templates.reduce((product, { slots }) => product * factorial(slots), 1);
    if (renamings > MOST_RENAMINGS) {
        return { kind: 'skipped' };
    }
    const sequential = sequentialWith(model, new Map(templates.map(({ name, slots }) => [name, slots])));
    const classes = new SlotClasses(sequential);
    const found = classes.explore();
    const namesOf = (kind: string): string[] => [
        ...new Set(violations.filter(violation => violation.kind === kind).map(({ name }) => name)),
    ];
    const usage = (count: 'mostLive' | 'mostNamed'): Record<string, number> =>
        Object.fromEntries(templates.map(template => [template.name, template[count]]));
    const expected = {
        classes: reference.classes,
        transitions: reference.transitions,
        deadlocks: reference.deadlocks,
        faults: [...reference.faults].sort(),
        invariants: [...reference.violatedInvariants].sort(),
        isDeadlocked: reference.deadlocks > 0,
        mostLive: { ...reference.mostLive },
        mostNamed: { ...reference.mostNamed },
        limit: undefined,
    };
    const actual = {
        ...found,
        faults: namesOf('fault').sort(),
        invariants: namesOf('invariant').sort(),
        isDeadlocked: report.deadlocks > 0,
        mostLive: usage('mostLive'),
        mostNamed: usage('mostNamed'),
        limit: report.limit,
    };
    assertEqual(actual, expected);
    const told = started.group === undefined ? [] : toldApart(sequential, started.group, templates);
    assertEqual(told, []);
    const orbits = classes.orbitsUnder(started);
    // Fewer would be a class that is missing.
    assertEqual(
        report.reduction?.unique === true ? report.states : Math.max(report.states, orbits),
        report.reduction?.unique === true ? orbits : report.states,
    );
    return { kind: 'agreed', reference, report };
}

/** The templates whose instances a group does not exchange. */
function toldApart(
    { templates = [], cells }: SequentialModel,
    group: ModelGroup,
    outcomes: readonly TemplateOutcome[],
): string[] {
    return templates.flatMap((template, index) => {
        const { mostLive, mostNamed } = outcomes[index]!;
        const used = { ...template, usage: { mostLive, mostNamed } };
        return exchangesInstances(used, cells, group, group.generators) ? [] : [template.name];
    });
}

function assertEqual(actual: unknown, expected: unknown): void {
    const [first, second] = [JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1)];
    if (first !== second) {
        throw new Error(`the engine says ${first}\nthe reference says ${second}`);
    }
}

function sequentialWith(model: Model, slots: ReadonlyMap<string, number>): SequentialModel {
    const counts = model.processes.flatMap(({ name }, process): [number, number][] => {
        const count = slots.get(name);
        return count === undefined ? [] : [[process, count]];
    });
    const { sequential } = linearize(withSlots(model, new Map(counts)));
    if (sequential === undefined) {
        throw new Error('the model can be linearized');
    }
    return sequential;
}

function factorial(count: number): number {
    return count < 2 ? 1 : count * factorial(count - 1);
}
