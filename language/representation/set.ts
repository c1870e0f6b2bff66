/**
 * Sets: one truth value for each element of a type. A place has a cell for each of them; where a set must be one value it is
 * a record of truth values in one cell. A value of an expression tells of any value whether it is an element.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import {
    baseOf,
    BOOLEAN,
    codeOfValue,
    domainSize,
    formatDomain,
    formatValue,
    NONE,
    valueOfCode,
    valuesOfDomain,
    type Domain,
    type RecordDomain,
    type Value,
} from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { all, binary, constantOf, joined, numberOf } from './build-expression.js';
import { LoweredScalar, ScalarShape, WholeCell, scalarValue } from './cell.js';
import { allTuples, isPartOf } from './domains.js';
import { isInside, isInsideDomain, joinedDomain, outOfRange } from './inside-domain.js';
import {
    cellValueOf,
    isDomain,
    type CellShape,
    type Choice,
    compareValues,
    type ConstantParts,
    type ConstantValue,
    type Leaf,
    LoweredValue,
    type Misfit,
    type NotAtomic,
    type Pair,
    type ScalarAt,
    Shape,
    type Stored,
    type Type,
} from './shape.js';
import { setType } from './type.js';

/** The most elements of a type whose sets are values of one cell. */
export const SET_LIMIT = 12;

export class SetShape extends Shape {
    /** The shape of an element, in one cell. */
    readonly member: CellShape;
    #oneCell: RecordDomain | NotAtomic | undefined;

    constructor(member: CellShape) {
        super();
        this.member = member;
    }

    get type(): Type {
        return setType(this.member.type, this);
    }

    /** The values of the elements, in the order of the cells. */
    values(): Value[] {
        return valuesOfDomain(this.member.domain);
    }

    leaves(): Leaf[] {
        const segments = [
            { text: '', indices: 0 },
            { text: '', indices: 1, member: 'set' },
        ] as const;
        return [{ path: [], segments, element: BOOLEAN, indices: [this.member.domain] }];
    }

    scalarCount(): number {
        return domainSize(this.member.domain);
    }

    hasNoValue(): boolean {
        return false;
    }

    holdsReference(): boolean {
        return this.member.holdsReference();
    }

    isSame(other: Shape): boolean {
        return other instanceof SetShape && this.member.isSame(other.member);
    }

    withNone(): Shape | undefined {
        const base = this.oneCell();
        return isDomain(base) ? new SetCell(this, { kind: 'optional', base }) : undefined;
    }

    format(): string {
        return `set of ${this.member.format()}`;
    }

    describeValues(): string {
        return `${this.format()}, ${formatNumberOf(this.scalarCount(), 'cell')}`;
    }

    override describeParts(): string {
        return 'sets, which have a cell for each element; state this of the type of their elements';
    }

    oneCell(): RecordDomain | NotAtomic {
        this.#oneCell ??= this.#allSets();
        return this.#oneCell;
    }

