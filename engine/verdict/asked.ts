/** The question of an exploration in its two parts: one about each state, one about runs. */
import type { SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';

export interface Asked {
    readonly ofStates: {
        /** Without properties of runs. */
        readonly sequential: SequentialModel;
        /** The names of the invariants, and `deadlock`; all if absent. */
        readonly properties?: readonly string[];
    };
    readonly ofRuns: readonly TemporalProperty[];
}

/** The names are those of all properties that are asked for; everything if absent. */
export function askedOf(sequential: SequentialModel, names: readonly string[] | undefined): Asked {
    const ofRuns = sequential.properties.filter(({ name }) => names?.includes(name) ?? true);
    const temporal = new Set(ofRuns.map(({ name }) => name));
    return {
        ofRuns,
        ofStates: {
            sequential: ofRuns.length === 0 ? sequential : { ...sequential, properties: [] },
            ...(names !== undefined && { properties: names.filter(name => !temporal.has(name)) }),
        },
    };
}
