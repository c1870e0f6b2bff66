/**
 * Explorations of models with numbers without end by generated code and by the interpreter: one report, whatever is asked,
 * with the same states, steps, traces, limits and notes on numbers.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
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

function reportOf(analysis: Parameters<typeof startExploration>[0], options: ReducedExplorationOptions) {
    const { exploration, interpretedBecause } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    exploration.close();
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    // States take other bytes; fingerprints are kept by generated code only.
    const { bytesPerState: _, peakBytes: __, omissionProbability: ___, ...same } = report;
    const text = JSON.stringify(same, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    return { report, text, interpretedBecause };
}
