/** What becomes of mutants: killed by a name, of the same graph, or left. Counts are by hand. */
import { expect, test } from 'vitest';
import { describedMutants, mutantsOf } from './mutants-of-text.js';

const LOCK = `
    type Id = 1 .. 2
    var taken: bool = false
    process P[i: Id] { loop { enter: when !taken { taken := true } leave: taken := false } }
    invariant mutex = count(i in Id: P[i] at leave) <= 1`;

test('a mutant is killed by the first name with another answer', async () => {
    expect(await describedMutants(LOCK)).toEqual([
        'guard !taken: killed by mutex',
        'assignment taken := true: killed by mutex',
        'truth true => false: killed by mutex',
        'assignment taken := false: killed by deadlock',
        'truth false => true: killed by deadlock',
    ]);
});

test('a survivor does more, less or something else', async () => {
    // 0, 1, 2, 3 with a step up from each but the last one, and a step down from 3.
    const mutants = await mutantsOf(`
        var x: 0 .. 9 = 0
        process P { loop {
            choose { up: when x < 3 { x := x + 1 } }
            or { down: when x == 3 { x := 0 } }
        } }
        invariant low = x < 9`);
    const described = mutants.map(({ change, outcome, effect }) => [change, outcome, effect?.kind, effect?.states]);
    expect(described).toEqual([
        ['alternative', 'killed', undefined, undefined],
        // Up to 9, which is one too many.
        ['guard', 'killed', undefined, undefined],
        // 4 has no way out.
        ['bound', 'killed', undefined, undefined],
        ['assignment', 'survived', 'other', -3],
        ['step', 'killed', undefined, undefined],
        ['alternative', 'killed', undefined, undefined],
        ['guard', 'survived', 'more', 0],
        ['negation', 'killed', undefined, undefined],
        ['assignment', 'survived', 'other', 0],
    ]);
});

test('the same behavior is told from another one that ends elsewhere', async () => {
    const same = await describedMutants(`
        var x: 0 .. 3 = 0
        process P { loop { up: when x < 3 && x <= 3 { x := x + 1 } } }
        allow deadlock`);
    expect(same).toContain('conjunct x <= 3: equivalent');
    expect(same).toContain('bound x <= 3 => x < 3: equivalent');
    // Without the way out of the loop the process may not stop at 1; no firing is different, and no name tells it.
    const ends = await describedMutants(`
        var x: 0 .. 1 = 0
        process P { loop { choose { up: when x == 0 { x := 1 } } or { break } } }
        allow deadlock`);
    expect(ends).toContain('alternative break: mirrored, other');
});

test('a `fair` has the same graph: it is needed, or not', async () => {
    const text = (property: string): string => `
        var x: 0 .. 1 = 0
        process P { loop { fair go: x := 1 - x } }
        process Q { loop { wait: skip } }
        ${property}`;
    expect(await describedMutants(text('property goes = infinitely often x == 1'))).toContain(
        'fairness fair go => go: killed by goes',
    );
    expect(await describedMutants(text('invariant low = x <= 1'))).toContain('fairness fair go => go: unneeded');
});

test('an endless mutant is undecided, and not killed by what a search has not found yet', async () => {
    const text = `
        var x: 0 .. 1000000000 = 0
        process P { loop { up: when x < 3 { x := x + 1 } } }
        run three = x == 3
        allow deadlock`;
    expect(await describedMutants(text)).toContain('guard x < 3: undecided');
    expect(await describedMutants(text.replace('three = x == 3', 'far = x == 1000000000'))).toContain(
        'guard x < 3: undecided',
    );
});

test('a run of one step is a name like others', async () => {
    expect(
        await describedMutants(`
            var x: 0 .. 2 = 0
            process P { loop { go: when x == 0 { x := 1 } } }
            run one = x == 1
            allow deadlock`),
    ).toEqual([
        'guard x == 0: survived, more',
        'negation x == 0 => x != 0: killed by one',
        'assignment x := 1: killed by one',
    ]);
});

test('a dead step is noticed where every step is expected, and an expected violation that is gone', async () => {
    const text = `
        var x: 0 .. 2 = 0
        process P { loop { choose { a: when x == 0 { x := 1 } } or { b: when x == 1 { x := 0 } } } }
        `;
    expect(await describedMutants(`${text}expect every step`)).toContain('assignment x := 1: killed by every step');
    const meant = await describedMutants(`${text}invariant zero = x == 0\nexpect violated zero\n`);
    expect(meant).toContain('assignment x := 1: killed by zero');
});

test('a failed model has mutants, too: a name that is violated must stay so', async () => {
    const text = `
        var x: 0 .. 2 = 0
        process P { loop { a: when x < 2 { x := x + 1 } } }
        invariant zero = x == 0`;
    const mutants = await describedMutants(text);
    expect(mutants).toContain('assignment x := x + 1: killed by zero');
    expect(mutants).toContain('bound x < 2 => x <= 2: killed by faults');
});

test('two properties that an isomorphism exchanges are told apart', async () => {
    // v[2] is set, and v[0] by the mutant.
    const text = `
        var v: bool[0 .. 2] = false
        process P { a: v[1 + 1] := true }
        invariant two = !v[2]
        invariant zero = !v[0]
        expect violated two`;
    expect(await describedMutants(text)).toEqual([
        'assignment v[1 + 1] := true: killed by two',
        'step 1 + 1 => 1 - 1: killed by zero',
        'truth true => false: killed by two',
    ]);
});

