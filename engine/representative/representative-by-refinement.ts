/**
 * Representatives under a product of symmetric groups whose elements may refer to each other.
 *
 * Elements are ordered first by what the state says of each alone, then by hashes of the classes of related elements, until
 * no class splits. Of a class that is left each element is tried as the first, unless an exchange with another, and of what
 * is related to the one with what is related to the other, leaves the state as it is. The representative is the least image
 * under the orders so reached. [McKayPiperno2014]
 */
import type { LiteralAction } from '../group/literal-action.js';
import { compareContents } from './local-search.js';
import { MEANING_STEP, orderPlan, scramble, UNORDERED_STEP } from './order-plan.js';
import type { FactorCanonicalizer, SearchEffort } from './strategy.js';
import type { RepresentativePlan } from './representative-plan.js';
import { LABELING_NUMBER, PointTables, StateFacts } from './state-facts.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { MAXIMAL_ARITY, pointPermutation, type SymmetricAction } from '../group/symmetric-action.js';

/** `effort.workPerState` bounds the facts looked at for one state. */
export function createRefinementCanonicalizer(
    action: LiteralAction,
    symmetric: SymmetricAction,
    effort: SearchEffort,
): FactorCanonicalizer {
    const search = new OrderSearch(action, symmetric, effort);
    let plan: { readonly made: RepresentativePlan | undefined } | undefined;
    return {
        strategy: 'refine',
        unique: true,
        canonicalizeInto(target, contents): boolean {
            return search.run(target, contents);
        },
        transformation(contents): SparsePermutation | undefined {
            const isDecided = search.run(new Int32Array(contents.length), contents);
            return isDecided ? pointPermutation(symmetric, search.bestPosition, action.pointCount) : undefined;
        },
        plan(): RepresentativePlan | undefined {
            plan ??= { made: orderPlan(action, symmetric) };
            return plan.made;
        },
    };
}

/** Arrays for one search after another; `run` allocates only if it has to branch. */
class OrderSearch {
    /** `bestPosition[element]` is the element that it is mapped onto. Valid after a run that decided. */
    readonly bestPosition: Int32Array;
    readonly #tables: PointTables;
    readonly #facts: StateFacts;
    readonly #classes: ElementClasses;
    readonly #familyOfElement: Int32Array;
    readonly #effort: SearchEffort;
    /** `key[element]`: what its relations say of its class. */
    readonly #key: Int32Array;
    readonly #position: Int32Array;
    readonly #image: Int32Array;
    readonly #best: Int32Array;
    #hasBest = false;
    /** The elements tried first on the way to the present node, and to the best image. */
    readonly #path: number[] = [];
    #bestPath: number[] = [];
    #work = 0;
    /** Whether more than the keys was needed to put the elements in order. */
    #hasSearched = false;

    constructor(action: LiteralAction, symmetric: SymmetricAction, effort: SearchEffort) {
        const { elementCount } = symmetric;
        const cellCount = action.cells.length;
        this.#tables = new PointTables(action, symmetric);
        this.#facts = new StateFacts(this.#tables, cellCount, elementCount);
        this.#classes = new ElementClasses(elementCount);
        this.#familyOfElement = symmetric.familyOfElement;
        this.#effort = effort;
        this.#key = new Int32Array(elementCount);
        this.#position = new Int32Array(elementCount);
        this.bestPosition = new Int32Array(elementCount);
        this.#image = new Int32Array(cellCount);
        this.#best = new Int32Array(cellCount);
    }

    /** Writes the representative into `target`; false, and the state itself, if the work exceeds the budget. */
    run(target: Int32Array, contents: Readonly<Int32Array>): boolean {
        const { meter, workPerState } = this.#effort;
        this.#hasBest = false;
        this.#path.length = 0;
        this.#work = 0;
        this.#hasSearched = false;
        this.#facts.collect(contents);
        this.#classes.start(this.#familyOfElement, this.#facts);
        this.#refine();
        this.#explore();
        meter.steps += this.#spent() + 2 * contents.length + 4 * this.#key.length;
        meter.searches += this.#hasSearched ? 1 : 0;
        if (this.#spent() > workPerState) {
            target.set(contents);
            return false;
        }
        target.set(this.#best);
        return true;
    }

    #spent(): number {
        return this.#work + this.#facts.looked;
    }

