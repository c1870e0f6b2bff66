/** Templates in the engine's model: references are values of a domain, and nothing lists the instances otherwise. */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../engine/model/model.js';
import { modelOf } from '../model-of-text.js';
import { printModel } from './print-model.js';

const DECLARATIONS = `
type Id = 0 .. 1
record Note = { from: W?, n: Id }
channel mail[W]: 1 of Note
event done[W]
var last: W?[Id] = none
var used: bool[W] = true
var both: 0 .. 3[W, Id]
var note: Note
var n: 0 .. 9
`;

const TEMPLATE = `
process W(size: Id, first: Note) {
    var seen: bool = false
    var other: W?
    go: seen := true;
    end idle: done[self]
}
`;

/** The lines of what a process or an invariant becomes; `text` stands between the declarations and the template. */
async function lowered(text: string): Promise<string[]> {
    const lines = printModel(await modelOf(`${DECLARATIONS}${text}${TEMPLATE}`));
    return lines.slice(lines.findIndex(line => line.startsWith('process')));
}

/** The lines of the process \`Main\` with these items, without its name. */
async function main(items: string): Promise<string[]> {
    const lines = await lowered(`process Main { ${items} }`);
    return lines
        .slice(
            1,
            lines.findIndex(line => line.startsWith('process W')),
        )
        .map(line => line.trim());
}

describe('a template', () => {
    test('has its slots as the index, and its parameters before its other locals', async () => {
        const model = await modelOf(`${DECLARATIONS}process Main { spawn W(1, note) }${TEMPLATE}`);
        const template = model.processes[1];
        expect(template?.template).toEqual({ parameters: 3 });
        expect(template?.indices).toHaveLength(1);
        expect(template?.indices[0]).toMatchObject({
            name: 'self',
            domain: { kind: 'enumeration', name: 'W', values: ['W@1', 'W@2', 'W@3'], template: 1 },
        });
        expect(template?.locals.map(({ name, initializer }) => [name, initializer.kind])).toEqual([
            ['size', 'default'],
            ['first.from', 'default'],
            ['first.n', 'default'],
            ['seen', 'value'],
            ['other', 'default'],
        ]);
        expect(model.processes[0]?.template).toBeUndefined();
    });

    test('has one domain, wherever its references stand', async () => {
        const model = await modelOf(`${DECLARATIONS}process Main { spawn W(1, note) }${TEMPLATE}`);
        const domain = { kind: 'enumeration', template: 1 };
        expect(model.variables.find(({ name }) => name === 'last')).toMatchObject({
            element: { kind: 'optional', base: domain },
        });
        expect(model.variables.find(({ name }) => name === 'both')?.indices).toMatchObject([
            domain,
            { low: 0, high: 1 },
        ]);
        expect(model.channels[0]?.indices).toMatchObject([domain]);
        expect(model.events[0]?.arguments).toMatchObject([domain]);
        expect(model.variables.find(({ name }) => name === 'used')?.initializer).toMatchObject({
            kind: 'value',
            expressions: [{ kind: 'constant', value: 1 }],
        });
    });
});

describe('statements', () => {
    test('spawn, alone and with a place, in bodies and as steps', async () => {
        expect(
            await main('spawn W(1, note); last[0] := spawn W(n, Note(last[1], 0)); { n := 1; spawn W(0, note) }'),
        ).toEqual([
            'step',
            'spawn W(1, note.from, note.n)',
            'step',
            'last[0] := spawn W(n, last[1], 0)',
            'step',
            'n := 1',
            'spawn W(0, note.from, note.n)',
        ]);
    });

    test('an array over a template is written with binders, never slot by slot', async () => {
        expect(
            await main(
                '{ used := [w in W: w != last[0]] } used := true; both := [w in W, i in Id: if used[w] then i else both[w, i]]; ' +
                    'both := [w in W: [i in Id: both[w, i]]]; used := if n == 1 then used else [w in W: alive(w)]',
            ),
        ).toMatchInlineSnapshot(`
          [
            "step",
            "for all cell1 in W: used[cell1] := cell1 != last[0]",
            "step",
            "for all cell1 in W: used[cell1] := true",
            "step",
            "for all cell1 in W, cell2 in 0 .. 1: both[cell1, cell2] := if used[cell1] then cell2 else both[cell1, cell2]",
            "step",
            "for all cell1 in W, cell2 in 0 .. 1: both[cell1, cell2] := [both[cell1, 0], both[cell1, 1]][cell2]",
            "step",
            "for all cell1 in W: used[cell1] := if n == 1 then used[cell1] else alive(cell1)",
          ]
        `);
    });

    test('a choice among those that live', async () => {
        expect(
            await main('choose w in W, i in Id where w.size == i { used[w] := false } or { choose w in W { skip } }'),
        ).toMatchInlineSnapshot(`
          [
            "var w: W = any",
            "var i: 0 .. 1 = any",
            "var w: W = any",
            "choose",
            "declare w",
            "declare i",
            "assume alive(w) && w.size == i",
            "step",
            "used[w] := false",
            "or",
            "choose",
            "declare w",
            "assume alive(w)",
            "step",
          ]
        `);
    });
});

