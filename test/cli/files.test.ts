/** Large files: to ask whether one can be written changes nothing. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkReplaceable, checkWritable, writeParts } from '../../cli/files.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-files-'));
afterAll(() => {
    rmSync(folder, { recursive: true });
});

test('to ask whether a file can be written leaves everything as it was', async () => {
    const file = join(folder, 'checkpoint');
    await checkWritable(file);
    await checkReplaceable(file);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(`${file}.part`, 'what somebody else writes');
    await checkReplaceable(file);
    await checkWritable(`${file}.part`);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('what somebody else writes');
    await writeParts(file, [Uint8Array.of(65), Uint8Array.of(66)]);
    expect(readdirSync(folder)).toEqual(['checkpoint']);
    expect(readFileSync(file, 'utf8')).toBe('AB');
    await expect(checkWritable(join(folder, 'none', 'checkpoint'))).rejects.toThrow('ENOENT');
    await expect(checkReplaceable(join(folder, 'none', 'checkpoint'))).rejects.toThrow('ENOENT');
    await expect(checkWritable(folder)).rejects.toThrow('EISDIR');
    await expect(checkReplaceable(folder)).rejects.toThrow('nothing replaces a folder');
});
