/** The text of a model from a file or from standard input, with a URI for the front end. */
import { UnfitFile } from '../language-server/disk-files.js';
import { CallError, fileError } from './call-error.js';
import type { CommandIo } from './io.js';

/** The text of a model, and what it is called. */
export interface ModelSource {
    /** As typed, `-` for standard input; every message names the file so. */
    readonly file: string;
    readonly uri: string;
    /** Not decoded: the front end checks that they are UTF-8. */
    readonly bytes: Uint8Array;
}

/** Reads a model. Throws a CallError that says what is wrong with the file. */
export async function readModelSource(file: string, io: CommandIo): Promise<ModelSource> {
    if (file === '-') {
        // Imports are relative to the current folder.
        const uri = toFileUri(io.absolutePath('standard-input.orbit'));
        return { file, uri, bytes: await readStandardInput(io) };
    }
    try {
        // A model may have any name, but the front end recognizes one by its ending.
        const path = io.absolutePath(file);
        const uri = toFileUri(path.endsWith('.orbit') ? path : `${path}.orbit`);
        return { file, uri, bytes: await io.readFile(file) };
    } catch (error) {
        throw fileError('read', file, describeFileError(error));
    }
}

/** Throws a CallError. */
async function readStandardInput(io: CommandIo): Promise<Uint8Array> {
    try {
        return await io.readStandardInput();
    } catch (error) {
        throw new CallError('call/file', `cannot read standard input: ${describeFileError(error)}`, '-');
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

/** The path of `uri` for the reader: relative if that of the root is. */
function pathBeside(root: ModelSource, uri: string): string {
    const from = foldersOf(root.uri);
    const to = foldersOf(uri);
    let common = 0;
    while (common < from.length && from[common] === to[common]) {
        common++;
    }
    const folder = root.file === '-' ? [] : root.file.replaceAll('\\', '/').split('/').slice(0, -1);
    // A named folder is left by dropping its name.
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

/** The folders of a path. On Windows the case of a drive letter does not matter. */
function foldersOf(uri: string): string[] {
    return uri
        .replace(/^file:\/\/\/?/, '')
        .split('/')
        .slice(0, -1)
        .map(part => decodeURIComponent(part))
        .map(part => (/^[A-Za-z]:$/.test(part) ? part.toLowerCase() : part));
}

/** A failed file operation in words. Other errors are thrown again. */
export function describeFileError(error: unknown): string {
    if (error instanceof UnfitFile) {
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
        case 'EPIPE':
            return 'nobody reads any more';
        case 'ENOSPC':
            return 'the disk is full';
        default:
            if (typeof code === 'string') {
                return `the system says ${code}`;
            }
            throw error;
    }
}

/** The same for writing: the file need not exist, but its folder must. */
export function describeWriteError(error: unknown): string {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        return describeFileError(error);
    }
    const isOpened = !('syscall' in error) || error.syscall === 'open';
    return isOpened ? 'there is no such folder' : 'what was written of it has been taken away meanwhile';
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

/** The text for excerpts. Invalid UTF-8 becomes replacement characters; a byte order mark is left out. */
export function decodeForExcerpts(source: ModelSource): string {
    return new TextDecoder('utf-8').decode(source.bytes);
}
