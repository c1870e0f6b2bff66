/** Violations, and the runs that show them. */
import { changeOfCollection } from '../../engine/describe/shown-state.js';
import { formatMoved } from '../../engine/describe/number-words.js';
import { describeFault, formatEnd, formatLargeCount, formatPlainValue } from '../../engine/describe/words.js';
import type { TraceEntryDocument, ViolationDocument } from '../../language-server/document-schema.js';
import { formatLocation, type TextStyle } from './layout.js';
import { groupCells, ABSENT } from './states.js';

/** The run to a violation: the first state as a whole, then the changes of each step. */
export function formatViolationLines(violation: ViolationDocument, style: TextStyle, showsReason = true): string {
    const { colors } = style;
    const place = violation.kind === 'deadlock' ? '' : ` ${colors.dim(formatLocation(violation.location))}`;
    const head =
        `${colors.bold(colors.red(describeViolation(violation)))} ${formatEnd(violation)}` +
        `${formatCopies(violation)}${place}\n`;
    const others = violation.possiblyAt?.map(formatLocation).join(', ');
    const possible =
        others === undefined
            ? ''
            : `  possibly also at ${others}: symmetries exchange these places, but the start does not keep them\n`;
    const reason = showsReason ? formatReason(violation.reason, style).map(line => `${line}\n`) : [];
    const { loopStart, trace } = violation;
    const moved = formatMoved(violation);
    const back =
        loopStart === undefined
            ? ''
            : loopStart === trace.length - 1
              ? `  ${colors.yellow('then nothing happens any more')}\n`
              : `  ${colors.yellow(`back to ${loopStart}${moved === '' ? '' : `, with ${moved}`}, for ever`)}\n`;
    return head + possible + reason.join('') + formatTrace(violation, style) + back;
}

export function describeViolation({
    kind,
    name,
    invariant,
}: Pick<ViolationDocument, 'kind' | 'name' | 'invariant'>): string {
    const within = invariant === undefined ? '' : ` in ${invariant}`;
    return kind === 'deadlock' ? 'deadlock' : `${kind} ${name}${within}`;
}

function formatCopies({ copies = '1' }: ViolationDocument): string {
    return copies === '1' ? '' : `, one of ${formatLargeCount(copies)} symmetric states`;
}

/** The reason in a few lines; alike ones are only counted. */
export function formatReason(reason: ViolationDocument['reason'] = [], { colors }: TextStyle): string[] {
    return reason.slice(0, MOST_REASON_LINES).map(({ text, location, alike }) => {
        const place = location === undefined ? '' : `  ${colors.dim(`line ${location.line}`)}`;
        const more = alike === undefined ? '' : `  ${colors.dim(`(${alike.text})`)}`;
        return `  ${text.replaceAll('`', '')}${more}${place}`;
    });
}

/** The document has all of them. */
const MOST_REASON_LINES = 6;

/** A run, and where its loop begins if it has one. */
type Run = Pick<ViolationDocument, 'trace' | 'loopStart'>;

/** The steps, numbered from the initial state on. */
export function formatTrace(run: Run, style: TextStyle): string {
    return run.trace.map((entry, index) => formatTraceEntry(entry, index, run, style)).join('');
}

function formatTraceEntry(
    entry: TraceEntryDocument,
    index: number,
    { trace, loopStart }: Run,
    style: TextStyle,
): string {
    const { colors } = style;
    const numberWidth = String(trace.length - 1).length;
    const number = String(index).padStart(numberWidth);
    const indent = ' '.repeat(numberWidth + 4);
    const loop = loopStart === index && index < trace.length - 1 ? colors.yellow('  (the loop begins here)') : '';
    const asked = Object.entries(entry.asked ?? {}).map(([question, value]) => {
        const isNew = trace[index - 1]?.asked?.[question] !== value;
        return `${indent}${colors.dim(`${question}:`)} ${isNew ? colors.bold(value) : value}\n`;
    });
    if (entry.step === null) {
        const names = new Set(trace.flatMap(({ state }) => Object.keys(state)));
        const groups = groupCells(entry.state, names).map(line => `${indent}${line}\n`);
        return `  ${colors.dim(number)}  ${colors.dim('initial state')}${loop}\n${groups.join('')}${asked.join('')}`;
    }
    const before = trace[index - 1]?.state ?? {};
    const changes = entry.changed.map(name => {
        const ofSet = changeOfCollection(before[name], entry.state[name]);
        const change =
            ofSet === undefined
                ? `: ${formatPlainValue(before[name], ABSENT)} ${colors.dim('→')} ` +
                  colors.bold(formatPlainValue(entry.state[name], ABSENT))
                : ` ${colors.bold(ofSet)}`;
        return `${indent}${name}${change}\n`;
    });
    return (
        `  ${colors.dim(number)}  ${colors.cyan(entry.step.process)} ${colors.bold(entry.step.label)}` +
        `${entry.step.choice === undefined ? '' : ` (${entry.step.choice})`}  ${colors.dim(`line ${entry.step.location.line}${entry.logLine === undefined ? '' : `, log ${entry.logLine}`}`)}${loop}\n` +
        changes.join('') +
        asked.join('') +
        (entry.fault === undefined
            ? ''
            : `${indent}${colors.red(`fault: ${describeFault(entry.fault).replaceAll('`', '')}`)}\n`)
    );
}
