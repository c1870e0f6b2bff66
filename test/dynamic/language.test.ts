/** What the language says of templates, rule by rule, by the reference implementation. Counts are by hand. */
import { describe, expect, test } from 'vitest';
import { referenceResult, type Classes } from '../reference/classes.js';
import { parseModel } from '../reference/parse.js';
import { printModel } from '../reference/print.js';
import { forkJoin, requests, sessions, siblings, supervisor, tokenRing } from './texts.js';

function resultOf(text: string): Classes {
    return referenceResult(text, 500)!;
}

/** The kinds of faults that a process has that creates `w`, waits for its end, and takes this step. */
function faultsAfterTheEnd(step: string): readonly string[] {
    return resultOf(`
        var w: W? = none
        var x: bool[W] = false
        var b: bool = false
        channel c[W]: 1 of bool
        channel d[W]: 0 of bool
        process M { create: w := spawn W(1); join: when !alive(w); use: ${step} }
        process W(size: 0 .. 1) { work: skip }
        invariant named = b || !b`).faults;
}

describe('an instance that has ended', () => {
    test.each([
        '{ b := x[w] }',
        '{ x[w] := true }',
        'when x[w]',
        '{ b := w.size == 1 }',
        'c[w] ! true',
        'c[w] ? _',
        'd[w] ! true',
        'when !full(c[w])',
        '{ w := none; b := alive(w) }',
        '{ w := none; x[w] := true }',
        '{ w := none; b := w.size == 1 }',
        '{ w := none; b := w at work }',
    ])('%s is the fault index', step => {
        expect(faultsAfterTheEnd(step)).toEqual(['index']);
    });

    test.each([
        'when alive(w) c[w] ! true',
        'when w in W',
        '{ w := none; b := w in W }',
        '{ assert w == w && w != none }',
        '{ assert !(w at work) }',
        '{ assert count(v in W: true) == 0 && forall v in W: false }',
        '{ let old = w; w := spawn W(0); assert old != w && w at work && w.size == 0 }',
        '{ w := spawn W(1); assert alive(w) && !x[w] && empty(c[w]) && w.size == 1 && count(v in W: v == w) == 1 }',
    ])('%s is none', step => {
        expect(faultsAfterTheEnd(step)).toEqual([]);
    });
});

test('the head of an instance reads what the body has written, the parameters first', () => {
    const { faults, classes } = resultOf(`
        var x: 0 .. 3 = 0
        process M { create: { x := 1; spawn W(x + 1); x := 3 } }
        process W(size: 0 .. 3) {
            var seen: 0 .. 3 = x + size
            look: assert seen == 3 && x == 3
        }`);
    expect(faults).toEqual([]);
    expect(classes).toBe(3);
});

test('an argument outside the type of its parameter is a fault', () => {
    expect(resultOf(`process M { spawn W(2) } process W(size: 0 .. 1) { skip }`).faults).toEqual(['range']);
});

test('terminate and the end of the body end the instance with the step before, a choice to end is a step', () => {
    const classes = (body: string): number =>
        resultOf(`process M { create: spawn W() } process W() { ${body} }`).classes;
    // Before the creation, the instance before each of its steps, and its end.
    expect(classes('skip')).toBe(3);
    expect(classes('skip; terminate')).toBe(3);
    expect(classes('loop { skip; last: break }')).toBe(3);
    expect(classes('skip; choose { skip } or { terminate }')).toBe(4);
    expect(classes('var b: bool = true  while b { b := false }')).toBe(4);
});

test('a process that waits for ever is a deadlock, one that has ended is none, and end labels may stay', () => {
    const deadlocks = (body: string): number =>
        resultOf(`process M { create: spawn W() } process W() { ${body} }`).deadlocks;
    expect(deadlocks('skip')).toBe(0);
    expect(deadlocks('skip; when false')).toBe(1);
    expect(deadlocks('skip; end rest: when false')).toBe(0);
    expect(deadlocks('skip; loop { }')).toBe(1);
});

