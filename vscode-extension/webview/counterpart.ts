/** A state and what a symmetry makes of it, by the moves of a generator: `flag[1]=0 -> flag[0]=0`. */
import { formatPlainValue } from '../../engine/describe/words.js';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';

export interface CounterpartRow {
    readonly name: string;
    /** The values before and after; absent where the cell has none. */
    readonly before: string | undefined;
    readonly after: string | undefined;
}

/** The cells that differ, in the order of the state. */
export function counterpartOf(state: TraceEntryDocument['state'], moves: readonly string[]): readonly CounterpartRow[] {
    const images = new Map(moves.map(move => move.split(' -> ') as [string, string]));
    const before = new Map(Object.entries(state).map(([name, value]) => [name, formatPlainValue(value, '')]));
    const after = new Map(
        [...before].map(([name, value]) => {
            const [image = name, of = value] = splitLiteral(images.get(`${name}=${value}`));
            return [image, of];
        }),
    );
    return [...new Set([...before.keys(), ...after.keys()])]
        .map(name => ({ name, before: before.get(name), after: after.get(name) }))
        .filter(row => row.before !== row.after);
}

function splitLiteral(literal: string | undefined): readonly string[] {
    const at = literal?.lastIndexOf('=') ?? -1;
    return literal === undefined || at < 0 ? [] : [literal.slice(0, at), literal.slice(at + 1)];
}
