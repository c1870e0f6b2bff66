import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createMemory } from '../../engine/compiled-search/compiled-instance.js';
import { HEADER } from '../../engine/compiled-search/memory-map.js';
import { WasmHeap } from '../../engine/compiled-search/wasm-heap.js';
import type { WasmMemory } from '../../engine/webassembly/host.js';

const UNIT_BYTES = 1 << 16;

/** A memory as a thread has it that was being given it when another one lengthened it: nobody has told this thread. */
function untold(memory: WasmMemory): WasmMemory {
    let { buffer } = memory;
    return {
        get buffer() {
            return buffer;
        },
        grow(units) {
            const before = memory.grow(units);
            ({ buffer } = memory);
            return before;
        },
    };
}

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

test('a thread sees what another one has lengthened, even where nobody has told it', () => {
    const memory = createMemory(UNIT_BYTES, true);
    invariant(memory !== undefined, 'there is memory for a test');
    const [first, second] = [memory, untold(memory)].map(each => new WasmHeap(each, UNIT_BYTES, UNIT_BYTES));

    for (const number of [1, 2]) {
        const address = first!.allocate(Infinity)!;
        first!.words[address / 4] = number;
        expect(second!.words[address / 4]).toBe(number);
    }
});
