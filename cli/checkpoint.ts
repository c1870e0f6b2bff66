/**
 * Checkpoints: files from which an exploration that was ended by a limit can be continued.
 *
 *     ORBITCP1, the length of the header in 4 bytes (little-endian), the header, the memories, their SHA-256
 *
 * The header is JSON: the subject of the exploration, its counts and findings, the lengths of its memories. A file is
 * first written under another name, so that a failure keeps the old one. It is checked as a whole before use.
 */
import { createHash } from 'node:crypto';
import type { ExplorationSnapshot, ExplorationState, StoredExploration } from '../engine/explore/snapshot.js';
import { CallError, fileError } from './call-error.js';
import type { CommandIo, OpenFile } from './io.js';
import { describeFileError } from './model-source.js';
import { writing } from './output.js';
import { VERSION } from './version.js';

const MAGIC = new TextEncoder().encode('ORBITCP1');
const DIGEST_BYTES = 32;
/** A header is much shorter, since findings are few. */
const MOST_HEADER_BYTES = 2 ** 28;
/** Bytes copied at a time; memories that threads share must be copied to be written. */
const PART_BYTES = 2 ** 20;

interface Header {
    readonly version: string;
    readonly model: string;
    /** SHA-256 of `ReducedExploration.identity`. */
    readonly identity: string;
    readonly state: ExplorationState;
    readonly counts: Readonly<Record<string, number>>;
    readonly memories: readonly number[];
}

/** The exploration that a checkpoint belongs to. */
export interface CheckpointSubject {
    readonly model: string;
    /** As of `ReducedExploration.identity`. */
    readonly identity: string;
}

/** A checkpoint whose bytes are right; it may belong to another exploration. */
export interface Checkpoint {
    readonly file: string;
    readonly model: string;
    readonly identity: string;
    readonly exploration: StoredExploration;
    close(): void;
}

/** Writes a checkpoint and returns its length in bytes. Throws a CallError if it cannot be written. */
export async function writeCheckpoint(
    file: string,
    subject: CheckpointSubject,
    { state, search }: ExplorationSnapshot,
    io: CommandIo,
): Promise<number> {
    const header: Header = {
        version: VERSION,
        model: subject.model,
        identity: digestOf(subject.identity),
        state,
        counts: search.counts,
        memories: search.memories.map(({ byteLength }) => byteLength),
    };
    let byteCount = 0;
    function* parts(): Generator<Uint8Array, void> {
        const hash = createHash('sha256');
        const text = new TextEncoder().encode(JSON.stringify(header));
        const length = new Uint8Array(4);
        new DataView(length.buffer).setUint32(0, text.length, true);
        for (const part of [MAGIC, length, text, ...search.memories.flatMap(partsOf)]) {
            const own = part.slice();
            hash.update(own);
            byteCount += own.length;
            yield own;
        }
        byteCount += DIGEST_BYTES;
        yield hash.digest();
    }
    await writing(file, () => io.writeParts(file, parts()));
    return byteCount;
}

/** Throws a CallError if a checkpoint could not be written: better now than after an hour. */
export async function checkReplaceable(file: string, io: CommandIo): Promise<void> {
    await writing(file, () => io.checkReplaceable(file));
}

/** Reads and checks a checkpoint. Throws a CallError if there is none, or it is damaged. `close` ends the reading. */
export function openCheckpoint(file: string, io: CommandIo): Checkpoint {
    const fail = (what: string): never => {
        throw new CallError('call/checkpoint', `'${file}' ${what}`, file);
    };
    checkDigest(file, fail, io);
    const open = openFile(file, io);
    const header = readHeader(open, fail);
    if (header.version !== VERSION) {
        open.close();
        fail(`was written by Orbit ${header.version}, and this is ${VERSION}`);
    }
    return {
        file,
        model: header.model,
        identity: header.identity,
        exploration: {
            state: header.state,
            search: {
                counts: header.counts,
                memories: header.memories.map(byteLength => ({
                    byteLength,
                    readInto(target): void {
                        for (const part of partsOf(target)) {
                            const own = new Uint8Array(part.length);
                            open.readInto(own);
                            part.set(own);
                        }
                    },
                })),
            },
        },
        close: () => {
            open.close();
        },
    };
}

