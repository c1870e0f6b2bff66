import { createTextOf } from '../../engine/common/source-text.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Mutants } from '../../engine/mutants.js';
import type { Mutant } from '../../engine/mutate/mutation.js';
import { modelOf } from '../model-of-text.js';

export async function mutantsOf(text: string): Promise<readonly Mutant[]> {
    const mutants = new Mutants(await modelOf(text), {
        now: () => 0,
        textOf: createTextOf(() => text),
        workLimit: UNLIMITED,
    });
    return mutants.mutations.map((_, index) => mutants.judge(index));
}

/** `guard x < 3: killed by low` */
function describeMutant({ change, from, to, outcome, by, effect }: Mutant): string {
    const become = to === '' ? from : `${from} => ${to}`;
    const more = by === undefined ? (effect === undefined ? '' : `, ${effect.kind}`) : ` by ${by}`;
    return `${change} ${become}: ${outcome}${more}`;
}

export async function describedMutants(text: string): Promise<readonly string[]> {
    return (await mutantsOf(text)).map(describeMutant);
}
