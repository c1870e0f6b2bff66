/** Problems of a model or of a call, each with its line of the text. */
import { formatCount } from '../../engine/describe/words.js';
import type { DocumentLocation, DocumentProblem } from '../../language-server/document-schema.js';
import { formatLocation, type TextStyle } from './layout.js';

/** The text of a document by its name in problems; undefined if there is none. */
export type TextOf = (file: string) => string | undefined;

/** More problems than this are counted, not printed. */
const MOST_PROBLEMS_PRINTED = 20;

export function formatProblems(problems: readonly DocumentProblem[], textOf: TextOf, style: TextStyle): string {
    const linesOfFile = new Map<string, readonly string[]>();
    const linesOf = (file: string): readonly string[] => {
        let lines = linesOfFile.get(file);
        if (lines === undefined) {
            lines = (textOf(file) ?? '').split(/\r\n|\n|\r/);
            linesOfFile.set(file, lines);
        }
        return lines;
    };
    const printed = problems.slice(0, MOST_PROBLEMS_PRINTED);
    const left = problems.length - printed.length;
    return (
        printed.map(problem => formatProblem(problem, linesOf(problem.file), style)).join('') +
        (left > 0 ? `${style.colors.dim(`… and ${formatCount(left)} more`)}\n` : '')
    );
}

function formatProblem(problem: DocumentProblem, lines: readonly string[], style: TextStyle): string {
    const { colors } = style;
    // A problem with the call has no place; its message names the file.
    const place = problem.code.startsWith('call/') ? 'orbit' : formatLocation(problem);
    const paint = { error: colors.red, warning: colors.yellow, information: colors.blue }[problem.severity];
    const head =
        `${colors.bold(place)}: ${paint(colors.bold(problem.severity))}: ${problem.message} ` +
        `${colors.dim(`[${problem.code}]`)}\n`;
    const related = (problem.related ?? []).map(other => `  ${colors.bold(formatLocation(other))}: ${other.message}\n`);
    return head + formatExcerpt(problem, lines, paint, style) + related.join('');
}

/** The first line of a range, with carets under the range. */
function formatExcerpt(
    range: DocumentLocation,
    lines: readonly string[],
    paint: (text: string) => string,
    style: TextStyle,
): string {
    const line = lines[range.line - 1];
    if (line === undefined || line.trim() === '') {
        return '';
    }
    const gutter = ' '.repeat(String(range.line).length);
    const start = Math.min(range.column - 1, line.length);
    const end = range.endLine === range.line ? Math.min(range.endColumn - 1, line.length) : line.trimEnd().length;
    // Of a long line a window is shown that begins a little before the range.
    const width = Math.max(20, style.columns - gutter.length - 6);
    const from = line.length <= width ? 0 : Math.max(0, Math.min(start - 10, line.length - width));
    const shown = line.slice(from, from + width);
    const caretCount = Math.max(1, Math.min(end, from + width) - start);
    return (
        `  ${style.colors.dim(`${range.line} |`)} ${shown}\n` +
        `  ${style.colors.dim(`${gutter} |`)} ${' '.repeat(start - from)}${paint('^'.repeat(caretCount))}\n`
    );
}
