/** The least common multiple of two positive numbers. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
    let [divisor, rest] = [a, b];
    while (rest !== 0n) {
        [divisor, rest] = [rest, divisor % rest];
    }
    return (a / divisor) * b;
}
