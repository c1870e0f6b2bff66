/** Seeds of benches that hunt for faults: another one on every run, which the results name. */

/** From 0 to 999,999, for a person may have to copy it. */
export function freshSeed(): number {
    return Math.floor(Math.random() * 1e6);
}
