/** Faults in the user's model. A stage returns them beside its result, { result, problems }; it never throws them. */
import type { SourceRange } from './source-range.js';

/** `error`: there is no result; `warning`: probably a mistake; `information`: worth knowing. */
export type Severity = 'error' | 'warning' | 'information';

/** A second place of a problem, and its relation to it. */
export interface RelatedLocation {
    readonly message: string;
    readonly range: SourceRange;
}

/** Edits of the text that mend a problem, and what they do: ``Replace by `level` ``. */
export interface Fix {
    readonly title: string;
    readonly edits: readonly { readonly range: SourceRange; readonly newText: string }[];
    /** One of several ways, so that an editor does not take it without asking. */
    readonly isGuess?: true;
}

/** `code` is a path such as `type/out-of-range`: it has one fixture and one paragraph in the manual. */
export interface Problem {
    readonly severity: Severity;
    readonly code: string;
    readonly message: string;
    readonly range: SourceRange;
    readonly related?: readonly RelatedLocation[];
    /** The edit that the message proposes. */
    readonly fix?: Fix;
}
