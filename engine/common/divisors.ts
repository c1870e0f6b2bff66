/** Common divisors and multiples of positive numbers. */

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
    let [divisor, rest] = [a, b];
    while (rest !== 0n) {
        [divisor, rest] = [rest, divisor % rest];
    }
    return divisor;
}

export function leastCommonMultiple(a: bigint, b: bigint): bigint {
    return (a / greatestCommonDivisor(a, b)) * b;
}