test('two properties that hold on both sides and change places are no mirror image', async () => {
    // v[2] and v[0] change places, and with them what the two properties say.
    const stepOf = async (properties: string): Promise<string | undefined> => {
        const mutants = await describedMutants(`
            var v: bool[0 .. 2] = false
            process P { a: v[1 + 1] := true; rest: skip }
            ${properties}`);
        return mutants.find(each => each.startsWith('step'));
    };
    expect(await stepOf('invariant two = v[2] implies !(P at a)\ninvariant zero = v[0] implies !(P at a)')).toBe(
        'step 1 + 1 => 1 - 1: survived, other',
    );
    expect(await stepOf('invariant both = v[0] || v[2] implies !(P at a)')).toBe(
        'step 1 + 1 => 1 - 1: mirrored, other',
    );
});

test('a label that is gone kills if a property names it, and is no model if a step does', async () => {
    const text = (rest: string, guard = 'true'): string => `
        var x: 0 .. 1 = 0
        process P { loop { choose { a: x := 1 } or { b: x := 0 } } }
        process Q { loop { c: when ${guard} { skip } } }
        ${rest}`;
    expect(await describedMutants(text('property never = always (P takes b implies x == 1 || x == 0)'))).toContain(
        'alternative b: killed by never',
    );
    expect(await describedMutants(text('invariant there = P at b || x <= 1'))).toContain(
        'alternative b: killed by there',
    );
    expect(await describedMutants(text('invariant low = x <= 1', 'P at b'))).toContain('alternative b: invalid');
});

test('a symmetry that is asserted notices a change of one process only', async () => {
    const text = `
        type Id = 1 .. 2
        var x: bool[Id] = false
        process P[i: Id] { loop { go: when i == 1 || i != 1 { x[i] := !x[i] } } }
        assert symmetric P`;
    expect(await describedMutants(text)).toContain('negation i == 1 => i != 1: killed by assert symmetric');
    expect(await describedMutants(text)).toContain(
        'connective i == 1 || i != 1 => i == 1 && i != 1: killed by deadlock',
    );
});

test('with the slots of the search a bound is seen that three instances do not reach', async () => {
    const text = `
        process Source { loop { make: when count(w in W: true) < 4 { spawn W() } } }
        process W() { wait: when count(w in W: true) > 9 { skip } }
        run four = count(w in W: true) == 4
        allow deadlock`;
    const mutants = await describedMutants(text);
    // Without its bound it creates workers for ever; 5 are more than 4, though 3 slots hold neither.
    expect(mutants.slice(0, 2)).toEqual([
        'guard count(w in W: true) < 4: undecided',
        'bound count(w in W: true) < 4 => count(w in W: true) <= 4: survived, more',
    ]);
});

test('what is exchanged but for names is mirrored, and of alike survivors the first counts', async () => {
    // Readers lock in place of writers: no property names one of them.
    const text = `
        enum Kind = { read, write }
        var lock: bool = false
        process P { var kind: Kind = any
            loop {
                choose k in Kind { begin: kind := k }
                if kind == write { take: when !lock { lock := true } drop: lock := false }
                else { use: skip }
            }
        }
        invariant held = lock implies P at drop`;
    const mutants = await mutantsOf(text);
    const negation = mutants.find(({ change }) => change === 'negation');
    expect(negation).toMatchObject({ from: 'kind == write', outcome: 'mirrored' });
    const twice = await mutantsOf(`
        type Id = 1 .. 2
        var x: 0 .. 1[Id] = 0
        process P { loop { choose { a: x[1] := 1 - x[1] } or { b: x[2] := 1 - x[2] } } }
        invariant low = x[1] + x[2] <= 2`);
    expect(twice.map(({ change, alikeTo }) => [change, alikeTo])).toEqual([
        ['alternative', undefined],
        ['assignment', undefined],
        ['alternative', 0],
        ['assignment', 1],
    ]);
});

test('a read whose test is gone is a fault, and no defect', async () => {
    const text = `
        type Id = 1 .. 2
        var last: Id? = none
        var seen: bool[Id] = false
        process P { loop { choose i in Id { note: { if last != none { seen[last] := true } last := i } } } }
        invariant low = last == none || last >= 1`;
    expect(await describedMutants(text)).toContain('negation last != none => last == none: killed by faults');
});

test('a function that properties and assertions call, too, changes for steps alone', async () => {
    // x is 0, 1, 2, and 3 by the mutant, which `fine` would call fine if it changed, too.
    const text = (step: string, property: string): string => `
        var x: 0 .. 9 = 0
        function ok(v: 0 .. 9): bool { return v < 3 }
        process P { loop { up: ${step} } }
        allow deadlock
        ${property}`;
    const bound = 'bound v < 3 => v <= 3';
    const guarded = 'when x < 9 && ok(x + 1) { x := x + 1 }';
    expect(await describedMutants(text(guarded, 'invariant fine = ok(x)'))).toContain(`${bound}: killed by fine`);
    const asserted = 'when x < 9 && ok(x + 1) { x := x + 1; assert ok(x) }';
    expect(await describedMutants(text(asserted, ''))).toContain(`${bound}: killed by faults`);
    // An assertion alone is a property, which is not changed.
    const cyclic = await describedMutants(text('{ x := 1 - x; assert ok(x) }', ''));
    expect(cyclic.filter(mutant => mutant.startsWith('bound'))).toEqual([]);
});
