/** Files that the server reads through the editor, with an editor on paper. */
import { EmptyFileSystem, URI } from 'langium';
import { expect, test } from 'vitest';
import type { Connection } from 'vscode-languageserver';
import { editorFiles, withEditorFiles } from '../../language-server/lsp/editor-files.js';
import { READ_FILE_REQUEST, READ_FOLDER_REQUEST, type ReadFileParams } from '../../language-server/protocol.js';

const FOLDER = 'vscode-vfs://github/locks';
const ANSWERS: Readonly<Record<string, unknown>> = {
    [`${READ_FILE_REQUEST} ${FOLDER}/room.orbit`]: { text: 'type Id = 1 .. 3 // é' },
    [`${READ_FOLDER_REQUEST} ${FOLDER}`]: {
        entries: [
            { name: 'room.orbit', isFile: true },
            { name: 'parts', isFile: false },
        ],
    },
};
const connection = {
    sendRequest: (method: string, { uri }: ReadFileParams) => {
        const answer = ANSWERS[`${method} ${uri}`];
        return answer === undefined ? Promise.reject(new Error(`no ${uri}`)) : Promise.resolve(answer);
    },
} as unknown as Connection;

const onPaper = editorFiles(connection);
const folder = URI.parse(FOLDER);
const room = URI.parse(`${FOLDER}/room.orbit`);

test('a file is what the editor answers', async () => {
    expect(await onPaper.readFile(room)).toBe('type Id = 1 .. 3 // é');
    expect(new TextDecoder().decode(await onPaper.readBinary(room))).toBe('type Id = 1 .. 3 // é');
    await expect(onPaper.readFile(URI.parse(`${FOLDER}/none.orbit`))).rejects.toThrow('none.orbit');
});

test('a folder has files and folders with their addresses', async () => {
    const entries = await onPaper.readDirectory(folder);
    expect(entries.map(({ uri, isFile, isDirectory }) => [uri.toString(), isFile, isDirectory])).toEqual([
        [`${FOLDER}/room.orbit`, true, false],
        [`${FOLDER}/parts`, false, true],
    ]);
});

test('beside a disk, the editor is asked for what is not on it', async () => {
    const disk = Object.assign(EmptyFileSystem.fileSystemProvider(), { readFile: () => Promise.resolve('on disk') });
    const files = withEditorFiles(disk, connection);
    expect(await files.readFile(URI.parse('file:///locks/room.orbit'))).toBe('on disk');
    expect(await files.readFile(room)).toBe('type Id = 1 .. 3 // é');
});
