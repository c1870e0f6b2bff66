/**
 * Expands single states, as they are stored, without a memory of earlier ones: what comes out depends on the state alone.
 *
 * States are packed as by StateLayout.pack, one after the other. Here they are interpreted; compiled-expander.ts does the
 * same with generated code, and calls the sink in the same order.
 */
import type { Fault } from '../sequential/expression/evaluate.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';
import type { StateLayout } from './state-layout.js';
import type { Successors } from './successors.js';

/** Is told about states in their order, about one of them in the order of the methods, and of its firings in theirs. */
export interface ExpanderSink {
    /** Some invariant may not hold in the state with this index. */
    suspicious(index: number): void;
    /** A firing leads to a state with this representative, which is valid during the call. */
    fired(index: number, representative: Readonly<Uint32Array>): void;
    /** A firing leads to a state whose representative takes more work than is allowed. */
    undecided(index: number): void;
    faulted(index: number, summand: number, fault: Fault): void;
    /** There is no firing. */
    stuck(index: number): void;
}

export interface Expander {
    /** Expands the first `count` of these states. */
    expand(states: Readonly<Uint32Array>, count: number, sink: ExpanderSink): void;
}

export function interpretedExpander(
    successors: Successors,
    layout: StateLayout,
    cellCount: number,
    canonicalizer: Pick<StateCanonicalizer, 'canonicalizeInto'> | undefined,
): Expander {
    const state = new Int32Array(cellCount);
    const representative = new Int32Array(cellCount);
    const packed = new Uint32Array(layout.wordCount);
    return {
        expand(states, count, sink): void {
            for (let index = 0; index < count; index++) {
                layout.unpack(states, index * layout.wordCount, state);
                sink.suspicious(index);
                let firings = 0;
                successors.forEachFiring(state, {
                    fired: (_, successor) => {
                        firings++;
                        if (canonicalizer?.canonicalizeInto(representative, successor) === false) {
                            sink.undecided(index);
                        } else {
                            layout.pack(canonicalizer === undefined ? successor : representative, packed, 0);
                            sink.fired(index, packed);
                        }
                        return true;
                    },
                    faulted: (summand, fault) => {
                        firings++;
                        sink.faulted(index, summand, fault);
                        return true;
                    },
                });
                if (firings === 0) {
                    sink.stuck(index);
                }
            }
        },
    };
}
