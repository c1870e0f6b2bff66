import { appendTo } from './list-map.js';

/** Disjoint sets of the numbers 0 … size - 1, with path halving and union by size. [Tarjan1975] */
export class UnionFind {
    /** `parent[x]` is an element of the set of x; a root is its own parent. Length size. */
    private readonly parent: Int32Array;
    /** `setSize[root]` is the number of members; meaningless for other elements. Length size. */
    private readonly setSize: Int32Array;
    setCount: number;

    constructor(size: number) {
        this.parent = Int32Array.from({ length: size }, (_, x) => x);
        this.setSize = new Int32Array(size).fill(1);
        this.setCount = size;
    }

    /** The root of the set of `x`. */
    find(x: number): number {
        const parent = this.parent;
        let current = x;
        while (parent[current] !== current) {
            parent[current] = parent[parent[current]];
            current = parent[current];
        }
        return current;
    }

    /** Joins the sets of `x` and `y`; false if they are one already. */
    union(x: number, y: number): boolean {
        let a = this.find(x);
        let b = this.find(y);
        if (a === b) {
            return false;
        }
        if (this.setSize[a] < this.setSize[b]) {
            [a, b] = [b, a];
        }
        this.parent[b] = a;
        this.setSize[a] += this.setSize[b];
        this.setCount--;
        return true;
    }

    /** The sets, each ascending, in the order of their least members. */
    sets(): number[][] {
        const setOfRoot = new Map<number, number[]>();
        for (let x = 0; x < this.parent.length; x++) {
            appendTo(setOfRoot, this.find(x), x);
        }
        return [...setOfRoot.values()];
    }
}
