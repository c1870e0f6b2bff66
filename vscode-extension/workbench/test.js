/**
 * `npm test`: installs what is missing and checks what must hold before a change is merged: generated code, types, lint,
 * layout, tests, then the packaged extension in a real workbench in a headless browser. A check that fails does not keep
 * the others from running; the exit code is 0 only if all passed.
 *
 *   npm test -- --quick          while you work: no workbench, and no test that takes long
 *   npm test -- --all            every test, with all cases of the random ones
 *   npm test -- --end-to-end     the workbench alone; with --all, all of its tests
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import util from 'node:util'; // by its whole: a Node too old for parseArgs is to get a message, not a link error
import { assertNodeIsSupported, installRepository, installWorkbench, rootFolder } from './install.js';
import { StepFailed, runMain, step } from './progress.js';
import { startServer } from './server.js';
import { startWebServer } from './web-server.js';
import { bundle, createPackage, generate, runTool } from './tasks.js';

async function main() {
    assertNodeIsSupported();
    const { values } = util.parseArgs({
        options: { quick: { type: 'boolean' }, all: { type: 'boolean' }, 'end-to-end': { type: 'boolean' } },
    });
    if (values.quick === true && (values.all === true || values['end-to-end'] === true)) {
        throw new StepFailed('--quick leaves out what --all and --end-to-end ask for: give one of them.');
    }
    await installRepository();
    const failed = [];
    const runInTurn = async checks => {
        for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
            try {
                await check();
            } catch (error) {
                failed.push(check.name);
                process.stderr.write(`\n${error instanceof StepFailed ? error.message : error.stack}\n\n`);
            }
        }
    };
    const tier = values.quick === true ? TIERS.quick : values.all === true ? TIERS.all : TIERS.gate;
    const endToEnd = () => testEndToEnd(tier);
    const unitTests = () => testUnits(tier);
    if (values['end-to-end'] === true) {
        await runInTurn([bundle, endToEnd]);
    } else {
        const editor = values.quick === true ? [] : [installWorkbench];
        await Promise.all([runInTurn([generatedCode, bundle]), runInTurn(editor)]);
        // A workbench without a processor loses clicks, and often waits: short checks take what it leaves. The tests
        // behind it take their share, or they would not end where other programs are busy.
        const first = values.quick === true ? [] : [endToEnd];
        await Promise.all([runInTurn([...first, unitTests]), runInTurn([types, lint, layout])]);
    }
    if (failed.length > 0) {
        throw new StepFailed(`Failed: ${failed.join(', ')}.`);
    }
    process.stdout.write(`Everything passed${tier.leavesOut}.\n`);
}

/** How much is tested: tests by their tags, as test/end-to-end and vitest.config.ts declare them, and cases of random tests. */
const TIERS = {
    quick: {
        units: ['--tags-filter', '!long && !thorough'],
        cases: 'few',
        leavesOut: '; left out were the workbench, long tests, and most cases of random ones: "npm test" has them',
    },
    gate: {
        units: ['--tags-filter', '!thorough'],
        endToEnd: ['--tags-filter', 'gate'],
        cases: 'few',
        leavesOut: '; "npm test -- --all" tests every detail of the editor, and more cases of random tests',
    },
    all: { units: [], endToEnd: [], cases: 'all', leavesOut: '' },
};

const SERVER_LOG = join('screenshots', 'server.log');

/** What the grammar generates is committed, and must be what the grammar generates. */
function generatedCode() {
    return step('Generated code is up to date', async () => {
        const folders = ['language', 'language-server'].map(room => join(rootFolder, room, 'generated'));
        const before = readAll(folders);
        await generate();
        const stale = Object.entries(readAll(folders)).filter(([file, text]) => before[file] !== text);
        if (stale.length > 0) {
            throw new StepFailed(
                `These did not match the grammar and have been generated anew: ${stale.map(([file]) => file).join(', ')}. ` +
                    'Commit them.',
            );
        }
    });
}

