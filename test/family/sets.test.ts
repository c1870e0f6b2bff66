/** Sets of members: one sort of values, proved for every size like arrays of truth values; and nothing wrong is proved. */
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries } from '../../engine/pipeline.js';
import { inferSorts } from '../../family/infer-sorts.js';
import { reportUniform } from '../../family/sort-report.js';
import { loadModel } from '../../language-server/load-model.js';
import { narrowFamilyOf, verdictOf } from './family.js';
import { checkByRunning, instanceOf, orderOf } from './runs.js';

/** Atomic commit: who has said yes is a set. */
const COMMIT = `param N: 1 .. 100 = 3
type Rm = 1 .. N
enum State = { working, prepared, committed, aborted }
enum Decision = { open, commit, abort }
var yes: set of Rm = {}
var decision: Decision = open
var state: State[Rm] = working
process Tm { choose { c: when forall r in Rm: r in yes { decision := commit } } or { a: decision := abort } }
process P[i: Rm] {
    choose { yes := yes union { i }; prepare: state[i] := prepared } or { state[i] := aborted; terminate }
    choose { com: when decision == commit { state[i] := committed } }
    or { ab: when decision == abort { state[i] := aborted } }
}
invariant consistent = !(exists a, b in Rm: state[a] == committed && state[b] == aborted)
invariant known = forall r in Rm: state[r] in { prepared, committed } implies r in yes
allow deadlock`;

/** A directory of the caches that share a line. */
const DIRECTORY = `param N: 1 .. 100 = 3
type Node = 1 .. N
enum Line = { invalid, shared, exclusive }
var line: Line[Node] = invalid
var sharers: set of Node = {}
var owner: Node? = none
process Cache[i: Node] {
    loop {
        choose { when owner == none && line[i] == invalid { line[i] := shared; sharers := sharers union { i } } }
        or { when owner == none && empty(sharers) { line[i] := exclusive; owner := i } }
        or { when i in sharers { line[i] := invalid; sharers := sharers minus { i } } }
        or { when owner == i { line[i] := invalid; owner := none } }
    }
}
invariant coherent = forall a, b in Node where a != b: line[a] == exclusive implies line[b] == invalid
invariant directory = forall a in sharers: line[a] == shared`;

/** Readers and writers as two sets. */
const READERS = `param N: 1 .. 100 = 3
type Proc = 0 .. N - 1
var reading: set of Proc = {}
var writing: set of Proc = {}
process P[i: Proc] {
    loop {
        choose { when writing == {} { reading := reading union { i } } }
        or { when reading == {} && writing == {} { writing := { p in Proc where p == i } } }
        or { reading := reading minus { i }; writing := writing minus { i } }
    }
}
invariant one = len(writing) <= 1
invariant apart = empty(reading intersect writing)
invariant exclusive = forall a in writing: reading == {}`;

describe('models with sets of members', () => {
    test.each([
        ['a commit protocol', COMMIT, 'forall r in Rm: r in yes', 'exists r in Rm: r in yes'],
        ['a directory of sharers', DIRECTORY, 'empty(sharers)', 'len(sharers) <= 1'],
        ['readers and writers', READERS, 'writing == {} {', 'len(writing) <= 1 {'],
    ])('%s hold for every size; with a wrong test they are violated', async (_, text, right, wrong) => {
        expect((await verdictOf(text)).verdict).toBe('holds');
        expect(text).toContain(right);
        expect((await verdictOf(text.replace(right, wrong))).verdict).toBe('violated');
    });

    test('a set is proved with as many views as an array of truth values', async () => {
        const asArray = READERS.replaceAll(/set of Proc = \{\}/g, 'bool[Proc] = false')
            .replaceAll(/(\w+) == \{\}/g, '(forall p in Proc: !$1[p])')
            .replaceAll(/(\w+) := \1 (union|minus) \{ i \}/g, (_, set, sign) => `${set}[i] := ${sign === 'union'}`)
            .replace('{ p in Proc where p == i }', '[p in Proc: p == i]')
            .replace('len(writing)', 'count(p in Proc: writing[p])')
            .replace('empty(reading intersect writing)', 'forall p in Proc: !(reading[p] && writing[p])')
            .replace('forall a in writing:', 'forall a in Proc where writing[a]:');
        const [sets, arrays] = [await verdictOf(READERS), await verdictOf(asArray)];
        expect(sets.proof?.views.count).toBeGreaterThan(1);
        expect(sets.proof?.views.count).toBe(arrays.proof?.views.count);
    });
});

