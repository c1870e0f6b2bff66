/**
 * The search for automorphisms by individualization and refinement, after nauty, saucy and bliss [McKayPiperno2014;
 * Darga2008; JunttilaKaski2007].
 *
 * A node of the search tree is an equitable partition; a child individualizes one vertex of its target cell and
 * refines. The automorphisms found on the way up the first path are a strong generating set, and the order of the group
 * is the product of the orbit lengths of the base points. Nothing is recursive, because a path may have hundreds of
 * thousands of nodes.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';
import { Completion } from './completion.js';
import { OrbitPartition } from './orbit-partition.js';
import type { PartitionLeaf } from './ordered-partition.js';
import { OrderedPartition } from './ordered-partition.js';
import { Refiner } from './refinement.js';
import { scrambled } from './scrambled.js';
import type { Scratch } from './scratch.js';
import { PermutationReader } from './read-permutation.js';
import { TargetCells } from './target-cells.js';

export interface TreeSearchOptions {
    readonly workLimit: WorkLimit;
    /** Known automorphisms; the identity is allowed. */
    readonly known: readonly SparsePermutation[];
    readonly preferredVertices: ArrayLike<number>;
    /** Checks whether a permutation is an automorphism, and keeps it if so. */
    readonly accept: (permutation: SparsePermutation) => boolean;
}

/** The accepted permutations and the needed known ones are strong generators for the finished levels. */
export interface SearchOutcome {
    /** The indices of the known automorphisms that are needed, or may be needed if the search is not complete. */
    readonly usedKnown: readonly number[];
    readonly base: readonly number[];
    /** By base point: the length of its orbit under the generators that fix the earlier ones. */
    readonly orbitLengths: readonly number[];
    readonly complete: boolean;
    readonly counts: SearchCounts;
}

interface SearchCounts {
    treeNodes: number;
    refinements: number;
    leaves: number;
    certifications: number;
    badLeaves: number;
}

/** The vertices of the target cell that are still to be tried at a level below the first path. */
interface Choice {
    /** If so many more vertices fail, no vertex is right. */
    attemptsLeft: number;
    /** The vertex tried first. */
    first: number;
    /** The other vertices of the cell, once the first has failed; empty before. */
    others: Int32Array;
    nextOther: number;
    /** How many edges had been visited before. */
    edgesBefore: number;
}

/** A guess may visit this many times as many edges as the refinements before it. */
const GUESS_EFFORT = 8;

/** The cost of a guess for one different vertex, in visits of its neighbors. */
const GUESS_COST = 4;
/** The costs of a split and of a level, in visits of an edge. */
const SPLIT_COST = 4;
const LEVEL_COST = 40;

/** Quick tries, and guesses while cells differ, are given up when failures outnumber answers by this much. */
const QUICK_CREDIT = 8;
const GUESS_CREDIT = 32;

/** At most this many remaining vertices are tried without signatures. */
const FEW_ATTEMPTS = 8;

/** Signatures cover this many splits at first. */
const SIGNATURE_SPLITS = 128;
/** If that is too few, the number of splits is multiplied by this. */
const SIGNATURE_GROWTH = 4;

const NO_VERTICES: Int32Array = new Int32Array(0);

export function searchAutomorphisms(graph: ColoredGraph, options: TreeSearchOptions, scratch: Scratch): SearchOutcome {
    return new SearchTree(graph, options, scratch).search();
}

/** Level i is the i-th node, 0 the root; `base[i]` is individualized in `targets[i]` to get to level i + 1. */
class FirstPath {
    readonly base: number[] = [];
    readonly targets: number[] = [];
    /** `splitsAt[i]` and `traceAt[i]` are the numbers of splits and of trace events at level i. */
    readonly splitsAt: number[] = [];
    readonly traceAt: number[] = [];
    /** `stepsAt[i]` is the number of recorded steps at level i, and `stepEdgesAt[i]` that of the edges seen in them. */
    readonly stepsAt: number[] = [];
    readonly stepEdgesAt: number[] = [];
    /** `representativesAt[i]` has one vertex of each orbit in `targets[i]`, once level i is finished. */
    readonly representativesAt: (readonly number[])[] = [];
    /** `rootCellOf[v]` is the cell of v at the root. */
    rootCellOf = NO_VERTICES;
    /** `orbitLengths[i]` is the orbit length of `base[i]`; right once level i is finished. */
    readonly orbitLengths: number[] = [];
    leaf: PartitionLeaf = { elements: NO_VERTICES, position: NO_VERTICES };
    /** `fixedAt[v]` says how early v became a singleton on the first path. */
    fixedAt = NO_VERTICES;
}

