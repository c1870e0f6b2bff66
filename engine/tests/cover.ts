/**
 * Which walks through a graph meet all of its items, in few walks and steps: greedy, one walk after the other. A walk goes
 * the shortest way from a start to an item that is not met, and on to the nearest other one, as long as that is near. Of
 * several that are equally near, different rules take different ones, and the best of what they come to is given.
 */
import { createRandom } from '../common/random.js';

export interface Move {
    readonly from: number;
    readonly to: number;
    /** Numbers of what a walk along it meets. */
    readonly items: readonly number[];
}

export interface CoverGraph {
    readonly nodeCount: number;
    readonly starts: readonly number[];
    /** All of them can be reached from a start. */
    readonly moves: readonly Move[];
    readonly itemCount: number;
}

interface WalkLimits {
    /** The most moves from one item that is not met to the next. */
    readonly apart: number;
    /** The most moves of a walk, or twice as many as the shortest way to its first item has. */
    readonly longest: number;
    /** The most moves of all walks. */
    readonly most: number;
    /** Asked before each walk but the first, and before another rule is tried. */
    readonly isOver: () => boolean;
}

export interface Walks {
    readonly walks: readonly (readonly number[])[];
    /** The most moves, or the time, were not enough for all items. */
    readonly cut?: 'steps' | 'time';
}

/** For larger graphs one rule is enough. */
const MOST_MOVES_TRIED = 20_000;
const RANDOM_TRIES = 6;

/** Each walk by its moves; all items are met if they are not cut. O(walks · moves) at most for each rule. */
export function coveringWalks(graph: CoverGraph, limits: WalkLimits): Walks {
    const random = createRandom(1);
    const last: Rule = ({ length }) => length - 1;
    const most: Rule = (moves, newBehind) => greatest(moves, newBehind);
    const fewest: Rule = (moves, newBehind) => greatest(moves, move => -(newBehind(move) || Infinity));
    const narrow: Rule = (moves, _newBehind, allBehind) => greatest(moves, move => -allBehind(move));
    const sometimes: Rule = (moves, newBehind) =>
        random.below(2) === 0 ? random.below(moves.length) : greatest(moves, newBehind);
    const rules: readonly (readonly [Rule, 'nearest' | 'farthest'])[] = [
        [fewest, 'nearest'],
        [most, 'nearest'],
        [last, 'nearest'],
        [narrow, 'nearest'],
        [fewest, 'farthest'],
        ...Array.from({ length: RANDOM_TRIES }, () => [sometimes, 'nearest'] as const),
    ];
    const tried = graph.moves.length > MOST_MOVES_TRIED ? rules.slice(0, 1) : rules;
    const net = new Net(graph);
    const [first, ...others] = tried;
    let best = walksBy(net, limits, ...first);
    for (const other of others) {
        if (limits.isOver()) {
            break;
        }
        const walks = walksBy(net, limits, ...other);
        best = isBetter(walks, best) ? walks : best;
    }
    return best;
}

function isBetter(one: Walks, other: Walks): boolean {
    if (one.cut !== undefined || other.cut !== undefined) {
        return one.cut === undefined;
    }
    const steps = ({ walks }: Walks): number => walks.reduce((sum, { length }) => sum + length, 0);
    const more = one.walks.length - other.walks.length;
    return more < 0 || (more === 0 && steps(one) < steps(other));
}

/** Takes one of these moves, by its place in the list. */
type Rule = (
    moves: readonly number[],
    newBehind: (move: number) => number,
    allBehind: (move: number) => number,
) => number;

function greatest(moves: readonly number[], rank: (move: number) => number): number {
    let [best, most] = [0, -Infinity];
    moves.forEach((move, place) => {
        const own = rank(move);
        if (own > most) {
            [best, most] = [place, own];
        }
    });
    return best;
}

