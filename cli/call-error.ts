/** The call is wrong: an unknown option, a missing file. Exit code 2. */

/** `code` is a path like those of problems in models: `call/option`, `call/file`. */
export class CallError extends Error {
    override readonly name = 'CallError';
    readonly code: string;
    /** The file that the error is about; empty for the call itself. */
    readonly file: string;

    constructor(code: string, message: string, file = '') {
        super(message);
        this.code = code;
        this.file = file;
    }
}

/** A limit stands against a result. Exit code 3. */
export class UndecidedError extends Error {
    override readonly name = 'UndecidedError';
    /** `limit/…` */
    readonly code: string;

    constructor(code: string, message: string) {
        super(message);
        this.code = code;
    }
}

/** The error for a file that cannot be read or written. */
export function fileError(verb: 'read' | 'write', file: string, why: string): CallError {
    return new CallError('call/file', `cannot ${verb} '${file}': ${why}`, file);
}