describe('expressions', () => {
    async function invariant(expression: string): Promise<string | undefined> {
        return (await lowered(`process Main { spawn W(1, note) }\ninvariant i = ${expression}`)).at(-1);
    }

    test.each([
        ['alive(last[0])', 'alive(last[0])'],
        ['last[0] in W', 'last[0] != none && alive(last[0])'],
        ['forall w in W: w in W', 'forall w in W: alive(w)'],
        ['exists w in W: w at idle && w.seen && w.size == 1', 'exists w in W: w at idle && w.seen && w.size == 1'],
        ['last[0] at go', 'last[0] at go'],
        ['(if n == 1 then last[0] else last[1]) at go', '(if n == 1 then last[0] else last[1]) at go'],
        ['note.from at go', 'note.from at go'],
        ['last[1].first.n == 0', 'last[1].first.n == 0'],
        ['last[1].other.size == 0', 'last[1].other.size == 0'],
        ['sum(w in W: w.size) < 3', 'sum(w in W: w.size) < 3'],
        ['note == Note(none, 1)', 'note.from == none && note.n == 1'],
    ])('%s', async (text, expected) => {
        expect(await invariant(text)).toBe(`invariant i = ${expected}`);
    });

    test('self is the index of the instance', async () => {
        const lines = await lowered('process Main { spawn W(1, note) }');
        expect(lines.slice(lines.findIndex(line => line.startsWith('process W')))).toMatchInlineSnapshot(`
          [
            "process W[W]",
            "    var size: 0 .. 1",
            "    var first.from: W?",
            "    var first.n: 0 .. 1",
            "    var seen: bool = false",
            "    var other: W?",
            "    declare seen",
            "    declare other",
            "    go:",
            "        step",
            "            seen := true",
            "    end idle:",
            "        step done[self]",
          ]
        `);
    });
});

test('spawn, self and alive are names where they are declared', async () => {
    const model = await modelOf(`
        event spawn
        var alive: bool
        process P[self: 0 .. 1] { spawn; { alive := alive && self == 0 } spawn: skip }
        process Q { let spawn = alive  when spawn { skip } }
        function self(x: bool): bool = x
        invariant i = self(alive) || P[0] at spawn
    `);
    expect(model.processes.map(({ template }) => template)).toEqual([undefined, undefined]);
});

test('no part of a model lists the instances', async () => {
    const model = await modelOf(
        `${DECLARATIONS}process Main {
            last[0] := spawn W(1, note);
            used := [w in W: w != last[0]];
            choose w in W where used[w] { mail[w] ! Note(w, 0) }
        }${TEMPLATE}`,
    );
    expect(constantsOf(model)).toEqual([]);
});

/** The constants and tables of a model that name instances. */
function constantsOf(model: Model): unknown[] {
    const found: unknown[] = [];
    JSON.stringify(model, (_, part: unknown) => {
        const node = part as { kind?: string; domain?: { template?: number } } | null;
        if (typeof node === 'object' && node?.domain?.template !== undefined && node.kind !== undefined) {
            found.push(node);
        }
        return part;
    });
    return found;
}
