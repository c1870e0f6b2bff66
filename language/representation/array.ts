/**
 * Arrays. The elements of a value are made on demand: `a[i].f[j]` of a variable is one place. A table (`select`) arises
 * only if the array is no place and the index is unknown.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import {
    codeOfValue,
    domainSize,
    formatDomain,
    memberBoundsOf,
    NONE,
    type Domain,
    type Value,
} from '../../engine/model/domain.js';
import { isMember, type Expression } from '../../engine/model/expression.js';
import type { ParameterValue } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import { firstConstant, indicesOfRow, knownValueOf } from './build-expression.js';
import { scalarValue } from './cell.js';
import { combine } from './combine.js';
import { haveSameIndices, isOverTemplate } from './domains.js';
import {
    cellValueOf,
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
} from './shape.js';
import { arrayType, join, UNKNOWN } from './type.js';

export class ArrayShape extends Shape {
    override readonly indices: readonly Domain[];
    readonly #element: Shape;

    constructor(indices: readonly Domain[], element: Shape) {
        super();
        this.indices = indices;
        this.#element = element;
    }

    override get element(): Shape {
        return this.#element;
    }

    get type(): Type {
        return arrayType(this.indices, 0, this.element.type);
    }

    leaves(): Leaf[] {
        return this.element.leaves().map(leaf => insideArray(this.indices, leaf));
    }

    scalarCount(): number {
        return sizeOfArray(this.indices) * this.element.scalarCount();
    }

    hasNoValue(): boolean {
        return sizeOfArray(this.indices) > 0 && this.element.hasNoValue();
    }

    holdsReference(): boolean {
        return this.element.holdsReference();
    }

    isSame(other: Shape): boolean {
        return (
            other instanceof ArrayShape &&
            haveSameIndices(this.indices, other.indices) &&
            this.element.isSame(other.element)
        );
    }

    withNone(): undefined {
        return undefined;
    }

    format(): string {
        return `${this.element.format()}[${this.indices.map(index => index.name ?? formatDomain(index)).join(', ')}]`;
    }

    describeValues(): string {
        const cells = isOverTemplate(this.indices)
            ? 'cells for each instance'
            : formatNumberOf(sizeOfArray(this.indices), 'cell');
        return `${cells}, each ${this.element.describeValues()}`;
    }

    override describeParts(): string {
        return 'arrays; state this of the type of their elements';
    }

    oneCell(): NotAtomic {
        return { problem: 'array' };
    }

    asCell(): CellShape {
        return invariant(false, 'an array does not fit into one cell') as never;
    }

    constantOfCell(value: Value): ConstantValue {
        return value;
    }

    /** The shape of a row, an array over the indices behind the first `count`; of an element if none is left. */
    row(count: number): Shape {
        const indices = this.indices.slice(count);
        return indices.length === 0 ? this.element : new ArrayShape(indices, this.element);
    }

    /** An array with one value in all cells. */
    filledWith(value: ConstantValue): ConstantArray {
        return new ConstantArray(this.indices, new Array<ConstantValue>(sizeOfArray(this.indices)).fill(value));
    }

    constantAs(value: ConstantValue): ConstantValue | undefined {
        if (!(value instanceof ConstantArray) || !haveSameSizes(value.indices, this.indices)) {
            return undefined;
        }
        const elements = value.parts.map(element => this.element.constantAs(element));
        return elements.every(element => element !== undefined) ? new ConstantArray(this.indices, elements) : undefined;
    }

    misfit(value: ConstantValue): Misfit | undefined {
        return value instanceof ConstantArray
            ? value.parts.map(element => this.element.misfit(element)).find(misfit => misfit !== undefined)
            : undefined;
    }

    firstValue(): ConstantValue | undefined {
        const element = this.element.firstValue();
        return element === undefined ? undefined : this.filledWith(element);
    }

    override typeOf(value: ConstantValue): Type {
        if (!(value instanceof ConstantArray)) {
            return value === NONE ? { kind: 'none' } : this.type;
        }
        const [first, ...others] = value.parts.map(element => this.element.typeOf(element));
        const joined = others.reduce((type, other) => join(type, other) ?? UNKNOWN, first ?? this.element.type);
        return arrayType(this.indices, 0, joined);
    }

    formatValue(value: ConstantValue): string {
        if (!(value instanceof ConstantArray)) {
            return this.element.formatValue(value);
        }
        const texts = value.parts.map(element => this.element.formatValue(element));
        return nested(texts, value.indices, (parts: readonly string[]) => `[${parts.join(', ')}]`)[0] ?? '[]';
    }

    plainValue(value: ConstantValue): ParameterValue {
        if (!(value instanceof ConstantArray)) {
            return this.element.plainValue(value);
        }
        const elements = value.parts.map(element => this.element.plainValue(element));
        return nested<ParameterValue>(elements, value.indices, parts => parts)[0] ?? [];
    }

    valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place> {
        const sizes = this.element.leaves().map(leaf => sizeOfArray(leaf.indices));
        const elements = Array.from({ length: sizeOfArray(this.indices) }, (_, outer) =>
            this.element.valueFormat((leaf, row) => at(leaf, outer * (sizes[leaf] ?? 1) + row)),
        );
        const join = (parts: readonly ValueFormat<Place>[]): ValueFormat<Place> => ({ kind: 'list', elements: parts });
        return nested(elements, this.indices, join)[0] ?? join([]);
    }

    read(scalarAt: ScalarAt, range: SourceRange): LoweredValue {
        return new LoweredArray(this.indices, outer =>
            this.element.read((leaf, inner) => scalarAt(leaf, [...outer, ...inner]), range),
        );
    }

    constant(value: ConstantValue, range: SourceRange): LoweredValue {
        const elements = value instanceof ConstantArray ? value.parts : [];
        return arrayByRow(this.indices, row => this.element.constant(elements[row] ?? NONE, range), range);
    }

    valueAs(value: LoweredValue): LoweredValue {
        const array = withIndices(value, this.indices);
        return new LoweredArray(this.indices, indices => this.element.valueAs(array.element(indices)));
    }

    scalarsOf(value: LoweredValue): readonly (readonly Expression[])[] {
        const leaves = this.element.leaves().map((): Expression[] => []);
        for (const element of withIndices(value, this.indices).elements()) {
            this.element.scalarsOf(element).forEach((scalars, leaf) => leaves[leaf]?.push(...scalars));
        }
        return leaves;
    }
}

