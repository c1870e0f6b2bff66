/**
 * What a state says of the elements of a product of symmetric groups: each point that it holds and that has labels is a
 * fact about these elements, `pc[2] = 1` about 2 and `next[1] = 2` about 1 and 2.
 *
 * Arrays are filled anew for each state; nothing is allocated.
 */
import type { LiteralAction } from '../group/literal-action.js';
import { MAXIMAL_ARITY, type SymmetricAction } from '../group/symmetric-action.js';
import { keyColumns, meaningOf } from './order-plan.js';

export const LABELING_NUMBER = { ordered: 0, unordered: 1, ambiguous: 2 } as const;
const KEY_WORD_BITS = 30;

/** Tables of what each point says and where it goes. Arrays without a length in their comment have one entry for each point. */
export class PointTables {
    readonly firstPoint: Int32Array;
    readonly cellOfPoint: Int32Array;
    /** `labels[point * MAXIMAL_ARITY + role]` */
    readonly labels: Int32Array;
    /** The number of labels; 0 for points that speak of no element. */
    readonly arityOfPoint: Uint8Array;
    /** A number for what a point says, the same whatever elements it says it of. */
    readonly meaningOfPoint: Int32Array;
    readonly labelingOfPoint: Uint8Array;
    /** The images of the points of its kind by labels: see PointKind. */
    readonly tableOfPoint: (Int32Array | undefined)[];
    /** `strides[point * MAXIMAL_ARITY + role]` and `shiftOfPoint[point]` say where in the table. */
    readonly strides: Int32Array;
    readonly shiftOfPoint: Int32Array;
    /** What a point adds to the key of its element, and to which word of that; 0 if it adds nothing. */
    readonly keyOfPoint: Int32Array;
    readonly keyWordOfPoint: Int32Array;
    readonly keyWords: number;

    constructor(action: LiteralAction, symmetric: SymmetricAction) {
        const { pointCount } = action;
        this.firstPoint = action.firstPoint;
        this.cellOfPoint = action.cellOfPoint;
        this.labels = symmetric.labels;
        this.arityOfPoint = new Uint8Array(pointCount);
        this.meaningOfPoint = new Int32Array(pointCount);
        this.labelingOfPoint = new Uint8Array(pointCount);
        this.tableOfPoint = new Array<Int32Array | undefined>(pointCount).fill(undefined);
        this.strides = new Int32Array(pointCount * MAXIMAL_ARITY);
        this.shiftOfPoint = new Int32Array(pointCount);
        for (let point = 0; point < pointCount; point++) {
            const kind = symmetric.kindOfPoint[point];
            if (kind >= 0) {
                const { arity, labeling, pointOfLabels, stride, shift } = symmetric.kinds[kind];
                this.arityOfPoint[point] = arity;
                this.meaningOfPoint[point] = meaningOf(kind);
                this.labelingOfPoint[point] = LABELING_NUMBER[labeling];
                this.tableOfPoint[point] = pointOfLabels;
                this.strides.set(stride, point * MAXIMAL_ARITY);
                this.shiftOfPoint[point] = shift;
            }
        }
        this.keyOfPoint = new Int32Array(pointCount);
        this.keyWordOfPoint = new Int32Array(pointCount);
        this.keyWords = this.#packKeys(action, symmetric);
    }

    /** Writes keys in words of 30 bits; returns how many words a key has. */
    #packKeys(action: LiteralAction, symmetric: SymmetricAction): number {
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
                        this.keyOfPoint[action.firstPoint[cell] + content] = keys[i] << free;
                        this.keyWordOfPoint[action.firstPoint[cell] + content] = word;
                    });
                }
            }
            keyWords = Math.max(keyWords, word + 1);
        }
        return keyWords;
    }
}

export class StateFacts {
    /** One content for each cell. */
    contents: Readonly<Int32Array>;
    /** The points of the state with certain labels: the first `count`. Those with two and more labels come last. */
    readonly points: Int32Array;
    count = 0;
    /** The index of the first fact about several elements. */
    firstWide = 0;
    /** How often a fact was looked at to find twins, since `collect`. */
    looked = 0;
    /** `ownKeys[element * keyWords + word]`: what is said of the element alone, the most important first. */
    readonly ownKeys: Int32Array;
    readonly #tables: PointTables;
    /** Points of the state with ambiguous labels. They are no facts, but an exchange of twins must keep them too. */
    readonly #ambiguous: Int32Array;
    #ambiguousCount = 0;
    /** Linked lists of the facts about an element: `nextMention[mention]`, mention = fact index · MAXIMAL_ARITY + role. */
    readonly #firstMention: Int32Array;
    readonly #nextMention: Int32Array;
    /** `#exchanged[element]`: with what the present trial exchanges it; the element itself if with nothing. */
    readonly #exchanged: Int32Array;
    /** The first `#metCount`: what the present trial exchanges, each beside the other. */
    readonly #met: Int32Array;
    #metCount = 0;

