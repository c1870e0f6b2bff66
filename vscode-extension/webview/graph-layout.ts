/**
 * Positions for the orbits of a state graph, in rows by depth. Edges to the next row decide the order inside of a row:
 * sweeps by the mean of the neighbors, of which the order with the fewest crossings stays. [SugiyamaEtAl1981]
 */

export interface GraphShape {
    /** By orbit; an orbit of depth d + 1 has an edge from one of depth d. */
    readonly depths: readonly number[];
    readonly edges: readonly { readonly from: number; readonly to: number }[];
}

export interface GraphLayout {
    /** By orbit, of its center. */
    readonly positions: readonly { readonly x: number; readonly y: number }[];
    readonly width: number;
    readonly height: number;
}

/** Between the centers of neighbors in a row, and of rows. */
const COLUMN = 64;
const NARROW_COLUMN = 40;
export const ROW = 56;
/** Rows with more orbits than this are narrow. */
const WIDE_ROW = 12;
const SWEEPS = 12;

/** O(sweeps · (orbits + edges) · log). */
export function layOutGraph({ depths, edges }: GraphShape): GraphLayout {
    const forward = edges.filter(({ from, to }) => depths[to] === (depths[from] ?? 0) + 1);
    const before = neighborLists(depths.length, forward, ({ from, to }) => [to, from]);
    const after = neighborLists(depths.length, forward, ({ from, to }) => [from, to]);
    const rows = orderRows(rowsOf(depths), before, after);
    const column = rows.some(row => row.length > WIDE_ROW) ? NARROW_COLUMN : COLUMN;
    const xs = coordinatesOf(rows, before, after, column);
    const least = Math.min(...xs);
    const positions = xs.map((x, orbit) => ({ x: x - least + column / 2, y: ((depths[orbit] ?? 0) + 0.5) * ROW }));
    return { positions, width: Math.max(...xs) - least + column, height: rows.length * ROW };
}

type Lists = readonly (readonly number[])[];

function rowsOf(depths: readonly number[]): number[][] {
    const rows: number[][] = Array.from({ length: Math.max(0, ...depths) + 1 }, () => []);
    depths.forEach((depth, orbit) => rows[depth]?.push(orbit));
    return rows;
}

function neighborLists(
    count: number,
    edges: GraphShape['edges'],
    ends: (edge: GraphShape['edges'][number]) => [number, number],
): Lists {
    const lists: number[][] = Array.from({ length: count }, () => []);
    for (const edge of edges) {
        const [orbit, neighbor] = ends(edge);
        lists[orbit]?.push(neighbor);
    }
    return lists;
}

function orderRows(rows: number[][], before: Lists, after: Lists): number[][] {
    let [best, fewest] = [rows, crossingsOf(rows, after)];
    let present = rows;
    for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
        present = sweep % 2 === 0 ? sweepRows(present, before) : sweepRows([...present].reverse(), after).reverse();
        const crossings = crossingsOf(present, after);
        if (crossings < fewest) {
            [best, fewest] = [present, crossings];
        }
    }
    return best;
}

/** Each row ordered by the mean place of its neighbors in the row before. */
function sweepRows(rows: number[][], neighbors: Lists): number[][] {
    const place = new Map<number, number>();
    return rows.map(row => {
        const keys = new Map(
            row.map((orbit, index) => [
                orbit,
                meanOf(
                    (neighbors[orbit] ?? []).map(other => place.get(other) ?? 0),
                    index,
                ),
            ]),
        );
        const ordered = [...row].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
        // A place between 0 and 1 makes rows of different lengths comparable.
        ordered.forEach((orbit, index) => place.set(orbit, (index + 0.5) / ordered.length));
        return ordered;
    });
}

function meanOf(values: readonly number[], otherwise: number): number {
    return values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pairs of edges between two rows that cross. */
function crossingsOf(rows: readonly (readonly number[])[], after: Lists): number {
    const place = new Map(rows.flatMap(row => row.map((orbit, index): [number, number] => [orbit, index])));
    return rows.reduce((sum, row) => {
        const targets = row.flatMap(orbit => (after[orbit] ?? []).map(to => place.get(to) ?? 0).sort((a, b) => a - b));
        return sum + inversionsOf(targets);
    }, 0);
}

/** O(n²) with a small factor: a row has at most some hundred edges. */
function inversionsOf(values: readonly number[]): number {
    let count = 0;
    for (let first = 0; first < values.length; first++) {
        for (let second = first + 1; second < values.length; second++) {
            count += Number((values[first] ?? 0) > (values[second] ?? 0));
        }
    }
    return count;
}

/** By orbit: near the mean of its neighbors, at least `column` from those beside it. */
function coordinatesOf(
    rows: readonly (readonly number[])[],
    before: Lists,
    after: Lists,
    column: number,
): readonly number[] {
    const xs: number[] = [];
    for (const row of rows) {
        row.forEach((orbit, index) => (xs[orbit] = (index - (row.length - 1) / 2) * column));
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        const [order, neighbors] = sweep % 2 === 0 ? [rows, before] : [[...rows].reverse(), after];
        for (const row of order) {
            const wanted = row.map(orbit =>
                meanOf(
                    (neighbors[orbit] ?? []).map(other => xs[other] ?? 0),
                    xs[orbit] ?? 0,
                ),
            );
            nearest(wanted, column).forEach((x, index) => (xs[row[index] ?? 0] = x));
        }
    }
    return xs;
}

/**
 * The places nearest to `wanted`, in the least squares, that are ascending with `gap` between neighbors: neighbors that
 * are too close are pooled and share the mean. [AyerEtAl1955]
 */
function nearest(wanted: readonly number[], gap: number): readonly number[] {
    const pools: { mean: number; count: number }[] = [];
    wanted.forEach((want, index) => {
        let pool = { mean: want - index * gap, count: 1 };
        for (let last = pools.at(-1); last !== undefined && last.mean > pool.mean; last = pools.at(-1)) {
            pools.pop();
            const count = last.count + pool.count;
            pool = { mean: (last.mean * last.count + pool.mean * pool.count) / count, count };
        }
        pools.push(pool);
    });
    const shifted = pools.flatMap(({ mean, count }) => Array.from({ length: count }, () => mean));
    return shifted.map((x, index) => x + index * gap);
}
