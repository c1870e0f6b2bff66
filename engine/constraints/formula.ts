/**
 * Constraints as a shared graph of formulas over literals: sets of values of one cell, conjunctions, disjunctions,
 * bounds on weighted counts. There is no negation: a complement is built separately, down to complementary sets. Equal
 * kind and equal children give the same node, so a permutation of literals extends to formulas in at most one way.
 *
 *     x ∈ {1, 2}  ∧  (y ∈ {0}  ∨  z ∈ {0})           set(x, 1 2)   or(set(y, 0), set(z, 0))   and( … )
 */
import { appendTo, remembered } from '../common/list-map.js';
import { intersection, joined, sortAscending, sortShort } from '../common/ascending.js';
import { invariant, unreachable } from '../common/assert.js';
import { HashChains } from '../common/hash-chains.js';
import { sameNumbers } from '../common/same-data.js';

/** Index into `FormulaTable.nodes`. */
export type FormulaId = number;

export interface WeightedTerm {
    readonly formula: FormulaId;
    /** The weight that is added if the formula holds. Never 0. */
    readonly weight: number;
}

/** The open terms of a sum, and the sum of its constant terms. */
interface WeightedSum {
    readonly offset: number;
    /** Ascending, by formula and weight; equal lists of terms are one object in a table. */
    readonly terms: readonly WeightedTerm[];
}

export type FormulaNode =
    | { readonly kind: 'true' | 'false' }
    /** The cell holds one of `codes` (ascending; -1 is "no value"). */
    | { readonly kind: 'set'; readonly cell: number; readonly codes: readonly number[] }
    /** Two or more children, ascending, none of the same kind. */
    | { readonly kind: 'and' | 'or'; readonly children: readonly FormulaId[] }
    /** The weights of the terms that hold add up to one of `allowed` (ascending). Terms as in `WeightedSum`. */
    | { readonly kind: 'sum'; readonly terms: readonly WeightedTerm[]; readonly allowed: readonly number[] };

export type SetNode = Extract<FormulaNode, { kind: 'set' }>;

/** `domains[cell]` holds the codes that the cell can have, ascending. */
export type Domains = readonly (readonly number[])[];

export const TRUE_FORMULA: FormulaId = 0;
export const FALSE_FORMULA: FormulaId = 1;

/** The most formulas under one hub that are compared pairwise. */
const MOST_COMPARED = 32;

export class FormulaTable {
    readonly nodes: FormulaNode[] = [{ kind: 'true' }, { kind: 'false' }];
    /** The formulas by hash. */
    private readonly idsOfHash = new HashChains();
    /** The distinct lists of terms, and their numbers by hash. */
    private readonly termLists: (readonly WeightedTerm[])[] = [];
    private readonly termListsOfHash = new HashChains();
    private readonly numberOfTerms = new Map<readonly WeightedTerm[], number>();
    private readonly costs = new Map<FormulaId, number>();

