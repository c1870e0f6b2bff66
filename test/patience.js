/** How long a test waits: with much else to do the machine may take several times as long. */
/** What `measuredMilliseconds` takes on a quiet core of 2.8 GHz. */
const QUIET_MILLISECONDS = 230;
/** The time that passes for work of a fixed size. */
function measuredMilliseconds() {
    const start = performance.now();
    let value = 1;
    for (let round = 0; round < 200_000_000; round++) {
        value = Math.imul(value ^ round, 0x9e3779b1);
    }
    // The result is used, or the loop could be left out.
    return performance.now() - start + (value === 0 ? 1 : 0);
}
/** How many times slower than a quiet core, at least 1; measured at the first use. */
let slowness;
/** What is allowed here for what may take `milliseconds` on a quiet machine. */
export function patient(milliseconds) {
    slowness ??= Math.max(1, measuredMilliseconds() / QUIET_MILLISECONDS);
    return Math.round(milliseconds * slowness);
}
//# sourceMappingURL=patience.js.map