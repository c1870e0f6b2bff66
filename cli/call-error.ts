/** The call cannot be carried out as it was made: an unknown option, a file that is not there. Exit code 2. */

/** `code` is a path like those of problems in models: `call/option`, `call/file`. */
export class CallError extends Error {
    override readonly name = 'CallError';
    readonly code: string;
    /** The file the trouble is with; empty where it is the call itself. */
    readonly file: string;

    constructor(code: string, message: string, file = '') {
        super(message);
        this.code = code;
        this.file = file;
    }
}

/** That a file cannot be read or written, and why. */
export function fileError(verb: 'read' | 'write', file: string, why: string): CallError {
    return new CallError('call/file', `cannot ${verb} '${file}': ${why}`, file);
}
