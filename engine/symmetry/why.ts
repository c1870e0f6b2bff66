/**
 * For everything that suggests a symmetry by its declaration: what it suggests, what was found, and why not more.
 *
 * A family suggests that its instances are interchangeable, an index type and any other declared type that its values
 * are; an index type whose values are not, that they form a ring at least.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { AssertedSubject } from '../model/model.js';
import { describeFailure, describePlaces, describeSubject, describeUnknown, placesAgainst } from './assertions.js';
import { indexTypes, MOST_SUGGESTED_VALUES, valueTypes } from './candidates.js';
import { suggestionsFor, suggestionTest } from './explain.js';
import { guiltyPlaces, type Trial, type Trials } from './guilty-places.js';
import { fullName, memberActionOf, type MemberAction } from './member-action.js';
import type { Place } from './neutralize.js';
import type { SuggestionReport } from './report.js';

/** `whole` is the model with nothing left out, whose group was found whole and verified. */
export function explainSuggestions(whole: Trial, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const { model, encoding } = whole;
    const indices = indexTypes(model);
    const subjects: AssertedSubject[] = [
        ...model.processes.flatMap(({ indices: own }, process): AssertedSubject[] =>
            own.length === 0 ? [] : [{ kind: 'instances', process }],
        ),
        ...[...indices, ...valueTypes(model)].map((domain): AssertedSubject => ({ kind: 'type-values', domain })),
    ];
    // All are looked at before any is explained: explaining one may take what time there is.
    const found = subjects
        .map(subject => ({ subject, action: memberActionOf(subject, model, encoding, limit) }))
        .filter(({ action }) => action.members.length > 1);
    return found.flatMap(({ subject, action }) => {
        const explained = explainMembers(subject, action, whole, trials, limit);
        const ring = subject.kind === 'type-values' && indices.includes(subject.domain) ? subject.domain : undefined;
        return ring === undefined || action.isFull || ring.kind === 'record' || domainSize(ring) <= 3
            ? [explained]
            : [explained, ...explainRing(ring, whole, trials, limit)];
    });
}

function explainMembers(
    subject: AssertedSubject,
    action: MemberAction,
    { model, encoding }: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport {
    const said = {
        subject: describeSubject(model, subject),
        suggests: fullName(action.members.length),
        found: action.structure,
        isAll: action.isFull,
    };
    if (action.isFull) {
        return { ...said, message: ALL, locations: [] };
    }
    if (!action.isComplete) {
        return { ...said, message: describeUnknown(action, encoding), locations: [] };
    }
    const places = placesAgainst(subject, trials, limit);
    const message = describeFailure(action) + describePlaces(places, 'be interchangeable');
    return { ...said, message, locations: located(places) };
}

const ALL = 'all of it';

/** The rotations of an index type and their reflections. */
function explainRing(domain: Domain, whole: Trial, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    if (domainSize(domain) > MOST_SUGGESTED_VALUES) {
        return [];
    }
    const [, dihedral, cyclic] = suggestionsFor(domainSize(domain));
    const holds = suggestionTest(whole, domain, limit);
    const said = {
        subject: `ring of \`${domain.name ?? formatDomain(domain)}\``,
        suggests: dihedral.name,
        isAll: holds(dihedral),
    };
    if (said.isAll) {
        return [{ ...said, found: dihedral.name, message: ALL, locations: [] }];
    }
    const isDirected = holds(cyclic);
    const wanted = isDirected ? dihedral : cyclic;
    const places = guiltyPlaces(
        trials.places,
        without => {
            const trial = trials.without(without);
            return trial !== undefined && suggestionTest(trial, domain, limit)(wanted);
        },
        limit,
    );
    const found = isDirected ? 'rotations, no reflection' : 'no rotation by one place';
    const message = found + describePlaces(places, wanted.verb);
    return [{ ...said, found: isDirected ? cyclic.name : 'trivial', message, locations: located(places) }];
}

function located(places: readonly Place[] | undefined): SuggestionReport['locations'] {
    return (places ?? []).map(({ range, text }) => ({ range, text }));
}
