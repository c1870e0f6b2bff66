/** Words for what has ended a search early, for all surfaces; what would let it go on each of them adds itself. */
import { formatBytes, formatCount, formatNumberOf, formatSeconds } from './words.js';

/** A limit as documents carry it, with times in seconds. */
export interface ShownLimit {
    readonly kind: string;
    readonly value: number;
    readonly template?: string;
    readonly step?: { readonly label: string };
    readonly found?: string;
}

/** `the limit of 1,000 states was reached` */
export function formatLimit(limit: ShownLimit): string {
    switch (limit.kind) {
        case 'states':
            return `the limit of ${formatNumberOf(limit.value, 'state')} was reached`;
        case 'memory':
            return `the limit of ${formatBytes(limit.value)} of memory was reached`;
        case 'time':
            return `the time limit of ${formatSeconds(limit.value)} was reached`;
        case 'work':
            return `finding the representative of one state took more than ${formatCount(limit.value)} steps`;
        case 'thread':
            return 'a thread of the search has ended';
        case 'automaton':
            return `the automaton of the property has more than ${formatNumberOf(limit.value, 'state')}`;
        case 'instances':
            return (
                `more than ${formatNumberOf(limit.value, 'instance')} of ${limit.template ?? 'a template'} ` +
                'live or are named at once'
            );
        case 'names':
            return `more than ${formatNumberOf(limit.value, 'value')} of ${limit.template ?? 'a type'} are held at once`;
        case 'numbers':
            return `some state needs more than ${formatNumberOf(limit.value, 'different number')}`;
        case 'openings':
            return `\`${limit.step?.label ?? ''}\` adds to numbers in more than ${formatCount(limit.value)} cases of their distances`;
        case 'notReal':
            return formatNotReal(limit);
        case 'distances':
            return `what is \`possible\` is not known, since \`${limit.step?.label ?? ''}\` depends on how long a distance of numbers is`;
        case 'interrupted':
            return 'interrupted';
        default:
            return `the limit ${limit.kind} = ${formatCount(limit.value)} was reached`;
    }
}

/** What a run that is not real is said to have shown, and where it ends: `at step 17 draw`. */
function formatNotReal({ value, step, found }: ShownLimit): string {
    const what = found === undefined ? 'what was found' : `what was found of \`${found}\``;
    const where =
        step === undefined
            ? `after ${formatNumberOf(value, 'step')} with real numbers it is not there`
            : `with real numbers it ends before step ${formatCount(value + 1)}, \`${step.label}\``;
    return `no run is known for ${what}: ${where}`;
}
