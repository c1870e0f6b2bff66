/** Output of a command: colors, JSON documents, files and errors about them. */
import type { DocumentProblem } from '../language-server/document-schema.js';
import type { ColorChoice, ReportFormat } from './options/invocation.js';
import { fileError } from './call-error.js';
import type { ExitCode } from './exit-code.js';
import type { CommandIo, TextSink } from './io.js';
import { describeFileError, describeWriteError } from './model-source.js';
import type { Suite } from './report/report.js';
import { colorsOf } from './terminal-text.js';
import type { TextStyle } from './text/layout.js';

const COLUMNS_WHEN_UNKNOWN = 120;

/** The style of text for a stream: its colors and its width. */
export function styleFor(sink: TextSink, choice: ColorChoice, environment: CommandIo['environment']): TextStyle {
    return {
        colors: colorsOf(wantsColor(sink, choice, environment)),
        columns: sink.columns ?? COLUMNS_WHEN_UNKNOWN,
    };
}

/** The option decides; else NO_COLOR and FORCE_COLOR as usual; else whether the stream is a capable terminal. */
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
    const text = JSON.stringify(document, undefined, 2);
    // JSON itself leaves some control characters as they are.
    const escaped = text.replaceAll(/[\u007f-\u009f]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`);
    io.stdout.write(`${escaped}\n`);
}

/** The forms of a report that other programs read. */
export type ProgramFormat = Extract<ReportFormat, 'sarif' | 'junit'>;

export function isForPrograms(format: ReportFormat | undefined): format is ProgramFormat {
    return format === 'sarif' || format === 'junit';
}

/** The one report of a call, which ends with `exitCode`. */
export async function writeReport(
    suites: readonly Suite[],
    exitCode: ExitCode,
    format: ProgramFormat,
    io: CommandIo,
): Promise<void> {
    if (format === 'sarif') {
        writeJson((await import('./report/sarif.js')).toSarif(suites, exitCode), io);
    } else {
        io.stdout.write((await import('./report/junit.js')).toJunit(suites));
    }
}

/** Reads a file that is no model; throws a CallError on failure. */
export async function readFile(path: string, io: CommandIo): Promise<Uint8Array> {
    try {
        return await io.readFile(path);
    } catch (error) {
        throw fileError('read', path, describeFileError(error));
    }
}

/** The same; undefined if there is no such file. */
export async function readFileIfThere(path: string, io: CommandIo): Promise<Uint8Array | undefined> {
    try {
        return await io.readFile(path);
    } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
            return undefined;
        }
        throw fileError('read', path, describeFileError(error));
    }
}

/** Throws a CallError if a file cannot be written: better before a long search than after it. */
export async function checkOutput(path: string, others: readonly (string | undefined)[], io: CommandIo): Promise<void> {
    checkOutputName(path, others, io);
    await writing(path, () => io.checkWritable(path));
}

/** Throws a CallError if an output would replace a model or another file of the call. */
export function checkOutputName(path: string, others: readonly (string | undefined)[], io: CommandIo): void {
    if (others.some(other => other !== undefined && io.absolutePath(other) === io.absolutePath(path))) {
        throw fileError('write', path, 'the call names it for something else, too');
    }
    if (path.endsWith('.orbit')) {
        throw fileError('write', path, 'that is the name of a model');
    }
}

/** Replaces a file; throws a CallError on failure. */
export async function writeFile(path: string, text: string, io: CommandIo): Promise<void> {
    await writing(path, () => io.writeFile(path, text));
}

/** A failure of `write` becomes a CallError about the file. */
export async function writing(path: string, write: () => Promise<void>): Promise<void> {
    try {
        await write();
    } catch (error) {
        throw fileError('write', path, describeWriteError(error));
    }
}

/** A problem with the call or with a whole file: it stands at the beginning of the file, or has no place. */
export function toCallProblem(code: string, message: string, file: string): DocumentProblem {
    return { severity: 'error', code, message, file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}
