/**
 * What may be done to a sequential model before it is searched, in this order, each with a switch of its own:
 *
 *     cone    variables on which nothing depends that is checked
 *     reset   variables that are written before anybody reads them again
 *     merge   local steps that no one can observe
 *     narrow  fewer bits for variables that have fewer values
 *
 * Verdicts are the same whatever is switched on. `narrow` keeps states and transitions one to one; with `cone`, `reset`
 * and `merge` there are fewer.
 */
export const PASSES = ['cone', 'reset', 'merge', 'narrow'] as const;
/** The name of a pass, as `--passes` takes it. */
export type PassName = (typeof PASSES)[number];

/** Those that keep states and transitions one to one. */
export const DEFAULT_PASSES: readonly PassName[] = ['narrow'];

/** What a pass has done. */
export type PassReport =
    /** Variables, array elements counted singly, and steps that change nothing else. */
    | { readonly name: 'cone'; readonly variablesDropped: number; readonly stepsDropped: number }
    /** Variables, array elements counted singly, that hold no value in some states. */
    | { readonly name: 'reset'; readonly variablesReset: number }
    /** Steps that are taken together with what leads to them. */
    | { readonly name: 'merge'; readonly stepsMerged: number }
    /** Of each state. */
    | { readonly name: 'narrow'; readonly bitsSaved: number };
