/** A model's text as the caller named it: read from a file or from standard input, with the URI the front end wants. */
import { fileError } from './call-error.js';
import type { CommandIo } from './io.js';

/** The text of a model, and what it is called. */
export interface ModelSource {
    /** As typed, `-` for standard input; every message names the file so. */
    readonly file: string;
    readonly uri: string;
    /** Undecoded: whether they are UTF-8 is for the front end to say. */
    readonly bytes: Uint8Array;
}

/** Reads a model. Throws a CallError that says what is wrong with the file. */
export async function readModelSource(file: string, io: CommandIo): Promise<ModelSource> {
    if (file === '-') {
        // What it imports is looked for in the current folder.
        const uri = toFileUri(io.absolutePath('standard-input.orbit'));
        return { file, uri, bytes: await io.readStandardInput() };
    }
    try {
        // A model may have any name; to the front end it is one by its ending.
        const path = io.absolutePath(file);
        const uri = toFileUri(path.endsWith('.orbit') ? path : `${path}.orbit`);
        return { file, uri, bytes: await io.readFile(file) };
    } catch (error) {
        throw fileError('read', file, describeFileError(error));
    }
}

/** A file that the model `root` imports, or why it cannot be read. */
export async function readImportedSource(uri: string, root: ModelSource, io: CommandIo): Promise<ModelSource | string> {
    const file = pathBeside(root, uri);
    try {
        return { file, uri, bytes: await io.readFile(file) };
    } catch (error) {
        return describeFileError(error);
    }
}

/** The path of `uri` as the reader knows it: relative where that of the root is. */
function pathBeside(root: ModelSource, uri: string): string {
    const from = foldersOf(root.uri);
    const to = foldersOf(uri);
    let common = 0;
    while (common < from.length && from[common] === to[common]) {
        common++;
    }
    const folder = root.file === '-' ? [] : root.file.replaceAll('\\', '/').split('/').slice(0, -1);
    // A folder that is typed as such can be left by leaving its name away.
    for (let up = from.length - common; up > 0; up--) {
        const last = folder.at(-1);
        if (last === undefined || last === '..' || last === '.') {
            folder.push('..');
        } else {
            folder.pop();
        }
    }
    return [...folder, ...to.slice(common), decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))].join('/');
}

/** The folders on the way to a file, without the file. Windows does not tell the cases of a drive letter apart. */
function foldersOf(uri: string): string[] {
    return uri
        .replace(/^file:\/\/\/?/, '')
        .split('/')
        .slice(0, -1)
        .map(part => decodeURIComponent(part))
        .map(part => (/^[A-Za-z]:$/.test(part) ? part.toLowerCase() : part));
}

/** What a failed file operation means, in the reader's words. Errors that are not about files pass through. */
export function describeFileError(error: unknown): string {
    if (error instanceof FileTooLarge) {
        return error.message;
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    switch (code) {
        case 'ENOENT':
            return 'there is no such file';
        case 'EISDIR':
            return 'it is a folder';
        case 'ENOTDIR':
            return 'a part of the path is not a folder';
        case 'EACCES':
        case 'EPERM':
            return 'permission denied';
        case 'ENAMETOOLONG':
            return 'the path is too long';
        case 'ELOOP':
            return 'its links go round in a circle';
        case 'EROFS':
            return 'the file system is read-only';
        case 'ENOSPC':
            return 'the disk is full';
        default:
            if (typeof code === 'string') {
                return `the system says ${code}`;
            }
            throw error;
    }
}

/** The same of a file that is written: it need not be there, but its folder must. */
export function describeWriteError(error: unknown): string {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? 'there is no such folder' : describeFileError(error);
}

/** The input has more bytes than any model; it may have no end. */
export class FileTooLarge extends Error {
    override readonly name = 'FileTooLarge';

    constructor(limitBytes: number) {
        super(`it has more than ${limitBytes / 2 ** 20} MB, which no model has`);
    }
}

/** `file:///a/b%20c.orbit`, also for the paths of Windows. */
export function toFileUri(absolutePath: string): string {
    const path = absolutePath.replaceAll('\\', '/');
    const encoded = path
        .split('/')
        .map(part => (/^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)))
        .join('/');
    return `file://${encoded.startsWith('/') ? '' : '/'}${encoded}`;
}

/** The text for excerpts. Bytes that are no UTF-8 show as replacement characters; a byte order mark is left out. */
export function decodeForExcerpts(source: ModelSource): string {
    return new TextDecoder('utf-8').decode(source.bytes);
}
