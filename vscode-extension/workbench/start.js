/**
 * `npm start`: installs what is missing, builds, and opens the models in VS Code, served to a browser until Ctrl+C.
 *
 *   npm start -- --desktop       in the VS Code that is installed on this machine instead
 *   npm start -- --port 3200     on another port than 3100
 *   npm start -- --no-open       without opening a browser
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import util from 'node:util'; // by its whole: a Node too old for parseArgs is to get a message, not a link error
import { openFrontDoor } from './front-door.js';
import { assertNodeIsSupported, installRepository, installWorkbench, rootFolder } from './install.js';
import { StepFailed, run, runMain, step } from './progress.js';
import { findFreePort, startServer } from './server.js';
import { bundle } from './tasks.js';

const DEFAULT_PORT = 3100;
const PORTS_TO_TRY = 50;

const modelsFolder = join(rootFolder, 'models');
const firstModel = join(modelsFolder, 'token-ring.orbit');

async function main() {
    assertNodeIsSupported();
    const options = readArguments();
    // What a person has to do something about comes first, before minutes of work.
    const port = options.desktop ? undefined : await choosePort(options.port);
    if (options.desktop) {
        assertDesktopEditor();
    }
    if (port === undefined) {
        await installRepository();
        await bundle();
        await openDesktopEditor();
    } else {
        await serve(port, options);
    }
}

const USAGE = 'npm start -- [--desktop | --port NUMBER --no-open]';

function readArguments() {
    let values;
    try {
        const flag = { type: 'boolean' };
        const known = { desktop: flag, port: { type: 'string' }, 'no-open': flag };
        ({ values } = util.parseArgs({ options: known }));
    } catch (error) {
        throw new StepFailed(`${error.message}\nUsage: ${USAGE}`);
    }
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && 0 < port && port < 65536)) {
        throw new StepFailed(`"${values.port}" is not a port: give a number from 1 to 65535.`);
    }
    return {
        desktop: values.desktop === true,
        port,
        opensBrowser: values['no-open'] !== true,
    };
}

/** Serves until SIGINT or SIGTERM, or until npm is gone, which may not pass these on. The editor opens as soon as it is built, and the rest is built meanwhile. */
async function serve(port, { opensBrowser }) {
    const { editorBuilt, allBuilt } = build();
    const [built, started] = await Promise.allSettled([editorBuilt, startEditor()]);
    const server = started.value;
    const failed = [built, started].find(({ status }) => status === 'rejected');
    if (failed !== undefined) {
        await server?.stop();
        throw failed.reason;
    }
    const door = await openFrontDoor(port, server);
    process.stdout.write(`\n  Open in a browser:  ${door.url}\n  Ctrl+C ends it.\n\n`);
    if (opensBrowser) {
        // Other users of the machine see what programs are started with.
        openBrowser(door.urlForOnce());
    }
    // The editor needs nothing of what is built now; the command line does.
    allBuilt.catch(error => {
        process.stderr.write(`\n${error.message}\n\nThe editor can be used nevertheless.\n`);
        process.exitCode = 1;
    });
    const parent = process.ppid;
    const interrupted = new Promise(resolve => {
        setInterval(() => process.ppid === parent || resolve('interrupted'), 500);
        process.once('SIGINT', () => resolve('interrupted'));
        process.once('SIGTERM', () => resolve('interrupted'));
    });
    const end = await Promise.race([interrupted, server.ended]);
    door.close();
    if (end !== 'interrupted') {
        throw new StepFailed(`${server.output()}\n\nThe editor's server ended by itself. Its output is above.`);
    }
    await server.stop();
    process.exit();
}

/** Installs what building needs and builds: two promises, for the editor alone and for everything. */
function build() {
    let allBuilt;
    const editorBuilt = new Promise((resolve, reject) => {
        allBuilt = installRepository().then(() => bundle(resolve));
        allBuilt.then(resolve, reject);
    });
    return { editorBuilt, allBuilt };
}

async function startEditor() {
    await installWorkbench();
    let server;
    await step('Starting the editor', async () => {
        server = await startServer({
            folder: modelsFolder,
            file: firstModel,
            dataFolder: join(rootFolder, '.workbench'),
            port: 0,
            extensionFolder: rootFolder,
        });
    });
    return server;
}

/** The browser of the desktop, where there is one; the address is on the terminal anyway. */
function openBrowser(url) {
    const { platform, env } = process;
    const hasDesktop = env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
    const command =
        platform === 'win32'
            ? ['rundll32', 'url.dll,FileProtocolHandler', url]
            : platform === 'darwin'
              ? ['open', url]
              : hasDesktop
                ? ['xdg-open', url]
                : undefined;
    if (command !== undefined && env.CI === undefined) {
        const [program, ...programArguments] = command;
        const browser = spawn(program, programArguments, { stdio: 'ignore', detached: true });
        browser.once('error', error => process.stdout.write(`  (No browser was opened: ${error.message})\n\n`));
        browser.unref();
    }
}

async function choosePort(requestedPort) {
    const wanted = requestedPort ?? DEFAULT_PORT;
    const free = await findFreePort(wanted, PORTS_TO_TRY);
    if (free === wanted) {
        return wanted;
    }
    if (free === undefined) {
        throw new StepFailed(
            `Port ${wanted} and the ${PORTS_TO_TRY - 1} after it are taken. Choose one with "npm start -- --port NUMBER".`,
        );
    }
    if (requestedPort !== undefined) {
        throw new StepFailed(
            `Port ${wanted} is taken by another program. Port ${free} is free: "npm start -- --port ${free}".`,
        );
    }
    process.stdout.write(`Port ${wanted} is taken, so this uses ${free}; choose another with --port.\n`);
    return free;
}

const isWindows = process.platform === 'win32';

function assertDesktopEditor() {
    const found = spawnSync('code', ['--version'], { stdio: 'ignore', shell: isWindows });
    if (found.error !== undefined || found.status !== 0) {
        throw new StepFailed(
            'No "code" command was found. In VS Code run "Shell Command: Install \'code\' command in PATH" ' +
                'from the command palette, or use "npm start" without --desktop, which needs no installed editor.',
        );
    }
}

async function openDesktopEditor() {
    await step('Opening VS Code', async () => {
        const codeArguments = [`--extensionDevelopmentPath=${rootFolder}`, modelsFolder, firstModel];
        await run('code', codeArguments, { shell: isWindows });
    });
}

await runMain(main);
