/** Runs that are to exist, and what the text says and is not so, in words. */
import { formatRunLength } from './words.js';

/** Whether a violation is none that the text says is meant. */
export function isUnexpected({ expected }: { readonly expected?: true }): boolean {
    return expected !== true;
}

/** A run that is to exist: `reached after 9 steps`, `reached in an initial state`, `no run comes there`, `undecided`. */
export function formatRun({ verdict, steps }: { readonly verdict: string; readonly steps?: number }): string {
    switch (verdict) {
        case 'reached':
            return `reached ${formatRunLength(steps ?? 0)}`;
        case 'none':
            return 'no run comes there';
        default:
            return 'undecided';
    }
}

/** What the text says and is not so: `` `served` is expected to be violated, but it holds ``. */
export function formatUnexpected({ kind, name }: { readonly kind: string; readonly name: string }): string {
    switch (kind) {
        case 'missing':
            return name === 'deadlock' || name === 'faults'
                ? `a ${name === 'deadlock' ? name : 'fault'} is expected, but there is none`
                : `\`${name}\` is expected to be violated, but it holds`;
        case 'none':
            return `no run comes to \`${name}\``;
        default:
            return `the step \`${name}\` is never taken`;
    }
}
