/** Places of the text as explanations name them: range, text, the parts of the model around them, and edits there. */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';
import type { EditReport, PlaceKind, PlaceReport } from '../describe/report.js';
import { NONE, type Domain } from '../model/domain.js';
import type { BinaryOperator, Expression } from '../model/expression.js';
import type { Control, Model, Statement } from '../model/model.js';

export interface TextPlace {
    readonly range: SourceRange;
    /** The text there, for messages. */
    readonly text: string;
    /** The meant part of it, if not all: `the order of`. */
    readonly aspect?: string;
}

/** A place that can be neutralized (neutralize.ts). */
export interface ModelPlace extends TextPlace {
    readonly key: string;
    readonly kind: PlaceKind;
    /** The parts of the model that the place belongs to. */
    readonly owners: ReadonlySet<Owner>;
    /** Whether it mentions a number, or compares or computes by order: a place that treats all indices alike does neither. */
    readonly mentionsOrder: boolean;
    /** Whether it contains arithmetic: `(i + 1) mod N`. */
    readonly isComputed: boolean;
    /** The identities of the types of which it names a value or uses the order. */
    readonly types: ReadonlySet<string>;
    /** Of a condition: the functions that it calls, and the expressions behind the names that it uses. */
    readonly reaches: readonly SourceRange[];
    /** The basis of a repair. */
    readonly subject?: PlaceSubject;
    /** Of the type of the instances of a family: this type, and the one with all its values and more. */
    readonly family?: { readonly over: Domain; readonly whole: Domain };
    /** Of a difference: the text of the other process there; absent for whole steps. */
    readonly instead?: string;
}

export type PlaceSubject =
    | { readonly kind: 'expression'; readonly expression: Expression }
    /** An index, an argument, a value that is assigned or sent. */
    | { readonly kind: 'value'; readonly expression: Expression; readonly domain?: Domain }
    /** The order of a `for` between steps. */
    | { readonly kind: 'loop'; readonly loop: Extract<Control, { kind: 'for' }> }
    /** The initial value of a variable, or its declaration if it has none. */
    | { readonly kind: 'start'; readonly name: string; readonly declaration?: SourceRange }
    /** The values of a name, and the type with all of them and more. */
    | { readonly kind: 'range'; readonly name: string; readonly type: string }
    /** The words of another process. */
    | { readonly kind: 'difference'; readonly newText: string };

/** Edits, and the model that the edited text says. */
export interface Repair {
    readonly title: string;
    readonly edits: readonly EditReport[];
    /** Undefined if there is no such model. Parts are found by their ranges, since another repair may come first. */
    readonly change: (model: Model) => Model | undefined;
    /** Whether a loop in order becomes one in any order, which has fewer summands for the same steps. */
    readonly isRolledUp?: true;
}

/** `initial`, or a process or one of its steps (see `ownerOfProcess`, `ownerOfStep`). */
export type Owner = string;

export const INITIAL: Owner = 'initial';

/** The part of a process that belongs to no single step: tests between steps, the instances, local variables. */
export function ownerOfProcess(process: number): Owner {
    return `process ${process}`;
}

export function ownerOfStep(process: number, range: SourceRange): Owner {
    return `step ${process} ${keyOfRange(range)}`;
}

/** A communication and the index of its channel have the same range; so may a difference or a comparison and a place. */
export function keyOfPlace({ kind, range }: { readonly kind: PlaceKind; readonly range: SourceRange }): string {
    return `${HAVE_OWN_KEY.has(kind) ? kind : 'place'} ${keyOfRange(range)}`;
}

const HAVE_OWN_KEY: ReadonlySet<PlaceKind> = new Set<PlaceKind>(['communication', 'difference', 'comparison']);

/** Whether neutralizing removes something from the model; other places leave something open. */
export function isRemoval({ kind }: ModelPlace): boolean {
    return kind === 'assignment' || kind === 'communication';
}

export function reportPlaces(places: readonly ModelPlace[]): PlaceReport[] {
    return places.map(({ range, text, aspect, kind }) => ({ range, text, ...(aspect && { aspect }), kind }));
}

export function inTextOrder<Ranged extends { readonly range: SourceRange }>(places: readonly Ranged[]): Ranged[] {
    return [...places].sort(({ range: a }, { range: b }) => comparePositions(a.start, b.start));
}

/** No text: places are quoted from the model, with the values of constants. */
export const NO_TEXT: TextOfRange = () => undefined;

/** The text of the range in one line, for messages, else `fallback`. Text with a comment is not quoted. */
export function wordsAt(range: SourceRange, textOf: TextOfRange, fallback: () => string): string {
    const text = textOf(range);
    return text === undefined || text === '' || /\/\/|\/\*/.test(text)
        ? fallback()
        : withoutParentheses(text.replace(/\s+/g, ' ').trim());
}

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

/** Whether the second range is part of the first one, or equal to it. */
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

/** `a`, `b` at 2 places and `c`; the first ones of many, long ones shortened. Equal texts are quoted once. */
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

type Quotable = Pick<TextPlace, 'text' | 'aspect'>;

const MOST_QUOTED = 4;
const LONGEST_QUOTED = 72;

function abbreviated(text: string): string {
    return text.length <= LONGEST_QUOTED ? text : `${text.slice(0, LONGEST_QUOTED - 2).trimEnd()} …`;
}

const TREATS_VALUES_ALIKE: ReadonlySet<BinaryOperator> = new Set(['==', '!=', 'and', 'or', 'implies']);

/** Whether an expression mentions a number or a table, or compares or computes by order. */
export function mentionsOrder(expression: Expression): boolean {
    return someExpression(expression, part => {
        switch (part.kind) {
            case 'constant':
                return part.value !== NONE && (part.domain === undefined || part.domain.kind === 'range');
            case 'unary':
                return part.operator === 'negate';
            case 'binary':
                return !TREATS_VALUES_ALIKE.has(part.operator);
            case 'quantifier':
                return part.quantifier === 'min' || part.quantifier === 'max';
            case 'select':
                return isTable(part.options);
            default:
                return false;
        }
    });
}

/** Whether the values are constants that differ, so that their order matters. */
export function isTable([first, ...others]: readonly Expression[]): boolean {
    return first?.kind === 'constant' && others.some(each => each.kind === 'constant' && each.value !== first.value);
}

export const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', 'div', 'mod']);

export function hasArithmetic(expression: Expression): boolean {
    return someExpression(expression, part => part.kind === 'binary' && ARITHMETIC.has(part.operator));
}

/** Whether the expression or one inside it has the property. */
export function someExpression(whole: Expression, has: (part: Expression) => boolean): boolean {
    let isFound = false;
    forEachExpression(whole, part => {
        isFound ||= has(part);
    });
    return isFound;
}

/** Visits all expressions in expressions or statements, those inside others included. */
export function forEachExpression(
    whole: Expression | readonly (Expression | Statement)[],
    visit: (part: Expression) => void,
): void {
    const look = (part: unknown): void => {
        if (typeof part !== 'object' || part === null) {
            return;
        }
        // The kinds of domains and statements are none of those that visitors look for.
        visit(part as Expression);
        if (!('kind' in part && part.kind === 'constant')) {
            Object.values(part).forEach(look);
        }
    };
    look(whole);
}
