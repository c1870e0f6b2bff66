import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { PassReport } from '../../engine/passes/pass-names.js';
import { startExploration, type Analysis, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

export interface Explored {
    readonly report: ExplorationReport;
    readonly passes: readonly PassReport[];
}

/** Everything, without reduction unless the options say otherwise. */
export function explore(analysis: Analysis, options: Partial<ReducedExplorationOptions>): Explored {
    const { exploration, passes } = startExploration(
        analysis,
        { reduction: 'none', continueAfterViolation: true, ...options },
        UNLIMITED,
    );
    exploration.advance(UNLIMITED);
    const { report, problems } = exploration.result();
    if (report === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return { report, passes };
}

/** By generated code, and by the interpreter, which must say the same but for the memory taken. */
export async function exploreText(text: string, options: Partial<ReducedExplorationOptions>): Promise<Explored> {
    const analysis = await analysisOf(text);
    const compiled = explore(analysis, options);
    const interpreted = explore(analysis, { ...options, isInterpreted: true });
    const withoutBytes = ({ report }: Explored): string =>
        JSON.stringify({ ...report, bytesPerState: 0, peakBytes: 0 }, (_, value: unknown) =>
            typeof value === 'bigint' ? value.toString() : value,
        );
    if (withoutBytes(compiled) !== withoutBytes(interpreted)) {
        throw new Error(`generated code: ${withoutBytes(compiled)}\ninterpreter: ${withoutBytes(interpreted)}`);
    }
    return compiled;
}
