/** Records: split into their fields, or with a `where`, as an optional value or as an index one value of a list. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import { domainSize, NONE, type Domain, type RecordDomain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { nameOfElement, sizeOfArray } from '../../engine/sequential/cell-layout.js';
import type { EnumerationValue, RecordDeclaration } from '../generated/nodes.js';
import { arrayByRow, ArrayShape, ConstantArray } from './array.js';
import { binary, constantOf, numberOf } from './build-expression.js';
import { combineCases, LoweredCases, mayBeNone, OptionalCases, type CasesOwner, type FieldShape } from './cases.js';
import { isNowhere, LoweredScalar, WholeCell, scalarValue } from './cell.js';
import { combine } from './combine.js';
import { allTuples } from './domains.js';
import {
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
    type Pair,
    type ScalarAt,
    Shape,
    type Type,
    type ValueCases,
} from './shape.js';

export class RecordShape extends Shape implements CasesOwner {
    readonly declaration: RecordDeclaration | EnumerationValue;
    readonly fields: readonly FieldShape[];
    /** The values of a record with a `where`, which is stored in one cell. Other records are split into fields. */
    readonly atomic: RecordDomain | undefined;
    #scalarCount: number | undefined;
    #oneCell: RecordDomain | NotAtomic | undefined;
    /** By the values in a tuple, its position. */
    #positions: ReadonlyMap<string, number> | undefined;

    constructor(declaration: RecordShape['declaration'], fields: readonly FieldShape[], atomic?: RecordDomain) {
        super();
        this.declaration = declaration;
        this.fields = fields;
        this.atomic = atomic;
    }

    get name(): string {
        return this.declaration.name;
    }

    get type(): Type {
        return { kind: 'named', shape: this };
    }

    leaves(): Leaf[] {
        return this.atomic !== undefined
            ? this.asCell().leaves()
            : this.fields.flatMap(({ name, shape }) => shape.leaves().map(leaf => insideField(name, leaf)));
    }

    /** Computed once: nested records may have exponentially many scalars. */
    scalarCount(): number {
        this.#scalarCount ??=
            this.atomic === undefined ? this.fields.reduce((sum, { shape }) => sum + shape.scalarCount(), 0) : 1;
        return this.#scalarCount;
    }

    hasNoValue(): boolean {
        return this.fields.some(({ shape }) => shape.hasNoValue());
    }

    holdsReference(): boolean {
        return this.fields.some(({ shape }) => shape.holdsReference());
    }

    isSame(other: Shape): boolean {
        return other instanceof RecordShape && other.declaration === this.declaration;
    }

    /** A record that is split stays so: it or `none`. */
    withNone(): OptionalCases | RecordCell {
        return this.atomic === undefined
            ? new OptionalCases(this)
            : new RecordCell(this, { kind: 'optional', base: this.atomic });
    }

    get cases(): readonly RecordShape[] {
        return [this];
    }

    get caseDomain(): Domain {
        return { kind: 'enumeration', name: this.name, values: [this.name] };
    }

    leafOfField(_position: number, field: number, leaf: Leaf): Leaf {
        return insideField(this.fields[field]?.name ?? '', leaf);
    }

    fieldOfCase(_position: number, field: number): number {
        return field;
    }

    presentValue({ fields: [fields = []] }: ValueCases, range: SourceRange): LoweredRecord {
        return new LoweredRecord(this, fields, range);
    }

    cellOfCase(_position: number, fields: readonly LoweredValue[], range: SourceRange): Expression {
        return new LoweredRecord(this, fields, range).toScalar();
    }

    format(): string {
        return this.name;
    }

    describeOne(): string {
        return `a record ${this.describe()}`;
    }

    describeSome(): string {
        return `records ${this.describe()}`;
    }

    describeValues(): string {
        return this.atomic === undefined
            ? `record of ${formatNumberOf(this.scalarCount(), 'cell')}`
            : formatNumberOf(domainSize(this.atomic), 'value');
    }

    override describeParts(): string | undefined {
        return this.atomic === undefined
            ? 'records that are stored field by field; state this of the type of a field'
            : undefined;
    }

    oneCell(): RecordDomain | NotAtomic {
        this.#oneCell ??= this.atomic ?? this.#allValues();
        return this.#oneCell;
    }

    #allValues(): RecordDomain | NotAtomic {
        const fields = this.cellFields();
        if ('problem' in fields) {
            return fields;
        }
        const domains = fields.map(({ domain }) => domain);
        const count = sizeOfArray(domains);
        return count > TUPLE_LIMIT
            ? { problem: 'too-large', count }
            : { kind: 'record', name: this.name, fields, tuples: allTuples(domains), format: this.cellFormat() };
    }

    /** The fields of the record in one cell. A field that is an array becomes one field for each element. */
    cellFields(): RecordDomain['fields'] | NotAtomic {
        const all: RecordDomain['fields'][number][] = [];
        for (const { name, shape } of this.fields) {
            const domain = shape.element.oneCell();
            if (!isDomain(domain)) {
                return domain;
            }
            if (sizeOfArray(shape.indices) > TUPLE_LIMIT) {
                return { problem: 'too-large', count: Number.POSITIVE_INFINITY };
            }
            for (let row = 0; row < sizeOfArray(shape.indices); row++) {
                all.push({ name: nameOfElement({ name, indices: shape.indices }, row), domain });
            }
        }
        return all;
    }

    /** How a value in one cell is written, by the places of `cellFields`, of which the first is `start`. */
    cellFormat(start = 0): ValueFormat<number> & { readonly kind: 'record' } {
        let next = start;
        const fields = this.fields.map(({ shape: { indices, element } }) => {
            const first = next;
            next += sizeOfArray(indices);
            const shape = indices.length === 0 ? element.asCell() : new ArrayShape(indices, element.asCell());
            return shape.valueFormat((_, row) => first + row);
        });
        return { kind: 'record', name: this.name, fields };
    }

    /** The values of the fields, from those of `cellFields`. */
    fieldValues(tuple: readonly Value[]): ConstantValue[] {
        let next = 0;
        return this.fields.map(({ shape: { indices, element } }) => {
            const values = tuple
                .slice(next, (next += sizeOfArray(indices)))
                .map(value => element.constantOfCell(value));
            return indices.length === 0 ? (values[0] ?? NONE) : new ConstantArray(indices, values);
        });
    }

    /** The number of a value in one cell, from the values of `cellFields`; undefined if there is no such value. */
    positionOf(tuple: readonly (Value | undefined)[]): Value | undefined {
        const domain = this.oneCell();
        this.#positions ??= new Map(
            isDomain(domain) ? domain.tuples.map((values, position) => [values.join(), position]) : [],
        );
        return this.#positions.get(tuple.join());
    }

    asCell(): RecordCell {
        const domain = this.oneCell();
        invariant(isDomain(domain), 'a checked record in one cell has few values');
        return new RecordCell(this, domain);
    }

    constantOfCell(value: Value): ConstantValue {
        const domain = this.oneCell();
        const tuple = isDomain(domain) ? domain.tuples[value] : undefined;
        return tuple === undefined ? value : new ConstantRecord(this, this.fieldValues(tuple));
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        return value instanceof ConstantRecord && value.shape.isSame(this) ? value : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        const whole = { shape: this, value };
        if (!(value instanceof ConstantRecord)) {
            return whole;
        }
        const inside = this.fields
            .map(({ shape }, position) => shape.misfit(value.parts[position] ?? NONE))
            .find(misfit => misfit !== undefined);
        return inside ?? (this.atomic !== undefined && value.cellValue() === undefined ? whole : undefined);
    }

    firstValue(): ConstantValue | undefined {
        if (this.atomic !== undefined) {
            return this.asCell().firstValue();
        }
        const fields = this.fields.map(({ shape }) => shape.firstValue());
        return fields.every(field => field !== undefined) ? new ConstantRecord(this, fields) : undefined;
    }

    formatValue(value: ConstantValue): string {
        if (!(value instanceof ConstantRecord)) {
            // The value of a constant may be a number where its type has an error.
            return String(cellValueOf(value));
        }
        const fields = this.fields.map(({ shape }, position) => shape.formatValue(value.parts[position] ?? NONE));
        return `${this.name}(${fields.join(', ')})`;
    }

    plainValue(value: ConstantValue): ParameterValue {
        invariant(value instanceof ConstantRecord, 'a value of this shape is a record');
        const plain = this.fields.map(({ name, shape }, position): [string, ParameterValue] => [
            name,
            shape.plainValue(value.parts[position] ?? NONE),
        ]);
        return Object.fromEntries(plain);
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        if (this.atomic !== undefined) {
            return { kind: 'scalar', place: at(0, 0) };
        }
        let next = 0;
        const fields = this.fields.map(({ shape }) => {
            const first = next;
            next += shape.leaves().length;
            return shape.valueFormat((leaf, row) => at(first + leaf, row));
        });
        return { kind: 'record', name: this.name, fields };
    }

    read(scalarAt: ScalarAt, range: SourceRange): LoweredValue {
        if (this.atomic !== undefined) {
            return this.asCell().read(scalarAt);
        }
        let next = 0;
        const fields = this.fields.map(({ shape }) => {
            const first = next;
            next += shape.leaves().length;
            return shape.read((leaf, indices) => scalarAt(first + leaf, indices), range);
        });
        return new LoweredRecord(this, fields, range);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredValue {
        if (this.atomic !== undefined || !(value instanceof ConstantRecord)) {
            return this.asCell().constant(value, range);
        }
        const fields = this.fields.map(({ shape }, position) => shape.constant(value.parts[position] ?? NONE, range));
        return new LoweredRecord(this, fields, range);
    }

    valueAs(value: LoweredValue): LoweredValue {
        if (this.atomic !== undefined) {
            return this.asCell().valueAs(value);
        }
        if (value instanceof LoweredCases) {
            return this.valueAs(value.orFault('range', value.range));
        }
        const { range } = value;
        const fields = this.fields.map(({ shape }, position) => shape.valueAs(value.field(position, range)));
        return new LoweredRecord(this, fields, range);
    }

    scalarsOf(value: LoweredValue): readonly (readonly Expression[])[] {
        if (this.atomic !== undefined) {
            return this.asCell().scalarsOf(value);
        }
        if (value instanceof LoweredCases) {
            return this.scalarsOf(this.valueAs(value));
        }
        const { range } = value;
        return this.fields.flatMap(({ shape }, position) => shape.scalarsOf(value.field(position, range)));
    }
}

