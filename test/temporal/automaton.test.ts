/** Automata to look at, and their languages against the definition of formulas. `vitest -u` writes the texts anew. */
import * as fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TemporalFormula } from '../../engine/sequential/sequential-model.js';
import { automatonOf, type Automaton } from '../../engine/temporal/automaton.js';
import { accepts, lassosUpTo, valuesOn, type Lasso } from './lassos.js';
import { always, and, atom, eventually, FALSE, implies, infinitelyOften, leadsTo, not, or } from './formulas.js';
import { randomFormula, release, TRUE, until, weakUntil } from './formulas.js';
import { printAutomaton } from './print-automaton.js';

const [p, q, r] = [atom(0), atom(1), atom(2)];
const ENOUGH = 1000;

const built = (formula: TemporalFormula): Automaton => automatonOf(formula, ENOUGH)!;

/** Their automata were checked by hand: each transition is what the rules of the tableau say. */
const shown: readonly (readonly [string, TemporalFormula])[] = [
    ['true', TRUE],
    ['p && !p', and(p, not(p))],
    ['p', p],
    ['always p', always(p)],
    ['eventually p', eventually(p)],
    ['eventually false', eventually(FALSE)],
    ['p until q', until(p, q)],
    ['p weak until q', weakUntil(p, q)],
    ['p release q', release(p, q)],
    ['p leads to q', leadsTo(p, q)],
    ['!(p leads to q)', not(leadsTo(p, q))],
    ['infinitely often p', infinitelyOften(p)],
    ['eventually always p', eventually(always(p))],
    ['(infinitely often p) && (infinitely often q)', and(infinitelyOften(p), infinitelyOften(q))],
    ['(infinitely often p) implies (infinitely often q)', implies(infinitelyOften(p), infinitelyOften(q))],
    ['(eventually p) && (eventually q)', and(eventually(p), eventually(q))],
    ['!(always (p implies (q weak until r)))', not(always(implies(p, weakUntil(q, r))))],
    ['p until (q until r)', until(p, until(q, r))],
    ['(p until q) until r', until(until(p, q), r)],
    ['(eventually p) && (always !p)', and(eventually(p), always(not(p)))],
];

test('twenty automata are as in their file', async () => {
    const texts = shown.map(([name, formula]) => `${name}\n${printAutomaton(built(formula))}\n`);
    await expect(texts.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'automata.txt'));
});

test('what a leads-to property is checked by has two states', () => {
    expect(built(not(leadsTo(p, q))).transitions).toHaveLength(2);
});

/** Those about which the automaton of the formula or that of its negation is wrong. */
function mistakenLassos(formula: TemporalFormula, among: readonly Lasso[]): readonly Lasso[] {
    const [automaton, negation] = [built(formula), built(not(formula))];
    return among.filter(lasso => {
        const holds = valuesOn(lasso, formula)[0];
        return accepts(automaton, lasso) !== holds || accepts(negation, lasso) === holds;
    });
}

test('an automaton accepts the lassos on which its formula holds, and that of the negation the others', () => {
    const lassos = lassosUpTo(4, 2);
    fc.assert(
        fc.property(randomFormula(4), formula => {
            expect(mistakenLassos(formula, lassos)).toEqual([]);
        }),
        { numRuns: 50 },
    );
});

test('the same holds for each operator over small formulas, of which many are simplified', () => {
    const lassos = lassosUpTo(2, 2);
    const small = [
        TRUE,
        FALSE,
        p,
        not(p),
        q,
        and(p, q),
        or(p, q),
        always(p),
        eventually(p),
        until(p, q),
        release(p, q),
    ];
    for (const operator of [and, or, until, release]) {
        for (const [left, right] of small.flatMap(one => small.map(other => [one, other] as const))) {
            expect(mistakenLassos(operator(left, right), lassos)).toEqual([]);
        }
    }
});

test.each([
    ['false until p', until(FALSE, p), p],
    ['p until false', until(p, FALSE), FALSE],
    ['p until true', until(p, TRUE), TRUE],
    ['(p && q) until q', until(and(p, q), q), q],
    ['true release p', release(TRUE, p), p],
    ['p release false', release(p, FALSE), FALSE],
    ['p release true', release(p, TRUE), TRUE],
    ['p release (q && p)', release(p, and(q, p)), and(p, q)],
    ['p || (q && p)', or(p, and(q, p)), p],
    ['p && (q || true)', and(p, or(q, TRUE)), p],
    ['(always p) && !p', and(always(p), not(p)), FALSE],
])('%s is simplified', (_, formula, simple) => {
    // Around them stands what would show another state, another branch or another promise.
    expect(built(until(r, formula))).toEqual(built(until(r, simple)));
});

test('an automaton without states is that of a formula without runs, and a loop of no condition that of all', () => {
    expect(built(and(eventually(and(p, not(p))), q))).toEqual({ initial: [], transitions: [], promiseCount: 0 });
    const loop = { target: 0, positive: [], negative: [], promised: [] };
    const all = { initial: [0], transitions: [[loop]], promiseCount: 0 };
    expect(built(or(q, until(FALSE, p), release(p, TRUE)))).toEqual(all);
});

test('negating twice changes nothing, and a lasso satisfies a formula or its negation', () => {
    fc.assert(
        fc.property(randomFormula(4), fc.constantFrom(...lassosUpTo(4, 2)), (formula, lasso) => {
            expect(not(not(formula))).toEqual(formula);
            expect(valuesOn(lasso, not(formula))).toEqual(valuesOn(lasso, formula).map(value => !value));
        }),
    );
});

test('formulas that differ in the order of operands are one', () => {
    const [one, other] = [eventually(or(p, always(q))), eventually(or(always(q), p))];
    expect(built(and(one, other))).toEqual(built(one));
    expect(built(and(one, other)).promiseCount).toBe(1);
});

test('a state is entered only if it can be reached, and has a transition', () => {
    fc.assert(
        fc.property(randomFormula(4), formula => {
            const { initial, transitions } = built(formula);
            const targets = new Set([...initial, ...transitions.flat().map(({ target }) => target)]);
            expect([...targets].sort((a, b) => a - b)).toEqual([...transitions.keys()]);
            expect(transitions.every(ofState => ofState.length > 0)).toBe(true);
        }),
    );
});

test('there is no automaton with more states than allowed', () => {
    expect(automatonOf(until(p, q), 2)?.transitions).toHaveLength(2);
    expect(automatonOf(until(p, q), 1)).toBeUndefined();
});

test('formulas with exponentially many states or transitions come to an end', () => {
    const atoms = Array.from({ length: 30 }, (_, number) => atom(number));
    expect(automatonOf(and(...atoms.slice(0, 5).map(eventually)), ENOUGH)?.transitions).toHaveLength(2 ** 5);
    expect(automatonOf(and(...atoms.slice(0, 10).map(infinitelyOften)), ENOUGH)?.transitions[0]).toHaveLength(2 ** 10);
    expect(automatonOf(and(...atoms.map(eventually)), ENOUGH)).toBeUndefined();
    expect(automatonOf(and(...atoms.map(infinitelyOften)), ENOUGH)).toBeUndefined();
    expect(
        automatonOf(
            atoms.reduce((left, right) => until(left, right)),
            ENOUGH,
        ),
    ).toBeUndefined();
});
