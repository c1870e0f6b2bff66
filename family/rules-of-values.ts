/**
 * The rules of the proof that are about values and not about the form of an expression: what a flow, a comparison or a
 * computation says of the places that its values are of. With the values of each class permuted, in cells, indices and
 * values, a value of a place is the permuted one, and any other value the same.
 */
import type { Node } from '../language/tree/node.js';
import type * as ast from '../language/generated/nodes.js';
import { combination, constantOf, isSame, type Polynomial } from '../language/typing/polynomial.js';
import type { FactList, FixedUse, Place } from './facts.js';
import { isSmall, scalarsOf, type Structure, type StructureMaker } from './structure.js';

/** What an expression is. */
export type RuledValue =
    | { readonly kind: 'constant'; readonly constant: Polynomial }
    | { readonly kind: 'none' }
    | { readonly kind: 'structure'; readonly structure: Structure }
    /** The sum of one or two values, each with a sign, and a constant. */
    | { readonly kind: 'linear'; readonly terms: readonly Term[]; readonly offset: Polynomial }
    /** `(x + shift) mod modulus + base`. */
    | {
          readonly kind: 'ring';
          readonly place: Place;
          readonly shift: Polynomial;
          readonly modulus: Polynomial;
          readonly base: Polynomial;
          readonly node: ast.Expression;
      };

/** A value without a computation that is still open. */
export type PlainValue = Exclude<RuledValue, { readonly kind: 'linear' | 'ring' }>;

type StructureValue = RuledValue & { readonly kind: 'structure' };

interface Term {
    readonly place: Place;
    readonly sign: 1 | -1;
}

type Order = '<' | '<=' | '>' | '>=';

/** `c < x` is `x > c`. */
const MIRRORED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

export class ValueRules {
    readonly #facts: FactList;
    readonly #structures: StructureMaker;

    constructor(facts: FactList, structures: StructureMaker) {
        this.#facts = facts;
        this.#structures = structures;
    }

    notUnderstood(node: Node): void {
        this.#facts.add({ kind: 'unknown', node });
    }

    /** No value of the structure moves. */
    pin(structure: Structure, node: Node, use: FixedUse): void {
        scalarsOf(structure).forEach(place => {
            this.#facts.pin(place, node, use);
        });
    }

    /** A number that the text makes, which no symmetry moves. */
    number(node: Node, use: FixedUse): StructureValue {
        const structure = this.#structures.newScalar();
        this.#facts.pin(structure.place, node, use);
        return { kind: 'structure', structure };
    }

    /** A value that goes to a place, or is compared with it. */
    flow(value: RuledValue, target: Structure, node: Node): void {
        const plain = this.plain(value, node);
        if (plain.kind === 'structure') {
            this.unite(plain.structure, target, node);
        } else if (plain.kind === 'constant') {
            // One value fills an array.
            const element = target.kind === 'array' ? target.element : target;
            if (element.kind === 'scalar') {
                this.#cut(element.place, plain.constant, plain.constant, node);
            } else {
                this.notUnderstood(node);
            }
        }
    }

    unite(first: Structure, second: Structure, node: Node): void {
        if (first === second) {
            return;
        }
        if (first.kind === 'scalar' && second.kind === 'scalar') {
            this.#facts.add({ kind: 'together', place: first.place, other: second.place, node });
        } else if (first.kind === 'record' && second.kind === 'record' && first.record === second.record) {
            first.fields.forEach((field, position) => {
                this.unite(field, second.fields[position], node);
            });
        } else if (first.kind === 'set' && second.kind === 'set') {
            this.unite(first.member, second.member, node);
        } else if (first.kind === 'array' && second.kind === 'array') {
            if (first.indices.length !== second.indices.length) {
                this.notUnderstood(node);
                return;
            }
            first.indices.forEach((index, position) => {
                this.unite(index, second.indices[position], node);
            });
            this.unite(first.element, second.element, node);
        } else if (first.kind === 'array') {
            this.unite(first.element, second, node);
        } else if (second.kind === 'array') {
            this.unite(first, second.element, node);
        } else if (first.kind === 'channel' && second.kind === 'channel') {
            this.unite(first.message(), second.message(), node);
        } else {
            this.notUnderstood(node);
        }
    }

