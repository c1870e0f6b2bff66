/**
 * The assertions of a model about its symmetries: decided and, if false, explained. One holds if the symmetries bring
 * about every permutation of its members; the graph decides this (member-action.ts), not the generators of a search.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { memberActionOf, type MemberAction } from '../describe/member-action.js';
import { partSubjectOf } from '../describe/members.js';
import type { AssertionReport } from '../describe/report.js';
import type { Model } from '../model/model.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import {
    answerOf,
    describeBlame,
    describeFailure,
    describeSubject,
    describeUnknown,
    formatAssertion,
    NO_ANSWER,
} from './answers.js';
import { blameFor } from './blame.js';
import { membersQuestion } from './question.js';
import { THOROUGH } from './smallest-set.js';
import type { Trials } from './trials.js';

export interface AssertionOptions {
    /** The group is complete, and its generators passed the check on states. */
    readonly isTrusted: boolean;
    /** For the places that stand against an assertion; absent if they are not wanted. */
    readonly trials?: Trials;
    readonly limit: WorkLimit;
}

/** Each assertion of the model, in the order of the text. `encoding` is that of the model without properties. */
export function decideAssertions(
    model: Model,
    encoding: GraphEncoding,
    { isTrusted, trials, limit }: AssertionOptions,
): AssertionReport[] {
    // All are decided before any is explained: an explanation may take all the time that is left.
    const decided = model.symmetryAssertions.map(assertion => ({
        ...assertion,
        action: memberActionOf(assertion.subject, model, encoding, limit),
    }));
    return decided.map(({ subject, range, action }): AssertionReport => {
        const text = formatAssertion(model, subject);
        const members = describeSubject(model, subject);
        if (!isTrusted || !action.isComplete) {
            const reason = isTrusted
                ? describeUnknown(action, model, encoding)
                : 'the search for symmetries was ended by its limit, or what it found could not be checked';
            const message = `it is not known whether the ${members} are interchangeable: ${reason}`;
            return { text, range, verdict: 'undecided', message, ...NO_ANSWER };
        }
        if (action.isFull) {
            const message = `the ${members} are interchangeable: ${describeSuccess(action)}`;
            return { text, range, verdict: 'holds', message, ...NO_ANSWER };
        }
        const message = `the ${members} are not interchangeable: ${describeFailure(action)}`;
        if (trials === undefined) {
            return { text, range, verdict: 'fails', message, ...NO_ANSWER };
        }
        const part = trials.about(partSubjectOf(subject, model));
        const question = membersQuestion(subject, model, limit);
        const blame = blameFor(question, part, THOROUGH, limit);
        return {
            text,
            range,
            verdict: 'fails',
            message: message + describeBlame(blame, question),
            ...answerOf(question, blame, { whole: { model, encoding }, trials: part, limit }),
        };
    });
}

function describeSuccess({ structure, members }: MemberAction): string {
    return members.length < 2 ? 'there is only one' : structure;
}
