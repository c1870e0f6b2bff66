/**
 * The paths to the states that a compiled search has stored.
 *
 * Of an expanded state only its summand and its parent are kept. The state is found again by firing the summands on its
 * path, from an initial state or from one found before.
 */
import { InvariantViolation } from '../common/assert.js';
import type { StateCanonicalizer } from '../explore/state-canonicalizer.js';
import { NO_PARENT } from '../explore/seen-set.js';
import { CURRENT } from '../codegen/current-state.js';
import type { CompiledInstance } from './compiled-instance.js';
import type { CompiledModel } from './compiled-model.js';
import { ENTRY, HEADER } from './memory-map.js';
import type { StateQueue } from './state-queue.js';
import type { WasmHeap } from './wasm-heap.js';

/** A few words are looked through for a parent. */
const MOST_WORDS_OF_BLOCK = 32;

export class PathReplay {
    readonly #compiled: CompiledModel;
    readonly #heap: WasmHeap;
    readonly #visit: () => void;
    readonly #queue: StateQueue;
    readonly #canonicalizer: StateCanonicalizer | undefined;
    /** By number: the states found again. */
    readonly #replayed = new Map<number, Int32Array>();
    /** By block: the number of bits set in earlier blocks, at the count of states below. */
    #parentsBefore: number[] = [];
    #parentsCountedFor = -1;

    constructor(
        compiled: CompiledModel,
        { heap, visit }: CompiledInstance,
        queue: StateQueue,
        canonicalizer: StateCanonicalizer | undefined,
    ) {
        this.#compiled = compiled;
        this.#heap = heap;
        this.#visit = visit;
        this.#queue = queue;
        this.#canonicalizer = canonicalizer;
    }

    /** The number of the parent; NO_PARENT for an initial state. */
    parentOf(index: number): number {
        return index < this.#queue.initialStates ? NO_PARENT : this.#positionOfParentBit(index) - index;
    }

    stateInto(target: Int32Array, index: number): void {
        const address = this.#queue.addressOfState(index);
        if (address === undefined) {
            target.set(this.#replay(index));
        } else {
            this.#compiled.layout.unpackLong(this.#heap.words, address / 4, target);
        }
    }

    /** Finds a state again. */
    #replay(index: number): Int32Array {
        const path: number[] = [];
        let from = index;
        while (from >= this.#queue.initialStates && !this.#replayed.has(from)) {
            path.push(from);
            from = this.parentOf(from);
        }
        let state = this.#replayed.get(from);
        if (state === undefined) {
            state = new Int32Array(this.#compiled.model.cells.length);
            this.stateInto(state, from);
        }
        for (const next of path.reverse()) {
            state = this.#successor(state, this.#toldSummandOf(next));
            this.#replayed.set(next, state);
        }
        return state;
    }

    /** The stored state for the successor by a summand, with the number of the outcome. */
    #successor(state: Int32Array, summand: number): Int32Array {
        const { layout, map } = this.#compiled;
        const canonicalizer = this.#canonicalizer;
        const { words } = this.#heap;
        layout.packLong(state, words, CURRENT / 4);
        this.#heap.write(HEADER.batchEnd, map.batch);
        this.#visit();
        const end = this.#heap.read(HEADER.batchEnd);
        this.#heap.write(HEADER.batchEnd, map.batch);
        for (let entry = map.batch; entry < end; entry += map.entryBytes) {
            if (words[(entry + 8 * map.longCount + ENTRY.summand) / 4] === summand) {
                const successor = new Int32Array(state.length);
                layout.unpackLong(words, entry / 4, successor);
                const representative = new Int32Array(state.length);
                return canonicalizer?.canonicalizeInto(representative, successor) === true ? representative : successor;
            }
        }
        throw new InvariantViolation('a summand that has fired fires again');
    }

    #toldSummandOf(index: number): number {
        const { summands, summandBytes } = this.#compiled.map;
        const address = this.#queue.pageOf(summands, index) + (index & ((1 << summands.shift) - 1)) * summandBytes;
        const word = this.#heap.words[address >>> 2] >>> (8 * (address & 3));
        return summandBytes === 4 ? word : word & ((1 << (8 * summandBytes)) - 1);
    }

    /** The position of the set bit with this number, from 0. */
    #positionOfParentBit(index: number): number {
        const { parents } = this.#compiled.map;
        this.#countParents();
        const before = this.#parentsBefore;
        let low = 0;
        let high = before.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >>> 1;
            if (before[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        const { words } = this.#heap;
        const [wordsOfPage, wordsOfBlock] = this.#sizesOfParents();
        const first = low * wordsOfBlock;
        const start =
            this.#heap.read(parents.directory + 4 * Math.floor(first / wordsOfPage)) / 4 + (first % wordsOfPage);
        let word = start;
        let rest = index - before[low];
        for (let count = bitCount(words[word]); rest >= count; count = bitCount(words[word])) {
            rest -= count;
            word++;
        }
        let bits = words[word];
        while (rest-- > 0) {
            bits &= bits - 1;
        }
        const bit = 31 - Math.clz32(bits & -bits);
        return (first + word - start) * 32 + bit;
    }

    /** The words of a page of parents, and those of a block in it. */
    #sizesOfParents(): readonly [number, number] {
        const wordsOfPage = 2 ** this.#compiled.map.parents.shift / 32;
        return [wordsOfPage, Math.min(wordsOfPage, MOST_WORDS_OF_BLOCK)];
    }

    #countParents(): void {
        const count = this.#heap.read(HEADER.count);
        if (this.#parentsCountedFor === count) {
            return;
        }
        const { parents } = this.#compiled.map;
        const { words } = this.#heap;
        const [wordsOfPage, wordsOfBlock] = this.#sizesOfParents();
        const before: number[] = [];
        let total = 0;
        for (let page = 0; page < this.#queue.parentPages; page++) {
            const start = this.#heap.read(parents.directory + 4 * page) / 4;
            for (let word = 0; word < wordsOfPage; word++) {
                if (word % wordsOfBlock === 0) {
                    before.push(total);
                }
                total += bitCount(words[start + word]);
            }
        }
        this.#parentsBefore = before;
        this.#parentsCountedFor = count;
    }
}

/** The number of bits set in a word [Warren2013, §5-1]. */
function bitCount(word: number): number {
    let pairs = word - ((word >>> 1) & 0x5555_5555);
    pairs = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
    return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