    /** Splits classes by the classes of related elements until that changes nothing. */
    #refine(): void {
        const { firstWide, count, points } = this.#facts;
        if (firstWide === count) {
            return;
        }
        let isSplit: boolean;
        do {
            this.#key.fill(0);
            for (let fact = firstWide; fact < count; fact++) {
                this.#addRelation(points[fact]);
            }
            this.#work += count - firstWide + this.#key.length;
            isSplit = this.#classes.split(this.#key);
            this.#hasSearched ||= isSplit;
        } while (isSplit);
    }

    /** Tells each element of the fact the classes of the others. */
    #addRelation(point: number): void {
        const { labels, arityOfPoint, meaningOfPoint, labelingOfPoint } = this.#tables;
        const { classStart } = this.#classes;
        const key = this.#key;
        const arity = arityOfPoint[point];
        const meaning = meaningOfPoint[point];
        const first = point * MAXIMAL_ARITY;
        if (labelingOfPoint[point] === LABELING_NUMBER.unordered) {
            let all = 0;
            for (let role = 0; role < arity; role++) {
                all = (all + scramble(classStart[labels[first + role]] + UNORDERED_STEP)) | 0;
            }
            for (let role = 0; role < arity; role++) {
                const element = labels[first + role];
                key[element] = (key[element] + scramble(meaning ^ all)) | 0;
            }
            return;
        }
        let all = meaning;
        for (let role = 0; role < arity; role++) {
            all = scramble(all + classStart[labels[first + role]] + MEANING_STEP);
        }
        for (let role = 0; role < arity; role++) {
            const element = labels[first + role];
            key[element] = (key[element] + scramble(all + role)) | 0;
        }
    }

    /**
     * Goes through the complete orders below the present classes. Returns the length of the path to return to: the
     * length of the present one, or less if an image was met again and the branch adds nothing.
     */
    #explore(): number {
        const classes = this.#classes;
        const depth = this.#path.length;
        if (this.#spent() > this.#effort.workPerState) {
            return depth;
        }
        this.#effort.workLimit.isExhausted();
        let start = 0;
        for (; start < this.#key.length && this.#areAllTwins(start); start = classes.classEnd[start]) {
            classes.separate(start);
        }
        if (start >= this.#key.length) {
            return this.#leaf();
        }
        const firsts = this.#distinctFirsts(start);
        const before = firsts.length > 1 ? classes.copy() : undefined;
        this.#hasSearched ||= before !== undefined;
        for (let i = 0; i < firsts.length; i++) {
            if (i > 0 && before !== undefined) {
                classes.set(before);
            }
            classes.putFirst(start, firsts[i]);
            this.#refine();
            this.#path.push(firsts[i]);
            const back = this.#explore();
            this.#path.pop();
            if (back < depth) {
                return back;
            }
        }
        return depth;
    }

    #areAllTwins(start: number): boolean {
        const { order, classEnd } = this.#classes;
        for (let i = start + 1; i < classEnd[start]; i++) {
            if (!this.#facts.areTwins(order[i - 1], order[i])) {
                return false;
            }
        }
        return true;
    }

    /** One element of each set of elements of the class whose exchange, with that of others, does not change the state. */
    #distinctFirsts(start: number): number[] {
        const { order, classStart, classEnd } = this.#classes;
        const firsts: number[] = [];
        for (let i = start; i < classEnd[start]; i++) {
            if (!firsts.some(first => this.#facts.areAlike(first, order[i], classStart))) {
                firsts.push(order[i]);
            }
        }
        return firsts;
    }

    /** Compares the image under the present order with the best so far. Returns as `explore` does. */
    #leaf(): number {
        const { order } = this.#classes;
        for (let i = 0; i < order.length; i++) {
            this.#position[order[i]] = i;
        }
        this.#makeImage();
        this.#work += this.#image.length;
        const difference = this.#hasBest ? compareContents(this.#image, this.#best) : -1;
        if (difference < 0) {
            this.#hasBest = true;
            this.#best.set(this.#image);
            this.bestPosition.set(this.#position);
            this.#bestPath = this.#path.slice();
        } else if (difference === 0) {
            let common = 0;
            while (this.#path[common] === this.#bestPath[common] && common < this.#path.length) {
                common++;
            }
            return common;
        }
        return this.#path.length;
    }

    #makeImage(): void {
        const { firstPoint, cellOfPoint, arityOfPoint, labels, tableOfPoint, strides, shiftOfPoint } = this.#tables;
        const { contents } = this.#facts;
        const image = this.#image;
        const position = this.#position;
        for (let cell = 0; cell < contents.length; cell++) {
            const point = firstPoint[cell] + contents[cell];
            const arity = arityOfPoint[point];
            if (arity === 0) {
                image[cell] = contents[cell];
                continue;
            }
            const first = point * MAXIMAL_ARITY;
            let index = shiftOfPoint[point];
            for (let role = 0; role < arity; role++) {
                index += position[labels[first + role]] * strides[first + role];
            }
            const imagePoint = tableOfPoint[point]![index];
            const imageCell = cellOfPoint[imagePoint];
            image[imageCell] = imagePoint - firstPoint[imageCell];
        }
    }
}

