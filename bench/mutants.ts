/**
 * Judges all mutants of the models in models/, at their defaults, against the baseline there.
 *
 *     npm run bench mutants [-- part of a model's name]
 *
 * A line of JSON for each model: mutants by outcome, survivors that the baseline does not have, and the processor seconds
 * of all of it, parsing included; a last line has the sums.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createTextOf } from '../engine/common/source-text.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { Mutants } from '../engine/mutants.js';
import { loadModel } from '../language-server/load-model.js';
import { benchOptions, ROOT } from './measure.js';

interface Known {
    readonly file: string;
    readonly change: string;
    readonly within: string;
    readonly from: string;
    readonly to: string;
}

const { part } = benchOptions(process.argv.slice(2));
const { survivors } = JSON.parse(readFileSync(`${ROOT}/models/survivors.json`, 'utf8')) as {
    survivors: readonly Known[];
};
const sums: Record<string, number> = {};

for (const file of readdirSync(`${ROOT}/models`).filter(name => name.endsWith('.orbit') && name.includes(part))) {
    const before = process.cpuUsage();
    const text = readFileSync(`${ROOT}/models/${file}`, 'utf8');
    const { model } = await loadModel(text, `file:///${file}`, []);
    if (model === undefined) {
        throw new Error(`${file} has errors`);
    }
    const mutants = new Mutants(model, { now: () => 0, textOf: createTextOf(() => text), workLimit: UNLIMITED });
    const accepted = survivors.filter(known => known.file === file).map(keyOf);
    const counts: Record<string, number> = { mutants: mutants.mutations.length };
    const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
    mutants.mutations.forEach((_, index) => {
        const mutant = mutants.judge(index);
        count(mutant.alikeTo === undefined ? mutant.outcome : 'alike');
        const isSurvivor = mutant.outcome === 'survived' || mutant.outcome === 'mirrored';
        if (isSurvivor && mutant.alikeTo === undefined) {
            const at = accepted.indexOf(keyOf({ ...mutant, file }));
            if (at < 0) {
                count('outside');
            } else {
                accepted.splice(at, 1);
            }
            if (mutant.effect?.kind !== 'more') {
                count('notMore');
            }
        }
    });
    const { user } = process.cpuUsage(before);
    counts['seconds'] = user / 1e6;
    Object.entries(counts).forEach(([name, value]) => (sums[name] = (sums[name] ?? 0) + value));
    console.log(JSON.stringify({ case: file.replace('.orbit', ''), ...counts }));
}
console.log(JSON.stringify({ case: 'all', ...sums }));

function keyOf({ file, change, within, from, to }: Known): string {
    return JSON.stringify([file, change, within, from, to]);
}
