/** Mutants for people: the survivors that are not accepted, in the order of the text. */
import { formatNumberOf, formatPlainValue } from '../../engine/describe/words.js';
import { formatChange, formatEffect } from '../../engine/mutate/words.js';
import type { MutantDocument, MutateDocument } from '../../language-server/document-schema.js';
import { isSurvivor } from '../survivors.js';
import { formatLocation, type TextStyle } from './layout.js';

/** With the part of the text of each: one guard, one body. */
export type MutatedModel = MutateDocument['models'][number] & { readonly parts: readonly string[] };

/** One line for each survivor, of those of one guard or one body the first; then a line of numbers. */
export function formatMutants(model: MutatedModel, { colors }: TextStyle): string {
    const survivors = model.mutants.filter(isOutside);
    // A guard comes before its parts, and so does the first statement of a body.
    const known = new Set<string | undefined>();
    const shown = model.mutants.filter(
        (mutant, index) => isOutside(mutant) && known.size < known.add(model.parts[index]).size,
    );
    const left = survivors.length - shown.length;
    const lines = [
        ...shown.map(mutant => `${colors.bold(formatLocation(mutant.location))}: ${sentenceOf(mutant)}`),
        ...(left > 0 ? [colors.dim(`… and ${left} more at the same guards and bodies (--json lists all)`)] : []),
        ...(model.unmatched === undefined
            ? []
            : [`nothing needs ${formatNumberOf(model.unmatched, 'entry', 'entries')} of the baseline any more`]),
        `${colors.bold(model.file)}: ${countsOf(model.mutants)}${sizesOf(model)}`,
    ];
    return lines.map(line => `${line}\n`).join('');
}

/** All models together. */
export function formatMutantsInALine({ models }: MutateDocument): string {
    const mutants = models.flatMap(model => model.mutants);
    const outside = mutants.filter(isOutside).length;
    return `${formatNumberOf(mutants.length, 'mutant')}, ${formatNumberOf(outside, 'survivor')} ${
        mutants.some(({ because }) => because !== undefined) ? 'outside of the baseline' : 'that nothing notices'
    }\n`;
}

/** Whether nothing notices it, and nobody has accepted that. Of several that are alike the first counts. */
function isOutside(mutant: MutantDocument): boolean {
    return isSurvivor(mutant) && mutant.because === undefined;
}

function sentenceOf(mutant: MutantDocument): string {
    const { states, steps: firings, effect: kind, upToSymmetry, outcome } = mutant;
    const effect =
        outcome === 'mirrored'
            ? 'the same but for names that no property tells apart'
            : kind !== undefined && states !== undefined && firings !== undefined
              ? formatEffect({ kind, states, firings, ...(upToSymmetry && { upToSymmetry }) })
              : undefined;
    return `nothing notices if ${formatChange(mutant)}${effect === undefined ? '' : ` (${effect})`}`;
}

/** `32 mutants: 11 killed, 19 survive` */
function countsOf(mutants: readonly MutantDocument[]): string {
    const count = (has: (mutant: MutantDocument) => boolean): number => mutants.filter(has).length;
    const survives = count(isOutside);
    const parts: readonly (readonly [number, string])[] = [
        [count(({ outcome }) => outcome === 'killed'), 'killed'],
        [survives, survives === 1 ? 'survives' : 'survive'],
        [count(({ because }) => because !== undefined), 'accepted'],
        [count(({ alikeTo }) => alikeTo !== undefined), 'like another one'],
        [count(({ outcome }) => outcome === 'equivalent'), 'equivalent'],
        [count(({ outcome }) => outcome === 'unneeded'), 'without a need for `fair`'],
        [count(({ outcome }) => outcome === 'undecided'), 'undecided'],
        [count(({ outcome }) => outcome === 'invalid'), 'no model'],
    ];
    const said = parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
    return `${formatNumberOf(mutants.length, 'mutant')}${said.length === 0 ? '' : `: ${said.join(', ')}`}`;
}

function sizesOf({ params }: MutatedModel): string {
    const sizes = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, '')}`);
    return sizes.length === 0 ? '' : ` (${sizes.join(', ')})`;
}
