/** Counts, times and sizes as people read them. */
import { formatMagnitude } from '../../language-server/lsp/wording.js';

/** `1,234,567` */
export function formatCount(count: number | bigint): string {
    return count.toString().replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count that nobody reads digit by digit: `about 1.27 × 10^89` beyond 10^24. `--json` has all digits. */
export function formatLargeCount(count: bigint): string {
    const digits = count.toString();
    return digits.length <= 25 ? formatCount(count) : `about ${formatMagnitude(count)}`;
}

/** `12 ms`, `3.2 s`, `2 min 5 s` */
export function formatSeconds(seconds: number): string {
    const milliseconds = Math.round(seconds * 1000);
    if (milliseconds < 1000) {
        return `${milliseconds} ms`;
    }
    const whole = Math.round(seconds);
    if (whole < 120) {
        return `${seconds < 9.95 ? seconds.toFixed(1) : whole} s`;
    }
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `640 KB`, `12 MB`; in powers of 1024, as `--max-memory` reads them. */
export function formatBytes(bytes: number): string {
    const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
    let value = bytes;
    let unit = 0;
    while (Math.round(value) >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
