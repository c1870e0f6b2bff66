/** Many random walks: what they have met, and how much of what further ones meet would be new. */
import { isUnexpected } from '../../engine/describe/meant-words.js';
import { formatCount, formatNumberOf } from '../../engine/describe/words.js';
import type { WalksDocument } from '../../language-server/document-schema.js';
import { describeLimit } from './exploration.js';
import { formatLocation, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatTrace } from './traces.js';

export function formatWalks(document: WalksDocument, style: TextStyle): string {
    const { colors } = style;
    const { violations, limit, walks } = document;
    const found = violations.map(violation => {
        const { kind, runs, trace, location } = violation;
        const place = kind === 'deadlock' ? '' : ` ${colors.dim(formatLocation(location))}`;
        const what = describeViolation(violation);
        const head = isUnexpected(violation) ? colors.bold(colors.red(what)) : `${what}, as expected,`;
        const after = formatNumberOf(trace.length - 1, 'step');
        return `\n${head} in ${formatNumberOf(runs, 'run')}, the shortest after ${after}${place}\n${formatTrace(violation, style)}`;
    });
    const notUpTo = walks.isUpToSymmetry ? '' : 'without symmetry: each state counts by itself\n';
    return (
        `${formatTitle(document.model, document.params, style)}\n` +
        formatWalksInALine(document) +
        (limit === undefined ? '' : `${describeLimit(limit)}\n`) +
        notUpTo +
        'rare states count little here; orbit explore looks at all\n' +
        found.join('')
    );
}

/** `1,392 orbits in 400 runs; the next run is expected to meet 2.1 new ones, about 71 % of further runs meet some`. */
export function formatWalksInALine({ walks, violations }: WalksDocument): string {
    const { runs, orbits, newExpected, runsWithNew, isUpToSymmetry } = walks;
    const met = formatNumberOf(orbits, isUpToSymmetry ? 'orbit' : 'state');
    const named = (head: string, some: WalksDocument['violations']): string =>
        some.length === 0 ? '' : `${head}: ${some.map(describeViolation).join(', ')}; `;
    const violated =
        named('violated', violations.filter(isUnexpected)) +
        named(
            'violated, as expected',
            violations.filter(each => !isUnexpected(each)),
        );
    return (
        `${violated}${met} in ${formatNumberOf(runs, 'run')}; the next run is expected to meet ` +
        `${newExpected.toFixed(newExpected < 10 ? 2 : 0)} new ones, ` +
        `about ${formatCount(Math.round(100 * runsWithNew))} % of further runs meet some\n`
    );
}