/** Throws a CallError if the checkpoint belongs to another exploration than the one with this identity. */
export function checkSubject(checkpoint: Checkpoint, { model, identity }: CheckpointSubject): void {
    const { file } = checkpoint;
    if (checkpoint.model !== model) {
        const message = `'${file}' is a checkpoint of the model '${checkpoint.model}', not of '${model}'`;
        throw new CallError('call/checkpoint', message, file);
    }
    if (checkpoint.identity !== digestOf(identity)) {
        throw new CallError(
            'call/checkpoint',
            `'${file}' is a checkpoint of another exploration: the model has changed since, or the parameters, ` +
                'the properties, the passes, the reduction or `--por` are others',
            file,
        );
    }
}

function digestOf(text: string): string {
    return createHash('sha256').update(text).digest('hex');
}

/** Views of consecutive parts. */
function partsOf(bytes: Uint8Array): Uint8Array[] {
    return Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) =>
        bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
    );
}

/** Every failure with the file, now or later, is an error of the call. */
function openFile(file: string, io: CommandIo): OpenFile {
    const attempt = <Result>(read: () => Result): Result => {
        try {
            return read();
        } catch (error) {
            throw fileError('read', file, describeFileError(error));
        }
    };
    const open = attempt(() => io.openFile(file));
    return {
        byteLength: open.byteLength,
        readInto: target => {
            attempt(() => {
                open.readInto(target);
            });
        },
        close: () => {
            open.close();
        },
    };
}

type Fail = (what: string) => never;

function checkDigest(file: string, fail: Fail, io: CommandIo): void {
    const open = openFile(file, io);
    try {
        readHeader(open, fail, 'and its length');
    } finally {
        open.close();
    }
    const whole = openFile(file, io);
    try {
        const hash = createHash('sha256');
        const part = new Uint8Array(PART_BYTES);
        for (let left = whole.byteLength - DIGEST_BYTES; left > 0; left -= PART_BYTES) {
            const read = part.subarray(0, Math.min(left, PART_BYTES));
            whole.readInto(read);
            hash.update(read);
        }
        const digest = new Uint8Array(DIGEST_BYTES);
        whole.readInto(digest);
        if (!hash.digest().equals(digest)) {
            fail('is damaged: its contents are not those that were written');
        }
    } finally {
        whole.close();
    }
}

/** The header; on request it is also checked that the file has the length that the header gives. */
function readHeader(open: OpenFile, fail: Fail, alsoChecks?: 'and its length'): Header {
    const start = new Uint8Array(MAGIC.length + 4);
    if (open.byteLength < start.length) {
        fail('is no checkpoint');
    }
    open.readInto(start);
    if (!MAGIC.every((byte, index) => byte === start[index])) {
        fail('is no checkpoint');
    }
    const length = new DataView(start.buffer).getUint32(MAGIC.length, true);
    const left = open.byteLength - start.length - DIGEST_BYTES;
    if (length > left || length > MOST_HEADER_BYTES) {
        fail('is damaged: it is cut short');
    }
    const text = new Uint8Array(length);
    open.readInto(text);
    const header = parseHeader(text) ?? fail('is damaged: its contents are not those that were written');
    const expected = header.memories.reduce((sum, byteLength) => sum + byteLength, length);
    if (alsoChecks !== undefined && left !== expected) {
        fail(`is damaged: ${left < expected ? 'it is cut short' : 'it is longer than it was written'}`);
    }
    return header;
}

/** Undefined if it is no header; the digest says whether it is whole. */
function parseHeader(text: Uint8Array): Header | undefined {
    try {
        const header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as Partial<Header> | null;
        return Array.isArray(header?.memories) ? (header as Header) : undefined;
    } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) {
            return undefined;
        }
        throw error;
    }
}
