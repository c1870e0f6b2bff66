/**
 * Constraints as a shared graph of formulas over literals.
 *
 * A formula is a set of values of one cell, a conjunction, a disjunction, or a bound on a weighted count. There is no
 * negation: whoever builds a formula builds its complement separately, down to complementary value sets. Formulas are
 * interned: two of them with the same kind and the same children are the same node, so that a permutation of the
 * literals extends to the formulas in at most one way.
 *
 *     x ∈ {1, 2}  ∧  (y ∈ {0}  ∨  z ∈ {0})           set(x, 1 2)   or(set(y, 0), set(z, 0))   and( … )
 */
import { invariant, unreachable } from '../common/assert.js';
import { HashChains } from '../common/hash-chains.js';

/** Index into `FormulaTable.nodes`. */
export type FormulaId = number;

export interface WeightedTerm {
    readonly formula: FormulaId;
    /** What the term adds where the formula holds. Never 0. */
    readonly weight: number;
}

export type FormulaNode =
    | { readonly kind: 'true' | 'false' }
    /** The cell holds one of `codes` (ascending; -1 is "no value"). */
    | { readonly kind: 'set'; readonly cell: number; readonly codes: readonly number[] }
    /** Two or more children, ascending, none of the same kind. */
    | { readonly kind: 'and' | 'or'; readonly children: readonly FormulaId[] }
    /** The weights of the terms that hold add up to one of `allowed` (ascending). Terms ascending, by formula and weight. */
    | { readonly kind: 'sum'; readonly terms: readonly WeightedTerm[]; readonly allowed: readonly number[] };

/** Formulas that were taken over from another table. */
export interface AdoptedFormulas {
    /** By formula of that table what it is here. */
    readonly adopted: readonly FormulaId[];
    /** The same formulas in the order in which they were taken over. */
    readonly order: readonly FormulaId[];
}

export type SetNode = Extract<FormulaNode, { kind: 'set' }>;

export const TRUE: FormulaId = 0;
export const FALSE: FormulaId = 1;

export class FormulaTable {
    readonly nodes: FormulaNode[] = [{ kind: 'true' }, { kind: 'false' }];
    /** The formulas by hash: those that are equal are one. */
    private readonly idsOfHash = new HashChains();
    private readonly costs = new Map<FormulaId, number>();
    private readonly formulaOfKey = new Map<string, FormulaId>();

    /** `codes` need not be sorted; `domain` is what the cell can hold where the formula is used. */
    set(cell: number, codes: readonly number[], domain: readonly number[]): FormulaId {
        if (codes.length === 0) {
            return FALSE;
        }
        if (codes.length === domain.length) {
            return TRUE;
        }
        const sorted = codes.length === 1 ? codes : [...codes].sort((a, b) => a - b);
        return this.intern({ kind: 'set', cell, codes: sorted });
    }

    /** The conjunction. Sets of one cell are intersected. */
    and(children: readonly FormulaId[], domains: Domains): FormulaId {
        return this.combine('and', children, domains);
    }

    /** The disjunction. Sets of one cell are united, and so are bounds on the same sum. */
    or(children: readonly FormulaId[], domains: Domains): FormulaId {
        return this.combine('or', children, domains);
    }

    /**
     * The weights of the terms that hold add up to one of `allowed`. A term whose formula is constant is folded away.
     * `allowed` must already be restricted to sums that can occur.
     */
    sum(terms: readonly WeightedTerm[], allowed: readonly number[]): FormulaId {
        let offset = 0;
        const open: WeightedTerm[] = [];
        for (const term of terms) {
            if (term.formula === TRUE) {
                offset += term.weight;
            } else if (term.formula !== FALSE && term.weight !== 0) {
                open.push(term);
            }
        }
        const shifted = [...new Set(allowed.map(value => value - offset))].sort((a, b) => a - b);
        if (open.length === 0) {
            return shifted.includes(0) ? TRUE : FALSE;
        }
        if (shifted.length === 0) {
            return FALSE;
        }
        open.sort(compareTerms);
        return this.intern({ kind: 'sum', terms: open, allowed: shifted });
    }