function readAll(folders) {
    const files = folders.filter(existsSync).flatMap(folder => readdirSync(folder).map(file => join(folder, file)));
    return Object.fromEntries(files.map(file => [file, readFileSync(file, 'utf8')]));
}

function types() {
    return step('Types', async () => {
        await runTool('typescript', 'bin/tsc', ['-b'], { isPatient: true });
    });
}

function lint() {
    return step('Lint', async () => {
        await runTool('oxlint', 'bin/oxlint', ['.'], { isPatient: true });
        // What is exported and used nowhere else, and packages that nobody imports.
        await runTool('knip', 'bin/knip.js', ['--no-progress'], { isPatient: true });
    });
}

function layout() {
    return step('Layout', async () => {
        const cache = ['--cache', '--cache-location', join('node_modules', '.cache', 'prettier.json')];
        await runTool('prettier', 'bin/prettier.cjs', ['--check', '--log-level', 'warn', ...cache, '.'], {
            isPatient: true,
            explain: () => 'These files are not laid out as Prettier would: "npm run format" does it.',
        });
    });
}

function testUnits({ units, cases }) {
    return step('Unit, property and fixture tests', async () => {
        const env = { ...process.env, CI: '1', ORBIT_BUILT: join(rootFolder, 'dist'), ORBIT_CASES: cases };
        return summarize(await runTool('vitest', 'vitest.mjs', ['run', ...units], { env }));
    });
}

/** Starts the workbenches with the packaged extension on a copy of the models, and runs test/end-to-end against them. */
async function testEndToEnd({ endToEnd: tests }) {
    const vsixFile = await createPackage();
    await installWorkbench();
    const scratch = mkdtempSync(join(tmpdir(), 'orbit-end-to-end-'));
    try {
        await step('End-to-end tests', async () => {
            const workspace = join(scratch, 'models');
            cpSync(join(rootFolder, 'models'), workspace, { recursive: true });
            const dataFolder = join(scratch, 'data');
            const settings = { 'editor.hover.delay': 100, ...RESTRICTED_MODE };
            const server = await startServer({ folder: workspace, dataFolder, port: 0, vsixFile, settings });
            const { publisher, name, version } = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8'));
            const web = await startWebServer({
                folder: workspace,
                extensionFolder: join(dataFolder, 'extensions', `${publisher}.${name}-${version}`),
                settings,
            });
            const env = {
                ...process.env,
                CI: '1',
                ORBIT_WORKBENCH: server.url,
                ORBIT_WEB_WORKBENCH: web.url,
                ORBIT_WEB_WORKBENCH_ISOLATED: web.isolatedUrl,
                ORBIT_WORKSPACE: workspace,
            };
            const config = join('test', 'end-to-end', 'vitest.config.ts');
            try {
                return summarize(
                    await runTool('vitest', 'vitest.mjs', ['run', '--config', config, ...tests], {
                        env,
                        explain: () => {
                            mkdirSync(dirname(SERVER_LOG), { recursive: true });
                            writeFileSync(SERVER_LOG, server.output());
                            return `The pictures in screenshots/ show what was on screen. The server's output: ${SERVER_LOG}`;
                        },
                    }),
                );
            } finally {
                await Promise.all([server.stop(), web.stop()]);
            }
        });
    } finally {
        // The server's own children outlive it for a moment, and write their logs meanwhile; rmSync would not look again.
        await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
}

/** The extension must do everything in a folder that its user has not declared to be trusted. */
const RESTRICTED_MODE = {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
};

/** Vitest's own count of tests. */
function summarize(output) {
    // oxlint-disable-next-line no-control-regex -- the escape that begins a color
    const plain = output.replace(/\x1b\[[0-9;]*m/g, '');
    return /^\s*Tests\s+(.*)$/m.exec(plain)?.[1];
}

await runMain(main);
