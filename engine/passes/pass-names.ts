/**
 * The passes over a sequential model before it is searched, in this order. Verdicts are the same with any of them.
 *
 *     cone    variables on which nothing depends that is checked; fewer states
 *     reset   variables that are written before they are read again; fewer states
 *     merge   local steps that no other process can observe; fewer states
 *     narrow  fewer bits for variables that have fewer values; the same states and transitions
 */
export const PASSES = ['cone', 'reset', 'merge', 'narrow'] as const;
/** The name of a pass, as `--passes` takes it. */
export type PassName = (typeof PASSES)[number];

/** Those that keep states and transitions one to one. */
export const DEFAULT_PASSES: readonly PassName[] = ['narrow'];

/** The effect of a pass, for reports. */
export type PassReport =
    /** Variables, array elements counted singly, and steps that change nothing else. */
    | { readonly name: 'cone'; readonly variablesDropped: number; readonly stepsDropped: number }
    /** Variables, array elements counted singly, that hold no value in some states. */
    | { readonly name: 'reset'; readonly variablesReset: number }
    /** Steps that are taken together with what leads to them. */
    | { readonly name: 'merge'; readonly stepsMerged: number }
    /** Of each state. */
    | { readonly name: 'narrow'; readonly bitsSaved: number };
