/** Reads imported files: from disk or, if the folder is elsewhere, through the editor (see document-builder.ts). */
import type { FileSystemProvider, URI } from 'langium';
import type { Connection } from 'vscode-languageserver';
import { READ_FILE_REQUEST, type ReadFileParams, type ReadFileResult } from '../protocol.js';

/** The file system `disk`, and files that only the editor can reach. */
export function withEditorFiles(disk: FileSystemProvider, connection: Connection): FileSystemProvider {
    async function askEditor(uri: URI): Promise<string> {
        const params: ReadFileParams = { uri: uri.toString() };
        const { text } = await connection.sendRequest<ReadFileResult>(READ_FILE_REQUEST, params);
        return text;
    }
    return {
        // Folders are only known on disk: any other URI counts as a file.
        stat: uri => (isOnDisk(uri) ? disk.stat(uri) : Promise.resolve({ isFile: true, isDirectory: false, uri })),
        statSync: uri => disk.statSync(uri),
        exists: uri => (isOnDisk(uri) ? disk.exists(uri) : Promise.resolve(false)),
        existsSync: uri => disk.existsSync(uri),
        readBinary: uri =>
            isOnDisk(uri) ? disk.readBinary(uri) : askEditor(uri).then(text => new TextEncoder().encode(text)),
        readBinarySync: uri => disk.readBinarySync(uri),
        readFile: uri => (isOnDisk(uri) ? disk.readFile(uri) : askEditor(uri)),
        readFileSync: uri => disk.readFileSync(uri),
        readDirectory: uri => (isOnDisk(uri) ? disk.readDirectory(uri) : Promise.resolve([])),
        readDirectorySync: uri => disk.readDirectorySync(uri),
    };
}

function isOnDisk(uri: URI): boolean {
    return uri.scheme === 'file';
}
