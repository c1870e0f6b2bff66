/** Files that come to no end: a folder of somebody else may hold links to anything. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { joinParts, readWhole, UnfitFile } from '../../language-server/disk-files.js';
import { buildServer, TestEditor } from './language-client.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-disk-'));
afterAll(() => {
    rmSync(folder, { recursive: true });
});

test('a file is read as a whole, up to 64 MB', async () => {
    const file = join(folder, 'large.orbit');
    writeFileSync(file, 'model M');
    expect(new TextDecoder().decode(await readWhole(file))).toBe('model M');
    truncateSync(file, 64 * 2 ** 20);
    expect(await readWhole(file)).toHaveLength(64 * 2 ** 20);
    truncateSync(file, 64 * 2 ** 20 + 1);
    await expect(readWhole(file)).rejects.toThrow(new UnfitFile('it has more than 64 MB, which no model has'));
    await expect(readWhole(join(folder, 'none.orbit'))).rejects.toThrow('ENOENT');
});

test('parts without an end are left when they are too long', async () => {
    let given = 0;
    const endless = async function* (): AsyncIterable<Uint8Array> {
        for (; ; given++) {
            yield await Promise.resolve(new Uint8Array(2 ** 20));
        }
    };
    await expect(joinParts(endless())).rejects.toThrow(UnfitFile);
    expect(given).toBe(64);
});

/** Only where there are such files. */
describe.runIf(existsSync('/dev/zero'))('imported by an open model', () => {
    // It read until memory was full, and a pipe kept the server from ending.
    test('a device and a pipe are missed at the import, and the server ends when it is told to', async () => {
        const { serverFile, remove } = await buildServer();
        const editor = await TestEditor.start(serverFile);
        symlinkSync('/dev/zero', join(folder, 'zero.orbit'));
        execFileSync('mkfifo', [join(folder, 'pipe.orbit')]);
        for (const name of ['zero', 'pipe']) {
            const uri = `file://${folder}/imports-${name}.orbit`;
            await editor.open(uri, `import "${name}.orbit"\nvar x: 0 .. 1 = 0\nprocess P { x := 1 }\n`);
            const found = await editor.diagnosticsWhere(uri, diagnostics => diagnostics.length > 0);
            expect(found).toEqual([expect.objectContaining({ code: 'import/not-found' })]);
        }
        await editor.stop();
        remove();
    });
});
