/** Tests of a model: their runs, and how much of the model they take. */
import { formatNumberOf } from '../../engine/describe/words.js';
import { formatStep } from '../../engine/explore/written-trace.js';
import type { TestsDocument } from '../../language-server/document-schema.js';
import type { TextStyle } from './layout.js';
import { formatTitle } from './states.js';

export function formatTests(document: TestsDocument, style: TextStyle): string {
    const { colors } = style;
    const starts = new Set(document.tests.map(({ initial }) => JSON.stringify(initial)));
    const tests = document.tests.map(({ name, initial, steps }) => {
        const values = Object.entries(initial).map(([place, value]) => `${place} = ${String(value)}`);
        const start = starts.size === 1 ? [] : [colors.dim(`  from ${values.join(', ')}`)];
        const lines = steps.map((step, index) => `${String(index + 1).padStart(4)}  ${formatStep(step)}`);
        return ['', colors.bold(`test ${name}`), ...start, ...lines].join('\n');
    });
    return [
        formatTitle(document.model, document.params, style),
        ...tests,
        '',
        formatTestsInALine(document, style),
    ].join('\n');
}

/** `131 tests, 1,229 steps: all 572 orbits of transitions`. */
export function formatTestsInALine(
    { tests, cover, covered, transitionOrbits, limit }: TestsDocument,
    { colors }: TextStyle,
): string {
    const steps = tests.reduce((sum, test) => sum + test.steps.length, 0);
    const orbits = formatNumberOf(transitionOrbits, 'orbit');
    const all = covered === transitionOrbits ? `all ${orbits}` : `${covered} of ${orbits}`;
    const what = { steps: 'each step of the text, ', transitions: '', pairs: 'each pair of transitions, ' }[cover];
    const said = `${formatNumberOf(tests.length, 'test')}, ${formatNumberOf(steps, 'step')}: ${what}${all} of transitions`;
    if (limit === undefined) {
        return `${said}\n`;
    }
    const reason = {
        states: 'the limit of states was reached',
        time: 'the time was over',
        instances: 'more instances live at once than can be named',
    }[limit];
    return `${said}\n${colors.yellow(`undecided: ${reason}, and other tests are missing`)}\n`;
}
