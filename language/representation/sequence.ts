/**
 * Sequences: a length, and a place for each element that may be there; a place beyond the length holds no value. A value of
 * an expression is a length and what stands at any place, so functions of functions add and do not multiply: `tail` is a
 * shift by one. Two sequences are equal if their lengths are, and then the places below both.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import { baseOf, BOOLEAN, NONE, type Domain, type RecordDomain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import { ConstantArray, LoweredArray, selectElement } from './array.js';
import { all, binary, constantOf, evaluated, joined, numberOf } from './build-expression.js';
import { someValue, whereOrAny } from './cases.js';
import { LoweredScalar, ScalarShape, WholeCell, scalarValue } from './cell.js';
import { combine, comparison } from './combine.js';
import { allTuples } from './domains.js';
import {
    areEqualValues,
    cellValueOf,
    isDomain,
    TUPLE_LIMIT,
    type CellShape,
    type Choice,
    type ConstantParts,
    type ConstantValue,
    type Leaf,
    LoweredValue,
    type Misfit,
    type NotAtomic,
    type ScalarAt,
    Shape,
    type Stored,
    type Type,
} from './shape.js';
import { sequenceType } from './type.js';

export class SequenceShape extends Shape {
    /** The most elements. */
    readonly capacity: number;
    /** The shape of an element. */
    readonly member: Shape;
    #oneCell: RecordDomain | NotAtomic | undefined;
    #codes: ReadonlyMap<string, number> | undefined;

    constructor(capacity: number, member: Shape) {
        super();
        this.capacity = capacity;
        this.member = member;
    }

    get type(): Type {
        return sequenceType(this.member.type, this.capacity, this);
    }

    /** The numbers of the places. */
    get places(): Domain {
        return { kind: 'range', low: 0, high: this.capacity - 1 };
    }

    leaves(): Leaf[] {
        const format = this.valueFormat((behind, row) => ({ behind, row }));
        const element: Domain = { kind: 'range', low: 0, high: this.capacity };
        const own = { text: '', indices: 0 };
        const places = this.member.leaves().map(({ format: _, ...leaf }, position): Leaf => {
            const [first, ...rest] = leaf.segments;
            return {
                ...leaf,
                segments: [own, { text: '', indices: 1 + (first?.indices ?? 0) }, ...rest],
                indices: [this.places, ...leaf.indices],
                within: leaf.within ?? { before: 1 + position },
            };
        });
        return [
            { path: ['len'], segments: [own, { ...own, isLength: true }], element, indices: [], format },
            ...places,
        ];
    }

    scalarCount(): number {
        return 1 + this.capacity * this.member.scalarCount();
    }

    hasNoValue(): boolean {
        return false;
    }

    holdsReference(): boolean {
        return this.member.holdsReference();
    }

    isSame(other: Shape): boolean {
        return other instanceof SequenceShape && other.capacity === this.capacity && this.member.isSame(other.member);
    }

    withNone(): undefined {
        return undefined;
    }

    format(): string {
        return `seq ${this.capacity} of ${this.member.format()}`;
    }

    describeValues(): string {
        return `${this.format()}, ${formatNumberOf(this.scalarCount(), 'cell')}`;
    }

    override describeParts(): string {
        return 'sequences, which have a cell for each place; state this of the type of their elements';
    }

    oneCell(): RecordDomain | NotAtomic {
        this.#oneCell ??= this.#allSequences();
        return this.#oneCell;
    }

    #allSequences(): RecordDomain | NotAtomic {
        const member = this.member.oneCell();
        if (!isDomain(member)) {
            return member;
        }
        const { capacity } = this;
        const lengths = Array.from({ length: capacity + 1 }, (_, length) => length);
        const size = sizeOfArray([member]);
        const count = lengths.reduce((sum, length) => sum + size ** length, 0);
        if (count > TUPLE_LIMIT) {
            return { problem: 'too-large', count };
        }
        const place: Domain = { kind: 'optional', base: baseOf(member) };
        const places = lengths.slice(1).map(length => ({ name: String(length - 1), domain: place }));
        const fields = [{ name: 'len', domain: { kind: 'range', low: 0, high: capacity } as Domain }, ...places];
        const tuples = lengths.flatMap(length => {
            const rest = new Array<Value>(capacity - length).fill(NONE);
            return allTuples(lengths.slice(1, length + 1).map(() => member)).map(tuple => [length, ...tuple, ...rest]);
        });
        const elements = places.map((_, position) => ({ kind: 'scalar', place: 1 + position }) as const);
        const format = { kind: 'sequence', length: 0, elements } as const;
        return { kind: 'record', name: this.format(), fields, tuples, format };
    }

    /** The number of a sequence in one cell; undefined if the type does not have it. */
    codeOf(parts: readonly (Value | undefined)[]): Value | undefined {
        const domain = this.oneCell();
        this.#codes ??= new Map(isDomain(domain) ? domain.tuples.map((tuple, code) => [tuple.join(), code]) : []);
        const rest = new Array<Value>(Math.max(0, this.capacity - parts.length)).fill(NONE);
        return this.#codes.get([parts.length, ...parts, ...rest].join());
    }

    asCell(): SequenceCell {
        const domain = this.oneCell();
        invariant(isDomain(domain), 'a checked sequence in one cell has few values');
        return new SequenceCell(this, domain);
    }

    constantOfCell(value: Value): ConstantValue {
        const domain = this.oneCell();
        const [length = 0, ...parts] = (isDomain(domain) ? domain.tuples[value] : undefined) ?? [];
        return new ConstantSequence(
            parts.slice(0, length).map(part => this.member.constantOfCell(part)),
            this,
        );
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        const parts = constantSequenceOf(value)?.parts.map(part => this.member.constantAs(part));
        return parts?.every(part => part !== undefined) === true ? new ConstantSequence(parts, this) : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        return value instanceof ConstantSequence && value.parts.length <= this.capacity
            ? value.parts.map(part => this.member.misfit(part)).find(misfit => misfit !== undefined)
            : { shape: this, value };
    }

    firstValue(): ConstantValue {
        return new ConstantSequence([], this);
    }

    formatValue(value: ConstantValue): string {
        const parts = value instanceof ConstantSequence ? value.parts : [];
        return `[${parts.map(part => this.member.formatValue(part)).join(', ')}]`;
    }

    plainValue(value: ConstantValue): ParameterValue {
        return value instanceof ConstantSequence ? value.parts.map(part => this.member.plainValue(part)) : [];
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        const sizes = this.member.leaves().map(({ indices }) => sizeOfArray(indices));
        const elements = Array.from({ length: this.capacity }, (_, place) =>
            this.member.valueFormat((leaf, row) => at(1 + leaf, place * (sizes[leaf] ?? 1) + row)),
        );
        return { kind: 'sequence', length: at(0, 0), elements };
    }

    read(scalarAt: ScalarAt, range: SourceRange): LoweredSequence {
        const at = (place: Expression): LoweredValue =>
            this.member.read((leaf, indices) => scalarAt(1 + leaf, [place, ...indices]), range);
        return new LoweredSequence(this, scalarAt(0, []), at, range);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredSequence {
        const parts = value instanceof ConstantSequence ? value.parts : [];
        return listed(
            parts.map(part => this.member.constant(part, range)),
            this.member,
            range,
        );
    }

    /** The sequence in one cell that an expression has. */
    ofCell(record: Expression, domain: RecordDomain): LoweredSequence {
        const { range } = record;
        const cell = this.member.asCell();
        const fieldAt = (field: number): Expression => ({ kind: 'field', record, domain, field, range });
        const at = (place: Expression): LoweredValue =>
            selectElement([this.places], [place], row => scalarValue(fieldAt(1 + row), cell), range);
        return new LoweredSequence(this, fieldAt(0), at, range);
    }

    valueAs(value: LoweredValue): LoweredSequence {
        const sequence = sequenceOf(value);
        const { length, range, checks, most } = sequence;
        const at = (place: Expression): LoweredValue => this.member.valueAs(sequence.elementAt(place));
        return new LoweredSequence(new SequenceShape(most, this.member), length, at, range, checks);
    }

    /** Each place has some value beyond the length, too, which the engine takes away where it is stored. */
    scalarsOf(value: LoweredValue): readonly (readonly Expression[])[] {
        const sequence = this.valueAs(value);
        const leaves = this.member.leaves();
        const rows = leaves.map((): Expression[] => []);
        for (let place = 0; place < this.capacity; place++) {
            const at = numberOf(place, sequence.range);
            const isThere = sequence.has(at);
            const own = isFalse(isThere) ? undefined : this.member.scalarsOf(sequence.elementAt(at));
            leaves.forEach((leaf, position) => {
                const scalars = own?.[position]?.map(scalar => whereOrAny(isThere, scalar, leaf));
                const count = sizeOfArray(leaf.indices);
                rows[position]?.push(...(scalars ?? new Array<Expression>(count).fill(someValue(leaf, value.range))));
            });
        }
        return [[sequence.checkedLength()], ...rows];
    }
}

