/** Reads imported files: from disk or, if the folder is elsewhere, through the editor (see document-builder.ts). */
import { EmptyFileSystem, type FileSystemProvider, type URI, UriUtils } from 'langium';
import type { Connection } from 'vscode-languageserver';
import {
    READ_FILE_REQUEST,
    READ_FOLDER_REQUEST,
    type ReadFileParams,
    type ReadFileResult,
    type ReadFolderResult,
} from '../protocol.js';

/** Files that only the editor can reach: nothing is known of one before it is read. */
export function editorFiles(connection: Connection): FileSystemProvider {
    const nothing = EmptyFileSystem.fileSystemProvider();
    function ask<Result>(request: string, uri: URI): Promise<Result> {
        const params: ReadFileParams = { uri: uri.toString() };
        return connection.sendRequest<Result>(request, params);
    }
    async function readFile(uri: URI): Promise<string> {
        return (await ask<ReadFileResult>(READ_FILE_REQUEST, uri)).text;
    }
    return {
        stat: uri => Promise.resolve({ isFile: true, isDirectory: false, uri }),
        statSync: uri => nothing.statSync(uri),
        exists: () => nothing.exists(),
        existsSync: () => nothing.existsSync(),
        readBinary: async uri => new TextEncoder().encode(await readFile(uri)),
        readBinarySync: () => nothing.readBinarySync(),
        readFile,
        readFileSync: () => nothing.readFileSync(),
        readDirectory: async folder => {
            const { entries } = await ask<ReadFolderResult>(READ_FOLDER_REQUEST, folder);
            return entries.map(({ name, isFile }) => ({
                uri: UriUtils.joinPath(folder, name),
                isFile,
                isDirectory: !isFile,
            }));
        },
        readDirectorySync: () => nothing.readDirectorySync(),
    };
}

/** The file system `disk`, and files that only the editor can reach. */
export function withEditorFiles(disk: FileSystemProvider, connection: Connection): FileSystemProvider {
    const editor = editorFiles(connection);
    const providerOf = (uri: URI): FileSystemProvider => (uri.scheme === 'file' ? disk : editor);
    return {
        stat: uri => providerOf(uri).stat(uri),
        statSync: uri => disk.statSync(uri),
        exists: uri => providerOf(uri).exists(uri),
        existsSync: uri => disk.existsSync(uri),
        readBinary: uri => providerOf(uri).readBinary(uri),
        readBinarySync: uri => disk.readBinarySync(uri),
        readFile: uri => providerOf(uri).readFile(uri),
        readFileSync: uri => disk.readFileSync(uri),
        readDirectory: uri => providerOf(uri).readDirectory(uri),
        readDirectorySync: uri => disk.readDirectorySync(uri),
    };
}
