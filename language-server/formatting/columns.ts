/**
 * At which column each element stands.
 *
 * Elements of a line follow each other with a space or none between them. Where the author has put more space before one,
 * it stays below its counterpart: an element of the line above or below that stood in the same column. A line that goes
 * on with an item stays below the part of the item that it stood below, or indented from what is in the parenthesis where
 * it stands. A comment behind code stays in its column where
 * the code leaves room.
 *
 * Columns are assigned from left to right in the text as the author wrote it, and aligned elements together: their column
 * is the first that is free in all their lines. What the author wrote on other lines only follows.
 *
 * Invariant: assigning columns to a text that has them already changes nothing. For what is aligned stands in one column,
 * at least one of it directly behind its predecessor, and an accidental neighbor there does not need more room.
 */
import { INDENTATION, type Element } from './elements.js';
import type { Break } from './line-breaks.js';

/** Comments behind code keep their column up to this one. */
const LAST_COMMENT_COLUMN = 100;

interface Line {
    readonly first: number;
    /** Exclusive. */
    readonly end: number;
    /** Up to this one, exclusive, the elements were a line of the author's, or its beginning. */
    readonly keptEnd: number;
}

/** The column of each element. */
export function columnsOf(elements: readonly Element[], breaks: readonly Break[]): Int32Array {
    const lines = linesOf(elements, breaks);
    const columns = new Int32Array(elements.length);
    /** Where each line ends so far. */
    const ends = new Int32Array(lines.length);
    /** The line of each element. */
    const lineOf = new Int32Array(elements.length);
    const bySourceColumn = new Map<number, number[]>();
    lines.forEach(({ first, end, keptEnd }, line) => {
        lineOf.fill(line, first, end);
        for (let index = first; index < keptEnd; index++) {
            const column = elements[index]?.sourceColumn ?? 0;
            const others = bySourceColumn.get(column);
            if (others === undefined) {
                bySourceColumn.set(column, [index]);
            } else {
                others.push(index);
            }
        }
    });
    for (const [sourceColumn, members] of [...bySourceColumn].sort(([one], [other]) => one - other)) {
        for (const aligned of alignedGroups(members)) {
            const needed = aligned
                .map(index => neededColumn(index, sourceColumn))
                .filter(column => column !== undefined);
            for (const index of aligned) {
                place(index, needed.length === 0 ? naturalColumn(index) : Math.max(...needed));
            }
        }
    }
    for (const { end, keptEnd } of lines) {
        for (let index = keptEnd; index < end; index++) {
            place(index, naturalColumn(index));
        }
    }
    return columns;

    function place(index: number, column: number): void {
        columns[index] = column;
        ends[lineOf[index] ?? 0] = column + (elements[index]?.text.length ?? 0);
    }

    function isFirst(index: number): boolean {
        return breaks[index]?.kind === 'line';
    }

    function naturalColumn(index: number): number {
        const before = breaks[index];
        if (before?.kind !== 'line') {
            return (ends[lineOf[index] ?? 0] ?? 0) + (elements[index]?.isSpaced === true ? 1 : 0);
        }
        return indentedInside(before, index) ?? before.indentation;
    }

    /** Of a line that goes on inside a bracket of a line above, where the author indented it from what the bracket holds. */
    function indentedInside({ isContinuation, inner }: Break & { kind: 'line' }, index: number): number | undefined {
        const held = elements[inner + 1];
        const isIndented =
            isContinuation &&
            elements[inner]?.bracket === 'opens-list' &&
            isKept(inner + 1) &&
            isKept(index) &&
            elements[index]?.sourceColumn === (held?.sourceColumn ?? 0) + INDENTATION;
        return isIndented ? (columns[inner + 1] ?? 0) + INDENTATION : undefined;
    }

    function isKept(index: number): boolean {
        const line = lines[lineOf[index] ?? 0];
        return line !== undefined && line.first <= index && index < line.keptEnd;
    }

    /** The first column where an element can stand; one that begins its line can stand below any other. */
    function neededColumn(index: number, sourceColumn: number): number | undefined {
        if (isFirst(index)) {
            return undefined;
        }
        return keepsColumn(index) ? Math.max(sourceColumn, naturalColumn(index)) : naturalColumn(index);
    }

    /** Whether it is a comment behind code, with room between them. */
    function keepsColumn(index: number): boolean {
        const element = elements[index];
        return (
            element !== undefined &&
            element.isComment &&
            !isFirst(index) &&
            hasMoreSpace(element) &&
            element.sourceColumn <= LAST_COMMENT_COLUMN
        );
    }

    /** Splits elements that stood in one column into those that are aligned with each other, mostly single ones. */
    function alignedGroups(members: readonly number[]): readonly (readonly number[])[] {
        /** The group of each member; groups grow and are shared. */
        const groups = new Map<number, number[]>();
        members.forEach((index, position) => {
            const counterpart = counterpartOf(members, position);
            const group = counterpart === undefined ? [] : (groups.get(counterpart) ?? []);
            group.push(index);
            groups.set(index, group);
        });
        return [...new Set(groups.values())];
    }

    /** The nearest element above that a member is aligned with. */
    function counterpartOf(members: readonly number[], position: number): number | undefined {
        const index = members[position] ?? 0;
        const line = lineOf[index] ?? 0;
        const lineAbove = lineOfCodeAbove(line);
        for (let other = position - 1; other >= 0; other--) {
            const above = members[other] ?? 0;
            if (isFirst(index)) {
                if (lineOf[above] === line - 1 && continuesComment(index, above)) {
                    return above;
                }
                if (!isSameItem(above, index)) {
                    return undefined;
                }
                if (continuesItem(index, above)) {
                    return above;
                }
            } else if (lineOf[above] === lineAbove) {
                return !isFirst(above) && areCounterparts(above, index) ? above : undefined;
            }
        }
        return undefined;
    }

    /** The nearest line above that is no comment; -1 where a blank line is between. */
    function lineOfCodeAbove(line: number): number {
        let above = line;
        do {
            if (hasBlankLine(above)) {
                return -1;
            }
            above--;
        } while (above >= 0 && elements[lines[above]?.first ?? 0]?.isComment === true);
        return above;
    }

    function hasBlankLine(line: number): boolean {
        const before = breaks[lines[line]?.first ?? 0];
        return before?.kind === 'line' && before.hasBlankLine;
    }

    /** Whether two comments are one, of which the upper line began behind code. */
    function continuesComment(index: number, above: number): boolean {
        if (elements[index]?.isComment !== true || elements[above]?.isComment !== true) {
            return false;
        }
        // Of the lines above, the first that does not begin with the comment has it behind code.
        let line = lineOf[above] ?? 0;
        while (line > 0 && !hasBlankLine(line) && elements[lines[line]?.first ?? 0]?.isComment === true) {
            line--;
            const last = (lines[line]?.end ?? 1) - 1;
            if (elements[last]?.isComment !== true || elements[last].sourceColumn !== elements[index].sourceColumn) {
                return false;
            }
        }
        return elements[lines[line]?.first ?? 0]?.isComment !== true;
    }

    /** Whether a line that goes on with an item stood below a part of it. */
    function continuesItem(index: number, above: number): boolean {
        return (
            isContinuation(index) && elements[above]?.isComment !== true && !(isFirst(above) && !isContinuation(above))
        );
    }

    /** Whether all lines below that of `above`, down to that of `index`, go on with what began before them. */
    function isSameItem(above: number, index: number): boolean {
        for (let line = lineOf[index] ?? 0; line > (lineOf[above] ?? 0); line--) {
            if (!isContinuation(lines[line]?.first ?? 0)) {
                return false;
            }
        }
        return true;
    }

    function isContinuation(index: number): boolean {
        const before = breaks[index];
        return before?.kind === 'line' && before.isContinuation;
    }

    /** Whether two elements of lines below each other play the same part, and were put below each other on purpose. */
    function areCounterparts(above: number, below: number): boolean {
        const [one, other] = [elements[above], elements[below]];
        if (one === undefined || other === undefined || one.isComment !== other.isComment) {
            return false;
        }
        const [beforeOne, beforeOther] = [elements[above - 1], elements[below - 1]];
        const areAlike = one.isComment || one.text === other.text || beforeOne?.text === beforeOther?.text;
        // Nothing moves away from the bracket or name that it belongs to.
        return areAlike && one.isSpaced && other.isSpaced && (hasMoreSpace(one) || hasMoreSpace(other));
    }
}

/** Of an element that has a space before it anyway. */
function hasMoreSpace({ sourceSpaces, isSpaced }: Element): boolean {
    return isSpaced && sourceSpaces > 1;
}

function linesOf(elements: readonly Element[], breaks: readonly Break[]): readonly Line[] {
    const firsts = elements.map((_, index) => index).filter(index => breaks[index]?.kind === 'line');
    return firsts.map((first, line) => {
        const end = firsts[line + 1] ?? elements.length;
        const wasBroken = first === 0 || (elements[first]?.sourceBreaks ?? 0) > 0;
        let keptEnd = wasBroken ? first + 1 : first;
        while (first < keptEnd && keptEnd < end && elements[keptEnd]?.sourceBreaks === 0) {
            keptEnd++;
        }
        return { first, end, keptEnd };
    });
}
