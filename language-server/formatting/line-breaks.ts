/**
 * The line breaks of a text and the indentation of its lines: one `Break` for each element.
 *
 * The author's line breaks stay, within rules. A declaration begins a line. Braces around statements are on one line
 * with their contents, or open: then their contents have lines of their own and are indented. They are open if a line
 * break or a comment stays between them, or if the caller asks for it. Declarations with open braces have blank lines
 * around them.
 */
import { INDENTATION, type Element } from './elements.js';

/** Whether a line begins at an element. */
export type Break =
    | { readonly kind: 'none' }
    | {
          readonly kind: 'line';
          /** In columns. */
          readonly indentation: number;
          readonly hasBlankLine: boolean;
          /** Whether the line continues an item of a line before, so that it may be aligned with a part of the item. */
          readonly isContinuation: boolean;
          /** The index of the innermost bracket around it; -1 if there is none. */
          readonly inner: number;
      };

const NO_BREAK: Break = { kind: 'none' };

/** For each element the index of the matching bracket; -1 for elements that are no brackets. */
export function matchBrackets(elements: readonly Element[]): Int32Array {
    const matching = new Int32Array(elements.length).fill(-1);
    const opened: number[] = [];
    elements.forEach(({ bracket }, index) => {
        if (isOpening(bracket)) {
            opened.push(index);
        } else if (bracket === 'closes') {
            const opening = opened.pop();
            if (opening !== undefined) {
                matching[opening] = index;
                matching[index] = opening;
            }
        }
    });
    return matching;
}

function isOpening(bracket: Element['bracket']): boolean {
    return bracket === 'opens-items' || bracket === 'opens-list';
}

/** `mustOpen` has the indices of braces around statements. */
export function breakLines(
    elements: readonly Element[],
    matching: Int32Array,
    mustOpen: ReadonlySet<number>,
): readonly Break[] {
    const isOpen = findOpenBrackets(elements, matching, mustOpen);
    const breaks: Break[] = [];
    /** The brackets around the element, outermost first, and the indentation of their contents. */
    const around: { readonly index: number; readonly indentation: number }[] = [{ index: -1, indentation: 0 }];
    elements.forEach((element, index) => {
        const inner = around.at(-1) ?? { index: -1, indentation: 0 };
        if (element.bracket === 'closes') {
            around.pop();
        }
        const outer = around.at(-1)?.indentation ?? 0;
        const brackets = { inner: inner.index, isOpen, matching };
        if (isBrokenBefore(elements, index, brackets)) {
            const isContinuation = continuesItem(elements, index, brackets);
            const base = element.bracket === 'closes' && !isContinuation ? outer : inner.indentation;
            breaks.push({
                kind: 'line',
                indentation: base + (isContinuation ? INDENTATION : 0),
                hasBlankLine: keepsBlankLine(elements, index),
                isContinuation: isContinuation || element.isAlternative,
                inner: inner.index,
            });
        } else {
            breaks.push(NO_BREAK);
        }
        if (isOpening(element.bracket)) {
            around.push({ index, indentation: outer + (isOpen[index] === 1 ? INDENTATION : 0) });
        }
    });
    return separateDeclarations(elements, isOpen, breaks);
}

interface Brackets {
    /** The index of the innermost bracket around the element; -1 if there is none. */
    readonly inner: number;
    /** For each element 1 if it is an opening bracket whose contents have lines of their own. */
    readonly isOpen: Uint8Array;
    readonly matching: Int32Array;
}

function isBrokenBefore(elements: readonly Element[], index: number, { inner, isOpen, matching }: Brackets): boolean {
    const element = elements[index];
    const previous = elements[index - 1];
    if (element === undefined || previous === undefined || previous.isComment) {
        return true;
    }
    const hasSourceBreak = element.sourceBreaks > 0;
    if (element.isComment) {
        return hasSourceBreak;
    }
    if (isOpening(previous.bracket)) {
        return isOpen[index - 1] === 1;
    }
    if (element.bracket === 'closes') {
        return isOpen[inner] === 1;
    }
    if (element.beginsItem) {
        // If the author opened the braces, items that semicolons separate may share a line.
        const sharesLine = previous.text === ';' && !hasSourceBreak && isFirstBroken(elements, inner);
        return inner < 0 || (isOpen[inner] === 1 && !sharesLine);
    }
    if (element.isAlternative) {
        return hasSourceBreak && isOpen[matching[index - 1] ?? -1] !== 1;
    }
    if (element.bracket === 'opens-items' && isOpen[index] === 1) {
        return false;
    }
    return hasSourceBreak && element.mayBreak;
}

