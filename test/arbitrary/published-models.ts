/** Small published systems, for values of their parameters: those of models/. */
import { readFileSync } from 'node:fs';
import type { Model } from '../../engine/model/model.js';
import { modelOf } from '../model-of-text.js';

/** Token circulation in a directed ring, started anywhere. */
export const tokenRing = published('token-ring', 'N');

/** Dining philosophers with forks as processes that meet in events. */
export const diningPhilosophers = published('dining-philosophers', 'N');

/** Peterson's algorithm for N processes (the filter lock). */
export const peterson = published('peterson', 'N');

/** One binary semaphore: non-critical, trying, critical. */
export const semaphoreMutex = published('semaphore-mutex', 'N');

/** Readers and writers with priorities: a reader enters if no writer is inside, a writer if nobody is. */
export const readersWriters = published('readers-writers', 'R', 'W');

/** Towers of Hanoi: disc 0 is the smallest; `peg[d]` is where disc d lies. */
export const hanoi = published('hanoi', 'N');

function published(name: string, ...parameters: readonly string[]): (...values: readonly number[]) => Promise<Model> {
    const text = readFileSync(new URL(`../../models/${name}.orbit`, import.meta.url), 'utf8');
    return (...values) =>
        modelOf(text, Object.fromEntries(parameters.map((parameter, index) => [parameter, values[index]!])));
}
