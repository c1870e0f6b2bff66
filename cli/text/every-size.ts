/** The verdict for all values of a parameter as text, from its JSON document. */
import { formatNotForAll, formatSizes, formatValues } from '../../engine/describe/for-every.js';
import { formatCount, formatNumberOf, formatSeconds } from '../../engine/describe/words.js';
import type {
    EverySizeDocument,
    ExactSizeDocument,
    VerifyViewsDocument,
} from '../../language-server/document-schema.js';
import { describeLimit, describeWithin } from './exploration.js';
import { formatTable, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatReason, formatViolationLines } from './traces.js';

export function formatEverySize(document: EverySizeDocument, style: TextStyle): string {
    const { views, viewSize, extra, configurations = 0, steps = 0, invariants, rechecked } = document;
    const lines = [
        formatTitle(document.model, document.params, style),
        formatVerdict(document, style),
        ...formatReason(document.violations[0]?.reason, style),
        '',
        ...formatTable([
            ...(views === undefined || viewSize === undefined
                ? []
                : [
                      ['checked', [...invariants, 'faults'].join(', ')] as const,
                      [
                          'views',
                          `${formatCount(views)} with up to ${formatNumberOf(viewSize, 'member')}, ${extra} more in a step`,
                      ] as const,
                      ['configurations', `${formatCount(configurations)} · ${formatNumberOf(steps, 'step')}`] as const,
                      ['proof', rechecked ? 'checked again' : 'not checked again: orbit verify does'] as const,
                  ]),
            ...describeExact(document),
            ['time', formatSeconds(document.seconds)],
        ]).map(line => `  ${line}`),
    ];
    const violations = document.violations.map(
        (violation, index) => `\n${formatViolationLines(violation, style, index > 0)}`,
    );
    return `${lines.join('\n')}\n${violations.join('')}`;
}

/** The verdict and the counts in a line. */
export function formatEverySizeInALine(document: EverySizeDocument): string {
    const { views, configurations, seconds } = document;
    const counts =
        views === undefined || configurations === undefined
            ? []
            : [formatNumberOf(views, 'view'), formatNumberOf(configurations, 'configuration')];
    return `${[describeVerdict(document), ...counts, formatSeconds(seconds)].join(' · ')}\n`;
}

function formatVerdict(document: EverySizeDocument, { colors }: TextStyle): string {
    const color = { holds: colors.green, violated: colors.red, undecided: colors.yellow }[document.verdict];
    return colors.bold(color(describeVerdict(document)));
}

/** `holds for every N; not for all: served`, `violated for N = 2: safe`. */
export function describeVerdict(document: EverySizeDocument): string {
    const { verdict, forAll, notForAll, exact, violatedFor = {}, violations, limit, suspicion } = document;
    switch (verdict) {
        case 'holds':
            return `holds for every ${forAll.join(' and every ')}${describeWithin(document)}${formatNotForAll(notForAll, exact)}`;
        case 'violated': {
            const names = violations.map(violation => describeViolation(violation)).join(', ');
            return `violated for ${formatValues(violatedFor)}${names === '' ? '' : `: ${names}`}`;
        }
        case 'undecided':
            return limit !== undefined
                ? `undecided: ${describeLimit(limit)}`
                : `undecided: views do not exclude ${suspicion?.kind === 'fault' ? `the fault ${suspicion.name}` : `that ${suspicion?.name ?? 'a property'} is violated`}`;
    }
}

/** What is known of the instances that were explored: `N = 1 .. 6`. */
function describeExact({ exact }: EverySizeDocument): (readonly [string, string])[] {
    const holding = exact.filter(({ verdict }) => verdict === 'holds');
    if (holding.length === 0) {
        return [];
    }
    const deadlocks = holding.filter(each => each.deadlocks > 0);
    const sizesOf = (sizes: readonly ExactSizeDocument[]): string => formatSizes(sizes.map(({ params }) => params));
    const dead = deadlocks.length === 0 ? 'no deadlock' : `allowed deadlocks for ${sizesOf(deadlocks)}`;
    return [['explored', `${sizesOf(holding)}: holds, ${dead}`]];
}

/** The result of checking a proof again. */
export function formatViewsVerification(document: VerifyViewsDocument, style: TextStyle): string {
    const { model, params, views, viewSize, configurations, steps, reason } = document;
    const lines = [
        formatTitle(model, params, style),
        verificationVerdict(document, style),
        '',
        ...formatTable([
            ['hold', formatHolding(document)],
            ['views', `${formatCount(views)} with up to ${formatNumberOf(viewSize, 'member')}`],
            ...(configurations === undefined || steps === undefined
                ? []
                : [['configurations', `${formatCount(configurations)} · ${formatNumberOf(steps, 'step')}`] as const]),
            ...(reason === undefined ? [] : [['refuted', reason] as const]),
        ]).map(line => `  ${line}`),
    ];
    return `${lines.join('\n')}\n`;
}

export function formatViewsVerificationInALine(document: VerifyViewsDocument, style: TextStyle): string {
    return `${[verificationVerdict(document, style), formatHolding(document), formatNumberOf(document.views, 'view')].join(' · ')}\n`;
}

/** What the views say: `mutex, faults for every N`. */
function formatHolding({ invariants, forAll }: VerifyViewsDocument): string {
    return `${[...invariants, 'faults'].join(', ')} for every ${forAll.join(' and every ')}`;
}

function verificationVerdict({ verdict }: VerifyViewsDocument, { colors }: TextStyle): string {
    const color = { verified: colors.green, refuted: colors.red, undecided: colors.yellow }[verdict];
    return colors.bold(color(verdict));
}
