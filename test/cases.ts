/**
 * How many cases a random test draws: all of them in `npm test -- --all` and `npm run bench repetitions`, which set
 * ORBIT_CASES, and a fifth elsewhere. For tests that take seconds; what takes no time always draws all.
 */
export function cases(all: number): number {
    return process.env['ORBIT_CASES'] === 'all' ? all : Math.ceil(all / 5);
}
