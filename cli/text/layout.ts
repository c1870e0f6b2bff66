/**
 * Layout of results. Every function in this folder returns a text that ends in a newline, or lines without one; none
 * prints. Colors are an argument, so that tests see the same text without them.
 */
import { formatCount } from '../../engine/describe/words.js';
import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { DocumentLocation } from '../../language-server/document-schema.js';

export interface TextStyle {
    readonly colors: Colors;
    /** Characters in a line, as far as the terminal tells. */
    readonly columns: number;
}

/** For files. */
export const PLAIN: TextStyle = { colors: pc.createColors(false), columns: 120 };

/** A blank line, the title, its lines, and the number of lines left out; nothing if there are no lines. */
export function section(title: string, lines: readonly string[], left: number, style: TextStyle): string[] {
    if (lines.length === 0) {
        return [];
    }
    return [
        '',
        style.colors.bold(title),
        ...lines.map(line => `  ${line}`),
        ...(left > 0 ? [style.colors.dim(`  … and ${formatCount(left)} more (--json lists all)`)] : []),
    ];
}

/** The first column padded to one width. */
export function formatTable(rows: readonly (readonly [string, string])[]): string[] {
    const width = Math.max(0, ...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** All columns but the last padded to one width each. */
export function formatColumns(rows: readonly (readonly string[])[]): string[] {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
    return rows.map(row =>
        row
            .map((text, column) => text.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
    );
}

/** Characters of a long text, for example of a permutation in cycles, that are printed. */
const LONGEST_PRINTED = 300;

export function abbreviate(text: string): string {
    return text.length <= LONGEST_PRINTED ? text : `${text.slice(0, LONGEST_PRINTED)}…`;
}

/** `ring.orbit:3:14` */
export function formatLocation(location: DocumentLocation): string {
    return `${location.file}:${location.line}:${location.column}`;
}
