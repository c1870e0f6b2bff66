/** What a model says about its own verdict: runs that are to exist, and violations that are meant. */
import type { SourceRange } from '../common/source-range.js';
import type { TemporalExpression } from './temporal.js';

/**
 * `run NAME = c then d`: some run comes from an initial state to c, and from there on, or at once, to d. Behind a part with
 * `takes` the next one looks from the state after that step. The parts have no temporal words but `takes`.
 */
export interface StatedRun {
    readonly name: string;
    readonly documentation: string;
    readonly parts: readonly TemporalExpression[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** `expect violated NAME` and `expect every step`. */
export type Expectation = {
    /** Whether its condition is true of the parameters; without a condition it always is. */
    readonly applies: boolean;
    readonly range: SourceRange;
} & (
    | {
          readonly kind: 'violated';
          /** An invariant, a property, `deadlock` or `faults`. */
          readonly name: string;
      }
    | { readonly kind: 'every-step' }
);
