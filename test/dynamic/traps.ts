/**
 * Small models that each catch one way to get the names of instances wrong. The counts come from an interpreter that was
 * written before the language had templates; where they are easy, they are counted by hand beside.
 */

export interface Trap {
    /** What is right in it. */
    readonly name: string;
    readonly text: string;
    /** Up to names, and up to the permutations of the values of `symmetric`. */
    readonly classes: number;
    readonly deadlocks: number;
    readonly symmetric?: readonly string[];
    /** The most instances that live at once, where that is what it is about. */
    readonly mostLive?: Readonly<Record<string, number>>;
}

export const TRAPS: readonly Trap[] = [
    {
        name: 'the name of an ended instance is not given again while it is held',
        text: `
var old: W? = none
var new: W? = none
process M {
    loop {
        first: old := spawn W();
        wait: when !alive(old);
        second: new := spawn W();
        check: assert new != old;
        forget: when !alive(new) { old := none; new := none }
    }
}
process W() { work: skip }`,
        // Nothing; the first lives, has ended; the same seen; the second lives or not, twice.
        classes: 8,
        deadlocks: 0,
    },
    {
        name: 'a message holds the name that it carries',
        text: `
channel hold: 1 of W
var first: W? = none
var old: W? = none
var new: W? = none
process M {
    loop {
        create: first := spawn W();
        keep: hold ! first { first := none }
        wait: when count(w in W: true) == 0;
        again: new := spawn W();
        look: hold ? old;
        check: assert new != old;
        forget: when !alive(new) { old := none; new := none }
    }
}
process W() { work: skip }`,
        classes: 12,
        deadlocks: 0,
    },
    {
        name: 'the cells of an instance end with it, and a new one has new cells',
        text: `
var done: bool[W] = false
process M {
    var w: W? = none
    loop { create: w := spawn W(); join: when !alive(w) }
}
process W() { look: assert !done[self]; mark: done[self] := true; leave: skip }`,
        classes: 5,
        deadlocks: 0,
    },
    {
        name: 'a local that is not read again holds nothing',
        text: `
process M {
    var x: W? = none
    loop { create: when count(w in W: true) < 2 { x := spawn W() } look: when alive(x) }
}
process W() { work: skip; leave: skip }`,
        classes: 15,
        // Where M looks after the end of x, and all others have ended too.
        deadlocks: 1,
    },
    {
        name: 'quantifiers are about the instances that live, not about those that are held',
        text: `
var old: W? = none
process M { loop { create: when count(w in W: true) == 0 { old := spawn W() } } }
process W() { work: skip }`,
        classes: 3,
        deadlocks: 0,
    },
    {
        name: 'an end behind a test comes, as a step of its own',
        text: `
var stop: bool = false
var w: W? = none
process M { start: w := spawn W(); halt: stop := true; join: when !alive(w) }
process W() { while !stop { work: skip } }`,
        classes: 5,
        deadlocks: 0,
    },
    {
        name: 'a creation is never disabled by the number of instances',
        text: `
process M { spawn W(); spawn W(); spawn W() }
process W() { meet: when count(w in W: true) == 3; stay: loop { skip } }`,
        // None to three live; then one to three of them have met.
        classes: 7,
        deadlocks: 0,
        mostLive: { W: 3 },
    },
    {
        name: 'one ring of six is not two rings of three, though each instance looks the same',
        text: `
var next: W?[W] = none
process M {
    var a: W
    var b: W
    var c: W
    var d: W
    var e: W
    var f: W
    a := spawn W(); b := spawn W(); c := spawn W(); d := spawn W(); e := spawn W(); f := spawn W();
    choose {
        one: { next[a] := b; next[b] := c; next[c] := d; next[d] := e; next[e] := f; next[f] := a }
    } or {
        two: { next[a] := b; next[b] := c; next[c] := a; next[d] := e; next[e] := f; next[f] := d }
    }
}
process W() { loop { skip } }`,
        classes: 9,
        deadlocks: 0,
    },
    {
        name: 'a handler and its function that name each other move together',
        text: `
process Main { loop { request: when count(h in Handler: true) < 3 { spawn Handler() } } }
process Handler() {
    var called: Leap? = none
    call: called := spawn Leap(self);
    wait: when !alive(called);
    rest: skip
}
process Leap(caller: Handler) { work: when alive(caller) }`,
        // Up to three handlers, each in one of four states: 1 + 4 + 10 + 20.
        classes: 35,
        deadlocks: 0,
    },
    {
        name: 'the values of references move with the instances',
        text: `
var a: W? = none
var b: W? = none
process M { create: { a := spawn W(); b := spawn W() } loop { swap: { a := b; b := a } } }
process W() { loop { turn: when a == self { a := b; b := self } } }`,
        // Before the start, with two different values, with two equal ones.
        classes: 3,
        deadlocks: 0,
    },
    {
        name: 'a symmetry of the owners moves what they own',
        text: `
type Id = 1 .. 3
var mine: W?[Id] = none
process Owner[i: Id] { create: mine[i] := spawn W(i) }
process W(owner: Id) { check: when mine[owner] == self; leave: skip }`,
        // Multisets of three of four states; without the symmetry 4³.
        classes: 20,
        deadlocks: 0,
        symmetric: ['Id'],
    },
    {
        name: 'a name is new if it did not occur before the step',
        text: `
var w: W? = none
process M {
    create: w := spawn W();
    renew: when !alive(w) { let old = w; w := none; w := spawn W(); assert w != old }
}
process W() { work: skip }`,
        classes: 5,
        deadlocks: 0,
    },
    {
        name: 'an instance that ends in the step that sends its name has a name still',
        text: `
channel bye: 0 of W
var w: W? = none
process M { loop { create: spawn W(); last: bye ? w; check: assert !alive(w) } }
process W() { work: skip; leave: bye ! self }`,
        classes: 7,
        deadlocks: 0,
    },
];
