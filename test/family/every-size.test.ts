/** Verdicts for all values of a parameter, and proofs that are checked again. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OperationCancelled, UNLIMITED } from '../../engine/common/work-limit.js';
import { checkViews } from '../../family/check-views.js';
import { checkable, narrowFamilyOf, verdictOf, viewsOf } from './family.js';

/** By hand: a cache is invalid, shared or exclusive, and two are never exclusive. */
const MESI = `param N: 1 .. 64 = 4
type Cache = 1 .. N
enum Line = { invalid, shared, exclusive, modified }
var line: Line[Cache] = invalid
process Control[i: Cache] {
    loop {
        choose { when line[i] == invalid && (forall j in Cache: line[j] == invalid) { line[i] := exclusive } }
        or     { when line[i] == invalid && (exists j in Cache: line[j] != invalid) { line := [j in Cache: if j == i || line[j] != invalid then shared else invalid] } }
        or     { when line[i] != modified { line := [j in Cache: if j == i then modified else invalid] } }
        or     { line[i] := invalid }
    }
}
invariant coherent = forall i, j in Cache where i != j: line[i] == modified || line[i] == exclusive implies line[j] == invalid
`;

/** The lock of the README. */
const LOCK = readFileSync('README.md', 'utf8').split('```orbit\n')[1]?.split('```')[0] ?? '';

describe('models', () => {
    // The numbers of views: computed for the design with another program, in another language, from the same method.
    test.each([
        ['semaphore-mutex', ['N'], 2, 15],
        ['msi-bus', ['N'], 2, 8],
        ['readers-writers', ['R', 'W'], 2, 26],
        ['two-phase-commit', ['N'], 1, 15],
        ['leader-election-complete', ['N'], 1, 12],
    ] as const)('%s holds for all', async (name, parameters, viewSize, views) => {
        const { narrow } = await narrowFamilyOf(readFileSync(`models/${name}.orbit`, 'utf8'), parameters);
        const found = viewsOf(narrow, viewSize);
        expect([found.end, found.views.count]).toEqual([undefined, views]);
        const { layout } = narrow.largest;
        const texts = Array.from({ length: found.views.count }, (_, view) => found.views.textOf(view, layout));
        expect(checkViews(narrow, viewSize, texts, checkable(narrow), UNLIMITED)).toEqual({
            verdict: 'verified',
            configurations: found.configurations,
            steps: found.steps,
        });
        // Without one of them the others prove nothing.
        for (const left of texts) {
            const others = texts.filter(text => text !== left);
            expect(checkViews(narrow, viewSize, others, checkable(narrow), UNLIMITED)).toHaveProperty(
                'verdict',
                'refuted',
            );
        }
    });

    test('an index type that is a number is one of its values', async () => {
        const named = `param N: 1 .. 64 = 4
            type Id = 0 .. N - 1
            var on: bool[N]
            var lock: bool
            process P[i: Id] {
                loop { enter: when !lock { lock := true; on[i] := true } leave: { lock := false; on[i] := false } }
            }
            invariant one = count(i in Id: on[i]) <= 1`;
        const found = await verdictOf(named);
        expect([found.verdict, found.proof?.views.count]).toEqual(['holds', 8]);
        const written = await verdictOf(named.replace('bool[N]', 'bool[Id]'));
        expect([written.verdict, written.proof?.views.count]).toEqual(['holds', 8]);
    });

    test('a protocol with broadcasts holds, with a wrong guard it is violated', async () => {
        const { verdict, proof } = await verdictOf(MESI);
        expect([verdict, proof?.viewSize]).toEqual(['holds', 2]);
        const wrong = MESI.replace('forall j in Cache: line[j] == invalid', 'forall j in Cache: line[j] != modified');
        const found = await verdictOf(wrong);
        expect([found.verdict, found.violation?.values]).toEqual(['violated', [2]]);
    });

    test('arithmetic and order behind a test for `none` are no fault', async () => {
        const text = `param N: 1 .. 9 = 3
            type Proc = 1 .. N
            var owner: Proc? = none
            var turns: 0 .. 3? = none
            process P[i: Proc] {
                var own: 0 .. 2? = none
                loop {
                    take: when owner == none && (turns == none || turns < 3) {
                        owner := i; turns := if turns == none then 0 else turns + 1
                    }
                    give: when owner == i { owner := none; own := 1 }
                    up: when own != none && own < 2 { own := own + 1 }
                }
            }
            invariant low = forall i in Proc: P[i].own == none || P[i].own <= 2
            allow deadlock`;
        expect((await verdictOf(text)).verdict).toBe('holds');
        const found = await verdictOf(text.replace('own <= 2', 'own < 2'));
        expect([found.verdict, found.violation?.values]).toEqual(['violated', [1]]);
    });

    test('the lock of the README is violated from N = 2 on', async () => {
        const { verdict, violation } = await verdictOf(LOCK);
        expect([verdict, violation?.values, violation?.report.violations[0]?.kind]).toEqual([
            'violated',
            [2],
            'invariant',
        ]);
    });
});

