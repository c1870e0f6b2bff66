/** Why a run that comes back to a state violates a temporal property: for which values, and whom it treats unfairly. */
import { listed } from '../common/listed.js';
import type { Loop, UnfairStep } from '../explore/verdict.js';
import type { Reason, ReasonLine } from './reason.js';

/** `promise`: what the run never keeps, if that can be told. */
export function reasonOfLoop(
    { member, members, copies, start, rechecked, unfair }: Loop,
    lastEntry: number,
    promise?: string,
): Reason {
    const values = Object.entries(member).map(([name, value]) => `${name} = ${String(value)}`);
    const standsFor = copies > 1 ? ` (stands for ${copies} of ${members} by symmetry)` : '';
    const about = values.length === 0 ? '' : `for ${listed(values)}${standsFor}: `;
    const isEnd = start === lastEntry;
    const end = isEnd ? 'then nothing happens any more' : `the run comes back to state ${start}, for ever`;
    const unchecked = rechecked === false ? [{ text: UNCHECKED }] : [];
    const first = promise === undefined ? [{ text: about + end }] : [{ text: about + promise }, { text: end }];
    return [...first, ...alikeIn(unfair).map(lineOf), ...unchecked];
}

const UNCHECKED = 'the search found this run, and it was not checked again: `possible` takes too many states';

/** Steps of one family to which the loop does the same: they have one line, and one word excludes the run. */
function alikeIn(unfair: readonly UnfairStep[]): readonly (readonly UnfairStep[])[] {
    const sets = new Map<string, UnfairStep[]>();
    for (const step of unfair) {
        const key = JSON.stringify([familyOf(step), step.label, step.range, step.kind]);
        const set = sets.get(key) ?? [];
        set.push(step);
        sets.set(key, set);
    }
    return [...sets.values()];
}

function familyOf({ process }: UnfairStep): string {
    return process.replace(/[[@].*$/, '');
}

/** The names in a line; one more is named, too. */
const MOST_NAMES = 4;

function lineOf(steps: readonly UnfairStep[]): ReasonLine {
    const [step] = steps;
    const { label, range, kind } = step;
    const fair = kind === 'weak' ? 'fair' : 'strong fair';
    const when = kind === 'weak' ? 'always possible' : 'possible again and again';
    const what = label === undefined ? 'a step is' : `\`${label}\` is`;
    const repair = label === undefined ? `${fair} process ${familyOf(step)}` : `${fair} ${label}:`;
    const names = steps.map(({ process }) => `\`${process}\``);
    const left = steps.length - MOST_NAMES;
    const whom = listed(left > 1 ? [...names.slice(0, MOST_NAMES), `${left} others`] : names);
    return {
        text: `unfair to ${whom}: ${what} ${when} and never taken; \`${repair}\` would exclude this run`,
        ...(range !== undefined && { range }),
    };
}