    /** A computation ends here: a step around a ring and a reversal stay in their class, other sums are numbers. */
    plain(value: RuledValue, node: Node): PlainValue {
        if (value.kind === 'ring') {
            const { place, shift, modulus, base, node: step } = value;
            const total = combination([1, shift], [1, base]);
            if (total === undefined || !isSmall(total) || !isSmall(modulus)) {
                this.#facts.pin(place, node, 'result');
            } else {
                const ring = { kind: 'step', base, shift: total, modulus, node: step } as const;
                this.#facts.add({ kind: 'ring', place, ring });
            }
            return { kind: 'structure', structure: { kind: 'scalar', place } };
        }
        if (value.kind !== 'linear') {
            return value;
        }
        const { terms, offset } = value;
        const [{ place, sign }] = terms;
        if (terms.length > 1) {
            this.fix(value, node, 'computed');
            return this.number(node, 'result');
        }
        if (sign < 0) {
            this.#facts.add({ kind: 'reversal', place, reversal: { sum: offset, node } });
        } else if (offset.terms.size > 0) {
            this.#facts.pin(place, node, 'computed');
        }
        return { kind: 'structure', structure: { kind: 'scalar', place } };
    }

    /** One of several values, of the same type all of them. */
    join(values: readonly RuledValue[], node: Node): StructureValue {
        const plain = values.map(value => this.plain(value, node));
        const shaped = plain.find(value => value.kind === 'structure' && value.structure.kind !== 'scalar');
        const structure = shaped?.kind === 'structure' ? shaped.structure : this.#structures.newScalar();
        plain.forEach(value => {
            this.flow(value, structure, node);
        });
        return { kind: 'structure', structure };
    }

    /** The two are compared for equality. */
    compare(first: RuledValue, second: RuledValue, node: Node): void {
        const moved = movedBy(first, second) ?? movedBy(second, first);
        if (moved !== undefined) {
            this.#cut(moved.place, moved.constant, moved.constant, node);
            return;
        }
        const [left, right] = [this.plain(first, node), this.plain(second, node)];
        if (left.kind === 'structure') {
            this.flow(right, left.structure, node);
        } else if (right.kind === 'structure') {
            this.flow(left, right.structure, node);
        }
    }

    order(operator: Order, first: RuledValue, second: RuledValue, node: Node): void {
        const [left, right] = [movedBy(first, second), movedBy(second, first)];
        if (left !== undefined) {
            this.#threshold(left, operator, node);
        } else if (right !== undefined) {
            this.#threshold(right, MIRRORED[operator], node);
        } else {
            this.fix(first, node, 'ordered');
            this.fix(second, node, 'ordered');
        }
    }

