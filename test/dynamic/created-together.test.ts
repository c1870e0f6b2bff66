/**
 * Bodies of one step that create instances and end them, and what there is for two instances. `compare` asks the reference,
 * in which no name is used twice, and whether the group exchanges all instances of a template.
 */
// @module-tag thorough
import { expect, test } from 'vitest';
import { linearize } from '../../engine/sequential/linearize.js';
import { compare, WAYS } from './agreement.js';
import { modelOf } from './explored.js';

const WAITING = `
    process W() { rest: when false }
    process V() { rest: when false }
    allow deadlock`;

const TOGETHER = `
    channel c: 0 of bool
    var wn: W? = none
    var vn: V? = none`;

interface Together {
    readonly name: string;
    readonly text: string;
    readonly classes: number;
    readonly faults?: readonly string[];
}

/* The classes follow from the texts, in which nearly nothing has a choice; those of the others are the reference's. */
const ALL: readonly Together[] = [
    {
        name: 'two that are created have a cell for both, which begins like all others',
        // Before, both created, seen, the cell true, checked.
        text: `${TOGETHER}
            var rel: bool[W, V] = false
            process Main {
                meet: c ! true { wn := spawn W() }
                see: when vn != none;
                turn: { rel[wn, vn] := !rel[wn, vn] }
                look: assert rel[wn, vn]
            }
            process Other { meet: c ? _ { vn := spawn V() } }
            ${WAITING}`,
        classes: 5,
    },
    {
        name: 'they have a channel, which is empty',
        text: `${TOGETHER}
            channel q[W, V]: 1 of bool
            process Main { meet: c ! true { wn := spawn W() } see: assert empty(q[wn, vn]); send: q[wn, vn] ! true }
            process Other { meet: c ? _ { vn := spawn V() } }
            ${WAITING}`,
        classes: 4,
    },
    {
        name: 'they have records, between other indices',
        text: `${TOGETHER}
            type F = 0 .. 1
            record R = { x: 0 .. 2, y: W? }
            var rel: R[W, F, V] = R(2, none)
            process Main {
                meet: c ! true { wn := spawn W() }
                turn: { rel[wn, 1, vn].y := wn }
                look: assert rel[wn, 0, vn] == R(2, none) && rel[wn, 1, vn] == R(2, wn)
            }
            process Other { meet: c ? _ { vn := spawn V() } }
            ${WAITING}`,
        classes: 4,
    },
    {
        name: 'each of them is created if something holds',
        text: `
            event e
            var wn: W? = none
            var vn: V? = none
            var x: bool = any
            var y: bool = any
            var rel: bool[W, V] = false
            process Main {
                first: e { if x { wn := spawn W() } }
                second: e { if !x { wn := spawn W() } }
                see: when wn in W && vn in V;
                turn: { rel[wn, vn] := true }
                look: assert forall w in W, v in V: rel[w, v]
            }
            process Other { first: e { if y { vn := spawn V() } } second: e { if !y { vn := spawn V() } } }
            ${WAITING}`,
        classes: 24,
    },
    {
        name: 'three bodies create three',
        text: `
            event e
            var rel: 0 .. 3[W, V, U] = 3
            process Main { meet: e { spawn W() } look: assert forall w in W, v in V, u in U: rel[w, v, u] == 3 }
            process Second { meet: e { spawn V() } }
            process Third { meet: e { spawn U() } }
            process U() { rest: when false }
            ${WAITING}`,
        classes: 3,
    },
    {
        name: 'a creation meets an end',
        text: `${TOGETHER}
            var rel: bool[W, V] = true
            process Main {
                create: vn := spawn V();
                meet: c ! true { wn := spawn W() }
                again: { vn := spawn V() }
                look: assert rel[wn, vn];
                turn: { rel[wn, vn] := false }
            }
            process W() { rest: when false }
            process V() { meet: c ? _ }
            allow deadlock`,
        classes: 6,
    },
    {
        name: 'a creation meets that of an instance whose text is empty',
        text: `${TOGETHER}
            var rel: bool[W, V] = false
            process Main { meet: c ! true { wn := spawn W() } look: assert !alive(vn) && alive(wn) }
            process Other { meet: c ? _ { vn := spawn V() } }
            process W() { rest: when false }
            process V() { }
            allow deadlock`,
        classes: 3,
    },
    {
        name: 'a creator writes cells of its own, and another instance of the template ends or is created',
        text: `${TOGETHER}
            var a: bool[W] = false
            var rel: bool[W, V] = false
            var known: V? = none
            process Main {
                create: { wn := spawn W(); known := spawn V() }
                meet: c ! true { wn := spawn W(); a[wn] := true; rel[wn, known] := true }
                again: c ! true { wn := spawn W(); rel[wn, known] := true }
                look: assert rel[wn, known] && (vn == none || !rel[wn, vn])
            }
            process Other { rest: when vn == none && wn != none; meet: c ? _ { vn := spawn V() } }
            process W() { meet: c ? _ }
            process V() { rest: when false }
            allow deadlock`,
        classes: 14,
    },
    {
        name: 'two instances of a cell end together, and their successors begin anew',
        text: `
            channel e: 0 of bool
            var rel: bool[W, V] = true
            var n: 0 .. 2 = 0
            process Main {
                loop {
                    create: when n < 2 && !(exists w in W: true) && !(exists v in V: true) {
                        spawn W();
                        spawn V();
                        n := n + 1
                    }
                }
            }
            process W() { look: assert forall v in V: rel[self, v]; turn: { rel := [w in W, v in V: false] } leave: e ! true }
            process V() { leave: e ? _ }
            allow deadlock`,
        // Nothing; twice created, looked, turned, ended.
        classes: 9,
    },
    {
        name: 'a cell of the instance that ends is no other body’s',
        text: `${TOGETHER}
            var rel: bool[W, V] = false
            process Main { create: vn := spawn V(); meet: c ! true { wn := spawn W(); rel[wn, vn] := true } }
            process W() { rest: when false }
            process V() { meet: c ? _ }
            allow deadlock`,
        classes: 2,
        faults: ['race'],
    },
    {
        name: 'a first value that counts the instances of another body is a race',
        text: `${TOGETHER}
            process Main { meet: c ! true { spawn W() } }
            process Other { meet: c ? _ { spawn V() } }
            process W() {
                var n: 0 .. 3 = count(v in V: true)
                rest: when n > 1
            }
            process V() { rest: when false }
            allow deadlock`,
        classes: 1,
        faults: ['race'],
    },
];

test.each(ALL)('$name', { timeout: 120_000 }, async ({ text, classes, faults = [] }) => {
    for (const way of WAYS) {
        const comparison = await compare(text, 100, way);
        expect(comparison.kind).toBe('agreed');
        if (comparison.kind === 'agreed') {
            expect(comparison.reference.faults).toEqual(faults);
            expect(comparison.reference.classes).toBe(classes);
        }
    }
});

test('a race that always is says no slots', async () => {
    const { problems } = linearize(
        await modelOf(`
            channel e: 0 of bool
            var rel: bool[W, V] = false
            process Main { create: { spawn W(); spawn V() } }
            process W() { meet: e ! true }
            process V() { meet: e ? _ { rel := [w in W, v in V: true] } rest: when false }
            allow deadlock`),
    );
    expect(problems.map(({ code }) => code)).toEqual(['event/race']);
    expect(problems[0]!.message).toContain('`W` writes `W.at`, which `V` uses');
});
