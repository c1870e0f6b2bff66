/** The text of a Murphi model: places in it, and its comments with the parts of the model that they are about. */
import type { Problem, Severity } from '../../engine/common/problem.js';
import type { SourcePosition, SourceRange } from '../../engine/common/source-range.js';

/** Why something is not carried over, or what is to be known of it. */
export type MurphiCode =
    'murphi/syntax' | 'murphi/unresolved' | 'murphi/type' | 'murphi/not-carried-over' | 'murphi/dropped';

/** A place of the text, as nodes of the tree have it. */
interface Placed {
    readonly $cstNode?: { readonly offset: number; readonly end: number } | undefined;
}

interface Comment {
    readonly start: number;
    readonly end: number;
    readonly lines: readonly string[];
}

/** In no text that is read. */
export const MARK = '\0';

/** Strings are found so that what they hold is no comment. */
const COMMENTS = /["“](?:\\.|[^"”\\])*["”]|--[^\n\r]*|\/\*[^]*?\*\//g;

/** What may stand between a comment and the part of the model that it is about. */
const BETWEEN = /^(?:\s|;|\b(?:const|type|var|begin)\b)*$/i;

export class SourceText {
    private readonly text: string;
    private readonly uri: string;
    private readonly lineStarts: readonly number[];
    private comments: readonly Comment[];

    constructor(text: string, uri: string) {
        this.text = text;
        this.uri = uri;
        this.lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
        this.comments = [...text.matchAll(COMMENTS)]
            .filter(([found]) => /^(?:--|\/\*)/.test(found))
            .map(({ 0: found, index }) => ({ start: index, end: index + found.length, lines: linesOf(found) }));
    }

    /** The comments directly before a node; each comment is given once. */
    commentsBefore(node: Placed): readonly string[] {
        const end = node.$cstNode?.offset ?? 0;
        let start = end;
        for (const comment of [...this.comments].reverse()) {
            if (comment.end <= start && BETWEEN.test(this.text.slice(comment.end, start))) {
                start = comment.start;
            }
        }
        return this.takeComments(start, end);
    }

    /** The comments in a node that no part of it has taken, and behind it in its last line. */
    commentsIn(node: Placed): readonly string[] {
        const { offset, end } = node.$cstNode ?? { offset: 0, end: 0 };
        const lineEnd = this.text.indexOf('\n', end);
        const rest = this.text.slice(end, lineEnd === -1 ? undefined : lineEnd);
        // Only a semicolon or a comma stands between.
        const behind = /^[\s;,]*(?=--|\/\*)/.exec(rest);
        return this.takeComments(offset, behind === null ? end : end + behind[0].length + 1);
    }

    private takeComments(start: number, end: number): readonly string[] {
        const isTaken = (comment: Comment): boolean => comment.start >= start && comment.start < end;
        const taken = this.comments.filter(isTaken);
        this.comments = this.comments.filter(comment => !isTaken(comment));
        return taken.flatMap(({ lines }) => lines);
    }

    /** Stands in front of a part of the written text that a node has become. */
    mark({ $cstNode }: Placed): string {
        return `${MARK}${$cstNode?.offset ?? 0} ${$cstNode?.end ?? 0}${MARK}`;
    }

    /** A text without its marks, and the places that these have. */
    withoutMarks(marked: string): { readonly text: string; readonly placeOf: (offset: number) => SourceRange } {
        const places: { readonly start: number; readonly range: SourceRange }[] = [];
        let text = '';
        for (const [index, part] of marked.split(MARK).entries()) {
            if (index % 2 === 0) {
                text += part;
            } else {
                const [start = 0, end = 0] = part.split(' ').map(Number);
                places.push({ start: text.length, range: this.rangeOf(start, end) });
            }
        }
        const whole = this.rangeOf(0, 0);
        return { text, placeOf: offset => places.filter(({ start }) => start <= offset).at(-1)?.range ?? whole };
    }

    textOf(node: Placed): string {
        return this.text.slice(node.$cstNode?.offset ?? 0, node.$cstNode?.end ?? 0);
    }

    problemAt(node: Placed, code: MurphiCode, message: string, severity: Severity = 'error'): Problem {
        return this.problem(node.$cstNode?.offset ?? 0, node.$cstNode?.end ?? 0, code, message, severity);
    }

    problem(start: number, end: number, code: MurphiCode, message: string, severity: Severity = 'error'): Problem {
        return { severity, code, message, range: this.rangeOf(start, end) };
    }

    private rangeOf(start: number, end: number): SourceRange {
        return { uri: this.uri, start: this.positionOf(start), end: this.positionOf(end) };
    }

    private positionOf(offset: number): SourcePosition {
        const line = this.lineStarts.filter(start => start <= offset).length - 1;
        return { line, character: offset - (this.lineStarts[line] ?? 0) };
    }
}

/** The lines of a comment without what marks it as one. */
function linesOf(comment: string): readonly string[] {
    const lines = comment.startsWith('--')
        ? [comment.replace(/^--+/, '')]
        : comment
              .slice(2, -2)
              .split(/\r?\n/)
              .map(line => line.replace(/^\s*\*+(?!\S)/, ''));
    return lines
        .map(line => line.trim())
        .join('\n')
        .replaceAll(/^\n+|\n+$/g, '')
        .split('\n');
}
