/**
 * A condition left out of the text: `u != 0 && free` becomes `free`, `when u != 0 { … }` becomes `{ … }`, a pattern
 * becomes `_`. Only conditions that restrict: the condition of a branch or a loop as a whole is none.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';
import type { EditReport } from '../describe/report.js';
import type { Expression } from '../model/expression.js';
import type { Model, Step } from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { always } from './conditions.js';
import { isInside, type Repair, wordsAt } from './places.js';
import { positionAfter, rangeBefore, spanOf } from './text-before.js';

type Ranged = Readonly<Record<string, unknown>> & { readonly kind?: string; readonly range?: SourceRange };

/** The model without a condition, and the edit that leaves it out; undefined if it does not stand where it can be. */
export function conditionLeftOut(condition: Expression, model: Model, textOf: TextOfRange): Repair | undefined {
    let inner: Expression = condition;
    for (const outer of aroundPart(condition, model)) {
        const edit = editLeavingOut(inner, outer, textOf);
        if (edit !== undefined) {
            const text = wordsAt(inner.range, textOf, () => 'the condition');
            return {
                title: edit.newText === '_' ? `Accept any value in place of \`${text}\`` : `Remove \`${text}\``,
                edits: [edit],
                change: withoutOperand(inner, outer),
            };
        }
        if (!isAllOf(inner, outer)) {
            return undefined;
        }
        inner = outer as unknown as Expression;
    }
    return undefined;
}

/** The parts of the model around a part, from the inside out. */
function aroundPart(part: object, { processes, functions, initialConditions, constraints }: Model): readonly Ranged[] {
    const path: object[] = [];
    const isFoundIn = (whole: unknown): boolean => {
        if (typeof whole !== 'object' || whole === null) {
            return false;
        }
        if (whole === part) {
            return true;
        }
        const values = 'tuples' in whole || 'names' in whole ? [] : Object.values(whole);
        const isFound = values.some(isFoundIn);
        if (isFound) {
            path.push(whole);
        }
        return isFound;
    };
    isFoundIn([processes, functions, initialConditions, constraints]);
    return path.map(each => each as Ranged);
}

/** Whether nothing is left of the outer condition without the inner one: `!c`, `forall i in T: c`. */
function isAllOf(inner: Expression, outer: Ranged): boolean {
    const { kind, range } = outer;
    const isAll =
        (kind === 'unary' && outer.operator === 'not') ||
        (kind === 'quantifier' && outer.body === inner && ['forall', 'exists'].includes(String(outer.quantifier)));
    return isAll && range !== undefined && isInside(range, inner.range);
}

/** The edit that leaves the condition out of the part around it, if the condition is an operand or stands alone there. */
function editLeavingOut(condition: Expression, outer: Ranged, textOf: TextOfRange): EditReport | undefined {
    const { range } = condition;
    switch (outer.kind) {
        case 'binary': {
            const { operator, left, right } = outer as unknown as Extract<Expression, { kind: 'binary' }>;
            if ((operator !== 'and' && operator !== 'or') || !isBefore(left.range, right.range)) {
                return undefined;
            }
            return condition === left
                ? { range: { ...range, end: right.range.start }, newText: '' }
                : { range: { ...range, start: left.range.end }, newText: '' };
        }
        case 'step':
            return outer.guard === condition ? withoutGuard(range, outer as unknown as Step, textOf) : undefined;
        case 'quantifier':
            return outer.where === condition ? withoutWord(range, /\s+where\s+$/, textOf) : undefined;
        case 'assume':
            return withoutWord(range, /\s+where\s+$/, textOf);
        default:
            break;
    }
    if (Array.isArray(outer)) {
        const pattern = rangeBefore(range, /(?<=[?(,]\s*)(==\s*)?$/, textOf);
        return pattern === undefined
            ? withoutWord(range, /\binit\s+$/, textOf)
            : { range: spanOf(pattern, range), newText: '_' };
    }
    // A process.
    return 'indices' in outer && outer.where === condition ? withoutWord(range, /\s+where\s+$/, textOf) : undefined;
}

function isBefore(first: SourceRange, second: SourceRange): boolean {
    const { end } = first;
    const { start } = second;
    return (
        first.uri === second.uri &&
        (end.line < start.line || (end.line === start.line && end.character < start.character))
    );
}

/** The condition with the word before it. */
function withoutWord(range: SourceRange, word: RegExp, textOf: TextOfRange): EditReport | undefined {
    const before = rangeBefore(range, word, textOf);
    return before && { range: spanOf(before, range), newText: '' };
}

/** A step without its `when`; `skip` if nothing else is left of it. */
function withoutGuard(range: SourceRange, step: Step, textOf: TextOfRange): EditReport | undefined {
    const when = rangeBefore(range, /\bwhen\s+$/, textOf);
    const rest = textOf({ ...range, start: range.end, end: step.range.end });
    if (when === undefined || rest === undefined) {
        return undefined;
    }
    if (rest.trim() === '') {
        return { range: spanOf(when, range), newText: 'skip' };
    }
    const [space] = /^\s*/.exec(rest) ?? [''];
    return { range: { ...when, end: positionAfter(space, range.end) }, newText: '' };
}

/** What is left of the part around the condition: the other operand, or a condition that holds. */
function withoutOperand(condition: Expression, outer: Ranged): Repair['change'] {
    const isOperand = outer.kind === 'binary';
    const gone = isOperand ? (outer as unknown as Expression) : condition;
    const key = keyOfRange(gone.range);
    const isGone = (part: Ranged): boolean =>
        part.kind === gone.kind && part.range !== undefined && keyOfRange(part.range) === key;
    const isLeft = outer.left === condition;
    return model =>
        replaceParts(model, part => {
            if (!isGone(part as Ranged)) {
                return undefined;
            }
            const { left, right } = part as Extract<Expression, { kind: 'binary' }>;
            return isOperand ? (isLeft ? right : left) : always(gone);
        });
}
