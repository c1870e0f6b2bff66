/** `orbit explore --sweep`: a row for each value as soon as it is explored, then the first violation. */
import { formatUnexpected, isUnexpected } from '../../engine/describe/meant-words.js';
import {
    formatCount,
    formatEnd,
    formatFactor,
    formatLargeCount,
    formatNumberOf,
    formatPlainValue,
    formatSeconds,
    formatShare,
} from '../../engine/describe/words.js';
import { factorial } from '../../engine/group/permutation.js';
import type { ExploreDocument, SweepDocument } from '../../language-server/document-schema.js';
import type { ParameterRange } from '../../language-server/protocol.js';
import { describeLimit } from './exploration.js';
import type { TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatViolationLines } from './traces.js';

/** Rows are printed one by one, so the columns have widths for large counts. */
const WIDTHS = [6, 15, 20, 9, 15, 7, 10];

/** The row of one exploration, the first with the title and the names of the columns before it. */
export function formatSweepRow(
    { name, first, last }: ParameterRange,
    document: ExploreDocument,
    index: number,
    style: TextStyle,
): string {
    const { params, states, allStates, transitions, depth, seconds, por } = document;
    const others = Object.fromEntries(Object.entries(params).filter(([parameter]) => parameter !== name));
    const isReduced = document.reduction.order !== '1';
    const leavesOut = por !== undefined && por.fired < por.enabled;
    const noun = por !== undefined ? 'stored' : isReduced ? 'orbits' : 'states';
    const head =
        `${formatTitle(document.model, { ...others, [name]: `${first} .. ${last}` }, style)}\n\n` +
        `${style.colors.dim(`${toColumns([name, noun, 'all states', 'factor', 'transitions', 'depth', 'time'])}  verdict`)}\n`;
    const cells = [
        formatPlainValue(params[name], ''),
        formatCount(states),
        allStates === undefined ? (isReduced || leavesOut ? '' : formatCount(states)) : formatLargeCount(allStates),
        allStates === undefined ? '' : formatFactor(allStates, states),
        formatCount(transitions),
        formatCount(depth),
    ];
    const row = `${toColumns([...cells, formatSeconds(seconds)])}  ${describeVerdict(document, style)}`;
    return `${index === 0 ? head : ''}${row}${describeGroup(document, style)}${describeShare(document, style)}\n`;
}

/** The limit that ended the sweep early, and the first violation. */
export function formatSweepEnd({ sweep, limit }: SweepDocument, style: TextStyle): string {
    const late = limit === undefined ? '' : `\n${style.colors.yellow('undecided')}: ${describeLimit(limit)}\n`;
    const violation = sweep.flatMap(({ violations }) => violations).find(isUnexpected);
    return `${late}${violation === undefined ? '' : `\n${formatViolationLines(violation, style)}`}`;
}

function describeVerdict(
    { verdict, violations, unexpected: [surprise] = [], limit }: ExploreDocument,
    { colors }: TextStyle,
): string {
    const violation = violations.find(isUnexpected);
    switch (verdict) {
        case 'holds':
            return colors.green('holds');
        case 'violated':
            return violation === undefined
                ? colors.red(surprise === undefined ? 'violated' : formatUnexpected(surprise).replaceAll('`', ''))
                : colors.red(`${describeViolation(violation)} ${formatEnd(violation)}`);
        case 'undecided':
            return `${colors.yellow('undecided')}${limit === undefined ? '' : `: ${describeLimit(limit)}`}`;
    }
}

function describeGroup(
    { reduction: { group, order, unique }, templates }: ExploreDocument,
    { colors }: TextStyle,
): string {
    if (templates !== undefined && unique && order !== '1') {
        // Slots in which no instance has been need not be exchanged by the group.
        const used = templates.filter(({ mostNamed }) => mostNamed > 0);
        const exchanges = used.reduce((product, { slots }) => product * factorial(slots), 1n);
        const others = (BigInt(order) / exchanges).toString();
        return others === '1' ? '' : colors.dim(`  ${formatNumberOf(others, 'symmetry', 'symmetries')} and names`);
    }
    return order === '1' ? '' : colors.dim(`  ${group}`);
}

/** The steps that were taken of those that were possible, if not all were. */
function describeShare({ por }: ExploreDocument, { colors }: TextStyle): string {
    return por === undefined || por.fired === por.enabled ? '' : colors.dim(`  ${formatShare(por)} of the steps`);
}

function toColumns(cells: readonly string[]): string {
    return cells.map((cell, column) => cell.padStart(WIDTHS[column] ?? 0)).join('');
}