    /** `x < c` tells the values up to `c - 1` from the others, `x <= c` those up to `c`. */
    #threshold({ place, constant }: Moved, operator: Order, node: Node): void {
        const isUpTo = operator === '<=' || operator === '>';
        const high = combination([1, constant], [isUpTo ? 0 : -1, constantOf(1)]);
        if (high === undefined) {
            this.#facts.pin(place, node, 'ordered');
        } else {
            this.#facts.add({ kind: 'cut', place, cut: { high, isType: false, node } });
        }
    }

    /** Whether a value is in `low .. high`. */
    between(value: RuledValue, low: RuledValue, high: RuledValue, node: Node): void {
        const [from, to] = [movedBy(value, low), movedBy(value, high)];
        if (from !== undefined && to !== undefined) {
            this.#cut(from.place, from.constant, to.constant, node);
        } else if (value.kind !== 'constant' || low.kind !== 'constant' || high.kind !== 'constant') {
            [value, low, high].forEach(each => {
                this.fix(each, node, 'ordered');
            });
        }
    }

    /** `c - x`, or `1 - x` for a negation of truth values. */
    subtractedFrom(constant: Polynomial, value: RuledValue, node: ast.Expression): RuledValue {
        return this.#plus(constant, value, -1, node);
    }

    sum(first: RuledValue, second: RuledValue, sign: 1 | -1, node: ast.Expression): RuledValue {
        if (first.kind === 'ring' && second.kind === 'constant') {
            return this.#turned(first, second.constant, sign, node);
        }
        if (first.kind === 'constant') {
            return second.kind === 'ring' && sign > 0
                ? this.#turned(second, first.constant, 1, node)
                : this.#plus(first.constant, second, sign, node);
        }
        const left = this.#asLinear(first, node);
        const right =
            second.kind === 'constant' ? { terms: [], offset: second.constant } : this.#asLinear(second, node);
        const offset = left && right && combination([1, left.offset], [sign, right.offset]);
        if (!left || !right || !offset || left.terms.length + right.terms.length > 2) {
            return this.computed([first, second], node);
        }
        const terms = [...left.terms, ...right.terms.map(term => signed(term, sign))];
        return { kind: 'linear', terms, offset };
    }

    modulo(value: RuledValue, modulus: RuledValue, node: ast.Expression): RuledValue {
        if (value.kind === 'ring' && modulus.kind === 'constant' && isSame(value.modulus, modulus.constant)) {
            const shift = combination([1, value.shift], [1, value.base]);
            return shift === undefined ? this.computed([value], node) : { ...value, shift, base: constantOf(0), node };
        }
        const linear = value.kind === 'constant' ? undefined : this.#asLinear(value, node);
        if (linear === undefined || modulus.kind !== 'constant' || !isSmall(linear.offset)) {
            return this.computed([value, modulus], node);
        }
        const [first, second] = linear.terms;
        if (linear.terms.length === 1 && first.sign > 0) {
            const shift = linear.offset;
            return { kind: 'ring', place: first.place, shift, modulus: modulus.constant, base: constantOf(0), node };
        }
        if (linear.terms.length === 2 && first.sign !== second.sign && isSmall(modulus.constant)) {
            this.#facts.add({ kind: 'together', place: first.place, other: second.place, node });
            const ring = { kind: 'difference', modulus: modulus.constant, node } as const;
            this.#facts.add({ kind: 'ring', place: first.place, ring });
            return this.number(node, 'distance');
        }
        return this.computed([value], node);
    }

    /** Values that are numbers here, and the number that is made from them. */
    computed(values: readonly RuledValue[], node: Node): StructureValue {
        values.forEach(value => {
            this.fix(value, node, 'computed');
        });
        return this.number(node, 'result');
    }

    /** What a value is made of stays where it is. */
    fix(value: RuledValue, node: Node, use: FixedUse): void {
        switch (value.kind) {
            case 'linear':
                value.terms.forEach(({ place }) => {
                    this.#facts.pin(place, node, use);
                });
                return;
            case 'ring':
                this.#facts.pin(value.place, node, use);
                return;
            case 'structure':
                this.pin(value.structure, node, use);
                return;
            case 'constant':
            case 'none':
        }
    }

    #cut(place: Place, low: Polynomial, high: Polynomial, node: Node): void {
        this.#facts.add({ kind: 'cut', place, cut: { low, high, isType: false, node } });
    }

    /** A step around a ring, and a constant added to it. */
    #turned(ring: Ring, constant: Polynomial, sign: 1 | -1, node: ast.Expression): RuledValue {
        const base = combination([1, ring.base], [sign, constant]);
        return base === undefined ? this.computed([ring], node) : { ...ring, base, node };
    }

    /** A constant and a value, or the constant without the value. */
    #plus(constant: Polynomial, value: RuledValue, sign: 1 | -1, node: ast.Expression): RuledValue {
        if (value.kind === 'constant') {
            const sum = combination([1, constant], [sign, value.constant]);
            return sum === undefined ? this.number(node, 'result') : { kind: 'constant', constant: sum };
        }
        const linear = this.#asLinear(value, node);
        const offset = linear && combination([1, constant], [sign, linear.offset]);
        return linear === undefined || offset === undefined
            ? this.computed([value], node)
            : { kind: 'linear', terms: linear.terms.map(term => signed(term, sign)), offset };
    }

    #asLinear(value: RuledValue, node: Node): Linear | undefined {
        if (value.kind === 'linear') {
            return value;
        }
        const plain = this.plain(value, node);
        return plain.kind === 'structure' && plain.structure.kind === 'scalar'
            ? { kind: 'linear', terms: [{ place: plain.structure.place, sign: 1 }], offset: constantOf(0) }
            : undefined;
    }
}

type Linear = RuledValue & { readonly kind: 'linear' };
type Ring = RuledValue & { readonly kind: 'ring' };

/** A value of one place and a constant that are compared, without what is added to the value. */
interface Moved {
    readonly place: Place;
    readonly constant: Polynomial;
}

function movedBy(value: RuledValue, other: RuledValue): Moved | undefined {
    if (other.kind !== 'constant') {
        return undefined;
    }
    if (value.kind === 'structure' && value.structure.kind === 'scalar') {
        return { place: value.structure.place, constant: other.constant };
    }
    if (value.kind !== 'linear' || value.terms.length > 1 || value.terms[0].sign < 0 || !isSmall(value.offset)) {
        return undefined;
    }
    const constant = combination([1, other.constant], [-1, value.offset]);
    return constant && { place: value.terms[0].place, constant };
}

function signed({ place, sign }: Term, factor: 1 | -1): Term {
    return { place, sign: sign === factor ? 1 : -1 };
}
