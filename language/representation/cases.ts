/**
 * Values of one of several cases, each with fields of its own: a record or `none`, those of an enumeration with fields. A
 * place has a cell for the case and those of all fields; fields of other cases hold no value. Two values are equal if their
 * cases are, and then the fields of that case: what is not there is never compared.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, NONE, type Domain, type Value } from '../../engine/model/domain.js';
import { isMember, type Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import { binary, constantOf, firstConstant, joined, numberOf } from './build-expression.js';
import { isNowhere, LoweredScalar, scalarValue } from './cell.js';
import { combine, comparison } from './combine.js';
import {
    isDomain,
    type CellShape,
    type Choice,
    type ConstantValue,
    type Leaf,
    LoweredValue,
    type Misfit,
    type NamedShape,
    type NotAtomic,
    type ScalarAt,
    Shape,
    type Type,
    type ValueCases,
} from './shape.js';

/** One case: its name, and its fields. */
interface CaseShape {
    readonly name: string;
    readonly fields: readonly FieldShape[];
}

export interface FieldShape {
    readonly name: string;
    readonly shape: Shape;
}

/** The values without `none`. */
export interface CasesOwner extends NamedShape {
    readonly cases: readonly CaseShape[];
    /** The values are the positions of the cases. */
    readonly caseDomain: Domain;
    /** The leaf of a field, with its name behind that of the place. */
    leafOfField(position: number, field: number, leaf: Leaf): Leaf;
    /** Where a case has the field of this number among those of all cases; -1 if it has none. */
    fieldOfCase(position: number, field: number): number;
    /** A value that is not `none`. */
    presentValue(value: ValueCases, range: SourceRange): LoweredValue;
    /** A value of one case in one cell. */
    cellOfCase(position: number, fields: readonly LoweredValue[], range: SourceRange): Expression;
}

export abstract class CasesShape extends Shape {
    abstract readonly owner: CasesOwner;
    abstract override withNone(): CasesShape;

    /** The cases, and `none` if the value may be that. */
    get tag(): Domain {
        const { caseDomain } = this.owner;
        return this.isOptional ? { kind: 'optional', base: caseDomain } : caseDomain;
    }

    leaves(): Leaf[] {
        const format = this.valueFormat((behind, row) => ({ behind, row }));
        const leaves: Leaf[] = [
            { path: [], segments: [{ text: '', indices: 0 }], element: this.tag, indices: [], format },
        ];
        this.owner.cases.forEach(({ fields }, value) => {
            fields.forEach(({ shape }, field) => {
                for (const { format: _, ...leaf } of shape.leaves()) {
                    const within = leaf.within ?? { before: leaves.length, value };
                    leaves.push({ ...this.owner.leafOfField(value, field, leaf), within });
                }
            });
        });
        return leaves;
    }

    scalarCount(): number {
        const fields = this.owner.cases.flatMap(each => each.fields);
        return fields.reduce((sum, { shape }) => sum + shape.scalarCount(), 1);
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        let next = 1;
        const cases = this.owner.cases.map(({ fields }) =>
            fields.map(({ shape }) => {
                const first = next;
                next += shape.leaves().length;
                return shape.valueFormat((leaf, row) => at(first + leaf, row));
            }),
        );
        return { kind: 'cases', place: at(0, 0), cases: this.isOptional ? [[], ...cases] : cases };
    }

    read(scalarAt: ScalarAt, range: SourceRange): LoweredValue {
        let next = 1;
        const fields = this.owner.cases.map(each =>
            each.fields.map(({ shape }) => {
                const first = next;
                next += shape.leaves().length;
                return shape.read((leaf, indices) => scalarAt(first + leaf, indices), range);
            }),
        );
        return new LoweredCases(this, { tag: scalarAt(0, []), fields }, range);
    }

    /** `none` stays where it is: the place that stores the case checks it. */
    valueAs(value: LoweredValue): LoweredCases {
        const cases = value.cases();
        invariant(cases !== undefined, 'a checked value is of one of the cases');
        const fields = this.owner.cases.map(({ fields: own }, position) => {
            const given = cases.fields[position];
            return given && own.map(({ shape }, field) => shape.valueAs(given[field] ?? value));
        });
        return new LoweredCases(this, { tag: cases.tag, fields }, value.range);
    }

    /** Each field has some value in other cases, too, which the engine takes away where it is stored. */
    scalarsOf(value: LoweredValue): readonly (readonly Expression[])[] {
        const { tag, fields } = this.valueAs(value).cases();
        const { range } = value;
        const scalars = this.owner.cases.flatMap((each, position) =>
            each.fields.flatMap(({ shape }, field) => {
                const own = fields[position]?.[field];
                const isPresent = isCase(tag, position, this.owner.caseDomain, '==', range);
                const leaves = shape.leaves();
                return own === undefined
                    ? leaves.map(leaf => new Array<Expression>(sizeOfArray(leaf.indices)).fill(someValue(leaf, range)))
                    : shape
                          .scalarsOf(own)
                          .map((row, leaf) => row.map(scalar => whereOrAny(isPresent, scalar, leaves[leaf])));
            }),
        );
        return [[tag], ...scalars];
    }
}

