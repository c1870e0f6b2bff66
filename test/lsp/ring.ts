/** A small model and a report on it that no engine has made, for tests of what is shown and when. */
import type { SourceRange } from '../../engine/common/source-range.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { positionOf } from './language-client.js';

export const RING_URI = 'file:///ring.orbit';

export const RING = `/// A token goes round.
model Ring

/// How many there are.
param N: 2 .. 8 = 3
type Proc = 0 .. N - 1

/// Whose turn it is.
var turn: Proc = 0
var label: 0 .. 1[Proc] = any

/// Passes the turn on.
process P[i: Proc] {
  var k: bool = false
  loop {
    pass: when turn == i {
      k := !k;
      turn := (i + 1) mod N
    }
  }
}

invariant safe = turn < N
`;

/** Where \`search\` stands for the first time in the ring. */
export function rangeIn(search: string): SourceRange {
    return { uri: RING_URI, start: positionOf(RING, search), end: positionOf(RING, search, search.length) };
}

export const RING_REPORT: SymmetryReport = {
    order: '6',
    structure: 'C6',
    factors: [{ structure: 'C6', order: '6', permutes: 'the 6 values of `Corner` can be rotated', moves: ['turn'] }],
    generators: [],
    variableOrbits: [],
    literalOrbits: 3,
    properties: [
        { name: 'deadlock', kind: 'deadlock', order: '6', structure: 'C6' },
        { name: 'safe', kind: 'invariant', order: '2', structure: 'C2', range: rangeIn('safe') },
    ],
    explored: { order: '2', structure: 'C2' },
    graph: { vertices: 0, edges: 0 },
    complete: true,
    verified: true,
    refuted: false,
    assertions: [],
    broken: [
        {
            expected: 'S3',
            found: 'C3',
            subject: 'instances of P',
            index: 2,
            counterparts: [],
            repairs: [],
            locations: [{ range: rangeIn('(i + 1) mod N'), text: '(i + 1) mod N' }],
            message: 'the instances of P can be rotated but not exchanged',
            declaration: rangeIn('P[i: Proc]'),
        },
    ],
    potentialStates: '192',
    potentialOrbits: '40',
    reachable: { statesPerOrbit: 4.8, standardError: 0.1, states: 100, walks: 16 },
    families: [
        {
            name: 'P',
            range: rangeIn('P[i: Proc]'),
            instances: 3,
            orbits: [['P[0]', 'P[1]', 'P[2]']],
            structure: 'C3',
            order: '3',
        },
    ],
    variables: [
        {
            name: 'label',
            range: rangeIn('label'),
            roles: ['Values 0 and 1 are interchangeable.', 'Moves with its process.'],
            orbit: ['label[0]', 'label[1]', 'label[2]'],
            generator: '(P[0] P[1] P[2])',
        },
        { name: 'P.k', range: rangeIn('k: bool'), roles: ['Moves with its process.'], orbit: [] },
    ],
    types: [{ name: 'Proc', range: rangeIn('Proc'), action: { structure: 'C3', order: '3', orbitSizes: [3] } }],
    work: {
        literals: 0,
        summands: 0,
        fragmentsReused: 0,
        fragmentsEncoded: 0,
        searches: 0,
        treeNodes: 0,
        refinements: 0,
    },
    timings: { linearize: 0, encode: 0, automorphisms: 0, group: 0, explain: 0, total: 0 },
};

/** What a search without a violation says of the ring. */
export const RING_EXPLORED: ExploreDocument = {
    schemaVersion: 1,
    model: 'Ring',
    params: { N: 3 },
    verdict: 'holds',
    reduction: { group: 'C2', order: '2', start: 'kept', startOrder: '2', strategy: 'list', unique: true },
    states: 12,
    transitions: 24,
    depth: 3,
    deadlocks: 0,
    seconds: 0,
    statesPerSecond: 0,
    bytesPerState: 4,
    passes: [],
    peakBytes: 48,
    workers: 1,
    violations: [],
};
