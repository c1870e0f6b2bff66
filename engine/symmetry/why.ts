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
import { fullName, memberActionOf } from './member-action.js';
import type { Place } from './neutralize.js';
import type { SuggestionReport } from './report.js';

/** `whole` is the model with nothing left out, whose group was found whole and verified. */
export function explainSuggestions(whole: Trial, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const { model } = whole;
    const families = model.processes.flatMap((process, index): SuggestionReport[] =>
        process.indices.length === 0 ? [] : explainMembers({ kind: 'instances', process: index }, whole, trials, limit),
    );
    const indices = indexTypes(model).flatMap(domain => {
        const values = explainMembers({ kind: 'type-values', domain }, whole, trials, limit);
        const isRing = values.some(({ isAll }) => !isAll) && domain.kind !== 'record' && domainSize(domain) > 3;
        return isRing ? [...values, ...explainRing(domain, whole, trials, limit)] : values;
    });
    const others = valueTypes(model).flatMap(domain =>
        explainMembers({ kind: 'type-values', domain }, whole, trials, limit),
    );
    return [...families, ...indices, ...others];
}

/** Nothing of what has no two members. */
function explainMembers(
    subject: AssertedSubject,
    { model, encoding }: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport[] {
    const action = memberActionOf(subject, model, encoding, limit);
    if (action.members.length < 2) {
        return [];
    }
    const said = {
        subject: describeSubject(model, subject),
        suggests: fullName(action.members.length),
        found: action.structure,
        isAll: action.isFull,
    };
    if (action.isFull) {
        return [{ ...said, message: ALL, locations: [] }];
    }
    if (!action.isComplete) {
        return [{ ...said, message: describeUnknown(action, encoding), locations: [] }];
    }
    const places = placesAgainst(subject, trials, limit);
    return [
        {
            ...said,
            message: describeFailure(action) + describePlaces(places, 'be interchangeable'),
            locations: located(places),
        },
    ];
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
