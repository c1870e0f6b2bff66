/** The steps that several commands of this repository share. Each is one line on the terminal. */
import { join } from 'node:path';
import { rootFolder } from './install.js';
import { run, step } from './progress.js';

/** The parser, from the grammar. */
export async function generate() {
    await runTool('langium-cli', 'bin/langium.js', ['generate']);
    await run(process.execPath, [join('grammar', 'generate-nodes.js')], { cwd: rootFolder });
}

/** Everything that runs, into dist/: see esbuild.js. `onEditorBuilt` is called as soon as the extension is there. */
export async function bundle(onEditorBuilt = () => {}) {
    await step('Building', async () => {
        await run(process.execPath, ['esbuild.js'], {
            cwd: rootFolder,
            stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
            onMessage: onEditorBuilt,
        });
    });
}

/** The extension as it is published, from what `bundle` left. Returns the file. */
export async function createPackage() {
    const file = join(rootFolder, 'orbit.vsix');
    await step('Packaging', async () => {
        const options = ['--allow-missing-repository', '--no-rewrite-relative-links', '--out', file];
        await runTool('@vscode/vsce', 'vsce', ['package', ...options]);
    });
    return file;
}

/** Runs a command-line program of an installed package, `file` in `packageName`, in the root folder. */
export function runTool(packageName, file, toolArguments, options = {}) {
    const program = join(rootFolder, 'node_modules', packageName, file);
    return run(process.execPath, [program, ...toolArguments], { cwd: rootFolder, ...options });
}
