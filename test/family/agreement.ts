/** Compares views of random families with the exploration of their instances; bench/every-size.ts does so with many. */
import type * as fc from 'fast-check';
import { createRandom } from '../../engine/common/random.js';
import type { Narrow } from '../../family/narrow.js';
import { narrowModelOf } from '../arbitrary/narrow-models.js';
import { checkable, exactVerdict, familyOf, viewsOf } from './family.js';

export type FamilyComparison =
    /** The text is no family, or is refused. */
    | { readonly kind: 'refused'; readonly reason: string }
    /** Views prove nothing. */
    | { readonly kind: 'open' }
    | { readonly kind: 'agreed'; readonly extra: number; readonly viewSize: number }
    /** An instance is violated although views hold for all. */
    | { readonly kind: 'wrong'; readonly size: number; readonly text: string };

export interface FamilyComparisonOptions {
    /** The greatest value of N that is explored. */
    readonly mostSize: number;
    readonly mostViewSize: number;
    readonly mostConfigurations: number;
    /** Damages what is known of the family. */
    readonly mutate?: (narrow: Narrow) => Narrow;
}

/** The random numbers of a model. */
export function randomOf(seed: number, index: number): fc.Random {
    const random = createRandom(seed * 1_000_003 + index);
    return { nextInt: (low: number, high: number) => low + random.below(high - low + 1) } as unknown as fc.Random;
}

export async function compareFamily(random: fc.Random, options: FamilyComparisonOptions): Promise<FamilyComparison> {
    const { text, least } = narrowModelOf(random);
    const family = await familyOf(text);
    if (Array.isArray(family)) {
        return { kind: 'refused', reason: family[0] ?? '' };
    }
    const narrow = options.mutate?.(family.narrow) ?? family.narrow;
    for (let viewSize = 1; viewSize <= options.mostViewSize; viewSize++) {
        const { end } = viewsOf(narrow, viewSize, options.mostConfigurations);
        if (end?.kind === 'limit') {
            break;
        }
        if (end === undefined) {
            // Smaller instances are explored anyway.
            for (let size = Math.max(least, narrow.least[0] ?? 0); size <= options.mostSize; size++) {
                if (exactVerdict(family, [size], checkable(narrow)) === 'violated') {
                    return { kind: 'wrong', size, text };
                }
            }
            return { kind: 'agreed', extra: narrow.extra, viewSize };
        }
    }
    return { kind: 'open' };
}
