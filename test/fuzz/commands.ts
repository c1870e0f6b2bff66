/** What commands answer for any model, with any options: one of four exit codes, within the limit of time. */
import { createRandom, type Random } from '../../engine/common/random.js';
import { orbit } from '../cli/in-process.js';

const TIMEOUT_SECONDS = 1;
/** Processor time beyond the limit, for the text itself and for the report. */
const MOST_BEYOND_SECONDS = 1;

const SYMMETRY: readonly (readonly string[])[] = [['--why'], ['--property', 'deadlock'], ['--format', 'sarif']];
const EXPLORE: readonly (readonly string[])[] = [
    ['--reduction', 'unique'],
    ['--reduction', 'local'],
    ['--reduction', 'none'],
    ['--passes', 'all'],
    ['--passes', 'none'],
    ['--continue'],
    ['--max-violations', '3'],
    ['--states', 'fingerprint'],
    ['--each'],
    ['--coverage'],
    ['--property', 'deadlock'],
    ['--max-instances', '2'],
    ['--max-memory', '1M'],
    ['--format', 'junit'],
    ['--quiet'],
    ['--json'],
    ['--trace', 'trace.json'],
];

/** The calls of a case. */
function callsOf(text: string, random: Random): string[][] {
    const some = (all: readonly (readonly string[])[]): string[] =>
        all.flatMap(option => (random.below(all.length) < 3 ? option : []));
    const limits = ['--timeout', String(TIMEOUT_SECONDS)];
    const [, parameter] = /^\s*param\s+(\w+)/m.exec(text) ?? [];
    const explore = ['explore', ...limits, '--max-states', '3000', '--workers', '1'];
    return [
        ['symmetry', ...limits, ...some(SYMMETRY)],
        [...explore, ...some(EXPLORE)],
        ['verify', ...limits],
        ...(parameter === undefined
            ? []
            : [
                  [...explore, '--sweep', `${parameter}=0..2`],
                  [...explore, '--param', `${parameter}=all`],
              ]),
    ];
}

/** What was wrong with the answers of the commands to a model, one line for each call. */
export async function examineCommands(text: string, seed: number): Promise<string[]> {
    const wrong: string[] = [];
    for (const words of callsOf(text, createRandom(seed))) {
        const before = process.cpuUsage();
        const call = [...words, 'model.orbit'];
        const world = { files: { 'model.orbit': text }, endsWorkInTime: true, environment: { ORBIT_DEBUG: '1' } };
        const { exitCode, stdout, stderr } = await orbit(call, world);
        const seconds = process.cpuUsage(before).user / 1e6;
        if (![0, 1, 2, 3].includes(exitCode)) {
            wrong.push(`orbit ${call.join(' ')}: exit ${exitCode}: ${(stderr + stdout).slice(0, 1500)}`);
        }
        // A sweep has the limit for each of its three values.
        const limit = (words.includes('--sweep') ? 3 : 1) * TIMEOUT_SECONDS;
        if (seconds > limit + MOST_BEYOND_SECONDS) {
            wrong.push(`orbit ${call.join(' ')}: ${seconds.toFixed(1)} seconds of processor time`);
        }
    }
    return wrong;
}
