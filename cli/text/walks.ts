/** Many random walks: what they have met, and how much of what further ones meet would be new. */
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
        const head = colors.bold(colors.red(describeViolation(violation)));
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
    const violated = violations.length === 0 ? '' : `violated: ${violations.map(describeViolation).join(', ')}; `;
    return (
        `${violated}${met} in ${formatNumberOf(runs, 'run')}; the next run is expected to meet ` +
        `${newExpected.toFixed(newExpected < 10 ? 2 : 0)} new ones, ` +
        `about ${formatCount(Math.round(100 * runsWithNew))} % of further runs meet some\n`
    );
}
