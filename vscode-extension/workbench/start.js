/**
 * `npm start`: installs what is missing, builds, and opens the models in VS Code, served to a browser until Ctrl+C.
 *
 *   npm start -- --desktop       in the VS Code that is installed on this machine instead
 *   npm start -- --port 3200     on another port than 3100
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import util from 'node:util'; // by its whole: a Node too old for parseArgs is to get a message, not a link error
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
    await installRepository();
    await bundle();
    if (port === undefined) {
        await openDesktopEditor();
    } else {
        await serve(port);
    }
}

function readArguments() {
    let values;
    try {
        ({ values } = util.parseArgs({ options: { desktop: { type: 'boolean' }, port: { type: 'string' } } }));
    } catch (error) {
        throw new StepFailed(`${error.message}\nUsage: npm start -- [--desktop | --port NUMBER]`);
    }
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && 0 < port && port < 65536)) {
        throw new StepFailed(`"${values.port}" is not a port: give a number from 1 to 65535.`);
    }
    return { desktop: values.desktop === true, port };
}

/** Serves until SIGINT or SIGTERM. */
async function serve(port) {
    await installWorkbench();
    let server;
    await step('Starting the editor', async () => {
        server = await startServer({
            folder: modelsFolder,
            file: firstModel,
            dataFolder: join(rootFolder, '.workbench'),
            port,
            extensionFolder: rootFolder,
        });
    });
    process.stdout.write(`\n  Open in a browser:  ${server.url}\n  Ctrl+C ends it.\n\n`);
    const interrupted = new Promise(resolve => {
        process.once('SIGINT', () => resolve('interrupted'));
        process.once('SIGTERM', () => resolve('interrupted'));
    });
    if ((await Promise.race([interrupted, server.ended])) !== 'interrupted') {
        throw new StepFailed(`${server.output()}\n\nThe editor's server ended by itself. Its output is above.`);
    }
    await server.stop();
    process.exit(0);
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
