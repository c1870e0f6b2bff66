/**
 * The column of each element of a text.
 *
 * Elements of a line are separated by one space or none, except that aligned elements of neighboring lines stay
 * aligned: elements in one column, some with more space before them. Aligned elements get the first column that is free
 * in all their lines, from left to right. Comments behind code keep their column if the code leaves room.
 *
 * Invariant: assigning columns to a text with these columns changes nothing.
 */
import { appendTo } from '../../engine/common/list-map.js';
import { INDENTATION, type Element } from './elements.js';
import type { Break } from './line-breaks.js';

/** The last column that a comment behind code keeps. */
const LAST_COMMENT_COLUMN = 100;

interface Line {
    readonly first: number;
    /** Exclusive. */
    readonly end: number;
    /** Exclusive: the elements before it were on one line of the author's. */
    readonly keptEnd: number;
}

/** The column of each element. */
export function columnsOf(elements: readonly Element[], breaks: readonly Break[]): Int32Array {
    return new ColumnAssignment(elements, breaks).assign();
}

class ColumnAssignment {
    private readonly elements: readonly Element[];
    private readonly breaks: readonly Break[];
    private readonly lines: readonly Line[];
    private readonly columns: Int32Array;
    /** The line of each element. */
    private readonly lineOf: Int32Array;
    /** The column behind the last element so far of each line. */
    private readonly ends: Int32Array;

    constructor(elements: readonly Element[], breaks: readonly Break[]) {
        this.elements = elements;
        this.breaks = breaks;
        this.lines = linesOf(elements, breaks);
        this.columns = new Int32Array(elements.length);
        this.lineOf = new Int32Array(elements.length);
        this.ends = new Int32Array(this.lines.length);
        this.lines.forEach(({ first, end }, line) => this.lineOf.fill(line, first, end));
    }

    assign(): Int32Array {
        for (const [sourceColumn, members] of [...this.bySourceColumn()].sort(([one], [other]) => one - other)) {
            for (const aligned of this.alignedGroups(members)) {
                const needed = aligned
                    .map(index => this.neededColumn(index, sourceColumn))
                    .filter(column => column !== undefined);
                for (const index of aligned) {
                    this.place(index, needed.length === 0 ? this.naturalColumn(index) : Math.max(...needed));
                }
            }
        }
        for (const { end, keptEnd } of this.lines) {
            for (let index = keptEnd; index < end; index++) {
                this.place(index, this.naturalColumn(index));
            }
        }
        return this.columns;
    }

    /** The elements on lines of the author, by their columns in the text. */
    private bySourceColumn(): Map<number, number[]> {
        const result = new Map<number, number[]>();
        for (const { first, keptEnd } of this.lines) {
            for (let index = first; index < keptEnd; index++) {
                appendTo(result, this.elements[index]?.sourceColumn ?? 0, index);
            }
        }
        return result;
    }

    private place(index: number, column: number): void {
        this.columns[index] = column;
        this.ends[this.lineOf[index] ?? 0] = column + (this.elements[index]?.text.length ?? 0);
    }

    private isFirst(index: number): boolean {
        return this.breaks[index]?.kind === 'line';
    }

    private naturalColumn(index: number): number {
        const before = this.breaks[index];
        if (before?.kind !== 'line') {
            return (this.ends[this.lineOf[index] ?? 0] ?? 0) + (this.elements[index]?.isSpaced === true ? 1 : 0);
        }
        return this.indentedInside(before, index) ?? before.indentation;
    }

    /** The column of a continuation inside a bracket that the author indented from the first element in the bracket. */
    private indentedInside({ isContinuation, inner }: Break & { kind: 'line' }, index: number): number | undefined {
        const held = this.elements[inner + 1];
        const isIndented =
            isContinuation &&
            this.elements[inner]?.bracket === 'opens-list' &&
            this.isKept(inner + 1) &&
            this.isKept(index) &&
            this.elements[index]?.sourceColumn === (held?.sourceColumn ?? 0) + INDENTATION;
        return isIndented ? (this.columns[inner + 1] ?? 0) + INDENTATION : undefined;
    }

    private isKept(index: number): boolean {
        const line = this.lines[this.lineOf[index] ?? 0];
        return line !== undefined && line.first <= index && index < line.keptEnd;
    }

    /** The first possible column of an element; undefined if it begins its line and so can have any column. */
    private neededColumn(index: number, sourceColumn: number): number | undefined {
        if (this.isFirst(index)) {
            return undefined;
        }
        return this.keepsColumn(index) ? Math.max(sourceColumn, this.naturalColumn(index)) : this.naturalColumn(index);
    }