/** The signatures of vertices in the target cells of the first path, and their cost. */
class Signatures {
    /** `knownAt[i]` are the signatures of the representatives at level i, if computed. */
    readonly knownAt: (ReadonlySet<number> | undefined)[] = [];
    /** `splitsAt[i]` is the number of splits that they cover, if not SIGNATURE_SPLITS. */
    readonly splitsAt: number[] = [];
    /** `edgesLearning[i]` is the number of edges visited to compute them. */
    readonly edgesLearning: number[] = [];
    /** How many edges were visited for all signatures. */
    edgesSigned = 0;
    /** `failuresAt[i]` counts how often the first of many vertices at level i was not right. */
    readonly failuresAt: number[] = [];
}

/**
 * The search goes down the first path until every cell is a singleton, and back up. At each node with base point b and
 * for every other vertex w of the target cell, it searches an automorphism that fixes the earlier base points and maps
 * b to w. If none is known, w is individualized instead of b, and the search follows the first path with the same
 * target cells and the same trace. It saves work in four ways:
 *
 *  - It guesses an automorphism before a leaf (completion.ts), and the certificate decides. If all cells of two or more
 *    vertices are the same sets as on the first path, it maps singletons in order and fixes the rest; this rarely fails
 *    and keeps generators sparse [Darga2008]. While cells differ, it guesses 1, 2, 4, … levels below the node if cheap.
 *  - It tries few vertices of a target cell. An automorphism maps the orbit of the base point, which is known, into the
 *    cell; so among any |cell| - |orbit| + 1 vertices one is right, or none is. A child without the signature of a
 *    child on the first path excludes the whole cell [McKayPiperno2014, §4.3].
 *  - A quick try repeats only the effective refinement steps of the first path. It may overlook a conflict; before a
 *    choice that might be avoidable, a thorough try with all steps begins from the start.
 *  - It copies no partitions: the first path is held as its leaf alone (see OrderedPartition).
 */
class SearchTree {
    readonly #options: TreeSearchOptions;
    readonly #partition: OrderedPartition;
    readonly #refiner: Refiner;
    readonly #counts: SearchCounts = { treeNodes: 0, refinements: 0, leaves: 0, certifications: 0, badLeaves: 0 };

    readonly #path = new FirstPath();
    readonly #signatures = new Signatures();
    /** The state of the pseudorandom choice of vertices. */
    #drawCount = 0;
    /** The level of which the last try lacked signatures, or -1. */
    #wantedLevel = -1;
    /** `#choices[i]` belongs to level i of the path being tried now. */
    readonly #choices: Choice[] = [];
    /** Whether only recorded steps are repeated. */
    #isQuick = true;
    /** QUICK_CREDIT plus answers minus failures of quick tries. At 0 there are no more quick tries. */
    #quickCredit = QUICK_CREDIT;
    /** The same for guesses while cells differ. */
    #guessCredit = GUESS_CREDIT;
    // Created for the first guess.
    #completion: Completion | undefined;
    #reading: PermutationReader | undefined;
    readonly #graph: ColoredGraph;
    readonly #scratch: Scratch;
    readonly #averageDegree: number;

    constructor(graph: ColoredGraph, options: TreeSearchOptions, scratch: Scratch) {
        this.#graph = graph;
        this.#scratch = scratch;
        this.#options = options;
        this.#partition = new OrderedPartition(graph, scratch);
        this.#refiner = new Refiner(graph, this.#partition, scratch);
        this.#averageDegree = (2 * graph.edgeCount) / Math.max(1, graph.vertexCount) + 1;
    }

