/**
 * Models whose numbers grow without end, with the numbers of their classes by an interpreter over real numbers that is no
 * part of Orbit.
 */

export interface Row {
    readonly name: string;
    readonly text: string;
    readonly parameters?: Readonly<Record<string, number>>;
    readonly isExact: boolean;
    /** Classes and steps; with the group orbits and steps. */
    readonly all: readonly [number, number];
    readonly reduced?: readonly [number, number];
    /** From here on distances are one. */
    readonly kept: number;
    /** Distances that are kept at least, where the text asks for less. */
    readonly leastDistances?: number;
}

/** Two numbers move in step, and two others then with them, so that `y == c` at the `end`: no distances that are kept show it. */
export function inStep(end: string): string {
    return `
    var a: nat = 0
    var c: nat = 0
    var y: nat = 0
    var z: nat = 0
    process P {
        loop { choose { up: { a := a + 1; c := c + 1 } } or { go: skip; break } }
        loop { choose { back: when z != a { z := z + 1; y := y + 1 } } or { stop: when z == a; break } }
        ${end}
    }
    allow deadlock`;
}

export const TICKET = `
    model Ticket
    param N: 1 .. 64 = 3
    type Proc = 1 .. N
    var next:    nat = 0
    var serving: nat = 0
    process P[i: Proc] {
        var mine: nat
        loop { draw: { mine := next; next := next + 1 }  enter: when mine == serving;  leave: serving := serving + 1 }
    }
    invariant mutex = count(i in Proc: P[i] at leave) <= 1`;

export const FENCING = `
    model Fencing
    param N: 1 .. 8 = 2
    type Client = 1 .. N
    var last:   nat     = 0
    var top:    nat     = 0
    var holder: Client? = none
    process C[i: Client] {
        var mine: nat
        loop {
            lease: when holder == none { last := last + 1; mine := last; holder := i }
            loop {
                choose { write: when mine >= top { top := mine } }
                or { refused: when mine < top { if holder == i { holder := none } } break }
                or { release: { if holder == i { holder := none } } break }
            }
        }
    }
    process Clock { loop { expire: when holder != none { holder := none } } }`;

const BAKERY = `
    model Bakery
    param N: 2 .. 64 = 2
    type Proc = 1 .. N
    var choosing: bool[Proc] = false
    var number:   nat[Proc]  = 0
    process P[i: Proc] {
        loop {
            come: choosing[i] := true;
            var mine: nat
            var j: 1 .. N + 1
            look: mine := 1 + max(k in Proc: number[k]);
            draw: number[i] := mine;
            done: { choosing[i] := false; j := 1 }
            while j <= N {
                hasDrawn: when !choosing[j];
                before: when number[j] == 0 || number[i] < number[j] || number[i] == number[j] && i <= j { j := j + 1 }
            }
            critical: skip;
            leave: number[i] := 0
        }
    }
    invariant mutex = count(i in Proc: P[i] at critical) <= 1`;

export const BAKERY_ONE_BY_ONE = `
    model Bakery
    param N: 2 .. 64 = 2
    type Proc = 1 .. N
    var choosing: bool[Proc] = false
    var number:   nat[Proc]  = 0
    process P[i: Proc] {
        var mine: nat = 0
        var j: 1 .. N + 1 = 1
        loop {
            come: { choosing[i] := true; mine := 0; j := 1 }
            while j <= N { read: { mine := max(mine, number[j]); j := j + 1 } }
            draw: number[i] := mine + 1;
            done: { choosing[i] := false; j := 1 }
            while j <= N {
                before: when !choosing[j]
                    && (number[j] == 0 || number[i] < number[j] || number[i] == number[j] && i <= j) { j := j + 1 }
            }
            critical: skip;
            leave: number[i] := 0
        }
    }
    invariant mutex = count(i in Proc: P[i] at critical) <= 1`;

const BAKERY_IN_ONE_STEP = `
    model Bakery
    param N: 2 .. 64 = 2
    type Proc = 1 .. N
    var number: nat[Proc] = 0
    process P[i: Proc] {
        loop {
            draw: number[i] := 1 + max(k in Proc: number[k]);
            enter: when forall j in Proc: number[j] == 0 || number[i] <= number[j];
            leave: number[i] := 0
        }
    }
    invariant mutex = count(i in Proc: P[i] at leave) <= 1`;

