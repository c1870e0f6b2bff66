/**
 * Symmetry baselines, files for review and CI: for each model and values of its parameters the group that it had. They are
 * JSON with a line for each group, sorted, so that a change is a line of a diff.
 */
import { isRecord } from '../engine/common/record.js';
import type { SymmetryReport } from '../engine/describe/report.js';
import { formatPlainValue } from '../engine/describe/words.js';
import type { Model } from '../engine/model/model.js';
import { toDocumentParameters } from '../language-server/documents.js';
import type { DocumentValue } from '../language-server/document-schema.js';
import { CallError, fileError } from './call-error.js';
import type { CommandIo } from './io.js';
import { checkOutputName, readFileIfThere, writeFile } from './output.js';

export interface BaselineGroup {
    /** In decimal digits. */
    readonly order: string;
    readonly structure: string;
}

export interface BaselineEntry extends BaselineGroup {
    /** From the folder of the baseline, with `/`. */
    readonly file: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    /** By name, what the group does to instances and to values; those that it leaves alone are left out. */
    readonly families: Readonly<Record<string, BaselineGroup>>;
    readonly types: Readonly<Record<string, BaselineGroup>>;
}

export interface Baseline {
    readonly schemaVersion: 1;
    readonly models: readonly BaselineEntry[];
}

const NO_MODELS: Baseline = { schemaVersion: 1, models: [] };

/** Throws a CallError if it is damaged, or missing although it must be there. */
export async function readBaseline(path: string, mayBeMissing: boolean, io: CommandIo): Promise<Baseline> {
    const content = await readBaselineFile(path, mayBeMissing, 'symmetry baseline', io);
    if (content === undefined) {
        return NO_MODELS;
    }
    const damage = damageOf(content);
    if (damage !== undefined) {
        throw new CallError('call/baseline', `'${path}' is no symmetry baseline: ${damage}`, path);
    }
    return content as Baseline;
}

/** The content of a JSON file, whatever it is; undefined for one that is missing and may be. `kind` is a noun. */
export async function readBaselineFile(
    path: string,
    mayBeMissing: boolean,
    kind: string,
    io: CommandIo,
): Promise<unknown> {
    const bytes = await readFileIfThere(path, io);
    if (bytes === undefined) {
        if (mayBeMissing) {
            return undefined;
        }
        const error = fileError('read', path, 'there is no such file');
        throw new CallError('call/baseline', `${error.message}; --update-baseline writes one`, path);
    }
    try {
        return JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
        const why = error instanceof Error ? error.message : '';
        throw new CallError('call/baseline', `'${path}' is no ${kind}: it is not JSON: ${why}`, path);
    }
}

/** What is wrong with the content of a file; undefined if it is a baseline. */
function damageOf(content: unknown): string | undefined {
    if (!isRecord(content) || !Array.isArray(content['models'])) {
        return "it has no list of 'models'";
    }
    if (content['schemaVersion'] !== 1) {
        return `its version is ${JSON.stringify(content['schemaVersion'])}, and this Orbit reads version 1`;
    }
    const entries: readonly unknown[] = content['models'];
    const wrong = entries.findIndex(entry => !isEntry(entry));
    return wrong < 0 ? undefined : `a part of models[${wrong}] is missing or wrong`;
}

function isEntry(entry: unknown): boolean {
    return (
        isRecord(entry) &&
        typeof entry['file'] === 'string' &&
        isRecord(entry['params']) &&
        isGroup(entry) &&
        [entry['families'], entry['types']].every(groups => isRecord(groups) && Object.values(groups).every(isGroup))
    );
}

function isGroup(group: unknown): boolean {
    return (
        isRecord(group) &&
        typeof group['order'] === 'string' &&
        /^[1-9]\d*$/.test(group['order']) &&
        typeof group['structure'] === 'string'
    );
}

/** Writes the entries in place of those about the same models and parameters; others stay. */
export async function writeBaseline(
    path: string,
    old: Baseline,
    entries: readonly BaselineEntry[],
    io: CommandIo,
): Promise<void> {
    checkOutputName(path, [], io);
    const all = new Map([...old.models, ...entries].map(entry => [keyOf(entry), entry]));
    const models = [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
    await writeFile(path, formatBaseline({ schemaVersion: 1, models }), io);
}

/** One line for each group. */
function formatBaseline({ schemaVersion, models }: Baseline): string {
    const groups = (name: string, byName: BaselineEntry['families']): string => {
        const lines = Object.entries(byName)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(
                ([part, { order, structure }]) =>
                    `        ${JSON.stringify(part)}: ${JSON.stringify({ order, structure })}`,
            );
        return `      ${JSON.stringify(name)}: {${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n      `}}`;
    };
    const entries = models.map(({ file, params, order, structure, families, types }) => {
        const fields = Object.entries({ file, params, order, structure }).map(
            ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
        );
        return `    {\n${[...fields, groups('families', families), groups('types', types)].join(',\n')}\n    }`;
    });
    const list = entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n  ]`;
    return `{\n  "schemaVersion": ${schemaVersion},\n  "models": ${list}\n}\n`;
}

/** The entry of a model as it is now. */
export function baselineEntry(
    file: string,
    model: Model,
    { order, structure, families, types }: SymmetryReport,
): BaselineEntry {
    const moved = (groups: readonly (readonly [string, BaselineGroup])[]): Record<string, BaselineGroup> =>
        Object.fromEntries(groups.filter(([, group]) => BigInt(group.order) > 1n));
    return {
        file,
        params: toDocumentParameters(model),
        order,
        structure,
        families: moved(families.map(family => [family.name, { order: family.order, structure: family.structure }])),
        types: moved(
            types.flatMap(({ name, action }) =>
                action === undefined ? [] : [[name, { order: action.order, structure: action.structure }] as const],
            ),
        ),
    };
}

/** The entry about the same model and parameters, or why there is none. */
export function knownEntry({ models }: Baseline, { file, params }: BaselineEntry): BaselineEntry | string {
    const ofFile = models.filter(entry => entry.file === file);
    const known = ofFile.find(entry => keyOf(entry) === keyOf({ file, params }));
    if (known !== undefined) {
        return known;
    }
    const others = ofFile.map(entry => describeParameters(entry.params)).join('; ');
    return ofFile.length === 0
        ? 'the baseline does not have this model'
        : `the baseline has this model with ${others}, and not with ${describeParameters(params)}`;
}

function describeParameters(params: BaselineEntry['params']): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, '')}`);
    return values.join(', ') || 'no parameters';
}

/** The order of declarations in the text does not matter. */
function keyOf({ file, params }: Pick<BaselineEntry, 'file' | 'params'>): string {
    return JSON.stringify([file, Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

export function isSameEntry(one: BaselineEntry, other: BaselineEntry): boolean {
    return formatBaseline({ ...NO_MODELS, models: [one] }) === formatBaseline({ ...NO_MODELS, models: [other] });
}

/** The name of a model in a baseline: the same wherever the command is called. */
export function nameInBaseline(file: string, baseline: string, io: CommandIo): string {
    const to = io.absolutePath(file).replaceAll('\\', '/').split('/');
    const from = io.absolutePath(baseline).replaceAll('\\', '/').split('/').slice(0, -1);
    let common = 0;
    while (common < from.length && common < to.length - 1 && from[common] === to[common]) {
        common++;
    }
    return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