    #allSets(): RecordDomain | NotAtomic {
        const { domain } = this.member;
        const elements = domainSize(domain);
        if (elements > SET_LIMIT) {
            return { problem: 'too-large', count: 2 ** elements, elements };
        }
        const fields = this.values().map(value => ({ name: formatValue(domain, value), domain: BOOLEAN }));
        const tuples = allTuples(fields.map(field => field.domain));
        const format = this.valueFormat((_, row) => row);
        return { kind: 'record', name: `set of ${formatDomain(domain)}`, fields, tuples, elements: domain, format };
    }

    asCell(): CellShape {
        return new SetCell(this, this.#domain());
    }

    #domain(): RecordDomain {
        const domain = this.oneCell();
        invariant(isDomain(domain), 'a checked set in one cell has few elements');
        return domain;
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        const { domain } = this.member;
        const elements = this.values().map((value, row) => ({ text: formatValue(domain, value), place: at(0, row) }));
        return { kind: 'set', elements };
    }

    constantOfCell(value: Value): ConstantValue {
        const { elements = this.member.domain, tuples } = this.#domain();
        const isIn = tuples[value];
        const parts = isIn?.flatMap((truth, code) =>
            truth === 1 ? [this.member.constantOfCell(valueOfCode(elements, code))] : [],
        );
        return parts === undefined ? value : new ConstantSet(parts, this);
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        if (!(value instanceof ConstantSet)) {
            return undefined;
        }
        const parts = value.parts.map(part => this.member.constantAs(part));
        return parts.every(part => part !== undefined) ? new ConstantSet(parts, this) : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        return value instanceof ConstantSet
            ? value.parts.map(part => this.member.misfit(part)).find(misfit => misfit !== undefined)
            : { shape: this, value };
    }

    firstValue(): ConstantValue {
        return new ConstantSet([], this);
    }

    formatValue(value: ConstantValue): string {
        const parts = value instanceof ConstantSet ? value.parts : [];
        return `{${parts.map(part => this.member.formatValue(part)).join(', ')}}`;
    }

    plainValue(value: ConstantValue): ParameterValue {
        return this.formatValue(value);
    }

    read(scalarAt: ScalarAt, range: SourceRange): LoweredSet {
        return this.#ofCells(index => scalarAt(0, [index]), range);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredSet {
        const parts = value instanceof ConstantSet ? value.parts.map(cellValueOf) : [];
        return this.#ofTable(
            this.values().map(each => constantOf(parts.includes(each) ? 1 : 0, BOOLEAN, range)),
            range,
        );
    }

    /** The set in one cell that an expression has. */
    ofCell(record: Expression): LoweredSet {
        const domain = this.#domain();
        const { range } = record;
        const fields = domain.fields.map((_, field): Expression => ({ kind: 'field', record, domain, field, range }));
        return this.#ofTable(fields, range);
    }

    /** By the truth of each element, in the order of their codes. */
    #ofTable(options: readonly Expression[], range: SourceRange): LoweredSet {
        const { domain } = this.member;
        const truthAt = (index: Expression): Expression => {
            const known = index.kind === 'constant' ? options[codeOfValue(domain, index.value)] : undefined;
            return known ?? { kind: 'select', index, domain, options, range };
        };
        return this.#ofCells(truthAt, range);
    }

    /** `truthAt` tells of an element whether it is in the set. */
    #ofCells(truthAt: (index: Expression) => Expression, range: SourceRange): LoweredSet {
        const has = (element: LoweredValue): Expression => {
            const index = elementIn(element, this.member);
            return index === undefined
                ? constantOf(0, BOOLEAN, range)
                : index.isInside === undefined
                  ? truthAt(index.expression)
                  : binary('and', index.isInside, truthAt(index.expression), range);
        };
        return new LoweredSet(this, has, range);
    }

    /** The same set; the fault `range` where it has an element of no such value. */
    valueAs(value: LoweredValue): LoweredSet {
        const set = setOf(value);
        const isInside = set.isWithin(this);
        const { range, every, sure } = set;
        if (isInside === undefined) {
            return new LoweredSet(this, set.has, range, every, sure);
        }
        const has = (element: LoweredValue): Expression => ({
            kind: 'conditional',
            condition: isInside,
            then: set.has(element),
            otherwise: outOfRange(range),
            range,
        });
        return new LoweredSet(this, has, range, undefined, sure);
    }

    scalarsOf(value: LoweredValue): readonly (readonly Expression[])[] {
        const set = this.valueAs(value);
        return [set.cells()];
    }
}

/** A set in one cell, possibly optional. */
class SetCell extends WholeCell<SetShape> {
    /** A domain that joins several holds the sets with the elements of all. */
    override withDomain(domain: Domain): SetCell {
        return new SetCell(this.whole, domain);
    }

    override describe(): string {
        return `\`${this.format()}\``;
    }

    override format(): string {
        return `${this.whole.format()}${this.isOptional ? '?' : ''}`;
    }

    override isSame(other: Shape): boolean {
        return other instanceof SetCell && other.isOptional === this.isOptional && this.whole.isSame(other.whole);
    }

