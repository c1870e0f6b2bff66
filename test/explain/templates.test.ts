/** What is said of models whose instances are created: each place can be tried, and each repair is a text without errors. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { placesOf } from '../../engine/explain/neutralize.js';
import { modelOf, symmetryOf } from '../model-of-text.js';

const MAIN = `type Id = 0 .. 1
var mark: bool[Id] = false
process Main[i: Id] { loop { make: when count(w in W: true) < 2 { spawn W(i) } } }`;

// The language chooses no first value where an instance is created, and never an instance.
test.each([
    [
        'a variable at the head',
        'process W(owner: Id) { var first: Id = 0 work: mark[first] := true; rest: mark[owner] := false }',
    ],
    ['its default', 'process W(owner: Id) { var first: Id work: mark[first] := true; rest: mark[owner] := false }'],
    [
        'one that others begin with',
        'process W(owner: Id) { var a: Id = 0 var b: Id[0 .. 1] = a work: mark[b[0]] := true; rest: mark[owner] := false }',
    ],
    [
        'a reference',
        'process W(owner: Id) { begin: skip; var to: W? = if owner == 0 then self else none work: when to in W { mark[owner] := true } }',
    ],
    [
        'a record with a reference',
        `process W(owner: Id) { begin: skip; var link: Link = Link(if owner == 0 then self else none, owner)
            work: when link.to in W { mark[link.from] := true } }
        record Link = { to: W?, from: Id }`,
    ],
])('%s is a reason without a repair', async (_, template) => {
    const text = `${MAIN}\n${template}`;
    const { report } = await symmetryOf(text, { textOf: createTextOf(() => text), explain: true });
    expect(report.broken.map(({ subject, repairs }) => [subject, repairs.length])).toEqual([['instances of Main', 0]]);
});

test('a variable that gets its value later may start with any', async () => {
    const template = (value: string): string =>
        `process W(owner: Id) { begin: mark[owner] := false; var next: Id = ${value} work: mark[next] := true }`;
    const text = `${MAIN}\n${template('0')}`;
    const { report } = await symmetryOf(text, { textOf: createTextOf(() => text), explain: true });
    expect(report.broken[0]?.repairs.flatMap(({ edits }) => edits.map(({ newText }) => newText))).toEqual(['any']);
    await modelOf(`${MAIN}\n${template('any')}`);
});

test('nothing is chosen for the element of an instance, so its first value is no place to try', async () => {
    const text = `${MAIN}\nvar first: Id[W] = 0\nprocess W(owner: Id) { work: mark[first[self]] := true }`;
    const places = placesOf(
        await modelOf(text),
        createTextOf(() => text),
    );
    expect(places.map(place => place.text)).not.toContain('first = 0');
});
