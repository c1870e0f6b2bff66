/** The files that a mapping names as logs of its model. The caller lists folders, whatever file system they are in. */

/** What is in a folder; nothing if there is no such folder. */
export type ListFolder = (
    path: readonly string[],
) => Promise<readonly { readonly name: string; readonly isFile: boolean }[]>;

/** Folders below each other that `**` goes through. */
const MOST_DEPTH = 8;

/**
 * The files that the patterns match, each once and in order of their paths, which are lists of names from the folder of the
 * mapping on. `*` and `?` stand for characters of a name, `**` for any folders; `..` leads up.
 */
export async function findLogs(patterns: readonly string[], list: ListFolder): Promise<readonly (readonly string[])[]> {
    const found = new Map<string, readonly string[]>();
    for (const pattern of patterns) {
        const names = pattern.split('/').filter(name => name !== '' && name !== '.');
        for (const path of await matching([], names, list)) {
            found.set(path.join('/'), path);
        }
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, path]) => path);
}

async function matching(
    folder: readonly string[],
    [name, ...others]: readonly string[],
    list: ListFolder,
): Promise<readonly (readonly string[])[]> {
    if (name === undefined) {
        return [];
    }
    if (name === '..') {
        return matching([...folder, name], others, list);
    }
    const entries = await list(folder);
    if (name === '**') {
        const deeper =
            folder.length < MOST_DEPTH ? entries.filter(entry => !entry.isFile && isSearched(entry.name)) : [];
        const below = deeper.map(entry => matching([...folder, entry.name], ['**', ...others], list));
        return (await Promise.all([matching(folder, others, list), ...below])).flat();
    }
    const isLast = others.length === 0;
    const fitting = entries.filter(entry => entry.isFile === isLast && fits(entry.name, name));
    return isLast
        ? fitting.map(entry => [...folder, entry.name])
        : (await Promise.all(fitting.map(entry => matching([...folder, entry.name], others, list)))).flat();
}

function isSearched(folder: string): boolean {
    return !folder.startsWith('.') && folder !== 'node_modules';
}

/** Whether a name is as the pattern says. O(name · pattern): a later `*` never asks for another choice of an earlier one. */
function fits(name: string, pattern: string): boolean {
    let [at, inPattern, star, afterStar] = [0, 0, -1, 0];
    while (at < name.length) {
        if (pattern[inPattern] === '*') {
            star = inPattern++;
            afterStar = at;
        } else if (pattern[inPattern] === '?' || pattern[inPattern] === name[at]) {
            at++;
            inPattern++;
        } else if (star >= 0) {
            inPattern = star + 1;
            at = ++afterStar;
        } else {
            return false;
        }
    }
    return /^\**$/.test(pattern.slice(inPattern));
}
