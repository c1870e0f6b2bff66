/** Texts of places: `node[n1, 2].term` is a name and a path. */
import { splitAtCommas } from '../sequential/split-values.js';
import type { PathIndex, PathPart } from './observation.js';

/** Undefined if the text is no place. */
export function partsOfPlace(
    text: string,
    indexOf: (text: string) => PathIndex,
): { readonly name: string; readonly path: readonly PathPart[] } | undefined {
    const [whole, name] = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(text) ?? [];
    if (whole === undefined || name === undefined) {
        return undefined;
    }
    const path: PathPart[] = [];
    let rest = text.slice(whole.length);
    while (rest.trim() !== '') {
        const [part, inner, field] = /^\s*(?:\[([^[\]]*)\]|\.([\p{L}_][\p{L}\p{N}_]*))/u.exec(rest) ?? [];
        if (part === undefined) {
            return undefined;
        }
        if (field === undefined) {
            path.push(
                ...splitAtCommas(inner ?? '').map((index): PathPart => ({
                    kind: 'index',
                    index: indexOf(index.trim()),
                })),
            );
        } else {
            path.push({ kind: 'field', name: field });
        }
        rest = rest.slice(part.length);
    }
    return { name, path };
}
