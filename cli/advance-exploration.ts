/** Runs an exploration in slices, with Ctrl+C and progress between them; when it is ended it has the result so far. */
import { formatBytes, formatCount } from '../engine/describe/words.js';
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { RunningExploration } from '../engine/explore/search.js';
import type { ExploreInvocation } from './options/invocation.js';
import type { CheckpointSaver } from './checkpoint-saver.js';
import type { Interruption } from './interruption.js';
import type { CommandIo } from './io.js';
import { createProgressLine } from './progress.js';

/** Violations get their traces even when the time is over, for at most this long, or this part of the time. */
const TRACES_MILLISECONDS = 2000;
const TRACES_PART = 0.1;

/** Ctrl+C is answered after at most this long and one expansion, or as soon as a checkpoint is written. */
const SLICE_MILLISECONDS = 40;

/** The limits from outside of an exploration. */
export interface Ends {
    /** On the clock of `io`. */
    readonly deadline: number;
    readonly timeoutSeconds: number | undefined;
    /** Present if a checkpoint is wanted. */
    readonly saver: CheckpointSaver | undefined;
    readonly interruption: Interruption;
}

/** Works until there is a result, the time is over or the user interrupts; true in the last case. */
export async function advanceToTheEnd(
    exploration: RunningExploration,
    { deadline: firstDeadline, timeoutSeconds, saver, interruption }: Ends,
    invocation: ExploreInvocation,
    io: CommandIo,
): Promise<boolean> {
    let deadline = firstDeadline;
    let isLate = false;
    const isInterrupted = interruption.take();
    const progress = createProgressLine(io, !invocation.quiet);
    const start = io.now();
    try {
        for (;;) {
            const budgetMilliseconds = Math.min(SLICE_MILLISECONDS, Math.max(0, deadline - io.now()));
            const isFinished = exploration.advance(createWorkLimit({ now: io.now, budgetMilliseconds }));
            if (isFinished) {
                return false;
            }
            await io.nextTurn();
            if (isInterrupted()) {
                saver?.reachSnapshot(exploration);
                // A violation gets its trace if that is quick; the verdict is the same without it.
                exploration.stop({ kind: 'time', value: io.now() - start });
                exploration.advance(createWorkLimit({ now: io.now, budgetMilliseconds: SLICE_MILLISECONDS }));
                return true;
            }
            await saver?.saveNowAndThen(exploration);
            if (io.now() >= deadline && timeoutSeconds !== undefined) {
                if (isLate) {
                    return false;
                }
                isLate = true;
                saver?.reachSnapshot(exploration);
                exploration.stop({ kind: 'time', value: timeoutSeconds * 1000 });
                deadline = io.now() + Math.max(TRACES_MILLISECONDS, timeoutSeconds * 1000 * TRACES_PART);
            }
            progress.show(() => {
                const { phase, states, depth, frontier, memoryBytes } = exploration.progress();
                const rate = Math.round(states / Math.max(0.001, (io.now() - start) / 1000));
                const gain = exploration.statesPerOrbit();
                const { maxStates = Infinity, maxMemoryBytes = Infinity } = invocation;
                const share = Math.max(
                    states / maxStates,
                    memoryBytes / maxMemoryBytes,
                    (io.now() - start) / ((timeoutSeconds ?? Infinity) * 1000),
                );
                return (
                    `${phase}: ${formatCount(states)} states, ${formatCount(frontier)} to go, depth ${formatCount(depth)}, ` +
                    `${formatCount(rate)} states/s, ${formatBytes(memoryBytes)}` +
                    (share > 0 ? `, ${Math.min(100, Math.round(100 * share))} % of the limit` : '') +
                    (gain === undefined ? '' : `, each for about ${formatCount(Math.round(gain))}`)
                );
            });
        }
    } finally {
        exploration.close();
        progress.clear();
    }
}