    /** The value as one of this domain: a set with other elements has other numbers. */
    override valueAs(value: LoweredValue): LoweredScalar {
        const own = value instanceof LoweredScalar ? value.cell : undefined;
        const isKnown = value instanceof LoweredScalar && own === undefined;
        if (isKnown || (own instanceof SetCell && own.whole.isSame(this.whole))) {
            return super.valueAs(value);
        }
        const then = this.whole.valueAs(value).toScalar();
        if (!isOptionalSet(value)) {
            return scalarValue(then, this);
        }
        const { range } = value;
        const none: Expression = { kind: 'constant', value: NONE, range };
        const isNone = binary('==', value.toScalar(), none, range);
        return scalarValue({ kind: 'conditional', condition: isNone, then: none, otherwise: then, range }, this);
    }
}

export class ConstantSet implements ConstantParts {
    readonly kind = 'set';
    /** The elements, ascending, each once; of a bag all copies. */
    readonly parts: readonly ConstantValue[];
    /** The type that has the elements, if it is known. */
    readonly #shape: SetShape | undefined;

    constructor(parts: readonly ConstantValue[], shape?: SetShape) {
        this.parts = [...parts].sort(compareValues);
        this.#shape = shape;
    }

    has(element: ConstantValue): boolean {
        return this.copiesOf(element) > 0;
    }

    copiesOf(value: ConstantValue): number {
        return this.parts.filter(part => compareValues(part, value) === 0).length;
    }

    /** The bag with another number of copies of a value; undefined if it is negative. */
    withCopies(value: ConstantValue, count: number): ConstantSet | undefined {
        if (count < 0) {
            return undefined;
        }
        const others = this.parts.filter(part => compareValues(part, value) !== 0);
        return new ConstantSet([...others, ...Array.from({ length: count }, () => value)], this.#shape);
    }

    cellValue(): Value | undefined {
        const shape = this.#shape;
        const domain = shape?.oneCell();
        if (shape === undefined || domain === undefined || !isDomain(domain)) {
            return undefined;
        }
        const values = this.parts.map(cellValueOf);
        const isIn = shape.values().map((value): number => (values.includes(value) ? 1 : 0));
        const isWhole = isIn.filter(truth => truth === 1).length === values.length;
        return isWhole ? isIn.reduce((code, truth) => 2 * code + truth, 0) : undefined;
    }
}

/** Each of the values once, ascending. */
export function distinct(values: readonly ConstantValue[]): ConstantValue[] {
    return [...values]
        .sort(compareValues)
        .filter((value, position, all) => position === 0 || compareValues(value, all[position - 1] ?? NONE) !== 0);
}

/** Whether all elements of a set meet a condition. */
type Every = (test: (element: LoweredValue) => Expression) => Expression;

export class LoweredSet extends LoweredValue {
    readonly range: SourceRange;
    /** Undefined for `{}`, which has every type. */
    readonly setShape: SetShape | undefined;
    /** Whether a value of any type is an element. */
    readonly has: (element: LoweredValue) => Expression;
    /** Undefined if it is asked of all values of the type. */
    readonly every: Every | undefined;
    /** True or a fault: of what is evaluated whatever is asked of the set. */
    readonly sure: Expression | undefined;
    readonly #bare: LoweredSet;

    constructor(
        shape: SetShape | undefined,
        has: (element: LoweredValue) => Expression,
        range: SourceRange,
        every?: Every,
        sure?: Expression,
    ) {
        super();
        const strictly = (truth: Expression): Expression => all([sure, truth]) ?? truth;
        this.#bare = sure === undefined ? this : new LoweredSet(shape, has, range, every);
        this.setShape = shape;
        this.has = sure === undefined ? has : element => strictly(has(element));
        this.range = range;
        this.every = every && (sure === undefined ? every : test => strictly(every(test)));
        this.sure = sure;
    }

    override get parts(): readonly Expression[] {
        return this.sure === undefined ? [] : [this.sure];
    }

