/** Runs the passes (pass-names.ts) on a model. */
import type { WorkLimit } from '../common/work-limit.js';
import type { Domains } from '../constraints/formula.js';
import type { KnownValues } from '../constraints/dead-steps.js';
import { NO_VALUE } from '../model/domain.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { coneOfInfluence, type Cone } from './cone-of-influence.js';
import { knowledgeOf, type Knowledge } from './knowledge.js';
import { mergeLocalSteps } from './merge.js';
import { narrow } from './narrow.js';
import { PASSES, type PassName, type PassReport } from './pass-names.js';
import { resetDeadCells } from './reset.js';

export interface PassOptions {
    readonly passes: readonly PassName[];
    /** The names of the invariants that are checked, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[] | undefined;
    /** The values that can occur, where an analysis has found them. */
    readonly values?: KnownValues | undefined;
    readonly workLimit: WorkLimit;
}

interface PassResult {
    readonly passed: PassedModel;
    readonly reports: readonly PassReport[];
}

/** Passes of which those are done that do not ask for the symmetries that reduce the search; generators give these. */
export interface PreparedPasses {
    /** The cells that the cone keeps under symmetries, ascending. Absent where it does not run. */
    readonly coneUnder?: (symmetries: readonly LiteralImage[]) => readonly number[];
    readonly run: (symmetries: readonly LiteralImage[]) => PassResult;
}

export function preparePasses(model: SequentialModel, options: PassOptions): PreparedPasses {
    const { passes, properties, values, workLimit } = options;
    const runs = new Set(passes);
    if (runs.size === 0) {
        return { run: () => ({ passed: asWritten(model), reports: [] }) };
    }
    const knowledge = knowledgeOf(model, workLimit, values);
    const start: Start = { model, properties, runs, knowledge };
    return {
        run: symmetries => runPasses(start, symmetries),
        ...(runs.has('cone') && {
            coneUnder: symmetries => {
                const isDropped = new Set(coneOf(start, symmetries).dropped);
                return [...model.cells.keys()].filter(cell => !isDropped.has(cell));
            },
        }),
    };
}

/** The input that all passes share. */
interface Start {
    readonly model: SequentialModel;
    readonly properties: readonly string[] | undefined;
    readonly runs: ReadonlySet<PassName>;
    readonly knowledge: Knowledge;
}

function coneOf({ model, properties, knowledge }: Start, symmetries: readonly LiteralImage[]): Cone {
    const names = model.invariants.map(({ name }) => name);
    return coneOfInfluence(model, {
        invariants: new Set(properties ?? names),
        checksDeadlock: properties?.includes('deadlock') ?? !model.allowsDeadlock,
        cellPermutations: symmetries.map(({ cells }) => cells),
        neverFaults: knowledge.neverFaults,
    });
}

/** A model as the passes so far have made it. */
interface Passing extends Omit<PassedModel, 'numberOf'> {
    /** For each summand of `searched` its number in the model as written. */
    readonly sources: readonly number[];
    /** For each cell the codes that it can have. */
    readonly occurring: Domains;
}

/** What a pass makes of it: what is absent stays. */
type Pass = (
    passing: Passing,
    start: Start,
    symmetries: readonly LiteralImage[],
) => Partial<Passing> & { readonly report: PassReport };

const RUN: Readonly<Record<PassName, Pass>> = {
    cone: runCone,
    reset: runReset,
    merge: runMerge,
    narrow: runNarrow,
};

function runPasses(start: Start, symmetries: readonly LiteralImage[]): PassResult {
    const { model, runs, knowledge } = start;
    const reports: PassReport[] = [];
    let passing: Passing = {
        searched: model,
        stepwise: model,
        inert: new Set(),
        dropped: [],
        sources: [...model.summands.keys()],
        occurring: knowledge.domains,
    };
    for (const name of PASSES) {
        if (runs.has(name)) {
            const { report, ...changed } = RUN[name](passing, start, symmetries);
            passing = { ...passing, ...changed };
            reports.push(report);
        }
    }
    const { searched, stepwise, inert, dropped, sources } = passing;
    const numbers = new Int32Array(model.summands.length).fill(-1);
    sources.forEach((source, number) => (numbers[source] = number));
    return { passed: { searched, stepwise, inert, dropped, numberOf: summand => numbers[summand] }, reports };
}

function runCone({ searched, sources }: Passing, start: Start, symmetries: readonly LiteralImage[]): ReturnType<Pass> {
    const { model, dropped, sources: kept } = coneOf(start, symmetries);
    const stepsDropped = searched.summands.length - kept.length;
    const variablesDropped = dropped.filter(cell => start.model.cells[cell].kind !== 'temporary').length;
    return {
        searched: model,
        stepwise: model,
        sources: kept.map(source => sources[source]),
        dropped,
        report: { name: 'cone', variablesDropped, stepsDropped },
    };
}

function runReset(
    { searched, dropped, occurring }: Passing,
    start: Start,
    symmetries: readonly LiteralImage[],
): ReturnType<Pass> {
    const { model, reset } = resetDeadCells(withChecked(searched, start), symmetries);
    const resetting = { ...model, invariants: searched.invariants };
    return {
        searched: resetting,
        stepwise: resetting,
        dropped: [...dropped, ...reset].sort((one, other) => one - other),
        occurring: occurring.map((codes, cell) =>
            reset.has(cell) && codes.length > 0 && codes[0] !== NO_VALUE ? [NO_VALUE, ...codes] : codes,
        ),
        report: { name: 'reset', variablesReset: reset.size },
    };
}

function runMerge({ searched, sources }: Passing, start: Start): ReturnType<Pass> {
    const neverFaults = (summand: number): boolean => start.knowledge.neverFaults(sources[summand]);
    const { model, inert } = mergeLocalSteps(withChecked(searched, start), neverFaults);
    return {
        searched: { ...model, invariants: searched.invariants },
        stepwise: searched,
        inert,
        report: { name: 'merge', stepsMerged: inert.size },
    };
}

function runNarrow({ searched, occurring }: Passing): ReturnType<Pass> {
    const { model, bitsSaved } = narrow(searched, occurring);
    return { searched: model, report: { name: 'narrow', bitsSaved } };
}

/** With those invariants alone that are checked. */
function withChecked(model: SequentialModel, { properties }: Start): SequentialModel {
    return properties === undefined
        ? model
        : { ...model, invariants: model.invariants.filter(({ name }) => properties.includes(name)) };
}
