/** Mutants for people: the survivors that are not accepted, in the order of the text. */
import { formatNumberOf, formatPlainValue } from '../../engine/describe/words.js';
import type { MutantDocument, MutateDocument } from '../../language-server/document-schema.js';
import { formatMutant, isOutside, oneForEachPart } from '../../language-server/mutant-words.js';
import { formatLocation, type TextStyle } from './layout.js';

/** With the part of the text of each: one guard, one body. */
export type MutatedModel = MutateDocument['models'][number] & { readonly parts: readonly string[] };

/** One line for each survivor, of those of one guard or one body the first; then a line of numbers. */
export function formatMutants(model: MutatedModel, { colors }: TextStyle): string {
    const survivors = model.mutants.filter(isOutside);
    const shown = oneForEachPart(model.mutants, model.parts);
    const left = survivors.length - shown.length;
    const lines = [
        ...shown.map(mutant => `${colors.bold(formatLocation(mutant.location))}: ${formatMutant(mutant)}`),
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
