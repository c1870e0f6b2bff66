/** What came of a log: the run behind it, or the first line that fits nothing with what stands against it. */
import { listed } from '../../engine/common/listed.js';
import { formatCount } from '../../engine/describe/words.js';
import type { LogDocument, LogRepairDocument, MisfitDocument } from '../../language-server/document-schema.js';
import type { TextStyle } from './layout.js';
import { formatTrace } from './traces.js';

export function formatLog(document: LogDocument, isShort: boolean, style: TextStyle): string {
    const { colors } = style;
    const lines = [`${document.file}: ${resultOf(document, style)}`];
    if (!isShort) {
        document.invariants
            .filter(({ verdict }) => verdict === 'possible')
            .forEach(({ name }) => {
                const others = document.verdict === 'fits' ? ', not in all' : '';
                lines.push(`  ${name} is violated in some explanations of the log${others}`);
            });
        if (document.misfit !== undefined) {
            lines.push(...linesOf(document.misfit));
        }
        if (document.names.length > 0) {
            lines.push(`  ${document.names.map(({ name, value }) => `${name} = ${value}`).join(', ')}`);
        }
        if (document.ignoredKeys.length > 0) {
            lines.push(colors.dim(`  keys that say nothing of the model: ${document.ignoredKeys.join(', ')}`));
        }
    }
    const run = isShort || document.trace.length === 0 ? '' : `\n${formatTrace(document, style)}`;
    return `${lines.join('\n')}\n${run}`;
}

function resultOf(
    { verdict, lines, misfit, limit, incomplete, invariants }: LogDocument,
    { colors }: TextStyle,
): string {
    const count = `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
    if (misfit !== undefined) {
        const before = `${formatCount(misfit.candidates)} ${misfit.candidates === 1 ? 'state' : 'states'} before it`;
        const said = `line ${misfit.line} fits nothing (${before})`;
        return verdict === 'undecided'
            ? colors.yellow(`${said}; undecided: the constraint has cut off steps that may be it`)
            : colors.bold(colors.red(said));
    }
    if (verdict === 'violated') {
        const names = invariants.filter(each => each.verdict === 'violated').map(({ name }) => name);
        return colors.bold(colors.red(`violated: ${listed(names)}, in every run that explains the log (${count})`));
    }
    if (incomplete === true) {
        return colors.bold(colors.red(`the ${count} fit, and the log ends where more must happen`));
    }
    if (limit !== undefined) {
        const why =
            limit.template === undefined
                ? `too many states may be what it says${limit.hidden === undefined ? '' : `; the hidden step ${limit.hidden} adds most`}`
                : `too many instances of ${limit.template}`;
        return colors.yellow(`undecided at line ${limit.line}: ${why}`);
    }
    return verdict === 'undecided'
        ? colors.yellow(`undecided, ${count} fit: what a limit or the constraint has cut off may decide it`)
        : colors.green(`fits, ${count}`);
}

function linesOf({ candidates, nearest, instead, repairs, hide, lastLine, areOthersLeft }: MisfitDocument): string[] {
    const refused = nearest.map(refusal => {
        const share =
            refusal.candidates === candidates
                ? ''
                : ` (in ${formatCount(refusal.candidates)} of ${formatCount(candidates)})`;
        const step = refusal.step === '' ? '' : `${refusal.step}: `;
        return `  ${step}${refusal.refusedBy.replaceAll('`', '')}${share}`;
    });
    return [
        ...refused,
        instead.length === 0 ? '  nothing could come instead' : `  could have come: ${instead.join(' · ')}`,
        ...repairs.map(repair => `  it would fit ${formatRepair(repair, lastLine)}`),
        ...(areOthersLeft === true ? ['  not all changes of the log were tried: the time was over'] : []),
        ...hide.map(step => `  ${step} never occurs: --hide ${step}?`),
    ];
}

export function formatUnshown(steps: readonly string[]): string {
    return steps.length === 0 ? 'every step was shown\n' : `no log has shown ${listed([...steps])}\n`;
}

/** `without line 40, up to the end` */
function formatRepair({ kind, line, step, reaches }: LogRepairDocument, lastLine = reaches): string {
    const up = reaches === lastLine ? '' : `, up to line ${reaches}`;
    switch (kind) {
        case 'remove':
            return `without line ${line}${up}`;
        case 'missing':
            return `as if ${step ?? 'some step'} were missing before line ${line}${up}`;
        case 'exchange':
            return `if lines ${line} and the next changed places${up}`;
        case 'other':
            return `if line ${line} were ${step === undefined ? 'some other step' : `some ${step}`}${up}`;
    }
}
