/** `orbit lsp --stdio`, with the bundles as they ship: the command answers as a language server does. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provideCommand } from './command.js';
import { orbit } from './in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-lsp-'));

beforeAll(async () => {
    const options = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'error' } as const;
    await provideCommand(folder);
    await build({ ...options, entryPoints: ['language-server/main.ts'], outfile: join(folder, 'server.cjs') });
});

afterAll(() => {
    rmSync(folder, { recursive: true });
});

test('it says what it can do, and ends when it is told to', async () => {
    const server = spawn(process.execPath, [join(folder, 'cli.cjs'), 'lsp', '--stdio'], { stdio: 'pipe' });
    const send = (message: object): void => {
        const text = JSON.stringify({ jsonrpc: '2.0', ...message });
        server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    let answer = '';
    server.stdout.setEncoding('utf8').on('data', (part: string) => (answer += part));
    const ended = new Promise(resolve => server.on('close', resolve));
    send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    await expect.poll(() => answer, { timeout: 20_000 }).toContain('"hoverProvider"');
    send({ id: 2, method: 'shutdown' });
    await expect.poll(() => answer, { timeout: 20_000 }).toContain('"id":2');
    send({ method: 'exit' });
    expect(await ended).toBe(0);
});

test('how it is to speak must be said', async () => {
    expect(await orbit(['lsp', '--stdio'])).toMatchObject({ exitCode: 0, stdout: 'language server' });
    const outcome = await orbit(['lsp']);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('--stdio');
});
