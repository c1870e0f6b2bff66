/**
 * The program as V8 has compiled it, in a file beside its bundle. Most calls take less time than parsing and compiling what
 * they use, and that is the same in every call.
 *
 * V8 compares versions and the length of the source, and then runs whatever the file says. So a digest binds the file to
 * this source, this Node and its own content, and where that does not fit, the file counts for nothing.
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
 * Fifteen times what is usual before V8 optimizes a function: it does that in a thread beside the program's, which in a call
 * of a second or two takes as much processor time as the call itself, for code that is hardly run. Without most of that the
 * program's own thread takes as long in a call of a second, and the whole call still less of the processor in one of four
 * seconds. And memory for new objects that is as large as it may be after its first collection: what a call makes at its
 * start stays, and is copied by each collection until then. Not every V8 has these flags; that of Node 20 does.
 */
const FOR_SHORT_CALLS = process.version.startsWith('v20.')
    ? '--interrupt-budget=1000000 --semi-space-growth-factor=16'
    : undefined;

/** What Node wraps a CommonJS module in. */
type ModuleFunction = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

export class CompiledProgram {
    /** As it stands in the file. */
    readonly #source: Buffer;
    readonly #script: Script;
    readonly #file: string;

    private constructor(file: string, source: Buffer, cachedData?: Buffer) {
        this.#file = file;
        this.#source = source;
        // Before it compiles: V8 compares the flags with those of the cache.
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

    /** From its source, at the full price. */
    static fromSource(file: string): CompiledProgram {
        return new CompiledProgram(file, readFileSync(file));
    }

    /** Absent where there is no file that holds it as compiled by this Node. */
    static fromCache(file: string): CompiledProgram | undefined {
        let cache: Buffer;
        try {
            cache = readFileSync(cacheOf(file));
        } catch {
            // Whatever the reason: it is of use where it can be read.
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

/** Where there are no other characters, bytes need not be decoded. */
function textOf(source: Buffer): string {
    return source.toString(isAscii(source) ? 'latin1' : 'utf8');
}

function digestOf(source: Buffer, compiled: Buffer): Buffer {
    const { version, platform, arch } = process;
    return createHash('sha256').update(`${version} ${platform} ${arch}\n`).update(source).update(compiled).digest();
}
