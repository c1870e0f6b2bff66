/** Passes over the model (passes/passes.ts) as a reduction. */
import { DEFAULT_PASSES, type PassName } from '../passes/pass-names.js';
import { preparePasses } from '../passes/passes.js';
import { bitsOfCell } from '../sequential/expression/code-range.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { LONG_BITS } from '../explore/state-layout.js';
import type { SearchReduction } from './reduction.js';

/** When no passes are named: those that may gain something. */
export function passesReduction(named: readonly PassName[] | undefined): SearchReduction {
    return {
        prepare({ sequential, values }, { properties, countsSteps, workLimit }) {
            // The counts are of the steps of the model as written.
            const passes = countsSteps === true ? [] : (named ?? worthwhilePasses(sequential));
            const { run, ...facts } = preparePasses(sequential, { passes, properties, values, workLimit });
            return {
                facts,
                apply: ({ symmetries = [] }) => {
                    const { passed, reports } = run(symmetries);
                    return { parts: { passed }, report: { passes: reports } };
                },
            };
        },
    };
}

/** Default passes only shorten states; a state of one word gets no shorter. */
function worthwhilePasses({ templates, cells }: SequentialModel): readonly PassName[] {
    const bits = cells.reduce((sum, cell) => sum + bitsOfCell(cell), 0);
    return templates === undefined && bits >= LONG_BITS ? DEFAULT_PASSES : [];
}