    /** The number of vertices and edges that a formula takes when nothing of it is shared. */
    cost(id: FormulaId): number {
        const known = this.costs.get(id);
        if (known !== undefined) {
            return known;
        }
        const node = this.nodes[id];
        let cost = 1;
        switch (node.kind) {
            case 'set':
                cost += node.codes.length;
                break;
            case 'and':
            case 'or':
                for (const child of node.children) {
                    cost += this.cost(child) + 1;
                }
                break;
            case 'sum':
                for (const term of node.terms) {
                    cost += this.cost(term.formula) + 1;
                }
                break;
            case 'true':
            case 'false':
                break;
        }
        this.costs.set(id, cost);
        return cost;
    }

    /** What `build` returns, which is called once for each key: the same relation is often met again. */
    formulaOf(key: string, build: () => FormulaId): FormulaId {
        let formula = this.formulaOfKey.get(key);
        if (formula === undefined) {
            formula = build();
            this.formulaOfKey.set(key, formula);
        }
        return formula;
    }

    /**
     * Takes over the formulas of another table: what each of them is here. `setOf` says what sets become. Sets come first,
     * by their cells; then the others in their order, in which a formula stands behind those that it is made of.
     */
    adopt(nodes: readonly FormulaNode[], setOf: (set: SetNode) => SetNode): AdoptedFormulas {
        const order: FormulaId[] = [];
        const adopted: FormulaId[] = nodes.map(() => TRUE);
        const sets: { readonly index: number; readonly set: SetNode }[] = [];
        nodes.forEach((node, index) => {
            if (node.kind === 'set') {
                sets.push({ index, set: setOf(node) });
            }
        });
        sets.sort((a, b) => a.set.cell - b.set.cell || compareNumbers(a.set.codes, b.set.codes));
        for (const { index, set } of sets) {
            order.push((adopted[index] = this.intern(set)));
        }
        nodes.forEach((node, index) => {
            if (node.kind !== 'set') {
                order.push((adopted[index] = this.adoptNode(node, adopted)));
            }
        });
        return { adopted, order };
    }

    /**
     * The same for formulas of a table that has adopted them before: `ids` in the order in which it has. What they are
     * here is written into `adopted`, which is -1 for each formula of that table that was not taken over yet.
     */
    adoptAgain({ nodes }: FormulaTable, ids: readonly FormulaId[], adopted: Int32Array): void {
        for (const id of ids) {
            if (adopted[id] < 0) {
                const node = nodes[id];
                adopted[id] = node.kind === 'set' ? this.intern(node) : this.adoptNode(node, adopted);
            }
        }
    }

    private adoptNode(node: Exclude<FormulaNode, SetNode>, adopted: ArrayLike<FormulaId>): FormulaId {
        switch (node.kind) {
            case 'true':
                return TRUE;
            case 'false':
                return FALSE;
            case 'and':
            case 'or': {
                const children = node.children.map(child => adopted[child]).sort((a, b) => a - b);
                return this.intern({ kind: node.kind, children });
            }
            case 'sum': {
                const terms = node.terms.map(({ formula, weight }) => ({ formula: adopted[formula], weight }));
                terms.sort(compareTerms);
                return this.intern({ kind: 'sum', terms, allowed: node.allowed });
            }
            default:
                return unreachable(node);
        }
    }