    constructor(tables: PointTables, cellCount: number, elementCount: number) {
        this.#tables = tables;
        this.contents = new Int32Array(cellCount);
        this.points = new Int32Array(cellCount);
        this.ownKeys = new Int32Array(elementCount * tables.keyWords);
        this.#ambiguous = new Int32Array(cellCount);
        this.#firstMention = new Int32Array(elementCount);
        this.#nextMention = new Int32Array(cellCount * MAXIMAL_ARITY);
        this.#exchanged = Int32Array.from({ length: elementCount }, (_, element) => element);
        this.#met = new Int32Array(elementCount);
    }

    collect(contents: Readonly<Int32Array>): void {
        const { points, ownKeys } = this;
        const { firstPoint, labels, arityOfPoint, labelingOfPoint, keyWords, keyOfPoint, keyWordOfPoint } =
            this.#tables;
        const cellCount = points.length;
        this.contents = contents;
        this.looked = 0;
        ownKeys.fill(0);
        this.#ambiguousCount = 0;
        let unary = 0;
        let wide = cellCount;
        for (let cell = 0; cell < cellCount; cell++) {
            const point = firstPoint[cell] + contents[cell];
            const arity = arityOfPoint[point];
            if (labelingOfPoint[point] === LABELING_NUMBER.ambiguous) {
                this.#ambiguous[this.#ambiguousCount++] = point;
            } else if (arity === 1) {
                ownKeys[labels[point * MAXIMAL_ARITY] * keyWords + keyWordOfPoint[point]] |= keyOfPoint[point];
                points[unary++] = point;
            } else if (arity > 1) {
                points[--wide] = point;
            }
        }
        this.firstWide = unary;
        points.copyWithin(unary, wide);
        this.count = unary + cellCount - wide;
        this.#linkMentions();
    }