    search(): SearchOutcome {
        if (!this.#descend()) {
            // No level is finished: only the known automorphisms are left.
            return this.#outcome([...this.#options.known.keys()], false);
        }
        if (this.#path.base.length === 0) {
            // The group is trivial.
            return this.#outcome([], true);
        }
        const knownAt = this.#sortKnownByLevel();
        this.#path.fixedAt = this.#orderOfFixing();
        const orbits = new OrbitPartition(this.#partition, this.#path.fixedAt, this.#soughtVertices(), this.#scratch);
        const usedKnown: number[] = [];
        this.#path.leaf = this.#partition.copyOfLeaf(this.#scratch);
        let complete = true;
        for (let level = this.#path.base.length - 1; level >= 0; level--) {
            this.#ascend(level, orbits);
            const redundant: number[] = [];
            for (const index of knownAt[level] ?? []) {
                (orbits.uniteAll(this.#options.known[index]) ? usedKnown : redundant).push(index);
            }
            complete &&= this.#finishLevel(level, orbits);
            if (!complete) {
                // The generators of an unfinished level may not generate the redundant ones.
                redundant.forEach(index => usedKnown.push(index));
            }
            this.#path.orbitLengths[level] = orbits.orbitLength(this.#path.base[level]);
            this.#path.representativesAt[level] = orbits.representativesIn(this.#path.targets[level]);
        }
        return this.#outcome(usedKnown, complete);
    }

    #outcome(usedKnown: readonly number[], complete: boolean): SearchOutcome {
        return {
            usedKnown,
            base: this.#path.base,
            orbitLengths: this.#path.orbitLengths,
            complete,
            counts: this.#counts,
        };
    }

    /** Goes down the first path, recording it. False when the work limit was reached on the way. */
    #descend(): boolean {
        const partition = this.#partition;
        const refiner = this.#refiner;
        const { workLimit, preferredVertices } = this.#options;
        const targetCells = new TargetCells(this.#graph, partition, preferredVertices, this.#scratch);
        refiner.enqueueAllCells();
        this.#counts.treeNodes++;
        this.#counts.refinements++;
        if (refiner.refine(workLimit) === 'stopped') {
            return false;
        }
        targetCells.pushAllCells();
        for (;;) {
            const splitCount = partition.splitCount;
            this.#path.splitsAt.push(splitCount);
            this.#path.traceAt.push(refiner.trace.length);
            this.#path.stepsAt.push(refiner.trace.stepCount);
            this.#path.stepEdgesAt.push(refiner.trace.stepEdges);
            if (partition.cellCount === partition.vertexCount) {
                return true;
            }
            if (this.#path.base.length === 0) {
                this.#path.rootCellOf = this.#scratch.integers(partition.vertexCount);
                this.#path.rootCellOf.set(partition.cellOf);
            }
            const target = targetCells.choose();
            const vertex = partition.elements[target + partition.cellLength[target] - 1];
            this.#path.base.push(vertex);
            this.#path.targets.push(target);
            this.#path.orbitLengths.push(1);
            this.#counts.treeNodes++;
            refiner.individualize(vertex);
            this.#counts.refinements++;
            if (refiner.refine(workLimit) === 'stopped') {
                return false;
            }
            targetCells.pushSplitCells(splitCount);
        }
    }

    /**
     * By vertex: how early it became a singleton on the way to the leaf; -1 for singletons of the root. A base point
     * precedes the vertices that became singletons just before it was chosen.
     */
    #orderOfFixing(): Int32Array {
        const { vertexCount, elements, splitStart, splitParent, splitCount } = this.#partition;
        const order = this.#scratch.integers(vertexCount).fill(-1);
        // Backwards, the first split with a position is the one that made it a singleton.
        for (let i = splitCount - 1; i >= 0; i--) {
            const newcomer = elements[splitStart[i]];
            const remainder = elements[splitParent[i]];
            if (order[newcomer] < 0) {
                order[newcomer] = 2 * i + 1;
            }
            if (order[remainder] < 0) {
                order[remainder] = 2 * i + 2;
            }
        }
        for (let level = 1; level < this.#path.base.length; level++) {
            order[this.#path.base[level]] = 2 * this.#path.splitsAt[level - 1];
        }
        return order;
    }

    /** 1 for each vertex that shares a cell of the root with a base point. */
    #soughtVertices(): Uint8Array {
        const { vertexCount } = this.#graph;
        const rootCellOf = this.#path.rootCellOf;
        const hasBasePoint = this.#scratch.bytes(vertexCount);
        for (const vertex of this.#path.base) {
            hasBasePoint[rootCellOf[vertex]] = 1;
        }
        const isSought = this.#scratch.bytes(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            isSought[vertex] = hasBasePoint[rootCellOf[vertex]];
        }
        return isSought;
    }

