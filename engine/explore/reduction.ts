/** What exploration needs to know of symmetry; with `undefined` in its place every state stands for itself. */
import type { Canonicalizer as WholeCanonicalizer } from '../representative/representative.js';

/** One state of each orbit. Without a plan there is no generated code; without `elements` no state is left out early. */
export interface Canonicalizer
    extends
        Pick<WholeCanonicalizer, 'canonicalizeInto' | 'transformation' | 'imageInto'>,
        Partial<Pick<WholeCanonicalizer, 'plan' | 'meter' | 'elements' | 'imageCounts'>> {
    readonly strategy: Pick<WholeCanonicalizer['strategy'], 'name' | 'unique'>;
}
