/** Words for what holds for all values of the parameters of a model. */
import { listed } from '../common/listed.js';
import { formatNumberOf, formatSeconds } from './words.js';

/** Values of the parameters. */
type Sizes = Readonly<Record<string, number>>;

/** “for every N”, “for every R and W”. */
export function formatForEvery(parameters: readonly string[]): string {
    return `for every ${listed(parameters)}`;
}

/** What was not asked for all values: `; not for all: deadlock (none for N = 1 .. 10), served`; empty if there is nothing. */
export function formatNotForAll(
    notForAll: readonly string[],
    exact: readonly { readonly params: Sizes; readonly verdict: string }[],
): string {
    const holding = exact.filter(({ verdict }) => verdict === 'holds').map(({ params }) => params);
    const seen = holding.length === 0 ? '' : ` (none for ${formatSizes(holding)})`;
    const names = notForAll.map(name => (name === 'deadlock' ? `${name}${seen}` : name));
    return names.length === 0 ? '' : `; not for all: ${names.join(', ')}`;
}

/** `Holds for every N (proved in 2.4 s, checked again).` */
export function formatProof({
    forAll,
    notForAll,
    exact,
    rechecked,
    seconds,
}: {
    readonly forAll: readonly string[];
    readonly notForAll: readonly string[];
    readonly exact: Parameters<typeof formatNotForAll>[1];
    readonly rechecked?: boolean;
    readonly seconds: number;
}): string {
    return `Holds ${formatForEvery(forAll)} (${formatProved({ rechecked, seconds })})${formatNotForAll(notForAll, exact)}.`;
}

/** `proved in 2.4 s, checked again`. */
export function formatProved(proof: { readonly rechecked?: boolean | undefined; readonly seconds: number }): string {
    return `proved in ${formatSeconds(proof.seconds)}${proof.rechecked === true ? ', checked again' : ''}`;
}

/** `N = 3, M = 2`. */
export function formatValues(values: Sizes): string {
    return Object.entries(values)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ');
}

/** Consecutive values of one parameter as a range; of several, how many instances there are, and how large they get. */
export function formatSizes(sizes: readonly Sizes[]): string {
    const [first = {}] = sizes;
    const names = Object.keys(first);
    const [name = ''] = names;
    if (names.length > 1) {
        const sums = sizes.map(params => names.reduce((sum, each) => sum + (params[each] ?? 0), 0));
        return sizes.length === 1
            ? formatValues(first)
            : `${formatNumberOf(sizes.length, 'instance')} up to ${names.join(' + ')} = ${Math.max(...sums)}`;
    }
    const values = sizes.map(params => params[name] ?? 0);
    const isRow = values.every((value, index) => index === 0 || value === (values[index - 1] ?? 0) + 1);
    return isRow && values.length > 1
        ? `${name} = ${values[0]} .. ${values.at(-1)}`
        : sizes.map(formatValues).join('; ');
}
