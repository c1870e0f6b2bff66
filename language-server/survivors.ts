/**
 * Baselines of survivors, files for review and CI: for each model and values of its parameters the changes that nothing
 * notices and that are accepted, each with a word why. They are JSON with a line for each, and know a place by its text.
 */
import { isRecord } from '../engine/common/record.js';
import type { DocumentValue, MutantDocument } from './document-schema.js';

/** A change, by the text around and at its place. */
interface ChangeOfText {
    readonly within: string;
    readonly change: string;
    readonly from: string;
    readonly to: string;
}

export interface Survivor extends ChangeOfText {
    /** From the folder of the baseline, with `/`. */
    readonly file: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    /** Why it is accepted: a text that people write. */
    readonly because: string;
}

export interface SurvivorBaseline {
    readonly schemaVersion: 1;
    readonly survivors: readonly Survivor[];
}

export const NO_SURVIVORS: SurvivorBaseline = { schemaVersion: 1, survivors: [] };

/** The baseline that a JSON document is, or what is wrong with it. */
export function toSurvivors(content: unknown): SurvivorBaseline | string {
    if (!isRecord(content) || content['schemaVersion'] !== 1 || !Array.isArray(content['survivors'])) {
        return 'it is no baseline of survivors of version 1';
    }
    const survivors: readonly unknown[] = content['survivors'];
    const wrong = survivors.findIndex(each => !isEntry(each));
    return wrong >= 0 ? `a part of survivors[${wrong}] is missing or wrong` : (content as unknown as SurvivorBaseline);
}

function isEntry(entry: unknown): boolean {
    const texts = ['file', 'within', 'change', 'from', 'to', 'because'];
    return isRecord(entry) && isRecord(entry['params']) && texts.every(key => typeof entry[key] === 'string');
}

/** Whether it is to be noticed, or accepted. Of several that are alike the first is. */
export function isSurvivor({ outcome, alikeTo }: Pick<MutantDocument, 'outcome' | 'alikeTo'>): boolean {
    return (outcome === 'survived' || outcome === 'mirrored') && alikeTo === undefined;
}

/** By survivor and by undecided mutant of one model the entry of the baseline that says the same, and how many say nothing. */
export function compareSurvivors<Judged extends Pick<MutantDocument, 'outcome' | 'alikeTo'> & ChangeOfText>(
    model: Pick<Survivor, 'file' | 'params'>,
    mutants: readonly Judged[],
    { survivors }: SurvivorBaseline,
): { readonly entryOf: ReadonlyMap<Judged, Survivor>; readonly unmatched: number } {
    const left = survivors.filter(each => keyOfModel(each) === keyOfModel(model));
    const entryOf = new Map<Judged, Survivor>();
    // The same change may be there twice; each entry accepts one.
    for (const mutant of [...mutants.filter(isSurvivor), ...mutants.filter(each => each.outcome === 'undecided')]) {
        const index = left.findIndex(each => keyOfChange(each) === keyOfChange(mutant));
        if (index >= 0) {
            left.splice(index, 1).forEach(entry => entryOf.set(mutant, entry));
        }
    }
    return { entryOf, unmatched: left.length };
}

/** The text of a baseline, with the survivors in place of those of the same models and parameters. */
export function formatSurvivors(
    old: SurvivorBaseline,
    models: readonly { readonly model: Pick<Survivor, 'file' | 'params'>; readonly survivors: readonly Survivor[] }[],
): string {
    const written = new Set(models.map(({ model }) => keyOfModel(model)));
    const all = [
        ...old.survivors.filter(each => !written.has(keyOfModel(each))),
        ...models.flatMap(({ survivors }) => survivors),
    ];
    const sorted = all
        .map((survivor, index) => ({ survivor, index }))
        .sort(({ survivor: one, index: a }, { survivor: other, index: b }) =>
            keyOfModel(one) === keyOfModel(other) ? a - b : keyOfModel(one) < keyOfModel(other) ? -1 : 1,
        );
    const lines = sorted.map(
        ({ survivor: { file, params, within, change, from, to, because } }) =>
            `    ${JSON.stringify({ file, params, within, change, from, to, because })}`,
    );
    const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
    return `{\n  "schemaVersion": 1,\n  "survivors": ${list}\n}\n`;
}

/** The order of declarations in the text does not matter. */
function keyOfModel({ file, params }: Pick<Survivor, 'file' | 'params'>): string {
    return JSON.stringify([file, Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

function keyOfChange({ within, change, from, to }: ChangeOfText): string {
    return JSON.stringify([within, change, from, to]);
}
