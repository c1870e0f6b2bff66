/** The part of a canonicalizer that exploration uses. Without a canonicalizer every state represents itself. */
import type { Canonicalizer as WholeCanonicalizer } from '../representative/representative.js';

/** Without a plan there is no generated code, without a group no places that are alike; without `elements` no initial state is left out early. */
export interface Canonicalizer
    extends
        Pick<WholeCanonicalizer, 'canonicalizeInto' | 'transformation' | 'imageInto'>,
        Partial<Pick<WholeCanonicalizer, 'group' | 'plan' | 'meter' | 'elements' | 'imageCounts'>> {
    readonly strategy: Pick<WholeCanonicalizer['strategy'], 'name' | 'unique'>;
}
