/** The survivors of the models in models/ are accepted in models/survivors.json, each with a word why. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { invariant } from '../../engine/common/assert.js';
import { Mutants } from '../../engine/mutants.js';
import { mutationsOf } from '../../engine/mutate/mutations.js';
import type { Model } from '../../engine/model/model.js';
import { loadModel } from '../../language-server/load-model.js';

interface Survivor {
    readonly file: string;
    readonly within: string;
    readonly change: string;
    readonly from: string;
    readonly to: string;
    readonly because: string;
}

const { survivors } = JSON.parse(readFileSync('models/survivors.json', 'utf8')) as {
    survivors: readonly Survivor[];
};

function keyOf({ within, change, from, to }: Omit<Survivor, 'file' | 'because'>): string {
    return JSON.stringify([within, change, from, to]);
}

async function modelIn(file: string): Promise<{ readonly model: Model; readonly text: string }> {
    const text = readFileSync(`models/${file}`, 'utf8');
    const { model } = await loadModel(text, `file:///${file}`, []);
    invariant(model !== undefined, 'a shipped model has no errors');
    return { model, text };
}

test.each(readdirSync('models').filter(file => file.endsWith('.orbit')))(
    'what is accepted of %s is a change of it, and has a word why',
    async file => {
        const { model, text } = await modelIn(file);
        const left = mutationsOf(
            model,
            createTextOf(() => text),
        ).map(keyOf);
        for (const survivor of survivors.filter(each => each.file === file)) {
            const index = left.indexOf(keyOf(survivor));
            expect(index, keyOf(survivor)).toBeGreaterThanOrEqual(0);
            left.splice(index, 1);
            expect(survivor.because).not.toBe('');
        }
    },
);

// All of them take two minutes: `npm run bench mutants`.
test.each(['bakery.orbit', 'hanoi.orbit', 'msi-bus.orbit', 'peterson.orbit', 'token-mutex.orbit'])(
    'what survives of %s is accepted',
    async file => {
        const { model, text } = await modelIn(file);
        const mutants = new Mutants(model, { now: () => 0, textOf: createTextOf(() => text), workLimit: UNLIMITED });
        const surviving = mutants.mutations
            .map((_, index) => mutants.judge(index))
            .filter(
                ({ outcome, alikeTo }) => (outcome === 'survived' || outcome === 'mirrored') && alikeTo === undefined,
            );
        expect(surviving.map(keyOf)).toEqual(survivors.filter(each => each.file === file).map(keyOf));
    },
);
