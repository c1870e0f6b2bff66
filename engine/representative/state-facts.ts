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

/** What each point says, and where it goes. Arrays without a length in their comment have one entry for each point. */
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

    constructor(tables: PointTables, cellCount: number, elementCount: number) {
        this.#tables = tables;
        this.contents = new Int32Array(cellCount);
        this.points = new Int32Array(cellCount);
        this.ownKeys = new Int32Array(elementCount * tables.keyWords);
        this.#ambiguous = new Int32Array(cellCount);
        this.#firstMention = new Int32Array(elementCount);
        this.#nextMention = new Int32Array(cellCount * MAXIMAL_ARITY);
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
        for (let i = 0; i < this.#ambiguousCount; i++) {
            if (!this.#holdsAfterSwap(this.#ambiguous[i], a, b)) {
                return false;
            }
        }
        return this.#staysUnderSwap(a, a, b) && this.#staysUnderSwap(b, a, b);
    }

    /** Whether the facts about `element` hold after an exchange of a and b. */
    #staysUnderSwap(element: number, a: number, b: number): boolean {
        for (let mention = this.#firstMention[element]; mention >= 0; mention = this.#nextMention[mention]) {
            this.looked++;
            if (!this.#holdsAfterSwap(this.points[(mention / MAXIMAL_ARITY) | 0], a, b)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the state also holds the image of this point of the state under the exchange of a and b. */
    #holdsAfterSwap(point: number, a: number, b: number): boolean {
        const { labels, strides, cellOfPoint, firstPoint, shiftOfPoint, arityOfPoint, tableOfPoint } = this.#tables;
        const first = point * MAXIMAL_ARITY;
        let index = shiftOfPoint[point];
        for (let role = 0; role < arityOfPoint[point]; role++) {
            const label = labels[first + role];
            index += strides[first + role] * (label === a ? b : label === b ? a : label);
        }
        const image = tableOfPoint[point]![index];
        const cell = cellOfPoint[image];
        return firstPoint[cell] + this.contents[cell] === image;
    }
}
