/** Baselines of survivors (language-server/survivors.ts) as files. */
import {
    formatSurvivors,
    NO_SURVIVORS,
    toSurvivors,
    type Survivor,
    type SurvivorBaseline,
} from '../language-server/survivors.js';
import { readBaselineFile } from './baseline.js';
import { CallError } from './call-error.js';
import type { CommandIo } from './io.js';
import { checkOutputName, writeFile } from './output.js';

/** Throws a CallError if it is damaged, or missing although it must be there. */
export async function readSurvivors(path: string, mayBeMissing: boolean, io: CommandIo): Promise<SurvivorBaseline> {
    const content = await readBaselineFile(path, mayBeMissing, 'baseline of survivors', io);
    if (content === undefined) {
        return NO_SURVIVORS;
    }
    const survivors = toSurvivors(content);
    if (typeof survivors === 'string') {
        throw new CallError('call/baseline', `'${path}': ${survivors}`, path);
    }
    return survivors;
}

/** Writes the survivors in place of those of the same models and parameters, with the words of those that stay. */
export async function writeSurvivors(
    path: string,
    old: SurvivorBaseline,
    models: readonly { readonly model: Pick<Survivor, 'file' | 'params'>; readonly survivors: readonly Survivor[] }[],
    io: CommandIo,
): Promise<void> {
    checkOutputName(path, [], io);
    await writeFile(path, formatSurvivors(old, models), io);
}
