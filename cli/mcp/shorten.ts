/** Documents of the command line in a size that a reader of few words takes: what was left out is said. */
import { isRecord } from '../../engine/common/record.js';

/** Characters of one answer. */
export const MOST_CHARACTERS = 24_000;

/** How many entries of a list are kept, from much to little. */
const STEPS = [1000, 300, 100, 40, 16, 8, 4, 2, 1];

/** The JSON of a document with at most MOST_CHARACTERS. Lists lose what is in their middle, texts their ends. */
export function shortened(document: unknown, mostCharacters = MOST_CHARACTERS): string {
    const compact = withChangesOnly(document);
    let text = JSON.stringify(compact);
    for (const most of STEPS) {
        if (text.length <= mostCharacters) {
            return text;
        }
        const leftOut: string[] = [];
        const cut = cutTo(most, compact, '', leftOut);
        text = JSON.stringify(isRecord(cut) ? { ...cut, leftOut } : cut);
        if (text.length > mostCharacters && leftOut.length > most) {
            const more = `and in ${leftOut.length - most} more places`;
            text = JSON.stringify(isRecord(cut) ? { ...cut, leftOut: [...leftOut.slice(0, most), more] } : cut);
        }
    }
    return text.length <= mostCharacters
        ? text
        : JSON.stringify({
              leftOut: ['everything: the answer is too long'],
              beginning: text.slice(0, mostCharacters / 4),
          });
}

/** A trace repeats each state as a whole; the first state and the changes say the same. */
function withChangesOnly(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(withChangesOnly);
    }
    if (!isRecord(value)) {
        return value;
    }
    const { step, state, changed, ...others } = value;
    if (isRecord(step) && isRecord(state) && Array.isArray(changed)) {
        const changes = changed.map(name => [String(name), state[String(name)] ?? null]);
        return { step, changes: Object.fromEntries(changes) as unknown, ...others };
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withChangesOnly(part)]));
}

function cutTo(most: number, value: unknown, path: string, leftOut: string[]): unknown {
    if (typeof value === 'string') {
        const mostLetters = Math.max(200, 20 * most);
        if (value.length <= mostLetters) {
            return value;
        }
        leftOut.push(`${path}: ${value.length - mostLetters} characters`);
        return `${value.slice(0, mostLetters)}…`;
    }
    if (Array.isArray(value)) {
        const list: readonly unknown[] = value;
        const isCut = list.length > most;
        if (isCut) {
            leftOut.push(`${path}: ${list.length - most} of ${list.length}`);
        }
        // The end of a run matters as much as its beginning.
        const [front, back] = [Math.ceil(most / 2), Math.floor(most / 2)];
        return [...list.entries()]
            .filter(([index]) => !isCut || index < front || index >= list.length - back)
            .map(([index, part]) => cutTo(most, part, `${path}[${index}]`, leftOut));
    }
    if (!isRecord(value)) {
        return value;
    }
    const fields = Object.entries(value);
    // The document itself keeps all its fields.
    const kept = path === '' || fields.length <= 4 * most + 8 ? fields : fields.slice(0, 4 * most + 8);
    if (kept.length < fields.length) {
        leftOut.push(`${path}: ${fields.length - kept.length} of ${fields.length} fields`);
    }
    return Object.fromEntries(
        kept.map(([name, part]) => [name, cutTo(most, part, path === '' ? name : `${path}.${name}`, leftOut)]),
    );
}
