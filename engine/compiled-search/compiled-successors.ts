/**
 * The successors of one state by generated code: the same firings in the same order as the interpreted ones. Of a model
 * that is compiled with a canonicalizer and `replacesAll` they come with the representatives that generated code finds.
 */
import { invariant } from '../common/assert.js';
import type { FiringVisitor, Successors } from '../explore/successors.js';
import { CURRENT } from '../codegen/current-state.js';
import { instantiate, type CompiledModel } from './compiled-model.js';
import { SITE_BITS } from '../codegen/faults.js';
import { ENTRY, FAULT_ENTRY, HEADER, LEFT } from './memory-map.js';

/** Undefined if the host cannot run the code. */
export function compiledSuccessors(compiled: CompiledModel): Successors | undefined {
    const running = instantiate(compiled);
    if (running === undefined) {
        return undefined;
    }
    const { heap, visit, reduce } = running.instance;
    const { words } = heap;
    const { layout, sites, map, model, replacesAll } = compiled;
    const successor = new Int32Array(model.cells.length);
    const representative = new Int32Array(model.cells.length);
    const fired = new Uint32Array(replacesAll ? (map.batchEntries * map.entryBytes) / 4 : 0);
    let isVisiting = false;
    const forEachFiring = (state: Readonly<Int32Array>, visitor: FiringVisitor): void => {
        invariant(!isVisiting, 'one state is expanded at a time');
        isVisiting = true;
        try {
            layout.packLong(state, words, CURRENT / 4);
            words[HEADER.batchEnd / 4] = map.batch;
            visit();
            const end = words[HEADER.batchEnd / 4];
            if (replacesAll) {
                fired.set(words.subarray(map.batch / 4, end / 4));
                reduce();
            }
            for (let entry = map.batch; entry < end; entry += map.entryBytes) {
                const tail = (entry + 8 * map.longCount) / 4;
                let goOn: boolean;
                const summand = words[tail + ENTRY.summand / 4] % map.summandCount;
                if (words[tail + ENTRY.parent / 4] === FAULT_ENTRY) {
                    const fault = sites.faultOf(words[tail + ENTRY.hash / 4] & ((1 << SITE_BITS) - 1));
                    goOn = visitor.faulted(summand, fault);
                } else if (replacesAll && words[tail + ENTRY.hash / 4] !== LEFT) {
                    layout.unpackLong(fired, (entry - map.batch) / 4, successor);
                    layout.unpackLong(words, entry / 4, representative);
                    goOn = visitor.fired(summand, successor, representative);
                } else {
                    layout.unpackLong(words, entry / 4, successor);
                    goOn = visitor.fired(summand, successor);
                }
                if (!goOn) {
                    return;
                }
            }
        } finally {
            isVisiting = false;
        }
    };
    return { forEachFiring };
}
