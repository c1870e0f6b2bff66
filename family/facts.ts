/**
 * What a text does with its values, as data. The rules (rules.ts) read the facts off the text and read none of them, so
 * that the facts are the same in every order; a solver makes classes of places from them (infer-sorts.ts), and a checker
 * tests given classes (check-sorts.ts).
 *
 * A *place* is a number that stands for something in the text that holds a scalar: a variable, an index, a value on its
 * way. Places whose values must be permuted together are put in one class.
 */
import type { Node } from '../language/tree/node.js';
import type { Parameter, RecordDeclaration, RecordField, TypeDeclaration } from '../language/generated/nodes.js';
import { isSame, type Polynomial } from '../language/typing/polynomial.js';

export type Place = number;

export type Fact =
    /** Values flow between the two, or are compared for equality: they are permuted together. */
    | { readonly kind: 'together'; readonly place: Place; readonly other: Place; readonly node: Node }
    | { readonly kind: 'declared'; readonly place: Place; readonly as: SortedPlace }
    | { readonly kind: 'typed'; readonly place: Place; readonly type: TypeDeclaration }
    /** Its values stand as an index, a choice, `any`, a family or a bound variable. */
    | { readonly kind: 'moved'; readonly place: Place }
    | { readonly kind: 'cut'; readonly place: Place; readonly cut: Cut }
    | { readonly kind: 'ring'; readonly place: Place; readonly ring: RingUse }
    | { readonly kind: 'reversal'; readonly place: Place; readonly reversal: Reversal }
    /** The entries of a parameter that is an array over it are labels of its values. */
    | { readonly kind: 'labelled'; readonly place: Place; readonly table: Parameter }
    /** It is a number that belongs to the owner in its record. */
    | { readonly kind: 'local'; readonly place: Place; readonly local: LocalNumber }
    | { readonly kind: 'pinned'; readonly place: Place; readonly use: FixedUse; readonly node: Node }
    /** No rule is about this part of the text. */
    | { readonly kind: 'unknown'; readonly node: Node };

/** Values that the text tells from others: a declared range, a constant. A bound that is absent is infinite. */
export interface Cut {
    readonly low?: Polynomial;
    readonly high?: Polynomial;
    /** Whether all values that the place can have may lie in it: the range of a declared type. */
    readonly isType: boolean;
    /** Whether a place of a state is declared with this range; else its values may stand nowhere in a state. */
    readonly isOfState?: boolean;
    /** Whether it is the first value of a type, with which a variable begins that the text gives none. */
    readonly isFirst?: boolean;
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
interface Reversal {
    readonly sum: Polynomial;
    readonly node: Node;
}

/** The field of a record with the condition `field < table[owner]`. */
export interface LocalNumber {
    readonly record: RecordDeclaration;
    readonly field: RecordField;
    readonly table: Parameter;
    readonly ownerField: RecordField;
}

/** A use that lets values stay where they are, with the words that go on after its text. */
export const FIXED_USES = {
    ordered: 'compares the order of values',
    computed: 'computes with it',
    result: 'is computed',
    distance: 'is a distance',
    tested: 'is tested',
    truth: 'is a condition',
    loop: 'runs through values in their order',
    list: 'is a list in a certain order',
    fault: 'may be at fault, so that the order of values decides',
    reference: 'refers to instances',
    first: 'begins with the first value',
    firstChannel: 'begins with a channel',
    table: 'has values of its own',
    relation: 'relates values',
    unbounded: 'is no range of the parameters',
    /** A field is used without the others of its record: this counts for local numbers alone. */
    apart: 'takes the record apart',
    circular: 'is defined in terms of itself',
    unknown: 'is not covered by the proof',
} as const;

export type FixedUse = keyof typeof FIXED_USES;

/** Where values of a class stand. */
export interface SortedPlace {
    /** As in the text: `turn`, `flag[Proc]`, `P[i]`, `node.next`. */
    readonly name: string;
    readonly node: Node;
    readonly kind: 'element' | 'index' | 'parameter' | 'value';
}

/** Why the values of a class stay where they are. */
export interface Refusal {
    readonly node: Node;
    /** Goes on after the text of the node: “is an order of values”. */
    readonly words: string;
}

/** The facts of a text, in the order of the rules. */
export class FactList {
    readonly all: Fact[] = [];
    #places = 0;

