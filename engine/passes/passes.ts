/** Runs the passes (pass-names.ts) on a model. */
import type { WorkLimit } from '../common/work-limit.js';
import type { Domains } from '../csp/formula.js';
import type { KnownValues } from '../csp/step-findings.js';
import { NO_VALUE } from '../model/domain.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { asWritten, type PassedModel } from '../sequential/passed-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { coneOfInfluence, type Cone } from './cone-of-influence.js';
import { fold, type Folding } from './fold.js';
import { knowledgeOf, type Knowledge } from './knowledge.js';
import { mergeLocalSteps } from './merge.js';
import { narrow } from './narrow.js';
import { occurringCodes } from './occurring-codes.js';
import type { PassName, PassReport } from './pass-names.js';
import { resetDeadCells } from './reset.js';

export interface PassOptions {
    readonly passes: readonly PassName[];
    /** The names of the invariants that are checked, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[] | undefined;
    /** Which values can occur, where an analysis has found it. */
    readonly values?: KnownValues | undefined;
    readonly workLimit: WorkLimit;
}

export interface PassResult {
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
    const start: Start = { model, properties, runs, knowledge, folding: foldWhere(runs, model, knowledge) };
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

/** What all passes have in common. */
interface Start {
    readonly model: SequentialModel;
    readonly properties: readonly string[] | undefined;
    readonly runs: ReadonlySet<PassName>;
    readonly knowledge: Knowledge;
    /** Absent where nothing is folded. */
    readonly folding: Folding | undefined;
}

function foldWhere(runs: ReadonlySet<PassName>, model: SequentialModel, knowledge: Knowledge): Folding | undefined {
    if (!runs.has('fold')) {
        return undefined;
    }
    const ranges = occurringCodes(model, knowledge.domains);
    const cells = model.cells.map((cell, index) => ({ ...cell, codes: ranges[index] }));
    return fold(model, cells, knowledge.neverFires);
}

function coneOf({ model, properties, knowledge, folding }: Start, symmetries: readonly LiteralImage[]): Cone {
    const names = model.invariants.map(({ name }) => name);
    return coneOfInfluence(folding?.model ?? model, {
        invariants: new Set(properties ?? names),
        checksDeadlock: properties?.includes('deadlock') ?? !model.allowsDeadlock,
        cellPermutations: symmetries.map(({ cells }) => cells),
        neverFaults: summand => knowledge.neverFaults(folding?.sources[summand] ?? summand),
    });
}

function runPasses(start: Start, symmetries: readonly LiteralImage[]): PassResult {
    const { model, properties, runs, knowledge, folding } = start;
    const { domains } = knowledge;
    const reports: PassReport[] = [];
    const checked = (all: SequentialModel): SequentialModel =>
        properties === undefined
            ? all
            : { ...all, invariants: all.invariants.filter(({ name }) => properties.includes(name)) };
    let searched = model;
    let sources: readonly number[] = [...model.summands.keys()];
    const neverFaults = (summand: number): boolean => knowledge.neverFaults(sources[summand]);
    if (folding !== undefined) {
        searched = folding.model;
        sources = folding.sources;
        const stepsDropped = model.summands.length - sources.length;
        reports.push({ name: 'fold', expressionsFolded: folding.folded, stepsDropped });
    }
    let stepwise = model;
    let dropped: readonly number[] = [];
    if (runs.has('cone')) {
        const cone = coneOf(start, symmetries);
        const stepsDropped = searched.summands.length - cone.sources.length;
        dropped = cone.dropped;
        const variablesDropped = dropped.filter(cell => model.cells[cell].kind !== 'temporary').length;
        reports.push({ name: 'cone', variablesDropped, stepsDropped });
        sources = cone.sources.map(source => sources[source]);
        searched = cone.model;
        stepwise = searched;
    }
    let occurring: Domains = domains;
    if (runs.has('reset')) {
        const { model: resetting, reset } = resetDeadCells(checked(searched), symmetries);
        occurring = domains.map((codes, cell) =>
            reset.has(cell) && codes.length > 0 && codes[0] !== NO_VALUE ? [NO_VALUE, ...codes] : codes,
        );
        dropped = [...dropped, ...reset].sort((one, other) => one - other);
        searched = { ...resetting, invariants: searched.invariants };
        stepwise = searched;
        reports.push({ name: 'reset', variablesReset: reset.size });
    }
    let inert: ReadonlySet<number> = new Set();
    if (runs.has('merge')) {
        const merging = mergeLocalSteps(checked(searched), neverFaults);
        inert = merging.inert;
        stepwise = searched;
        searched = { ...merging.model, invariants: searched.invariants };
        reports.push({ name: 'merge', stepsMerged: inert.size });
    }
    if (runs.has('narrow')) {
        const narrowing = narrow(searched, occurring);
        searched = narrowing.model;
        reports.push({ name: 'narrow', bitsSaved: narrowing.bitsSaved });
    }
    const numbers = new Int32Array(model.summands.length).fill(-1);
    sources.forEach((source, number) => (numbers[source] = number));
    return { passed: { searched, stepwise, inert, dropped, numberOf: summand => numbers[summand] }, reports };
}
