/** Runs the passes (pass-names.ts) on a model. */
import type { WorkLimit } from '../common/work-limit.js';
import type { Domains } from '../csp/formula.js';
import type { KnownValues } from '../csp/step-findings.js';
import { NO_VALUE } from '../model/domain.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { asWritten, type PassedModel } from '../sequential/passed-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { coneOfInfluence } from './cone-of-influence.js';
import { fold } from './fold.js';
import { knowledgeOf } from './knowledge.js';
import { mergeLocalSteps } from './merge.js';
import { narrow } from './narrow.js';
import { occurringCodes } from './occurring-codes.js';
import type { PassName, PassReport } from './pass-names.js';
import { resetDeadCells } from './reset.js';

export interface PassOptions {
    readonly passes: readonly PassName[];
    /** The names of the invariants that are checked, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[] | undefined;
    /** Generators of the symmetries that reduce the search. */
    readonly symmetries: readonly LiteralImage[];
    /** Which values can occur, where an analysis has found it. */
    readonly values?: KnownValues | undefined;
    readonly workLimit: WorkLimit;
}

export interface PassResult {
    readonly passed: PassedModel;
    readonly reports: readonly PassReport[];
}

export function runPasses(model: SequentialModel, options: PassOptions): PassResult {
    const { passes, properties, symmetries, values, workLimit } = options;
    const runs = new Set(passes);
    if (runs.size === 0) {
        return { passed: asWritten(model), reports: [] };
    }
    const knowledge = knowledgeOf(model, workLimit, values);
    const { domains } = knowledge;
    const reports: PassReport[] = [];
    const checked = (all: SequentialModel): SequentialModel =>
        properties === undefined
            ? all
            : { ...all, invariants: all.invariants.filter(({ name }) => properties.includes(name)) };
    let searched = model;
    let sources: readonly number[] = [...model.summands.keys()];
    const neverFaults = (summand: number): boolean => knowledge.neverFaults(sources[summand]);
    if (runs.has('fold')) {
        const ranges = occurringCodes(model, domains);
        const cells = model.cells.map((cell, index) => ({ ...cell, codes: ranges[index] }));
        const folding = fold(model, cells, knowledge.neverFires);
        searched = folding.model;
        sources = folding.sources;
        const stepsDropped = model.summands.length - sources.length;
        reports.push({ name: 'fold', expressionsFolded: folding.folded, stepsDropped });
    }
    let stepwise = model;
    let dropped: readonly number[] = [];
    if (runs.has('cone')) {
        const names = model.invariants.map(({ name }) => name);
        const cone = coneOfInfluence(searched, {
            invariants: new Set(properties ?? names),
            checksDeadlock: properties?.includes('deadlock') ?? !model.allowsDeadlock,
            cellPermutations: symmetries.map(({ cells }) => cells),
            neverFaults,
        });
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