    /** The indices of the known automorphisms by the first level whose base point they move. */
    #sortKnownByLevel(): number[][] {
        const knownAt: number[][] = [];
        if (this.#options.known.length === 0) {
            return knownAt;
        }
        const levelOfBasePoint = new Map(this.#path.base.map((vertex, level) => [vertex, level]));
        this.#options.known.forEach(({ points }, index) => {
            let level = this.#path.base.length;
            for (const point of points) {
                level = Math.min(level, levelOfBasePoint.get(point) ?? level);
            }
            invariant(level < this.#path.base.length || points.length === 0, 'only the identity fixes the base');
            (knownAt[level] ??= []).push(index);
        });
        return knownAt;
    }

    /** Goes back up the first path to `level`. */
    #ascend(level: number, orbits: OrbitPartition): void {
        const partition = this.#partition;
        for (let i = partition.splitCount - 1; i >= this.#path.splitsAt[level]; i--) {
            orbits.mergeCells(partition.splitParent[i], partition.splitStart[i]);
        }
        partition.undoTo(this.#path.splitsAt[level]);
    }

    /** Finds automorphisms that generate the orbit of the base point of `level`. False at the work limit. */
    #finishLevel(level: number, orbits: OrbitPartition): boolean {
        const basePoint = this.#path.base[level];
        for (const vertex of orbits.representativesIn(this.#path.targets[level])) {
            if (orbits.find(vertex) !== vertex || orbits.find(basePoint) === vertex) {
                continue;
            }
            if (this.#options.workLimit.isExhausted()) {
                return false;
            }
            const found = this.#searchImage(level, vertex);
            if (found === 'stopped') {
                return false;
            }
            if (found !== undefined) {
                orbits.uniteAll(found);
            }
        }
        return true;
    }

    /**
     * An automorphism that fixes the base points before `level` and maps that of `level` to `image`; undefined if there
     * is none. The partition is at `level` of the first path, before and after.
     */
    #searchImage(level: number, image: number): SparsePermutation | undefined | 'stopped' {
        // After the last refinement, all cells are singletons.
        this.#partition.watch(this.#path.leaf, this.#path.splitsAt[this.#path.base.length - 1]);
        let found: SparsePermutation | undefined | 'stopped' | 'unknown' = 'unknown';
        if (this.#quickCredit > 0) {
            this.#isQuick = true;
            found = this.#tryImage(level, image);
            this.#quickCredit += found === 'unknown' ? -1 : 1;
        }
        this.#isQuick = false;
        while (found === 'unknown') {
            this.#wantedLevel = -1;
            found = this.#tryImage(level, image);
            if (found === 'unknown') {
                invariant(this.#wantedLevel > level, 'a thorough try has an answer, or lacks signatures');
                found = this.#learnSignatures(this.#wantedLevel, level) ? 'unknown' : 'stopped';
            }
        }
        this.#partition.unwatch();
        return found;
    }

    /** The same, but a quick try may have no answer. */
    #tryImage(level: number, image: number): SparsePermutation | undefined | 'stopped' | 'unknown' {
        const partition = this.#partition;
        const depth = this.#path.base.length;
        this.#choices[level] = { attemptsLeft: 1, first: image, others: NO_VERTICES, nextOther: 0, edgesBefore: 0 };
        let current = level;
        let vertex = image;
        let found: SparsePermutation | undefined | 'stopped' | 'unknown';
        const edgesBefore = this.#refiner.edgesSeen;
        /** How far below `level` is the next guess while cells differ. */
        let nextGuess = 1;
        for (;;) {
            const outcome = this.#individualizeInStep(current, vertex);
            if (outcome === 'stopped') {
                found = 'stopped';
                break;
            }
            if (outcome === 'equitable') {
                const distance = current + 1 - level;
                if (
                    current + 1 === depth ||
                    partition.differentCells === 0 ||
                    (distance === nextGuess && this.#guessCredit > 0 && this.#isGuessCheap(current + 1))
                ) {
                    found = this.#acceptedGuess(level, this.#refiner.edgesSeen - edgesBefore);
                    if (found !== undefined) {
                        this.#guessCredit++;
                        break;
                    }
                    this.#guessCredit = Math.max(0, this.#guessCredit - 1);
                }
                if (distance === nextGuess) {
                    nextGuess *= 2;
                }
                if (current + 1 < depth) {
                    current++;
                    vertex = this.#firstChoice(current);
                    continue;
                }
            }
            // The vertex has failed: go up to the next node with a vertex left.
            vertex = -1;
            while (vertex < 0 && current >= level) {
                partition.undoTo(this.#path.splitsAt[current]);
                vertex = this.#nextChoice(current);
                if (vertex < 0) {
                    current--;
                }
            }
            if (vertex < 0) {
                break;
            }
            if (this.#isQuick || this.#wantedLevel >= 0) {
                found = 'unknown';
                break;
            }
        }
        partition.undoTo(this.#path.splitsAt[level]);
        return found;
    }

    /** Whether a guess at `level` may cost less than the rest of the path. A thorough try always guesses. */
    #isGuessCheap(level: number): boolean {
        const depth = this.#path.base.length;
        const restOfPath =
            this.#path.stepEdgesAt[depth] -
            this.#path.stepEdgesAt[level] +
            SPLIT_COST * (this.#path.splitsAt[depth] - this.#path.splitsAt[level]) +
            LEVEL_COST * (depth - level);
        return !this.#isQuick || GUESS_COST * this.#partition.differentVertices * this.#averageDegree < restOfPath;
    }

    /** Individualizes `vertex` at `level` and refines, until a difference from the first path. */
    #individualizeInStep(level: number, vertex: number): 'equitable' | 'conflict' | 'stopped' {
        const refiner = this.#refiner;
        this.#counts.treeNodes++;
        this.#counts.refinements++;
        const { workLimit } = this.#options;
        if (this.#isQuick) {
            return refiner.repeat(vertex, this.#path.stepsAt[level], this.#path.stepsAt[level + 1], workLimit);
        }
        refiner.trace.compareFrom(this.#path.traceAt[level]);
        refiner.individualize(vertex);
        const outcome = refiner.refine(workLimit);
        if (outcome !== 'equitable') {
            return outcome;
        }
        const isInStep =
            refiner.trace.cursor === this.#path.traceAt[level + 1] &&
            this.#partition.splitCount === this.#path.splitsAt[level + 1];
        return isInStep ? 'equitable' : 'conflict';
    }

    /**
     * The vertex to try first at `level`: the base point, else the vertex at the position to which the base point
     * moved, else the vertex that the first path fixes earliest.
     */
    #firstChoice(level: number): number {
        const { elements, position, cellOf, cellLength } = this.#partition;
        const target = this.#path.targets[level];
        const basePoint = this.#path.base[level];
        let vertex = elements[target + cellLength[target] - 1];
        if (cellOf[basePoint] === target) {
            vertex = basePoint;
        } else if (cellLength[cellOf[basePoint]] === 1) {
            const partner = this.#path.leaf.elements[position[basePoint]];
            if (cellOf[partner] === target) {
                vertex = partner;
            }
        } else {
            for (let place = target; place < target + cellLength[target]; place++) {
                if (this.#path.fixedAt[elements[place]] < this.#path.fixedAt[vertex]) {
                    vertex = elements[place];
                }
            }
        }
        this.#choices[level] = {
            attemptsLeft: cellLength[target] - this.#path.orbitLengths[level] + 1,
            first: vertex,
            others: NO_VERTICES,
            nextOther: 0,
            edgesBefore: this.#edgesTried(),
        };
        return vertex;
    }

    /** The next vertex to try at `level`, which is that of the partition, or -1. */
    #nextChoice(level: number): number {
        const choice = this.#choices[level];
        if (--choice.attemptsLeft <= 0) {
            if (choice.nextOther > FEW_ATTEMPTS) {
                this.#lengthenSignatures(level, Infinity);
            }
            return -1;
        }
        // The signature of one vertex decides for all; only the first few are signed.
        if (
            choice.attemptsLeft > FEW_ATTEMPTS &&
            choice.nextOther <= FEW_ATTEMPTS &&
            this.#hasNewSignature(level, choice.nextOther === 0 ? choice.first : choice.others[choice.nextOther - 1])
        ) {
            return -1;
        }
        if (choice.nextOther === FEW_ATTEMPTS) {
            const edgesPerAttempt = (this.#edgesTried() - choice.edgesBefore) / (FEW_ATTEMPTS + 1);
            if (this.#lengthenSignatures(level, choice.attemptsLeft * edgesPerAttempt)) {
                this.#wantedLevel = level;
            }
        }
        if (choice.others.length === 0) {
            const { elements, cellLength } = this.#partition;
            const target = this.#path.targets[level];
            choice.others = elements.slice(target, target + cellLength[target]).filter(other => other !== choice.first);
        }
        return this.#takeOther(choice);
    }

    /** Takes a pseudorandom vertex, because adjacent vertices of the cell mostly fail together. */
    #takeOther(choice: Choice): number {
        const { others, nextOther } = choice;
        const place = nextOther + ((scrambled(++this.#drawCount) >>> 0) % (others.length - nextOther));
        const vertex = others[place];
        others[place] = others[nextOther];
        others[nextOther] = vertex;
        choice.nextOther++;
        return vertex;
    }

    /**
     * Computes the signatures of the target cell at `level` of the first path. The partition is at `here`, before and
     * after. False if the work limit was reached.
     */
    #learnSignatures(level: number, here: number): boolean {
        const { workLimit } = this.#options;
        const signatures = new Set<number>();
        let isLearned = true;
        for (let i = here; i < level && isLearned; i++) {
            isLearned =
                this.#refiner.repeat(
                    this.#path.base[i],
                    this.#path.stepsAt[i],
                    this.#path.stepsAt[i + 1],
                    workLimit,
                ) !== 'stopped';
        }
        const edgesBefore = this.#signatures.edgesSigned;
        for (const vertex of isLearned ? this.#path.representativesAt[level] : []) {
            const signature = this.#sign(level, vertex);
            if (signature === undefined) {
                isLearned = false;
                break;
            }
            signatures.add(signature);
        }
        this.#partition.undoTo(this.#path.splitsAt[here]);
        if (isLearned) {
            this.#signatures.edgesLearning[level] = this.#signatures.edgesSigned - edgesBefore;
            this.#signatures.knownAt[level] = signatures;
        }
        return isLearned;
    }

    /** Makes the signatures at `level` longer. False if they are complete, or would visit over `mostEdges` edges. */
    #lengthenSignatures(level: number, mostEdges: number): boolean {
        const splitCount = this.#signatures.splitsAt[level] ?? SIGNATURE_SPLITS;
        if (
            this.#signatures.knownAt[level] === undefined ||
            splitCount >= this.#partition.vertexCount ||
            SIGNATURE_GROWTH * this.#signatures.edgesLearning[level] > mostEdges
        ) {
            return false;
        }
        this.#signatures.splitsAt[level] = SIGNATURE_GROWTH * splitCount;
        this.#signatures.knownAt[level] = undefined;
        return true;
    }

    /** The number of edges visited, without those for signatures. */
    #edgesTried(): number {
        return this.#refiner.edgesSeen - this.#signatures.edgesSigned;
    }

    /** The signature of `vertex` at `level`, which is that of the partition; undefined at the work limit. */
    #sign(level: number, vertex: number): number | undefined {
        this.#counts.refinements++;
        const { edgesSeen } = this.#refiner;
        const splitCount = this.#signatures.splitsAt[level] ?? SIGNATURE_SPLITS;
        const signature = this.#refiner.sign(vertex, splitCount, this.#options.workLimit);
        this.#signatures.edgesSigned += this.#refiner.edgesSeen - edgesSeen;
        this.#partition.undoTo(this.#path.splitsAt[level]);
        return signature;
    }

    /** Whether no vertex of the target cell on the first path has the signature of `vertex`. Then all vertices fail. */
    #hasNewSignature(level: number, vertex: number): boolean {
        const signatures = this.#signatures.knownAt[level];
        if (signatures === undefined) {
            if (this.#isQuick) {
                return false;
            }
            this.#signatures.failuresAt[level] = (this.#signatures.failuresAt[level] ?? 0) + 1;
            if (this.#signatures.failuresAt[level] > 1) {
                this.#wantedLevel = level;
            }
            return false;
        }
        const signature = this.#sign(level, vertex);
        return signature !== undefined && !signatures.has(signature);
    }

    #guess(level: number, edgesSeen: number): SparsePermutation | undefined {
        const { differentCells, differentVertices } = this.#partition;
        if (differentCells === 0) {
            this.#reading ??= new PermutationReader(this.#partition, this.#scratch);
            return this.#reading.read(this.#path.splitsAt[level]);
        }
        this.#completion ??= new Completion(this.#graph, this.#partition, this.#scratch);
        const effort = edgesSeen + differentVertices * this.#averageDegree;
        return this.#completion.guess(this.#path.splitsAt[level], GUESS_EFFORT * effort);
    }

    /** An automorphism guessed from the present partition; the paths diverge at `level`. */
    #acceptedGuess(level: number, edgesSeen: number): SparsePermutation | undefined | 'stopped' {
        const permutation = this.#guess(level, edgesSeen);
        if (permutation === undefined) {
            return undefined;
        }
        if (this.#options.workLimit.isExhausted()) {
            return 'stopped';
        }
        this.#counts.leaves++;
        this.#counts.certifications++;
        if (this.#options.accept(permutation)) {
            return permutation;
        }
        this.#counts.badLeaves++;
        return undefined;
    }
}