/** A sequence in one cell. */
class SequenceCell extends WholeCell<SequenceShape> {
    override withDomain(domain: Domain): SequenceCell {
        return new SequenceCell(this.whole, domain);
    }

    override describe(): string {
        return this.whole.describe();
    }

    override isSame(other: Shape): boolean {
        return other instanceof SequenceCell && this.whole.isSame(other.whole);
    }

    override constantAs(value: ConstantValue): ConstantValue | undefined {
        return this.whole.constantAs(value);
    }

    override contents(value: Expression): LoweredSequence | undefined {
        return this.domain.kind === 'record' ? this.whole.ofCell(value, this.domain) : undefined;
    }

    /** A sequence of another type has another number. */
    override valueAs(value: LoweredValue): LoweredScalar {
        const own = value instanceof LoweredScalar ? value.cell : undefined;
        const isSame = own instanceof SequenceCell && own.whole.isSame(this.whole);
        return isSame ? super.valueAs(value) : scalarValue(this.#record(sequenceOf(value)), this);
    }

    #record(sequence: LoweredSequence): Expression {
        const { range } = sequence;
        const { domain } = this;
        invariant(domain.kind === 'record', 'a sequence in one cell is a record');
        const none = numberOf(NONE, range);
        const places = Array.from({ length: this.whole.capacity }, (_, place): Expression => {
            const condition = sequence.has(numberOf(place, range));
            return isFalse(condition)
                ? none
                : isTrue(condition)
                  ? sequence.elementAt(numberOf(place, range)).toScalar()
                  : {
                        kind: 'conditional',
                        condition,
                        then: this.whole.member.valueAs(sequence.elementAt(numberOf(place, range))).toScalar(),
                        otherwise: none,
                        range,
                    };
        });
        return { kind: 'record', domain, fields: [sequence.checkedLength(), ...places], range };
    }
}

