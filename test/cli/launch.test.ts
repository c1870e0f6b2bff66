/** What the shell starts runs the program, whatever lies where the compiled one should be. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CompiledProgram } from '../../cli/launch/compiled-program.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-launch-'));
const program = join(folder, 'orbit.cjs');
const cache = join(folder, 'orbit.cache');

/** Says what it is, and which file it takes itself for: cli.cjs where it comes from the cache. */
const SOURCE = "process.stdout.write(require('node:path').basename(__filename) + ' ' + process.argv[2])";

beforeAll(async () => {
    const options = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'error' } as const;
    await build({ ...options, entryPoints: ['cli/launch/launch.ts'], outfile: join(folder, 'cli.cjs') });
});

beforeEach(() => {
    rmSync(cache, { recursive: true, force: true });
    writeFileSync(program, SOURCE);
    CompiledProgram.fromSource(program).save();
});

afterAll(() => {
    rmSync(folder, { recursive: true });
});

function launch(...nodeOptions: string[]): string {
    const words = [...nodeOptions, join(folder, 'cli.cjs'), 'check'];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    return stdout + stderr;
}

test('the program runs as it was compiled', () => {
    expect(launch()).toBe('cli.cjs check');
});

test('without the cache it is compiled', () => {
    rmSync(cache);
    expect(launch()).toBe('orbit.cjs check');
});

test('a cache of another program, even one as long, counts for nothing', () => {
    writeFileSync(program, SOURCE.replace("' '", "'+'"));
    expect(launch()).toBe('orbit.cjs+check');
});

test('source maps are those of the module', () => {
    expect(launch('--enable-source-maps')).toBe('orbit.cjs check');
});

test('a cache that another V8 would refuse is refused', () => {
    expect(launch('--stack-size=900')).toBe('orbit.cjs check');
});

test('a cache of which a byte is wrong or missing counts for nothing', () => {
    const whole = readFileSync(cache);
    expect(CompiledProgram.fromCache(program)).toBeDefined();
    for (let index = 0; index < whole.length; index++) {
        const damaged = Buffer.from(whole);
        damaged[index] = (damaged[index] ?? 0) ^ 1;
        writeFileSync(cache, damaged);
        expect(CompiledProgram.fromCache(program), `byte ${index}`).toBeUndefined();
    }
    for (const length of [0, 1, 31, 32, 33, whole.length - 1]) {
        writeFileSync(cache, whole.subarray(0, length));
        expect(CompiledProgram.fromCache(program), `${length} bytes`).toBeUndefined();
    }
    expect(launch()).toBe('orbit.cjs check');
});
