/** The mapping beside a model, or of the call: how lines of logs and of adapters are read. */
import { namesOfSteps, unknownInMapping } from '../language-server/judge-log.js';
import { findLogs, TooManyFolders } from '../logs/find-logs.js';
import { NO_MAPPING, parseMapping, type LogMapping } from '../logs/log-mapping.js';
import type { LinearizedModel } from './analysis.js';
import { CallError, fileError } from './call-error.js';
import type { CommandIo } from './io.js';
import { describeFileError } from './model-source.js';
import { readFile, readFileIfThere } from './output.js';

interface MappingOfCall {
    readonly path: string;
    readonly mapping: LogMapping;
}

/** The logs that a mapping names. Throws a CallError if there are none, or a folder cannot be read. */
export async function logsOf({ path, mapping }: MappingOfCall, io: CommandIo): Promise<readonly string[]> {
    const { logs } = mapping;
    if (logs.length === 0) {
        const why = mapping === NO_MAPPING ? `there is no '${path}'` : `'${path}' has none`;
        const call = 'orbit match MODEL LOG…';
        throw new CallError('call/option', `no logs: give them, ${call}, or name them by 'logs' of a mapping; ${why}`);
    }
    const folder = path.replace(/[^/\\]*$/, '');
    const list = async (names: readonly string[]): ReturnType<CommandIo['entriesOf']> => {
        const below = `${folder}${names.join('/')}`;
        try {
            return await io.entriesOf(below === '' ? '.' : below);
        } catch (error) {
            // `..` may lead to none, one may be gone since it was seen, and what is no file may be no folder either.
            if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) {
                return [];
            }
            throw fileError('read', below, describeFileError(error));
        }
    };
    const found = await findLogs(logs, list).catch((error: unknown) => {
        throw error instanceof TooManyFolders
            ? new CallError('log/syntax', `'${path}': ${error.message}`, path)
            : error;
    });
    if (found.length === 0) {
        const named = logs.map(pattern => `'${pattern}'`).join(', ');
        throw new CallError('call/option', `no logs: no file is as 'logs' of '${path}' says, ${named}`, path);
    }
    return found.map(names => `${folder}${names.join('/')}`);
}

interface MappingOptions {
    readonly mapFile?: string;
    /** Steps that a log need not show; separated by commas, too. */
    readonly hidden?: readonly string[];
}

export async function readMapping(file: string, { mapFile }: MappingOptions, io: CommandIo): Promise<MappingOfCall> {
    const path = mapFile ?? `${file.replace(/\.orbit$/, '')}.log.json`;
    const bytes = await (mapFile === undefined ? readFileIfThere(path, io) : readFile(path, io));
    const mapping = bytes === undefined ? NO_MAPPING : parseMapping(new TextDecoder().decode(bytes));
    if (typeof mapping === 'string') {
        throw new CallError('log/syntax', `'${path}': ${mapping}`, path);
    }
    return { path, mapping };
}

/** The mapping with what the call hides. Throws a CallError for a step or a type that the model does not have. */
export function withHidden(
    { path, mapping }: MappingOfCall,
    steps: ReadonlySet<string>,
    { model }: Pick<LinearizedModel, 'model'>,
    { hidden = [] }: MappingOptions,
): LogMapping {
    const { settings } = mapping;
    const known = namesOfSteps(model, steps);
    const hiddenHere = hidden.flatMap(names => names.split(',')).map(name => name.trim());
    const unknown = hiddenHere.find(name => !known.has(name));
    if (unknown !== undefined) {
        throw new CallError('call/option', `no step or event is called '${unknown}'`);
    }
    const unknownHere = unknownInMapping(mapping, model, steps);
    if (unknownHere !== undefined) {
        throw new CallError('log/syntax', `'${path}': ${unknownHere}`, path);
    }
    const hides = new Set([...settings.hides, ...hiddenHere]);
    const both = [...(mapping.inputs ?? [])].find(name => hides.has(name));
    if (both !== undefined) {
        throw new CallError('log/syntax', `'${path}': '${both}' is hidden and an input, which a tester sees`, path);
    }
    return { ...mapping, settings: { ...settings, hides } };
}
