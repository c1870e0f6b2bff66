/** Large files, part by part. */
import { type Stats, closeSync, fstatSync, openSync, promises, readSync } from 'node:fs';
import type { OpenFile } from './io.js';

/** See CommandIo. */
export async function writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void> {
    if (await isDevice(path)) {
        await writeInto(path, parts);
        return;
    }
    // What a link leads to is replaced, and not the link.
    const target = await promises.realpath(path).catch(() => path);
    const unfinished = unfinishedName(target);
    try {
        await writeInto(unfinished, parts, (await statOf(target))?.mode);
        await promises.rename(unfinished, target);
    } catch (error) {
        await promises.rm(unfinished, { force: true });
        throw error;
    }
}

/** See CommandIo. */
export async function writeWhole(path: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    try {
        await writeParts(path, [bytes]);
    } catch (error) {
        // A file may be written to in a folder that takes no new ones.
        if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) {
            throw error;
        }
        await promises.writeFile(path, bytes);
    }
}

/** See CommandIo. */
export async function checkWritable(path: string): Promise<void> {
    const wasThere = (await statOf(path)) !== undefined;
    await (await promises.open(path, 'a')).close();
    if (!wasThere) {
        await promises.rm(path);
    }
}

/** See CommandIo. */
export async function checkReplaceable(path: string): Promise<void> {
    if ((await statOf(path))?.isDirectory() === true) {
        throw Object.assign(new Error('nothing replaces a folder'), { code: 'EISDIR' });
    }
    await checkWritable((await isDevice(path)) ? path : unfinishedName(path));
}

/** See CommandIo. */
export function openFile(path: string): OpenFile {
    const descriptor = openSync(path, 'r');
    return {
        byteLength: fstatSync(descriptor).size,
        readInto(target): void {
            for (let read = 0; read < target.length;) {
                const count = readSync(descriptor, target, read, target.length - read, null);
                if (count === 0) {
                    throw new Error('the file has become shorter');
                }
                read += count;
            }
        },
        close(): void {
            closeSync(descriptor);
        },
    };
}

async function writeInto(path: string, parts: Iterable<Uint8Array>, mode?: number): Promise<void> {
    const handle = await promises.open(path, 'w', mode);
    try {
        for (const part of parts) {
            // From where the last one ended.
            await handle.writeFile(part);
        }
        if ((await handle.stat()).isFile()) {
            await handle.sync();
        }
    } finally {
        await handle.close();
    }
}

/** Whether something stands there that is no file and no folder: a device is written to and not replaced. */
async function isDevice(path: string): Promise<boolean> {
    const there = await statOf(path);
    return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** Undefined if there is no file, or it cannot be looked at. */
async function statOf(path: string): Promise<Stats | undefined> {
    return promises.stat(path).catch(() => undefined);
}

let unfinishedCount = 0;

/** A name for a file that is not complete: two runs with one output have different ones, so that both stay whole. */
function unfinishedName(path: string): string {
    return `${path}.${process.pid}-${unfinishedCount++}.part`;
}
