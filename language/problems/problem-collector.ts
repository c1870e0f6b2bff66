/** Collects the problems that the checks of a document and its imports find. */
import type { Fix, Problem, RelatedLocation, Severity } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { ProblemCode } from './codes.js';
import { formatCount } from './describe.js';
import { fixOf, type Advice } from './remedy.js';

/** The problem to report in the place of another one. */
export interface Replacement {
    readonly code: ProblemCode;
    readonly message: string;
    readonly range: SourceRange;
}

type Found = [
    code: ProblemCode,
    message: string,
    range: SourceRange,
    related?: readonly RelatedLocation[],
    fix?: Fix | undefined,
];

export class ProblemCollector {
    private readonly found: Problem[] = [];
    private readonly keys = new Set<string>();
    private unreachableDepth = 0;
    private replacement: ((code: ProblemCode, message: string) => Replacement) | undefined;

    error(...found: Found): void {
        this.add('error', ...found);
    }

    /** Reports what `advice` says of a place. */
    advise(
        code: ProblemCode,
        { text, remedy }: Advice,
        range: SourceRange,
        related?: readonly RelatedLocation[],
    ): void {
        this.error(code, text, range, related, remedy && fixOf(remedy, range));
    }

    warning(...found: Found): void {
        this.add('warning', ...found);
    }

    information(...found: Found): void {
        this.add('information', ...found);
    }

    /** Adds problems that were found elsewhere. */
    addAll(problems: readonly Problem[]): void {
        this.found.push(...problems);
    }

    /** Reports a size beyond a limit; `what` begins the message. */
    tooLarge(what: string, limit: number, range: SourceRange): void {
        this.error('type/too-large', `${what}; at most ${formatCount(limit)} are possible`, range);
    }

    /** Reports an error that arises only when a run reaches the place: not in a branch that is never taken. */
    faultWhenReached(code: ProblemCode, message: string, range: SourceRange, fix?: Fix): void {
        if (this.unreachableDepth === 0) {
            this.error(code, message, range, [], fix);
        }
    }

    /** Runs `check` on a text that no run reaches with the present values of the parameters. */
    whileUnreachable<Result>(isUnreachable: boolean, check: () => Result): Result {
        if (!isUnreachable) {
            return check();
        }
        this.unreachableDepth++;
        try {
            return check();
        } finally {
            this.unreachableDepth--;
        }
    }

    /** Runs `check` on a text outside of the document, and replaces the problems that it reports. */
    elsewhere<Result>(replacement: (code: ProblemCode, message: string) => Replacement, check: () => Result): Result {
        const outer = this.replacement;
        this.replacement = replacement;
        try {
            return check();
        } finally {
            this.replacement = outer;
        }
    }

    hasErrors(): boolean {
        return this.found.some(problem => problem.severity === 'error');
    }

    /** The errors so far, in the order in which they were found. */
    errors(): readonly Problem[] {
        return this.found.filter(problem => problem.severity === 'error');
    }

    /** File by file, in the order of the text; at one place errors first. */
    sorted(): Problem[] {
        return sortProblems(this.found);
    }

    private add(severity: Severity, ...[originalCode, originalMessage, originalRange, related = [], fix]: Found): void {
        const replacement = this.replacement?.(originalCode, originalMessage);
        const original = { code: originalCode, message: originalMessage, range: originalRange };
        const { code, message, range } = replacement ?? original;
        // A type may be checked once for each of its uses.
        const key = JSON.stringify([code, message, range]);
        if (!this.keys.has(key)) {
            this.keys.add(key);
            this.found.push({
                severity,
                code,
                message,
                range,
                ...(related.length > 0 && { related }),
                ...(fix !== undefined && replacement === undefined && { fix }),
            });
        }
    }
}

const SEVERITY_ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2 };

/** The files in the order in which they occur; each in the order of its text, at one place errors first. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
    const files = [...new Set(problems.map(problem => problem.range.uri))];
    return [...problems].sort(
        (first, second) =>
            files.indexOf(first.range.uri) - files.indexOf(second.range.uri) ||
            first.range.start.line - second.range.start.line ||
            first.range.start.character - second.range.start.character ||
            SEVERITY_ORDER[first.severity] - SEVERITY_ORDER[second.severity] ||
            first.range.end.line - second.range.end.line ||
            first.range.end.character - second.range.end.character ||
            (first.code < second.code ? -1 : first.code > second.code ? 1 : 0),
    );
}
