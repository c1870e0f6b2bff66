/**
 * A snapshot of an exploration between two slices of work, from which another process can continue.
 *
 * It depends on the model and on the questions about it (`identity`), not on threads, limits or the machine.
 */
import type { FinalFault } from './verdict.js';
import type { Finding } from './properties.js';

/** A search; `memories` are views, valid until the search continues. */
export interface SearchSnapshot {
    readonly counts: Readonly<Record<string, number>>;
    readonly memories: readonly Uint8Array[];
}

/** A stored search; each memory is read once, in order. */
export interface StoredSearch {
    readonly counts: Readonly<Record<string, number>>;
    readonly memories: readonly StoredMemory[];
}

export interface StoredMemory {
    readonly byteLength: number;
    /** Fills `target`, which is as long as the memory. */
    readInto(target: Uint8Array): void;
}

export interface FoundViolation {
    readonly finding: Finding;
    readonly stateIndex: number;
    readonly finalFault?: FinalFault | undefined;
    /** The same for symmetric states if that is known; absent for a fault. */
    readonly orbit?: string | number | undefined;
}

/** Plain data. */
export interface ExplorationState {
    readonly unique: boolean;
    readonly deadlocks: number;
    readonly found: readonly FoundViolation[];
}

export interface ExplorationSnapshot {
    readonly state: ExplorationState;
    readonly search: SearchSnapshot;
}

export interface StoredExploration {
    readonly state: ExplorationState;
    readonly search: StoredSearch;
}