/** The values of an owner, and `none`. */
export class OptionalCases extends CasesShape {
    readonly owner: CasesOwner;

    constructor(owner: CasesOwner) {
        super();
        this.owner = owner;
    }

    override get isOptional(): boolean {
        return true;
    }

    get type(): Type {
        return { kind: 'optional', base: { kind: 'named', shape: this.owner } };
    }

    hasNoValue(): boolean {
        return false;
    }

    holdsReference(): boolean {
        return this.owner.holdsReference();
    }

    isSame(other: Shape): boolean {
        return other instanceof OptionalCases && other.owner.isSame(this.owner);
    }

    withNone(): CasesShape {
        return this;
    }

    format(): string {
        return `${this.owner.format()}?`;
    }

    describeValues(): string {
        return `${this.owner.describeValues()}, or none`;
    }

    override describeParts(): string | undefined {
        return this.owner.describeParts();
    }

    oneCell(): Domain | NotAtomic {
        const base = this.owner.oneCell();
        return isDomain(base) ? { kind: 'optional', base } : base;
    }

    asCell(): CellShape {
        const cell = this.owner.asCell();
        return cell.withDomain({ kind: 'optional', base: cell.domain });
    }

    constantOfCell(value: Value): ConstantValue {
        return value === NONE ? value : this.owner.constantOfCell(value);
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        return value === NONE ? value : this.owner.constantAs(value);
    }

    misfit(value: ConstantValue): Misfit | undefined {
        return value === NONE ? undefined : this.owner.misfit(value);
    }

    firstValue(): ConstantValue {
        return NONE;
    }

    override typeOf(value: ConstantValue): Type {
        return value === NONE ? { kind: 'none' } : this.owner.typeOf(value);
    }

    formatValue(value: ConstantValue): string {
        return value === NONE ? 'none' : this.owner.formatValue(value);
    }

    plainValue(value: ConstantValue): ParameterValue {
        return value === NONE ? null : this.owner.plainValue(value);
    }

    constant(value: ConstantValue, range: SourceRange): LoweredValue {
        return value === NONE
            ? new LoweredCases(this, { tag: constantOf(NONE, this.tag, range), fields: [] }, range)
            : this.valueAs(this.owner.constant(value, range));
    }
}

/** Whether the case is the one at `position`. */
export function isCase(
    tag: Expression,
    position: Value,
    cases: Domain,
    operator: '==' | '!=',
    range: SourceRange,
): Expression {
    return tag.kind === 'constant'
        ? constantOf((tag.value === position) === (operator === '==') ? 1 : 0, BOOLEAN, range)
        : binary(operator, tag, constantOf(position, cases, range), range);
}

/** The scalar where the condition holds; elsewhere nobody asks for it. */
export function whereOrAny(condition: Expression, scalar: Expression, leaf: Leaf | undefined): Expression {
    if (leaf === undefined || scalar.kind === 'constant' || scalar.kind === 'binder') {
        return scalar;
    }
    const otherwise = someValue(leaf, scalar.range);
    if (condition.kind === 'constant') {
        return condition.value === 1 ? scalar : otherwise;
    }
    return { kind: 'conditional', condition, then: scalar, otherwise, range: scalar.range };
}

/** No member of a family is named, whichever the value is. */
export function someValue({ element }: Leaf, range: SourceRange): Expression {
    const value = firstConstant(element, range);
    return value.kind === 'constant' && isMember(value) ? numberOf(value.value, range) : value;
}

/** A value that is split into its case and the fields of all cases. */
export class LoweredCases extends LoweredValue {
    readonly range: SourceRange;
    readonly #shape: CasesShape;
    readonly #value: ValueCases;

    constructor(shape: CasesShape, value: ValueCases, range: SourceRange) {
        super();
        this.#shape = shape;
        this.#value = value;
        this.range = range;
    }

    override get hasCases(): boolean {
        return true;
    }

    override cases(): ValueCases {
        return this.#value;
    }

    shape(): CasesShape {
        return this.#shape;
    }

    cellShape(): CellShape {
        return this.#shape.asCell();
    }