    override get stored(): Stored {
        return { sure: this.sure, value: this.#bare };
    }

    shape(): SetShape {
        return this.setShape ?? NOTHING;
    }

    cellShape(): CellShape | undefined {
        return isDomain(this.shape().oneCell()) ? this.shape().asCell() : undefined;
    }

    /** The number of copies of a value. */
    countOf(element: LoweredValue): Expression {
        const [then, otherwise] = [numberOf(1, this.range), numberOf(0, this.range)];
        return { kind: 'conditional', condition: this.has(element), then, otherwise, range: this.range };
    }

    /** The truth, or the count, of each element of its type. */
    cells(): Expression[] {
        const { member } = this.shape();
        return this.shape()
            .values()
            .map(value => scalarValue(constantOf(value, member.domain, this.range), member))
            .map(element => (this.hasCopies ? this.countOf(element) : this.has(element)));
    }

    toScalar(): Expression {
        const { domain } = this.shape().asCell();
        const fields = this.cells();
        const truths = fields.flatMap(field => (field.kind === 'constant' ? [field.value] : []));
        return domain.kind === 'record' && truths.length < fields.length
            ? { kind: 'record', domain, fields, range: this.range }
            : constantOf(
                  truths.reduce((code, truth) => 2 * code + truth, 0),
                  domain,
                  this.range,
              );
    }

    field(): LoweredValue {
        return this;
    }

    /** Whether all elements lie in a type; undefined if they do anyway. */
    isWithin(target: SetShape): Expression | undefined {
        if (this.setShape === undefined || isPartOf(this.setShape.member.domain, target.member.domain)) {
            return undefined;
        }
        const { range } = this;
        if (this.every !== undefined) {
            const isIn = this.every(element => isElementOf(element, target.member));
            return isIn.kind === 'constant' && isIn.value === 1 ? undefined : isIn;
        }
        const { member } = this.setShape;
        const outside = this.setShape
            .values()
            .map(value => scalarValue(constantOf(value, member.domain, range), member))
            .filter(element => elementIn(element, target.member) === undefined)
            .map((element): Expression => ({ kind: 'unary', operator: 'not', operand: this.has(element), range }));
        return outside.length === 0 ? undefined : joined(outside, 'and', range);
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredValue {
        const sets = values.filter(value => !isNoneItself(value)).map(setOf);
        if (sets.length < values.length || values.some(isOptionalSet)) {
            const cell = joinedSet(sets)?.withNone()?.asCell();
            invariant(cell !== undefined, 'a set that may be `none` is one value');
            return scalarValue(
                make(values.map(value => (isNoneItself(value) ? value : cell.valueAs(value)).toScalar())),
                cell,
            );
        }
        const sure = sets.map(set => set.sure ?? constantOf(1, BOOLEAN, this.range));
        return new LoweredSet(
            joinedSet(sets),
            element => make(sets.map(set => set.has(element))),
            this.range,
            undefined,
            sets.some(set => set.sure !== undefined) ? make(sure) : undefined,
        );
    }

    /** An optional set is first compared with no set at all. */
    override pairs(first: LoweredValue, second: LoweredValue): readonly Pair[] {
        const { range } = this;
        const sets = [setOf(first), setOf(second)] as const;
        const shape = joinedSet(sets);
        const none = [first, second].filter(isOptionalSet).map((optional): Pair => {
            const isNone = binary('==', optional.toScalar(), { kind: 'constant', value: NONE, range }, range);
            return [scalarValue(isNone), scalarValue(constantOf(0, BOOLEAN, range))];
        });
        const [left, right] = sets.map(set => new LoweredSet(shape, set.has, range).cells());
        const cells = left?.map((cell, row): Pair => [scalarValue(cell), scalarValue(right?.[row] ?? cell)]) ?? [];
        return [...none, ...cells];
    }
}

/** The value as a set; of an optional one its elements where it is not `none`. */
export function setOf(value: LoweredValue): LoweredSet {
    if (value instanceof LoweredSet) {
        return value;
    }
    const cell = value.cellShape();
    // The element of an empty array: no run evaluates it.
    return cell instanceof SetCell
        ? cell.whole.ofCell(value.toScalar())
        : new LoweredSet(undefined, () => value.toScalar(), value.range);
}

function isOptionalSet(value: LoweredValue): boolean {
    return value instanceof LoweredScalar && value.cell instanceof SetCell && value.cell.isOptional;
}

/** Sets in one cell as such sets of one type, in which a set has one number; other values as they are. */
export function asSetsOfOneType(values: readonly LoweredValue[]): readonly LoweredValue[] {
    const cells = values.flatMap(value =>
        value instanceof LoweredScalar && value.cell instanceof SetCell ? [value.cell] : [],
    );
    const [first] = cells;
    if (first === undefined || cells.every(({ whole }) => whole.isSame(first.whole))) {
        return values;
    }
    const joined = joinedShape(cells.map(({ whole }) => whole));
    const cell = cells.some(({ isOptional }) => isOptional) ? joined.withNone()?.asCell() : joined.asCell();
    return values.map(value => (value instanceof LoweredScalar && cell !== undefined ? cell.valueAs(value) : value));
}

/** A value as an index of this type: a set has another number among the sets of another type. */
export function asIndex(value: LoweredValue, domain: Domain | undefined): Expression {
    const base = domain && baseOf(domain);
    const cell = value.cellShape();
    const isOther = base?.kind === 'record' && base.elements !== undefined && cell instanceof SetCell;
    return isOther
        ? new SetCell(new SetShape(cell.whole.member.withDomain(base.elements)), domain ?? base).valueAs(value)
              .expression
        : value.toScalar();
}

/** The shape of the sets with the elements of all; undefined if all of them are `{}`. */
export function joinedSet(sets: readonly LoweredSet[]): SetShape | undefined {
    const shapes = sets.flatMap(({ setShape }) => (setShape === undefined ? [] : [setShape]));
    return shapes.length === 0 ? undefined : joinedShape(shapes);
}

function joinedShape(shapes: readonly SetShape[]): SetShape {
    const [first] = shapes;
    invariant(first !== undefined, 'some shapes are joined');
    const members = shapes.map(({ member }) => member);
    if (members.every(member => member.isSame(first.member))) {
        return first;
    }
    const sets = members.flatMap(member => (member instanceof SetCell ? [member.whole] : []));
    const mayBeNone = members.some(member => member.isOptional);
    if (sets.length > 0) {
        const cell = joinedShape(sets);
        return new SetShape(mayBeNone ? (cell.withNone() ?? cell).asCell() : cell.asCell());
    }
    const domains = members.map(member => member.domain);
    return new SetShape(first.member.withDomain(joinedDomain(domains, false) ?? first.member.domain));
}

/** A value as an element of a type, and whether it is one, if that is not sure; undefined if it is none. */
export function elementIn(
    element: LoweredValue,
    member: CellShape,
): { readonly expression: Expression; readonly isInside?: Expression } | undefined {
    if (member instanceof SetCell && !isOptionalSet(element) && !isNoneItself(element)) {
        const set = setOf(element);
        const isInside = set.isWithin(member.whole);
        const expression = member.valueAs(new LoweredSet(member.whole, set.has, set.range)).expression;
        return isInside === undefined ? { expression } : { expression, isInside };
    }
    // A sequence that the type does not have is the fault `range`.
    const expression = member.type.kind === 'sequence' ? member.valueAs(element).toScalar() : element.toScalar();
    const { domain } = member;
    if (expression.kind === 'constant') {
        return codeOfValue(domain, expression.value) < 0 ? undefined : { expression };
    }
    const source = element.cellShape()?.domain;
    return isInside(expression, source, domain)
        ? { expression }
        : { expression, isInside: isInsideDomain(expression, source, domain) };
}

function isNoneItself(value: LoweredValue): boolean {
    return value instanceof LoweredScalar && value.expression.kind === 'constant' && value.expression.value === NONE;
}

/** Whether a value is one of a type. */
export function isElementOf(element: LoweredValue, member: CellShape): Expression {
    const found = elementIn(element, member);
    return found?.isInside ?? constantOf(found === undefined ? 0 : 1, BOOLEAN, element.range);
}

/** The shape of `{}`. */
const NOTHING = new SetShape(new ScalarShape({ kind: 'range', low: 0, high: -1 }));
