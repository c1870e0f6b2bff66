/** What is said of runs and is about single states is an invariant, and nothing else is. */
import { expect, test } from 'vitest';
import { linearize } from '../../../engine/sequential/linearize.js';
import { modelOf } from '../../model-of-text.js';

const text = (formula: string, before = ''): string => `
    type Proc = 0 .. 1
    var x: bool[Proc] = true
    var y: bool[Proc] = true
    function other(i: Proc): Proc { return 1 - i }
    function isSet(i: Proc): bool { return x[i] }
    process P[i: Proc] { loop { choose { x[i] := false } or { y[i] := false } } }
    ${before}
    property p = ${formula}
`;

async function isInvariant(formula: string, before?: string): Promise<boolean> {
    const { sequential, problems } = linearize(await modelOf(text(formula, before)));
    expect(problems).toEqual([]);
    return sequential!.invariants.some(({ name }) => name === 'p');
}

test.each([
    'always x[0]',
    '!(eventually x[0])',
    '(always x[0]) && (always y[0])',
    '!((eventually x[0]) || (eventually y[0]))',
    '!((always !x[0]) implies (eventually y[0]))',
    'forall i in Proc where other(i) == 0: always x[i]',
    '!(exists i in Proc: eventually x[i])',
])('%s', async formula => {
    expect(await isInvariant(formula)).toBe(true);
});

test.each([
    'eventually x[0]',
    '!(always x[0])',
    '(always x[0]) || (always y[0])',
    'exists i in Proc: always x[i]',
    // These ask at the start of a run, and of the states after it something else.
    'forall i in Proc where x[i]: always y[i]',
    'forall i in Proc where isSet(i): always y[i]',
])('%s is about runs', async formula => {
    expect(await isInvariant(formula)).toBe(false);
});

test('an assumption excludes runs', async () => {
    expect(await isInvariant('always x[0]', 'assume again = infinitely often x[0]')).toBe(false);
});
