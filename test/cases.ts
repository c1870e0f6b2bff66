/** Whether tests draw all of their cases: in `npm test -- --all` and `npm run bench repetitions`, which set ORBIT_CASES. */
export const drawsAll = process.env['ORBIT_CASES'] === 'all';

/**
 * How many cases a random test draws: all of them or, elsewhere than above, one of so many. For tests that take seconds;
 * what takes no time always draws all.
 */
export function cases(all: number, divisor = 5): number {
    return drawsAll ? all : Math.ceil(all / divisor);
}