export function insideField(name: string, leaf: Leaf): Leaf {
    const [own, ...rest] = leaf.segments;
    const field = { text: `.${name}`, indices: own?.indices ?? 0 };
    return { ...leaf, path: [name, ...leaf.path], segments: [{ text: '', indices: 0 }, field, ...rest] };
}

/** A record in one cell, possibly optional. */
export class RecordCell extends WholeCell<RecordShape> {
    override withDomain(domain: Domain): RecordCell {
        return new RecordCell(this.whole, domain);
    }

    override cases(value: Expression): ValueCases {
        const { range } = value;
        const fields = this.whole.fields.map((_, position) => this.field(value, position, range));
        const own = constantOf(0, this.whole.caseDomain, range);
        const condition = binary('==', value, numberOf(NONE, range), range);
        const tag: Expression = this.isOptional
            ? { kind: 'conditional', condition, then: numberOf(NONE, range), otherwise: own, range }
            : own;
        return { tag, fields: [fields] };
    }

    override field(record: Expression, position: number, range: SourceRange): LoweredValue {
        const { fields } = this.whole;
        const domain = this.whole.oneCell();
        const own = fields[position]?.shape;
        invariant(isDomain(domain) && own !== undefined, 'a checked record in one cell has few values, and its fields');
        const tuple = record.kind === 'constant' ? domain.tuples[record.value] : undefined;
        const first = fields.slice(0, position).reduce((sum, { shape }) => sum + sizeOfArray(shape.indices), 0);
        const cell = own.element.asCell();
        const isTested = record.kind === 'read' && record.isPresent === true;
        const part = (row: number): LoweredValue => {
            const field = first + row;
            const known = tuple?.[field];
            const expression: Expression =
                known === undefined
                    ? fieldOf(record, domain, field, this.isOptional && !isTested, range)
                    : constantOf(known, cell.domain, range);
            return scalarValue(expression, cell);
        };
        return own.indices.length === 0 ? part(0) : arrayByRow(own.indices, part, range);
    }
}

