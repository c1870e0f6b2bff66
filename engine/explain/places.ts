/**
 * Places of the text, as explanations name them: where they are, and what stands there in the words of the text.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { NONE } from '../model/domain.js';
import type { BinaryOperator, Expression } from '../model/expression.js';
import type { Statement } from '../model/model.js';

export interface Place {
    readonly range: SourceRange;
    /** What stands there, for messages. */
    readonly text: string;
    /** What of it is meant, where that is not what stands there: `the order of`. */
    readonly aspect?: string;
    /** Whether it mentions a number, or compares or computes by order: what treats all indices alike does neither. */
    readonly mentionsOrder: boolean;
}

/** The text of a range, where it is known. */
export type TextOfRange = (range: SourceRange) => string | undefined;

/** No text: places are quoted as the model has them, with the values of constants. */
export const NO_TEXT: TextOfRange = () => undefined;

/** What a message quotes: the text of the range in one line, else `fallback`. Text with a comment is not quoted. */
export function wordsAt(range: SourceRange, textOf: TextOfRange, fallback: () => string): string {
    const text = textOf(range);
    return text === undefined || text === '' || /\/\/|\/\*/.test(text)
        ? fallback()
        : withoutParentheses(text.replace(/\s+/g, ' ').trim());
}

/** Without parentheses around the whole. */
function withoutParentheses(text: string): string {
    let depth = 0;
    for (let position = 0; position < text.length; position++) {
        depth += text[position] === '(' ? 1 : text[position] === ')' ? -1 : 0;
        if (depth === 0 && position < text.length - 1) {
            return text;
        }
    }
    return text.startsWith('(') ? withoutParentheses(text.slice(1, -1).trim()) : text;
}

/** Equal for equal ranges. */
export function keyOfRange({ uri, start, end }: SourceRange): string {
    return `${uri} ${start.line}:${start.character}-${end.line}:${end.character}`;
}

/** Whether the second range lies in the first one. */
export function isInside(outer: SourceRange, inner: SourceRange): boolean {
    return (
        outer.uri === inner.uri &&
        comparePositions(outer.start, inner.start) <= 0 &&
        comparePositions(inner.end, outer.end) <= 0
    );
}

function comparePositions(a: SourceRange['start'], b: SourceRange['start']): number {
    return a.line - b.line || a.character - b.character;
}

/** `a`, `b` at 2 places and `c`; of many the first ones, and long ones shortened. The same text is quoted once. */
export function quotePlaces(places: readonly Quotable[]): string {
    const count = new Map<string, number>();
    places.map(quotePlace).forEach(quote => count.set(quote, (count.get(quote) ?? 0) + 1));
    const all = [...count].map(([quote, times]) => (times === 1 ? quote : `${quote} at ${times} places`));
    const quoted = all.length > MOST_QUOTED ? all.slice(0, MOST_QUOTED - 1) : all;
    const left = [...count.values()].slice(quoted.length).reduce((sum, times) => sum + times, 0);
    const last = left > 0 ? `${left} other places` : quoted.pop();
    return quoted.length === 0 ? (last ?? '') : `${quoted.join(', ')} and ${last}`;
}

/** `` `i != 2` ``, ``the order of `for j in Id` ``. */
export function quotePlace({ text, aspect }: Quotable): string {
    return `${aspect === undefined ? '' : `${aspect} `}\`${abbreviated(text)}\``;
}

type Quotable = Pick<Place, 'text' | 'aspect'>;

const MOST_QUOTED = 4;
const LONGEST_QUOTED = 72;

function abbreviated(text: string): string {
    return text.length <= LONGEST_QUOTED ? text : `${text.slice(0, LONGEST_QUOTED - 2).trimEnd()} …`;
}

const TREATS_VALUES_ALIKE: ReadonlySet<BinaryOperator> = new Set(['==', '!=', 'and', 'or', 'implies']);

/** Whether an expression mentions a number or a table, or compares or computes by order. */
export function mentionsOrder(expression: Expression): boolean {
    switch (expression.kind) {
        case 'constant':
            return expression.value !== NONE && (expression.domain === undefined || expression.domain.kind === 'range');
        case 'binder':
            return false;
        case 'read':
            return expression.place.indices.some(mentionsOrder);
        case 'unary':
            return expression.operator === 'negate' || mentionsOrder(expression.operand);
        case 'binary':
            return (
                !TREATS_VALUES_ALIKE.has(expression.operator) ||
                mentionsOrder(expression.left) ||
                mentionsOrder(expression.right)
            );
        case 'conditional':
            return [expression.condition, expression.then, expression.otherwise].some(mentionsOrder);
        case 'quantifier':
            return (
                expression.quantifier === 'min' ||
                expression.quantifier === 'max' ||
                mentionsOrder(expression.body) ||
                (expression.where !== undefined && mentionsOrder(expression.where))
            );
        case 'at':
            return expression.indices.some(mentionsOrder);
        case 'instance-local':
            return [...expression.instance, ...expression.indices].some(mentionsOrder);
        case 'select':
            return isTable(expression.options) || [expression.index, ...expression.options].some(mentionsOrder);
        case 'field':
            return mentionsOrder(expression.record);
        case 'record':
            return expression.fields.some(mentionsOrder);
        case 'call':
            return [...expression.arguments.flat(), ...expression.indices].some(mentionsOrder);
        case 'length':
            return expression.channel.kind === 'value'
                ? mentionsOrder(expression.channel.expression)
                : expression.channel.indices.some(mentionsOrder);
        case 'message':
            return false;
        default:
            return unreachable(expression);
    }
}

/** Whether the values are constants that differ, so that their order matters. */
export function isTable([first, ...others]: readonly Expression[]): boolean {
    return first?.kind === 'constant' && others.some(each => each.kind === 'constant' && each.value !== first.value);
}

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', 'div', 'mod']);

/** Whether an expression works something out from values. */
export function isComputed(expression: Expression): boolean {
    let isFound = false;
    forEachPart(expression, part => {
        isFound ||= part.kind === 'binary' && ARITHMETIC.has(part.operator);
    });
    return isFound;
}

/** All expressions in expressions or statements, those inside of others included. */
export function forEachPart(
    whole: Expression | readonly (Expression | Statement)[],
    visit: (part: Expression) => void,
): void {
    const look = (part: unknown): void => {
        if (typeof part !== 'object' || part === null) {
            return;
        }
        // Domains, ranges and statements have no such kinds.
        visit(part as Expression);
        if (!('kind' in part && part.kind === 'constant')) {
            Object.values(part).forEach(look);
        }
    };
    look(whole);
}
