/**
 * A headless Chromium: that of CHROMIUM_PATH, else an installed one, else that of the npm package
 * `@sparticuz/chromium` (Linux), which brings its own fonts and the system libraries that a bare machine lacks.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';

/** No sandbox: it needs rights that containers lack, and the only page is our own. Nothing is fetched from elsewhere. */
const FLAGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

const INSTALLED = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

interface Program {
    readonly executablePath: string;
    /** The whole environment to start it in, where that is not ours. */
    readonly env?: NodeJS.ProcessEnv;
}

/** A browser with an empty profile. Closing the context ends it; the profile is a scratch folder. */
export async function launchBrowser(): Promise<BrowserContext> {
    const program = await findChromium();
    const profile = mkdtempSync(join(tmpdir(), 'orbit-browser-'));
    // Not a private window: that refuses the service workers that webviews are served by.
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: program.executablePath,
        ...(program.env === undefined ? {} : { env: definedOnly(program.env) }),
        headless: true,
        args: FLAGS,
        viewport: { width: 1400, height: 900 },
    });
    // The browser's processes outlive the context for a moment, and write into the profile meanwhile.
    context.once('close', () => void rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    return context;
}

async function findChromium(): Promise<Program> {
    const named = process.env['CHROMIUM_PATH'];
    const installed = named ?? INSTALLED.find(path => existsSync(path));
    return installed === undefined ? unpackChromium() : { executablePath: installed };
}

/** Unpacks npm's Chromium once, into node_modules/.cache; in the temporary folder it would use any file "chromium". */
async function unpackChromium(): Promise<Program> {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
    const cache = resolve('node_modules', '.cache', 'orbit-chromium');
    if (!existsSync(cache)) {
        const scratch = `${cache}-${process.pid}`;
        mkdirSync(scratch, { recursive: true });
        const temporary = process.env['TMPDIR'];
        process.env['TMPDIR'] = scratch;
        try {
            const { default: packaged, inflate } = await import('@sparticuz/chromium');
            await packaged.executablePath();
            await inflate(join(packageFolder, 'bin', 'al2023.tar.br'));
        } finally {
            if (temporary === undefined) {
                delete process.env['TMPDIR'];
            } else {
                process.env['TMPDIR'] = temporary;
            }
        }
        renameSync(scratch, cache);
    }
    const executablePath = join(cache, 'chromium');
    const withFonts = existsSync('/etc/fonts/fonts.conf')
        ? process.env
        : { ...process.env, FONTCONFIG_PATH: join(cache, 'fonts') };
    if (starts(executablePath, withFonts)) {
        return { executablePath, env: withFonts };
    }
    const libraries = [join(cache, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
    return { executablePath, env: { ...withFonts, LD_LIBRARY_PATH: libraries } };
}

/** Whether a program finds the shared libraries it needs. */
function starts(executablePath: string, env: NodeJS.ProcessEnv): boolean {
    return spawnSync(executablePath, ['--version'], { env, stdio: 'ignore' }).status === 0;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
    return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
