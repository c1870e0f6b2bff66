/**
 * Cells that hold at most one value each, get and lose it together, and decide nothing, like the elements of the local
 * `var asked: bool[Id] = [j in Id: !isNeighbor(i, j)]` that are true whenever they have a value. An exchange of them
 * changes no reachable state, but k of them in each of n instances give k!^n symmetries, which would hide those that
 * exchange the instances. So a symmetry takes the members of a class to those of another in order (proof at the end).
 * Likewise markers that say the same.
 */
import { appendTo } from '../common/list-map.js';
import type { ConstraintProblem, ConstraintTruth } from '../constraints/constraint-problem.js';
import type { FormulaId } from '../constraints/formula.js';
import { NOTHING_RELIED_ON } from '../constraints/occurring.js';
import { factorial } from '../group/permutation.js';
import { sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { NO_VALUE } from '../model/domain.js';
import type { GraphEncoding } from './graph-encoding.js';
import type { LiteralPoints } from './model-symmetry.js';

export interface InseparableCells {
    /** The number of symmetries that only move members within their classes. */
    readonly exchanges: bigint;
    /** The symmetry, a permutation of points, that agrees up to these exchanges and keeps the order of members. */
    inOrder(symmetry: SparsePermutation): SparsePermutation;
}

/** Undefined if there are none. Linear in the size of the graph, except for sorting. */
export function inseparableCells(encoding: GraphEncoding, points: LiteralPoints): InseparableCells | undefined {
    const classes = [...classesOf(encoding.problem), ...equalMarkers(encoding)];
    if (classes.length === 0) {
        return undefined;
    }
    // A member has one value and therefore one point.
    const memberOf = new Map<number, { readonly members: readonly number[]; readonly position: number }>();
    for (const cells of classes) {
        const members = cells.map(cell => points.firstPoint[cell]);
        members.forEach((point, position) => memberOf.set(point, { members, position }));
    }
    /** The image in order of a point that a symmetry takes to `image`. */
    const imageInOrder = (point: number, image: number): number => {
        const from = memberOf.get(point);
        const to = memberOf.get(image);
        return from === undefined || to === undefined ? image : to.members[from.position];
    };
    return {
        exchanges: classes.reduce((product, { length }) => product * factorial(length), 1n),
        inOrder: symmetry =>
            sparsePermutation(
                Array.from(symmetry.points, (point, index) => [point, imageInOrder(point, symmetry.images[index])]),
            ),
    };
}

/** The cells of each class of two or more, ascending; none if a property or a marker mentions such a cell. */
function classesOf(problem: ConstraintProblem): (readonly number[])[] {
    const { domains, formulas, initial, markers = [], pinned, properties, summands, together = [] } = problem;
    const occurring = problem.startMoved === undefined ? NOTHING_RELIED_ON : problem.occurring;
    if (markers.some(({ atoms }) => atoms.some(({ kind }) => kind === 'literals'))) {
        return [];
    }
    const pinnedCells = new Set([...pinned, ...occurring.pinned]);
    const hasOneValue = domains.map(
        (codes, cell) => codes.length === 2 && codes[0] === NO_VALUE && !pinnedCells.has(cell),
    );
    if (!hasOneValue.includes(true)) {
        return [];
    }
    const atoms = markers.flatMap(marker => marker.atoms.filter(atom => atom.kind === 'state'));
    const everywhere = properties.flatMap(property => property.everywhere ?? []);
    const constraints = problem.constraint === undefined ? [] : [problem.constraint];
    const conditions: readonly ConstraintTruth[] = [...properties, ...constraints, ...everywhere, ...atoms];
    const mentioned = cellsOf(
        problem,
        conditions.flatMap(({ holds, faults }) => [holds, ...faults.map(({ condition }) => condition)]),
    );
    if ([...mentioned, ...conditions.flatMap(condition => condition.pinned)].some(cell => hasOneValue[cell])) {
        return [];
    }
    const deciding = cellsOf(problem, [
        ...summands.flatMap(({ guard, effects, faults }) => [
            ...guard,
            ...effects.flatMap(({ conditions }) => conditions),
            ...faults.map(({ condition }) => condition),
        ]),
        ...initial.filter(formula => formulas.nodes[formula].kind !== 'set'),
    ]);
    /** Of each such cell: whether it has its value initially, and which summands give or take it, on which conditions. */
    const said = new Map<number, string[]>();
    const say = (cell: number, what: string): void => {
        if (hasOneValue[cell] && !deciding.has(cell)) {
            appendTo(said, cell, what);
        }
    };
    for (const formula of initial) {
        const node = formulas.nodes[formula];
        if (node.kind === 'set') {
            say(node.cell, `initial ${node.codes[0] === NO_VALUE}`);
        }
    }
    for (const formula of occurring.formulas) {
        const node = formulas.nodes[formula];
        const sets = node.kind === 'or' ? node.children : [formula];
        for (const set of sets) {
            const part = formulas.nodes[set];
            if (part.kind === 'set') {
                say(part.cell, `occurs ${part.codes[0] === NO_VALUE} ${sets.filter(other => other !== set).join()}`);
            }
        }
    }
    summands.forEach(({ effects }, summand) => {
        for (const { cell, code, conditions } of effects) {
            say(cell, `${summand} ${code === NO_VALUE} ${conditions.join()}`);
        }
    });
    together.forEach(cell => {
        say(cell, 'together');
    });
    const classes = new Map<string, number[]>();
    for (const [cell, sayings] of said) {
        appendTo(classes, sayings.sort().join(';'), cell);
    }
    return [...classes.values()].filter(({ length }) => length > 1).map(cells => cells.sort((a, b) => a - b));
}

/** As cells behind those of the model: markers with the same neighbors, but for atoms of their own. */
function equalMarkers({ problem, graph, firstLiteral }: GraphEncoding): (readonly number[])[] {
    const { colors, firstNeighbor, neighbors } = graph;
    const neighborsOf = (vertex: number): Int32Array =>
        neighbors.subarray(firstNeighbor[vertex], firstNeighbor[vertex + 1]);
    const classes = new Map<string, number[]>();
    problem.markers?.forEach((_, index) => {
        const cell = problem.domains.length + index;
        const marker = firstLiteral[cell];
        let said = `${colors[marker]}`;
        for (const atom of neighborsOf(marker)) {
            said += `;${colors[atom]} ${neighborsOf(atom)
                .filter(vertex => vertex !== marker)
                .join()}`;
        }
        appendTo(classes, said, cell);
    });
    return [...classes.values()].filter(({ length }) => length > 1);
}

function cellsOf({ formulas }: ConstraintProblem, roots: readonly FormulaId[]): Set<number> {
    const cells = new Set<number>();
    const seen = new Set<FormulaId>();
    const pending = [...roots];
    for (let formula = pending.pop(); formula !== undefined; formula = pending.pop()) {
        if (seen.has(formula)) {
            continue;
        }
        seen.add(formula);
        const node = formulas.nodes[formula];
        if (node.kind === 'set') {
            cells.add(node.cell);
        } else if (node.kind === 'sum') {
            pending.push(...node.terms.map(term => term.formula));
        } else if (node.kind === 'and' || node.kind === 'or') {
            pending.push(...node.children);
        }
    }
    return cells;
}

/*
 * Members of a class have the same neighbors in the graph, so a class is a block of every group that the search finds. The
 * symmetries that only move members within classes form a normal subgroup, a product of symmetric groups. Putting the
 * members in order is a homomorphism with this kernel, and each image is a symmetry: the product of one with exchanges.
 */
