/** Expands single states by generated code, several in one batch, so that their representatives are found together. */
import { CURRENT } from '../codegen/current-state.js';
import { SITE_BITS } from '../codegen/faults.js';
import { invariant } from '../common/assert.js';
import type { Expander } from '../explore/expander.js';
import type { StateCanonicalizer } from '../explore/state-canonicalizer.js';
import { instantiate, type CompiledModel } from './compiled-model.js';
import { ENTRY, FAULT_ENTRY, HEADER, LEFT } from './memory-map.js';

/** The most states in one batch; most batches are full before. */
const MOST_STATES = 256;

/**
 * The model must be compiled with the canonicalizer, if there is one, and with `replacesAll`. Undefined if the host cannot
 * run the code.
 */
export function compiledExpander(
    compiled: CompiledModel,
    canonicalizer: Pick<StateCanonicalizer, 'canonicalizeInto'> | undefined,
): Expander | undefined {
    const running = instantiate(compiled);
    if (running === undefined) {
        return undefined;
    }
    const { heap, visit, visitSome = visit, reduce, holds } = running.instance;
    const { words } = heap;
    const { layout, sites, map, model, replacesAll } = compiled;
    invariant(canonicalizer === undefined || replacesAll, 'each representative is written, also one that is known');
    const { wordCount, longCount } = layout;
    const left = new Int32Array(model.cells.length);
    const representative = new Uint32Array(wordCount);
    /** Of the states of the batch: whether some invariant may not hold, and where their entries end. */
    const isSuspicious = new Uint8Array(MOST_STATES);
    const ends = new Int32Array(MOST_STATES);
    const { entryBytes } = map;

    /** Long words have their lower halves first in memory. The mark of a stored state is in no cell. */
    const readRepresentative = (entry: number): void => {
        for (let word = 0; word < wordCount; word++) {
            representative[word] = words[entry / 4 + (word ^ 1)];
        }
        if (wordCount === 2 * longCount) {
            representative[wordCount - 1] &= ~1;
        }
    };

    return {
        expand(states, count, sink): void {
            for (let from = 0; from < count;) {
                let to = from;
                let end = map.batch;
                words[HEADER.batchEnd / 4] = end;
                for (; to < count && to - from < MOST_STATES && end < map.fullBatch; to++) {
                    for (let word = 0; word < 2 * longCount; word++) {
                        words[CURRENT / 4 + (word ^ 1)] = word < wordCount ? states[to * wordCount + word] : 0;
                    }
                    isSuspicious[to - from] = holds === undefined ? 0 : 1 - holds(CURRENT);
                    visitSome();
                    end = words[HEADER.batchEnd / 4];
                    ends[to - from] = end;
                }
                if (canonicalizer !== undefined) {
                    reduce();
                }
                for (let index = from, entry = map.batch; index < to; index++) {
                    if (isSuspicious[index - from] === 1) {
                        sink.suspicious(index);
                    }
                    if (entry === ends[index - from]) {
                        sink.stuck(index);
                    }
                    for (; entry < ends[index - from]; entry += entryBytes) {
                        const tail = (entry + 8 * longCount) / 4;
                        if (words[tail + ENTRY.parent / 4] === FAULT_ENTRY) {
                            const fault = sites.faultOf(words[tail + ENTRY.hash / 4] & ((1 << SITE_BITS) - 1));
                            sink.faulted(index, words[tail + ENTRY.summand / 4], fault);
                            continue;
                        }
                        if (canonicalizer !== undefined && words[tail + ENTRY.hash / 4] === LEFT) {
                            layout.unpackLong(words, entry / 4, left);
                            if (!canonicalizer.canonicalizeInto(left, left)) {
                                sink.undecided(index);
                                continue;
                            }
                            layout.pack(left, representative, 0);
                        } else {
                            readRepresentative(entry);
                        }
                        sink.fired(index, representative);
                    }
                }
                from = to;
            }
        },
    };
}
