/**
 * A folder in memory, with the files that web-server.js serves. It has the scheme of repositories that are opened
 * without a checkout: of all virtual folders, only those are not trusted before their user says so.
 */
const { Disposable, EventEmitter, FileChangeType, FileSystemError, FileType, Uri, workspace } = require('vscode');

/** The path of the folder, without a slash at its end. */
const FOLDER = '/models';

exports.activate = async context => {
    const address = Uri.joinPath(context.extensionUri, '..', 'files.json').toString(true);
    const changes = new EventEmitter();
    const files = new Map(
        Object.entries(await (await fetch(address)).json()).map(([name, text]) => [
            name,
            new TextEncoder().encode(text),
        ]),
    );
    const started = Date.now();
    const nameOf = uri => uri.path.slice(FOLDER.length + 1);
    const contentOf = uri => {
        const content = files.get(nameOf(uri));
        if (content === undefined) {
            throw FileSystemError.FileNotFound(uri);
        }
        return content;
    };
    const noFolders = () => {
        throw FileSystemError.NoPermissions('There is one folder.');
    };
    const provider = {
        onDidChangeFile: changes.event,
        watch: () => new Disposable(() => undefined),
        stat: uri =>
            uri.path === FOLDER
                ? { type: FileType.Directory, ctime: started, mtime: started, size: 0 }
                : { type: FileType.File, ctime: started, mtime: started, size: contentOf(uri).length },
        readDirectory: () => [...files.keys()].map(name => [name, FileType.File]),
        readFile: contentOf,
        writeFile: (uri, content) => {
            const type = files.has(nameOf(uri)) ? FileChangeType.Changed : FileChangeType.Created;
            files.set(nameOf(uri), content);
            changes.fire([{ type, uri }]);
        },
        createDirectory: noFolders,
        delete: noFolders,
        rename: noFolders,
    };
    context.subscriptions.push(workspace.registerFileSystemProvider('vscode-vfs', provider, { isCaseSensitive: true }));
};
