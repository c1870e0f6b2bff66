/**
 * How much of the symmetry of small systems is found: the group that detection finds beside all permutations of literals.
 *
 *     npx esbuild bench/completeness.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/completeness.mjs
 *     node out/bench/completeness.mjs [--models=500] [--seed=7]
 *
 * One line of JSON for each kind of system: how many there are, of how many all symmetries were found, and of the others
 * how many owe it to the way in which behavior is divided into steps. The exit code is 1 where a group is larger than it
 * can be, or smaller for no reason that docs/symmetry.md gives; the system is printed then.
 */
import { createRandom } from '../engine/common/random.js';
import { printSequentialModel } from '../engine/sequential/print.js';
import { compareWithAll } from '../test/agreement/completeness.js';
import { smallSystem, SYSTEM_KINDS } from '../test/arbitrary/small-systems.js';
import { toyModel } from '../test/arbitrary/toys.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const count = Math.ceil(option('models', 500) / SYSTEM_KINDS.length);
const seed = option('seed', freshSeed());
const random = createRandom(seed);
for (const kind of SYSTEM_KINDS) {
    const counts = { systems: 0, symmetric: 0, all: 0, divided: 0, unexplained: 0, unsound: 0 };
    for (let number = 0; number < count; number++) {
        const model = toyModel(smallSystem(random, kind));
        const { result, ofSteps } = compareWithAll(model);
        counts.systems++;
        counts.symmetric += ofSteps > 1 ? 1 : 0;
        counts[result]++;
        if (result === 'unexplained' || result === 'unsound') {
            console.log(`${result}\n${printSequentialModel(model)}`);
            process.exitCode = 1;
        }
    }
    console.log(JSON.stringify({ kind, seed, ...counts }));
}
