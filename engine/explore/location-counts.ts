/** The reachable states with each program counter at each location. Literals of one orbit share their count. */
import { appendTo, remembered } from '../common/list-map.js';
import type { SequentialModel } from '../sequential/sequential-model.js';

/** A literal `cell = code` that some symmetry moves, and the number of its orbit. */
export interface MovedLiteral {
    readonly cell: number;
    readonly code: number;
    readonly orbit: number;
}

export class LocationCounts {
    /** By cell and code: the slot that counts the literal, or -1. */
    readonly #slots = new Map<number, number[]>();
    /** By slot: the number of its literals, and how often they held. */
    readonly #literals: number[] = [];
    readonly #held: number[] = [];
    readonly #instances: SequentialModel['instances'];

    constructor({ instances }: SequentialModel, moved: readonly MovedLiteral[]) {
        this.#instances = instances;
        const literalsOfOrbit = new Map<number, MovedLiteral[]>();
        const orbitOf = new Map<string, number>();
        for (const literal of moved) {
            appendTo(literalsOfOrbit, literal.orbit, literal);
            orbitOf.set(`${literal.cell}=${literal.code}`, literal.orbit);
        }
        for (const { counter, locations } of instances) {
            for (let code = 0; counter >= 0 && code < locations.length; code++) {
                if (this.#slotOf(counter, code) < 0) {
                    const orbit = orbitOf.get(`${counter}=${code}`);
                    const literals = orbit === undefined ? undefined : literalsOfOrbit.get(orbit);
                    this.#addSlot(literals ?? [{ cell: counter, code }]);
                }
            }
        }
    }

    #addSlot(literals: readonly Pick<MovedLiteral, 'cell' | 'code'>[]): void {
        const slot = this.#literals.push(literals.length) - 1;
        this.#held.push(0);
        for (const { cell, code } of literals) {
            const slots = remembered(this.#slots, cell, () => []);
            while (slots.length <= code) {
                slots.push(-1);
            }
            slots[code] = slot;
        }
    }

    #slotOf(cell: number, code: number): number {
        return this.#slots.get(cell)?.[code] ?? -1;
    }

    /** Counts a state that represents `weight` states. */
    count(state: Readonly<Int32Array>, weight: number): void {
        for (const [cell, slots] of this.#slots) {
            const slot = slots[state[cell]] ?? -1;
            if (slot >= 0) {
                this.#held[slot] += weight;
            }
        }
    }

    /** The number of states with an instance at a location; the instance has a program counter. */
    statesAt(instance: number, location: number): number {
        const slot = this.#slotOf(this.#instances[instance].counter, location);
        return this.#held[slot] / this.#literals[slot];
    }
}
