/**
 * The canonical formula of a small relation. It depends on the relation alone: `x != y`, `!(x == y)` and `x < y || y <
 * x` are one constraint, and a table shows symmetries that syntax hides (`1 - x` exchanges 0 and 1). Every choice below
 * depends on sizes; a tie is broken by a symmetric form, never by an order, which would lose symmetries.
 */
import { appendTo } from '../common/list-map.js';
import { sameNumbers } from '../common/same-data.js';
import { FALSE_FORMULA, TRUE_FORMULA, type FormulaId, type FormulaTable } from './formula.js';

export interface Relation {
    /** Ascending. */
    readonly cells: readonly number[];
    /** `domains[i]` holds the codes of `cells[i]`, ascending, at least one. */
    readonly domains: readonly (readonly number[])[];
    /** `allowed[tuple]` is 1 in the relation; the last cell is fastest. Length: the product of the domain sizes. */
    readonly allowed: Uint8Array;
}

/** The number of tuples over `domains`. */
export function tupleCount(domains: readonly (readonly unknown[])[]): number {
    return domains.reduce((product, domain) => product * domain.length, 1);
}

/** The formula that holds for exactly the allowed tuples, over cells restricted to the relation's domains. */
export function relationToFormula(table: FormulaTable, relation: Relation): FormulaId {
    const allowedCount = relation.allowed.reduce((sum, bit) => sum + bit, 0);
    if (allowedCount === 0) {
        return FALSE_FORMULA;
    }
    if (allowedCount === relation.allowed.length) {
        return TRUE_FORMULA;
    }
    const open = relation.cells.flatMap((_, position) => (relation.domains[position].length > 1 ? [position] : []));
    if (open.length === 1) {
        // A cell with one value does not matter; the rest is a set.
        const domain = relation.domains[open[0]];
        const codes = domain.filter((_, value) => relation.allowed[value] === 1);
        return table.set(relation.cells[open[0]], codes, domain);
    }
    const relevant = dropIrrelevantCells(relation);
    return canonical(new Builder(table, relevant), mergeEqualValues(relevant));
}

/** Bits as text, 15 in each character. */
function packed(bits: Uint8Array): string {
    let text = '';
    for (let start = 0; start < bits.length; start += 15) {
        let character = 0;
        for (let index = start; index < Math.min(start + 15, bits.length); index++) {
            character = (character << 1) | bits[index];
        }
        text += String.fromCharCode(character);
    }
    return text;
}

/** A relation whose values stand for classes of codes: `classes[i][value]` are the codes of `cells[i]`. */
interface ClassedRelation {
    readonly cells: readonly number[];
    readonly classes: readonly (readonly (readonly number[])[])[];
    readonly allowed: Uint8Array;
}

/** Builds formulas over cells restricted to their full local domains. */
class Builder {
    readonly table: FormulaTable;
    /** The formulas of relations over classes of codes: the same cofactors occur for every order of the cells. */
    readonly known = new Map<string, FormulaId>();
    private readonly domains: (readonly number[])[] = [];

    constructor(table: FormulaTable, { cells, domains }: Relation) {
        this.table = table;
        cells.forEach((cell, position) => (this.domains[cell] = domains[position]));
    }

    set(cell: number, codes: readonly number[]): FormulaId {
        return this.table.set(cell, codes, this.domains[cell]);
    }

    and(children: readonly FormulaId[]): FormulaId {
        return this.table.and(children, this.domains);
    }

    or(children: readonly FormulaId[]): FormulaId {
        return this.table.or(children, this.domains);
    }
}

function canonical(builder: Builder, relation: ClassedRelation): FormulaId {
    const { cells, classes, allowed } = relation;
    if (allowed.every(bit => bit === 0)) {
        return FALSE_FORMULA;
    }
    if (allowed.every(bit => bit === 1)) {
        return TRUE_FORMULA;
    }
    if (cells.length === 1) {
        return builder.set(
            cells[0],
            classes[0].flatMap((codes, value) => (allowed[value] === 1 ? codes : [])),
        );
    }
    // All relations here have the same classes for a cell.
    const key = `${cells.join()}|${packed(allowed)}`;
    const formula = builder.known.get(key) ?? canonicalOfMany(builder, relation);
    builder.known.set(key, formula);
    return formula;
}