const HEAD = 'param N: 1 .. 9 = 3\ntype Id = 1 .. N\nvar s: set of Id = {}\nvar t: set of Id = {}\n';

/** Steps and conditions, with what is proved of the model for all sizes. */
const USES: readonly (readonly [use: string, groups: readonly string[]])[] = [
    ['s := s union { i }', ['S_N']],
    ['s := { x in Id where x in t || x == i }', ['S_N']],
    ['choose x in s { t := t union { x } minus { i } } or { s := s union { i } }', ['S_N']],
    ['choose q in set of Id where i in q { s := q }', ['S_N']],
    ['s := { x in (s union { i }): x }', ['S_N']],
    ['when len(s) < 2 { s := s union { i } }', ['S_N']],
    ['when s subset t || t == {} { t := t union s union { i } }', ['S_N']],
    // One member, the order of members and sums of them are seen; the processes may still be alike.
    ['s := s union { 1, i }', ['S_(N - 1)']],
    ['s := s union { 1 .. 2 }', ['S_N']],
    ['when i in s || s == {} { s := { (i mod N) + 1 } }', ['C_N']],
    ['when sum(x in s: x) < 4 { s := s union { i } }', []],
    ['{ for x in s { t := { x } } s := s union { i } }', []],
    ['when min(x in (s union { i }): x) == i { s := s union { i } }', []],
];

describe('uses of sets', () => {
    test.each(USES)('%s', async (use, groups) => {
        const text = `${HEAD}process P[i: Id] { loop { ${use} } }\nprocess Q { when s == t { t := {} } }\nallow deadlock`;
        const { checked, problems } = await loadModel(text, 'file:///model.orbit');
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        const { proved } = reportUniform(inferSorts(checked!.model));
        expect(proved.map(({ group }) => group)).toEqual(groups);
        for (const size of ['2', '3', '4']) {
            const instance = (await instanceOf(text, [['N', size]]))!;
            const { symmetry } = findSymmetries(instance.model, { now: () => 0, workLimit: UNLIMITED });
            expect(symmetry!.group.order % orderOf(instance)).toBe(0n);
            expect(checkByRunning(instance, 40).kind).toBe('agrees');
        }
    });

    test.each([
        ['the sum of the elements', 'invariant sum_ = sum(x in s: x) < 100'],
        ['sets that name a member', 'invariant first_ = s != { 1 }'],
        ['an element with a number', 'invariant least = forall x in s: x < 50'],
    ])('no proof is tried for %s', async (_, invariant) => {
        const text = `${HEAD}process P[i: Id] { loop { s := s union { i } } }\n${invariant}`;
        const tried = await narrowFamilyOf(text).then(
            ({ narrow }) => narrow.invariants.flatMap(({ members }) => members ?? []),
            () => [],
        );
        expect(tried).toEqual([]);
    });

    test('a member that may be `none` is looked for, comes and goes', async () => {
        const text = `${HEAD}var last: Id? = none
            process P[i: Id] { loop {
                choose { when last == none { last := i } }
                or { when last != none && len(s) < 2 { s := s union { last } } }
                or { when last in s { last := none } }
                or { when i in s && last != i { s := s minus { last } } }
            } }
            invariant few = len(s) <= 2`;
        expect((await verdictOf(text)).verdict).toBe('holds');
        expect((await verdictOf(text.replace('len(s) < 2', 'true'))).verdict).toBe('violated');
    });

    test('the number of elements is bounded by what some members show', async () => {
        const text = (most: number) =>
            `${HEAD}process P[i: Id] { loop { choose { when len(s) < 3 { s := s union { i } } } or { s := s minus { i } } } }
            invariant few = len(s) <= ${most}`;
        expect((await verdictOf(text(3))).verdict).toBe('holds');
        expect(await verdictOf(text(2))).toMatchObject({ verdict: 'violated', violation: { values: [3] } });
    });
});
