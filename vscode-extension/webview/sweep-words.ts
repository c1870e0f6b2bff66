/** A sweep in words. */
import { formatCount, formatFactor, formatSeconds, formatViolation } from '../../engine/describe/words.js';
import type { KeptDocument } from '../../language-server/protocol.js';
import type { SweepContent, SweptValue } from './messages.js';
import { NO_VALUE_MARK } from './wording.js';

/** `holds`, `deadlock after 3 steps`, `undecided`. */
function outcomeOf({ verdict, violations }: KeptDocument): string {
    const [first] = violations;
    if (first === undefined) {
        return verdict;
    }
    const text = formatViolation(first).replaceAll('`', '');
    return text.replace(/^Deadlock/, 'deadlock').replace(/^Fault/, 'fault');
}

/** The title: `Holds for each N from 3 to 16`, `Deadlock after 3 steps for N = 3`. */
export function sweepTitle({ range, rows, state, continuesAfterViolation }: SweepContent): string {
    const { name, first, last } = range;
    const latest = rows.at(-1);
    const reached = latest === undefined ? 'nothing' : `${name} = ${latest.value}`;
    switch (state.kind) {
        case 'running':
            return `Exploring ${name} = ${first + rows.length} …`;
        case 'cancelled':
            return latest === undefined ? 'Cancelled' : `Cancelled after ${reached}`;
        case 'failed':
            return latest === undefined ? 'The sweep failed' : `The sweep failed after ${reached}`;
        case 'finished':
            break;
    }
    const violated = rows.filter(({ document }) => document.verdict === 'violated');
    if (violated.length === 1 || (violated.length > 0 && !continuesAfterViolation)) {
        const [one = latest] = violated;
        return one === undefined ? '' : `${capital(outcomeOf(one.document))} for ${name} = ${one.value}`;
    }
    if (violated.length > 1) {
        return `Violated for ${violated.length} of ${rows.length} values of ${name}`;
    }
    return latest?.document.verdict === 'undecided'
        ? `Undecided from ${reached} on`
        : `Holds for each ${name} from ${first} to ${last}`;
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

const COLUMNS = ['orbits', 'all states', 'fewer', 'depth', 'time', 'group', 'outcome'] as const;
export type SweepColumn = (typeof COLUMNS)[number];

/** Without reduction all states are what was stored. */
export function columnsFor(reduction: SweepContent['reduction']): readonly SweepColumn[] {
    return reduction === 'none' ? ['all states', 'depth', 'time', 'outcome'] : COLUMNS;
}

/** `320`, `10x`, `✗ deadlock after 3 steps`, `✗ few after 3 steps`; a dash if it is not known. */
export function cellOf({ document }: SweptValue, column: SweepColumn): string {
    const { states, reduction } = document;
    const allStates = document.allStates ?? (reduction.order === '1' ? String(states) : undefined);
    switch (column) {
        case 'orbits':
            return formatCount(states);
        case 'all states':
            return allStates === undefined ? NO_VALUE_MARK : formatCount(allStates);
        case 'fewer':
            return allStates === undefined || states === 0 ? NO_VALUE_MARK : formatFactor(allStates, states);
        case 'depth':
            return formatCount(document.depth);
        case 'time':
            return formatSeconds(document.seconds);
        case 'group':
            return reduction.group;
        case 'outcome':
            return `${document.verdict === 'violated' ? '✗ ' : ''}${outcomeOf(document).replace(' is violated ', ' ')}`;
    }
}
