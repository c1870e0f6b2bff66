/**
 * For everything that suggests a symmetry by its declaration: what it suggests, what was found, and why not more.
 *
 * A family suggests that its instances are interchangeable, a declared type that its values are; an index type whose
 * values are not, that they form a ring at least; processes that are written alike, that they could be exchanged.
 */
import { sameData } from '../common/same-data.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { describeFailure, describeGuilt, describeSubject, describeUnknown, toldPlaces } from './assertions.js';
import { indexTypes, MOST_SUGGESTED_VALUES, valueTypes } from '../symmetry/declared-action.js';
import { membersGoal, mirrorGuilt } from './explain.js';
import { familiesOver, suggestionGoals, suggestionsFor, suggestionTest } from './suggestions.js';
import { guiltOfTwins, guiltyPlaces, isNearer, type Guilt } from './blame.js';
import { BRIEF, THOROUGH, type Effort } from './place-sets.js';
import type { Goal, Trial, Trials } from './trials.js';
import { reportPlaces } from './model-places.js';
import {
    fullName,
    memberActionOf,
    partSubjectOf,
    type MemberAction,
    type MemberSubject,
} from '../describe/member-action.js';
import type { SuggestionReport } from '../describe/report.js';
import { twinsOf } from './similar-processes.js';

/** Subjects that are one to a reader: families over the same indices with the same symmetries, and these indices. */
interface Suggesting {
    readonly name: string;
    readonly subjects: readonly MemberSubject[];
    readonly action: MemberAction;
    /** Where it may be a ring: the type. */
    readonly ring?: Domain;
}

/** `whole` is the model with nothing left out, whose group was found whole and verified. */
export function explainSuggestions(whole: Trial, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const toldRings = new Set<Domain>();
    // All are looked at before any is explained: explaining one may take what time there is.
    return suggestingOf(whole, limit).flatMap(suggesting => explainOne(suggesting, toldRings, whole, trials, limit));
}

function suggestingOf(whole: Trial, limit: WorkLimit): Suggesting[] {
    const { model, encoding } = whole;
    const actionOf = (subject: MemberSubject): MemberAction => memberActionOf(subject, model, encoding, limit);
    const named = new Set(model.types.map(({ name }) => name));
    const found = [
        ...indexTypes(model).flatMap(domain => {
            const values: MemberSubject = { kind: 'type-values', domain };
            const families = familiesOver(domain, model).map((process): MemberSubject => ({
                kind: 'instances',
                process,
            }));
            // A type without a name is only what a family ranges over.
            const subjects = domain.name !== undefined && named.has(domain.name) ? [...families, values] : families;
            return mergedByAction(subjects, actionOf, model).map(suggesting => ({ ...suggesting, ring: domain }));
        }),
        ...valueTypes(model).flatMap(domain => mergedByAction([{ kind: 'type-values', domain }], actionOf, model)),
        ...twinsOf(model).flatMap(processes => mergedByAction([{ kind: 'twins', processes }], actionOf, model)),
    ];
    return found.filter(({ action }) => action.members.length > 1);
}

function mergedByAction(
    subjects: readonly MemberSubject[],
    actionOf: (subject: MemberSubject) => MemberAction,
    model: Model,
): Suggesting[] {
    const groups = new Map<string, { readonly subjects: MemberSubject[]; readonly action: MemberAction }>();
    for (const subject of subjects) {
        const action = actionOf(subject);
        const key = `${action.structure} ${action.isFull} ${action.isComplete} ${action.missing.join()}`;
        const group = groups.get(key);
        if (group === undefined) {
            groups.set(key, { subjects: [subject], action });
        } else {
            group.subjects.push(subject);
        }
    }
    return [...groups.values()].map(group => ({
        ...group,
        name: listed(group.subjects.map(subject => describeSubject(model, subject))),
    }));
}

const ALL = 'all of it';

/** Of more members nobody expects that all are interchangeable. */
const MOST_THOROUGH = 12;

