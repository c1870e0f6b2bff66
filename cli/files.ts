/** Large files, part by part. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { OpenFile } from './io.js';

/** See CommandIo. */
export async function writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void> {
    const unfinished = `${path}.part`;
    const handle = await open(unfinished, 'w');
    try {
        try {
            for (const part of parts) {
                // From where the last one ended.
                await handle.writeFile(part);
            }
            await handle.sync();
        } finally {
            await handle.close();
        }
        await rename(unfinished, path);
    } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
    }
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
