/**
 * Polynomials over the parameters of a model with integer coefficients: bounds of types, constants, sizes of groups.
 *
 * A comparison answers only what holds for all values that the types of the parameters allow. Coefficients beyond the
 * exact integers, and polynomials of many terms, do not exist: the operations return undefined.
 */

/** A parameter, or the length of a parameter that is an array. */
export interface PolynomialUnknown {
    /** As in the text: `N`, `len(clients)`. */
    readonly name: string;
    readonly low: number;
    readonly high: number;
}

/** Sorted names of unknowns with `*` between them; `` for the constant. */
type Monomial = string;

export interface Polynomial {
    /** No coefficient is 0. */
    readonly terms: ReadonlyMap<Monomial, number>;
    readonly unknowns: ReadonlyMap<string, PolynomialUnknown>;
}

/** Larger polynomials are not compared: bounds in models have a few terms. */
const MOST_TERMS = 64;
const MOST_FACTORS = 6;

export function constantOf(value: number): Polynomial {
    return { terms: new Map(value === 0 ? [] : [['', value]]), unknowns: new Map() };
}

export function unknownOf(unknown: PolynomialUnknown): Polynomial {
    return { terms: new Map([[unknown.name, 1]]), unknowns: new Map([[unknown.name, unknown]]) };
}

/** The sum of the polynomials, each with a factor. */
export function combination(
    ...parts: readonly (readonly [factor: number, polynomial: Polynomial])[]
): Polynomial | undefined {
    const terms = new Map<Monomial, number>();
    for (const [factor, polynomial] of parts) {
        for (const [monomial, coefficient] of polynomial.terms) {
            if (!addTerm(terms, monomial, factor * coefficient)) {
                return undefined;
            }
        }
    }
    return terms.size > MOST_TERMS ? undefined : { terms, unknowns: unknownsOf(parts.map(part => part[1])) };
}

export function product(first: Polynomial, second: Polynomial): Polynomial | undefined {
    const terms = new Map<Monomial, number>();
    for (const [left, leftCoefficient] of first.terms) {
        for (const [right, rightCoefficient] of second.terms) {
            const factors = [...factorsOf(left), ...factorsOf(right)].sort();
            if (
                factors.length > MOST_FACTORS ||
                !addTerm(terms, factors.join('*'), leftCoefficient * rightCoefficient)
            ) {
                return undefined;
            }
        }
    }
    return terms.size > MOST_TERMS ? undefined : { terms, unknowns: unknownsOf([first, second]) };
}

export function isSame(first: Polynomial, second: Polynomial): boolean {
    return (
        first.terms.size === second.terms.size &&
        [...first.terms].every(([monomial, coefficient]) => second.terms.get(monomial) === coefficient)
    );
}

/** The value of a polynomial without unknowns. */
export function asNumber({ terms }: Polynomial): number | undefined {
    return terms.size === 0 ? 0 : terms.size === 1 ? terms.get('') : undefined;
}

/** Whether the first one is at least the second one for all values of the parameters. False if that is not known. */
export function isAtLeast(first: Polynomial, second: Polynomial): boolean {
    const difference = combination([1, first], [-1, second]);
    return difference !== undefined && (rangeOf(difference).low >= 0 || isPositiveFrom(difference));
}

export function isMore(first: Polynomial, second: Polynomial): boolean {
    const next = combination([1, second], [1, constantOf(1)]);
    return next !== undefined && isAtLeast(first, next);
}

/** Bounds of the values that a polynomial has for all values of the parameters: those of its terms added up. */
export function rangeOf({ terms, unknowns }: Polynomial): { readonly low: number; readonly high: number } {
    let [low, high] = [0, 0];
    for (const [monomial, coefficient] of terms) {
        let [least, greatest] = [coefficient, coefficient];
        for (const factor of factorsOf(monomial)) {
            const { low: from, high: to } = unknowns.get(factor) ?? { low: -Infinity, high: Infinity };
            const corners = [least * from, least * to, greatest * from, greatest * to].map(corner => corner || 0);
            [least, greatest] = [Math.min(...corners), Math.max(...corners)];
        }
        low += least;
        high += greatest;
    }
    return { low, high };
}

/** The value for the values of the unknowns; undefined if one has none. */
export function valueOf({ terms }: Polynomial, values: ReadonlyMap<string, number>): number | undefined {
    let sum = 0;
    for (const [monomial, coefficient] of terms) {
        let term = coefficient;
        for (const factor of factorsOf(monomial)) {
            term *= values.get(factor) ?? NaN;
        }
        sum += term;
    }
    return Number.isNaN(sum) ? undefined : sum;
}

/** As in a text: `N - 1`, `R + W`, `2 * G * S`. Products come first and the constant last; the same for the same sums. */
export function formatPolynomial({ terms }: Polynomial): string {
    const ordered = [...terms].sort(
        ([first], [second]) => factorsOf(second).length - factorsOf(first).length || (first < second ? -1 : 1),
    );
    const text = ordered.map(([monomial, coefficient], position) => {
        const size = Math.abs(coefficient);
        const factors = factorsOf(monomial);
        const written = factors.length === 0 ? String(size) : [...(size === 1 ? [] : [size]), ...factors].join(' * ');
        return position === 0
            ? coefficient < 0
                ? `-${written}`
                : written
            : `${coefficient < 0 ? '-' : '+'} ${written}`;
    });
    return text.length === 0 ? '0' : text.join(' ');
}

function addTerm(terms: Map<Monomial, number>, monomial: Monomial, coefficient: number): boolean {
    const sum = (terms.get(monomial) ?? 0) + coefficient;
    if (sum === 0) {
        terms.delete(monomial);
    } else {
        terms.set(monomial, sum);
    }
    return Number.isSafeInteger(sum);
}

function factorsOf(monomial: Monomial): string[] {
    return monomial === '' ? [] : monomial.split('*');
}

function unknownsOf(polynomials: readonly Polynomial[]): Map<string, PolynomialUnknown> {
    return new Map(polynomials.flatMap(({ unknowns }) => [...unknowns]));
}

/** Whether no coefficient is negative after each unknown is written as its least value and how much it is above. */
function isPositiveFrom(polynomial: Polynomial): boolean {
    let shifted: Polynomial = constantOf(0);
    for (const [monomial, coefficient] of polynomial.terms) {
        let term: Polynomial | undefined = constantOf(coefficient);
        for (const factor of factorsOf(monomial)) {
            const unknown = polynomial.unknowns.get(factor);
            const low = unknown && Number.isFinite(unknown.low) ? constantOf(unknown.low) : undefined;
            const above = unknown && low && combination([1, unknownOf(unknown)], [1, low]);
            term = term && above && product(term, above);
        }
        const sum: Polynomial | undefined = term && combination([1, shifted], [1, term]);
        if (sum === undefined) {
            return false;
        }
        shifted = sum;
    }
    return [...shifted.terms.values()].every(coefficient => coefficient >= 0);
}
