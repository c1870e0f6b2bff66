/**
 * How long the proof for all values of the parameters takes for each published model, whatever these values are.
 *
 *     npx esbuild bench/uniform-times.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/uniform-times.mjs
 *     node out/bench/uniform-times.mjs [--rounds=5] [part of a name]
 *
 * One line of JSON for each model: the median of the rounds, without parsing and linking. The exit code is 1 if one takes
 * 50 milliseconds or more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { loadModel } from '../language-server/load-model.js';
import { inferSorts } from '../family/infer-sorts.js';

const MOST_MILLISECONDS = 50;

const rounds = Number(process.argv.find(argument => argument.startsWith('--rounds='))?.slice(9) ?? 5);
const part = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? '';

for (const file of readdirSync('models').filter(name => name.endsWith('.orbit') && name.includes(part))) {
    const text = readFileSync(`models/${file}`, 'utf8');
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
        // A tree of its own for each round: lists of nodes are kept with the tree.
        const { checked } = await loadModel(text, `file:///${file}`);
        if (checked === undefined) {
            throw new Error(`${file} has errors`);
        }
        const start = performance.now();
        inferSorts(checked.model);
        times.push(performance.now() - start);
    }
    const milliseconds = times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
    console.log(JSON.stringify({ model: file, milliseconds: Math.round(milliseconds * 100) / 100 }));
    if (milliseconds >= MOST_MILLISECONDS) {
        process.exitCode = 1;
    }
}