    private combine(kind: 'and' | 'or', children: readonly FormulaId[], domains: Domains): FormulaId {
        const [neutral, absorbing] = kind === 'and' ? [TRUE, FALSE] : [FALSE, TRUE];
        const sets = new Map<number, readonly number[]>();
        const sums = new Map<string, Extract<FormulaNode, { kind: 'sum' }>>();
        const others = new Set<FormulaId>();
        const pending = [...children].reverse();
        while (pending.length > 0) {
            const id = pending.pop()!;
            if (id === absorbing) {
                return absorbing;
            }
            if (id === neutral) {
                continue;
            }
            const node = this.nodes[id];
            if (node.kind === kind) {
                pending.push(...node.children);
            } else if (node.kind === 'set') {
                const known = sets.get(node.cell);
                sets.set(node.cell, known === undefined ? node.codes : mergeCodes(kind, known, node.codes));
            } else if (node.kind === 'sum' && kind === 'or') {
                const key = node.terms.map(term => `${term.formula}*${term.weight}`).join();
                const known = sums.get(key);
                const allowed = known === undefined ? node.allowed : mergeCodes('or', known.allowed, node.allowed);
                sums.set(key, { ...node, allowed });
            } else {
                others.add(id);
            }
        }
        for (const sum of sums.values()) {
            others.add(this.sum(sum.terms, sum.allowed));
        }
        for (const [cell, codes] of sets) {
            const id = this.set(cell, codes, domains[cell]);
            if (id === absorbing) {
                return absorbing;
            }
            if (id !== neutral) {
                others.add(id);
            }
        }
        const sorted = [...others].sort((a, b) => a - b);
        if (sorted.length === 0) {
            return neutral;
        }
        return sorted.length === 1 ? sorted[0] : this.intern({ kind, children: sorted });
    }

    private intern(node: InternedNode): FormulaId {
        invariant(node.kind !== 'and' && node.kind !== 'or' ? true : node.children.length > 1, 'hubs join two or more');
        const hash = hashOf(node);
        for (let other = this.idsOfHash.first(hash); other >= 0; other = this.idsOfHash.next(other)) {
            if (areEqual(this.nodes[other], node)) {
                return other;
            }
        }
        const id = this.nodes.length;
        this.nodes.push(node);
        this.idsOfHash.add(id, hash);
        return id;
    }
}

function compareTerms(first: WeightedTerm, second: WeightedTerm): number {
    return first.formula - second.formula || first.weight - second.weight;
}

type InternedNode = Exclude<FormulaNode, { kind: 'true' | 'false' }>;

function hashOf(node: InternedNode): number {
    switch (node.kind) {
        case 'set':
            return node.codes.reduce(mixed, mixed(1, node.cell));
        case 'and':
        case 'or':
            return node.children.reduce(mixed, node.kind === 'and' ? 2 : 3);
        case 'sum':
            return node.terms.reduce((hash, { formula, weight }) => mixed(mixed(hash, formula), weight), 4);
        default:
            return unreachable(node);
    }
}

function mixed(hash: number, value: number): number {
    const product = Math.imul(hash ^ value, 0x9e3779b1);
    return product ^ (product >>> 15);
}

function areEqual(first: FormulaNode, second: InternedNode): boolean {
    switch (second.kind) {
        case 'set':
            return first.kind === 'set' && first.cell === second.cell && sameNumbers(first.codes, second.codes);
        case 'and':
        case 'or':
            return first.kind === second.kind && sameNumbers(first.children, second.children);
        case 'sum':
            return (
                first.kind === 'sum' &&
                first.terms.length === second.terms.length &&
                first.terms.every(({ formula, weight }, index) => {
                    const other = second.terms[index];
                    return formula === other.formula && weight === other.weight;
                }) &&
                sameNumbers(first.allowed, second.allowed)
            );
        default:
            return unreachable(second);
    }
}

/** By the first number that differs; shorter lists first where one begins with the other. */
export function compareNumbers(first: readonly number[], second: readonly number[]): number {
    const index = first.findIndex((number, position) => number !== second[position]);
    return index < 0 ? first.length - second.length : first[index] - (second[index] ?? -1);
}

function sameNumbers(first: readonly number[], second: readonly number[]): boolean {
    if (first.length !== second.length) {
        return false;
    }
    for (let index = 0; index < first.length; index++) {
        if (first[index] !== second[index]) {
            return false;
        }
    }
    return true;
}

/** `domains[cell]` holds the codes that the cell can have, ascending. */
export type Domains = readonly (readonly number[])[];

function mergeCodes(kind: 'and' | 'or', left: readonly number[], right: readonly number[]): number[] {
    if (kind === 'or') {
        return [...new Set([...left, ...right])].sort((a, b) => a - b);
    }
    const known = new Set(right);
    return left.filter(code => known.has(code));
}
