/** Families whose processes have other cells at other sizes: a state of one is then no state of another. */
import { describe, expect, test } from 'vitest';
import { randomOf } from './agreement.js';
import { familyOf, verdictOf } from './family.js';
import { compareStateless } from './stateless.js';

function family(process: string, invariant = '!bad'): string {
    return `param N: 1 .. 64 = 3
type Proc = 1 .. N
var n: 0 .. 11 = 0
var bad: bool = false
${process}
invariant safe = ${invariant}
allow deadlock
`;
}

const MANY = 'count(q in Proc: true) >= 4';
const IDLE = 'loop { idle: skip }';
const WORK = 'a: skip; b: skip; c: bad := true';

describe('a process has no state of its own at some sizes', () => {
    // By hand: bad from four members on, since the test is true from four on.
    test.each([
        ['with few members', `process P[i: Proc] { if ${MANY} { ${WORK} } else { ${IDLE} } }`],
        [
            'by a function',
            `function many(): bool = ${MANY}\nprocess P[i: Proc] { if many() { ${WORK} } else { ${IDLE} } }`,
        ],
        ['before a loop', `process P[i: Proc] { while !(${MANY}) { idle: skip }; ${WORK} }`],
        ['alone', `process P[i: Proc] { loop { x: skip } }\nprocess Solo { if ${MANY} { ${WORK} } else { ${IDLE} } }`],
        [
            'in one role of three, and in two of them with more',
            `process P[i: Proc, k: 0 .. 2] { if k == 0 || (k == 1 && ${MANY}) { a: skip; b: skip; c: bad := k == 1 } else { ${IDLE} } }`,
        ],
        [
            'in the other role',
            `process P[i: Proc, k: 0 .. 1] { if (k == 0) == (${MANY}) { a: skip; b: skip; c: bad := ${MANY} } else { ${IDLE} } }`,
        ],
        [
            'in no role, but the places of one are those of the other',
            `process P[i: Proc, k: 0 .. 1] { if (k == 0) == (${MANY}) { a: skip; b: bad := k == 0 } else { c: skip; d: skip } }`,
        ],
        [
            'for a fixed value',
            `type All = 0 .. N\nprocess P[i: All] { if (exists q in Proc: q == i) || !(${MANY}) { ${IDLE} } else { ${WORK} } }`,
        ],
    ])('%s: violated from four members on', async (_, process) => {
        const { verdict, proof, violation } = await verdictOf(family(process));
        // The command would find it among small instances beside a wrong proof.
        expect([verdict, proof, violation?.values]).toEqual(['violated', undefined, [4]]);
    });

    test('only with one member, which is explored: the others are proved', async () => {
        const lock = `var free: bool = true
process P[i: Proc] { if exists j in Proc: j != i { loop { enter: when free { free := false }; inside: free := true } } }`;
        const { verdict, proof } = await verdictOf(family(lock, 'count(i in Proc: P[i] at inside) <= 1'));
        expect([verdict, proof?.rechecked]).toEqual(['holds', true]);
    });

    test('only with one member, and the eleventh to arrive finds a lock that is open: not proved', async () => {
        const lock = `process P[i: Proc] { if exists j in Proc: j != i {
    arrive: when n < 11 { n := n + 1 }
    loop { enter: when n == 11 || !(exists j in Proc: P[j] at inside); inside: skip }
} }`;
        const { verdict, proof } = await verdictOf(family(lock, 'count(i in Proc: P[i] at inside) <= 1'));
        expect([verdict, proof]).toEqual(['undecided', undefined]);
    });

    test('up to ten members: refused, since so many would have to be explored', async () => {
        const text = family(`process P[i: Proc] { if count(q in Proc: true) < 11 { ${IDLE} } else { ${WORK} } }`);
        expect(await familyOf(text)).toEqual(['1:7 the control of processes depends on whether `N` is large enough']);
    });
});

test('a proof about random families agrees with its definition and with their instances', async () => {
    let agreed = 0;
    for (let index = 0; index < 15; index++) {
        const comparison = await compareStateless(randomOf(Number(process.env['ORBIT_SEED'] ?? 33), index), 4);
        expect(comparison.kind === 'wrong' ? comparison : undefined).toBeUndefined();
        agreed += comparison.kind === 'agreed' ? 1 : 0;
    }
    // So many of the first models of any seed are proved at least; otherwise the test would say nothing.
    expect(agreed).toBeGreaterThan(2);
}, 120_000);