    /** `codes` need not be sorted; `domain` has the codes that the cell can hold where the formula is used. */
    set(cell: number, codes: readonly number[], domain: readonly number[]): FormulaId {
        if (codes.length === 0) {
            return FALSE_FORMULA;
        }
        if (codes.length === domain.length) {
            return TRUE_FORMULA;
        }
        const sorted = codes.length === 1 ? codes : sortAscending([...codes]);
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

    /** A sum with its constant terms folded into the offset. O(terms · log terms), once for all bounds on the sum. */
    weightedSum(terms: readonly WeightedTerm[]): WeightedSum {
        let offset = 0;
        const open: WeightedTerm[] = [];
        for (const term of terms) {
            if (term.formula === TRUE_FORMULA) {
                offset += term.weight;
            } else if (term.formula !== FALSE_FORMULA && term.weight !== 0) {
                open.push(term);
            }
        }
        return { offset, terms: this.internTerms(open) };
    }

    /** The terms that hold add up to one of `allowed`, which must be possible sums. O(allowed · log allowed). */
    sumIn({ offset, terms }: WeightedSum, allowed: Iterable<number>): FormulaId {
        const shifted = Array.from(new Set(allowed), value => value - offset).sort((a, b) => a - b);
        if (terms.length === 0) {
            return shifted.includes(0) ? TRUE_FORMULA : FALSE_FORMULA;
        }
        if (shifted.length === 0) {
            return FALSE_FORMULA;
        }
        return this.intern({ kind: 'sum', terms, allowed: shifted });
    }

    /** The children of a conjunction; of another formula itself, and of the constant true nothing. */
    conjuncts(id: FormulaId): readonly FormulaId[] {
        const node = this.nodes[id];
        return id === TRUE_FORMULA ? [] : node.kind === 'and' ? node.children : [id];
    }

    /** The number of vertices and edges of a formula without sharing. */
    cost(id: FormulaId): number {
        const known = this.costs.get(id);
        if (known !== undefined) {
            return known;
        }
        const node = this.nodes[id];
        let cost = node.kind === 'set' ? 1 + node.codes.length : 1;
        for (const child of childrenOf(node)) {
            cost += this.cost(child) + 1;
        }
        this.costs.set(id, cost);
        return cost;
    }

    /** Takes over formulas of another table, by their numbers: sets first, as `setOf` maps them, ordered by cell. */
    adopt(nodes: readonly (FormulaNode | undefined)[], setOf: (set: SetNode) => SetNode): readonly FormulaId[] {
        const adoptedTerms: AdoptedTerms = new Map();
        const adopted: FormulaId[] = nodes.map((_, index) => (index === FALSE_FORMULA ? FALSE_FORMULA : TRUE_FORMULA));
        const sets: { readonly index: number; readonly set: SetNode }[] = [];
        nodes.forEach((node, index) => {
            if (node?.kind === 'set') {
                sets.push({ index, set: setOf(node) });
            }
        });
        sortShort(sets, (a, b) => a.set.cell - b.set.cell || compareNumbers(a.set.codes, b.set.codes));
        for (const { index, set } of sets) {
            adopted[index] = this.intern(set);
        }
        nodes.forEach((node, index) => {
            if (node !== undefined && node.kind !== 'set') {
                adopted[index] = this.adoptNode(node, adopted, adoptedTerms);
            }
        });
        return adopted;
    }

    private adoptNode(
        node: Exclude<FormulaNode, SetNode>,
        adopted: readonly FormulaId[],
        adoptedTerms: AdoptedTerms,
    ): FormulaId {
        switch (node.kind) {
            case 'true':
                return TRUE_FORMULA;
            case 'false':
                return FALSE_FORMULA;
            case 'and':
            case 'or': {
                const children = sortAscending(node.children.map(child => adopted[child]));
                return this.intern({ kind: node.kind, children });
            }
            case 'sum': {
                const terms = remembered(adoptedTerms, node.terms, () =>
                    this.internTerms(node.terms.map(({ formula, weight }) => ({ formula: adopted[formula], weight }))),
                );
                return this.intern({ kind: 'sum', terms, allowed: node.allowed });
            }
            default:
                return unreachable(node);
        }
    }

    private combine(kind: 'and' | 'or', children: readonly FormulaId[], domains: Domains): FormulaId {
        const [neutral, absorbing] = kind === 'and' ? [TRUE_FORMULA, FALSE_FORMULA] : [FALSE_FORMULA, TRUE_FORMULA];
        const sets = new Map<number, readonly number[]>();
        const sums = new Map<readonly WeightedTerm[], number[]>();
        const others = new Set<FormulaId>();
        const merge = kind === 'and' ? intersection : united;
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
                sets.set(node.cell, known === undefined ? node.codes : merge(known, node.codes));
            } else if (node.kind === 'sum' && kind === 'or') {
                node.allowed.forEach(value => {
                    appendTo(sums, node.terms, value);
                });
            } else {
                others.add(id);
            }
        }
        for (const [terms, allowed] of sums) {
            others.add(this.sumIn({ offset: 0, terms }, allowed));
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
        this.absorb(kind, others, sets);
        const sorted = sortAscending([...others]);
        if (sorted.length === 0) {
            return neutral;
        }
        return sorted.length === 1 ? sorted[0] : this.intern({ kind, children: sorted });
    }

