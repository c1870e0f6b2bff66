/** Large files, part by part, and the models in folders. */
import { type Stats, closeSync, fstatSync, openSync, promises, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FolderEntry } from '../logs/find-logs.js';
import type { OpenFile } from './io.js';

/** See CommandIo. */
export async function modelsIn(path: string): Promise<readonly string[] | undefined> {
    const entries = await promises.readdir(path, { withFileTypes: true }).catch(() => undefined);
    const found = entries?.map(async entry => {
        const file = join(path, entry.name);
        return entry.isDirectory()
            ? entry.name.startsWith('.') || entry.name === 'node_modules'
                ? []
                : ((await modelsIn(file)) ?? [])
            : entry.name.endsWith('.orbit')
              ? [file]
              : [];
    });
    return found && (await Promise.all(found)).flat().sort();
}

/** See CommandIo. */
export async function entriesOf(path: string): Promise<readonly FolderEntry[]> {
    const entries = await promises.readdir(path, { withFileTypes: true });
    return Promise.all(
        entries.map(async entry => ({
            name: entry.name,
            isFile: entry.isSymbolicLink() ? (await statOf(join(path, entry.name)))?.isFile() === true : entry.isFile(),
            isLink: entry.isSymbolicLink(),
        })),
    );
}

/** See CommandIo. */
export async function writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void> {
    if (await isDevice(path)) {
        await writeAndClose(await promises.open(path, 'w'), parts);
        return;
    }
    // What a link leads to is replaced, and not the link.
    const target = await promises.realpath(path).catch(() => path);
    await removeAbandoned(target);
    const { handle, name } = await openUnfinished(target, (await statOf(target))?.mode);
    try {
        await writeAndClose(handle, parts);
        await promises.rename(name, target);
    } catch (error) {
        await promises.rm(name, { force: true });
        throw error;
    }
}

/** A new file: one that is there may be that of another run. */
async function openUnfinished(
    target: string,
    mode: number | undefined,
): Promise<{ readonly handle: promises.FileHandle; readonly name: string }> {
    for (;;) {
        const name = unfinishedName(target);
        try {
            return { handle: await promises.open(name, 'wx', mode), name };
        } catch (error) {
            if (!hasCode(error, 'EEXIST')) {
                throw error;
            }
        }
    }
}

/** A run that is still at it has written within this time. */
const ABANDONED_MILLISECONDS = 10 * 60 * 1000;

/** Removes unfinished files of runs that were killed. Whatever stands in the way is not worth an error. */
async function removeAbandoned(target: string): Promise<void> {
    const folder = dirname(target);
    const names = await promises.readdir(folder).catch(() => []);
    for (const name of names) {
        const [, id] = name.startsWith(`${basename(target)}.`) ? (UNFINISHED.exec(name) ?? []) : [];
        if (id !== undefined && !isRunning(Number(id))) {
            const path = join(folder, name);
            const { mtimeMs = Infinity } = (await statOf(path)) ?? {};
            // A file of another machine, in a folder that both see, has the number of a process there.
            if (Date.now() - mtimeMs > ABANDONED_MILLISECONDS) {
                await promises.rm(path, { force: true }).catch(() => undefined);
            }
        }
    }
}

function isRunning(id: number): boolean {
    try {
        process.kill(id, 0);
        return true;
    } catch (error) {
        return !hasCode(error, 'ESRCH');
    }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
    return error instanceof Error && 'code' in error && codes.some(code => code === error.code);
}

/** See CommandIo. */
export async function writeWhole(path: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    try {
        await writeParts(path, [bytes]);
    } catch (error) {
        // A file may be written to in a folder that takes no new ones.
        if (!hasCode(error, 'EACCES', 'EPERM')) {
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

async function writeAndClose(handle: promises.FileHandle, parts: Iterable<Uint8Array>): Promise<void> {
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

/** The end of such a name, with the number of the process. */
const UNFINISHED = /\.(\d+)-\d+\.part$/;