const RING_BUFFER = `
    model RingBuffer
    param K: 1 .. 8 = 2
    type Bit  = 0 .. 1
    type Slot = 0 .. K - 1
    var head: nat = 0
    var tail: nat = 0
    var buffer: Bit?[Slot] = none
    process Producer {
        loop {
            choose d in Bit {
                put: when tail - head < K {
                    assert buffer[tail mod K] == none;
                    buffer[tail mod K] := d;
                    tail := tail + 1
                }
            }
        }
    }
    process Consumer {
        loop {
            get: when head < tail {
                assert buffer[head mod K] != none;
                buffer[head mod K] := none;
                head := head + 1
            }
        }
    }`;

/** R. K. Treiber, "Systems programming: coping with parallelism", 1986. Two nodes are on the stack at first. */
export const TREIBER = `
    model Treiber
    param N: 1 .. 8 = 2
    type Proc = 1 .. N
    type Node = 1 .. 2
    var head:    Node?       = any
    var version: nat         = 0
    var next:    Node?[Node] = any
    var mine:    Node?[Proc] = none
    init head != none
    init forall n in Node: if n == head then next[n] != none && next[n] != n else next[n] == none
    process P[i: Proc] {
        loop {
            loop {
                var top:   Node
                var below: Node?
                var seen:  nat
                read: when head != none { top := head; seen := version }
                follow: below := next[top];
                choose {
                    pop: when head == top && version == seen { head := below; version := version + 1; mine[i] := top }
                    break
                } or { popAgain: when head != top || version != seen }
            }
            loop {
                var old:  Node?
                var seen: nat
                look: { old := head; seen := version }
                link: { assert mine[i] != none; next[mine[i]] := old }
                choose {
                    push: when head == old && version == seen { head := mine[i]; version := version + 1; mine[i] := none }
                    break
                } or { pushAgain: when head != old || version != seen }
            }
        }
    }
    invariant owned = forall i in Proc where mine[i] != none:
        head != mine[i] && (forall j in Proc where i != j: mine[i] != mine[j])`;

export const ROWS: readonly Row[] = [
    ...(
        [
            [2, [9, 14], [5, 8]],
            [3, [31, 57], [7, 15]],
            [4, [129, 252], [9, 24]],
        ] as const
    ).flatMap(([N, all, reduced]): Row[] => [
        { name: 'ticket', text: TICKET, parameters: { N }, isExact: true, all, reduced, kept: 2 },
        {
            name: 'bakery in one step',
            text: BAKERY_IN_ONE_STEP,
            parameters: { N },
            isExact: true,
            all,
            reduced,
            kept: 1,
        },
    ]),
    { name: 'bakery', text: BAKERY, parameters: { N: 2 }, isExact: false, all: [136, 242], kept: 1 },
    { name: 'bakery', text: BAKERY, parameters: { N: 3 }, isExact: false, all: [3848, 9767], kept: 1 },
    {
        name: 'bakery, numbers read one by one',
        text: BAKERY_ONE_BY_ONE,
        parameters: { N: 2 },
        isExact: false,
        all: [117, 212],
        kept: 1,
    },
    {
        name: 'bakery, numbers read one by one',
        text: BAKERY_ONE_BY_ONE,
        parameters: { N: 3 },
        isExact: false,
        all: [3754, 9859],
        kept: 1,
    },
    { name: 'fencing', text: FENCING, parameters: { N: 2 }, isExact: true, all: [34, 124], reduced: [18, 64], kept: 1 },
    {
        name: 'fencing',
        text: FENCING,
        parameters: { N: 3 },
        isExact: true,
        all: [182, 984],
        reduced: [36, 184],
        kept: 1,
    },
    { name: 'stack with versions', text: TREIBER, isExact: true, all: [360, 720], reduced: [93, 186], kept: 1 },
    { name: 'ring buffer', text: RING_BUFFER, parameters: { K: 2 }, isExact: true, all: [14, 24], kept: 3 },
    { name: 'ring buffer', text: RING_BUFFER, parameters: { K: 3 }, isExact: true, all: [45, 84], kept: 4 },
];
