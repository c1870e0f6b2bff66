/** The verdict for all values of a parameter as text, from its JSON document. */
import { formatCount, formatNumberOf, formatSeconds } from '../../engine/describe/words.js';
import type { EverySizeDocument, ExactSizeDocument, VerifyViewsDocument } from '../../language-server/protocol.js';
import { describeLimit } from './exploration.js';
import { formatTable, visible, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatReason, formatViolation } from './traces.js';

export function formatEverySize(document: EverySizeDocument, style: TextStyle): string {
    const { views, viewSize, extra, configurations = 0, steps = 0, invariants, notForAll } = document;
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
                  ]),
            ...describeExact(document),
            ...(notForAll.length === 0
                ? []
                : [['not for all', `${notForAll.join(', ')}: only invariants are checked for all values`] as const]),
            ['time', formatSeconds(document.seconds)],
        ]).map(line => `  ${line}`),
    ];
    const violations = document.violations.map(
        (violation, index) => `\n${formatViolation(violation, style, index > 0)}`,
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

/** `holds for every N`, `violated for N = 2: safe`. */
export function describeVerdict(document: EverySizeDocument): string {
    const { verdict, forAll, violatedFor = {}, violations, limit, suspicion } = document;
    switch (verdict) {
        case 'holds':
            return `holds for every ${forAll.join(' and every ')}`;
        case 'violated': {
            const names = violations.map(violation => describeViolation(violation)).join(', ');
            return `violated for ${describeParams(violatedFor)}${names === '' ? '' : `: ${names}`}`;
        }
        case 'undecided':
            return limit !== undefined
                ? `undecided: ${describeLimit(limit)}`
                : `undecided: views do not exclude ${suspicion?.kind === 'fault' ? `the fault ${suspicion.name}` : `that ${suspicion?.name ?? 'a property'} is violated`}`;
    }
}

function describeParams(params: Readonly<Record<string, number>>): string {
    return Object.entries(params)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ');
}

/** What is known of the instances that were explored: `N = 1 .. 6`. */
function describeExact({ exact }: EverySizeDocument): (readonly [string, string])[] {
    const holding = exact.filter(({ verdict }) => verdict === 'holds');
    if (holding.length === 0) {
        return [];
    }
    const deadlocks = holding.filter(each => each.deadlocks > 0);
    const dead = deadlocks.length === 0 ? 'no deadlock' : `allowed deadlocks for ${describeSizes(deadlocks)}`;
    return [['explored', `${describeSizes(holding)}: holds, ${dead}`]];
}

/** Consecutive values of one parameter as a range; of several, how many instances there are, and how large they get. */
function describeSizes(sizes: readonly ExactSizeDocument[]): string {
    const [first] = sizes;
    const names = Object.keys(first?.params ?? {});
    const [name = ''] = names;
    if (names.length > 1) {
        const sums = sizes.map(({ params }) => names.reduce((sum, each) => sum + (params[each] ?? 0), 0));
        return sizes.length === 1
            ? describeParams(first?.params ?? {})
            : `${formatNumberOf(sizes.length, 'instance')} up to ${names.join(' + ')} = ${Math.max(...sums)}`;
    }
    const values = sizes.map(({ params }) => params[name] ?? 0);
    const isRow = values.every((value, index) => index === 0 || value === (values[index - 1] ?? 0) + 1);
    return isRow && values.length > 1
        ? `${name} = ${values[0]} .. ${values.at(-1)}`
        : sizes.map(({ params }) => describeParams(params)).join('; ');
}

/** The result of checking a proof again. */
export function formatViewsVerification(document: VerifyViewsDocument, style: TextStyle): string {
    const { model, params, forAll, invariants, views, viewSize, configurations, steps, reason } = document;
    const lines = [
        formatTitle(model, params, style),
        verificationVerdict(document, style),
        '',
        ...formatTable([
            ['hold', `${[...invariants, 'faults'].join(', ')} for every ${forAll.join(' and every ')}`],
            ['views', `${formatCount(views)} with up to ${formatNumberOf(viewSize, 'member')}`],
            ...(configurations === undefined || steps === undefined
                ? []
                : [['configurations', `${formatCount(configurations)} · ${formatNumberOf(steps, 'step')}`] as const]),
            ...(reason === undefined ? [] : [['refuted', visible(reason)] as const]),
        ]).map(line => `  ${line}`),
    ];
    return `${lines.join('\n')}\n`;
}

export function formatViewsVerificationInALine(document: VerifyViewsDocument, style: TextStyle): string {
    return `${verificationVerdict(document, style)} · ${formatNumberOf(document.views, 'view')}\n`;
}

function verificationVerdict({ verdict }: VerifyViewsDocument, { colors }: TextStyle): string {
    const color = { verified: colors.green, refuted: colors.red, undecided: colors.yellow }[verdict];
    return colors.bold(color(verdict));
}
