/**
 * What generated code has noted of numbers without end in a slice of a search (number-code.ts). If an event ends the search
 * in the middle of a slice, what comes after it was not seen.
 */
import { remembered } from '../common/list-map.js';
import type { NumberSteps } from '../explore/number-successors.js';
import type { NumberCode } from './number-code.js';
import { NOTE, ONE_MORE } from './number-code.js';
import type { WasmHeap } from './wasm-heap.js';

export class NumberNotes {
    readonly #code: NumberCode;
    readonly #heap: WasmHeap;
    readonly #steps: NumberSteps;

    constructor(code: NumberCode, heap: WasmHeap, steps: NumberSteps) {
        this.#code = code;
        this.#heap = heap;
        this.#steps = steps;
    }

    /** Takes the notes of a slice; the result adds those that were written before so many firings were told. */
    take(): (firings: number) => void {
        const { list, length } = this.#code.notes;
        const bytes = this.#heap.read(length);
        const notes = this.#heap.words.slice(list / 4, (list + bytes) / 4);
        return firings => {
            for (let note = 0; note < notes.length; note += NOTE.bytes / 4) {
                if (notes[note + NOTE.told / 4] < firings) {
                    this.#add(notes[note + NOTE.subject / 4], notes[note + NOTE.sort / 4]);
                }
            }
            this.#heap.write(length, 0);
        };
    }

    /** To be called with each fault before it is told. */
    fault(site: number): void {
        const summand = this.#code.tooMany.get(site);
        if (summand !== undefined) {
            this.#steps.tooMany = summand;
        }
    }

    #add(subject: number, sort: number): void {
        if (subject < ONE_MORE) {
            remembered(this.#steps.inexact, subject, () => new Set<number>()).add(sort);
        } else {
            const { mostDifferent } = this.#steps.order;
            mostDifferent[sort] = Math.max(mostDifferent[sort], subject - ONE_MORE);
        }
    }
}
