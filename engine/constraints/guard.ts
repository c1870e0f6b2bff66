/**
 * The guard of a summand, before it is encoded. Tests of one cell restrict the cell. Tests that share cells are joined
 * into one relation while that stays small, and arc consistency propagates the restrictions. All else is over the
 * restricted cells. In the ring, `!leader[2] && label[1] != label[2]` restricts `leader[2]` and becomes one relation.
 */
import { sortAscending } from '../common/ascending.js';
import { NOWHERE } from '../common/source-range.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { conjunction } from '../sequential/expression/simplify.js';
import type { Decomposer } from './decompose.js';
import { type Domains, type FormulaId } from './formula.js';
import {
    dropIrrelevantCells,
    forEachTuple,
    relationToFormula,
    selected,
    tupleCount,
    type Relation,
} from './relation.js';
import { supportOf } from '../sequential/cell-access.js';

/** A guard after its tests have restricted the cells. */
export class Guard {
    readonly decomposer: Decomposer;
    readonly isFalse: boolean;
    /** The tests that are small enough to be relations, over the restricted cells. */
    private readonly relations: readonly Relation[];
    private readonly wide: readonly SequentialExpression[];
    private readonly base: Decomposer;

    constructor(base: Decomposer, tests: readonly SequentialExpression[]) {
        this.base = base;
        // Tests of one cell first: they decide which other tests are small enough.
        const unary = tests.filter(test => supportOf(test).length <= 1 && base.isTabled(supportOf(test)));
        const restricted = arcConsistent(
            unary.map(test => relationOf([test], base)),
            base.domains,
        );
        const unaryBase = restricted === undefined ? base : base.restrictedToAll(restricted.domains);
        const others = tests.filter(test => !unary.includes(test));
        const tabled = others.filter(test => unaryBase.isTabled(supportOf(test)));
        const narrowed =
            restricted === undefined
                ? undefined
                : arcConsistent(
                      joinable(tabled, unaryBase).map(group => relationOf(group, unaryBase)),
                      restricted.domains,
                  );
        this.isFalse = narrowed === undefined;
        this.decomposer = narrowed === undefined ? base : base.restrictedToAll(narrowed.domains);
        // A cell that a test mentions without effect must not join the test with an effect on that cell.
        this.relations = narrowed?.relations.map(dropIrrelevantCells) ?? [];
        this.wide = others.filter(test => !tabled.includes(test));
    }

    /** The conjuncts: restrictions of cells, then relations, then the tests that are too wide for a relation. */
    formulas(): readonly FormulaId[] {
        const { table } = this.base;
        const formulas: FormulaId[] = [];
        this.decomposer.domains.forEach((codes, cell) => {
            if (codes !== this.base.domains[cell]) {
                formulas.push(table.set(cell, codes, this.base.domains[cell]));
            }
        });
        for (const relation of this.relations) {
            formulas.push(relationToFormula(table, relation));
        }
        // Over the unrestricted cells: restrictions would keep summands from sharing a wide formula.
        for (const test of this.wide) {
            // A check that cannot fail under the guard adds nothing, however it is written.
            if (!this.decomposer.isAlwaysTrue(test)) {
                formulas.push(this.base.truth(test));
            }
        }
        return table.conjuncts(table.and(formulas, this.base.domains));
    }

    /** Whether a relation reads one of these cells. */
    relates(support: readonly number[]): boolean {
        return this.relations.some(relation => relation.cells.some(cell => support.includes(cell)));
    }

    /** `support` with the cells of the relations that share one of its cells, while that stays small. */
    joinedSupport(support: readonly number[]): readonly number[] | undefined {
        if (!this.decomposer.isTabled(support)) {
            return undefined;
        }
        const cells = new Set(support);
        for (const relation of this.relations) {
            if (relation.cells.some(cell => support.includes(cell))) {
                relation.cells.forEach(cell => cells.add(cell));
            }
        }
        const joined = sortAscending([...cells]);
        return this.decomposer.isTabled(joined) ? joined : support;
    }

    /** The tuples over `support` that the relations within it allow. */
    permittedTuples(support: readonly number[]): Uint8Array {
        const domains = support.map(cell => this.decomposer.domains[cell]);
        const sizes = domains.map(domain => domain.length);
        const permitted = new Uint8Array(tupleCount(domains)).fill(1);
        for (const relation of this.relations) {
            if (!relation.cells.every(cell => support.includes(cell))) {
                continue;
            }
            const positions = relation.cells.map(cell => support.indexOf(cell));
            forEachTuple(sizes, (tuple, index) => {
                let target = 0;
                for (const position of positions) {
                    target = target * sizes[position] + tuple[position];
                }
                permitted[index] &= relation.allowed[target];
            });
        }
        return permitted;
    }
}

