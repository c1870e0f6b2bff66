import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import type { Fact } from '../../family/facts.js';
import { solveSorts, type UniformSorts } from '../../family/infer-sorts.js';
import { factsOf } from '../../family/rules.js';
import { toCertificate } from '../../family/sort-certificate.js';
import { loadModel } from '../../language-server/load-model.js';
import { uniformModel } from '../arbitrary/sort-models.js';

const MODELS = new URL('../../models/', import.meta.url);

const PUBLISHED = readdirSync(MODELS)
    .filter(file => file.endsWith('.orbit'))
    .map(file => [file, readFileSync(new URL(file, MODELS), 'utf8')] as const);

const random = createRandom(1979);
const RANDOM = Array.from({ length: 60 }, (_, number) => [`random model ${number}`, uniformModel(random)] as const);

/** The class of each place and the group of each class; the tables of a group are a set. */
function answerOf(sorts: UniformSorts): unknown {
    const { classes, places } = toCertificate(sorts);
    const groups = classes.map(claim =>
        claim.group === 'alike' ? { ...claim, tables: [...claim.tables].sort() } : claim,
    );
    return { groups, places, isRefused: sorts.refusal !== undefined };
}

function shuffled(facts: readonly Fact[]): Fact[] {
    return facts
        .map(fact => ({ fact, key: random.below(2 ** 30) }))
        .sort((first, second) => first.key - second.key)
        .map(({ fact }) => fact);
}

test.each([...PUBLISHED, ...RANDOM])(
    'the facts of %s in any order make the same classes and groups',
    async (_, text) => {
        const { checked } = await loadModel(text, 'file:///model.orbit');
        if (checked === undefined) {
            return;
        }
        const ruled = factsOf(checked.model);
        const expected = answerOf(solveSorts(ruled));
        for (let round = 0; round < 3; round++) {
            expect(answerOf(solveSorts({ ...ruled, facts: shuffled(ruled.facts) }))).toEqual(expected);
        }
    },
);