    /** Removes absorbed formulas, as in `x ∨ (x ∧ y)`. `sets`: by cell the codes of its set. Linear, squared if few. */
    private absorb(kind: 'and' | 'or', formulas: Set<FormulaId>, sets: ReadonlyMap<number, readonly number[]>): void {
        const isThere = (id: FormulaId): boolean => {
            const node = this.nodes[id];
            switch (node.kind) {
                case 'set': {
                    const codes = sets.get(node.cell);
                    return (
                        codes !== undefined &&
                        (kind === 'or' ? isWithin(node.codes, codes) : isWithin(codes, node.codes))
                    );
                }
                case kind:
                    return node.children.every(isThere);
                default:
                    return formulas.has(id);
            }
        };
        // No two formulas absorb each other, since an absorbed one contains the other.
        const dual = kind === 'and' ? 'or' : 'and';
        const absorbed: FormulaId[] = [];
        const open: { readonly id: FormulaId; readonly children: readonly FormulaId[] }[] = [];
        for (const id of formulas) {
            const node = this.nodes[id];
            if (node.kind === dual) {
                if (node.children.some(isThere)) {
                    absorbed.push(id);
                } else {
                    open.push({ id, children: node.children });
                }
            }
        }
        for (const { id, children } of open.length > MOST_COMPARED ? [] : open) {
            if (open.some(other => other.children.length < children.length && isWithin(other.children, children))) {
                absorbed.push(id);
            }
        }
        absorbed.forEach(id => formulas.delete(id));
    }

    private intern(node: InternedNode): FormulaId {
        invariant(node.kind !== 'and' && node.kind !== 'or' ? true : node.children.length > 1, 'hubs join two or more');
        const hash =
            node.kind === 'sum'
                ? node.allowed.reduce(mixed, mixed(4, this.numberOfTerms.get(node.terms)!))
                : hashOf(node);
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

    /** The one list with these terms, sorted. */
    private internTerms(terms: WeightedTerm[]): readonly WeightedTerm[] {
        terms.sort(compareTerms);
        const hash = terms.reduce((hash, { formula, weight }) => mixed(mixed(hash, formula), weight), 5);
        for (let other = this.termListsOfHash.first(hash); other >= 0; other = this.termListsOfHash.next(other)) {
            if (areEqualTerms(this.termLists[other], terms)) {
                return this.termLists[other];
            }
        }
        const number = this.termLists.length;
        this.termLists.push(terms);
        this.termListsOfHash.add(number, hash);
        this.numberOfTerms.set(terms, number);
        return terms;
    }
}

export function childrenOf(node: FormulaNode): readonly FormulaId[] {
    switch (node.kind) {
        case 'and':
        case 'or':
            return node.children;
        case 'sum':
            return node.terms.map(({ formula }) => formula);
        default:
            return [];
    }
}

function compareTerms(first: WeightedTerm, second: WeightedTerm): number {
    return first.formula - second.formula || first.weight - second.weight;
}

type InternedNode = Exclude<FormulaNode, { kind: 'true' | 'false' }>;

/** From lists of terms of another table to those of this one. */
type AdoptedTerms = Map<readonly WeightedTerm[], readonly WeightedTerm[]>;

function hashOf(node: Exclude<InternedNode, { kind: 'sum' }>): number {
    switch (node.kind) {
        case 'set':
            return node.codes.reduce(mixed, mixed(1, node.cell));
        case 'and':
        case 'or':
            return node.children.reduce(mixed, node.kind === 'and' ? 2 : 3);
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
            // Equal lists of terms are one object.
            return first.kind === 'sum' && first.terms === second.terms && sameNumbers(first.allowed, second.allowed);
        default:
            return unreachable(second);
    }
}

function areEqualTerms(first: readonly WeightedTerm[], second: readonly WeightedTerm[]): boolean {
    return (
        first.length === second.length &&
        first.every(({ formula, weight }, index) => {
            const other = second[index];
            return formula === other.formula && weight === other.weight;
        })
    );
}

/** By the first number that differs; a prefix comes first. */
export function compareNumbers(first: readonly number[], second: readonly number[]): number {
    const index = first.findIndex((number, position) => number !== second[position]);
    return index < 0 ? first.length - second.length : first[index] - (second[index] ?? -1);
}

/** Whether all of `some` are in `all`; both are ascending. */
function isWithin(some: readonly number[], all: readonly number[]): boolean {
    return joined(all, some) === undefined;
}

function united(first: readonly number[], second: readonly number[]): readonly number[] {
    return joined(first, second) ?? first;
}