    get placeCount(): number {
        return this.#places;
    }

    add(fact: Fact): void {
        this.all.push(fact);
    }

    newPlace(): Place {
        return this.#places++;
    }

    pin(place: Place, node: Node, use: FixedUse): void {
        this.add({ kind: 'pinned', place, use, node });
    }
}

/** What the text does with the values of one class. */
export interface ClassFacts {
    readonly places: SortedPlace[];
    /** Each range once. */
    readonly cuts: Cut[];
    readonly rings: RingUse[];
    readonly reversals: Reversal[];
    readonly tables: Set<Parameter>;
    readonly types: Set<TypeDeclaration>;
    readonly pins: { readonly use: FixedUse; readonly node: Node }[];
    /** Those of its places that are local numbers. */
    readonly locals: Map<Place, LocalNumber>;
    isMoved: boolean;
}

export function noFacts(): ClassFacts {
    return {
        places: [],
        cuts: [],
        rings: [],
        reversals: [],
        tables: new Set(),
        types: new Set(),
        pins: [],
        locals: new Map(),
        isMoved: false,
    };
}

/** A fact about a place of the class. */
export function addFact(facts: ClassFacts, fact: Fact): void {
    switch (fact.kind) {
        case 'declared':
            facts.places.push(fact.as);
            return;
        case 'typed':
            facts.types.add(fact.type);
            return;
        case 'moved':
            facts.isMoved = true;
            return;
        case 'cut':
            addCut(facts.cuts, fact.cut);
            return;
        case 'ring':
            facts.rings.push(fact.ring);
            return;
        case 'reversal':
            facts.reversals.push(fact.reversal);
            return;
        case 'labelled':
            facts.tables.add(fact.table);
            return;
        case 'local':
            facts.locals.set(fact.place, fact.local);
            return;
        case 'pinned':
            facts.pins.push(fact);
            return;
        case 'together':
        case 'unknown':
    }
}

/** The second class becomes a part of the first one. */
export function mergeFacts(facts: ClassFacts, others: ClassFacts): void {
    facts.places.push(...others.places);
    others.cuts.forEach(cut => {
        addCut(facts.cuts, cut);
    });
    facts.rings.push(...others.rings);
    facts.reversals.push(...others.reversals);
    others.tables.forEach(table => facts.tables.add(table));
    others.types.forEach(type => facts.types.add(type));
    facts.pins.push(...others.pins);
    others.locals.forEach((local, place) => facts.locals.set(place, local));
    facts.isMoved ||= others.isMoved;
}

/** The uses that let the values of the class stay where they are. */
export function pinsOf({ pins, locals }: ClassFacts): ClassFacts['pins'] {
    return pins.filter(({ use }) => use !== 'apart' || locals.size > 0);
}

function addCut(cuts: Cut[], cut: Cut): void {
    const index = cuts.findIndex(other => isSameCut(other, cut));
    if (index < 0) {
        cuts.push(cut);
    } else if (cut.isOfState === true) {
        cuts[index] = { ...cuts[index], isOfState: true };
    }
}

function isSameCut(first: Cut, second: Cut): boolean {
    return (
        first.isType === second.isType &&
        first.isFirst === second.isFirst &&
        isSameBound(first.low, second.low) &&
        isSameBound(first.high, second.high)
    );
}

function isSameBound(first: Polynomial | undefined, second: Polynomial | undefined): boolean {
    return first === undefined || second === undefined ? first === second : isSame(first, second);
}