/** The relation that all tests of a group hold. */
function relationOf(group: readonly SequentialExpression[], base: Decomposer): Relation {
    const cells = sortAscending([...new Set(group.flatMap(supportOf))]);
    const test = group.length === 1 ? group[0] : conjunction(group, NOWHERE);
    const domains = cells.map(cell => base.domains[cell]);
    return { cells, domains, allowed: base.tables(test, cells).get(1) ?? new Uint8Array(tupleCount(domains)) };
}

/** Groups of tests for one relation: connected tests if small together, else each maximal test with those within it. */
function joinable(tests: readonly SequentialExpression[], base: Decomposer): SequentialExpression[][] {
    const groups: SequentialExpression[][] = [];
    for (const component of components(tests)) {
        const cells = sortAscending([...new Set(component.flatMap(supportOf))]);
        if (base.isTabled(cells)) {
            groups.push(component);
            continue;
        }
        const supports = component.map(test => new Set(supportOf(test)));
        const within = (inner: number, outer: number): boolean =>
            [...supports[inner]].every(c => supports[outer].has(c));
        const seen = new Set<string>();
        component.forEach((_, outer) => {
            const isMaximal = component.every((__, other) => !within(outer, other) || within(other, outer));
            const key = [...supports[outer]].sort((a, b) => a - b).join();
            if (isMaximal && !seen.has(key)) {
                seen.add(key);
                groups.push(component.filter((__, inner) => within(inner, outer)));
            }
        });
    }
    return groups;
}

/** Groups of tests that are connected by shared cells. */
function components(tests: readonly SequentialExpression[]): SequentialExpression[][] {
    const groups: { cells: Set<number>; tests: SequentialExpression[] }[] = [];
    for (const test of tests) {
        const support = supportOf(test);
        const merged = { cells: new Set(support), tests: [test] };
        for (let i = groups.length - 1; i >= 0; i--) {
            if (support.some(cell => groups[i].cells.has(cell))) {
                const [group] = groups.splice(i, 1);
                group.cells.forEach(cell => merged.cells.add(cell));
                merged.tests.unshift(...group.tests);
            }
        }
        groups.push(merged);
    }
    return groups.map(group => group.tests);
}

interface Narrowed {
    readonly domains: Domains;
    readonly relations: Relation[];
}

/** Removes values without support until nothing changes; undefined if a cell is left without a value. */
function arcConsistent(relations: readonly Relation[], domains: Domains): Narrowed | undefined {
    let current = domains;
    let restricted: readonly Relation[] = relations;
    for (let changed = true; changed;) {
        changed = false;
        for (const relation of restricted) {
            const sizes = relation.domains.map(domain => domain.length);
            const supported = sizes.map(size => new Uint8Array(size));
            forEachTuple(sizes, (tuple, index) => {
                if (relation.allowed[index] === 1) {
                    tuple.forEach((value, position) => (supported[position][value] = 1));
                }
            });
            for (let position = 0; position < relation.cells.length; position++) {
                const cell = relation.cells[position];
                const kept = relation.domains[position].filter((_, value) => supported[position][value] === 1);
                const both = current[cell].filter(code => kept.includes(code));
                if (both.length === 0) {
                    return undefined;
                }
                if (both.length < current[cell].length) {
                    const next = current.slice();
                    next[cell] = both;
                    current = next;
                    changed = true;
                }
            }
            // A relation without cells has no cell to leave without a value.
            if (relation.cells.length === 0 && relation.allowed[0] === 0) {
                return undefined;
            }
        }
        restricted = restricted.map(relation => restrict(relation, current));
    }
    return { domains: current, relations: [...restricted] };
}

function restrict(relation: Relation, domains: Domains): Relation {
    if (relation.cells.every((cell, position) => domains[cell].length === relation.domains[position].length)) {
        return relation;
    }
    const kept = relation.cells.map(cell => domains[cell]);
    const values = kept.map((codes, position) => codes.map(code => relation.domains[position].indexOf(code)));
    return { cells: relation.cells, domains: kept, allowed: selected(relation.allowed, relation.domains, values) };
}
