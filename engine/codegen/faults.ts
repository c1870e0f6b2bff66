/** Fault sites of generated code: a kind and a place. Numbers of sites compare as the ranks of their kinds. */
import { Fault, FAULT_KINDS } from '../sequential/expression/evaluate.js';
import { remembered } from '../common/list-map.js';
import type { SourceRange } from '../common/source-range.js';
import type { FaultKind } from '../sequential/sequential-model.js';
import { type Int, select, type WasmVariable } from '../webassembly/function-body.js';

/** The rank of a site is in its number above this many bits. */
export const SITE_BITS = 20;

export const NO_SITE = -1;

export class FaultSites {
    readonly #faults: Fault[] = [];
    readonly #numbers = new Map<string, number>();

    get count(): number {
        return this.#faults.length;
    }

    /** Of one kind and place there is one, but for each `cause`. */
    numberOf(kind: FaultKind, range: SourceRange, cause = ''): number {
        return remembered(this.#numbers, JSON.stringify([kind, range, cause]), () => {
            const index = this.#faults.push(new Fault(kind, range)) - 1;
            return (FAULT_KINDS.indexOf(kind) << SITE_BITS) | index;
        });
    }

    /** The number of a site without its rank. */
    static indexOf(site: number): number {
        return site & ((1 << SITE_BITS) - 1);
    }

    faultOf(index: number): Fault {
        return this.#faults[index];
    }
}

/** Keeps the first fault in the order of the kinds; of one kind the first that was met. */
export function keepWorst(worst: WasmVariable<'i32'>, site: Int): void {
    const isWorse = site.shiftedRightSigned(SITE_BITS).isLess(worst.shiftedRightSigned(SITE_BITS));
    worst.set(select(worst.is(NO_SITE).or(isWorse), site, worst));
}
