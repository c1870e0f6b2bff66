/** The part of a canonicalizer that exploration uses. Without a canonicalizer every state represents itself. */
import type { Canonicalizer } from '../representative/representative.js';

/**
 * Without a plan there is no generated code, without a group no places that are alike; without `elements` no initial state
 * is left out early.
 */
export interface StateCanonicalizer
    extends
        Pick<Canonicalizer, 'canonicalizeInto' | 'transformation' | 'imageInto'>,
        Partial<Pick<Canonicalizer, 'group' | 'plan' | 'meter' | 'elements' | 'imageCounts'>> {
    readonly strategy: Pick<Canonicalizer['strategy'], 'name' | 'unique'>;
}