export class ConstantSequence implements ConstantParts {
    readonly kind = 'sequence';
    readonly parts: readonly ConstantValue[];
    readonly #shape: SequenceShape | undefined;

    constructor(parts: readonly ConstantValue[], shape?: SequenceShape) {
        this.parts = parts;
        this.#shape = shape;
    }

    cellValue(): Value | undefined {
        return this.#shape?.codeOf(this.parts.map(cellValueOf));
    }
}

/** A known value as a sequence: the rows of a list are its elements. */
export function constantSequenceOf(value: ConstantValue): ConstantSequence | undefined {
    if (!(value instanceof ConstantArray)) {
        return value instanceof ConstantSequence ? value : undefined;
    }
    const count = sizeOfArray(value.indices.slice(0, 1));
    return new ConstantSequence(Array.from({ length: count }, (_, row) => value.row(1, row) ?? NONE));
}

/** Whether two known values are equal, of which one may be a list for a sequence. */
export function areEqualConstants(first: ConstantValue, second: ConstantValue): boolean {
    const isOne = first instanceof ConstantSequence || second instanceof ConstantSequence;
    const [left, right] = [constantSequenceOf(first), constantSequenceOf(second)];
    return isOne && left && right
        ? left.parts.length === right.parts.length &&
              left.parts.every((part, place) => areEqualConstants(part, right.parts[place] ?? NONE))
        : areEqualValues(first, second);
}

/** The indices of a known array, or of a sequence its places. */
export function indicesOfConstant(value: ConstantValue): readonly Domain[] {
    return value instanceof ConstantSequence
        ? [{ kind: 'range', low: 0, high: value.parts.length - 1 }]
        : value instanceof ConstantArray
          ? value.indices
          : [];
}

/** The row at a position among the values of the first `count` indices. */
export function rowOfConstant(value: ConstantValue, count: number, position: number): ConstantValue | undefined {
    return value instanceof ConstantSequence
        ? value.parts[position]
        : value instanceof ConstantArray
          ? value.row(count, position)
          : undefined;
}

