/**
 * Enumerations with fields: a value is one of several cases, split into its case and the fields of all cases. As one value
 * it is a record: the case, and the fields of all cases, of which those of other cases are `none`.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import { baseOf, domainSize, NONE, type Domain, type RecordDomain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import type { Enumeration, RecordField } from '../generated/nodes.js';
import { binary, constantOf, numberOf } from './build-expression.js';
import { arrayByRow } from './array.js';
import { CasesShape, LoweredCases, mayBeNone, OptionalCases, type CasesOwner } from './cases.js';
import { LoweredScalar, WholeCell, scalarValue } from './cell.js';
import { cellsOfFields, ConstantRecord, insideField, RecordShape } from './record.js';
import {
    cellValueOf,
    isDomain,
    TUPLE_LIMIT,
    type ConstantParts,
    type ConstantValue,
    type Leaf,
    type LoweredValue,
    type Misfit,
    type NotAtomic,
    type Shape,
    type Type,
    type ValueCases,
} from './shape.js';

export class EnumerationShape extends CasesShape implements CasesOwner {
    readonly declaration: Enumeration;
    readonly caseDomain: Domain;
    /** Each case is a record, which may have no fields. */
    readonly cases: readonly RecordShape[];
    /** The names of the fields of all cases, each once. */
    readonly #fieldNames: readonly string[];
    #oneCell: RecordDomain | NotAtomic | undefined;

    constructor(declaration: Enumeration, cases: readonly RecordShape[]) {
        super();
        const { name } = declaration;
        this.declaration = declaration;
        this.cases = cases;
        this.caseDomain = { kind: 'enumeration', name: `case of ${name}`, values: cases.map(each => each.name) };
        this.#fieldNames = [...new Set(cases.flatMap(({ fields }) => fields.map(field => field.name)))];
    }

    get owner(): this {
        return this;
    }

    get type(): Type {
        return { kind: 'named', shape: this };
    }

    leafOfField(position: number, field: number, leaf: Leaf): Leaf {
        const owner = this.cases[position];
        const name = owner?.fields[field]?.name ?? '';
        const isAlone = this.cases.filter(({ fields }) => fields.some(other => other.name === name)).length === 1;
        return insideField(isAlone ? name : `${owner?.name ?? ''}.${name}`, leaf);
    }

    fieldOfCase(position: number, field: number): number {
        return this.cases[position]?.fields.findIndex(({ name }) => name === this.#fieldNames[field]) ?? -1;
    }

    presentValue(value: ValueCases, range: SourceRange): LoweredCases {
        return new LoweredCases(this, value, range);
    }

    cellOfCase(position: number, fields: readonly LoweredValue[], range: SourceRange): Expression {
        const { domain } = this.asCell();
        invariant(domain.kind === 'record', 'a value without `none` has its domain');
        const given = cellsOfFields(fields);
        const tuple = given.flatMap(field => (field.kind === 'constant' ? [field.value] : []));
        const known = tuple.length < given.length ? undefined : this.positionOf(position, tuple);
        if (known !== undefined) {
            return constantOf(known, domain, range);
        }
        const absent = domain.fields.slice(1).map(() => numberOf(NONE, range));
        const first = this.#firstFields()[position] ?? 1;
        absent.splice(first - 1, given.length, ...given);
        return { kind: 'record', domain, fields: [constantOf(position, this.caseDomain, range), ...absent], range };
    }

    hasNoValue(): boolean {
        return this.cases.some(each => each.hasNoValue());
    }

    holdsReference(): boolean {
        return this.cases.some(each => each.holdsReference());
    }

    isSame(other: Shape): boolean {
        return other instanceof EnumerationShape && other.declaration === this.declaration;
    }

    withNone(): OptionalCases {
        return new OptionalCases(this);
    }

    format(): string {
        return this.declaration.name;
    }

    describeOne(): string {
        return `a value of ${this.describe()}`;
    }

    describeSome(): string {
        return `values of ${this.describe()}`;
    }

    describeValues(): string {
        return `${formatNumberOf(this.cases.length, 'case')} in ${formatNumberOf(this.scalarCount(), 'cell')}`;
    }

    override describeParts(): string {
        return 'values of several cases that are stored field by field; state this of the type of a field';
    }

    oneCell(): RecordDomain | NotAtomic {
        this.#oneCell ??= this.#allValues();
        return this.#oneCell;
    }

    #allValues(): RecordDomain | NotAtomic {
        const domains: RecordDomain[] = [];
        for (const each of this.cases) {
            const domain = each.oneCell();
            if (!isDomain(domain)) {
                return domain;
            }
            domains.push(domain);
        }
        const count = domains.reduce((sum, domain) => sum + domainSize(domain), 0);
        if (count > TUPLE_LIMIT) {
            return { problem: 'too-large', count };
        }
        const first = this.#firstFields();
        const inside = domains.flatMap(({ name, fields }) =>
            fields.map(field => ({ name: `${name}.${field.name}`, domain: optional(field.domain) })),
        );
        return {
            kind: 'record',
            name: this.declaration.name,
            fields: [{ name: 'case', domain: this.caseDomain }, ...inside],
            tuples: domains.flatMap(({ tuples }, position) =>
                tuples.map(values => {
                    const tuple = [position, ...inside.map(() => NONE)];
                    tuple.splice(first[position] ?? 1, values.length, ...values);
                    return tuple;
                }),
            ),
            format: {
                kind: 'cases',
                place: 0,
                cases: this.cases.map((each, position) => each.cellFormat(first[position]).fields),
            },
        };
    }

    /** By case the place of its first field in a value in one cell. */
    #firstFields(): number[] {
        let next = 1;
        return this.cases.map(({ fields }) => {
            const first = next;
            next += fields.reduce((sum, { shape }) => sum + sizeOfArray(shape.indices), 0);
            return first;
        });
    }

    /** The number of a value in one cell; undefined if there is no such value. */
    positionOf(position: number, tuple: readonly (Value | undefined)[]): Value | undefined {
        const inCase = this.cases[position]?.positionOf(tuple);
        return inCase === undefined ? undefined : this.#firstValueOf(position) + inCase;
    }

    /** The number of the first value of a case in one cell. */
    #firstValueOf(position: number): number {
        return this.cases.slice(0, position).reduce((sum, each) => sum + domainSize(each.asCell().domain), 0);
    }

    asCell(): EnumerationCell {
        const domain = this.oneCell();
        invariant(isDomain(domain), 'a checked value in one cell has few values');
        return new EnumerationCell(this, domain);
    }

    constantOfCell(value: Value): ConstantValue {
        const domain = this.oneCell();
        const position = isDomain(domain) ? domain.tuples[value]?.[0] : undefined;
        const record =
            position === undefined ? value : this.cases[position]?.constantOfCell(value - this.#firstValueOf(position));
        return position !== undefined && record instanceof ConstantRecord
            ? new ConstantCase(this, position, record.parts)
            : value;
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        return value instanceof ConstantCase && value.shape.isSame(this) ? value : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        const record = value instanceof ConstantCase ? value.record() : undefined;
        return record === undefined ? { shape: this, value } : record.shape.misfit(record);
    }

    firstValue(): ConstantValue | undefined {
        const record = this.cases[0]?.firstValue();
        return record instanceof ConstantRecord ? new ConstantCase(this, 0, record.parts) : undefined;
    }

    formatValue(value: ConstantValue): string {
        const record = value instanceof ConstantCase ? value.record() : undefined;
        // The value of a constant may be a number where its type has an error.
        return record === undefined
            ? String(cellValueOf(value))
            : record.parts.length === 0
              ? record.shape.name
              : record.shape.formatValue(record);
    }

    plainValue(value: ConstantValue): ParameterValue {
        return this.formatValue(value);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredValue {
        if (!(value instanceof ConstantCase)) {
            return this.asCell().constant(value, range);
        }
        const { shape, parts } = value.record();
        return this.valueOfCase(
            value.position,
            shape.fields.map((field, at) => field.shape.constant(parts[at] ?? NONE, range)),
            range,
        );
    }

    /** A value of a case that is known. */
    valueOfCase(position: number, own: readonly LoweredValue[], range: SourceRange): LoweredCases {
        const fields = this.cases.map((_, other) => (other === position ? own : undefined));
        return new LoweredCases(this, { tag: constantOf(position, this.caseDomain, range), fields }, range);
    }

    /** A value of which tests have shown that it is one of some cases. */
    amongCases(value: LoweredValue, possible: ReadonlySet<number>): LoweredValue {
        const cases = value.cases();
        invariant(cases !== undefined, 'a checked value is of one of the cases');
        const fields = cases.fields.map((own, position) => (possible.has(position) ? own : undefined));
        const isTested = value instanceof LoweredScalar && isPresentRead(value.expression);
        const shape = mayBeNone(value) && !isTested ? this.withNone() : this;
        return new LoweredCases(shape, { tag: cases.tag, fields }, value.range);
    }
}

function optional(domain: Domain): Domain {
    return domain.kind === 'optional' ? domain : { kind: 'optional', base: domain };
}

/** Whether a test has shown that a place is not `none`. */
function isPresentRead(expression: Expression): boolean {
    return expression.kind === 'read' && expression.isPresent === true;
}

/** A value in one cell, possibly optional. */
class EnumerationCell extends WholeCell<EnumerationShape> {
    override withDomain(domain: Domain): EnumerationCell {
        return new EnumerationCell(this.whole, domain);
    }

    override cases(value: Expression): ValueCases {
        const { cases } = this.whole;
        const domain = baseOf(this.domain);
        invariant(domain.kind === 'record', 'a value of several cases in one cell is a record');
        const { range } = value;
        if (value.kind === 'constant') {
            const constant = this.constantOfCell(value.value);
            return constant instanceof ConstantCase
                ? (this.whole.constant(constant, range).cases() ?? { tag: value, fields: [] })
                : { tag: value, fields: [] };
        }
        const fieldAt = (field: number): Expression => ({ kind: 'field', record: value, domain, field, range });
        let next = 1;
        const fields = cases.map(each =>
            each.fields.map(({ shape: { indices, element } }) => {
                const first = next;
                next += sizeOfArray(indices);
                const part = (row: number): LoweredValue => scalarValue(fieldAt(first + row), element.asCell());
                return indices.length === 0 ? part(0) : arrayByRow(indices, part, range);
            }),
        );
        const isSure = !this.isOptional || isPresentRead(value);
        const none = numberOf(NONE, range);
        const condition = binary('==', value, none, range);
        const tag = fieldAt(0);
        return { tag: isSure ? tag : { kind: 'conditional', condition, then: none, otherwise: tag, range }, fields };
    }

    override field(value: Expression, field: number, range: SourceRange): LoweredValue {
        const shape = this.isOptional ? this.whole.withNone() : this.whole;
        return new LoweredCases(shape, this.cases(value), range).field(field, range);
    }
}

/** What a call of a record or a case builds. */
export interface ConstructorShapes {
    /** The fields that are given. */
    readonly fields: RecordShape;
    readonly whole: RecordShape | EnumerationShape;
}

/** The shape of the values of a type if they have fields; undefined if they have none, or may be `none`. */
export function shapeWithFields(type: Type): RecordShape | EnumerationShape | undefined {
    const shape = type.kind === 'named' ? type.shape : undefined;
    return shape instanceof RecordShape || shape instanceof EnumerationShape ? shape : undefined;
}

/** The shape of a field; undefined if it is one of another type. */
export function fieldShapeOf(owner: RecordShape | EnumerationShape, field: RecordField): Shape | undefined {
    const { $container: container, name } = field;
    const declaration = container.$type === 'EnumerationValue' ? container.$container : container;
    return declaration === owner.declaration
        ? owner.cases.flatMap(({ fields }) => fields).find(each => each.name === name)?.shape
        : undefined;
}

/** The position of a field among the parts of a value; undefined if the value has no such field. */
export function partOfField(value: ConstantRecord | ConstantCase, { name }: RecordField): number | undefined {
    const isCase = value instanceof ConstantCase;
    const { fields } = isCase ? value.record().shape : value.shape;
    const position = fields.findIndex(field => field.name === name);
    return position < 0 ? undefined : position + (isCase ? 1 : 0);
}

/** A value that is known before a run. */
export class ConstantCase implements ConstantParts {
    readonly kind = 'case';
    readonly shape: EnumerationShape;
    readonly position: number;
    /** The position of the case, and its fields: values are ordered by these. */
    readonly parts: readonly ConstantValue[];

    constructor(shape: EnumerationShape, position: number, fields: readonly ConstantValue[]) {
        this.shape = shape;
        this.position = position;
        this.parts = [position, ...fields];
    }

    /** Its fields as a record of the case. */
    record(): ConstantRecord {
        const shape = this.shape.cases[this.position];
        invariant(shape !== undefined, 'a value has one of the cases of its type');
        return new ConstantRecord(shape, this.parts.slice(1));
    }

    cellValue(): Value | undefined {
        return this.shape.positionOf(this.position, this.record().cellValues());
    }
}
