/**
 * Starts the editor's server with the extension in it, for `npm start` and for the end-to-end tests. The server listens
 * on this machine only, and serves only who knows the token in the address. Plain Node, no packages of its own; call
 * installWorkbench() first.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverFolder } from './install.js';
import { StepFailed, run } from './progress.js';
import { SETTINGS } from './settings.js';

const HOST = '127.0.0.1';
const SERVER_MAIN = join(serverFolder, 'out', 'server-main.js');

/** What an editor for models needs; each of the others (git, TypeScript, …) costs start-up time. */
const BUILT_IN_EXTENSIONS = [
    'configuration-editing',
    'json',
    'markdown-basics',
    'search-result',
    'theme-defaults',
    'theme-seti',
];

/**
 * Starts a server. Options:
 *   folder         the workspace
 *   file           opened at once, if given
 *   dataFolder     settings, state and logs; kept between runs if the caller keeps it
 *   port           0 for any free one
 *   vsixFile       a package to install, or
 *   extensionFolder  a folder to load as an extension without packaging
 *   settings       beside the quiet ones, for a new dataFolder
 *
 * Returns { url, port, token, addressFor(host), output(), ended, stop() }: `host` is the name and port by which a browser gets to
 * the server. The promise `ended` resolves when the server is gone, however that came.
 */
export async function startServer(options) {
    const data = resolve(options.dataFolder);
    const extensions = join(data, 'extensions');
    const userData = join(data, 'user');
    const builtIn = join(data, 'built-in');
    mkdirSync(join(userData, 'User'), { recursive: true });
    mkdirSync(extensions, { recursive: true });
    writeSettings(join(userData, 'User', 'settings.json'), { ...SETTINGS, ...options.settings });
    linkBuiltInExtensions(builtIn, options.extensionFolder);
    rmSync(join(userData, 'CachedProfilesData'), { recursive: true, force: true }); // remembers the built-in ones

    const folders = [
        ...['--server-data-dir', join(data, 'server'), '--user-data-dir', userData],
        ...['--extensions-dir', extensions, '--builtin-extensions-dir', builtIn],
    ];
    if (options.vsixFile !== undefined) {
        await installPackage(options.vsixFile, folders);
    }
    const token = randomBytes(16).toString('hex');
    const child = spawn(
        process.execPath,
        [
            ...['--import', new URL('end-with-parent.js', import.meta.url).href, SERVER_MAIN],
            ...['--host', HOST, '--port', String(options.port), '--connection-token', token],
            ...['--accept-server-license-terms', '--telemetry-level', 'off', ...folders],
        ],
        { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ended = new Promise(resolveEnded => child.once('exit', () => resolveEnded()));
    let output = '';
    const port = await new Promise((resolvePort, reject) => {
        const collect = data => {
            output += data;
            const listening = /Extension host agent listening on (\d+)/.exec(output);
            if (listening !== null) {
                resolvePort(Number(listening[1]));
            }
        };
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        child.once('exit', code =>
            reject(new StepFailed(`${output}\n\nThe editor's server ended with exit code ${code} before it listened.`)),
        );
    });

    const addressFor = host => {
        const query = new URLSearchParams({ tkn: token, folder: toUrlPath(options.folder) });
        if (options.file !== undefined) {
            const uri = `vscode-remote://${host}${toUrlPath(options.file)}`;
            query.set('payload', JSON.stringify([['openFile', uri]]));
        }
        return `http://${host}/?${query}`;
    };
    return {
        url: addressFor(`${HOST}:${port}`),
        port,
        token,
        addressFor,
        output: () => output,
        ended,
        stop: async () => {
            child.kill('SIGTERM');
            await ended;
        },
    };
}

/** The first port from `first` on that nobody listens on, or undefined when `count` in a row are taken. */
export async function findFreePort(first, count) {
    for (let port = first; port < first + count && port < 65536; port++) {
        if (await isFree(port)) {
            return port;
        }
    }
    return undefined;
}

function isFree(port) {
    return new Promise(answer => {
        const probe = createServer();
        probe.once('error', () => answer(false));
        probe.listen(port, HOST, () => probe.close(() => answer(true)));
    });
}

/** Settings that a person changed in a kept data folder stay. */
function writeSettings(file, settings) {
    if (!existsSync(file)) {
        writeFileSync(file, `${JSON.stringify(settings, null, 4)}\n`);
    }
}

function linkBuiltInExtensions(folder, extensionFolder) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const name of BUILT_IN_EXTENSIONS) {
        symlinkSync(join(serverFolder, 'extensions', name), join(folder, name), 'junction');
    }
    if (extensionFolder !== undefined) {
        symlinkSync(resolve(extensionFolder), join(folder, 'orbit'), 'junction');
    }
}

async function installPackage(vsixFile, folders) {
    const installArguments = [SERVER_MAIN, '--install-extension', resolve(vsixFile), '--force', ...folders];
    const output = await run(process.execPath, installArguments, { env: environment() });
    if (!output.includes('successfully installed')) {
        throw new StepFailed(`${output}\n\nThe editor did not install "${vsixFile}".`);
    }
}

/** Without the variables that an editor sets in its own terminal, which would redirect the new server to it. */
function environment() {
    return { ...process.env, ELECTRON_RUN_AS_NODE: undefined, VSCODE_IPC_HOOK_CLI: undefined };
}

function toUrlPath(file) {
    return pathToFileURL(resolve(file)).pathname;
}
