/** Random texts with parameters, for comparing their instances, each by a seed and its number. */
import { createRandom } from '../../engine/common/random.js';
import { narrowModelOf } from '../arbitrary/narrow-models.js';
import { uniformModel } from '../arbitrary/sort-models.js';
import { valuedTextOf } from '../arbitrary/valued-texts.js';
import { randomOf } from '../family/agreement.js';

export const RANDOM_TEXTS: Readonly<Record<string, (seed: number, index: number) => string>> = {
    valued: (seed, index) => valuedTextOf(randomOf(seed, index)),
    uniform: (seed, index) => uniformModel(createRandom(seed + index)),
    narrow: (seed, index) => narrowModelOf(randomOf(seed, index)).text,
};