/** A ring that several are over is told once, and is then in `toldRings`. */
function explainOne(
    { name, subjects, action, ring }: Suggesting,
    toldRings: Set<Domain>,
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport[] {
    const said = {
        subject: name,
        suggests: fullName(action.members.length),
        found: action.structure,
        isAll: action.isFull,
    };
    if (action.isFull) {
        return [{ ...said, message: ALL, locations: [] }];
    }
    if (!action.isComplete) {
        return [{ ...said, message: describeUnknown(action, whole.model, whole.encoding), locations: [] }];
    }
    const about = subjects.map(subject => partSubjectOf(subject, whole.model));
    const part = trials.about({
        types: about.flatMap(({ types }) => types),
        processes: about.flatMap(({ processes }) => processes),
    });
    const goal = all(subjects.map(subject => membersGoal(subject, whole.model, limit)));
    const [first] = subjects;
    const effort = effortFor(subjects, ring !== undefined && action.members.length <= MOST_THOROUGH, whole.model);
    const guilt =
        first.kind === 'twins'
            ? guiltOfTwins(first.processes, goal, part, effort, limit)
            : guiltyPlaces(goal, part, effort, limit);
    const message = describeFailure(action) + describeGuilt(guilt, 'be interchangeable');
    const explained = { ...said, message, locations: placesOfGuilt(guilt) };
    const isRing = ring !== undefined && ring.kind !== 'record' && action.members.length > 3;
    if (!isRing || toldRings.has(ring)) {
        return [explained];
    }
    const rings = explainRing(ring, guilt, whole, part, limit);
    // With the same places out there is the ring, which says more.
    const mirrors = explainMirror(ring, guilt, part, limit).filter(mirror =>
        rings.every(({ locations }) => mirror.locations.length < locations.length),
    );
    const told = [...rings, ...mirrors];
    if (told.length > 0) {
        toldRings.add(ring);
    }
    return [explained, ...told];
}

/** What the model asserts is explained there, too. */
function effortFor(subjects: readonly MemberSubject[], isSuggested: boolean, { symmetryAssertions }: Model): Effort {
    const isAsserted = symmetryAssertions.some(({ subject }) => subjects.some(known => sameData(subject, known)));
    return isSuggested || isAsserted ? THOROUGH : BRIEF;
}

function all(goals: readonly Goal[]): Goal {
    const [{ type }] = goals;
    return {
        ...(type && { type }),
        holds: trial => goals.every(goal => goal.holds(trial)),
        missing: trial => goals.flatMap(goal => goal.missing(trial)),
    };
}

/**
 * The rotations of an index type and their reflections. Nothing where the places that stand against them stand against
 * all permutations, too.
 */
function explainRing(
    domain: Domain,
    against: Guilt,
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport[] {
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
    const [goal] = suggestionGoals(domain, [wanted], limit);
    const guilt = guiltyPlaces(goal, trials, BRIEF, limit);
    if (!isDirected && !isNearer(guilt, against)) {
        return [];
    }
    const found = isDirected ? 'rotations, no reflection' : 'no rotation by one place';
    const message = found + describeGuilt(guilt, wanted.verb);
    const { name } = isDirected ? cyclic : { name: 'trivial' };
    return [{ ...said, found: name, message, locations: placesOfGuilt(guilt) }];
}

/** That an index type could be turned round, where less stands against it than against all permutations. */
function explainMirror(domain: Domain, against: Guilt, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const mirror = domainSize(domain) > MOST_SUGGESTED_VALUES ? undefined : mirrorGuilt(domain, against, trials, limit);
    if (mirror === undefined) {
        return [];
    }
    const { suggestion, guilt } = mirror;
    return [
        {
            subject: `mirror image of \`${domain.name ?? formatDomain(domain)}\``,
            suggests: suggestion.name,
            found: 'trivial',
            isAll: false,
            message: `no reflection${describeGuilt(guilt, suggestion.verb)}`,
            locations: placesOfGuilt(guilt),
        },
    ];
}

function placesOfGuilt(guilt: Guilt): SuggestionReport['locations'] {
    return reportPlaces(toldPlaces(guilt));
}
