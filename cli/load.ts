/** From a named file to a typed model or its problems. Only here the front end is loaded: `--help` needs none. */
import type { Problem } from '../engine/common/problem.js';
import type { Model } from '../engine/model/model.js';
import type { Finish, LoadedQuestion, LoadResult, ReadImport } from '../language-server/load-model.js';
import type { EverySize } from '../language-server/family-of-document.js';
import type { FileOf } from '../language-server/documents.js';
import type { DocumentProblem } from '../language-server/document-schema.js';
import { isQuestion, type Question } from '../language-server/question/question.js';
import { CallError } from './call-error.js';
import type { CommandIo } from './io.js';
import { type ModelSource, decodeForExcerpts, readImportedSource, readModelSource } from './model-source.js';
import type { TextOf } from './text/problems.js';

export interface LoadedFile {
    readonly source: ModelSource;
    /** Absent if a problem is an error. */
    readonly model?: Model;
    /** The syntax tree behind the model. */
    readonly checked?: LoadResult['checked'];
    readonly problems: readonly Problem[];
    /** Warnings about useless parts of a correct model. */
    readonly advice: readonly Problem[];
    readonly fileOf: FileOf;
    readonly textOf: TextOf;
    readonly parseMilliseconds: number;
    /** The name of the run that is looked for. */
    readonly run?: string;
}

/** The name of a question in messages. */
const NAMES = { run: '--find', value: '--ask' } as const;

/** A file that is read, and those that it imports. */
interface Reading extends Pick<LoadedFile, 'source' | 'fileOf' | 'textOf'> {
    readonly readImport: ReadImport;
}

/**
 * With `question` also what it asks for. Throws a CallError if the file cannot be read, and TimeIsOver after
 * `deadline`, on the clock of `io`.
 */
export async function load(
    file: string,
    parameters: ReadonlyMap<string, string>,
    io: CommandIo,
    deadline = Infinity,
    question?: Question,
): Promise<LoadedFile> {
    const { readImport, ...reading } = await beginReading(file, io, question);
    const { source } = reading;
    const start = io.now();
    const { loadModel, loadWithQuestion } = await import('../language-server/load-model.js');
    const finish: Finish = work => io.finish(work, deadline - io.now());
    const { bytes, uri } = source;
    const {
        model,
        problems,
        advice = [],
        checked,
        run,
    }: LoadedQuestion = await (question === undefined
        ? loadModel(bytes, uri, parameters, readImport, finish)
        : loadWithQuestion(bytes, uri, question, parameters, readImport, finish));
    const hasErrors = problems.some(problem => problem.severity === 'error');
    return {
        ...reading,
        ...(run !== undefined && { run }),
        ...(model !== undefined && !hasErrors && { model, checked }),
        problems,
        advice,
        parseMilliseconds: io.now() - start,
    };
}

/** A model for all values of some parameters; see `load`. */
export async function loadFamily(
    file: string,
    parameters: ReadonlyMap<string, string>,
    io: CommandIo,
    deadline: number,
): Promise<{ readonly loaded: LoadedFile; readonly family: EverySize }> {
    const { readImport, ...reading } = await beginReading(file, io);
    const { source } = reading;
    const start = io.now();
    const { loadEverySize } = await import('../language-server/load-model.js');
    const family = await loadEverySize(source.bytes, source.uri, parameters, readImport, work =>
        io.finish(work, deadline - io.now()),
    );
    return { loaded: { ...reading, problems: [], advice: [], parseMilliseconds: io.now() - start }, family };
}

async function beginReading(file: string, io: CommandIo, question?: Question): Promise<Reading> {
    const source = await readModelSource(file, io);
    const imported = new Map<string, ModelSource>();
    return {
        source,
        readImport: async uri => {
            const read = await readImportedSource(uri, source, io);
            if (typeof read === 'string') {
                return { reason: read };
            }
            imported.set(uri, read);
            return { content: read.bytes };
        },
        // A range without a URI belongs to the file that was named.
        fileOf: uri =>
            question !== undefined && isQuestion(uri) ? NAMES[question.kind] : (imported.get(uri)?.file ?? source.file),
        textOf: name => {
            if (question !== undefined && name === NAMES[question.kind]) {
                return question.text;
            }
            const named = [source, ...imported.values()].find(each => each.file === name);
            return named && decodeForExcerpts(named);
        },
    };
}

/** The models that a call names, those in folders included; `baselineFile` is to know them by name. */
export async function filesOf(
    named: readonly string[],
    baselineFile: string | undefined,
    io: CommandIo,
): Promise<readonly string[]> {
    if (named.filter(file => file === '-').length > 1) {
        throw new CallError('call/file', 'standard input can be read only once', '-');
    }
    if (baselineFile !== undefined && named.includes('-')) {
        throw new CallError('call/file', 'standard input has no name that a baseline could know', '-');
    }
    const files = named.map(async name => {
        const models = name === '-' ? undefined : await io.modelsIn(name);
        if (models?.length === 0) {
            throw new CallError('call/file', 'there is no model in this folder', name);
        }
        return models ?? [name];
    });
    return (await Promise.all(files)).flat();
}

/** Sorts by file and place, then errors before warnings: the order does not depend on the stage. */
export function inOrderOfText(problems: readonly DocumentProblem[]): DocumentProblem[] {
    const severities = ['error', 'warning', 'information'];
    const files = [...new Set(problems.map(problem => problem.file))];
    return [...problems].sort(
        (first, second) =>
            files.indexOf(first.file) - files.indexOf(second.file) ||
            first.line - second.line ||
            first.column - second.column ||
            severities.indexOf(first.severity) - severities.indexOf(second.severity) ||
            (first.code < second.code ? -1 : first.code > second.code ? 1 : 0),
    );
}
