import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createMemory } from '../../engine/codegen/compiled-instance.js';
import { HEADER } from '../../engine/codegen/memory-map.js';
import { WasmHeap } from '../../engine/codegen/wasm-heap.js';

const UNIT_BYTES = 1 << 16;

test('what is taken over from a longer memory says nothing of how long this one is', () => {
    const [first, second] = [createMemory(UNIT_BYTES, false), createMemory(UNIT_BYTES, false)];
    invariant(first !== undefined && second !== undefined, 'there is memory for a test');
    const from = new WasmHeap(first, UNIT_BYTES, UNIT_BYTES);
    // It grows twice, each time by more than it has to.
    for (let page = 0; page < 6; page++) {
        from.allocate(Infinity);
    }
    const bytes = from.contents.slice();

    const to = new WasmHeap(second, UNIT_BYTES, UNIT_BYTES);
    to.restore({
        byteLength: bytes.length,
        readInto: target => {
            target.set(bytes);
        },
    });
    expect(second.buffer.byteLength).toBeLessThan(first.buffer.byteLength);
    // Looked up in the memory itself: a heap that finds a wrong number here waits for the memory to become that long.
    const words = new Uint32Array(second.buffer);
    expect(words[HEADER.units / 4]).toBe(second.buffer.byteLength / UNIT_BYTES);
    expect(to.allocate(Infinity)).toBe(bytes.length);
});
