/** The files that a mapping names as logs of its model. The caller lists folders, whatever file system they are in. */

/** What a folder has. */
export interface FolderEntry {
    readonly name: string;
    readonly isFile: boolean;
    /** A symbolic link, to a file or a folder. */
    readonly isLink: boolean;
}

/** What is in a folder; nothing if there is no such folder. */
export type ListFolder = (path: readonly string[]) => Promise<readonly FolderEntry[]>;

/** Folders that are listed for one mapping. */
const MOST_FOLDERS = 1_000;

/** The patterns of a mapping lead through more than 1,000 folders. */
export class TooManyFolders extends Error {
    override readonly name = 'TooManyFolders';

    constructor() {
        const most = MOST_FOLDERS.toLocaleString('en-US');
        super(`'logs' leads through more than ${most} folders: name one before '**'`);
    }
}

/**
 * The files that the patterns match, each once and in order of their paths, which are lists of names from the folder of the
 * mapping on. `*` and `?` stand for characters of a name, `**` for any folders that are no links; `..` leads up. Throws
 * TooManyFolders, and what `list` throws.
 */
export async function findLogs(patterns: readonly string[], list: ListFolder): Promise<readonly (readonly string[])[]> {
    const found = new Map<string, readonly string[]>();
    const listed = new Map<string, readonly FolderEntry[]>();
    const listOnce: ListFolder = async path => {
        const known = listed.get(path.join('/'));
        if (known === undefined && listed.size === MOST_FOLDERS) {
            throw new TooManyFolders();
        }
        const entries = known ?? (await list(path));
        listed.set(path.join('/'), entries);
        return entries;
    };
    for (const pattern of patterns) {
        const names = pattern.split('/').filter(name => name !== '' && name !== '.');
        for (const path of await matching([], names, listOnce)) {
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
        const deeper = entries.filter(isSearched);
        return [
            ...(await matching(folder, others, list)),
            ...(await matchingBelow(folder, deeper, ['**', ...others], list)),
        ];
    }
    const isLast = others.length === 0;
    const fitting = entries.filter(entry => entry.isFile === isLast && fits(entry.name, name));
    return isLast ? fitting.map(entry => [...folder, entry.name]) : matchingBelow(folder, fitting, others, list);
}

/** One folder after the other. */
async function matchingBelow(
    folder: readonly string[],
    entries: readonly FolderEntry[],
    names: readonly string[],
    list: ListFolder,
): Promise<readonly (readonly string[])[]> {
    const found: (readonly string[])[] = [];
    for (const { name } of entries) {
        found.push(...(await matching([...folder, name], names, list)));
    }
    return found;
}

/** Whether `**` goes through it. A link may lead back, or out of the workspace. */
function isSearched({ name, isFile, isLink }: FolderEntry): boolean {
    return !isFile && !isLink && !name.startsWith('.') && name !== 'node_modules';
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