    #linkMentions(): void {
        const { labels, arityOfPoint } = this.#tables;
        const firstMention = this.#firstMention.fill(-1);
        for (let fact = 0; fact < this.count; fact++) {
            const point = this.points[fact];
            for (let role = 0; role < arityOfPoint[point]; role++) {
                const element = labels[point * MAXIMAL_ARITY + role];
                const mention = fact * MAXIMAL_ARITY + role;
                this.#nextMention[mention] = firstMention[element];
                firstMention[element] = mention;
            }
        }
    }

    compareOwnKeys(a: number, b: number): number {
        const { ownKeys } = this;
        const { keyWords } = this.#tables;
        for (let x = a * keyWords, y = b * keyWords, end = x + keyWords; x < end; x++, y++) {
            if (ownKeys[x] !== ownKeys[y]) {
                return ownKeys[x] - ownKeys[y];
            }
        }
        return 0;
    }

    /** Whether an exchange of the two elements leaves the state as it is. O(facts about them). */
    areTwins(a: number, b: number): boolean {
        this.#exchange(a, b);
        const isNotSeen = this.#isNotSeen();
        this.#takeBack();
        return isNotSeen;
    }

    /**
     * Whether an exchange of the two leaves the state as it is if what is related to the one is exchanged with what is
     * related to the other in the same way, and so on: two handlers, and each one's function. Elements are exchanged within
     * their classes only, `classStart[element]` being the class. They are paired as they stand, so `false` proves nothing.
     */
    areAlike(a: number, b: number, classStart: Readonly<Int32Array>): boolean {
        const met = this.#met;
        this.#exchange(a, b);
        let isPaired = true;
        for (let i = 0; isPaired && i < this.#metCount; i += 2) {
            isPaired = this.#exchangeRelated(met[i], met[i + 1], classStart);
        }
        const isNotSeen = isPaired && this.#isNotSeen();
        this.#takeBack();
        return isNotSeen;
    }

    #exchange(a: number, b: number): void {
        this.#exchanged[a] = b;
        this.#exchanged[b] = a;
        this.#met[this.#metCount++] = a;
        this.#met[this.#metCount++] = b;
    }

    /** Whether the exchange leaves the state as it is. */
    #isNotSeen(): boolean {
        for (let i = 0; i < this.#ambiguousCount; i++) {
            if (!this.#isHeldAfter(this.#ambiguous[i])) {
                return false;
            }
        }
        for (let i = 0; i < this.#metCount; i++) {
            if (!this.#areHeldAfter(this.#met[i])) {
                return false;
            }
        }
        return true;
    }

    #takeBack(): void {
        for (let i = 0; i < this.#metCount; i++) {
            this.#exchanged[this.#met[i]] = this.#met[i];
        }
        this.#metCount = 0;
    }

    /** Exchanges elements until each fact about `a` has its image; false if there is no fact about `b` to pair one with. */
    #exchangeRelated(a: number, b: number, classStart: Readonly<Int32Array>): boolean {
        const exchanged = this.#exchanged;
        for (let mention = this.#firstMention[a]; mention >= 0; mention = this.#nextMention[mention]) {
            this.looked++;
            if (this.#isHeldAfter(this.#pointOf(mention))) {
                continue;
            }
            let other = this.#firstMention[b];
            while (other >= 0 && !this.#fits(mention, other, classStart)) {
                this.looked++;
                other = this.#nextMention[other];
            }
            if (other < 0) {
                return false;
            }
            for (let i = 1; i < this.#tables.arityOfPoint[this.#pointOf(mention)]; i++) {
                const x = this.#related(mention, i);
                const y = this.#related(other, i);
                if (x !== y && exchanged[x] === x && exchanged[y] === y) {
                    this.#exchange(x, y);
                }
            }
        }
        return true;
    }

    /** Whether the fact of the one mention may become that of the other, which is not the image of another fact. */
    #fits(mention: number, other: number, classStart: Readonly<Int32Array>): boolean {
        const { arityOfPoint, meaningOfPoint, labelingOfPoint } = this.#tables;
        const exchanged = this.#exchanged;
        const point = this.#pointOf(mention);
        const otherPoint = this.#pointOf(other);
        const isInRole = (mention - other) % MAXIMAL_ARITY === 0;
        if (
            meaningOfPoint[point] !== meaningOfPoint[otherPoint] ||
            (labelingOfPoint[point] === LABELING_NUMBER.ordered && !isInRole) ||
            this.#isHeldAfter(otherPoint)
        ) {
            return false;
        }
        for (let i = 1; i < arityOfPoint[point]; i++) {
            const x = this.#related(mention, i);
            const y = this.#related(other, i);
            const mayBeExchanged = exchanged[x] === x && exchanged[y] === y && classStart[x] === classStart[y];
            if (exchanged[x] !== y && !mayBeExchanged) {
                return false;
            }
        }
        return true;
    }

    #pointOf(mention: number): number {
        return this.points[(mention / MAXIMAL_ARITY) | 0];
    }

    /** The element so many roles behind that of the mention, in its fact. */
    #related(mention: number, by: number): number {
        const { labels, arityOfPoint } = this.#tables;
        const point = this.#pointOf(mention);
        return labels[point * MAXIMAL_ARITY + (((mention % MAXIMAL_ARITY) + by) % arityOfPoint[point])];
    }

    /** Whether the facts about `element` are facts after the exchange. */
    #areHeldAfter(element: number): boolean {
        for (let mention = this.#firstMention[element]; mention >= 0; mention = this.#nextMention[mention]) {
            this.looked++;
            if (!this.#isHeldAfter(this.#pointOf(mention))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the state also holds the image of this point of the state under the exchange. */
    #isHeldAfter(point: number): boolean {
        const { labels, strides, cellOfPoint, firstPoint, shiftOfPoint, arityOfPoint, tableOfPoint } = this.#tables;
        const first = point * MAXIMAL_ARITY;
        let index = shiftOfPoint[point];
        for (let role = 0; role < arityOfPoint[point]; role++) {
            index += strides[first + role] * this.#exchanged[labels[first + role]];
        }
        const image = tableOfPoint[point]![index];
        const cell = cellOfPoint[image];
        return firstPoint[cell] + this.contents[cell] === image;
    }
}
