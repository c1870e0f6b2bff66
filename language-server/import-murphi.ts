/** The import of a model of Murphi as people see it: laid out. */
import { invariant } from '../engine/common/assert.js';
import { importMurphi, type MurphiImport } from '../import/murphi/import-murphi.js';
import { formatText } from './formatting/format-text.js';

/** A name for the formatter: the text is in no file yet. */
const IMPORTED = 'memory:/import.orbit';

/** As importMurphi. */
export function importFormatted(source: string, uri: string, name: string): MurphiImport {
    const { text, problems } = importMurphi(source, uri, name);
    if (text === undefined) {
        return { problems };
    }
    const formatted = formatText(text, IMPORTED);
    invariant(formatted.text !== undefined, 'an imported text can be parsed');
    return { text: formatted.text, problems };
}