/** A relation of two or more cells that is not constant. */
function canonicalOfMany(builder: Builder, relation: ClassedRelation): FormulaId {
    const factors = productFactors(relation);
    if (factors !== undefined) {
        return builder.and(factors.map(factor => canonical(builder, factor)));
    }
    const cofactors = productFactors(complement(relation));
    if (cofactors !== undefined) {
        return builder.or(cofactors.map(factor => canonical(builder, complement(factor))));
    }
    return relation.cells.length === 2 ? canonicalPair(builder, relation) : canonicalPivot(builder, relation);
}

/** Two cells: one disjunct for each class of the cell with fewer; on a tie the smaller of the tuples and both rows. */
function canonicalPair(builder: Builder, relation: ClassedRelation): FormulaId {
    const [left, right] = relation.classes;
    if (left.length !== right.length) {
        return rows(builder, relation, left.length < right.length ? 0 : 1);
    }
    const both = builder.and([rows(builder, relation, 0), rows(builder, relation, 1)]);
    const raw = tuples(builder, relation);
    return builder.table.cost(both) < builder.table.cost(raw) ? both : raw;
}

/** Three or more cells: cofactors by the cell with the smallest result; tuples if two cells tie. */
function canonicalPivot(builder: Builder, relation: ClassedRelation): FormulaId {
    let best: FormulaId | undefined;
    let bestCost = Infinity;
    let tie = false;
    for (let position = 0; position < relation.cells.length; position++) {
        const formula = rows(builder, relation, position);
        const cost = builder.table.cost(formula);
        if (cost < bestCost) {
            best = formula;
            bestCost = cost;
            tie = false;
        } else if (cost === bestCost && formula !== best) {
            tie = true;
        }
    }
    return tie || best === undefined ? tuples(builder, relation) : best;
}

/** ⋁ over the classes of one cell: the cell is in the class, and the others satisfy its cofactor. */
function rows(builder: Builder, relation: ClassedRelation, position: number): FormulaId {
    return builder.or(
        relation.classes[position].map((codes, value) =>
            builder.and([
                builder.set(relation.cells[position], codes),
                canonical(builder, {
                    cells: without(relation.cells, position),
                    classes: without(relation.classes, position),
                    allowed: cofactor(relation.allowed, relation.classes, position, value),
                }),
            ]),
        ),
    );
}

/** The allowed tuples as a disjunction or the forbidden ones as a conjunction, whichever are fewer. */
function tuples(builder: Builder, relation: ClassedRelation): FormulaId {
    const { cells, classes, allowed } = relation;
    const allowedCount = allowed.reduce((sum, bit) => sum + bit, 0);
    const listAllowed = allowedCount <= allowed.length - allowedCount;
    const parts: FormulaId[] = [];
    forEachTuple(
        classes.map(values => values.length),
        (tuple, index) => {
            if ((allowed[index] === 1) !== listAllowed) {
                return;
            }
            const atoms = tuple.map((value, position) =>
                builder.set(
                    cells[position],
                    listAllowed
                        ? classes[position][value]
                        : classes[position].flatMap((codes, other) => (other === value ? [] : codes)),
                ),
            );
            parts.push(listAllowed ? builder.and(atoms) : builder.or(atoms));
        },
    );
    return listAllowed ? builder.or(parts) : builder.and(parts);
}

/** The finest decomposition into a product of relations over disjoint cells; undefined if there is only one factor. */
function productFactors(relation: ClassedRelation): ClassedRelation[] | undefined {
    const count = relation.cells.length;
    const total = relation.allowed.reduce((sum, bit) => sum + bit, 0);
    if (total === 0) {
        return undefined;
    }
    // The smallest set of cells that contains the first one and splits off is a finest factor.
    const candidates = Array.from({ length: (1 << (count - 1)) - 1 }, (_, subset) => (subset << 1) | 1);
    candidates.sort((a, b) => bitCount(a) - bitCount(b) || a - b);
    for (const subset of candidates) {
        const inside = project(relation, subset);
        const outside = project(relation, ~subset & ((1 << count) - 1));
        const insideCount = inside.allowed.reduce((sum, bit) => sum + bit, 0);
        const outsideCount = outside.allowed.reduce((sum, bit) => sum + bit, 0);
        if (insideCount * outsideCount === total) {
            const rest = outside.cells.length > 1 ? productFactors(outside) : undefined;
            return [inside, ...(rest ?? [outside])];
        }
    }
    return undefined;
}