/** The elements in their order so far; elements of one class are neighbors. Each array has one entry for each element. */
class ElementClasses {
    readonly order: Int32Array;
    /** `classStart[element]`: the position at which the element's class starts. It is the class's name. */
    readonly classStart: Int32Array;
    /** `classEnd[start]`: the position behind the class that starts there. */
    readonly classEnd: Int32Array;

    constructor(elementCount: number) {
        this.order = new Int32Array(elementCount);
        this.classStart = new Int32Array(elementCount);
        this.classEnd = new Int32Array(elementCount);
    }

    copy(): ElementClasses {
        const copy = new ElementClasses(this.order.length);
        copy.set(this);
        return copy;
    }

    set({ order, classStart, classEnd }: ElementClasses): void {
        this.order.set(order);
        this.classStart.set(classStart);
        this.classEnd.set(classEnd);
    }

    /** One class for each family and key of its elements. */
    start(familyOfElement: Int32Array, facts: StateFacts): void {
        const { order, classStart, classEnd } = this;
        for (let element = 0; element < order.length; element++) {
            order[element] = element;
        }
        // Elements are numbered family by family.
        for (let start = 0; start < order.length;) {
            let end = start + 1;
            while (end < order.length && familyOfElement[end] === familyOfElement[start]) {
                end++;
            }
            sortBy((a, b) => facts.compareOwnKeys(a, b), order, start, end);
            let partStart = start;
            for (let i = start; i < end; i++) {
                if (i > start && facts.compareOwnKeys(order[i - 1], order[i]) !== 0) {
                    classEnd[partStart] = i;
                    partStart = i;
                }
                classStart[order[i]] = partStart;
            }
            classEnd[partStart] = end;
            start = end;
        }
    }

    /** Sorts each class by the keys and splits it if they differ. True if some class was split. */
    split(key: Int32Array): boolean {
        const { order, classStart, classEnd } = this;
        let isSplit = false;
        for (let start = 0; start < order.length;) {
            const end = classEnd[start];
            if (end - start > 1) {
                sortBy((a, b) => key[a] - key[b], order, start, end);
                let partStart = start;
                for (let i = start + 1; i < end; i++) {
                    if (key[order[i]] !== key[order[i - 1]]) {
                        classEnd[partStart] = i;
                        partStart = i;
                        isSplit = true;
                    }
                    classStart[order[i]] = partStart;
                }
                classEnd[partStart] = end;
            }
            start = end;
        }
        return isSplit;
    }

    /** Makes each element of the class a class of its own, in the order in which they stand. */
    separate(start: number): void {
        const end = this.classEnd[start];
        for (let i = start; i < end; i++) {
            this.classStart[this.order[i]] = i;
            this.classEnd[i] = i + 1;
        }
    }

    /** Makes `element` a class of its own in front of the rest of its class. */
    putFirst(start: number, element: number): void {
        const { order, classStart, classEnd } = this;
        const end = classEnd[start];
        order[order.indexOf(element, start)] = order[start];
        order[start] = element;
        classEnd[start] = start + 1;
        classEnd[start + 1] = end;
        for (let j = start + 1; j < end; j++) {
            classStart[order[j]] = start + 1;
        }
    }
}

/** Sorts order[start … end - 1]; of equals the first stays first. Most classes are short. */
function sortBy(compare: (a: number, b: number) => number, order: Int32Array, start: number, end: number): void {
    if (end - start > 32) {
        order.subarray(start, end).sort(compare);
        return;
    }
    for (let i = start + 1; i < end; i++) {
        const element = order[i];
        let j = i - 1;
        while (j >= start && compare(order[j], element) > 0) {
            order[j + 1] = order[j];
            j--;
        }
        order[j + 1] = element;
    }
}

/*
 * Nothing in this depends on the numbers of the elements, so states of one orbit reach the same images. A collision of
 * hashes costs time, never correctness, since images are compared. As in [McKayPiperno2014], an image met twice shows a
 * symmetry of the state, and the search returns to the branch at which the two paths part.
 */
