/** Explorations that are stopped, and continued by another one from a snapshot, as after a pause. */
import { createWorkLimit, UNLIMITED } from '../../engine/common/work-limit.js';
import type { RunningExploration } from '../../engine/explore/search.js';
import type { ExplorationSnapshot, StoredExploration } from '../../engine/explore/snapshot.js';

/** A copy, as it would come from a file. */
export function stored(snapshot: ExplorationSnapshot): StoredExploration {
    return withMemories(
        snapshot,
        snapshot.search.memories.map(memory => memory.slice()),
    );
}

function withMemories({ state, search }: ExplorationSnapshot, memories: readonly Uint8Array[]): StoredExploration {
    return {
        state: structuredClone(state),
        search: {
            counts: { ...search.counts },
            memories: memories.map(memory => ({
                byteLength: memory.length,
                readInto: target => {
                    target.set(memory);
                },
            })),
        },
    };
}

/** Goes on for so many slices, each as short as can be, until there is a snapshot; undefined where it ends before. */
function snapshotAfter(exploration: RunningExploration, slices: number): ExplorationSnapshot | undefined {
    const noTime = { now: () => 0, budgetMilliseconds: 0 };
    for (let slice = 0; ; slice++) {
        if (exploration.advance(createWorkLimit(noTime))) {
            return undefined;
        }
        // What a limit has ended could go on, too, but not to the same result.
        const isSearching = exploration.progress().phase === 'search';
        const snapshot = slice >= slices && isSearching ? exploration.snapshot() : undefined;
        if (snapshot !== undefined) {
            return snapshot;
        }
    }
}

/** Stops after `slices` and goes on by `begin`, again and again; returns the result and the number of explorations. */
export function exploreInPieces(
    begin: (resumeFrom?: StoredExploration) => RunningExploration,
    slices: number,
    stops = 20,
): { readonly exploration: RunningExploration; readonly pieces: number } {
    let exploration = begin();
    for (let pieces = 1; ; pieces++) {
        const snapshot = pieces > stops ? undefined : snapshotAfter(exploration, slices);
        if (snapshot === undefined) {
            while (!exploration.advance(UNLIMITED));
            return { exploration, pieces };
        }
        exploration.close();
        // What was closed writes no more, so its memories are read as they are: to copy them takes longer than the search.
        exploration = begin(withMemories(snapshot, snapshot.search.memories));
    }
}
