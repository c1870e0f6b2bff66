/**
 * What the model states of its own symmetries: decided, and where it is false, explained.
 *
 * An assertion holds where the symmetries bring about every permutation of its members. That is asked of the graph
 * itself (member-action.ts), so it does not depend on the generators of a search. An assertion that fails names the
 * places without which it would hold, if they are found within the limit.
 */
import { unreachable } from '../common/assert.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { formatDomain } from '../model/domain.js';
import type { AssertedSubject, Model } from '../model/model.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { counterpartsOf, describeInstead, membersGoal } from './explain.js';
import { guiltyPlaces, MOST_TOLD, type Guilt } from './blame.js';
import { describeHeldFixed } from '../describe/too-large.js';
import { THOROUGH } from './place-sets.js';
import type { Trials } from './trials.js';
import {
    fullName,
    memberActionOf,
    partSubjectOf,
    type MemberAction,
    type MemberSubject,
} from '../describe/member-action.js';
import { reportPlaces, type ModelPlace } from './model-places.js';
import { quotePlaces } from './places.js';
import { repairsFor } from './repairs.js';
import type { AssertionReport } from '../describe/report.js';

export interface AssertionOptions {
    /** The group was found whole, and its generators stood the check on states. */
    readonly isTrusted: boolean;
    /** For the places that stand against what fails; absent where nobody asks for them. */
    readonly trials?: Trials;
    readonly limit: WorkLimit;
}

/** Each assertion of the model, in the order of the text. `encoding` is that of the model without properties. */
export function decideAssertions(model: Model, encoding: GraphEncoding, options: AssertionOptions): AssertionReport[] {
    // All are decided before any is explained: explaining one may take what time there is.
    const decided = model.symmetryAssertions.map(assertion => ({
        ...assertion,
        action: memberActionOf(assertion.subject, model, encoding, options.limit),
    }));
    return decided.map(({ subject, range, action }): AssertionReport => {
        const text = formatAssertion(model, subject);
        const who = describeSubject(model, subject);
        if (action.isFull && options.isTrusted) {
            const message = `the ${who} are interchangeable: ${foundOf(action)}`;
            return { text, range, verdict: 'holds', message, ...NOTHING_FOUND };
        }
        if (!options.isTrusted || !action.isComplete) {
            const reason = options.isTrusted
                ? describeUnknown(action, model, encoding)
                : 'the search for symmetries was ended by its limit, or what it found could not be checked';
            const message = `it is not known whether the ${who} are interchangeable: ${reason}`;
            return { text, range, verdict: 'undecided', message, ...NOTHING_FOUND };
        }
        const message = `the ${who} are not interchangeable: ${describeFailure(action)}`;
        if (options.trials === undefined) {
            return { text, range, verdict: 'fails', message, ...NOTHING_FOUND };
        }
        const { limit } = options;
        const trials = options.trials.about(partSubjectOf(subject, model));
        const goal = membersGoal(subject, model, limit);
        const guilt = guiltyPlaces(goal, trials, THOROUGH, limit);
        const places = toldPlaces(guilt);
        return {
            text,
            range,
            verdict: 'fails',
            message: message + describeGuilt(guilt, 'be interchangeable'),
            locations: reportPlaces(places),
            counterparts: counterpartsOf(goal.missing({ model, problem: encoding.problem, encoding }), places),
            repairs: places.length === 0 ? [] : repairsFor(places, goal, trials),
        };
    });
}

const NOTHING_FOUND = { locations: [], counterparts: [], repairs: [] };

/** As the model states it. */
function formatAssertion(model: Model, subject: AssertedSubject): string {
    return subject.kind === 'instances'
        ? `assert symmetric ${nameOf(model, subject)}`
        : `assert symmetric values of ${nameOf(model, subject)}`;
}

/** `instances of `P``, `values of `Color``, `processes `Left` and `Right``. */
export function describeSubject(model: Model, subject: MemberSubject): string {
    if (subject.kind === 'twins') {
        return `processes ${listed(subject.processes.map(process => `\`${model.processes[process].name}\``))}`;
    }
    return `${subject.kind === 'instances' ? 'instances' : 'values'} of \`${nameOf(model, subject)}\``;
}

function nameOf(model: Model, subject: AssertedSubject): string {
    switch (subject.kind) {
        case 'instances':
            return model.processes[subject.process].name;
        case 'type-values':
            return subject.domain.name ?? formatDomain(subject.domain);
        case 'variable-values':
            return model.variables[subject.variable].name;
        default:
            return unreachable(subject);
    }
}

function foundOf({ structure, members }: MemberAction): string {
    return members.length < 2 ? 'there is only one' : structure;
}

/** What was found in place of all permutations. */
export function describeFailure({ structure, members, missing }: MemberAction): string {
    const found =
        structure === 'trivial' ? 'no symmetry moves them' : `they have ${structure}, not ${fullName(members.length)}`;
    const names = missing.map(name => `\`${name}\``).join(', ');
    return missing.length === 0
        ? found
        : `${found}; ${names} ${missing.length === 1 ? 'is a value' : 'are values'} that nothing ever has`;
}

/** What stands against more, after it was looked for. */
export function describeGuilt(guilt: Guilt, wish: string): string {
    switch (guilt.kind) {
        case 'places':
            return guilt.places.length > MOST_TOLD
                ? `; ${guilt.places.length} places of the text together stand against it`
                : `; ${describeWithout(guilt.places)} they would ${wish}`;
        case 'unknown':
            return (
                `; no ${guilt.most === undefined ? '' : `${guilt.most} or fewer `}places of the text were found ` +
                `without which they would ${wish}${guilt.isCut ? ', but not all were tried' : ''}`
            );
        default:
            return unreachable(guilt);
    }
}

/** `without `i < j``, ``with `b < 2` in place of `b < 3` ``. */
function describeWithout(places: readonly ModelPlace[]): string {
    const instead = describeInstead(places, 'the');
    return instead === undefined
        ? `without ${quotePlaces(places)}`
        : `with ${instead} in place of ${quotePlaces(places)}`;
}

/** The places that a reader is told one by one. */
export function toldPlaces(guilt: Guilt): readonly ModelPlace[] {
    return guilt.kind === 'places' && guilt.places.length <= MOST_TOLD ? guilt.places : [];
}

/** Why nobody knows whether there is more than was found. */
export function describeUnknown(action: MemberAction, model: Model, { problem }: GraphEncoding): string {
    const [held, ...others] = problem.complete ? describeHeldFixed(model, problem) : [];
    if (held !== undefined) {
        const more =
            others.length === 0 ? '' : others.length === 1 ? '; so is another' : `; so are ${others.length} others`;
        return `${held.message}${more}; ${action.structure} was found`;
    }
    if (action.isAmbiguous) {
        return 'several have nothing of their own but their parts in steps with others';
    }
    // What this search found nothing of may be known of them from elsewhere.
    const found = action.order > 1n ? `; ${action.structure} was found` : '';
    return `the search was ended by its limit${found}`;
}
