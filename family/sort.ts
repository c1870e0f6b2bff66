/**
 * Sorts: sets of places in a text whose values must be permuted together, with what the text does with them.
 *
 * A sort is a node of a union-find structure. Its facts only grow, and those of united sorts are added up.
 */
import type { Node } from '../language/tree/node.js';
import type { Parameter, RecordDeclaration, RecordField, TypeDeclaration } from '../language/generated/nodes.js';
import { isSame, type Polynomial } from '../language/typing/polynomial.js';

/** Values that the text tells from others: a declared range, a constant. A bound that is absent is infinite. */
export interface Cut {
    readonly low?: Polynomial;
    readonly high?: Polynomial;
    /** Whether all values that the sort can have may lie in it: the range of a declared type. */
    readonly isType: boolean;
    /** Whether a place of a state is declared with this range; else its values may stand nowhere in a state. */
    isOfState?: boolean | undefined;
    readonly node: Node;
}

/** `(x + shift) mod modulus + base`, or `(x - y) mod modulus`, which is the same after a rotation but not a reflection. */
export type RingUse =
    | {
          readonly kind: 'step';
          readonly base: Polynomial;
          readonly shift: Polynomial;
          readonly modulus: Polynomial;
          readonly node: Node;
      }
    | { readonly kind: 'difference'; readonly modulus: Polynomial; readonly node: Node };

/** `sum - x`, or `!x` with the sum 1. */
export interface Reversal {
    readonly sum: Polynomial;
    readonly node: Node;
}

/** Why the values of a sort stay where they are. */
export interface Refusal {
    readonly node: Node;
    /** Goes on after the text of the node: “is an order of values”. */
    readonly words: string;
}

/** Where values of a sort stand. */
export interface SortedPlace {
    /** As in the text: `turn`, `flag[Proc]`, `P[i]`, `node.next`. */
    readonly name: string;
    readonly node: Node;
    readonly kind: 'element' | 'index' | 'parameter' | 'value';
}

/** The field of a record with the condition `field < table[owner]`. */
export interface LocalNumber {
    readonly record: RecordDeclaration;
    readonly field: RecordField;
    readonly table: Parameter;
    readonly ownerField: RecordField;
    readonly owner: Sort;
}

export class Sort {
    #parent: Sort | undefined = undefined;
    /** How many sorts are united in it. */
    #size = 1;
    readonly places: SortedPlace[] = [];
    readonly cuts: Cut[] = [];
    readonly rings: RingUse[] = [];
    readonly reversals: Reversal[] = [];
    /** Parameters that are arrays over this sort: their entries are labels of its values. */
    readonly tables = new Set<Parameter>();
    /** The declared types of its places. */
    readonly types = new Set<TypeDeclaration>();
    refusal: Refusal | undefined = undefined;
    /** Whether its values stand as an index, a choice, `any`, a family or a bound variable. */
    isMoved = false;
    /** What all its places are, if all are such fields of one record. */
    local: LocalNumber | undefined = undefined;

    /** The sort that stands for all that are united with this one. */
    root(): Sort {
        if (this.#parent === undefined) {
            return this;
        }
        this.#parent = this.#parent.root();
        return this.#parent;
    }

    /** The values of the two sorts are permuted together from here on. */
    static unite(first: Sort, second: Sort): void {
        const [kept, other] = [first.root(), second.root()];
        if (kept === other) {
            return;
        }
        const [larger, smaller] = kept.#size < other.#size ? [other, kept] : [kept, other];
        smaller.#parent = larger;
        larger.#size += smaller.#size;
        const local = larger.local ?? smaller.local;
        if (larger.local?.field !== smaller.local?.field && local !== undefined) {
            const { record } = local;
            larger.refusal ??= { node: record.where ?? record, words: 'is a condition on other values too' };
        }
        larger.local = local;
        larger.places.push(...smaller.places);
        smaller.cuts.forEach(cut => {
            larger.cut(cut);
        });
        larger.rings.push(...smaller.rings);
        larger.reversals.push(...smaller.reversals);
        smaller.tables.forEach(table => larger.tables.add(table));
        smaller.types.forEach(type => larger.types.add(type));
        larger.refusal ??= smaller.refusal;
        larger.isMoved ||= smaller.isMoved;
    }

    refuse(node: Node, words: string): void {
        this.root().refusal ??= { node, words };
    }

    cut(cut: Cut): void {
        const { cuts } = this.root();
        const known = cuts.find(other => isSameCut(other, cut));
        if (known === undefined) {
            cuts.push({ ...cut });
        } else {
            known.isOfState ||= cut.isOfState;
        }
    }
}

function isSameCut(first: Omit<Cut, 'node'>, second: Omit<Cut, 'node'>): boolean {
    return first.isType === second.isType && isSameBound(first.low, second.low) && isSameBound(first.high, second.high);
}

function isSameBound(first: Polynomial | undefined, second: Polynomial | undefined): boolean {
    return first === undefined || second === undefined ? first === second : isSame(first, second);
}
