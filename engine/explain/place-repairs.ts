/**
 * The mechanical edits for one place that stands against a symmetry, the likeliest first: a condition is left out, a
 * constant becomes the index, a variable starts with any value, a range becomes the whole type, `<` becomes `!=`, a
 * loop runs in any order, the words of a similar process are taken.
 */
import { keyOfRange } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { identityOf } from '../symmetry/declared-action.js';
import { indexForConstants } from './index-for-constant.js';
import { conditionLeftOut } from './leave-out.js';
import { loopInAnyOrder } from './loop-in-any-order.js';
import { neutralize } from './neutralize.js';
import type { ModelPlace, PlaceSubject, Repair } from './places.js';
import { rangeBefore, spanOf } from './text-before.js';
import type { TrialQuestion, Trials } from './trials.js';

/** The edits that may help at this place; whether they do is not known yet. */
export function placeRepairs(place: ModelPlace, { type }: TrialQuestion, { model, textOf }: Trials): readonly Repair[] {
    const { kind, key, range, text, subject } = place;
    const neutral = (before: Model): Model | undefined => neutralize(before, new Set([key]));
    switch (subject?.kind) {
        case 'start': {
            const { name, declaration } = subject;
            const edit =
                declaration === undefined
                    ? { range, newText: 'any' }
                    : { range: { ...declaration, start: declaration.end }, newText: ' = any' };
            return [{ title: `Let \`${name}\` start with any value`, edits: [edit], change: neutral }];
        }
        case 'range': {
            const { name, type: whole } = subject;
            const title = `Let \`${name}\` run through all of \`${whole}\``;
            return [{ title, edits: [{ range, newText: whole }], change: neutral }];
        }
        case 'difference': {
            const { newText } = subject;
            const title = `Write \`${place.instead ?? newText}\` in place of \`${text}\``;
            return [{ title, edits: [{ range, newText }], change: neutral }];
        }
        case 'loop':
            return loopInAnyOrder(subject.loop, model, textOf);
        case 'value':
            return type === undefined || isOfOtherType(subject, type)
                ? []
                : indexForConstants(subject.expression, type, model, textOf);
        case 'expression': {
            const { expression } = subject;
            const isTest = kind === 'test' || kind === 'comparison';
            const withoutOrder = isTest && isOrder(expression) ? [comparedForDifference(expression, text)] : [];
            const leftOut = kind === 'comparison' ? undefined : conditionLeftOut(expression, model, textOf);
            const withIndex = type === undefined ? [] : indexForConstants(expression, type, model, textOf);
            return [...withoutOrder, ...(leftOut === undefined ? [] : [leftOut]), ...withIndex];
        }
        case undefined: {
            const where = kind === 'instances' ? rangeBefore(range, /\s+where\s+$/, textOf) : undefined;
            const title = `Remove \`${text}\``;
            return where === undefined
                ? []
                : [{ title, edits: [{ range: spanOf(where, range), newText: '' }], change: neutral }];
        }
    }
}

/** Whether the value itself is a constant of another type. */
function isOfOtherType({ expression, domain }: Extract<PlaceSubject, { kind: 'value' }>, type: Domain): boolean {
    const own = domain?.kind === 'optional' ? domain.base : domain;
    return expression.kind === 'constant' && own !== undefined && identityOf(own) !== identityOf(type);
}

type Comparison = Extract<Expression, { kind: 'binary' }>;

function isOrder(expression: Expression): expression is Comparison {
    return expression.kind === 'binary' && ['<', '<=', '>', '>='].includes(expression.operator);
}

function comparedForDifference({ left, right, range }: Comparison, text: string): Repair {
    const key = keyOfRange(range);
    return {
        title: `Compare with \`!=\` in \`${text}\``,
        edits: [{ range: { uri: left.range.uri, start: left.range.end, end: right.range.start }, newText: ' != ' }],
        change: model =>
            replaceParts(model, part => {
                const { kind, range: own } = part as Partial<Expression>;
                return kind === 'binary' && own !== undefined && keyOfRange(own) === key && isOrder(part as Expression)
                    ? { ...part, operator: '!=' }
                    : undefined;
            }),
    };
}
