/** Formatting of a text outside of the editor: for the command line and the tests. */
import { URI, type LangiumCoreServices } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import { invariant } from '../../engine/common/assert.js';
import { createOrbitCoreServices } from '../module.js';
import { decodeUtf8 } from '../parsing/utf-8.js';
import { syntaxProblems } from '../validation/syntax.js';
import { format } from './format.js';

/** The formatted text, or the errors because of which it cannot be formatted. */
export type FormatResult =
    { readonly text: string } | { readonly text: undefined; readonly problems: readonly Problem[] };

/** Formats the text of a file. Never throws because of the text. */
export function formatText(content: string | Uint8Array, uri: string): FormatResult {
    const decoded = typeof content === 'string' ? { text: content } : decodeUtf8(content, uri);
    if (decoded.text === undefined) {
        return { text: undefined, problems: [decoded.problem] };
    }
    const { workspace } = coreServices().shared;
    const document = workspace.LangiumDocumentFactory.fromString(decoded.text, URI.parse(uri));
    const formatted = format(document);
    if (formatted !== undefined) {
        return { text: formatted.text };
    }
    const problems = syntaxProblems(document);
    invariant(problems.length > 0, 'a text that cannot be formatted has syntax errors');
    return { text: undefined, problems };
}

let services: LangiumCoreServices | undefined;

function coreServices(): LangiumCoreServices {
    services ??= createOrbitCoreServices().Orbit;
    return services;
}
