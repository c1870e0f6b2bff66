/**
 * Where the parts of a result go: documents to stdout as JSON, text to stdout, problems to whoever reads them. One
 * object for one invocation; it knows the form that was asked for, so that commands need not ask.
 */
import pc from 'picocolors';
import type { DocumentProblem } from '../language-server/protocol.js';
import type { ColorChoice } from './options/invocation.js';
import { fileError } from './call-error.js';
import type { CommandIo, TextSink } from './io.js';
import { describeFileError, describeWriteError } from './model-source.js';
import type { TextStyle } from './text/layout.js';

const COLUMNS_WHEN_UNKNOWN = 120;

/** The style of text for a stream: whether colors are wanted there, and how wide it is. */
export function styleFor(sink: TextSink, choice: ColorChoice, environment: CommandIo['environment']): TextStyle {
    return {
        colors: pc.createColors(wantsColor(sink, choice, environment)),
        columns: sink.columns ?? COLUMNS_WHEN_UNKNOWN,
    };
}

/** The option decides; else NO_COLOR and FORCE_COLOR as is usual; else whether a person looks at a capable terminal. */
function wantsColor(sink: TextSink, choice: ColorChoice, environment: CommandIo['environment']): boolean {
    switch (choice) {
        case 'always':
            return true;
        case 'never':
            return false;
        case 'auto':
            if (isSet(environment['NO_COLOR'])) {
                return false;
            }
            return isSet(environment['FORCE_COLOR']) || (sink.isTerminal && environment['TERM'] !== 'dumb');
    }
}

function isSet(value: string | undefined): boolean {
    return value !== undefined && value !== '';
}

/** The one JSON document of a call. */
export function writeJson(document: object, io: CommandIo): void {
    io.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

/** A file that is no model; throws a CallError where it cannot be read. */
export async function readFile(path: string, io: CommandIo): Promise<Uint8Array> {
    try {
        return await io.readFile(path);
    } catch (error) {
        throw fileError('read', path, describeFileError(error));
    }
}

/** Throws a CallError where a file could not be written: better now than after an hour. */
export async function checkOutput(path: string, others: readonly (string | undefined)[], io: CommandIo): Promise<void> {
    checkOutputName(path, others, io);
    try {
        await io.checkWritable(path);
    } catch (error) {
        throw fileError('write', path, describeWriteError(error));
    }
}

/** Throws a CallError where an output would take the place of a model, or of one of the other files of the call. */
export function checkOutputName(path: string, others: readonly (string | undefined)[], io: CommandIo): void {
    if (others.some(other => other !== undefined && io.absolutePath(other) === io.absolutePath(path))) {
        throw fileError('write', path, 'the call names it for something else, too');
    }
    if (path.endsWith('.orbit')) {
        throw fileError('write', path, 'that is the name of a model');
    }
}

/** Replaces a file; throws a CallError where it cannot be written. */
export async function writeFile(path: string, text: string, io: CommandIo): Promise<void> {
    try {
        await io.writeFile(path, text);
    } catch (error) {
        throw fileError('write', path, describeWriteError(error));
    }
}

/** A problem with the call or with a file as a whole: it stands at the file's beginning, or nowhere. */
export function toCallProblem(code: string, message: string, file: string): DocumentProblem {
    return { severity: 'error', code, message, file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}