/** A condition without which the value is a fault: `tail` of an empty sequence. */
export interface Check {
    readonly condition: Expression;
    readonly fault: 'index' | 'undefined';
    /** It is true, or a fault of its own: of values that may be asked for by nobody. */
    readonly isEvaluation?: true;
}

export class LoweredSequence extends LoweredValue {
    readonly range: SourceRange;
    /** The number of elements where the checks hold. */
    readonly length: Expression;
    /** The element at a place that is below the length. */
    readonly elementAt: (place: Expression) => LoweredValue;
    readonly checks: readonly Check[];
    readonly #shape: SequenceShape | undefined;

    /** Without a shape it is `[]`, which has every type. */
    constructor(
        shape: SequenceShape | undefined,
        length: Expression,
        at: (place: Expression) => LoweredValue,
        range: SourceRange,
        checks: readonly Check[] = [],
    ) {
        super();
        this.#shape = shape;
        this.length = length;
        this.range = range;
        this.checks = checks;
        this.elementAt = place =>
            place.kind === 'constant' && place.value >= this.most ? missing('index', range) : at(place);
    }

    override get isSequence(): boolean {
        return true;
    }

    /** The most elements that it may have. */
    get most(): number {
        return this.#shape?.capacity ?? 0;
    }

    shape(): SequenceShape {
        return this.#shape ?? NOTHING;
    }

    cellShape(): CellShape | undefined {
        return isDomain(this.shape().oneCell()) ? this.shape().asCell() : undefined;
    }

    toScalar(): Expression {
        return this.shape().asCell().valueAs(this).toScalar();
    }

    field(): LoweredValue {
        return this;
    }

    /** Whether a place, from 0 on, is below the length. */
    has(place: Expression): Expression {
        return place.kind === 'constant' && place.value >= this.most
            ? constantOf(0, BOOLEAN, this.range)
            : less(place, this.length, this.range);
    }

    /** True or a fault: of what is evaluated whatever is asked of the sequence. */
    get sure(): Expression | undefined {
        return this.#allOf(this.checks);
    }

    override get stored(): Stored {
        const last = this.checks.map(({ isEvaluation }) => isEvaluation).lastIndexOf(true);
        const rest = this.checks.filter(check => check.isEvaluation !== true);
        const { length, range, elementAt } = this;
        return last < 0
            ? { value: this }
            : {
                  sure: this.#allOf(this.checks.slice(0, last + 1)),
                  value: new LoweredSequence(this.#shape, length, elementAt, range, rest),
              };
    }

    #allOf(checks: readonly Check[]): Expression | undefined {
        return checks.reduceRight<Expression | undefined>((rest, { condition, fault }) => {
            const then = rest ?? constantOf(1, BOOLEAN, this.range);
            return chosen(condition, scalarValue(then), missing(fault, this.range), this.range).toScalar();
        }, undefined);
    }

    /** Whether a place is below the length, where the sequence is one. */
    hasPlace(place: Expression): Expression {
        const isThere = this.has(place);
        return all([this.sure, isThere]) ?? isThere;
    }

    override get parts(): readonly Expression[] {
        return [this.checkedLength()];
    }

    checkedLength(): Expression {
        const length = scalarValue(this.length);
        return this.checks
            .reduceRight<LoweredValue>(
                (value, { condition, fault }) => chosen(condition, value, missing(fault, this.range), this.range),
                length,
            )
            .toScalar();
    }

    /** What the indices name: an element, the fault `index` where there is none, then its own parts. */
    override at([place, ...others]: readonly Expression[]): LoweredValue {
        return place === undefined ? this : this.checkedAt(place, 'index').at(others);
    }

    /** The element at a place, or the fault where there is none. */
    checkedAt(place: Expression, fault: Check['fault'], range: SourceRange = this.range): LoweredValue {
        const checks = [...this.checks, { condition: this.has(place), fault }];
        return checks.reduceRight(
            (value, check) => chosen(check.condition, value, missing(check.fault, range), range),
            this.elementAt(place),
        );
    }

