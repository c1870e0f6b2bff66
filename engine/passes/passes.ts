/** Runs the passes (pass-names.ts) on a model. */
import type { WorkLimit } from '../common/work-limit.js';
import type { KnownValues } from '../csp/step-findings.js';
import { asWritten, type PassedModel } from '../sequential/passed-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { coneOfInfluence } from './cone-of-influence.js';
import { fold } from './fold.js';
import { knowledgeOf } from './knowledge.js';
import { mergeLocalSteps } from './merge.js';
import { narrow } from './narrow.js';
import { occurringCodes } from './occurring-codes.js';
import type { PassName, PassReport } from './pass-names.js';

export interface PassOptions {
    readonly passes: readonly PassName[];
    /** The names of the invariants that are checked, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[] | undefined;
    /** Where the symmetries that reduce the search move cells: generators, `image[cell]`. */
    readonly cellPermutations: readonly Int32Array[];
    /** Which values can occur, where an analysis has found it. */
    readonly values?: KnownValues | undefined;
    readonly workLimit: WorkLimit;
}

export interface PassResult {
    readonly passed: PassedModel;
    readonly reports: readonly PassReport[];
}

export function runPasses(model: SequentialModel, options: PassOptions): PassResult {
    const { passes, properties, cellPermutations, values, workLimit } = options;
    const runs = new Set(passes);
    if (runs.size === 0) {
        return { passed: asWritten(model), reports: [] };
    }
    const knowledge = knowledgeOf(model, workLimit, values);
    const { domains } = knowledge;
    const reports: PassReport[] = [];
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
            cellPermutations,
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
    let inert: ReadonlySet<number> = new Set();
    if (runs.has('merge')) {
        const checked = properties === undefined ? searched : withInvariants(searched, properties);
        const merging = mergeLocalSteps(checked, neverFaults);
        inert = merging.inert;
        stepwise = searched;
        searched = { ...merging.model, invariants: searched.invariants };
        reports.push({ name: 'merge', stepsMerged: inert.size });
    }
    if (runs.has('narrow')) {
        const narrowing = narrow(searched, domains);
        searched = narrowing.model;
        reports.push({ name: 'narrow', bitsSaved: narrowing.bitsSaved });
    }
    const numbers = new Int32Array(model.summands.length).fill(-1);
    sources.forEach((source, number) => (numbers[source] = number));
    return { passed: { searched, stepwise, inert, dropped, numberOf: summand => numbers[summand] }, reports };
}

function withInvariants(model: SequentialModel, names: readonly string[]): SequentialModel {
    return { ...model, invariants: model.invariants.filter(({ name }) => names.includes(name)) };
}