/** A field of a record in one cell; of `none` it is the fault `case`. */
function fieldOf(
    record: Expression,
    domain: RecordDomain,
    field: number,
    mayBeNone: boolean,
    range: SourceRange,
): Expression {
    const then: Expression = { kind: 'field', record, domain, field, range };
    const condition = binary('!=', record, numberOf(NONE, range), range);
    const otherwise: Expression = { kind: 'fault', fault: 'case', range };
    return mayBeNone ? { kind: 'conditional', condition, then, otherwise, range } : then;
}

export class ConstantRecord implements ConstantParts {
    readonly kind = 'record';
    readonly shape: RecordShape;
    /** One for each field of the shape. */
    readonly parts: readonly ConstantValue[];

    constructor(shape: RecordShape, parts: readonly ConstantValue[]) {
        this.shape = shape;
        this.parts = parts;
    }

    cellValue(): Value | undefined {
        return this.shape.positionOf(this.cellValues());
    }

    /** One for each of `cellFields`. */
    cellValues(): (Value | undefined)[] {
        return this.parts.flatMap(part => (part instanceof ConstantArray ? part.parts : [part])).map(cellValueOf);
    }
}

/** A record that is split into its fields. */
export class LoweredRecord extends LoweredValue {
    readonly range: SourceRange;
    readonly #shape: RecordShape;
    readonly #fields: readonly LoweredValue[];

