import { describe, expect, test } from 'vitest';
import { sectionMap, sectionOf, provideSections } from '../../engine/compiled-search/threads/thread-memory.js';
import { compileModel, instantiate } from '../../engine/compiled-search/compiled-model.js';
import { threadMemoryMap, ROUND_CLAIMS } from '../../engine/compiled-search/threads/thread-memory.js';
import { HEADER, SENT } from '../../engine/compiled-search/memory-map.js';
import { FULL, GROWTHS, SlotTable } from '../../engine/compiled-search/slot-table.js';
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import { diningPhilosophers } from '../arbitrary/published-models.js';
import { sequentialOf } from '../explore/explore-model.js';

/** The hash of a state of one long word, as slot-code.ts says. */
function hashOf(key: bigint): number {
    const first = BigInt.asUintN(64, key * 0x9e3779b97f4a7c15n);
    return Number(BigInt.asUintN(64, (first ^ (first >> 32n)) * 0xff51afd7ed558ccdn) >> 32n);
}

const PHILOSOPHERS = sequentialOf(await diningPhilosophers(5));

/** A seen set in a memory of its own, and what looks states up in it. */
function createSeenSet() {
    const compiled = compileModel(PHILOSOPHERS);
    invariant(compiled.kind === 'compiled' && compiled.map.longCount === 1, 'a state is one long word');
    const { map } = compiled;
    const running = instantiate(compiled);
    const threadMap = threadMemoryMap(map, 1);
    invariant(running !== undefined && threadMap !== undefined, 'there is room for a thread memory');
    const { instance } = running;
    const { heap } = instance;
    const section = sectionMap(map, threadMap, 1);
    provideSections(heap, 1, section, map, Infinity);
    const own = sectionOf(heap.words, 0, section);
    const claims = own + section.claims;
    /** Stores what is new of these states; how many were. */
    const store = (keys: readonly bigint[]): number => {
        const inbox = own + section.inbox;
        let stored = 0;
        const most = Math.min(ROUND_CLAIMS, (section.inboxEnd - section.inbox) / map.entryBytes);
        for (let from = 0; from < keys.length; from += most) {
            const some = keys.slice(from, from + most);
            const { words } = heap;
            some.forEach((key, index) => {
                const entry = (inbox + index * map.entryBytes) / 4;
                words[entry] = Number(BigInt.asUintN(32, key));
                words[entry + 1] = Number(key >> 32n);
                words[entry + 2 + SENT.hash / 4] = hashOf(key);
                words[entry + 2 + SENT.sequence / 4] = index;
            });
            const end = instance.claim(inbox, inbox + some.length * map.entryBytes, own + section.list, claims);
            stored += (instance.publish(claims, end) - claims) / map.entryBytes;
        }
        return stored;
    };
    return { table: new SlotTable(instance, map), heap, inPage: 2 ** map.slots[0].shift, store };
}

describe.each([1, 2, 3, 5])(
    'a full table that is moved in %i parts, one page here and one there, loses nothing',
    parts => {
        // Twice as long, each page begins where another one did.
        test.each([2, ...GROWTHS])('to be %d times as long', growth => {
            const random = createRandom(parts);
            const { table, inPage, store } = createSeenSet();
            const slots = 11 * inPage;
            expect(table.beginGrowth(slots, Infinity, 1)).toBe(true);
            const keys = Array.from(
                { length: Math.floor(slots * FULL) },
                () => (BigInt(random.below(2 ** 31)) << 32n) | BigInt(random.below(2 ** 31)) | 1n,
            );
            expect(store(keys)).toBe(new Set(keys).size);
            expect(store(keys)).toBe(0);
            expect(table.beginGrowth(Math.floor(slots * growth), Infinity, parts)).toBe(true);
            const moving = Array.from({ length: parts }, (_, part) => table.movePart(part, parts));
            while (moving.length > 0) {
                const one = random.below(moving.length);
                if (moving[one]?.next().done === true) {
                    moving.splice(one, 1);
                }
            }
            table.finishGrowth(parts);
            expect(store(keys)).toBe(0);
        });
    },
);

test('a thread that is lost while it takes a page leaves the others waiting, but not for good', () => {
    const { table, heap, inPage } = createSeenSet();
    expect(table.beginGrowth(3 * inPage, Infinity, 1)).toBe(true);
    expect(table.beginGrowth(6 * inPage, Infinity, 1)).toBe(true);
    const moving = table.movePart(0, 1);
    heap.words[HEADER.lock / 4] = 1;
    const freePages = heap.words[HEADER.freePages / 4];
    for (let step = 0; step < 100; step++) {
        expect(moving.next().done).toBe(false);
    }
    expect(heap.words[HEADER.freePages / 4]).toBe(freePages);
    heap.words[HEADER.lock / 4] = 0;
    while (moving.next().done !== true);
    table.finishGrowth(1);
    expect(table.isGrowing).toBe(false);
});
