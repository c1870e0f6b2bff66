/** Calls, unfolded: values, faults, and where unfolding ends. */
import { expect, test } from 'vitest';
import { linearizationErrors, spaceOf } from './text-space.js';

test('a function with a loop is its value for each argument', async () => {
    // x becomes gcd(x, 4) for x in 1 .. 4: 1, 2, 1, 4; 4 initial states and 3 others with control at the end.
    const space = await spaceOf(`
        type N = 0 .. 4
        function gcd(a: N, b: N): N {
            var m: N = a
            var n: N = b
            while n != 0 { let rest = m mod n; m := n; n := rest }
            return m
        }
        var x: 1 .. 4 = any
        process P { { x := gcd(x, 4) } }`);
    expect(space).toEqual({ states: 7, transitions: 4, faults: [] });
});

test('rounds that are known before the run do not count against the limit of a loop', async () => {
    const space = await spaceOf(`
        function up(n: 0 .. 5000): 0 .. 5000 {
            var i: 0 .. 5000 = 0
            while i < n { i := i + 1 }
            return i
        }
        var x: 0 .. 5000
        process P { { x := up(3) } }`);
    expect(space).toEqual({ states: 2, transitions: 1, faults: [] });
});

test('recursion whose end is known before the run is unfolded', async () => {
    const space = await spaceOf(`
        function fib(n: 0 .. 20): 0 .. 10000 {
            if n <= 1 { return n }
            return fib(n - 1) + fib(n - 2)
        }
        var x: 0 .. 10000
        process P { { x := fib(12) }; when x == 144 { skip } }`);
    expect(space).toEqual({ states: 3, transitions: 2, faults: [] });
});

test('an argument that the function does not read is not read, also where a table stands for the function', async () => {
    // y is dead, so only x counts: 3 values before and behind the first step.
    const space = await spaceOf(`
        type N = 0 .. 2
        function same(n: N, unused: N): N {
            var i: N = 0
            while i < n { i := i + 1 }
            return i
        }
        process P { var x: N = any var y: N = any loop { skip; { x := same(x, y) } } }`);
    expect(space).toEqual({ states: 6, transitions: 6, faults: [] });
});

test('a loop that comes back to a state is a fault', async () => {
    const space = await spaceOf(`
        function turn(n: 0 .. 2): 0 .. 2 {
            var i: 0 .. 2 = n
            while i != 0 { i := 3 - i }
            return i
        }
        var x: 0 .. 2 = any
        process P { { x := turn(x) } }`);
    expect(space).toEqual({ states: 4, transitions: 1, faults: ['endless', 'endless'] });
});

test('a condition that is a fault is one, also where it makes no difference', async () => {
    const space = await spaceOf(`
        function same(n: 0 .. 1): 0 .. 1 {
            if 1 div n > 0 { return 1 } else { return 1 }
        }
        function unused(n: 0 .. 1): 0 .. 1 {
            var y: 0 .. 1 = 0
            if 1 div n > 0 { y := 1 }
            return 1
        }
        var x: 0 .. 1 = any
        process P { choose { when same(x) == 1 { skip } } or { when unused(x) == 1 { skip } } }`);
    expect(space).toEqual({ states: 3, transitions: 2, faults: ['division', 'division'] });
});

