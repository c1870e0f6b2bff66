/** All symmetries of a small state space, by trying: the most that a detection from the text can find. */
import type { Semantics } from './interpreter.js';
import type { ReachedState, StateSpace } from './state-space.js';
import { formatValue, type Value } from './values.js';

/** `images[cell]` is the cell a cell goes to, with the image of each value. */
interface LiteralMap {
    readonly target: number;
    readonly values: ReadonlyMap<Value | undefined, Value | undefined>;
}

/** The number of classes, or undefined where the search takes more than `budget` partial maps. */
export function countExactOrbits(semantics: Semantics, space: StateSpace, budget: number): number | undefined {
    const reached = [...space.states.values()];
    const keys = [...space.states.keys()];
    const cells = [...semantics.cells.keys()];
    const rows = reached.map(({ state }) => cells.map(cell => state.get(cell)));
    const number = new Map(rows.map((row, index) => [rowKey(row), index]));
    const occurring = cells.map((_, cell) => [...new Set(rows.map(row => row[cell]))]);
    const successors = reached.map(({ successors: next }) => [...next].map(key => keys.indexOf(key)));
    const isInitial = keys.map(key => space.initial.includes(key));
    const classOf = rows.map((_, index) => index);
    let left = budget;

    /** A symmetry that maps one state to another, as a permutation of the states. */
    function search(from: number, to: number): number[] | undefined {
        const images: LiteralMap[] = [];
        const used = new Set<number>();
        const extend = (): number[] | undefined => {
            if (--left < 0) {
                return undefined;
            }
            const cell = images.length;
            if (cell === cells.length) {
                return stateMap(images);
            }
            for (let target = 0; target < cells.length; target++) {
                if (used.has(target) || occurring[target]!.length !== occurring[cell]!.length) {
                    continue;
                }
                for (const values of bijections(occurring[cell]!, occurring[target]!)) {
                    if (values.get(rows[from]![cell]) !== rows[to]![target]) {
                        continue;
                    }
                    images.push({ target, values });
                    used.add(target);
                    const found = projectionsAgree(rows, images) ? extend() : undefined;
                    images.pop();
                    used.delete(target);
                    if (found !== undefined) {
                        return found;
                    }
                }
            }
            return undefined;
        };
        return extend();
    }

    function stateMap(images: readonly LiteralMap[]): number[] | undefined {
        const map = rows.map(row => {
            const image: (Value | undefined)[] = [];
            images.forEach(({ target, values }, cell) => (image[target] = values.get(row[cell])));
            return number.get(rowKey(image));
        });
        const respected = map.every((image, index) => {
            if (image === undefined || isInitial[image] !== isInitial[index]) {
                return false;
            }
            const expected = new Set(successors[index]!.map(next => map[next]));
            return (
                sameSet(expected, new Set(successors[image])) && sameSet(reached[index]!.faults, reached[image]!.faults)
            );
        });
        return respected ? (map as number[]) : undefined;
    }

    for (let from = 0; from < rows.length; from++) {
        for (let to = from + 1; to < rows.length; to++) {
            if (classOf[from] === classOf[to] || !looksAlike(reached[from]!, reached[to]!)) {
                continue;
            }
            const symmetry = search(from, to);
            if (left < 0) {
                return undefined;
            }
            symmetry?.forEach((image, index) => {
                const [kept, merged] = [classOf[index]!, classOf[image]!];
                classOf.forEach((other, state) => (classOf[state] = other === merged ? kept : other));
            });
        }
    }
    return new Set(classOf).size;
}

function looksAlike(first: ReachedState, second: ReachedState): boolean {
    return first.depth === second.depth && first.successors.size === second.successors.size;
}

/** The values that the cells mapped so far have together are those that their images have together. */
function projectionsAgree(rows: readonly (readonly (Value | undefined)[])[], images: readonly LiteralMap[]): boolean {
    const mapped = new Set(rows.map(row => rowKey(images.map(({ values }, cell) => values.get(row[cell])))));
    const there = new Set(rows.map(row => rowKey(images.map(({ target }) => row[target]))));
    return sameSet(mapped, there);
}

/** No value goes to no value. */
function* bijections<T extends Value | undefined>(from: readonly T[], to: readonly T[]): Generator<Map<T, T>> {
    if (from.length === 0) {
        yield new Map();
        return;
    }
    const [first, ...rest] = from as [T, ...T[]];
    for (const image of to) {
        if ((first === undefined) === (image === undefined)) {
            for (const tail of bijections(
                rest,
                to.filter(other => other !== image),
            )) {
                yield tail.set(first, image);
            }
        }
    }
}

function rowKey(row: readonly (Value | undefined)[]): string {
    return row.map(value => (value === undefined ? '-' : formatValue(value))).join(' ');
}

function sameSet<T>(first: ReadonlySet<T>, second: ReadonlySet<T>): boolean {
    return first.size === second.size && [...first].every(element => second.has(element));
}