class Net {
    readonly graph: CoverGraph;
    readonly leaving: readonly (readonly number[])[];
    /** The moves, those that begin near a start first. */
    readonly order: readonly number[];
    /** By node the last move of a shortest way from a start; -1 for a start. */
    readonly #parents: Int32Array;

    constructor(graph: CoverGraph) {
        const { starts, moves, nodeCount } = graph;
        const leaving = Array.from({ length: nodeCount }, (): number[] => []);
        moves.forEach(({ from }, move) => {
            leaving[from].push(move);
        });
        const parents = new Int32Array(nodeCount).fill(-2);
        const nodes = [...starts];
        starts.forEach(start => (parents[start] = -1));
        // The list grows during the loop.
        for (const node of nodes) {
            for (const move of leaving[node]) {
                const { to } = moves[move];
                if (parents[to] === -2) {
                    parents[to] = move;
                    nodes.push(to);
                }
            }
        }
        this.graph = graph;
        this.leaving = leaving;
        this.order = nodes.flatMap(node => leaving[node]);
        this.#parents = parents;
    }

    wayTo(end: number): readonly number[] {
        return this.wayBack(end, node => this.#parents[node]);
    }

    /** The way to a node by the last move of each way; negative where it begins. */
    wayBack(end: number, moveTo: (node: number) => number): number[] {
        const way: number[] = [];
        for (let move = moveTo(end); move >= 0; move = moveTo(this.graph.moves[move].from)) {
            way.push(move);
        }
        return way.reverse();
    }
}

function walksBy(
    net: Net,
    { apart, longest, most, isOver }: WalkLimits,
    rule: Rule,
    begins: 'nearest' | 'farthest',
): Walks {
    const { graph, leaving } = net;
    const { moves } = graph;
    const isMet = new Uint8Array(graph.itemCount);
    const isNew = (move: number): boolean => moves[move].items.some(item => isMet[item] === 0);
    const behind = (move: number): readonly number[] => leaving[moves[move].to];
    const newBehind = (move: number): number => behind(move).filter(next => next !== move && isNew(next)).length;
    const choose = (among: readonly number[]): number => among[rule(among, newBehind, move => behind(move).length)];

    const seenIn = new Int32Array(graph.nodeCount);
    const wayTo = new Int32Array(graph.nodeCount);
    let round = 0;
    /** The way to a nearest new move, which is its last one. */
    const wayOn = (start: number): readonly number[] | undefined => {
        seenIn[start] = ++round;
        wayTo[start] = -1;
        let level = [start];
        for (let depth = 0; depth < apart && level.length > 0; depth++) {
            const fresh = level.flatMap(node => leaving[node].filter(isNew));
            if (fresh.length > 0) {
                const move = choose(fresh);
                return [...net.wayBack(moves[move].from, node => wayTo[node]), move];
            }
            const next: number[] = [];
            for (const move of level.flatMap(node => leaving[node])) {
                const { to } = moves[move];
                if (seenIn[to] !== round) {
                    seenIn[to] = round;
                    wayTo[to] = move;
                    next.push(to);
                }
            }
            level = next;
        }
        return undefined;
    };

    const walks: number[][] = [];
    let left = most;
    for (const first of begins === 'nearest' ? net.order : [...net.order].reverse()) {
        if (!isNew(first)) {
            continue;
        }
        if (walks.length > 0 && isOver()) {
            return { walks, cut: 'time' };
        }
        const way = [...net.wayTo(moves[first].from), first];
        const mostInWalk = Math.min(left, Math.max(longest, 2 * way.length));
        if (way.length > mostInWalk) {
            return { walks, cut: 'steps' };
        }
        const walk: number[] = [];
        let on: readonly number[] | undefined = way;
        while (on !== undefined && walk.length + on.length <= mostInWalk) {
            on.forEach(move => {
                moves[move].items.forEach(item => (isMet[item] = 1));
            });
            walk.push(...on);
            on = wayOn(moves[walk[walk.length - 1]].to);
        }
        walks.push(walk);
        left -= walk.length;
    }
    return { walks };
}
