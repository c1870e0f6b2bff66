/**
 * The program as V8 has compiled it, in a file beside its bundle: parsing and compiling take most of the time of a
 * short call. V8 itself only compares versions and the length of the source, so a digest binds the file to this
 * source, this Node and its own content; a file that does not fit is ignored.
 */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const DIGEST_BYTES = 32;

/**
 * Two flags of the V8 of Node 20 for short calls. Optimizing compilation begins later, by a factor of fifteen: in
 * calls of a second or two it takes as much processor time as the call. The memory for new objects grows at once,
 * because the data from the start of a call lives long and would be copied by each collection.
 */
const FOR_SHORT_CALLS = process.version.startsWith('v20.')
    ? '--interrupt-budget=1000000 --semi-space-growth-factor=16'
    : undefined;

/** The function that Node wraps around a CommonJS module. */
type ModuleFunction = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

export class CompiledProgram {
    /** The bytes of the file. */
    readonly #source: Buffer;
    readonly #script: Script;
    readonly #file: string;

    private constructor(file: string, source: Buffer, cachedData?: Buffer) {
        this.#file = file;
        this.#source = source;
        // Before compiling, because V8 compares the flags with those of the cache.
        if (FOR_SHORT_CALLS !== undefined) {
            setFlagsFromString(FOR_SHORT_CALLS);
        }
        this.#script = new Script(
            `(function (exports, require, module, __filename, __dirname) {${textOf(source)}\n})`,
            {
                filename: file,
                ...(cachedData !== undefined && { cachedData }),
            },
        );
    }

    /** Compiles the source. */
    static fromSource(file: string): CompiledProgram {
        return new CompiledProgram(file, readFileSync(file));
    }

    /** Undefined if there is no file that this Node has compiled. */
    static fromCache(file: string): CompiledProgram | undefined {
        let cache: Buffer;
        try {
            cache = readFileSync(cacheOf(file));
        } catch {
            // A cache that cannot be read is no cache.
            return undefined;
        }
        const source = readFileSync(file);
        const [digest, compiled] = [cache.subarray(0, DIGEST_BYTES), cache.subarray(DIGEST_BYTES)];
        if (!digestOf(source, compiled).equals(digest)) {
            return undefined;
        }
        const program = new CompiledProgram(file, source, compiled);
        return program.#script.cachedDataRejected === true ? undefined : program;
    }

    /** Runs it as if it were the file `entry`. */
    run(entry: string): void {
        const module = { exports: {} };
        const run = this.#script.runInThisContext() as ModuleFunction;
        run(module.exports, createRequire(entry), module, entry, dirname(entry));
    }

    /** Writes the file, with every function that has been called so far. */
    save(): void {
        const compiled = this.#script.createCachedData();
        writeFileSync(cacheOf(this.#file), Buffer.concat([digestOf(this.#source, compiled), compiled]));
    }
}

function cacheOf(file: string): string {
    return join(dirname(file), 'orbit.cache');
}

/** ASCII needs no decoding. */
function textOf(source: Buffer): string {
    return source.toString(isAscii(source) ? 'latin1' : 'utf8');
}

function digestOf(source: Buffer, compiled: Buffer): Buffer {
    const { version, platform, arch } = process;
    return createHash('sha256').update(`${version} ${platform} ${arch}\n`).update(source).update(compiled).digest();
}