test('an endless spawner has no end', () => {
    expect(referenceResult('process M { loop { spawn W() } } process W() { loop { skip } }', 100)).toBe(undefined);
});

test('messages of an instance end with it, and with them what they held', () => {
    const { mostNamed, classes } = resultOf(`
        channel box[W]: 1 of V
        var w: W? = none
        process M {
            create: { w := spawn W() }
            put: { spawn V() }
            send: choose v in V { box[w] ! v }
            join: when !alive(w) && count(v in V: true) == 0;
            end rest: when false
        }
        process W() { wait: when full(box[self]) && count(v in V: true) == 0 }
        process V() { work: when full(box[w]) }`);
    expect(mostNamed).toEqual({ W: 1, V: 1 });
    // Nothing, w, v, the message, v held after its end, w held after its end, at rest.
    expect(classes).toBe(7);
});

test('the end of a participant is a race with what the other one does with its cells, a mere step is none', () => {
    const faults = (last: string, body: string): readonly string[] =>
        resultOf(`
            channel c: 0 of W
            var x: bool[W] = false
            var w: W? = none
            process M { create: spawn W(); meet: c ? w ${body} }
            process W() { send: c ! self; ${last} }`).faults;
    expect(faults('', '{ x[w] := true }')).toEqual(['race']);
    expect(faults('rest: skip', '{ x[w] := true }')).toEqual([]);
});

test('an instance that one participant creates has cells for the others, and none for one that ends meanwhile', () => {
    const { classes, faults } = resultOf(`
        channel c: 0 of bool
        var x: bool[V, W] = false
        process M { create: spawn W(); meet: c ! true { spawn V() } }
        process W() { meet: c ? _ }
        process V() { look: assert forall w in W: x[self, w]; leave: skip }`);
    expect(faults).toEqual([]);
    expect(classes).toBe(5);
});

test('every instance that knows an event takes part in it while it lives', () => {
    const { classes, deadlocks } = resultOf(`
        event go[W]
        process M {
            var w: W
            create: w := spawn W();
            together: go[w];
            join: when !alive(w);
            again: go[w]
        }
        process W() { ready: go[self]; leave: skip }`);
    // Nobody is left to take part in the last one.
    expect([classes, deadlocks]).toEqual([5, 1]);
});

test('references are held by records, and compared in them', () => {
    const { classes, faults, mostNamed } = resultOf(`
        record Job = { who: W, urgent: bool }
        channel jobs: 1 of Job
        var last: Job? = none
        process M {
            var job: Job
            create: spawn W();
            get: jobs ? job;
            keep: last := job;
            join: when !alive(last.who);
            check: assert last == job && last.who != none && last.urgent
        }
        process W() { send: jobs ! Job(self, true) }`);
    expect(faults).toEqual([]);
    expect(mostNamed).toEqual({ W: 1 });
    // Nothing, created, the message, received, kept, joined, checked.
    expect(classes).toBe(7);
});

test('channels of instances are values', () => {
    const { classes, faults } = resultOf(`
        channel back[W]: 1 of bool
        channel ask: 1 of channel of bool
        process M { create: spawn W(); var to: channel of bool  loop { end serve: ask ? to; answer: to ! true } }
        process W() { var b: bool  send: ask ! back[self]; get: back[self] ? b; check: assert b }`);
    expect(faults).toEqual([]);
    // Nothing, created, asked, received, answered, at the check, ended.
    expect(classes).toBe(7);
});

test('printing and parsing are inverse', () => {
    const texts = [sessions(2, 1), siblings(1, 2, ['after', 'elder']), supervisor(2), tokenRing(3), forkJoin(2)];
    for (const text of [...texts, requests(2), 'model P process P { x := spawn W(1); assert a.b at l && (w at l) }']) {
        const withoutPositions = (tree: unknown): string =>
            JSON.stringify(tree, (key, value: unknown) => (key === 'position' ? undefined : value));
        const model = parseModel(text);
        expect(withoutPositions(parseModel(printModel(model)))).toBe(withoutPositions(model));
    }
});
