/**
 * Specifications of the TLA+ Examples, written twice: with sets (of cases, too), or with rows and a constraint, and with
 * arrays of truth values and numbers for subsets. The numbers of states are those that its `manifest.json` publishes for
 * TLC, whose "states generated" are the transitions and the initial states; groups and orbits are those of ports into the
 * language as it was without sets.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

interface Row {
    readonly name: string;
    /** What the second text is written with; sets if absent. */
    readonly uses?: 'rows' | 'records' | 'cases' | 'sequences';
    readonly states: number;
    /** Where the manifest tells the states generated: the transitions. */
    readonly transitions?: number;
    readonly group: string;
    readonly orbits: number;
}

const ROWS: readonly Row[] = [
    // transaction_commit/TwoPhase: 1,146 states generated from one initial state.
    { name: 'two-phase', states: 288, transitions: 1_145, group: 'S3', orbits: 80 },
    // bcastByz/bcastByz
    { name: 'byzantine-broadcast', states: 14_424, group: 'S4', orbits: 680 },
    // PaxosHowToWinATuringAward/MCVoting
    { name: 'voting', states: 6_752, group: 'S3 x C2', orbits: 686 },
    // allocator/SchedulingAllocator: 5,854 states generated from one initial state.
    { name: 'scheduling-allocator', states: 1_690, transitions: 5_853, group: 'S3 x C2', orbits: 165 },
    // ewd840/EWD840
    { name: 'termination-detection', states: 302, group: 'trivial', orbits: 302 },
    // PaxosHowToWinATuringAward/MCPaxosTiny
    { name: 'paxos', uses: 'cases', states: 3_921, group: 'S3 x C2', orbits: 443 },
    // btree/kvstore: 28,585 states generated from one initial state.
    {
        name: 'key-value-store',
        uses: 'cases',
        states: 2_641,
        transitions: 28_584,
        group: 'S3 x S3',
        orbits: 124,
    },
    // SimplifiedFastPaxos/Paxos: the manifest has the orbits, since TLC counts this one with symmetry.
    { name: 'paxos-of-four', uses: 'cases', states: 48_514, group: 'S4 x S3', orbits: 1_207 },
    // transaction_commit/PaxosCommit
    { name: 'paxos-commit', uses: 'cases', states: 1_321_761, group: 'S3 wr C2', orbits: 45_056 },
    // FiniteMonotonic/MCCRDT, with Divergence = 3
    { name: 'grow-only-counter', uses: 'rows', states: 25_000, group: 'S3', orbits: 4_320 },
    // ReadersWriters/MC: 59,674 states generated from one initial state.
    { name: 'readers-writers', uses: 'sequences', states: 21_527, transitions: 59_673, group: 'S3', orbits: 3_601 },
    // SingleLaneBridge/MC
    { name: 'single-lane-bridge', uses: 'sequences', states: 3_605, group: 'D4', orbits: 540 },
    // tcp/MCtcp
    { name: 'tcp', uses: 'sequences', states: 1_182, group: 'C2', orbits: 598 },
    // SpecifyingSystems/MCInnerFIFO
    { name: 'inner-fifo', uses: 'sequences', states: 3_864, group: 'S3 x C2 x C2', orbits: 169 },
    // SpecifyingSystems/MCAlternatingBit
    { name: 'alternating-bit', uses: 'sequences', states: 240, group: 'C2 x C2', orbits: 60 },
    // FiniteMonotonic/MCReplicatedLog
    { name: 'replicated-log', uses: 'sequences', states: 1_363, group: 'S3 x C2', orbits: 176 },
    // acp/ACP_NB_TLC
    { name: 'atomic-commit', uses: 'records', states: 4_284, group: 'C2', orbits: 2_199 },
    // MultiCarElevator/ElevatorSafetySmall: 14,296 states generated from 64 initial states.
    { name: 'elevators', uses: 'cases', states: 4_122, transitions: 14_232, group: 'C2', orbits: 2_270 },
    // allocator/AllocatorImplementation: 64,414 states generated from one initial state.
    {
        name: 'allocator-implementation',
        uses: 'sequences',
        states: 17_701,
        transitions: 64_413,
        group: 'S3 x C2',
        orbits: 1_623,
    },
];

async function explored(file: string, options: ReducedExplorationOptions) {
    const analysis = await analysisOf(readFileSync(`test/published/${file}.orbit`, 'utf8'));
    const { exploration, interpretedBecause } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    const { verdict, states, transitions } = report ?? {};
    return { verdict, states, transitions, group: analysis.symmetry?.report.structure, interpretedBecause };
}

/** Rows with more states take seconds. */
const MOST_STATES_AT_ONCE = 3_000;

const isLarge = ({ states }: Row): boolean => states > MOST_STATES_AT_ONCE;

describe.each([
    { rows: ROWS.filter(row => !isLarge(row)), tags: [] },
    { rows: ROWS.filter(isLarge), tags: ['thorough'] },
])('rows', ({ rows, tags }) => {
    test.each(rows)(
        '$name has the published states and its orbits, and as many transitions in both texts',
        { tags },
        async ({ name, uses = 'sets', states, transitions, group, orbits }) => {
            const forms = [`with-${uses}`, 'with-arrays'];
            const all = await Promise.all(forms.map(form => explored(`${name}-${form}`, { reduction: 'none' })));
            for (const each of all) {
                expect(each).toMatchObject({ verdict: 'holds', states, group, interpretedBecause: undefined });
                expect(each.transitions).toBe(transitions ?? all[0]?.transitions);
            }
            for (const form of forms) {
                const reduced = await explored(`${name}-${form}`, { reduction: 'unique' });
                expect(reduced).toMatchObject({ verdict: 'holds', states: orbits, interpretedBecause: undefined });
            }
        },
    );
});
