/** Values in one cell: what the shapes of scalars, of channels and of records in one cell share; scalars themselves. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import {
    baseOf,
    codeOfValue,
    domainSize,
    formatDomain,
    formatValue,
    isNames,
    NONE,
    plainValue,
    templateOf,
    valueOfCode,
    valuesOfDomain,
    type Domain,
    type Value,
} from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { constantOf, numberOf } from './build-expression.js';
import { isSameDomain } from './domains.js';
import { insideDomain, isInside } from './inside-domain.js';
import {
    cellValueOf,
    type CellShape,
    type ConstantValue,
    type Leaf,
    LoweredValue,
    type Misfit,
    type ScalarAt,
    Shape,
    type Type,
    type ValueCases,
} from './shape.js';
import { describeDomain, integer, truth, typeOfDomain } from './type.js';

export abstract class OneCell extends Shape implements CellShape {
    abstract readonly domain: Domain;
    abstract withDomain(domain: Domain): CellShape;

    override get isOptional(): boolean {
        return this.domain.kind === 'optional';
    }

    get type(): Type {
        return typeOfDomain(this.domain);
    }

    leaves(): Leaf[] {
        return [{ path: [], segments: [{ text: '', indices: 0 }], element: this.domain, indices: [] }];
    }

    scalarCount(): number {
        return 1;
    }

    hasNoValue(): boolean {
        return domainSize(this.domain) === 0;
    }

    holdsReference(): boolean {
        return templateOf(this.domain) !== undefined;
    }

    withNone(): Shape {
        return this.withDomain({ kind: 'optional', base: this.domain });
    }

    format(): string {
        return this.domain.name ?? formatDomain(this.domain);
    }

    describeValues(): string {
        const { domain } = this;
        if (templateOf(domain) !== undefined) {
            const what = isNames(domain) ? 'a value' : 'an instance';
            const instance = `${what} of ${formatDomain(baseOf(domain))}`;
            return domain.kind === 'optional' ? `${instance}, or none` : instance;
        }
        const size = domainSize(domain);
        const values =
            size <= LISTED_VALUES
                ? valuesOfDomain(domain)
                      .map(value => formatValue(domain, value))
                      .join(', ')
                : formatDomain(domain);
        return `${formatNumberOf(size, 'value')}: ${values}`;
    }

    oneCell(): Domain {
        return this.domain;
    }

    asCell(): this {
        return this;
    }

    constantOfCell(value: Value): ConstantValue {
        return value;
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        return typeof value === 'number' ? value : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        const cell = cellValueOf(value);
        return cell !== undefined && codeOfValue(this.domain, cell) >= 0 ? undefined : { shape: this, value };
    }

    firstValue(): ConstantValue | undefined {
        return this.hasNoValue() ? undefined : this.constantOfCell(valueOfCode(this.domain, 0));
    }

    override typeOf(value: ConstantValue): Type {
        if (value === NONE) {
            return { kind: 'none' };
        }
        const { type } = this;
        const base = type.kind === 'optional' ? type.base : type;
        switch (base.kind) {
            case 'integer':
                return typeof value === 'number' ? integer(value, value) : base;
            case 'boolean':
                return truth(value !== 0);
            default:
                return base;
        }
    }

    formatValue(value: ConstantValue): string {
        invariant(typeof value === 'number', 'a value of this shape is a number');
        return formatValue(this.domain, value);
    }

    plainValue(value: ConstantValue): ParameterValue {
        invariant(typeof value === 'number', 'a value of this shape is a number');
        return value === NONE ? null : plainValue(this.domain, value);
    }

    field(_record: Expression, _position: number, _range: SourceRange): LoweredValue | undefined {
        return undefined;
    }

    cases(_value: Expression): ValueCases | undefined {
        return undefined;
    }

    contents(_value: Expression): LoweredValue | undefined {
        return undefined;
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        return { kind: 'scalar', place: at(0, 0) };
    }

    read(scalarAt: ScalarAt): LoweredValue {
        return scalarValue(scalarAt(0, []), this);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredValue {
        const cell = cellValueOf(value) ?? NONE;
        return scalarValue(isUnknown(this.domain) ? numberOf(cell, range) : constantOf(cell, this.domain, range), this);
    }

    valueAs(value: LoweredValue): LoweredScalar {
        const expression = uncheckedScalar(value, this);
        const isChecked = !(value instanceof LoweredScalar && value.isUnchecked);
        const isUnchecked = !isChecked || !isInside(expression, value.cellShape()?.domain, this.domain);
        return new LoweredScalar(expression, this, isUnchecked);
    }

    scalarsOf(value: LoweredValue): Expression[][] {
        return [[this.valueAs(value).expression]];
    }
}

/** Small domains are listed, larger ones are described by their bounds. */
const LISTED_VALUES = 8;

/** Truth values, integers, and the names of an enumeration. */
export class ScalarShape extends OneCell {
    readonly domain: Domain;

