/**
 * Which orders a wreath product can have. That of H wr K, where K permutes k copies of H and maps each to each, is
 * |H|^k · |K|, and |K| is a multiple of k and divides k!. Most orders cannot be written in this way for any k, and then
 * nobody needs to look for blocks or lines.
 */
import { primePowers } from './structure-name.js';

/** Whether the order of a group of `degree` points may be that of H wr K, where K permutes `copies` copies of H. */
export function mayBeWreathOrder(order: bigint, degree: number, copies: number): boolean {
    return mayBeProduct(primeExponents(order, degree), copies);
}

/** The same for any number of copies from two on. */
export function mayBeSomeWreathOrder(order: bigint, degree: number): boolean {
    const exponents = primeExponents(order, degree);
    const most = Math.max(0, ...exponents.values());
    for (let copies = 2; copies <= most; copies++) {
        if (mayBeProduct(exponents, copies)) {
            return true;
        }
    }
    return false;
}

/** For each prime p there is an x such that p^x may be in |H|: what is left beside p^(copies · x) is in |K|. */
function mayBeProduct(exponents: ReadonlyMap<number, number>, copies: number): boolean {
    let isTrivial = true;
    for (const [prime, exponent] of exponents) {
        const least = exponentIn(copies, prime);
        const most = exponentInFactorial(copies, prime);
        // The greatest x leaves the least; a smaller one is right only if that is too little.
        let x = Math.floor(exponent / copies);
        while (x > 0 && exponent - copies * x < least) {
            x--;
        }
        const rest = exponent - copies * x;
        if (rest < least || rest > most) {
            return false;
        }
        isTrivial &&= x === 0;
    }
    return !isTrivial && primePowers(copies).every(([prime]) => exponents.has(prime));
}

/** The exponents of the primes that divide the order of a group of `degree` points, none of which is greater. */
function primeExponents(order: bigint, degree: number): ReadonlyMap<number, number> {
    const exponents = new Map<number, number>();
    let rest = order;
    for (let prime = 2; prime <= degree && rest > 1n; prime++) {
        // What a smaller number divides is divided out already.
        while (rest % BigInt(prime) === 0n) {
            rest /= BigInt(prime);
            exponents.set(prime, (exponents.get(prime) ?? 0) + 1);
        }
    }
    return exponents;
}

function exponentIn(n: number, prime: number): number {
    let exponent = 0;
    for (let rest = n; rest % prime === 0; rest /= prime) {
        exponent++;
    }
    return exponent;
}

/** By Legendre's formula. */
function exponentInFactorial(n: number, prime: number): number {
    let exponent = 0;
    for (let power = prime; power <= n; power *= prime) {
        exponent += Math.floor(n / power);
    }
    return exponent;
}
