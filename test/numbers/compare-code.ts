/**
 * Explorations of models with numbers without end by generated code and by the interpreter: one report, whatever is asked,
 * with the same states, steps, traces, limits and notes on numbers.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import { NumberOrder } from '../../engine/explore/number-order.js';
import { InterpretedSearch } from '../../engine/explore/interpreted-search.js';
import { numberSuccessors, type NumberSteps } from '../../engine/explore/number-successors.js';
import { Exploration } from '../../engine/explore/search.js';
import type { StateSearch, StateSearchFactory } from '../../engine/explore/state-search.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { codesIn, linearizeForSymmetries } from '../../engine/sequential/numbers/enough-codes.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import { agree } from '../agreement/engine-view.js';

export interface ComparedReports {
    /** By the options the verdict, or the kind of the limit. */
    readonly outcomes: readonly string[];
    /** Whether some search has ended with steps that depend on how long a distance is. */
    readonly isExact: boolean;
    readonly searches: number;
}

const OPTIONS: readonly ReducedExplorationOptions[] = [
    { reduction: 'none' },
    { reduction: 'none', continueAfterViolation: true },
    { reduction: 'none', leastDistances: 6, continueAfterViolation: true },
    { reduction: 'none', maxStates: 7 },
    { reduction: 'unique' },
    { reduction: 'unique', continueAfterViolation: true, maxViolations: 3 },
    { reduction: 'unique', storesFingerprints: true, maxStates: 20, continueAfterViolation: true },
    { reduction: 'auto', ignoresFaults: true },
    { reduction: 'auto', partialOrder: 'shortest' },
];

/** Throws where the two do not agree; undefined for a text that is no model. Of larger models the first states are compared. */
export async function compareCode(
    text: string,
    mostStates: number,
    parameters: Readonly<Record<string, number>> = {},
): Promise<ComparedReports | undefined> {
    const values = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
    const { model } = await loadModel(text, 'file:///compared.orbit', values);
    const analysis = model && findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis?.sequential?.numbers === undefined) {
        return undefined;
    }
    const compared = OPTIONS.map(options => {
        const limited = { maxStates: mostStates, ...options };
        const interpreted = reportOf(analysis, { ...limited, isInterpreted: true });
        const compiled = reportOf(analysis, limited);
        agree(compiled.interpretedBecause === undefined, () => `there is no code: ${compiled.interpretedBecause}`);
        agree(
            compiled.text === interpreted.text,
            () => `with ${JSON.stringify(options)} generated code has\n${compiled.text}\nand not\n${interpreted.text}`,
        );
        return compiled.report;
    });
    return {
        outcomes: compared.map(({ verdict, limit }) => limit?.kind ?? verdict),
        isExact: compared.every(({ numbers = [] }) => numbers.every(({ depends }) => depends.length === 0)),
        searches: Math.max(...compared.map(({ growthRounds = 1 }) => growthRounds)),
    };
}

interface WithDistances {
    readonly steps: NumberSteps;
    readonly report: ExplorationReport | undefined;
}

/**
 * The same with distances of `kept` and more as one, although the text looks closer: then more steps depend on how long they
 * are, also in what has an end and in faults. Throws where the two do not agree.
 */
export async function compareWithDistances(
    text: string,
    kept: number,
    mostStates: number,
): Promise<WithDistances | undefined> {
    const { model } = await loadModel(text, 'file:///compared.orbit');
    const sequential = model && linearizeForSymmetries(model).sequential;
    const { sorts = [] } = sequential?.numbers ?? {};
    if (sequential?.numbers === undefined) {
        return undefined;
    }
    const most = codesIn({ sequential }) - 1;
    const explored = (isCompiled: boolean): WithDistances & { readonly text: string } => {
        const order = new NumberOrder(
            sequential.cells,
            sorts,
            sorts.map(() => kept),
            most,
        );
        const steps: NumberSteps = { order, inexact: new Map() };
        const options = { numbers: steps, maxStates: mostStates, continueAfterViolation: true };
        const code = isCompiled ? compileSearchOf(sequential, options) : undefined;
        if (code?.kind === 'interpreted') {
            throw new Error(code.reason);
        }
        let stored: StateSearch | undefined;
        const search: StateSearchFactory = (observer, given) => {
            const made =
                code?.search(observer, given) ??
                new InterpretedSearch(sequential, numberSuccessors(sequential, steps), observer, given);
            stored = made;
            return made;
        };
        const exploration = new Exploration(sequential, { ...options, search });
        while (!exploration.advance(UNLIMITED));
        exploration.close();
        const noted = [...steps.inexact].map(([summand, own]) => [summand, [...own]]);
        const { report } = exploration.result();
        const states = stored && statesOf(stored, sequential.cells.length);
        const text = JSON.stringify([comparable(report), noted, order.mostDifferent, steps.tooMany, states]);
        return { steps, report, text };
    };
    const [interpreted, compiled] = [explored(false), explored(true)];
    agree(
        compiled.text === interpreted.text,
        () => `generated code has\n${compiled.text}\nand not\n${interpreted.text}`,
    );
    return interpreted;
}

/** All stored states with the numbers of those before them. */
function statesOf(stored: StateSearch, cellCount: number): readonly string[] {
    const state = new Int32Array(cellCount);
    return Array.from({ length: stored.stateCount }, (_, index) => {
        stored.stateInto(state, index);
        return `${state.join(' ')} after ${stored.parentOf(index)}`;
    });
}

function reportOf(analysis: Parameters<typeof startExploration>[0], options: ReducedExplorationOptions) {
    const { exploration, interpretedBecause } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    exploration.close();
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    const text = JSON.stringify(comparable(report), (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
    );
    return { report, text, interpretedBecause };
}

/** States take other bytes, and fingerprints are kept by generated code only. */
function comparable(report: ExplorationReport | undefined): object {
    const { bytesPerState: _, peakBytes: __, omissionProbability: ___, ...same } = report ?? {};
    return same;
}
