/** The part of a report about a question: the places that stand against it, and the sentences about them. */
import { unreachable } from '../common/assert.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { type MemberAction, fullName } from '../describe/member-action.js';
import type { MemberSubject } from '../describe/members.js';
import type { AssertionReport } from '../describe/report.js';
import { describeTooLarge } from '../describe/too-large.js';
import { formatDomain, type Domain } from '../model/domain.js';
import type { AssertedSubject, Model } from '../model/model.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { MOST_TOLD, type Blame } from './blame.js';
import { type ModelPlace, quotePlace, quotePlaces, type Repair, reportPlaces } from './places.js';
import { repairsFor } from './repairs.js';
import type { Missing, Trial, TrialQuestion, Trials } from './trials.js';

export type Answer = Pick<AssertionReport, 'locations' | 'counterparts' | 'repairs'>;

/** The model with nothing left out, and the trials of the part that a question is about. */
interface Tried {
    readonly whole: Trial;
    readonly trials: Trials;
    readonly limit: WorkLimit;
}

export const NO_ANSWER: Answer = { locations: [], counterparts: [], repairs: [] };

const MOST_COUNTERPARTS = 3;

/** The places, the counterparts that are missing because of them, and the repairs. */
export function answerOf(
    question: TrialQuestion,
    blame: Blame,
    { whole, trials, limit }: Tried,
    others: readonly Repair[] = [],
): Answer {
    const places = toldPlaces(blame);
    return places.length === 0
        ? NO_ANSWER
        : {
              locations: reportPlaces(places),
              counterparts: counterpartsOf(question.missing(whole), places),
              repairs: repairsFor(places, question, trials, limit, others),
          };
}

/** The places that are named one by one. */
export function toldPlaces(blame: Blame): readonly ModelPlace[] {
    return blame.kind === 'places' && blame.places.length <= MOST_TOLD ? blame.places : [];
}

function counterpartsOf(missing: readonly Missing[], places: readonly ModelPlace[]): Answer['counterparts'] {
    const owners = new Set(places.flatMap(place => [...place.owners]));
    const ofPlaces = missing.filter(each => [...each.owners].some(owner => owners.has(owner)));
    const byMessage = ofPlaces.flatMap(({ range, message }) =>
        message === undefined ? [] : [[message, { range, message }] as const],
    );
    return [...new Map(byMessage).values()].slice(0, MOST_COUNTERPARTS);
}

/** `instances of `P``, `values of `Color``, `processes `Left` and `Right``. */
export function describeSubject(model: Model, subject: MemberSubject): string {
    if (subject.kind === 'similar') {
        return `processes ${listed(subject.processes.map(process => `\`${model.processes[process].name}\``))}`;
    }
    return `${subject.kind === 'instances' ? 'instances' : 'values'} of \`${nameOfSubject(model, subject)}\``;
}

/** As the model states it. */
export function formatAssertion(model: Model, subject: AssertedSubject): string {
    return `assert symmetric ${subject.kind === 'instances' ? '' : 'values of '}${nameOfSubject(model, subject)}`;
}

function nameOfSubject(model: Model, subject: AssertedSubject): string {
    switch (subject.kind) {
        case 'instances':
            return model.processes[subject.process].name;
        case 'type-values':
            return nameOfType(subject.domain);
        case 'variable-values':
            return model.variables[subject.variable].name;
        default:
            return unreachable(subject);
    }
}

export function nameOfType(domain: Domain): string {
    return domain.name ?? formatDomain(domain);
}

/** The group that was found instead of all permutations, and the values that never occur. */
export function describeFailure({ structure, members, missing }: MemberAction): string {
    const found =
        structure === 'trivial' ? 'no symmetry moves them' : `they have ${structure}, not ${fullName(members.length)}`;
    const names = missing.map(name => `\`${name}\``).join(', ');
    return missing.length === 0
        ? found
        : `${found}; ${names} ${missing.length === 1 ? 'is a value' : 'are values'} that nothing ever has`;
}

/** The reason why there may be more symmetries than were found. */
export function describeUnknown(action: MemberAction, model: Model, { problem }: GraphEncoding): string {
    const [first, ...others] = problem.complete ? describeTooLarge(model, problem) : [];
    if (first !== undefined) {
        const more =
            others.length === 0 ? '' : others.length === 1 ? '; so is another' : `; so are ${others.length} others`;
        return `${first.message}${more}; ${action.structure} was found`;
    }
    if (action.isAmbiguous) {
        return 'several have nothing of their own but their parts in steps with others';
    }
    // Some symmetries may be known although this search found none.
    const found = action.order > 1n ? `; ${action.structure} was found` : '';
    return `the search was ended by its limit${found}`;
}

/** The end of a sentence about a symmetry that is missing. */
export function describeBlame(blame: Blame, { wanted }: Pick<TrialQuestion, 'wanted'>): string {
    if (blame.kind === 'unknown') {
        return (
            `; no ${blame.most === undefined ? '' : `${blame.most} or fewer `}places of the text were found ` +
            `without which they would ${wanted}${blame.isCut ? ', but not all were tried' : ''}`
        );
    }
    const { places } = blame;
    if (places.length > MOST_TOLD) {
        return `; ${places.length} places of the text together stand against it`;
    }
    const instead = describeInstead(places, 'the');
    const without =
        instead === undefined ? `without ${quotePlaces(places)}` : `with ${instead} in place of ${quotePlaces(places)}`;
    return `; ${without} they would ${wanted}`;
}

/** A whole sentence: ``… breaks the symmetry of `Id`: without it the instances of `P` would …``. */
export function describeBroken(
    places: readonly ModelPlace[],
    broken: { readonly of: string; readonly members: string; readonly wanted: string; readonly found: string },
): string {
    const isOne = new Set(places.map(quotePlace)).size === 1;
    const [breaks, it, its] = isOne ? ['breaks', 'it', 'its'] : ['break', 'them', 'their'];
    const instead = describeInstead(places, its);
    const without = instead === undefined ? `without ${it}` : `with ${instead} in ${its} place`;
    const found = broken.found === 'trivial' ? 'no symmetry' : broken.found;
    return (
        `${quotePlaces(places)} ${breaks} the symmetry of ${broken.of}: ${without} ${broken.members} would ` +
        `${broken.wanted}, now they have ${found}`
    );
}

/** The text of similar processes at places where one of them differs; undefined for other places. */
function describeInstead(places: readonly ModelPlace[], its: string): string | undefined {
    if (places.every(({ kind }) => kind !== 'difference')) {
        return undefined;
    }
    const instead = places.flatMap(place => place.instead ?? []);
    return instead.length === places.length
        ? listed(instead.map(text => `\`${text}\``))
        : `${its} counterpart${places.length === 1 ? '' : 's'} of another process`;
}

/** The reason why no places are named; none if everything was tried. */
export function describeUnexplained(subject: string, blame: Blame): string[] {
    if (blame.kind === 'places') {
        return [`${subject}: ${blame.places.length} places together make the difference`];
    }
    return blame.isCut ? [`${subject}: the search for what makes the difference ended at its budget`] : [];
}
