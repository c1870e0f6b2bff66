/**
 * The steps that properties and fairness speak of. Summands that are in the same of these sets are one class, so an edge
 * of a stored graph says in a byte or two who took it.
 */
import { remembered } from '../common/list-map.js';
import type { Marker } from '../sequential/sequential-model.js';

export class StepClasses {
    /** By summand. Class 0 is in no set; a rest has it, too. */
    readonly classOf: Uint32Array;
    readonly count: number;
    /** By marker and atom: the number of its set of summands, -1 for an atom about states. */
    readonly setOf: readonly (readonly number[])[];
    readonly setCount: number;
    /** `contains[class * setCount + set]` is 1 if the steps of the class are in the set. */
    readonly contains: Uint8Array;

    constructor(summandCount: number, markers: readonly Marker[]) {
        const numbers = new Map<string, number>();
        const sets: (readonly number[])[] = [];
        this.setOf = markers.map(({ atoms }) =>
            atoms.map(atom =>
                atom.kind === 'taken' || atom.kind === 'enabled'
                    ? remembered(numbers, atom.summands.join(), () => sets.push(atom.summands) - 1)
                    : -1,
            ),
        );
        const setsOf: number[][] = Array.from({ length: summandCount }, () => []);
        sets.forEach((summands, set) => summands.forEach(summand => setsOf[summand].push(set)));
        const classes = new Map([['', 0]]);
        this.classOf = Uint32Array.from(setsOf, own => remembered(classes, own.join(), () => classes.size));
        this.count = classes.size;
        this.setCount = sets.length;
        this.contains = new Uint8Array(this.count * this.setCount);
        setsOf.forEach((own, summand) => {
            own.forEach(set => (this.contains[this.classOf[summand] * this.setCount + set] = 1));
        });
    }

    /** Of a summand, or of the rest at an end (a negative number). */
    classOfFiring(summand: number): number {
        return summand < 0 ? 0 : this.classOf[summand];
    }

    /** Whether a summand is in a set. */
    isIn(summand: number, set: number): boolean {
        return this.contains[this.classOf[summand] * this.setCount + set] === 1;
    }
}
