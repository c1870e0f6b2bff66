/**
 * What a terminal obeys: the colors of this program, and nothing that a name of a file, an argument or a model brings
 * along. Until it is written, an own sequence has half a character in the place of its beginning, which no text that
 * was decoded has; whatever else would control the terminal becomes visible.
 */
import pc from 'picocolors';
import type { Colors, Formatter } from 'picocolors/types.js';
import type { TextSink } from './io.js';

const MARK = '\udbff';
const BEGINNING = '\u001b[';

/** Back to the beginning of an empty line. */
export const ERASE_LINE = `${MARK}1G${MARK}K`;

/** The colors of text that goes to a sink. */
export function colorsOf(isColored: boolean): Colors {
    const plain = pc.createColors(isColored);
    const marked =
        (paint: Formatter): Formatter =>
        text =>
            paint(toTerminal(String(text))).replaceAll(BEGINNING, MARK);
    const { isColorSupported, ...paints } = plain;
    const entries = Object.entries(paints).map(([name, paint]) => [name, marked(paint)] as const);
    return isColorSupported ? { ...plain, ...Object.fromEntries(entries) } : plain;
}

/** The one place where text for a reader is made safe: without characters that control a terminal, and a tab is a blank. */
function toTerminal(text: string): string {
    return (
        text
            .replaceAll('\t', ' ')
            // oxlint-disable-next-line no-control-regex
            .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
            .replaceAll(/\udbff(?=\d+[mG]|K)/g, BEGINNING)
    );
}

/** The two ways to a stream. */
export function writersTo(writeData: (text: string) => void): Pick<TextSink, 'write' | 'writeData'> {
    return {
        write: text => {
            writeData(toTerminal(text));
        },
        writeData,
    };
}
