/** The mapping beside a model, or of the call: how lines of logs and of adapters are read. */
import { namesOfSteps, unknownInMapping } from '../language-server/judge-log.js';
import { NO_MAPPING, parseMapping, type LogMapping } from '../logs/log-mapping.js';
import type { LinearizedModel } from './analysis.js';
import { CallError } from './call-error.js';
import type { CommandIo } from './io.js';
import { readFile, readFileIfThere } from './output.js';

interface MappingOfCall {
    readonly path: string;
    readonly mapping: LogMapping;
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
