/**
 * Part of the build, in a process of its own: calls the program in its main ways and writes the compiled code. A
 * function that no call needs is compiled when it is called.
 *
 *     node make-cache.cjs      in the root of the repository; the program stands beside this file
 */
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { CompiledProgram } from './compiled-program.js';
import { EXIT } from '../exit-code.js';

/** In models with channels, records, trees and violations; searches that are long are cut short. */
const CALLS = [
    'check models/german-cache.orbit models/msi-bus.orbit models/raft-election.orbit',
    'check models/readers-writers.orbit --json',
    'format --check models/bakery.orbit',
    'simulate models/elevator.orbit --steps 20',
    'export models/alternating-bit.orbit --to dot',
    'verify models/dining-philosophers.orbit',
    'expand models/dining-philosophers.orbit --initial',
    'symmetry models/three-tier.orbit --json',
    'symmetry models/two-hop-coloring.orbit',
    'explore models/leader-election-ring.orbit --reduction none --coverage',
    'explore models/two-phase-commit.orbit --max-states 2000 --json',
    'explore models/semaphore-mutex.orbit --reduction unique --param N=6',
    'explore models/peterson.orbit --reduction unique --param N=4',
    'explore models/three-tier.orbit --reduction unique --max-states 200',
    'explore models/three-tier-rendezvous.orbit --reduction unique --param clients=[4,4,3]',
    'explore models/two-hop-coloring.orbit --reduction unique --max-states 200',
];

async function main(): Promise<void> {
    // Each call adds a listener.
    setMaxListeners(2 * CALLS.length, process.stdout, process.stderr);
    const program = CompiledProgram.fromSource(join(__dirname, 'orbit.cjs'));
    for (const call of CALLS) {
        process.argv.splice(2, Infinity, ...call.split(' '));
        program.run(join(__dirname, 'cli.cjs'));
        await once(process, 'beforeExit');
        const exitCode = Number(process.exitCode);
        if (exitCode === EXIT.wrong || exitCode === EXIT.defect) {
            throw new Error(`orbit ${call}: exit code ${exitCode}`);
        }
    }
    program.save();
    process.exitCode = EXIT.holds;
}

void main();