function insideArray(outer: readonly Domain[], leaf: Leaf): Leaf {
    const [own, ...rest] = leaf.segments;
    const array = { text: '', indices: outer.length + (own?.indices ?? 0) };
    return { ...leaf, segments: [array, ...rest], indices: [...outer, ...leaf.indices] };
}

function haveSameSizes(first: readonly Domain[], second: readonly Domain[]): boolean {
    return (
        first.length === second.length &&
        first.every((domain, position) => domainSize(domain) === domainSize(second[position] ?? domain))
    );
}

/** Joins elements, row by row, to nested lists, the last index innermost. */
function nested<Item>(
    elements: readonly Item[],
    indices: readonly Domain[],
    join: (parts: readonly Item[]) => Item,
): readonly Item[] {
    let items = elements;
    for (const index of [...indices].reverse()) {
        const size = domainSize(index);
        const count = size === 0 ? 0 : items.length / size;
        const previous = items;
        items = Array.from({ length: count }, (_, row) => join(previous.slice(row * size, (row + 1) * size)));
    }
    return items;
}

export class ConstantArray implements ConstantParts {
    readonly kind = 'array';
    readonly indices: readonly Domain[];
    /** Row by row; none is an array. */
    readonly parts: readonly ConstantValue[];

    constructor(indices: readonly Domain[], parts: readonly ConstantValue[]) {
        this.indices = indices;
        this.parts = parts;
    }

    cellValue(): undefined {
        return undefined;
    }

    /** The row at a position among the values of the first `count` indices; an element if no index is left. */
    row(count: number, position: number): ConstantValue | undefined {
        const indices = this.indices.slice(count);
        const size = sizeOfArray(indices);
        return indices.length === 0
            ? this.parts[position]
            : new ConstantArray(indices, this.parts.slice(position * size, (position + 1) * size));
    }

    /** The array with another row there; a single value fills it. */
    withRow(count: number, position: number, row: ConstantValue): ConstantArray {
        const size = sizeOfArray(this.indices.slice(count));
        const parts = row instanceof ConstantArray ? row.parts : new Array<ConstantValue>(size).fill(row);
        const { parts: before } = this;
        const first = position * size;
        return new ConstantArray(this.indices, [...before.slice(0, first), ...parts, ...before.slice(first + size)]);
    }
}

/** An array. The indices of elements that are arrays themselves are appended. */
export function constantArrayOf(
    indices: readonly Domain[],
    elements: readonly ConstantValue[],
): ConstantArray | undefined {
    const [first] = elements;
    if (!(first instanceof ConstantArray)) {
        return elements.some(element => element instanceof ConstantArray)
            ? undefined
            : new ConstantArray(indices, elements);
    }
    const joined: ConstantValue[] = [];
    for (const element of elements) {
        if (!(element instanceof ConstantArray) || element.parts.length !== first.parts.length) {
            return undefined;
        }
        joined.push(...element.parts);
    }
    return new ConstantArray([...indices, ...first.indices], joined);
}

