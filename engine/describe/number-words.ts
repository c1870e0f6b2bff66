/** Words for numbers without end. */
import type { NumbersOutcome } from '../explore/verdict.js';
import { formatCount, formatLargeCount } from './words.js';

/** `next, P.mine: at most 4 different at once; distances from 2 on are one` */
export function formatNumbers(numbers: readonly ShownNumbers[]): readonly string[] {
    // Cells of an array that nothing is compared with are sorts of their own, of which there is little to tell.
    const compared = numbers.filter(({ mostDifferent, depends }) => mostDifferent > 1 || depends.length > 0);
    const told = compared.length > 0 ? compared : numbers;
    const lines = told.map(({ places, mostDifferent, kept, depends }) => {
        // One name for an array, and for the variable of all processes of a family.
        const names = [...new Set(places.map(place => place.replace(/\[[^\]]*\]/g, '')))].join(', ');
        const steps = [...new Set(depends.map(({ label }) => label))].join(', ');
        const longer = steps === '' ? '' : `, and ${steps} may depend on how long they are`;
        return `${names}: at most ${formatCount(mostDifferent)} different at once; distances from ${kept} on are one${longer}`;
    });
    return [...new Set(lines)];
}

interface ShownLoop {
    readonly trace: readonly { readonly state: Readonly<Record<string, unknown>> }[];
    readonly loopStart?: number | undefined;
}

/** `next + 1, serving + 1`: how far numbers without end have moved when a loop closes; empty for other loops. */
export function formatMoved({ trace, loopStart }: ShownLoop): string {
    const first = loopStart === undefined ? undefined : trace[loopStart]?.state;
    const last = trace[trace.length - 1]?.state;
    if (first === undefined || last === undefined || loopStart === trace.length - 1) {
        return '';
    }
    const moved = Object.entries(last).flatMap(([name, value]) => {
        const before = first[name];
        if (value === before) {
            return [];
        }
        return typeof value === 'number' && typeof before === 'number'
            ? [`${name} ${value < before ? '-' : '+'} ${Math.abs(value - before)}`]
            : [`${name} ${String(before)} → ${String(value)}`];
    });
    return moved.join(', ');
}

type ShownNumbers = Pick<NumbersOutcome, 'places' | 'mostDifferent' | 'kept'> & {
    readonly depends: readonly { readonly label: string }[];
};

/** `1,259,712 potential states`, `… with numbers up to 7`. */
export function formatPotential({
    potentialStates,
    numbersUpTo,
}: {
    readonly potentialStates: string;
    readonly numbersUpTo?: number;
}): string {
    const within = numbersUpTo === undefined ? '' : ` with numbers up to ${formatCount(numbersUpTo)}`;
    return `${formatLargeCount(potentialStates)} potential ${potentialStates === '1' ? 'state' : 'states'}${within}`;
}