    toScalar(): Expression {
        const { owner } = this.#shape;
        const none = scalarValue(numberOf(NONE, this.range));
        const cell = owner.asCell();
        return this.#chosen(none, (position, fields) =>
            scalarValue(owner.cellOfCase(position, fields, this.range), cell),
        ).toScalar();
    }

    /** The value where a test has shown that it is not `none`. */
    present(): LoweredValue {
        const { tag, fields } = this.#value;
        const known: Expression = tag.kind === 'read' ? { ...tag, isPresent: true } : tag;
        return this.#shape.owner.presentValue({ tag: known, fields }, this.range);
    }

    /** The value without `none`, which is the fault. */
    orFault(fault: Fault['fault'], range: SourceRange): LoweredValue {
        const { owner } = this.#shape;
        return this.#chosen(faultOf(fault, range), (position, own) => {
            const fields = owner.cases.map((_, other) => (other === position ? own : undefined));
            return owner.presentValue({ tag: constantOf(position, owner.caseDomain, range), fields }, range);
        });
    }

    /** Where there is no such field: the fault `case`. */
    field(field: number, range: SourceRange): LoweredValue {
        const missing = faultOf('case', range);
        return this.#chosen(
            missing,
            (position, fields) => fields[this.#shape.owner.fieldOfCase(position, field)] ?? missing,
        );
    }

    /** One branch for each case, all of equal standing; those of cases that the value never is have a value of others. */
    #chosen(none: LoweredValue, of: (position: number, fields: readonly LoweredValue[]) => LoweredValue): LoweredValue {
        const { tag, fields } = this.#value;
        const { owner, isOptional, tag: domain } = this.#shape;
        const { range } = none;
        const known = owner.cases.map((_, position) => {
            const own = fields[position];
            return own && of(position, own);
        });
        if (tag.kind === 'constant') {
            return known[tag.value] ?? none;
        }
        const possible = known.filter(value => value !== undefined);
        const [only = none] = possible;
        if (possible.length === 1 && !isOptional) {
            return only;
        }
        return isOptional && known.length === 1
            ? combine([none, only], ([otherwise, then]) => {
                  invariant(then !== undefined && otherwise !== undefined, 'a choice has its branches');
                  const condition = binary('!=', tag, numberOf(NONE, range), range);
                  return { kind: 'conditional', condition, then, otherwise, range };
              })
            : combine([...(isOptional ? [none] : []), ...known.map(value => value ?? only)], options => ({
                  kind: 'select',
                  index: tag,
                  domain,
                  options,
                  range,
              }));
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredValue | undefined {
        return combineCases(this.#shape, values, make);
    }

    /** With a case that is known the fields alone decide; else they count where both values are of their case. */
    override compareCases(
        operator: '==' | '!=',
        first: LoweredValue,
        second: LoweredValue,
        range: SourceRange,
    ): readonly Expression[] | undefined {
        const [one, other] = [first.cases(), second.cases()];
        if (one === undefined || other === undefined) {
            return undefined;
        }
        const { caseDomain, cases } = this.#shape.owner;
        const parts = [binary(operator, one.tag, other.tag, range)];
        cases.forEach(({ fields }, position) => {
            const [own, others] = [one.fields[position], other.fields[position]];
            if (own === undefined || others === undefined || fields.length === 0) {
                return;
            }
            const compared = own.map((field, at) => comparison(operator, field, others[at] ?? field, range));
            const conditions = [one.tag, other.tag]
                .filter(({ kind }) => kind !== 'constant')
                .map(tag => isCase(tag, position, caseDomain, operator === '==' ? '!=' : '==', range));
            if (conditions.length < 2) {
                parts.push(...compared);
                return;
            }
            const [inside, outside] = operator === '==' ? (['and', 'or'] as const) : (['or', 'and'] as const);
            parts.push(joined([...conditions, joined(compared, inside, range)], outside, range));
        });
        return parts;
    }
}

/** One of several values, each of one of the cases; undefined if some value has no cases. */
export function combineCases(
    shape: CasesShape,
    values: readonly LoweredValue[],
    make: Choice,
): LoweredCases | undefined {
    const all = values.map(value => value.cases());
    const [first] = values;
    if (first === undefined || !all.every(cases => cases !== undefined)) {
        return undefined;
    }
    const joinedOptional = shape.isOptional || values.some(mayBeNone);
    const joinedShape = joinedOptional ? shape.withNone() : shape;
    const fields = shape.owner.cases.map(({ fields: shapes }, position) => {
        const present = all.flatMap(cases => cases.fields[position] ?? []);
        if (shapes.length > 0 && present.length === 0) {
            return undefined;
        }
        return shapes.map((_, field) => {
            const own = all.map(cases => cases.fields[position]?.[field]);
            const known = own.filter(value => value !== undefined);
            const [only] = known;
            // The value of another branch is as good as any where there is none.
            return known.length === 1 && only !== undefined
                ? only
                : combine(
                      own.map(value => value ?? only ?? first),
                      make,
                  );
        });
    });
    return new LoweredCases(joinedShape, { tag: make(all.map(({ tag }) => tag)), fields }, first.range);
}

export function mayBeNone(value: LoweredValue): boolean {
    return (
        !isNowhere(value) && (value.shape().isOptional || (value instanceof LoweredScalar && value.cell === undefined))
    );
}

type Fault = Extract<Expression, { kind: 'fault' }>;

function faultOf(fault: Fault['fault'], range: SourceRange): LoweredValue {
    return scalarValue({ kind: 'fault', fault, range });
}