/** The position of the element with these indices, or the index that lies outside. */
export function positionIn(
    domains: readonly Domain[],
    indices: readonly ConstantValue[],
): { readonly position: number } | { readonly outside: number } {
    let position = 0;
    for (const [place, domain] of domains.entries()) {
        const index = cellValueOf(indices[place] ?? NONE);
        const code = index === undefined ? -1 : codeOfValue(domain, index);
        if (code < 0) {
            return { outside: place };
        }
        position = position * domainSize(domain) + code;
    }
    return { position };
}

export class LoweredArray extends LoweredValue {
    override readonly indices: readonly Domain[];
    /** One index for each of `indices`. */
    readonly element: (indices: readonly Expression[]) => LoweredValue;

    constructor(indices: readonly Domain[], element: (indices: readonly Expression[]) => LoweredValue) {
        super();
        this.indices = indices;
        this.element = element;
    }

    get range(): SourceRange {
        return this.#sample().range;
    }

    #sample(): LoweredValue {
        return this.element(this.indices.map(index => firstConstant(index)));
    }

    shape(): Shape {
        const element = this.#sample().shape();
        invariant(element.indices.length === 0, 'the element of an array is no array');
        return new ArrayShape(this.indices, element);
    }

    cellShape(): undefined {
        return undefined;
    }

    toScalar(): Expression {
        return invariant(false, 'an array does not fit into one cell') as never;
    }

    override at(indices: readonly Expression[]): LoweredValue {
        if (indices.length === 0) {
            return this;
        }
        const rest = this.indices.slice(indices.length);
        return rest.length === 0
            ? this.element(indices.slice(0, this.indices.length)).at(indices.slice(this.indices.length))
            : new LoweredArray(rest, others => this.element([...indices, ...others]));
    }

    field(): LoweredValue {
        return invariant(false, 'an array has no fields') as never;
    }

    override elements(): LoweredValue[] {
        return Array.from({ length: sizeOfArray(this.indices) }, (_, row) => this.inRow(row));
    }

    inRow(row: number): LoweredValue {
        return this.element(indicesOfRow(this.indices, row));
    }

    override combine(values: readonly LoweredValue[], make: Choice): LoweredValue {
        const arrays = values.map(value => withIndices(value, this.indices));
        return new LoweredArray(this.indices, indices =>
            combine(
                arrays.map(array => array.element(indices)),
                make,
            ),
        );
    }

    /** One of the two may be a value for all elements of the other. */
    override pairs(first: LoweredValue, second: LoweredValue): readonly Pair[] {
        const others = withIndices(second, this.indices).elements();
        return withIndices(first, this.indices)
            .elements()
            .map((element, row) => [element, others[row] ?? element]);
    }
}

/** An array whose elements are given by their rows. */
export function arrayByRow(
    indices: readonly Domain[],
    at: (row: number) => LoweredValue,
    range: SourceRange,
): LoweredArray {
    return new LoweredArray(indices, given => selectElement(indices, given, at, range));
}

/** The element at `indices`, one for each domain: `at` its row if they are known, else a choice among all elements. */
export function selectElement(
    domains: readonly Domain[],
    indices: readonly Expression[],
    at: (row: number) => LoweredValue,
    range: SourceRange,
): LoweredValue {
    return go(0, 0);

    function go(position: number, row: number): LoweredValue {
        const [domain, index] = [domains[position], indices[position]];
        if (domain === undefined || index === undefined) {
            return at(row);
        }
        const size = domainSize(domain);
        const isForeign = isMember(index) && memberBoundsOf(domain) === undefined;
        const value = isForeign ? undefined : knownValueOf(index);
        const code = value === undefined ? -1 : codeOfValue(domain, value);
        if (code >= 0) {
            return go(position + 1, row * size + code);
        }
        const select = (options: readonly Expression[]): Expression => ({
            kind: 'select',
            index,
            domain,
            options,
            range,
        });
        return size === 0
            ? scalarValue(select([]))
            : combine(
                  Array.from({ length: size }, (_, option) => go(position + 1, row * size + option)),
                  select,
              );
    }
}

/** The same array with other index types of the same sizes; a value that is no array fills one. */
function withIndices(value: LoweredValue, indices: readonly Domain[]): LoweredArray {
    if (!(value instanceof LoweredArray)) {
        return new LoweredArray(indices, () => value);
    }
    if (value.indices.length > indices.length) {
        // A list of lists, where each list is an element.
        const rows = new LoweredArray(value.indices.slice(0, indices.length), given => value.at(given));
        return withIndices(rows, indices);
    }
    return haveSameIndices(value.indices, indices)
        ? value
        : new LoweredArray(indices, given =>
              selectElement(indices, given, row => value.inRow(row), given[0]?.range ?? value.range),
          );
}