function project(relation: ClassedRelation, subset: number): ClassedRelation {
    const positions = relation.cells.map((_, position) => position).filter(position => (subset >> position) & 1);
    const sizes = relation.classes.map(values => values.length);
    const allowed = new Uint8Array(positions.reduce((product, position) => product * sizes[position], 1));
    forEachTuple(sizes, (tuple, index) => {
        if (relation.allowed[index] === 1) {
            let target = 0;
            for (const position of positions) {
                target = target * sizes[position] + tuple[position];
            }
            allowed[target] = 1;
        }
    });
    return {
        cells: positions.map(position => relation.cells[position]),
        classes: positions.map(position => relation.classes[position]),
        allowed,
    };
}

/** The tuples of the other positions that are allowed together with one value. */
function cofactor(
    allowed: Uint8Array,
    domains: readonly (readonly unknown[])[],
    position: number,
    value: number,
): Uint8Array {
    const stride = tupleCount(domains.slice(position + 1));
    const size = domains[position].length;
    const rest = new Uint8Array(allowed.length / size);
    for (let target = 0; target < rest.length; target += stride) {
        const start = target * size + value * stride;
        rest.set(allowed.subarray(start, start + stride), target);
    }
    return rest;
}

function without<Element>(list: readonly Element[], position: number): readonly Element[] {
    return list.filter((_, other) => other !== position);
}

function complement(relation: ClassedRelation): ClassedRelation {
    return { ...relation, allowed: relation.allowed.map(bit => 1 - bit) };
}

/** Projects away every cell whose value never matters. */
export function dropIrrelevantCells({ cells: all, domains: allDomains, allowed: allAllowed }: Relation): Relation {
    const isOpen = allDomains.map(codes => codes.length !== 1);
    let cells: readonly number[] = all.filter((_, position) => isOpen[position]);
    let domains: Relation['domains'] = allDomains.filter((_, position) => isOpen[position]);
    let allowed = allAllowed;
    // What matters beside other cells also matters without one that does not.
    for (let position = cells.length - 1; position >= 0; position--) {
        const [first, ...others] = domains[position].map((_, value) => cofactor(allowed, domains, position, value));
        if (others.every(other => sameNumbers(first, other))) {
            cells = without(cells, position);
            domains = without(domains, position);
            allowed = first;
        }
    }
    return { cells, domains, allowed };
}

/** Joins the values of a cell that allow the same tuples of the other cells. */
function mergeEqualValues({ cells, domains, allowed }: Relation): ClassedRelation {
    const groups = domains.map((codes, position) => {
        const alike = new Map<string, number[]>();
        codes.forEach((_, value) => {
            appendTo(alike, packed(cofactor(allowed, domains, position, value)), value);
        });
        return [...alike.values()];
    });
    return {
        cells,
        classes: groups.map((group, position) => group.map(values => values.map(value => domains[position][value]))),
        allowed: selected(
            allowed,
            domains,
            groups.map(group => group.map(([value]) => value)),
        ),
    };
}

/** The tuples with these values: `values[position]` are indices into `domains[position]`. */
export function selected(
    allowed: Uint8Array,
    domains: readonly (readonly unknown[])[],
    values: readonly (readonly number[])[],
): Uint8Array {
    const kept = new Uint8Array(tupleCount(values));
    forEachTuple(
        values.map(own => own.length),
        (tuple, index) => {
            kept[index] = allowed[tuple.reduce((sum, at, i) => sum * domains[i].length + values[i][at], 0)];
        },
    );
    return kept;
}

/** Visits every tuple over ranges of these sizes with its number, the last position fastest. `tuple` is reused. */
export function forEachTuple(sizes: readonly number[], visit: (tuple: readonly number[], index: number) => void): void {
    const total = sizes.reduce((product, size) => product * size, 1);
    const tuple = new Array<number>(sizes.length).fill(0);
    for (let index = 0; index < total; index++) {
        visit(tuple, index);
        for (let position = sizes.length - 1; position >= 0; position--) {
            if (++tuple[position] < sizes[position]) {
                break;
            }
            tuple[position] = 0;
        }
    }
}

function bitCount(mask: number): number {
    let count = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
        count++;
    }
    return count;
}