    constructor(shape: RecordShape, fields: readonly LoweredValue[], range: SourceRange) {
        super();
        this.#shape = shape;
        this.#fields = fields;
        this.range = range;
    }

    shape(): RecordShape {
        return this.#shape;
    }

    cellShape(): CellShape {
        return this.#shape.asCell();
    }

    /** A record in one cell. The place that stores it checks the types of the fields. */
    toScalar(): Expression {
        const { domain } = this.#shape.asCell();
        invariant(domain.kind === 'record', 'a record without `none` has its domain');
        const fields = cellsOfFields(this.#fields);
        const tuple = fields.flatMap(field => (field.kind === 'constant' ? [field.value] : []));
        const position = tuple.length < fields.length ? undefined : this.#shape.positionOf(tuple);
        return position === undefined
            ? { kind: 'record', domain, fields, range: this.range }
            : constantOf(position, domain, this.range);
    }

    field(position: number): LoweredValue {
        const field = this.#fields[position];
        invariant(field !== undefined, 'a record has the fields of its shape');
        return field;
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredValue | undefined {
        if (values.some(mayBeNone)) {
            return combineCases(new OptionalCases(this.#shape), values, make);
        }
        if (!values.every(value => value instanceof LoweredRecord || isNowhere(value))) {
            return undefined;
        }
        const fields = this.#fields.map((_, position) =>
            combine(
                values.map(value => value.field(position, this.range)),
                make,
            ),
        );
        return new LoweredRecord(this.#shape, fields, this.range);
    }

    override cases(): ValueCases {
        return { tag: constantOf(0, this.#shape.caseDomain, this.range), fields: [this.#fields] };
    }

    override pairs(first: LoweredValue, second: LoweredValue): readonly Pair[] | undefined {
        return first instanceof LoweredRecord && second instanceof LoweredRecord
            ? first.#fields.map((field, position) => [field, second.field(position)])
            : undefined;
    }
}

/** The values of the fields of a record in one cell, which is made only where they are of their types. */
export function cellsOfFields(fields: readonly LoweredValue[]): Expression[] {
    return fields
        .flatMap(field => field.elements())
        .map(field => (field instanceof LoweredScalar ? field.expression : field.toScalar()));
}

/** The shape of the records that values of a type are; undefined if they are no records, or may be `none`. */
function recordOf(type: Type): RecordShape | undefined {
    return type.kind === 'named' && type.shape instanceof RecordShape ? type.shape : undefined;
}

/** The shape of the records that a place holds, or of the records or `none`; undefined if it holds no records. */
export function recordShapeOf(shape: Shape | undefined): RecordShape | undefined {
    const type = shape?.type;
    return type && recordOf(type.kind === 'optional' ? type.base : type);
}
