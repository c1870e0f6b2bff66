/**
 * The faults that generated code can come to. A site is a kind of fault at a place of the text; its number also says
 * how it ranks among faults of one firing, so that generated code compares two of them without a table.
 */
import { Fault, FAULT_KINDS } from '../sequential/expression/evaluate.js';
import { remembered } from '../common/list-map.js';
import type { SourceRange } from '../common/source-range.js';
import type { FaultKind } from '../sequential/sequential-model.js';

/** A number of a site: its rank above this many bits. */
export const SITE_BITS = 20;

export const NO_SITE = -1;

export class FaultSites {
    readonly #faults: Fault[] = [];
    readonly #numbers = new Map<string, number>();

    get count(): number {
        return this.#faults.length;
    }

    numberOf(kind: FaultKind, range: SourceRange): number {
        return remembered(this.#numbers, JSON.stringify([kind, range]), () => {
            const index = this.#faults.push(new Fault(kind, range)) - 1;
            return (FAULT_KINDS.indexOf(kind) << SITE_BITS) | index;
        });
    }

    faultOf(index: number): Fault {
        return this.#faults[index];
    }
}
