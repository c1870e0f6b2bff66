/** Values with cases: their fields are sorts, their cases stay where they are; and nothing wrong is proved. */
import { describe, expect, test } from 'vitest';
import { inferSorts } from '../../family/infer-sorts.js';
import { reportUniform } from '../../family/sort-report.js';
import { loadModel } from '../../language-server/load-model.js';
import { familyOf, verdictOf } from './family.js';
import { checkByRunning, instanceOf } from './runs.js';

const HEAD = 'param N: 1 .. 9 = 3\ntype Id = 1 .. N\n';

/** Who has the lock is said by a message. */
const LOCK = `${HEAD}enum Note = { from(who: Id), level(k: 0 .. 2), nobody }
var note: Note = nobody
var inside: bool[Id] = false
process P[i: Id] {
    loop {
        choose { when note is nobody { note := from(i); inside[i] := true } }
        or { when note is from && note.who == i { note := level(0); inside[i] := false } }
        or { when note is level { note := if note.k == 2 then nobody else level(note.k + 1) } }
    }
}
invariant one = forall i, j in Id where i != j: !(inside[i] && inside[j])
allow deadlock`;

/** Each member is idle, or busy with one of three rounds. */
const ROUNDS = `${HEAD}enum Own = { idle, busy(round: 0 .. 2) }
var own: Own[Id] = idle
process P[i: Id] {
    loop {
        choose { when own[i] is idle && (forall j in Id where own[j] is busy: own[j].round == 2) { own[i] := busy(0) } }
        or { when own[i] is busy && own[i].round < 2 { own[i].round := own[i].round + 1 } }
        or { when own[i] == busy(2) { own[i] := idle } }
    }
}
invariant one = count(i in Id: own[i] is busy && own[i].round < 2) <= 1`;

/** Two members meet, with a record inside a case. */
const PAIRS = `${HEAD}record Pair = { one: Id, other: Id? }
enum Note = { open(pair: Pair?), closed(pair: Pair?, by: Id), nobody }
var note: Note = nobody
process P[i: Id] {
    loop {
        choose { when note is nobody { note := open(Pair(i, none)) } }
        or { when note is open && note.pair != none && note.pair.one != i { note.pair.other := i } }
        or { when note is open && note.pair != none && note.pair.other == i { note := closed(note.pair, i) } }
        or { when note is closed && note.by != i { note := nobody } }
    }
}
invariant two = note is closed && note.pair != none implies note.pair.one != note.by
allow deadlock`;

describe('models with cases', () => {
    test.each([
        ['a lock', LOCK, 'when note is nobody {', 'when !(note is level) {'],
        ['rounds', ROUNDS, 'where own[j] is busy: own[j].round == 2', 'where own[j] is busy: own[j].round > 0'],
        ['pairs', PAIRS, 'note.pair != none && note.pair.one != i', 'note.pair != none'],
    ])('%s hold for every size; with a wrong test they are violated', async (_, text, right, wrong) => {
        expect((await verdictOf(text)).verdict).toBe('holds');
        expect(text).toContain(right);
        expect((await verdictOf(text.replace(right, wrong))).verdict).toBe('violated');
    });

    test.each([
        [
            'var own: Note[Id] = nobody',
            'own[i] := from(i)',
            '4:5 `own[i].who` belongs to one member and may refer to another one',
        ],
        [
            'var sent: set of Note = {}',
            'sent := sent union { from(i) }',
            '4:5 the values of this type are records with members',
        ],
        [
            'var on: bool = false',
            'on := exists n in Note where n is from: n.who == i',
            '5:38 the values of this type are records with members',
        ],
        [
            'var note: Note = nobody',
            'when note is from { note := level(note.who) }',
            '5:54 a member is compared or mixed with a number',
        ],
        [
            'var note: Note = nobody',
            'when note == from(1) { note := from(i) }',
            '5:38 a member is compared or mixed with a number',
        ],
    ])('%s with %s is refused', async (variable, step, problem) => {
        const text = `${HEAD}enum Note = { from(who: Id), level(k: 0 .. 2), nobody }\n${variable}\nprocess P[i: Id] { ${step} }`;
        const family = await familyOf(text);
        expect(Array.isArray(family) ? family[0] : family).toBe(problem);
    });
});

const USES_HEAD = `${HEAD}record Pair = { one: Id, other: Id? }
enum Message = { ask(who: Id), deal(who: Id, level: 0 .. 2), tell(pair: Pair?), stop }
var last: Message = stop
var sent: set of Message = {}
channel box[Id]: 1 of Message
`;

/** Steps, with what is proved of the processes for all sizes. */
const USES: readonly (readonly [use: string, groups: readonly string[]])[] = [
    ['last := ask(i)', ['S_N']],
    ['choose { last := deal(i, 1) } or { when last is deal && last.who == i { last.level := 2 } }', ['S_N']],
    ['choose { last := ask(i) } or { when last.who != i { last := stop } }', ['S_N']],
    ['choose m in sent where m is ask { last := m } or { sent := sent union { ask(i) } }', ['S_N']],
    [
        'choose { sent := sent union { ask(i) } } or { when exists m in sent where m is ask: m.who != i { last := ask(i) } }',
        ['S_N'],
    ],
    [
        'choose { last := tell(Pair(i, none)) } or { when last is tell && last.pair != none { last.pair.other := i } }',
        ['S_N'],
    ],
    ['choose { box[i] ! ask(i) } or { box[i] ? ask(== i) } or { box[i] ? last }', ['S_N']],
    // One member, the order of members, and of messages; the first of several faults.
    ['when last != ask(1) { last := ask(i) }', ['S_(N - 1)']],
    ['last := ask(i mod N + 1)', ['C_N']],
    ['choose { last := ask(i) } or { when last is ask && last.who < i { last := stop } }', []],
    ['{ for m in sent { last := m } sent := sent union { ask(i) } }', []],
    ['choose { sent := sent union { ask(i) } } or { when exists m in sent: m.who == i { last := ask(i) } }', []],
];

describe('uses of cases', () => {
    test.each(USES)('%s', async (use, groups) => {
        const text = `${USES_HEAD}process P[i: Id] { loop { ${use} } }\nallow deadlock`;
        const { checked, problems } = await loadModel(text, 'file:///model.orbit');
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        const { proved } = reportUniform(inferSorts(checked!.model));
        const own = proved.filter(({ places }) => places.includes('P[i]'));
        expect(own.map(({ group }) => group)).toEqual(groups);
        for (const size of ['2', '3']) {
            const instance = (await instanceOf(text, [['N', size]]))!;
            expect(checkByRunning(instance, 40).kind).toBe('agrees');
        }
    });
});
