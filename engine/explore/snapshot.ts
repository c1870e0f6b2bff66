/**
 * What there is of an exploration between two slices of its work: enough to go on with it later, in another process too.
 *
 * It is bound to the model and to what was asked about it (`identity`), and not to threads, limits or the machine.
 */
import type { FinalFault } from './trace.js';
import type { Finding } from './properties.js';

/** Bytes as they are in memory; a view, valid until the search goes on. */
export interface SearchSnapshot {
    readonly counts: Readonly<Record<string, number>>;
    readonly memories: readonly Uint8Array[];
}

/** The same as it comes back: each memory is read once, in order. */
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
    /** Of two symmetric states the same, where that can be told; absent for a fault, which is one of its place. */
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
