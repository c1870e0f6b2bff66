/** Files on disk, each read as a whole if that comes to an end: a folder of somebody else may hold links to anything. */
import { constants, promises } from 'node:fs';

/** More than any model has; a device without an end exceeds it. */
const LARGEST_BYTES = 64 * 2 ** 20;

/** It is there, but not read. The message ends a sentence about it. */
export class UnfitFile extends Error {
    override readonly name = 'UnfitFile';
}

/** Files that a shell hands to a program, whose other end is there. */
const HANDED_OVER = /^\/dev\/(stdin|fd\/\d+)$/;

/** Throws UnfitFile, or as node's `open` and `read` do. */
export async function readWhole(path: string): Promise<Uint8Array> {
    const isHandedOver = HANDED_OVER.test(path);
    // Without a writer, a pipe would keep a thread of the process, also when that is to end.
    const handle = await promises.open(path, constants.O_RDONLY | (isHandedOver ? 0 : constants.O_NONBLOCK));
    try {
        if (!isHandedOver && (await handle.stat()).isFIFO()) {
            throw new UnfitFile('it is a pipe');
        }
        return await joinParts(handle.createReadStream({ autoClose: false }));
    } finally {
        await handle.close();
    }
}

/** Throws UnfitFile if they are too long together. */
export async function joinParts(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const all: Uint8Array[] = [];
    let size = 0;
    for await (const part of parts) {
        all.push(part);
        size += part.length;
        if (size > LARGEST_BYTES) {
            throw new UnfitFile(`it has more than ${LARGEST_BYTES / 2 ** 20} MB, which no model has`);
        }
    }
    return Buffer.concat(all);
}
