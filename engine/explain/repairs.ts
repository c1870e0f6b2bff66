/**
 * Edits of the text that restore a missing symmetry. Each place has a few mechanical edits (place-repairs.ts); one for
 * each place that stands against the symmetry is made in the model, and offered only if the symmetry is then there.
 */
import { keyOfRange } from '../common/source-range.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { EditReport, RepairReport } from '../describe/report.js';
import type { Model } from '../model/model.js';
import { isInside, type ModelPlace, type Repair } from './places.js';
import { placeRepairs } from './place-repairs.js';
import type { TrialQuestion, Trials } from './trials.js';

const MOST_OFFERED = 3;
/** The most combinations that are tried, each in a search of its own. */
const MOST_TRIED = 8;
/** The vertices of all graphs that are searched, in sum; the first combination is always tried. */
const MOST_VERTICES = 20_000;

/** The first few repairs that restore the symmetry; `others` do without an edit for each of the places. */
export function repairsFor(
    places: readonly ModelPlace[],
    question: TrialQuestion,
    trials: Trials,
    limit: WorkLimit,
    others: readonly Repair[] = [],
): RepairReport[] {
    const choices = places.map(place => placeRepairs(place, question, trials));
    const size = trials.without([])?.encoding.graph.vertexCount ?? 1;
    const most = Math.max(1, Math.min(MOST_TRIED, Math.floor(MOST_VERTICES / size)));
    const offered: RepairReport[] = [];
    // Several combinations for several places are variants of each other.
    const mostOffered = places.length === 1 ? MOST_OFFERED : 1;
    for (const repair of combinations(choices).slice(0, most)) {
        if (offered.length === mostOffered || limit.isExhausted()) {
            break;
        }
        offered.push(...tried(repair, question, trials));
    }
    const left = Math.max(0, MOST_OFFERED - offered.length);
    return [
        ...offered,
        ...others.slice(0, left).flatMap(repair => (limit.isExhausted() ? [] : tried(repair, question, trials))),
    ];
}

/** The repair, if the symmetry is there in the changed model. */
function tried({ title, edits, change, isRolledUp }: Repair, question: TrialQuestion, trials: Trials): RepairReport[] {
    const changed = areApart(edits) ? change(trials.model) : undefined;
    const trial = changed && trials.of(changed, { hasRemoval: false, isRolledUp: isRolledUp === true });
    return trial !== undefined && question.holds(trial)
        ? [{ title: `${title}: ${question.restored ?? 'the symmetry'} is back`, edits }]
        : [];
}

/** The first repair of each place, then with another one for one of the places. None if a place has none. */
function combinations(choices: readonly (readonly Repair[])[]): Repair[] {
    if (choices.length === 0 || choices.some(({ length }) => length === 0)) {
        return [];
    }
    const first = choices.map(([repair]) => repair);
    const others = choices.flatMap((repairs, index) =>
        repairs.slice(1).map(repair => first.map((each, position) => (position === index ? repair : each))),
    );
    return [first, ...others].map(together);
}

function together(repairs: readonly Repair[]): Repair {
    const titles = [...new Set(repairs.map(({ title }) => title))];
    const edits = new Map(
        repairs.flatMap(repair => repair.edits).map(edit => [`${keyOfRange(edit.range)} ${edit.newText}`, edit]),
    );
    return {
        title: listed(
            titles.map((title, index) => (index === 0 ? title : title.charAt(0).toLowerCase() + title.slice(1))),
        ),
        edits: [...edits.values()],
        change: model => repairs.reduce<Model | undefined>((before, { change }) => before && change(before), model),
        ...(repairs.some(({ isRolledUp }) => isRolledUp === true) && { isRolledUp: true as const }),
    };
}

/** Whether no edit changes text inside another one. */
function areApart(edits: readonly EditReport[]): boolean {
    return edits.every((edit, index) =>
        edits.slice(index + 1).every(({ range }) => !isInside(edit.range, range) && !isInside(range, edit.range)),
    );
}
