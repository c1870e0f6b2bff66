/** One run of a model, and how it ended. */
import { isUnexpected } from '../../engine/describe/meant-words.js';
import { formatCount } from '../../engine/describe/words.js';
import type { SimulateDocument } from '../../language-server/document-schema.js';
import { formatLocation, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatTrace } from './traces.js';

export function formatSimulation(document: SimulateDocument, style: TextStyle): string {
    const place =
        document.violation === undefined || document.violation.kind === 'deadlock'
            ? ''
            : ` ${style.colors.dim(formatLocation(document.violation.location))}`;
    return (
        `${formatTitle(document.model, document.params, style)}\n` +
        `${formatSimulationEnd(document, style)}${place}${style.colors.dim(formatSeed(document))}\n` +
        `${formatNotChecked(document)}\n` +
        formatTrace(document, style)
    );
}

/** The end of the walk in a line. */
export function formatSimulationInALine(document: SimulateDocument, style: TextStyle): string {
    return `${formatSimulationEnd(document, style)}${formatSeed(document)}\n`;
}

function formatNotChecked({ notChecked = [] }: SimulateDocument): string {
    return notChecked.length === 0
        ? ''
        : `not checked on a walk: ${notChecked.join(', ')}; orbit explore checks properties of runs\n`;
}

/** The seed that gives the same walk; a script needs none. */
function formatSeed({ seed }: SimulateDocument): string {
    return seed === undefined ? '' : ` (seed ${seed})`;
}

function formatSimulationEnd({ trace, end, violation }: SimulateDocument, { colors }: TextStyle): string {
    const steps = trace.length - 1;
    const after = `${formatCount(steps)} ${steps === 1 ? 'step' : 'steps'}`;
    if (violation !== undefined) {
        const what = describeViolation(violation);
        return isUnexpected(violation)
            ? `${colors.bold(colors.red(`violated: ${what}`))} after ${after}`
            : `violated, as expected: ${what} after ${after}`;
    }
    switch (end) {
        case 'terminated':
            return `every process has terminated after ${after}`;
        case 'deadlock':
            return `no step is possible after ${after}; the model allows it`;
        case 'outside':
            return `every step leads outside of the constraint after ${after}`;
        default:
            return `${after}, and nothing violated on the way`;
    }
}