    /** Whether an element is a comment behind code with more than one space between them. */
    private keepsColumn(index: number): boolean {
        const element = this.elements[index];
        return (
            element !== undefined &&
            element.isComment &&
            !this.isFirst(index) &&
            hasMoreSpace(element) &&
            element.sourceColumn <= LAST_COMMENT_COLUMN
        );
    }

    /** Splits the elements of one column into groups of aligned ones, most of which have one element. */
    private alignedGroups(members: readonly number[]): readonly (readonly number[])[] {
        /** The group of each member; groups grow and are shared. */
        const groups = new Map<number, number[]>();
        members.forEach((index, position) => {
            const counterpart = this.counterpartOf(members, position);
            const group = counterpart === undefined ? [] : (groups.get(counterpart) ?? []);
            group.push(index);
            groups.set(index, group);
        });
        return [...new Set(groups.values())];
    }

    /** The nearest element above that a member is aligned with. */
    private counterpartOf(members: readonly number[], position: number): number | undefined {
        const index = members[position] ?? 0;
        const line = this.lineOf[index] ?? 0;
        const lineAbove = this.lineOfCodeAbove(line);
        for (let other = position - 1; other >= 0; other--) {
            const above = members[other] ?? 0;
            if (this.isFirst(index)) {
                if (this.lineOf[above] === line - 1 && this.continuesComment(index, above)) {
                    return above;
                }
                if (!this.isSameItem(above, index)) {
                    return undefined;
                }
                if (this.continuesItem(index, above)) {
                    return above;
                }
            } else if (this.lineOf[above] === lineAbove) {
                return !this.isFirst(above) && this.areCounterparts(above, index) ? above : undefined;
            }
        }
        return undefined;
    }

    /** The nearest line above that is no comment; -1 after a blank line. */
    private lineOfCodeAbove(line: number): number {
        let above = line;
        do {
            if (this.hasBlankLine(above)) {
                return -1;
            }
            above--;
        } while (above >= 0 && this.elements[this.lines[above]?.first ?? 0]?.isComment === true);
        return above;
    }

    private hasBlankLine(line: number): boolean {
        const before = this.breaks[this.lines[line]?.first ?? 0];
        return before?.kind === 'line' && before.hasBlankLine;
    }

    /** Whether two lines belong to one comment that begins behind code. */
    private continuesComment(index: number, above: number): boolean {
        if (this.elements[index]?.isComment !== true || this.elements[above]?.isComment !== true) {
            return false;
        }
        // The first line above that does not begin with the comment has its beginning behind code.
        let line = this.lineOf[above] ?? 0;
        while (
            line > 0 &&
            !this.hasBlankLine(line) &&
            this.elements[this.lines[line]?.first ?? 0]?.isComment === true
        ) {
            line--;
            const last = (this.lines[line]?.end ?? 1) - 1;
            if (
                this.elements[last]?.isComment !== true ||
                this.elements[last].sourceColumn !== this.elements[index].sourceColumn
            ) {
                return false;
            }
        }
        return this.elements[this.lines[line]?.first ?? 0]?.isComment !== true;
    }

    /** Whether a continuation line of an item is aligned with a part of the item above. */
    private continuesItem(index: number, above: number): boolean {
        return (
            this.isContinuation(index) &&
            this.elements[above]?.isComment !== true &&
            !(this.isFirst(above) && !this.isContinuation(above))
        );
    }

    /** Whether all lines from that of `above`, exclusive, to that of `index` are continuations. */
    private isSameItem(above: number, index: number): boolean {
        for (let line = this.lineOf[index] ?? 0; line > (this.lineOf[above] ?? 0); line--) {
            if (!this.isContinuation(this.lines[line]?.first ?? 0)) {
                return false;
            }
        }
        return true;
    }

    private isContinuation(index: number): boolean {
        const before = this.breaks[index];
        return before?.kind === 'line' && before.isContinuation;
    }

    /** Whether two elements of neighboring lines have the same role, and the author aligned them with extra space. */
    private areCounterparts(above: number, below: number): boolean {
        const [one, other] = [this.elements[above], this.elements[below]];
        if (one === undefined || other === undefined || one.isComment !== other.isComment) {
            return false;
        }
        const [beforeOne, beforeOther] = [this.elements[above - 1], this.elements[below - 1]];
        const areAlike = one.isComment || one.text === other.text || beforeOne?.text === beforeOther?.text;
        // An element without a space before it stays with its bracket or name.
        return areAlike && one.isSpaced && other.isSpaced && (hasMoreSpace(one) || hasMoreSpace(other));
    }
}

/** Whether the author wrote more than the one space before an element. */
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
