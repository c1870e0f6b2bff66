/** Why a run that comes back to a state violates a temporal property: for which values, and whom it treats unfairly. */
import { listed } from '../common/listed.js';
import type { Loop, UnfairStep } from '../explore/verdict.js';
import type { Reason, ReasonLine } from './reason.js';

export function reasonOfLoop({ member, members, copies, start, unfair }: Loop, lastEntry: number): Reason {
    const values = Object.entries(member).map(([name, value]) => `${name} = ${String(value)}`);
    const standsFor = copies > 1 ? ` (stands for ${copies} of ${members} by symmetry)` : '';
    const about = values.length === 0 ? '' : `for ${listed(values)}${standsFor}: `;
    const isEnd = start === lastEntry;
    const end = isEnd ? 'then nothing happens any more' : `the run comes back to state ${start}, for ever`;
    return [{ text: about + end }, ...unfair.map(lineOf)];
}

function lineOf({ process, label, range, kind }: UnfairStep): ReasonLine {
    const fair = kind === 'weak' ? 'fair' : 'strong fair';
    const when = kind === 'weak' ? 'always possible' : 'possible again and again';
    const family = process.replace(/\[.*$/, '');
    const what = label === undefined ? 'a step is' : `\`${label}\` is`;
    const repair = label === undefined ? `${fair} process ${family}` : `${fair} ${label}:`;
    return {
        text: `unfair to ${process}: ${what} ${when} and never taken; \`${repair}\` would exclude this run`,
        ...(range !== undefined && { range }),
    };
}
