/** The import of a model of Murphi as people see it: checked, with errors at the places of the source, and laid out. */
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import { importMurphi } from '../import/murphi/import-murphi.js';
import { formatText } from './formatting/format-text.js';
import { loadModel } from './load-model.js';

export interface FormattedImport {
    /** Undefined if the source has errors. */
    readonly text?: string;
    readonly problems: readonly Problem[];
}

/** A name for the text: it is in no file yet. */
const IMPORTED = 'memory:/import.orbit';

/** As importMurphi. Never throws because of the text. */
export async function importFormatted(source: string, uri: string, name: string): Promise<FormattedImport> {
    const { written, problems } = importMurphi(source, uri, name);
    if (written === undefined) {
        return { problems };
    }
    const { text, placeOf } = written;
    const checked = await loadModel(text, IMPORTED);
    const errors = checked.problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
        const lines = text.split('\n');
        const offsetOf = ({ line, character }: Problem['range']['start']): number =>
            lines.slice(0, line).join('\n').length + 1 + character;
        const wrong = errors.map(({ message, range }): Problem => ({
            severity: 'error',
            code: 'murphi/type',
            message,
            range: placeOf(offsetOf(range.start)),
        }));
        return { problems: [...problems, ...wrong] };
    }
    const formatted = formatText(text, IMPORTED);
    invariant(formatted.text !== undefined, 'a text without errors can be laid out');
    return { text: formatted.text, problems };
}
