/** Counts, times and sizes as people read them. */

/** `1,234,567` */
export function formatCount(count: number | bigint): string {
    return count.toString().replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count that nobody reads digit by digit: `about 1.27 × 10^89` beyond 10^24. `--json` has all digits. */
export function formatLargeCount(count: bigint): string {
    const digits = count.toString();
    return digits.length <= 25
        ? formatCount(count)
        : `about ${digits.slice(0, 1)}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
}

/** `12 ms`, `3.2 s`, `2 min 5 s` */
export function formatSeconds(seconds: number): string {
    if (seconds < 1) {
        return `${Math.round(seconds * 1000)} ms`;
    }
    if (seconds < 120) {
        return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
    }
    return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `640 KB`, `12 MB`; in powers of 1024, as `--max-memory` reads them. */
export function formatBytes(bytes: number): string {
    const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
    let value = bytes;
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
