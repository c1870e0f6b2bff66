/** What came of a log, in words: for the terminal, the panel, and the problem at the line that fits nothing. */
import { listed } from '../engine/common/listed.js';
import { formatCount } from '../engine/describe/words.js';
import type { LogDocument, LogRepairDocument, MisfitDocument } from './document-schema.js';

/**
 * What there is to say of a line that fits nothing, each with the line of the log that it is about: first what stands
 * against it, if that is known, as `formatRefusals` has it. `hidingOf` is how the reader would hide a step.
 */
export function formatMisfit(
    misfit: MisfitDocument,
    hidingOf: (step: string) => string,
): readonly { readonly line: number; readonly text: string }[] {
    const here = (text: string): { readonly line: number; readonly text: string } => ({ line: misfit.line, text });
    return [
        ...formatRefusals(misfit).map(text => here(text.replaceAll('`', ''))),
        here(formatInstead(misfit)),
        ...misfit.repairs.map(repair => ({ line: repair.line, text: formatRepair(repair, misfit) })),
        ...(misfit.areOthersLeft === true ? [here(REPAIRS_LEFT)] : []),
        ...misfit.hide.map(step => here(`${step} never occurs: ${hidingOf(step)}?`)),
    ];
}

/** `line 6 fits nothing (15 states before it)`, `fits, 12 lines`. */
export function formatLogResult({ verdict, lines, misfit, limit, incomplete, invariants }: LogDocument): string {
    const count = `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
    if (misfit !== undefined) {
        const before = `${formatCount(misfit.candidates)} ${misfit.candidates === 1 ? 'state' : 'states'} before it`;
        const said = `line ${misfit.line} fits nothing (${before})`;
        return verdict === 'undecided' ? `${said}; undecided: the constraint has cut off steps that may be it` : said;
    }
    if (verdict === 'violated') {
        const names = invariants.filter(each => each.verdict === 'violated').map(({ name }) => name);
        return `violated: ${listed(names)}, in every run that explains the log (${count})`;
    }
    if (incomplete === true) {
        return `the ${count} fit, and the log ends where more must happen`;
    }
    if (limit !== undefined) {
        const why =
            limit.template === undefined
                ? `too many states may be what it says${limit.hidden === undefined ? '' : `; the hidden step ${limit.hidden} adds most`}`
                : `too many instances of ${limit.template}`;
        return `undecided at line ${limit.line}: ${why}`;
    }
    return verdict === 'undecided'
        ? `undecided, ${count} fit: what a limit or the constraint has cut off may decide it`
        : `fits, ${count}`;
}

/** The invariants that only some explanations of a log have passed a violation of. */
export function formatPossible({ verdict, invariants }: LogDocument): readonly string[] {
    const others = verdict === 'fits' ? ', not in all' : '';
    return invariants
        .filter(each => each.verdict === 'possible')
        .map(({ name }) => `${name} is violated in some explanations of the log${others}`);
}

/** What stands against each step that the line could mean: `Campaign win: node[1].role = follower, must be candidate`. */
export function formatRefusals({ candidates, nearest }: MisfitDocument): readonly string[] {
    return nearest.map(refusal => {
        const share =
            refusal.candidates === candidates
                ? ''
                : ` (in ${formatCount(refusal.candidates)} of ${formatCount(candidates)})`;
        const step = refusal.step === '' ? '' : `${refusal.step}: `;
        return `${step}${refusal.refusedBy}${share}`;
    });
}

/** What could have come in the place of the line. */
export function formatInstead({ instead }: MisfitDocument): string {
    return instead.length === 0 ? 'nothing could come instead' : `could have come: ${instead.join(' · ')}`;
}

/** `it would fit without line 40, up to line 44` */
export function formatRepair(
    { kind, line, step, reaches }: LogRepairDocument,
    { lastLine = reaches }: MisfitDocument,
): string {
    const up = reaches === lastLine ? '' : `, up to line ${reaches}`;
    switch (kind) {
        case 'remove':
            return `it would fit without line ${line}${up}`;
        case 'missing':
            return `it would fit as if ${step ?? 'some step'} were missing before line ${line}${up}`;
        case 'exchange':
            return `it would fit if lines ${line} and the next changed places${up}`;
        case 'other':
            return `it would fit if line ${line} were ${step === undefined ? 'some other step' : `some ${step}`}${up}`;
    }
}

export const REPAIRS_LEFT = 'not all changes of the log were tried: the time was over';