test('all results of a function are evaluated, whichever is used', async () => {
    const space = await spaceOf(`
        record R = { a: 0 .. 1, b: 0 .. 1 }
        function both(n: 0 .. 1): R = R(1, 1 div n)
        var x: 0 .. 1 = any
        process P { { x := both(x).a } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['division'] });
});

test('a result outside the type of the function is a fault', async () => {
    const space = await spaceOf(`
        function more(n: 0 .. 1): 0 .. 1 = n + 1
        var x: 0 .. 1 = any
        process P { { x := more(x) } }`);
    expect(space).toEqual({ states: 3, transitions: 1, faults: ['range'] });
});

test('an index outside an array of a function is a fault, written or read', async () => {
    const space = await spaceOf(`
        type I = 0 .. 1
        function write(n: 0 .. 2): 0 .. 2 {
            var a: 0 .. 2[I] = 0;
            a[n] := 1;
            return a[0]
        }
        function read(n: 0 .. 2): 0 .. 2 {
            var a: 0 .. 2[I] = 0;
            return a[n]
        }
        var x: 0 .. 2 = any
        process P { choose { { x := write(x) } } or { { x := read(x) } } }`);
    // Where x is 0 or 1: write gives 1 or 0, read gives 0. At the end x is 0 or 1.
    expect(space).toEqual({ states: 5, transitions: 4, faults: ['index', 'index'] });
});

test('a record is written after all indices are evaluated', async () => {
    const space = await spaceOf(`
        record Node = { next: 0 .. 1, full: bool }
        function place(n: 0 .. 1): 0 .. 1 {
            var node: Node[2] = [Node(n, false), Node(0, false)];
            node[node[0].next] := Node(1 - n, true);
            if node[n].full { return 1 }
            return 0
        }
        var x: 0 .. 1 = any
        process P { when place(x) == 1 { skip } }`);
    expect(space).toEqual({ states: 4, transitions: 2, faults: [] });
});

test('recursion whose end depends on the state is an error', async () => {
    const errors = await linearizationErrors(`
        var y: 0 .. 9
        function down(x: 0 .. 9): 0 .. 9 = if x == y then x else down(x - 1)
        process P { { y := down(y) } }`);
    expect(errors).toEqual(['function/recursion']);
});

test('deep recursion through nested branches is an error, not an overflow of the stack', async () => {
    const branches = (depth: number): string =>
        depth === 0
            ? '1 + (1 + f(n - 1, z)) - 2'
            : `if x > ${depth} then ${branches(depth - 1)} else f(n - 1, ${depth})`;
    const errors = await linearizationErrors(`
        var z: 0 .. 100000
        function f(n: 0 .. 500, x: 0 .. 100000): 0 .. 100000 = if n == 0 then x else ${branches(15)}
        process P { { z := f(400, z) } }`);
    expect(errors).toEqual(['function/recursion']);
});

test('a loop that the state ends is an error where its names have too many values', async () => {
    const errors = await linearizationErrors(`
        var y: 0 .. 9
        function f(): bool {
            var i: 0 .. 9999 = 0
            while i < 9999 && y != 3 { i := i + 1 }
            return i == 0
        }
        process P { when f() { skip } }`);
    expect(errors).toEqual(['function/loop']);
});

test('names that double an expression are an error, not a hang', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `let a${index + 1} = (a${index} + a${index}) mod 7`).join(
        ';',
    );
    const junctions = Array.from({ length: 60 }, (_, index) => `let a${index + 1} = a${index} && a${index}`).join(';');
    for (const [first, body, result] of [
        ['z + 1', names, 'a60 mod 2 == 0'],
        ['z == 1 && z != 2', junctions, 'a60'],
    ]) {
        const errors = await linearizationErrors(`
            var z: 0 .. 9
            function f(): bool { let a0 = ${first}; ${body}; return ${result} }
            process P { when f() { skip } }`);
        expect(errors).toEqual(['limit/expression-size']);
    }
});

test('a long sum in a loop is an error, not an overflow of the stack', async () => {
    const errors = await linearizationErrors(`
        var z: 0 .. 9
        function f(): 0 .. 100000 {
            var s: 0 .. 100000 = 0
            for i in 0 .. 4999 { s := s + z }
            return s
        }
        process P { when f() > 3 { skip } }`);
    expect(errors).toEqual(['limit/expression-depth']);
});

test('an array that a function returns is unfolded once', async () => {
    // 150 runs of 150 rounds would be beyond what linearization may spend.
    const space = await spaceOf(`
        type I = 0 .. 149
        var a: bool[I]
        function flipped(b: bool[I]): bool[I] {
            var c: bool[I] = b
            for i in I { c[i] := !b[i] }
            return c
        }
        process P { { a := flipped(a) } }`);
    expect(space).toEqual({ states: 2, transitions: 1, faults: [] });
});
