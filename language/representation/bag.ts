/**
 * Bags: a count of copies for each value of a type, at most so many. A place has a cell for each count, `net[x]`; a set is a
 * bag with one copy of each element. A value of an expression tells of any value how many copies of it there are.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { codeOfValue, type Domain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import { binary, constantOf, numberOf } from './build-expression.js';
import { ScalarShape, scalarValue } from './cell.js';
import { outOfRange } from './inside-domain.js';
import { ConstantSet, distinct, elementIn, joinedSet, LoweredSet, setOf, SetShape } from './set.js';
import {
    cellValueOf,
    type CellShape,
    type Choice,
    type ConstantValue,
    type InnerPlace,
    type Leaf,
    type LoweredValue,
    type Misfit,
    type NotAtomic,
    type Pair,
    type ScalarAt,
    type Shape,
    type Stored,
    type Type,
} from './shape.js';
import { setType } from './type.js';

export class BagShape extends SetShape {
    /** The most copies of one value. */
    readonly copies: number;

    constructor(member: CellShape, copies: number) {
        super(member);
        this.copies = copies;
    }

    override get type(): Type {
        return setType(this.member.type, this, this.copies);
    }

    get #counts(): Domain {
        return { kind: 'range', low: 0, high: this.copies };
    }

    override leaves(): Leaf[] {
        const segments = [
            { text: '', indices: 0 },
            { text: '', indices: 1, member: 'bag' },
        ] as const;
        return [{ path: [], segments, element: this.#counts, indices: [this.member.domain] }];
    }

    override isSame(other: Shape): boolean {
        return other instanceof BagShape && this.copies === other.copies && this.member.isSame(other.member);
    }

    override withNone(): undefined {
        return undefined;
    }

    override format(): string {
        return `bag ${this.copies} of ${this.member.format()}`;
    }

    override describeParts(): string {
        return 'bags, which have a cell for each value; state this of the type of their values';
    }

    override oneCell(): NotAtomic {
        return { problem: 'bag' };
    }

    override asCell(): CellShape {
        return invariant(false, 'a bag does not fit into one cell') as never;
    }

    override inner(): InnerPlace {
        return { index: this.member.domain, shape: new ScalarShape(this.#counts) };
    }

    override constantOfCell(value: Value): ConstantValue {
        return value;
    }

    override misfit(value: ConstantValue): Misfit | undefined {
        const isTooMany = value instanceof ConstantSet && value.parts.some(part => value.copiesOf(part) > this.copies);
        return isTooMany ? { shape: this, value } : super.misfit(value);
    }

    override formatValue(value: ConstantValue): string {
        const bag = value instanceof ConstantSet ? value : new ConstantSet([]);
        const texts = distinct(bag.parts).map(part => {
            const copies = bag.copiesOf(part);
            return `${this.member.formatValue(part)}${copies === 1 ? '' : `: ${copies}`}`;
        });
        return `{${texts.join(', ')}}`;
    }

    override read(scalarAt: ScalarAt, range: SourceRange): LoweredBag {
        return this.#ofCounts(index => scalarAt(0, [index]), range);
    }

    override constant(value: ConstantValue, range: SourceRange): LoweredBag {
        const { domain } = this.member;
        const parts = value instanceof ConstantSet ? value.parts.map(cellValueOf) : [];
        const options = this.values().map(each =>
            constantOf(parts.filter(part => part === each).length, this.#counts, range),
        );
        const countAt = (index: Expression): Expression => {
            const known = index.kind === 'constant' ? options[codeOfValue(domain, index.value)] : undefined;
            return known ?? { kind: 'select', index, domain, options, range };
        };
        return this.#ofCounts(countAt, range);
    }

    #ofCounts(countAt: (index: Expression) => Expression, range: SourceRange): LoweredBag {
        const countOf = (element: LoweredValue): Expression => {
            const { expression, isInside } = elementIn(element, this.member) ?? {};
            const count = expression === undefined ? numberOf(0, range) : countAt(expression);
            return isInside === undefined ? count : onlyIf(isInside, count, numberOf(0, range));
        };
        return new LoweredBag(this, countOf, range, countAt);
    }

    /** The same bag; the fault `range` where it has a value of no such type. */
    override valueAs(value: LoweredValue): LoweredBag {
        const bag = setOf(value);
        const isInside = bag.isWithin(this);
        const countOf = (element: LoweredValue): Expression =>
            isInside === undefined
                ? bag.countOf(element)
                : onlyIf(isInside, bag.countOf(element), outOfRange(bag.range));
        return new LoweredBag(this, countOf, bag.range);
    }
}

function onlyIf(condition: Expression, then: Expression, otherwise: Expression): Expression {
    return { kind: 'conditional', condition, then, otherwise, range: then.range };
}

export class LoweredBag extends LoweredSet {
    readonly #copies: number;
    readonly #countOf: (element: LoweredValue) => Expression;
    readonly #countAt: ((index: Expression) => Expression) | undefined;

    /** `countAt`: of a place, whose cells are named by values of the type; other values are the fault `index`. */
    constructor(
        shape: BagShape,
        countOf: (element: LoweredValue) => Expression,
        range: SourceRange,
        countAt?: (index: Expression) => Expression,
        sure?: Expression,
    ) {
        const zero = numberOf(0, range);
        const counted = (element: LoweredValue): Expression =>
            sure === undefined ? countOf(element) : onlyIf(sure, countOf(element), zero);
        super(shape, element => binary('<', zero, counted(element), range), range, undefined, sure);
        this.#copies = shape.copies;
        this.#countOf = counted;
        this.#countAt = countAt;
    }

    /** Its counts tell of faults themselves. */
    override get stored(): Stored {
        return { value: this };
    }

    override get hasCopies(): boolean {
        return true;
    }

    override countOf(element: LoweredValue): Expression {
        return this.#countOf(element);
    }

    /** The count of a value. */
    override at([index]: readonly Expression[]): LoweredValue {
        return index === undefined
            ? this
            : scalarValue(this.#countAt?.(index) ?? this.#countOf(scalarValue(index, this.shape().member)));
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredBag {
        const bags = values.map(setOf);
        const copies = bags.map(bag => (bag instanceof LoweredBag ? bag.#copies : 1));
        const { member } = joinedSet(bags) ?? this.shape();
        const countOf = (element: LoweredValue): Expression => make(bags.map(bag => bag.countOf(element)));
        return new LoweredBag(new BagShape(member, Math.max(...copies)), countOf, this.range);
    }

    override pairs(first: LoweredValue, second: LoweredValue): readonly Pair[] {
        const shape = new BagShape((joinedSet([first, second].map(setOf)) ?? this.shape()).member, this.#copies);
        const [left, right] = [first, second].map(value => shape.valueAs(value).cells());
        return left?.map((count, row): Pair => [scalarValue(count), scalarValue(right?.[row] ?? count)]) ?? [];
    }
}
