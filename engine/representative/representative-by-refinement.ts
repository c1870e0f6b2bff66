/**
 * Representatives under a product of symmetric groups whose elements may refer to each other.
 *
 * A state says something of each element (`pc[2] = 1`, `turn[1] = 2`) and of how elements relate (`next[1] = 2`). We
 * order the elements by what it says: first by what is said of an element alone (element-keys.ts), then again and again
 * by a hash of the classes of the elements it is related to, until no class splits. Elements that still share a class are
 * told apart by trying each as the first, unless exchanging them leaves the state as it is. Every complete order is a
 * permutation of the elements; the representative is the least image of the state under the permutations so reached.
 *
 * Nothing in this depends on the numbers of the elements, so states of one orbit reach the same images. A collision of
 * hashes costs time, never correctness: what decides is the comparison of images. [McKayPiperno2014] do the same for
 * graphs; as there, an image met twice shows a symmetry of the state and ends the search at the branch where the two
 * paths part.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { keyColumns } from './element-keys.js';
import type { LiteralAction } from '../group/literal-action.js';
import { ownedCells } from './owned-cells.js';
import { MEANING_STEP, scramble, UNORDERED_STEP } from './relation-hash.js';
import type { FactorCanonicalizer, SearchEffort, WorkMeter } from './representative.js';
import type { RelationCell, RepresentativePlan } from './representative-plan.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { MAXIMAL_ARITY, pointPermutation, type SymmetricAction } from '../group/symmetric-action.js';

/** `effort.workPerState` bounds the facts looked at for one state. */
export function createRefinementCanonicalizer(
    action: LiteralAction,
    symmetric: SymmetricAction,
    effort: SearchEffort,
): FactorCanonicalizer {
    const search = new OrderSearch(action, symmetric, effort);
    // Whoever chooses a strategy asks for it, and so does who writes code.
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

function orderPlan(action: LiteralAction, symmetric: SymmetricAction): RepresentativePlan | undefined {
    const cells = ownedCells(action, symmetric);
    return (
        cells && [
            {
                kind: 'order',
                firstElement: symmetric.firstElement,
                columns: keyColumns(action, symmetric),
                cells,
                relations: relationCells(action, symmetric),
                isComplete: !hasRelations(action, symmetric),
            },
        ]
    );
}

/** Whether something can be said of several elements together: only then is their order more than one by their keys. */
export function hasRelations({ pointCount }: LiteralAction, { kindOfPoint, kinds }: SymmetricAction): boolean {
    return kindOfPoint
        .subarray(0, pointCount)
        .some(kind => kind >= 0 && (kinds[kind].arity > 1 || kinds[kind].labeling === 'ambiguous'));
}

/** What the cells say of several elements together. */
function relationCells(action: LiteralAction, symmetric: SymmetricAction): readonly RelationCell[] {
    const { firstPoint } = action;
    const { kinds, kindOfPoint, labels } = symmetric;
    return Array.from(action.cells, (_, cell): RelationCell => {
        const held: number[] = [];
        const said: RelationCell['said'][number][] = [];
        for (let point = firstPoint[cell]; point < firstPoint[cell + 1]; point++) {
            const kind = kindOfPoint[point];
            if (kind >= 0 && kinds[kind].arity > 1 && kinds[kind].labeling !== 'ambiguous') {
                const { arity, labeling } = kinds[kind];
                const first = point * MAXIMAL_ARITY;
                held.push(point - firstPoint[cell]);
                said.push({
                    meaning: meaningOf(kind),
                    elements: Array.from(labels.subarray(first, first + arity)),
                    isUnordered: labeling === 'unordered',
                });
            }
        }
        return { cell, held: Int32Array.from(held), said };
    }).filter(({ held }) => held.length > 0);
}

/** A number for what points of a kind say, whoever they say it of. */
function meaningOf(kind: number): number {
    return scramble(kind + 1);
}

const KEY_WORD_BITS = 30;
const LABELING_NUMBER = { ordered: 0, unordered: 1, ambiguous: 2 } as const;

/** Arrays for one search after another; `run` allocates only where it has to branch. */
class OrderSearch {
    /** `bestPosition[element]` is the element that it is mapped onto. Valid after a run that decided. */
    readonly bestPosition: Int32Array;

    private readonly cellCount: number;
    private readonly elementCount: number;
    private readonly workPerState: number;
    private readonly workLimit: WorkLimit;
    private readonly meter: WorkMeter;
    /** Whether more than the keys was needed to put the elements in order. */
    private hasSearched = false;
    private readonly firstPoint: Int32Array;
    private readonly cellOfPoint: Int32Array;
    private readonly labels: Int32Array;
    private readonly familyOfElement: Int32Array;
    /** The number of labels of each point; 0 for points that speak of no element. */
    private readonly arityOfPoint: Uint8Array;
    /** A number for what a point says, whoever it says it of. */
    private readonly meaningOfPoint: Int32Array;
    private readonly labelingOfPoint: Uint8Array;
    /** `tableOfPoint[point]`: the images of the points of its kind by labels. */
    private readonly tableOfPoint: (Int32Array | undefined)[];
    /** `strides[point * MAXIMAL_ARITY + role]` and `shiftOfPoint[point]` say where in the table. */
    private readonly strides: Int32Array;
    private readonly shiftOfPoint: Int32Array;

    private contents: Readonly<Int32Array>;
    /** The points of the state with certain labels: the first `factCount`. Those with two and more labels come last. */
    private readonly facts: Int32Array;
    private factCount = 0;
    /** Points of the state with ambiguous labels. They are no facts, but exchanging twins must keep them too. */
    private readonly ambiguousFacts: Int32Array;
    private ambiguousCount = 0;
    private firstWideFact = 0;
    /** Linked lists of the facts about an element: `nextMention[mention]`, mention = fact index · MAXIMAL_ARITY + role. */
    private readonly firstMention: Int32Array;
    private readonly nextMention: Int32Array;
    /** The elements in their order so far; elements of one class are neighbors. */
    private readonly order: Int32Array;
    /** `classStart[element]`: the position at which the element's class starts. It is the class's name. */
    private readonly classStart: Int32Array;
    /** `classEnd[start]`: the position behind the class that starts there. */
    private readonly classEnd: Int32Array;
    private readonly key: Int32Array;
    /** What a point adds to the key of the element that it speaks of, and to which word of that; 0 if it adds nothing. */
    private readonly keyOfPoint: Int32Array;
    private readonly keyWordOfPoint: Int32Array;
    /** `ownKeys[element * keyWords + word]`: what is said of the element alone, the most important first. */
    private readonly ownKeys: Int32Array;
    private readonly keyWords: number;
    private readonly position: Int32Array;
    private readonly image: Int32Array;
    private readonly best: Int32Array;
    private hasBest = false;
    /** The elements tried first on the way to the present node, and to the best image. */
    private readonly path: number[] = [];
    private bestPath: number[] = [];
    private work = 0;

    constructor(action: LiteralAction, symmetric: SymmetricAction, { workPerState, workLimit, meter }: SearchEffort) {
        const { pointCount, firstPoint, cellOfPoint } = action;
        this.cellCount = action.cells.length;
        this.elementCount = symmetric.elementCount;
        this.workPerState = workPerState;
        this.workLimit = workLimit;
        this.meter = meter;
        this.firstPoint = firstPoint;
        this.cellOfPoint = cellOfPoint;
        this.labels = symmetric.labels;
        this.familyOfElement = symmetric.familyOfElement;
        this.arityOfPoint = new Uint8Array(pointCount);
        this.meaningOfPoint = new Int32Array(pointCount);
        this.labelingOfPoint = new Uint8Array(pointCount);
        this.ambiguousFacts = new Int32Array(this.cellCount);
        this.tableOfPoint = new Array<Int32Array | undefined>(pointCount).fill(undefined);
        this.strides = new Int32Array(pointCount * MAXIMAL_ARITY);
        this.shiftOfPoint = new Int32Array(pointCount);
        for (let point = 0; point < pointCount; point++) {
            const kind = symmetric.kindOfPoint[point];
            if (kind >= 0) {
                this.arityOfPoint[point] = symmetric.kinds[kind].arity;
                this.meaningOfPoint[point] = meaningOf(kind);
                this.labelingOfPoint[point] = LABELING_NUMBER[symmetric.kinds[kind].labeling];
                this.tableOfPoint[point] = symmetric.kinds[kind].pointOfLabels;
                this.strides.set(symmetric.kinds[kind].stride, point * MAXIMAL_ARITY);
                this.shiftOfPoint[point] = symmetric.kinds[kind].shift;
            }
        }
        this.contents = new Int32Array(this.cellCount);
        this.facts = new Int32Array(this.cellCount);
        this.firstMention = new Int32Array(this.elementCount);
        this.nextMention = new Int32Array(this.cellCount * MAXIMAL_ARITY);
        this.order = new Int32Array(this.elementCount);
        this.classStart = new Int32Array(this.elementCount);
        this.classEnd = new Int32Array(this.elementCount);
        this.key = new Int32Array(this.elementCount);
        const packed = packKeys(action, symmetric);
        this.keyOfPoint = packed.keyOfPoint;
        this.keyWordOfPoint = packed.keyWordOfPoint;
        this.keyWords = packed.keyWords;
        this.ownKeys = new Int32Array(this.elementCount * this.keyWords);
        this.position = new Int32Array(this.elementCount);
        this.bestPosition = new Int32Array(this.elementCount);
        this.image = new Int32Array(this.cellCount);
        this.best = new Int32Array(this.cellCount);
    }

    /** Writes the representative into `target`; false, and the state itself, when the work exceeds the budget. */
    run(target: Int32Array, contents: Readonly<Int32Array>): boolean {
        this.contents = contents;
        this.hasBest = false;
        this.path.length = 0;
        this.work = 0;
        this.hasSearched = false;
        this.collectFacts();
        this.orderByFamilyAndKey();
        this.refine();
        this.explore();
        this.meter.steps += this.work + 2 * this.cellCount + 4 * this.elementCount;
        this.meter.searches += this.hasSearched ? 1 : 0;
        if (this.work > this.workPerState) {
            target.set(contents);
            return false;
        }
        target.set(this.best);
        return true;
    }

    private collectFacts(): void {
        const { facts, labels, contents, firstPoint, firstMention, nextMention } = this;
        const { arityOfPoint, labelingOfPoint, ownKeys, keyWords, keyOfPoint, keyWordOfPoint } = this;
        ownKeys.fill(0);
        firstMention.fill(-1);
        this.ambiguousCount = 0;
        let unary = 0;
        let wide = this.cellCount;
        for (let cell = 0; cell < this.cellCount; cell++) {
            const point = firstPoint[cell] + contents[cell];
            const arity = arityOfPoint[point];
            if (labelingOfPoint[point] === LABELING_NUMBER.ambiguous) {
                this.ambiguousFacts[this.ambiguousCount++] = point;
            } else if (arity === 1) {
                ownKeys[labels[point * MAXIMAL_ARITY] * keyWords + keyWordOfPoint[point]] |= keyOfPoint[point];
                facts[unary++] = point;
            } else if (arity > 1) {
                facts[--wide] = point;
            }
        }
        this.firstWideFact = unary;
        const wideCount = this.cellCount - wide;
        facts.copyWithin(unary, wide);
        this.factCount = unary + wideCount;
        for (let fact = 0; fact < this.factCount; fact++) {
            const point = facts[fact];
            for (let role = 0; role < arityOfPoint[point]; role++) {
                const element = labels[point * MAXIMAL_ARITY + role];
                const mention = fact * MAXIMAL_ARITY + role;
                nextMention[mention] = firstMention[element];
                firstMention[element] = mention;
            }
        }
    }

    private orderByFamilyAndKey(): void {
        const { order, classStart, classEnd, familyOfElement, elementCount } = this;
        for (let element = 0; element < elementCount; element++) {
            order[element] = element;
        }
        // Elements are numbered family by family.
        for (let start = 0; start < elementCount;) {
            let end = start + 1;
            while (end < elementCount && familyOfElement[end] === familyOfElement[start]) {
                end++;
            }
            this.sortByOwnKeys(start, end);
            let partStart = start;
            for (let i = start; i < end; i++) {
                if (i > start && this.compareOwnKeys(order[i - 1], order[i]) !== 0) {
                    classEnd[partStart] = i;
                    partStart = i;
                }
                classStart[order[i]] = partStart;
            }
            classEnd[partStart] = end;
            start = end;
        }
    }

    /** Sorts order[start … end - 1]; of equals the first stays first. */
    private sortByOwnKeys(start: number, end: number): void {
        const { order } = this;
        if (end - start > 32) {
            order.subarray(start, end).sort((a, b) => this.compareOwnKeys(a, b) || a - b);
            return;
        }
        for (let i = start + 1; i < end; i++) {
            const element = order[i];
            let j = i - 1;
            while (j >= start && this.compareOwnKeys(order[j], element) > 0) {
                order[j + 1] = order[j];
                j--;
            }
            order[j + 1] = element;
        }
    }

    private compareOwnKeys(a: number, b: number): number {
        const { ownKeys, keyWords } = this;
        for (let x = a * keyWords, y = b * keyWords, end = x + keyWords; x < end; x++, y++) {
            if (ownKeys[x] !== ownKeys[y]) {
                return ownKeys[x] - ownKeys[y];
            }
        }
        return 0;
    }

    /** Splits classes by the classes of related elements until that changes nothing. */
    private refine(): void {
        if (this.firstWideFact === this.factCount) {
            return;
        }
        let isSplit: boolean;
        do {
            this.key.fill(0);
            for (let fact = this.firstWideFact; fact < this.factCount; fact++) {
                this.addRelation(this.facts[fact]);
            }
            this.work += this.factCount - this.firstWideFact + this.elementCount;
            isSplit = this.splitClasses();
            this.hasSearched ||= isSplit;
        } while (isSplit);
    }

    /** Tells each element of the fact the classes of the others. */
    private addRelation(point: number): void {
        const { labels, classStart, key } = this;
        const arity = this.arityOfPoint[point];
        const meaning = this.meaningOfPoint[point];
        const first = point * MAXIMAL_ARITY;
        if (this.labelingOfPoint[point] === LABELING_NUMBER.unordered) {
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

    /** Sorts each class by the keys and splits it where they differ. True if some class was split. */
    private splitClasses(): boolean {
        const { order, key, classStart, classEnd, elementCount } = this;
        let isSplit = false;
        for (let start = 0; start < elementCount;) {
            const end = classEnd[start];
            if (end - start > 1) {
                sortByKey(order, key, start, end);
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

    /**
     * Goes through the complete orders below the present classes. Returns the length of the path to return to: the
     * length of the present one, or less when an image was met again and the branch adds nothing.
     */
    private explore(): number {
        const depth = this.path.length;
        if (this.work > this.workPerState) {
            return depth;
        }
        this.workLimit.isExhausted();
        let start = 0;
        let firsts: number[] = [];
        for (; start < this.elementCount; start = this.classEnd[start]) {
            if (this.classEnd[start] - start > 1) {
                firsts = this.distinctFirsts(start);
                if (firsts.length > 1) {
                    break;
                }
                this.separate(start);
            }
        }
        if (start >= this.elementCount) {
            return this.leaf();
        }
        this.hasSearched = true;
        const order = this.order.slice();
        const classStart = this.classStart.slice();
        const classEnd = this.classEnd.slice();
        for (let i = 0; i < firsts.length; i++) {
            if (i > 0) {
                this.order.set(order);
                this.classStart.set(classStart);
                this.classEnd.set(classEnd);
            }
            this.putFirst(start, firsts[i]);
            this.refine();
            this.path.push(firsts[i]);
            const back = this.explore();
            this.path.pop();
            if (back < depth) {
                return back;
            }
        }
        return depth;
    }

    /** One element of each set of elements of the class that may be exchanged without changing the state. */
    private distinctFirsts(start: number): number[] {
        const firsts: number[] = [];
        for (let i = start; i < this.classEnd[start]; i++) {
            const element = this.order[i];
            let isNew = true;
            for (let j = 0; j < firsts.length && isNew; j++) {
                isNew = !this.areTwins(firsts[j], element);
            }
            if (isNew) {
                firsts.push(element);
            }
        }
        return firsts;
    }

    /** Whether exchanging the two elements leaves the state as it is. */
    private areTwins(a: number, b: number): boolean {
        for (let i = 0; i < this.ambiguousCount; i++) {
            if (!this.holdsAfterSwap(this.ambiguousFacts[i], a, b)) {
                return false;
            }
        }
        return this.staysUnderSwap(a, a, b) && this.staysUnderSwap(b, a, b);
    }

    /** Whether the facts about `element` hold after exchanging a and b. */
    private staysUnderSwap(element: number, a: number, b: number): boolean {
        for (let mention = this.firstMention[element]; mention >= 0; mention = this.nextMention[mention]) {
            this.work++;
            if (!this.holdsAfterSwap(this.facts[(mention / MAXIMAL_ARITY) | 0], a, b)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the state also holds the point that this point of the state becomes when a and b are exchanged. */
    private holdsAfterSwap(point: number, a: number, b: number): boolean {
        const { labels, strides, cellOfPoint } = this;
        const first = point * MAXIMAL_ARITY;
        let index = this.shiftOfPoint[point];
        for (let role = 0; role < this.arityOfPoint[point]; role++) {
            const label = labels[first + role];
            index += strides[first + role] * (label === a ? b : label === b ? a : label);
        }
        const image = this.tableOfPoint[point]![index];
        const cell = cellOfPoint[image];
        return this.firstPoint[cell] + this.contents[cell] === image;
    }

    /** Makes each element of the class a class of its own, in the order in which they stand. */
    private separate(start: number): void {
        const end = this.classEnd[start];
        for (let i = start; i < end; i++) {
            this.classStart[this.order[i]] = i;
            this.classEnd[i] = i + 1;
        }
    }

    /** Makes `element` a class of its own in front of the rest of its class. */
    private putFirst(start: number, element: number): void {
        const { order, classStart, classEnd } = this;
        const end = classEnd[start];
        let i = start;
        while (order[i] !== element) {
            i++;
        }
        order[i] = order[start];
        order[start] = element;
        classEnd[start] = start + 1;
        classEnd[start + 1] = end;
        for (let j = start + 1; j < end; j++) {
            classStart[order[j]] = start + 1;
        }
    }

    /** Compares the image under the present order with the best so far. Returns as `explore` does. */
    private leaf(): number {
        const { order, position, image, best } = this;
        for (let i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        this.imageInto(image);
        this.work += this.cellCount;
        const difference = this.hasBest ? firstDifference(image, best) : -1;
        if (difference < 0) {
            this.hasBest = true;
            best.set(image);
            this.bestPosition.set(position);
            this.bestPath = this.path.slice();
        } else if (difference === 0) {
            let common = 0;
            while (this.path[common] === this.bestPath[common] && common < this.path.length) {
                common++;
            }
            return common;
        }
        return this.path.length;
    }

    private imageInto(image: Int32Array): void {
        const { contents, firstPoint, cellOfPoint, arityOfPoint, labels, position } = this;
        const { tableOfPoint, strides, shiftOfPoint } = this;
        for (let cell = 0; cell < this.cellCount; cell++) {
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

/** Keys in words of 30 bits. */
function packKeys(
    action: LiteralAction,
    symmetric: SymmetricAction,
): { readonly keyOfPoint: Int32Array; readonly keyWordOfPoint: Int32Array; readonly keyWords: number } {
    const keyOfPoint = new Int32Array(action.pointCount);
    const keyWordOfPoint = new Int32Array(action.pointCount);
    let keyWords = 1;
    for (const columns of keyColumns(action, symmetric)) {
        let word = 0;
        let free = KEY_WORD_BITS;
        for (const { size, fields } of columns) {
            const bits = 32 - Math.clz32(size - 1);
            if (bits > free) {
                word++;
                free = KEY_WORD_BITS;
            }
            free -= bits;
            for (const { cell, held, keys } of fields) {
                held.forEach((content, i) => {
                    keyOfPoint[action.firstPoint[cell] + content] = keys[i] << free;
                    keyWordOfPoint[action.firstPoint[cell] + content] = word;
                });
            }
        }
        keyWords = Math.max(keyWords, word + 1);
    }
    return { keyOfPoint, keyWordOfPoint, keyWords };
}

/** Sorts order[start … end - 1] by ascending keys; most classes are short. */
function sortByKey(order: Int32Array, key: Int32Array, start: number, end: number): void {
    if (end - start > 32) {
        order.subarray(start, end).sort((a, b) => key[a] - key[b]);
        return;
    }
    for (let i = start + 1; i < end; i++) {
        const element = order[i];
        const value = key[element];
        let j = i - 1;
        while (j >= start && key[order[j]] > value) {
            order[j + 1] = order[j];
            j--;
        }
        order[j + 1] = element;
    }
}

/** Negative, zero or positive as `a` is smaller than, equal to or larger than `b` at the first difference. */
function firstDifference(a: Int32Array, b: Int32Array): number {
    for (let i = 0; i < a.length; i++) {
        if (a[i] !== b[i]) {
            return a[i] - b[i];
        }
    }
    return 0;
}