/** Whether the line that begins with an element continues an item. A comment belongs to the element behind it. */
function continuesItem(elements: readonly Element[], index: number, { inner, isOpen }: Brackets): boolean {
    const next = elements.slice(index).find(element => !element.isComment);
    if (next === undefined || next.beginsItem || next.isAlternative) {
        return false;
    }
    if (next.bracket === 'closes') {
        return isOpen[inner] !== 1;
    }
    if (next.bracket === 'opens-items') {
        return next === elements[index];
    }
    let before = index - 1;
    while (elements[before]?.isComment === true) {
        before--;
    }
    const isInOpenList = elements[inner]?.bracket === 'opens-list' && isOpen[inner] === 1;
    return !(isInOpenList && (before === inner || elements[before]?.text === ','));
}

function keepsBlankLine(elements: readonly Element[], index: number): boolean {
    const element = elements[index];
    const previous = elements[index - 1];
    return (
        element !== undefined &&
        previous !== undefined &&
        element.sourceBreaks > 1 &&
        !isOpening(previous.bracket) &&
        (element.isComment || element.beginsItem)
    );
}

/** Whether the author wrote a line break behind a bracket. */
function isFirstBroken(elements: readonly Element[], opening: number): boolean {
    const first = elements[opening + 1];
    return first !== undefined && (first.isComment || first.sourceBreaks > 0);
}

/** From the last bracket to the first: the inner ones are decided before those around them. */
function findOpenBrackets(
    elements: readonly Element[],
    matching: Int32Array,
    mustOpen: ReadonlySet<number>,
): Uint8Array {
    const isOpen = new Uint8Array(elements.length);
    for (let index = elements.length - 1; index >= 0; index--) {
        const bracket = elements[index]?.bracket ?? 'none';
        const closing = matching[index] ?? -1;
        if (!isOpening(bracket) || closing <= index + 1) {
            continue;
        }
        const next = bracket === 'opens-items' ? nextAlternative(closing) : -1;
        if (
            isFirstBroken(elements, index) ||
            mustOpen.has(index) ||
            (bracket === 'opens-items' && (holdsBreak(index, closing) || isOpen[next] === 1))
        ) {
            isOpen[index] = 1;
            openAll(next);
        }
    }
    return isOpen;

    /** The opening brace of the alternative behind a closing brace; -1 if there is none. */
    function nextAlternative(closing: number): number {
        let index = closing + 1;
        while (elements[index]?.isComment === true) {
            index++;
        }
        return elements[index]?.isAlternative === true
            ? elements.findIndex((element, other) => other > index && element.bracket === 'opens-items')
            : -1;
    }

    /** Opens all alternatives behind an open one. */
    function openAll(first: number): void {
        for (let index = first; index >= 0 && isOpen[index] === 0; index = nextAlternative(matching[index] ?? -1)) {
            isOpen[index] = (matching[index] ?? -1) > index + 1 ? 1 : 0;
        }
    }

    /** Whether a line break stays between two brackets. */
    function holdsBreak(opening: number, closing: number): boolean {
        for (let index = opening + 1; index < closing; index++) {
            const { isComment, sourceBreaks, beginsItem, isAlternative, mayBreak } = elements[index] ?? {};
            const mayStay = beginsItem === true || isAlternative === true || mayBreak === true;
            if (isComment === true || isOpen[index] === 1 || ((sourceBreaks ?? 0) > 0 && mayStay)) {
                return true;
            }
        }
        return (elements[closing]?.sourceBreaks ?? 0) > 0;
    }
}

/** Puts blank lines around declarations with open braces. Comments directly above a declaration belong to it. */
function separateDeclarations(
    elements: readonly Element[],
    isOpen: Uint8Array,
    breaks: readonly Break[],
): readonly Break[] {
    const result = [...breaks];
    let depth = 0;
    let isOpenSoFar = false;
    let wasOpen = false;
    let start = -1;
    const finish = (): void => {
        if (start > 0 && (wasOpen || isOpenSoFar)) {
            let first = start;
            while (isCommentOfNext(first - 1)) {
                first--;
            }
            const before = result[first];
            if (first > 0 && before?.kind === 'line') {
                result[first] = { ...before, hasBlankLine: true };
            }
        }
        wasOpen = isOpenSoFar;
        isOpenSoFar = false;
    };
    elements.forEach((element, index) => {
        if (element.beginsItem && depth === 0) {
            finish();
            start = index;
        }
        depth += isOpening(element.bracket) ? 1 : element.bracket === 'closes' ? -1 : 0;
        isOpenSoFar ||= element.bracket === 'opens-items' && isOpen[index] === 1;
    });
    finish();
    return result;

    /** Whether an element is a comment on a line of its own, directly above the next line. */
    function isCommentOfNext(index: number): boolean {
        const next = result[index + 1];
        return (
            elements[index]?.isComment === true &&
            result[index]?.kind === 'line' &&
            next?.kind === 'line' &&
            !next.hasBlankLine
        );
    }
}
