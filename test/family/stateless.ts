/** Proofs about the families of arbitrary/stateless-families.ts, beside their definition check and their instances. */
import type * as fc from 'fast-check';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { checkEverySize } from '../../family/every-size.js';
import { checkViews } from '../../family/check-views.js';
import { valuesOfSizes } from '../../family/carrier.js';
import type { Refused } from '../../family/sized-instances.js';
import { statelessFamilyOf } from '../arbitrary/stateless-families.js';
import { checkable, exactVerdict, familyOf, viewsOf, type TestFamily } from './family.js';

export type StatelessComparison =
    | { readonly kind: 'refused'; readonly reason: string }
    /** Views prove nothing. */
    | { readonly kind: 'open' }
    | { readonly kind: 'agreed' }
    | { readonly kind: 'wrong'; readonly what: string; readonly text: string };

/** Configurations of a proof, and states of an instance. */
const MOST_STATES = 3000;

/** `mostSize`: the greatest number of members that are explored, of each family of a model with two of them the half. */
export async function compareStateless(random: fc.Random, mostSize: number): Promise<StatelessComparison> {
    const { text, parameters, countsFar } = statelessFamilyOf(random);
    const family = await familyOf(text, Object.keys(parameters));
    if (Array.isArray(family)) {
        return { kind: 'refused', reason: family[0] ?? '' };
    }
    const wrong = (what: string): StatelessComparison => ({ kind: 'wrong', what, text });
    const least = Object.values(parameters);
    // The command explores smaller ones, about which the proof says nothing.
    const proved = valuesOfSizes(family.narrow.carrier, family.narrow.least);
    const sizes = sizesFrom(
        least.map((value, index) => Math.max(value, proved[index] ?? 0)),
        mostSize,
    );
    const violatedAt = (list: readonly (readonly number[])[]): readonly number[] | undefined =>
        list.find(values => exactVerdict(family, values, checkable(family.narrow), MOST_STATES) === 'violated');
    const proof = proofOf(family);
    if (proof === 'refuted') {
        return wrong('the definition check refutes the proof');
    }
    if (proof === 'proved') {
        const violated = violatedAt(sizes);
        if (violated !== undefined) {
            return wrong(`violated for ${violated.join()}`);
        }
    }
    if (countsFar && proof === 'proved') {
        const command = checkEverySize(family.narrow, family.family, {
            workLimit: UNLIMITED,
            now: () => 0,
            properties: checkable(family.narrow),
            maxStates: MOST_STATES,
        });
        const isHolding = 'verdict' in command && command.verdict === 'holds';
        const violated = isHolding ? violatedAt(sizesFrom(least, 13)) : undefined;
        if (violated !== undefined) {
            return wrong(`violated for ${violated.join()}, which the command says holds`);
        }
    }
    if (typeof proof === 'object') {
        return { kind: 'refused', reason: proof.problems[0]?.message ?? '' };
    }
    return { kind: proof === 'proved' ? 'agreed' : 'open' };
}

/** By views of one or two members, checked again. */
function proofOf({ narrow }: TestFamily): 'proved' | 'refuted' | 'open' | Refused {
    for (const viewSize of [1, 2]) {
        const { views, end } = viewsOf(narrow, viewSize, MOST_STATES);
        if (end?.kind === 'refused') {
            return end;
        }
        if (end?.kind === 'limit') {
            return 'open';
        }
        if (end === undefined) {
            const texts = views.textsOf(narrow.largest.layout);
            const limit = withinQuestions(UNLIMITED, 10 * MOST_STATES);
            const check = checkViews(narrow, viewSize, texts, checkable(narrow), limit);
            return 'problems' in check ? check : check.verdict === 'refuted' ? 'refuted' : 'proved';
        }
    }
    return 'open';
}

/** All values from the least ones on; of several parameters those whose sum is at most `most`. */
function sizesFrom(least: readonly number[], most: number): number[][] {
    let sizes: number[][] = [[]];
    for (const first of least) {
        sizes = sizes.flatMap(before => {
            const left = most - before.reduce((sum, size) => sum + size, 0);
            return Array.from({ length: Math.max(0, left - first + 1) }, (_, more) => [...before, first + more]);
        });
    }
    return sizes;
}
