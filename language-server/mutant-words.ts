/** Survivors in words, for the terminal and for lenses. */
import { formatChange, formatEffect } from '../engine/mutate/words.js';
import type { MutantDocument } from './document-schema.js';
import { isSurvivor } from './survivors.js';

/** Whether nothing notices it, and nobody has accepted that. Of several that are alike the first counts. */
export function isOutside(mutant: MutantDocument): boolean {
    return isSurvivor(mutant) && mutant.because === undefined;
}

/** `nothing notices if the guard `!taken` is dropped (3 states more)` */
export function formatMutant(mutant: MutantDocument): string {
    const { states, steps: firings, effect: kind, upToSymmetry, outcome } = mutant;
    const effect =
        outcome === 'mirrored'
            ? 'the same but for names that no property tells apart'
            : kind !== undefined && states !== undefined && firings !== undefined
              ? formatEffect({ kind, states, firings, ...(upToSymmetry && { upToSymmetry }) })
              : undefined;
    return `nothing notices if ${formatChange(mutant)}${effect === undefined ? '' : ` (${effect})`}`;
}

/** The survivors that people are told: of one guard, and of one body, the first. `parts` has that of each mutant. */
export function oneForEachPart(
    mutants: readonly MutantDocument[],
    parts: readonly string[],
): readonly MutantDocument[] {
    // A guard comes before its parts, and so does the first statement of a body.
    const known = new Set<string | undefined>();
    return mutants.filter((mutant, index) => isOutside(mutant) && known.size < known.add(parts[index]).size);
}
