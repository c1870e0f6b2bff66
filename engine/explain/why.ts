/**
 * For every declaration that suggests a symmetry: what it suggests, what was found, and why not more. Instances of
 * families, values of types and similar processes should be interchangeable; values of an index type may be a ring.
 */
import { remembered } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import { sameData } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import { fullName, memberActionOf, type MemberAction } from '../describe/member-action.js';
import { partSubjectOf, type MemberSubject } from '../describe/members.js';
import type { SuggestionReport } from '../describe/report.js';
import { domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { indexTypes, MOST_SUGGESTED_VALUES, valueTypes } from '../symmetry/declared-action.js';
import { describeBlame, describeFailure, describeSubject, describeUnknown, nameOfType, toldPlaces } from './answers.js';
import { blameFor, blameOfSimilar, isNearer, type Blame } from './blame.js';
import { blamedMirror } from './explain.js';
import { reportPlaces } from './places.js';
import {
    allOf,
    familiesOver,
    membersQuestion,
    suggestionHolds,
    suggestionQuestions,
    suggestionsFor,
} from './question.js';
import { similarProcesses } from './similar-processes.js';
import { BRIEF, THOROUGH, type Effort } from './smallest-set.js';
import type { TrialQuestion, Trial, Trials } from './trials.js';

/** Subjects with the same symmetries that are reported together: families over one index type, and that type. */
interface Suggesting {
    readonly name: string;
    readonly subjects: readonly MemberSubject[];
    readonly action: MemberAction;
    /** The type that may be a ring. */
    readonly ring?: Domain;
}

/** `whole` is the model with nothing left out, whose group is complete and verified. */
export function explainSuggestions(whole: Trial, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const toldRings = new Set<Domain>();
    // All actions are found before any is explained: an explanation may take all the time that is left.
    return suggestingOf(whole, limit).flatMap(suggesting => explainOne(suggesting, toldRings, whole, trials, limit));
}

function suggestingOf({ model, encoding }: Trial, limit: WorkLimit): Suggesting[] {
    const actionOf = (subject: MemberSubject): MemberAction => memberActionOf(subject, model, encoding, limit);
    const named = new Set(model.types.map(({ name }) => name));
    const found = [
        ...indexTypes(model).flatMap(domain => {
            const values: MemberSubject = { kind: 'type-values', domain };
            const families = familiesOver(domain, model).map((process): MemberSubject => ({
                kind: 'instances',
                process,
            }));
            // A type without a name only numbers the instances of a family.
            const subjects = domain.name !== undefined && named.has(domain.name) ? [...families, values] : families;
            return mergedByAction(subjects, actionOf, model).map(suggesting => ({ ...suggesting, ring: domain }));
        }),
        ...valueTypes(model).flatMap(domain => mergedByAction([{ kind: 'type-values', domain }], actionOf, model)),
        ...similarProcesses(model).flatMap(processes =>
            mergedByAction([{ kind: 'similar', processes }], actionOf, model),
        ),
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
        remembered(groups, key, () => ({ subjects: [], action })).subjects.push(subject);
    }
    return [...groups.values()].map(group => ({
        ...group,
        name: listed(group.subjects.map(subject => describeSubject(model, subject))),
    }));
}

const ALL = 'all of it';

/** Symmetry among more members is rarely meant. */
const MOST_THOROUGH = 12;

/** A ring that several subjects share is reported once, and is then in `toldRings`. */
function explainOne(
    { name, subjects, action, ring }: Suggesting,
    toldRings: Set<Domain>,
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport[] {
    const { model, encoding } = whole;
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
        return [{ ...said, message: describeUnknown(action, model, encoding), locations: [] }];
    }
    const about = subjects.map(subject => partSubjectOf(subject, model));
    const part = trials.about({
        types: about.flatMap(({ types }) => types),
        processes: about.flatMap(({ processes }) => processes),
    });
    const question = allOf(subjects.map(subject => membersQuestion(subject, model, limit)));
    const [first] = subjects;
    const effort = effortFor(subjects, ring !== undefined && action.members.length <= MOST_THOROUGH, model);
    const blame =
        first.kind === 'similar'
            ? blameOfSimilar(first.processes, question, part, effort, limit)
            : blameFor(question, part, effort, limit);
    const explained = { ...said, ...blameReport(describeFailure(action), question, blame) };
    const isRing = ring !== undefined && ring.kind !== 'record' && action.members.length > 3;
    if (!isRing || toldRings.has(ring) || domainSize(ring) > MOST_SUGGESTED_VALUES) {
        return [explained];
    }
    const rings = explainRing(ring, blame, whole, part, limit);
    // With equally many places the ring says more than the mirror image.
    const mirrors = explainMirror(ring, blame, part, limit).filter(mirror =>
        rings.every(({ locations }) => mirror.locations.length < locations.length),
    );
    const told = [...rings, ...mirrors];
    if (told.length > 0) {
        toldRings.add(ring);
    }
    return [explained, ...told];
}

/** An assertion of the model is explained as thoroughly here as there. */
function effortFor(subjects: readonly MemberSubject[], isSuggested: boolean, { symmetryAssertions }: Model): Effort {
    const isAsserted = symmetryAssertions.some(({ subject }) => subjects.some(known => sameData(subject, known)));
    return isSuggested || isAsserted ? THOROUGH : BRIEF;
}

/** The symmetries that were found, and the places that stand against more. */
function blameReport(
    found: string,
    question: TrialQuestion,
    blame: Blame,
): Pick<SuggestionReport, 'message' | 'locations'> {
    return { message: found + describeBlame(blame, question), locations: reportPlaces(toldPlaces(blame)) };
}

/** The rotations and reflections of an index type, unless as many places stand against them as in `against`. */
function explainRing(
    domain: Domain,
    against: Blame,
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): SuggestionReport[] {
    const [, dihedral, cyclic] = suggestionsFor(domainSize(domain));
    const isAll = suggestionHolds(dihedral, domain, whole, limit);
    const said = { subject: `ring of \`${nameOfType(domain)}\``, suggests: dihedral.name, isAll };
    if (isAll) {
        return [{ ...said, found: dihedral.name, message: ALL, locations: [] }];
    }
    const isDirected = suggestionHolds(cyclic, domain, whole, limit);
    const [question] = suggestionQuestions(domain, [isDirected ? dihedral : cyclic], limit);
    const blame = blameFor(question, trials, BRIEF, limit);
    if (!isDirected && !isNearer(blame, against)) {
        return [];
    }
    return isDirected
        ? [{ ...said, found: cyclic.name, ...blameReport('rotations, no reflection', question, blame) }]
        : [{ ...said, found: 'trivial', ...blameReport('no rotation by one place', question, blame) }];
}

/** The mirror image of an index type, if fewer places stand against it than against all permutations. */
function explainMirror(domain: Domain, against: Blame, trials: Trials, limit: WorkLimit): SuggestionReport[] {
    const mirror = blamedMirror(domain, against, trials, limit);
    return mirror === undefined
        ? []
        : [
              {
                  subject: `mirror image of \`${nameOfType(domain)}\``,
                  suggests: mirror.suggestion.name,
                  found: 'trivial',
                  isAll: false,
                  ...blameReport('no reflection', mirror.question, mirror.blame),
              },
          ];
}
