/**
 * Explores a model of many equal processes (equal-processes.orbit), of which one firing for each state of a process is enough.
 *
 *     npm run bench equal-processes [rounds]
 *
 * A line of JSON for each number of processes: states and transitions, and the processor seconds of the exploration alone,
 * code generation included.
 */
import { readFileSync } from 'node:fs';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { findSymmetries, startExploration } from '../engine/pipeline.js';
import { loadModel } from '../language-server/load-model.js';
import { benchOptions, ROOT, spread } from './measure.js';

const TEXT = readFileSync(`${ROOT}/bench/equal-processes.orbit`);
const { rounds } = benchOptions(process.argv.slice(2));

for (const count of [32, 64, 128, 256]) {
    const { model } = await loadModel(TEXT, 'file:///equal-processes.orbit', [['N', String(count)]]);
    if (model === undefined) {
        throw new Error('the model has errors');
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const runs = Array.from({ length: rounds }, () => {
        const before = process.cpuUsage();
        const { exploration } = startExploration(analysis, { reduction: 'auto' }, UNLIMITED);
        while (!exploration.advance(UNLIMITED));
        const { user, system } = process.cpuUsage(before);
        return { seconds: (user + system) / 1e6, report: exploration.result().report };
    });
    const { states, transitions } = runs[0]?.report ?? {};
    const seconds = spread(runs.map(run => run.seconds));
    console.log(JSON.stringify({ case: `N=${count}`, states, transitions, seconds }));
}