    /** The element at a place where the checks hold. */
    presentAt(place: Expression): LoweredValue {
        return chosen(this.has(place), this.elementAt(place), missing('index', this.range), this.range);
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredSequence {
        const sequences = values.map(sequenceOf);
        const at = (place: Expression): LoweredValue =>
            combine(
                sequences.map(sequence => sequence.elementAt(place)),
                make,
            );
        const length = make(sequences.map(sequence => sequence.checkedLength()));
        return new LoweredSequence(joinedSequence(sequences), length, at, this.range);
    }

    /** The same from either side: an absent place is never compared. */
    override compareCases(
        operator: '==' | '!=',
        left: LoweredValue,
        right: LoweredValue,
        range: SourceRange,
    ): readonly Expression[] {
        const [first, second] = [sequenceOf(left), sequenceOf(right)];
        const [inside, outside] = operator === '==' ? (['and', 'or'] as const) : (['or', 'and'] as const);
        const parts = [binary(operator, first.checkedLength(), second.checkedLength(), range)];
        for (let place = 0; place < Math.min(first.most, second.most); place++) {
            const at = numberOf(place, range);
            const conditions = [first.has(at), second.has(at)];
            if (conditions.some(isFalse)) {
                continue;
            }
            const open = conditions.filter(condition => !isTrue(condition));
            const own = open.map(condition => (operator === '==' ? not(condition) : condition));
            const compared = comparison(operator, first.presentAt(at), second.presentAt(at), range);
            parts.push(joined([...own, compared], outside, range));
        }
        return parts.length === 1 ? parts : [joined(parts, inside, range)];
    }
}

/** The shape of the sequences with the elements of all; undefined if all of them are `[]`. */
function joinedSequence(sequences: readonly LoweredSequence[]): SequenceShape | undefined {
    const filled = sequences.filter(({ most }) => most > 0);
    const [first] = filled;
    if (first === undefined) {
        return undefined;
    }
    const place = numberOf(0, first.range);
    const sample = combine(
        filled.map(sequence => sequence.elementAt(place)),
        ([option]) => option ?? place,
    );
    const { member } = first.shape();
    const isSame = filled.every(sequence => sequence.shape().member.isSame(member));
    return new SequenceShape(Math.max(...filled.map(({ most }) => most)), isSame ? member : sample.shape());
}

/** The sequence of these elements. */
export function listed(
    elements: readonly LoweredValue[],
    member: Shape | undefined,
    range: SourceRange,
): LoweredSequence {
    const places: Domain = { kind: 'range', low: 0, high: elements.length - 1 };
    const [only] = elements;
    const at = (place: Expression): LoweredValue =>
        elements.length === 1 && only !== undefined
            ? only
            : selectElement([places], [place], row => elements[row] ?? missing('index', range), range);
    const shape = member && new SequenceShape(elements.length, member);
    return new LoweredSequence(shape, numberOf(elements.length, range), at, range, evaluating(elements));
}

/** Whether a value is a sequence, split or in one cell, or a channel. */
export function isSequence(value: LoweredValue): boolean {
    return value.isSequence || value.contents() !== undefined;
}

/** The value as a sequence: of a list its elements, of a channel its messages. */
export function sequenceOf(value: LoweredValue): LoweredSequence {
    if (value instanceof LoweredSequence) {
        return value;
    }
    const { range } = value;
    if (value instanceof LoweredArray) {
        const capacity = sizeOfArray(value.indices.slice(0, 1));
        const at = (place: Expression): LoweredValue => value.at([place]);
        const shape = new SequenceShape(capacity, at(numberOf(0, range)).shape());
        const elements = Array.from({ length: capacity }, (_, place) => at(numberOf(place, range)));
        return new LoweredSequence(shape, numberOf(capacity, range), at, range, evaluating(elements));
    }
    const contents = value.contents();
    return contents instanceof LoweredSequence
        ? contents
        : new LoweredSequence(undefined, value.toScalar(), () => value, range);
}

/** The elements of `second` stand behind those of `first`. */
export function concatenated(first: LoweredSequence, second: LoweredSequence, range: SourceRange): LoweredSequence {
    const joinedShape = joinedSequence([first, second]);
    const shape = joinedShape && new SequenceShape(first.most + second.most, joinedShape.member);
    const at = (place: Expression): LoweredValue => {
        const behind = second.elementAt(minus(place, first.length, range));
        return chosen(first.has(place), first.elementAt(place), behind, range);
    };
    const length = plus(first.length, second.length, range);
    return new LoweredSequence(shape, length, at, range, [...first.checks, ...second.checks]);
}

/** That values are evaluated, though none of them may be asked for. */
function evaluating(values: readonly LoweredValue[]): Check[] {
    const condition = evaluated(values.flatMap(value => value.parts));
    return condition === undefined ? [] : [{ condition, fault: 'undefined', isEvaluation: true }];
}

/**
 * So many elements from a place on; `check` says when there are so many. Where the number is not that of the sequence less
 * a constant, each place is asked for, so that a formula over both never has the value of a place that is not there.
 */
export function sliced(
    sequence: LoweredSequence,
    from: Expression,
    length: Expression,
    check: Check,
    range: SourceRange,
): LoweredSequence {
    const at = (place: Expression): LoweredValue => {
        const own = plus(from, place, range);
        return check.fault === 'index' ? sequence.presentAt(own) : sequence.elementAt(own);
    };
    return new LoweredSequence(sequence.shape(), length, at, range, [...sequence.checks, check]);
}

/** Without the element at a place. */
export function without(sequence: LoweredSequence, left: Expression, range: SourceRange): LoweredSequence {
    const at = (place: Expression): LoweredValue => {
        const next = sequence.elementAt(plus(place, numberOf(1, range), range));
        return chosen(less(place, left, range), sequence.elementAt(place), next, range);
    };
    const condition = binary('and', less(numberOf(-1, range), left, range), sequence.has(left), range);
    return new LoweredSequence(sequence.shape(), plus(sequence.length, numberOf(-1, range), range), at, range, [
        ...sequence.checks,
        { condition, fault: 'index' },
    ]);
}

/** The shape of `[]`. */
const NOTHING = new SequenceShape(0, new ScalarShape({ kind: 'range', low: 0, high: -1 }));

/** The value where the condition holds, else the other one. */
function chosen(condition: Expression, then: LoweredValue, otherwise: LoweredValue, range: SourceRange): LoweredValue {
    if (condition.kind === 'constant') {
        return condition.value === 1 ? then : otherwise;
    }
    return combine([then, otherwise], ([first, second]) => {
        invariant(first !== undefined && second !== undefined, 'a choice has its branches');
        return { kind: 'conditional', condition, then: first, otherwise: second, range };
    });
}

function missing(fault: Check['fault'], range: SourceRange): LoweredValue {
    return scalarValue({ kind: 'fault', fault, range });
}

function isTrue(condition: Expression): boolean {
    return condition.kind === 'constant' && condition.value === 1;
}

function isFalse(condition: Expression): boolean {
    return condition.kind === 'constant' && condition.value === 0;
}

function not(operand: Expression): Expression {
    return { kind: 'unary', operator: 'not', operand, range: operand.range };
}

/** The sum; constants are added up. */
export function plus(first: Expression, second: Expression, range: SourceRange): Expression {
    return second.kind === 'constant'
        ? shifted(first, second.value, range)
        : first.kind === 'constant'
          ? shifted(second, first.value, range)
          : binary('+', first, second, range);
}

export function minus(first: Expression, second: Expression, range: SourceRange): Expression {
    return second.kind === 'constant' ? shifted(first, -second.value, range) : binary('-', first, second, range);
}

function shifted(expression: Expression, by: number, range: SourceRange): Expression {
    if (expression.kind === 'constant') {
        return numberOf(expression.value + by, range);
    }
    const [inner, own] = shiftOf(expression);
    const total = own + by;
    return total === 0 ? inner : binary(total > 0 ? '+' : '-', inner, numberOf(Math.abs(total), range), range);
}

/** An expression as another one and a number that is added to it. */
function shiftOf(expression: Expression): readonly [Expression, number] {
    const isSum = expression.kind === 'binary' && (expression.operator === '+' || expression.operator === '-');
    if (!isSum || expression.right.kind !== 'constant') {
        return [expression, 0];
    }
    const { value } = expression.right;
    return [expression.left, expression.operator === '+' ? value : -value];
}

/** Whether the first is less; numbers are moved to the side of a constant. */
export function less(first: Expression, second: Expression, range: SourceRange): Expression {
    if (first.kind === 'constant') {
        const [inner, own] = shiftOf(second);
        return inner.kind === 'constant'
            ? constantOf(first.value < inner.value + own ? 1 : 0, BOOLEAN, range)
            : binary('<', numberOf(first.value - own, range), inner, range);
    }
    return binary('<', first, second, range);
}
