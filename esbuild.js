/**
 * Bundles everything that runs into `dist/`:
 *
 *   cli.cjs  orbit.cjs  orbit.cache   the command `orbit`, as cli/build.js says
 *   search-thread.cjs              what threads of a large search run, of the command and of the language server
 *   extension.cjs                  the VS Code extension
 *   server.cjs  analysis-worker.cjs   the language server and the thread it computes in
 *   browser/                       the extension, the server, and both kinds of threads for a browser
 *   webview/                       scripts and styles of the panels
 *   library.js  library.cjs        the npm library, as library/build.js says
 *   types/  types-commonjs/        its declarations from `tsc`, for both kinds of modules
 *   extension-page.md              the README without links to files that the extension does not have
 *   THIRD-PARTY-LICENSES.txt       of every package that went into a bundle
 *
 * What VS Code and the command line load is CommonJS: bundled dependencies call `require`, which an ES module lacks.
 * Types are not checked here; that is `tsc -b`.
 */
import {
    chmodSync,
    cpSync,
    existsSync,
    mkdirSync,
    readFileSync,
    readdirSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildCommand } from './cli/build.js';
import { buildLibrary, writeDeclarations } from './library/build.js';
import { withoutRelativeLinks } from './vscode-extension/readme.js';

/** Licenses under which bundled code may ship. */
const ALLOWED_LICENSES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

const common = { bundle: true, sourcemap: true, metafile: true, logLevel: 'warning', treeShaking: true };
const node = { ...common, platform: 'node', target: 'node20', format: 'cjs' };
const browser = { ...common, platform: 'browser', target: 'es2022', format: 'iife' };

const EDITOR_BUNDLES = [
    { ...node, entryPoints: ['vscode-extension/extension.ts'], outfile: 'dist/extension.cjs', external: ['vscode'] },
    { ...node, entryPoints: ['language-server/main.ts'], outfile: 'dist/server.cjs' },
    { ...node, entryPoints: ['language-server/analysis/analysis-worker.ts'], outfile: 'dist/analysis-worker.cjs' },
    {
        // A browser loads the entry as CommonJS, from this name; newer ones take "extension.js" for an ES module.
        ...browser,
        format: 'cjs',
        minify: true,
        entryPoints: ['vscode-extension/browser/extension.ts'],
        outfile: 'dist/browser/extension.cjs.js',
        external: ['vscode'],
    },
    {
        ...browser,
        minify: true,
        entryPoints: {
            server: 'language-server/browser/main.ts',
            'analysis-worker': 'language-server/browser/analysis-worker.ts',
            'search-thread': 'language-server/browser/search-thread.ts',
        },
        outdir: 'dist/browser',
    },
    {
        ...browser,
        entryPoints: ['result-panel', 'symmetry-panel', 'graph-panel', 'sweep-panel'].map(
            name => `vscode-extension/webview/${name}.ts`,
        ),
        outdir: 'dist/webview',
    },
];
mkdirSync('dist', { recursive: true });
// What is wrong has been printed; the other bundles are written all the same.
const buildAll = bundles => bundles.map(async options => [(await build(options)).metafile]);
const editor = await Promise.allSettled(buildAll(EDITOR_BUNDLES));
for (const style of ['panel.css', 'result-panel.css', 'symmetry-panel.css', 'graph-panel.css', 'sweep-panel.css']) {
    cpSync(`vscode-extension/webview/${style}`, `dist/webview/${style}`);
}
if (editor.every(({ status }) => status === 'fulfilled')) {
    process.send?.('editor'); // `npm start` opens it while the rest is built.
}
const outcomes = [...editor, ...(await Promise.allSettled([buildCommand('.', 'dist'), buildLibrary('.', 'dist')]))];
const metafiles = outcomes.flatMap(({ status, value }) => (status === 'fulfilled' ? value : []));
if (outcomes.some(({ status }) => status === 'rejected')) {
    process.exitCode = 1;
}
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', collectLicenses(metafiles));
writeFileSync('dist/extension-page.md', withoutRelativeLinks(readFileSync('README.md', 'utf8')));
linkCommand();
writeDeclarations('.', 'dist');

/** The name, license and license text of every package whose files are in a bundle; a license not allowed ends the build. */
function collectLicenses(metafiles) {
    const packages = new Set();
    for (const file of metafiles.flatMap(metafile => Object.keys(metafile.inputs))) {
        const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
        if (match !== null) {
            packages.add(file.slice(0, match[0].length - 1));
        }
    }
    const texts = [...packages].sort().map(folder => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        if (!ALLOWED_LICENSES.includes(license)) {
            throw new Error(`${name} ${version} is licensed "${license}", which is not in ALLOWED_LICENSES`);
        }
        const licenseFile = readdirSync(folder).find(file => /^licen[cs]e/i.test(file));
        const text = licenseFile === undefined ? '' : readFileSync(join(folder, licenseFile), 'utf8').trim();
        return `${name} ${version} (${license})\n\n${text}\n`;
    });
    return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Makes `npx orbit` in this folder mean this build, as it does where the package is installed. */
function linkCommand() {
    const link = join('node_modules', '.bin', 'orbit');
    if (process.platform !== 'win32' && existsSync('dist/cli.cjs')) {
        chmodSync('dist/cli.cjs', 0o755);
        rmSync(link, { force: true });
        symlinkSync(join('..', '..', 'dist', 'cli.cjs'), link);
    }
}