    constructor(domain: Domain) {
        super();
        this.domain = domain;
    }

    override describe(): string {
        return describeDomain(this.domain);
    }

    withDomain(domain: Domain): ScalarShape {
        return new ScalarShape(domain);
    }

    isSame(other: Shape): boolean {
        return other instanceof ScalarShape && isSameDomain(this.domain, other.domain);
    }
}

/** A value with parts in one cell, possibly optional. */
export abstract class WholeCell<Whole extends Shape> extends ScalarShape {
    /** The same value as its parts. */
    readonly whole: Whole;

    constructor(whole: Whole, domain: Domain) {
        super(domain);
        this.whole = whole;
    }

    override get type(): Type {
        const { type } = this.whole;
        const isPlain = type.kind === 'named' || type.kind === 'set';
        return this.isOptional && isPlain ? { kind: 'optional', base: type } : type;
    }

    abstract override withDomain(domain: Domain): WholeCell<Whole>;

    override constantOfCell(value: Value): ConstantValue {
        return value === NONE ? value : this.whole.constantOfCell(value);
    }

    override constantAs(value: ConstantValue): ConstantValue | undefined {
        return typeof value === 'number' ? value : this.whole.constantAs(value);
    }

    override typeOf(value: ConstantValue): Type {
        return value === NONE ? { kind: 'none' } : this.whole.typeOf(value);
    }

    override formatValue(value: ConstantValue): string {
        return typeof value === 'number' ? super.formatValue(value) : this.whole.formatValue(value);
    }

    override plainValue(value: ConstantValue): ParameterValue {
        return typeof value === 'number' ? super.plainValue(value) : this.whole.plainValue(value);
    }
}

/** The result of an operator, which has no type. */
const UNKNOWN_CELL = new ScalarShape({
    kind: 'range',
    low: Number.MIN_SAFE_INTEGER,
    high: Number.MAX_SAFE_INTEGER,
});

/** Whether a domain is that of the result of an operator, which has no type. */
export function isUnknown(domain: Domain): boolean {
    return domain === UNKNOWN_CELL.domain;
}

export class LoweredScalar extends LoweredValue {
    readonly expression: Expression;
    /** Undefined for the results of operators and for `none`. */
    readonly cell: CellShape | undefined;
    /** A field given to a record. The place that stores it checks its type; other uses check it with `toScalar`. */
    readonly isUnchecked: boolean;

    constructor(expression: Expression, cell: CellShape | undefined, isUnchecked: boolean) {
        super();
        this.expression = expression;
        this.cell = cell;
        this.isUnchecked = isUnchecked;
    }

    get range(): SourceRange {
        return this.expression.range;
    }

    shape(): Shape {
        return this.cell ?? UNKNOWN_CELL;
    }

    override get parts(): readonly Expression[] {
        return [this.expression];
    }

    cellShape(): CellShape | undefined {
        return this.cell;
    }

    toScalar(): Expression {
        return this.isUnchecked && this.cell !== undefined
            ? insideDomain(this.expression, undefined, this.cell.domain)
            : this.expression;
    }

    /** The same value where a test has shown that it is not `none`. */
    withPresence(): LoweredScalar {
        const { expression, cell, isUnchecked } = this;
        return expression.kind === 'read'
            ? new LoweredScalar({ ...expression, isPresent: true }, cell, isUnchecked)
            : this;
    }

    field(position: number, range: SourceRange): LoweredValue {
        return this.cell?.field(this.expression, position, range) ?? this;
    }

    override contents(): LoweredValue | undefined {
        return this.cell?.contents(this.expression);
    }

    /** An element of the sequence, or a message of the channel. */
    override at(indices: readonly Expression[]): LoweredValue {
        return indices.length === 0 ? this : (this.contents()?.at(indices) ?? this);
    }

    override cases(): ValueCases | undefined {
        // Of the values without a type only `none` stands in the place of such a value.
        return this.cell === undefined ? { tag: this.expression, fields: [] } : this.cell.cases(this.expression);
    }
}

export function isNone(value: LoweredValue): boolean {
    return value instanceof LoweredScalar && value.expression.kind === 'constant' && value.expression.value === NONE;
}

/** Whether no run evaluates a value or its fields: it is the element of an empty array, or a field that is not there. */
export function isNowhere(value: LoweredValue): boolean {
    return (
        value instanceof LoweredScalar &&
        (value.expression.kind === 'fault' ||
            (value.expression.kind === 'select' && value.expression.options.length === 0))
    );
}

export function scalarValue(expression: Expression, cell?: CellShape): LoweredScalar {
    return new LoweredScalar(expression, cell, false);
}

/** The value in one expression, for a place of this shape, which checks the values that it stores. */
export function uncheckedScalar(value: LoweredValue, { domain }: CellShape): Expression {
    return value instanceof LoweredScalar && value.cell !== undefined && isSameDomain(value.cell.domain, domain)
        ? value.expression
        : value.toScalar();
}
