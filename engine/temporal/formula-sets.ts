/**
 * Sets of temporal formulas, a bit for each; a formula is itself the set of all that it asks for without a choice, so
 * `a and b` is the set of both, `f release g` comes with g, and `true` is the empty set. Formulas with equal sets mean
 * the same. Constants are simplified, and a formula that contradicts itself without a choice is `FALSE`.
 */
import { remembered } from '../common/list-map.js';
import { unreachable } from '../common/assert.js';
import type { TemporalFormula } from '../sequential/sequential-model.js';

/** Bits of formulas, as numbered by a `FormulaSets`. */
export type FormulaSet = bigint;

/** The empty set: `true`. */
export const NOTHING: FormulaSet = 0n;
const FALSE: FormulaSet = 1n;

/** One way to satisfy what is asked for at a position. */
export interface FormulaBranch {
    /** Holds at the position. */
    readonly now: FormulaSet;
    /** Holds at the next one. */
    readonly next: FormulaSet;
    /** The untils that are put off. */
    readonly promised: FormulaSet;
}

export interface Literal {
    readonly bit: FormulaSet;
    readonly atom: number;
    readonly isNegated: boolean;
}

export class FormulaSets {
    /** With each literal that occurs, in the order of their bits. */
    readonly literals: Literal[] = [];
    /** The bits of the untils, ascending. */
    readonly untils: FormulaSet[] = [];
    /** By the bit of an `or`, `until` or `release`: the branches of which one has to be taken. */
    readonly alternatives = new Map<FormulaSet, readonly FormulaBranch[]>();
    /** The formulas that have bits. */
    private readonly bits = new Map<string, FormulaSet>([['false', FALSE]]);
    /** No position satisfies all formulas of one of these. */
    private readonly contradictions: FormulaSet[] = [FALSE];

    /** The set that a formula stands for. O(size of the formula), and quadratic in the number of operands of an `or`. */
    setOf(formula: TemporalFormula): FormulaSet {
        switch (formula.kind) {
            case 'true':
                return NOTHING;
            case 'false':
                return FALSE;
            case 'atom':
                return this.literal(formula.atom, formula.isNegated);
            case 'and':
                return this.conjunction(formula.operands.map(operand => this.setOf(operand)));
            case 'or':
                return this.disjunction(formula.operands.map(operand => this.setOf(operand)));
            case 'until':
                return this.until(this.setOf(formula.left), this.setOf(formula.right));
            case 'release':
                return this.release(this.setOf(formula.left), this.setOf(formula.right));
            default:
                return unreachable(formula);
        }
    }

    isContradictory(set: FormulaSet): boolean {
        return this.contradictions.some(contradiction => isWithin(contradiction, set));
    }

    private literal(atom: number, isNegated: boolean): FormulaSet {
        return this.bitOf(`${isNegated ? 'not ' : ''}${atom}`, bit => {
            const opposite = this.literals.find(literal => literal.atom === atom);
            if (opposite !== undefined) {
                this.contradictions.push(bit | opposite.bit);
            }
            this.literals.push({ bit, atom, isNegated });
        });
    }

    private conjunction(operands: readonly FormulaSet[]): FormulaSet {
        const set = operands.reduce((all, operand) => all | operand, NOTHING);
        return this.isContradictory(set) ? FALSE : set;
    }

    /** An operand that asks for more than another one adds nothing. */
    private disjunction(operands: readonly FormulaSet[]): FormulaSet {
        const least = [...new Set(operands)]
            .filter(operand => operand !== FALSE)
            .filter((operand, _, all) => !all.some(other => other !== operand && isWithin(other, operand)));
        if (least.length < 2) {
            return least[0] ?? FALSE;
        }
        least.sort((one, other) => (one < other ? -1 : 1));
        return this.bitOf(`or ${least.join(' ')}`, bit => {
            this.alternatives.set(
                bit,
                least.map(now => ({ now, next: NOTHING, promised: NOTHING })),
            );
        });
    }

    private until(left: FormulaSet, right: FormulaSet): FormulaSet {
        if (right === FALSE || left === FALSE || isWithin(right, left)) {
            return right;
        }
        return this.bitOf(`${left} until ${right}`, bit => {
            this.untils.push(bit);
            this.alternatives.set(bit, [
                { now: right, next: NOTHING, promised: NOTHING },
                { now: left, next: bit, promised: bit },
            ]);
        });
    }

    private release(left: FormulaSet, right: FormulaSet): FormulaSet {
        if (right === FALSE || isWithin(left, right)) {
            return right;
        }
        const bit = this.bitOf(`${left} release ${right}`, own => {
            const later = { now: NOTHING, next: own | right, promised: NOTHING };
            const released = { now: left, next: NOTHING, promised: NOTHING };
            this.alternatives.set(own, left === FALSE ? [later] : [released, later]);
        });
        return bit | right;
    }

    /** The bit of a formula; `define` is called when it is new. */
    private bitOf(formula: string, define: (bit: FormulaSet) => void): FormulaSet {
        return remembered(this.bits, formula, () => {
            const bit = 1n << BigInt(this.bits.size);
            define(bit);
            return bit;
        });
    }
}

function isWithin(part: FormulaSet, whole: FormulaSet): boolean {
    return (part | whole) === whole;
}

/** The branches of which no other asks less, now and later, each once, in their order. O(branches²). */
export function leastOf(branches: readonly FormulaBranch[]): readonly FormulaBranch[] {
    const least: FormulaBranch[] = [];
    for (const branch of branches) {
        if (!least.some(other => asksWithin(other, branch))) {
            dropAbove(branch, least);
            least.push(branch);
        }
    }
    return least;
}

function dropAbove(branch: FormulaBranch, branches: FormulaBranch[]): void {
    let count = 0;
    for (const other of branches) {
        if (!asksWithin(branch, other)) {
            branches[count++] = other;
        }
    }
    branches.length = count;
}

/** Whether the first branch asks for nothing that the second does not. */
export function asksWithin(one: FormulaBranch, other: FormulaBranch): boolean {
    return isWithin(one.now, other.now) && isWithin(one.next, other.next) && isWithin(one.promised, other.promised);
}
