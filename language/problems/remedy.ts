/** What a message says to write: made where the message is made, and a fix where the range of the message is known. */
import type { Fix } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';

/** New text in place of what the message is about, or before it; `close` inserts a brace that is missing. */
export interface Remedy {
    readonly kind: 'replace' | 'insert' | 'close';
    readonly text: string;
}

/** A sentence, and what it says to write. */
export interface Advice {
    readonly text: string;
    readonly remedy?: Remedy;
}

export function asAdvice(said: string | Advice): Advice {
    return typeof said === 'string' ? { text: said } : said;
}

/** A sentence that says to write `by` in place of what it is about. */
export function instead(text: string, by: string): Advice {
    return { text, remedy: { kind: 'replace', text: by } };
}

/** The sentence `“and” is written …`, with the word of this language. */
export function written(what: string, by: string): Advice {
    return instead(`${what} is written \`${by}\``, by);
}

export function fixOf({ kind, text }: Remedy, range: SourceRange): Fix {
    if (kind === 'replace') {
        const title = text === '' ? 'Delete this' : `Replace by \`${text}\``;
        return { title, edits: [{ range, newText: text }] };
    }
    return { title: `Insert \`${text.trim()}\``, edits: [{ range: { ...range, end: range.start }, newText: text }] };
}
