import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { selectTests, type Selection, type SelectionOptions } from '../../engine/tests/select-tests.js';
import { modelOf } from '../model-of-text.js';

export async function testsOf(
    text: string,
    cover: Selection['cover'] = 'transitions',
    parameters: Readonly<Record<string, number>> = {},
    limits: Partial<SelectionOptions> = {},
): Promise<Selection> {
    const model = await modelOf(text, parameters);
    const { sequential } = linearize(model);
    invariant(sequential !== undefined, 'the text is linearized');
    const options = {
        cover,
        maxStates: 100_000,
        symmetryLimit: UNLIMITED,
        workLimit: UNLIMITED,
        walkLimit: UNLIMITED,
        runLimit: UNLIMITED,
        ...limits,
    };
    const selection = selectTests(model, sequential, options);
    invariant(selection.kind === 'tests', 'the model has a start');
    return selection;
}