describe('verdicts', () => {
    const counting = (most: number, bound: number): string => `param N: 1 .. 9 = 3
type Proc = 1 .. N
var on: bool[Proc] = false
process P[i: Proc] { loop { when !on[i] && count(j in Proc: on[j]) < ${most} { on[i] := true } } }
invariant few = count(i in Proc: on[i]) <= ${bound}
allow deadlock
`;

    test('the smallest size with a violation, also beyond the first ones', async () => {
        const { verdict, violation } = await verdictOf(counting(5, 4));
        expect([verdict, violation?.values]).toEqual(['violated', [5]]);
        expect((await verdictOf(counting(3, 3))).verdict).toBe('holds');
    });

    test('sizes that the type does not allow do not count', async () => {
        const two = (range: string): string => `param N: ${range} = 2
type Proc = 1 .. N
var on: bool[Proc] = false
process P[i: Proc] { loop { when !on[i] { on[i] := true } } }
invariant few = count(i in Proc: on[i]) <= 2
allow deadlock
`;
        expect((await verdictOf(two('1 .. 2'))).verdict).toBe('holds');
        expect((await verdictOf(two('1 .. 3'))).violation?.values).toEqual([3]);
        const alone = `param N: 2 .. 9 = 2
type Proc = 1 .. N
var alone: bool = false
process P[i: Proc] { loop { when forall j in Proc: j == i { alone := true } } }
invariant never = !alone
allow deadlock
`;
        expect((await verdictOf(alone)).verdict).toBe('holds');
        expect((await verdictOf(alone.replace('2 .. 9', '1 .. 9'))).violation?.values).toEqual([1]);
    });

    test('a deadlock of a small instance is a violation beside the proof', async () => {
        const text = `param N: 1 .. 9 = 3
type Proc = 1 .. N
var free: bool = true
process P[i: Proc] { loop { when free { free := false } } }
invariant fine = free || !free
`;
        const { verdict, proof, violation } = await verdictOf(text);
        expect([verdict, proof !== undefined, violation?.report.violations[0]?.kind]).toEqual([
            'violated',
            true,
            'deadlock',
        ]);
    });

    test('limits end undecided, and cancelling throws', async () => {
        const text = readFileSync('models/german-cache.orbit', 'utf8');
        const { verdict, limit } = await verdictOf(text, { viewSize: 2, maxStates: 500 });
        expect([verdict, limit?.kind]).toEqual(['undecided', 'states']);
        const late = await verdictOf(text, { workLimit: { isExhausted: () => true } });
        expect([late.verdict, late.limit?.kind]).toEqual(['undecided', 'time']);
        const cancel = {
            isExhausted: (): boolean => {
                throw new OperationCancelled();
            },
        };
        await expect(verdictOf(text, { workLimit: cancel })).rejects.toThrow(OperationCancelled);
    });

    test('initial states count like configurations', async () => {
        // 10 with one member, 100 with two: so many others has a view.
        const text = MESI.replace('process', 'var mark: 0 .. 9[Cache] = any\nprocess');
        const { narrow } = await narrowFamilyOf(text);
        const { end, initialStates, configurations } = viewsOf(narrow, 2, 500);
        expect([end, initialStates, configurations]).toEqual([{ kind: 'limit', limit: 'states' }, 110, 390]);
    });

    test('views of a size that is too small prove nothing', async () => {
        const { verdict, suspicion } = await verdictOf(MESI, { viewSize: 1 });
        expect([verdict, suspicion?.finding.name]).toEqual(['undecided', 'coherent']);
    });

    test('pointers to nobody, to one and to the last one', async () => {
        const text = `param N: 1 .. 9 = 3
type Proc = 1 .. N
var owner: Proc? = none
var last: Proc? = none
var inside: bool[Proc] = false
process P[i: Proc] {
    loop {
        enter: when owner == none { owner := i; inside[i] := true }
        leave: { last := owner; owner := none; inside[i] := false }
    }
}
invariant one = count(i in Proc: inside[i]) <= 1
invariant named = forall i in Proc: inside[i] implies owner == i
`;
        expect((await verdictOf(text)).verdict).toBe('holds');
        const wrong = text.replace('owner == none', 'owner == none || owner == last');
        expect((await verdictOf(wrong)).violation?.values).toEqual([2]);
    });
});
