/** Large files: to ask whether one can be written changes nothing. */
import {
    chmodSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    rmSync,
    statSync,
    symlinkSync,
    utimesSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkReplaceable, checkWritable, entriesOf, writeParts, writeWhole } from '../../cli/files.js';
import { describeWriteError } from '../../cli/model-source.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-files-'));
afterAll(() => {
    rmSync(folder, { recursive: true });
});

test('to ask whether a file can be written leaves everything as it was', async () => {
    const file = join(folder, 'checkpoint');
    await checkWritable(file);
    await checkReplaceable(file);
    expect(readdirSync(folder)).toEqual([]);
    await writeParts(file, [Uint8Array.of(65), Uint8Array.of(66)]);
    expect(readdirSync(folder)).toEqual(['checkpoint']);
    expect(readFileSync(file, 'utf8')).toBe('AB');
    await expect(checkWritable(join(folder, 'none', 'checkpoint'))).rejects.toThrow('ENOENT');
    await expect(checkReplaceable(join(folder, 'none', 'checkpoint'))).rejects.toThrow('ENOENT');
    await expect(checkWritable(folder)).rejects.toThrow('EISDIR');
    await expect(checkReplaceable(folder)).rejects.toThrow('nothing replaces a folder');
});

test('two runs that write one file leave a whole one of either, and nothing beside it', async () => {
    const file = join(folder, 'shared');
    const parts = function* (letter: number): Iterable<Uint8Array> {
        for (let count = 0; count < 50; count++) {
            yield new Uint8Array(10_000).fill(letter);
        }
    };
    await Promise.all([writeParts(file, parts(65)), writeParts(file, parts(66))]);
    const text = readFileSync(file, 'utf8');
    expect(text === 'A'.repeat(500_000) || text === 'B'.repeat(500_000)).toBe(true);
    expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining('.part'));
});

test('a write that fails leaves the old file and no part of a new one', async () => {
    const file = join(folder, 'kept');
    await writeWhole(file, 'old');
    const failing = function* (): Iterable<Uint8Array> {
        yield Uint8Array.of(65);
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    await expect(writeParts(file, failing())).rejects.toThrow('no space');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining('.part'));
});

test('a file keeps its rights, and a link leads where it did', async () => {
    const file = join(folder, 'rights');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    const link = join(folder, 'link');
    symlinkSync(file, link);
    await writeWhole(link, 'new');
    expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'new']);
    expect(statSync(file).mode & 0o777).toBe(0o640);
});

test('a folder is said to be missing only where one is', () => {
    const error = (syscall: string): Error => Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall });
    expect(describeWriteError(error('open'))).toBe('there is no such folder');
    expect(describeWriteError(error('rename'))).toBe('what was written of it has been taken away meanwhile');
});

test('what a killed run has left is removed by the next one, and no file of one that may still run', async () => {
    const file = join(folder, 'abandoned');
    // No process has such a number.
    const gone = 2 ** 30;
    const hourAgo = new Date(Date.now() - 3_600_000);
    const leave = (name: string, isOld: boolean): void => {
        writeFileSync(join(folder, name), 'x');
        if (isOld) {
            utimesSync(join(folder, name), hourAgo, hourAgo);
        }
    };
    leave(`abandoned.${gone}-0.part`, true);
    const kept = [
        `abandoned.${gone}-1.part`,
        `abandoned.${process.pid}-999.part`,
        `abandoned2.${gone}-0.part`,
        'abandoned.part',
    ];
    kept.forEach((name, index) => {
        leave(name, index > 0);
    });
    await writeWhole(file, 'new');
    const parts = readdirSync(folder).filter(name => name.endsWith('.part'));
    expect(parts.sort()).toEqual([...kept].sort());
    parts.forEach(name => {
        rmSync(join(folder, name));
    });
});

test('a file of the same name is that of another run, and is left alone', async () => {
    const file = join(folder, 'taken');
    const names = Array.from({ length: 200 }, (_, count) => `taken.${process.pid}-${count}.part`);
    names.forEach(name => {
        writeFileSync(join(folder, name), 'of another run');
    });
    await writeWhole(file, 'mine');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(names.map(name => readFileSync(join(folder, name), 'utf8'))).toEqual(names.map(() => 'of another run'));
    names.forEach(name => {
        rmSync(join(folder, name));
    });
});

test('a link to a file is a file, and one to a folder, or to nothing, is none', async () => {
    const here = join(folder, 'listed');
    mkdirSync(join(here, 'below'), { recursive: true });
    writeFileSync(join(here, 'log'), '');
    symlinkSync(join(here, 'log'), join(here, 'linked'));
    symlinkSync(here, join(here, 'round'));
    symlinkSync(join(here, 'gone'), join(here, 'nowhere'));
    const entries = await entriesOf(here);
    const found = entries.map(({ name, isFile, isLink }) => [name, isFile, isLink]);
    expect(found.sort()).toEqual([
        ['below', false, false],
        ['linked', true, true],
        ['log', true, false],
        ['nowhere', false, true],
        ['round', false, true],
    ]);
    await expect(entriesOf(join(here, 'gone'))).rejects.toThrow('ENOENT');
});
