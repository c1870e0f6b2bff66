/**
 * The values of the language, and types with known bounds. A cell never holds an array, and holds a record only if its
 * type has a `where`. Of any other record that may be `none`, a cell has the name of the record or `none`; those of the
 * fields hold no value then. So it is with values of several cases, which are records of the name of their case.
 */
import { FaultError } from './operators.js';

/**
 * A Boolean, an integer, the name of an enumeration value or of a channel, null for `none`, a reference, a record, a set,
 * a bag, a sequence or an array. A reference is the name of an instance, `Worker@3`.
 */
export type Value = boolean | number | string | null | RecordValue | SetValue | BagValue | SequenceValue | ArrayValue;

/** Made by `recordValue` only, so that equal records of scalars are the same object. */
export interface RecordValue {
    readonly record: string;
    readonly fields: readonly Value[];
}

/** Made by `setValue` only, so that equal sets are the same object. */
export interface SetValue {
    /** Each once, in the order of their texts. */
    readonly elements: readonly Value[];
}

/** Made by `bagValue` only, so that equal bags are the same object. */
interface BagValue {
    /** The different values that are in it, with how often, in the order of their texts. */
    readonly counts: readonly (readonly [value: Value, count: number])[];
}

/** Made by `sequenceValue` only, so that equal sequences are the same object. */
interface SequenceValue {
    readonly places: readonly Value[];
}

export interface ArrayValue {
    readonly indices: Indices;
    /** Row by row. */
    readonly items: readonly Value[];
}

/** For each dimension the values of its index type. */
export type Indices = readonly (readonly Value[])[];

/** A type with known bounds. */
export type Domain =
    | {
          readonly kind: 'scalar';
          readonly values: readonly Value[];
          /** Other values than those known from the start: the channels of instances. */
          readonly admits?: (value: Value) => boolean;
      }
    | { readonly kind: 'reference'; readonly template: string }
    | RecordDomain
    | CasesDomain
    | SetDomain
    | BagDomain
    | SequenceDomain
    | { readonly kind: 'optional'; readonly base: Domain }
    /** `element` is no array: `T[I][J]` is `T[I, J]`. */
    | { readonly kind: 'array'; readonly indices: Indices; readonly element: Domain }
    /** An array over templates: it has cells for the instances that live. `present` makes it an array. */
    | { readonly kind: 'growing'; readonly dimensions: readonly Dimension[]; readonly element: Domain };

/** A set is one cell where it is a value of a `choose`. */
interface SetDomain {
    readonly kind: 'set';
    readonly member: Domain;
    readonly isOneCell?: true;
}

/** At most so many copies of each value; a cell for each count. */
interface BagDomain {
    readonly kind: 'bag';
    readonly copies: number;
    readonly member: Domain;
}

/** A cell for the length, and those of each place below it. One cell where it is a value of a `choose`. */
export interface SequenceDomain {
    readonly kind: 'sequence';
    readonly capacity: number;
    readonly member: Domain;
    readonly isOneCell?: true;
}

/** One cell where it is a value of a `choose`. */
interface CasesDomain {
    readonly kind: 'cases';
    readonly name: string;
    readonly cases: readonly RecordDomain[];
    readonly isOneCell?: true;
}

/** The values of an index type, or the template whose instances are its values. */
export type Dimension = readonly Value[] | string;

export interface RecordDomain {
    readonly kind: 'record';
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly domain: Domain }[];
    /** Where the declaration has a `where`. */
    readonly holds?: (fields: readonly Value[]) => boolean;
}

/** A cell is named as the model writes it: `turn`, `flag[1]`, `node[2].next`, `P[1].k`. */
export type Cell = string;

const records = new Map<string, RecordValue>();

export function recordValue(record: string, fields: readonly Value[]): RecordValue {
    const text = `${record}(${fields.map(identityOf).join(', ')})`;
    const known = records.get(text) ?? { record, fields };
    records.set(text, known);
    return known;
}

/** Arrays with equal items over different indices are not the same. */
function identityOf(value: Value): string {
    return isArrayValue(value)
        ? `${formatValue(value)} over ${value.indices.map(values => values.map(formatValue).join()).join(';')}`
        : formatValue(value);
}

export function isRecord(value: Value): value is RecordValue {
    return typeof value === 'object' && value !== null && 'record' in value;
}

const sets = new Map<string, SetValue>();

export function setValue(values: readonly Value[]): SetValue {
    const byText = new Map(values.map(value => [identityOf(value), value]));
    const texts = [...byText.keys()].sort();
    const known = sets.get(texts.join(', ')) ?? { elements: texts.map(text => byText.get(text)!) };
    sets.set(texts.join(', '), known);
    return known;
}

export function isSet(value: Value): value is SetValue {
    return typeof value === 'object' && value !== null && 'elements' in value;
}

const bags = new Map<string, BagValue>();

/** `counts`: of each value as often as it is listed; negative ones are none. */
export function bagValue(counts: readonly (readonly [Value, number])[]): BagValue {
    const totals = new Map<string, readonly [Value, number]>();
    for (const [value, count] of counts) {
        const text = identityOf(value);
        totals.set(text, [value, (totals.get(text)?.[1] ?? 0) + count]);
    }
    const kept = [...totals].filter(([, [, count]]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1));
    const text = kept.map(([each, [, count]]) => `${each}: ${count}`).join(', ');
    const known = bags.get(text) ?? { counts: kept.map(([, pair]) => pair) };
    bags.set(text, known);
    return known;
}

export function isBag(value: Value): value is BagValue {
    return typeof value === 'object' && value !== null && 'counts' in value;
}

/** How often a value is in a bag. */
export function copiesIn({ counts }: BagValue, value: Value): number {
    return counts.find(([each]) => equal(each, value))?.[1] ?? 0;
}

const sequences = new Map<string, SequenceValue>();

export function sequenceValue(places: readonly Value[]): SequenceValue {
    const text = places.map(identityOf).join(', ');
    const known = sequences.get(text) ?? { places };
    sequences.set(text, known);
    return known;
}

export function isSequence(value: Value): value is SequenceValue {
    return typeof value === 'object' && value !== null && 'places' in value;
}

/** The elements of a list, or of an array its rows; undefined for other values. */
export function listedIn(value: Value): readonly Value[] | undefined {
    if (isSequence(value)) {
        return value.places;
    }
    if (!isArrayValue(value)) {
        return undefined;
    }
    return value.indices.length === 1 ? value.items : rowsOf(value, value.indices.slice(0, 1));
}

/** The parts of an array, one for each position of its first indices. */
export function rowsOf(value: ArrayValue, outer: Indices): Value[] {
    const indices = value.indices.slice(outer.length);
    const size = positionsOf(indices).length;
    return positionsOf(outer).map((_, row) => ({ indices, items: value.items.slice(row * size, (row + 1) * size) }));
}

export function isArrayValue(value: Value): value is ArrayValue {
    return typeof value === 'object' && value !== null && 'items' in value;
}

/** As the model writes it. */
export function formatValue(value: Value): string {
    if (value === null) {
        return 'none';
    }
    if (isRecord(value)) {
        return value.fields.length === 0
            ? value.record
            : `${value.record}(${value.fields.map(formatValue).join(', ')})`;
    }
    if (isSet(value)) {
        return `{${value.elements.map(formatValue).join(', ')}}`;
    }
    if (isBag(value)) {
        const texts = value.counts.map(([each, n]) => (n === 1 ? formatValue(each) : `${formatValue(each)}: ${n}`));
        return `{${texts.join(', ')}}`;
    }
    if (isSequence(value)) {
        return `[${value.places.map(formatValue).join(', ')}]`;
    }
    return isArrayValue(value) ? `[${value.items.map(formatValue).join(', ')}]` : String(value);
}

/** `[1, 2]`, or nothing for no indices. */
export function formatIndices(indices: readonly Value[]): string {
    return indices.length === 0 ? '' : `[${indices.map(formatValue).join(', ')}]`;
}

const REFERENCE = /\b([A-Za-z_]\w*)@(\d+)/g;

export function referenceTo(template: string, number: number): string {
    return `${template}@${number}`;
}

/** The template of a reference; undefined for other values. */
export function templateOf(value: Value): string | undefined {
    return typeof value === 'string' ? /^(\w+)@\d+$/.exec(value)?.[1] : undefined;
}

export function numberOf(reference: Value): number {
    return Number(formatValue(reference).split('@')[1]);
}

/** All that is referred to in a text: in a value, in the name of a cell or of a channel. */
export function referencesIn(text: string): string[] {
    return text.match(REFERENCE) ?? [];
}

export function equal(left: Value, right: Value): boolean {
    if (isRecord(left) && isRecord(right)) {
        return (
            left.record === right.record &&
            left.fields.every((field, position) => equal(field, right.fields[position]!))
        );
    }
    if (isArrayValue(left) && isArrayValue(right)) {
        return (
            left.items.length === right.items.length &&
            left.items.every((item, position) => equal(item, right.items[position]!))
        );
    }
    return left === right;
}

/** All positions of an array, row by row. */
export function positionsOf(indices: Indices): Value[][] {
    return indices.reduce<Value[][]>((rows, values) => rows.flatMap(row => values.map(value => [...row, value])), [[]]);
}

/** Where in the items the element stands; the fault `index` where there is none. */
export function positionOf(indices: Indices, at: readonly Value[]): number {
    if (at.length !== indices.length) {
        throw new Error('an array is read with as many indices as it has');
    }
    return at.reduce<number>((position, value, dimension) => {
        const code = indices[dimension]!.findIndex(candidate => equal(candidate, value));
        if (code < 0) {
            throw new FaultError('index');
        }
        return position * indices[dimension]!.length + code;
    }, 0);
}

/** All values in order, or the first `most`: ascending, `false` first, names as declared, `none` before all others. */
export function valuesOf(domain: Domain, most = Infinity): readonly Value[] {
    const values: Value[] = [];
    for (const value of eachValue(domain)) {
        if (values.length >= most) {
            break;
        }
        values.push(value);
    }
    return values;
}

function* eachValue(domain: Domain): Generator<Value> {
    switch (domain.kind) {
        case 'scalar':
            yield* domain.values;
            break;
        case 'reference':
        case 'growing':
            // Which instances there are depends on the state.
            break;
        case 'optional':
            yield null;
            yield* eachValue(domain.base);
            break;
        case 'record':
            for (const fields of combinations(domain.fields.map(field => field.domain))) {
                if (domain.holds?.(fields) ?? true) {
                    yield recordValue(domain.name, fields);
                }
            }
            break;
        case 'cases':
            for (const each of domain.cases) {
                yield* eachValue(each);
            }
            break;
        case 'set': {
            const members = valuesOf(domain.member);
            for (const truths of combinations(members.map(() => ({ kind: 'scalar', values: [false, true] })))) {
                yield setValue(members.filter((_, position) => truths[position] === true));
            }
            break;
        }
        case 'bag': {
            const members = valuesOf(domain.member);
            for (const counts of combinations(members.map(() => countDomain(domain.copies)))) {
                yield bagValue(members.map((member, position) => [member, Number(counts[position])]));
            }
            break;
        }
        case 'sequence':
            for (let length = 0; length <= domain.capacity; length++) {
                for (const places of combinations(Array.from({ length }, () => domain.member))) {
                    yield sequenceValue(places);
                }
            }
            break;
        case 'array':
            for (const items of combinations(positionsOf(domain.indices).map(() => domain.element))) {
                yield { indices: domain.indices, items };
            }
            break;
    }
}

/** Each way to take a value of each domain; the last one changes first. */
function* combinations([domain, ...others]: readonly Domain[]): Generator<Value[]> {
    if (domain === undefined) {
        yield [];
        return;
    }
    for (const value of eachValue(domain)) {
        for (const values of combinations(others)) {
            yield [value, ...values];
        }
    }
}

/** The first value of a type, cell by cell; of a record with a `where`, the first that exists. */
export function firstValue(domain: Domain): Value {
    switch (domain.kind) {
        case 'scalar':
            return domain.values[0]!;
        case 'reference':
        case 'optional':
            // A reference without a value is never read: that it might be is an error of the text.
            return null;
        case 'record':
            return domain.holds === undefined
                ? recordValue(
                      domain.name,
                      domain.fields.map(field => firstValue(field.domain)),
                  )
                : valuesOf(domain)[0]!;
        case 'cases':
            return firstValue(domain.cases[0]!);
        case 'set':
            return setValue([]);
        case 'bag':
            return bagValue([]);
        case 'sequence':
            return sequenceValue([]);
        case 'array':
            return filled(domain, firstValue(domain.element));
        case 'growing':
            return absent();
    }
}

/** An array with the same value in all cells. */
export function filled(domain: Extract<Domain, { kind: 'array' }>, value: Value): ArrayValue {
    return { indices: domain.indices, items: positionsOf(domain.indices).map(() => value) };
}

/** The value as one of the type: arrays get its indices. The fault `range` where the type does not have it. */
export function convert(value: Value, domain: Domain): Value {
    switch (domain.kind) {
        case 'scalar':
            return domain.values.includes(value) || domain.admits?.(value) === true ? value : outside();
        case 'reference':
            return templateOf(value) === domain.template ? value : outside();
        case 'optional':
            return value === null ? null : convert(value, domain.base);
        case 'record': {
            if (!isRecord(value)) {
                return outside();
            }
            const fields = value.fields.map((field, position) => convert(field, domain.fields[position]!.domain));
            return (domain.holds?.(fields) ?? true) ? recordValue(domain.name, fields) : outside();
        }
        case 'cases': {
            const own = isRecord(value) ? domain.cases.find(({ name }) => name === value.record) : undefined;
            return own === undefined ? outside() : convert(value, own);
        }
        case 'set':
            return isSet(value) ? setValue(value.elements.map(each => convert(each, domain.member))) : outside();
        case 'bag': {
            const counts = isSet(value)
                ? value.elements.map(each => [each, 1] as const)
                : isBag(value)
                  ? value.counts
                  : [];
            return counts.some(([, count]) => count > domain.copies)
                ? outside()
                : bagValue(counts.map(([each, count]) => [convert(each, domain.member), count]));
        }
        case 'sequence': {
            const places = listedIn(value);
            return places === undefined || places.length > domain.capacity
                ? outside()
                : sequenceValue(places.map(each => convert(each, domain.member)));
        }
        case 'array': {
            const own = isArrayValue(value) && domain.element.kind === 'sequence' ? value.indices.length : 0;
            if (isArrayValue(value) && own > domain.indices.length) {
                const rows = rowsOf(value, value.indices.slice(0, domain.indices.length));
                return convert({ indices: value.indices.slice(0, domain.indices.length), items: rows }, domain);
            }
            if (!isArrayValue(value) || value.items.length !== positionsOf(domain.indices).length) {
                throw new Error('an array is assigned to one of its size');
            }
            return { indices: domain.indices, items: value.items.map(item => convert(item, domain.element)) };
        }
        case 'growing':
            return absent();
    }
}

/** The domain as it is while these instances live. */
export function present(domain: Domain, living: (template: string) => readonly Value[]): Domain {
    return domain.kind === 'growing'
        ? { kind: 'array', indices: presentIndices(domain.dimensions, living), element: domain.element }
        : domain;
}

export function presentIndices(
    dimensions: readonly Dimension[],
    living: (template: string) => readonly Value[],
): Indices {
    return dimensions.map(dimension => (typeof dimension === 'string' ? living(dimension) : dimension));
}

export function isGrowing(dimensions: readonly Dimension[]): boolean {
    return dimensions.some(dimension => typeof dimension === 'string');
}

function absent(): never {
    throw new Error('the cells of an array over a template depend on the state');
}

function outside(): never {
    throw new FaultError('range');
}

/** Whether a value of the type is several cells. */
export function isSplit(domain: Domain): boolean {
    return (
        domain.kind === 'array' ||
        domain.kind === 'bag' ||
        isSplitSequence(domain) ||
        isSplitSet(domain) ||
        isSplitRecord(domain) ||
        isTagged(domain)
    );
}

export function isSplitSequence(domain: Domain): domain is SequenceDomain {
    return domain.kind === 'sequence' && domain.isOneCell === undefined;
}

/** The numbers from 0 to `most`. */
export function countDomain(most: number): Domain {
    return { kind: 'scalar', values: [...Array(most + 1).keys()] };
}

function isSplitSet(domain: Domain): domain is SetDomain {
    return domain.kind === 'set' && domain.isOneCell === undefined;
}

function isSplitRecord(domain: Domain): domain is RecordDomain {
    return domain.kind === 'record' && domain.holds === undefined;
}

/** Whether a value has a cell for its case, or for whether there is a record, and those of the fields. */
export function isTagged(domain: Domain): boolean {
    return tagOf(domain) !== undefined;
}

/** The values of the cell for the case, and the cases with their fields. */
function tagOf(
    domain: Domain,
): { readonly values: readonly Value[]; readonly cases: readonly RecordDomain[] } | undefined {
    const base = domain.kind === 'optional' ? domain.base : domain;
    const isSplitCases = base.kind === 'cases' && base.isOneCell === undefined;
    if (!isSplitCases && !(domain.kind === 'optional' && isSplitRecord(base))) {
        return undefined;
    }
    const cases = base.kind === 'cases' ? base.cases : isSplitRecord(base) ? [base] : [];
    const names = cases.map(({ name }) => name);
    return { values: domain.kind === 'optional' ? [null, ...names] : names, cases };
}

/** The name of a field behind that of a value: with its case where several have such a field. */
export function fieldName(domain: Domain, own: RecordDomain, field: string): string {
    const cases = tagOf(domain)?.cases ?? [];
    const having = cases.filter(({ fields }) => fields.some(({ name }) => name === field));
    return having.length > 1 ? `.${own.name}.${field}` : `.${field}`;
}

export interface LeafCell {
    readonly cell: Cell;
    readonly domain: Domain;
    /** Of a field, a place: the cell for the case or the length around it, and whether it holds a value with that one. */
    readonly within?: { readonly cell: Cell; readonly holds: (value: Value | undefined) => boolean };
}

/** The cells of a variable. */
export function leavesOf(domain: Domain, name: string): LeafCell[] {
    if (domain.kind === 'growing') {
        return absent();
    }
    if (domain.kind === 'array') {
        return positionsOf(domain.indices).flatMap(position =>
            leavesOf(domain.element, name + formatIndices(position)),
        );
    }
    if (isSplitSet(domain)) {
        const truth: Domain = { kind: 'scalar', values: [false, true] };
        return valuesOf(domain.member).map(value => ({ cell: cellOfElement(value, name), domain: truth }));
    }
    if (domain.kind === 'bag') {
        return valuesOf(domain.member).map(value => ({
            cell: name + formatIndices([value]),
            domain: countDomain(domain.copies),
        }));
    }
    if (isSplitSequence(domain)) {
        const cell = lengthCell(name);
        const places = [...Array(domain.capacity).keys()].flatMap(place =>
            leavesOf(domain.member, name + formatIndices([place])).map(leaf => ({
                ...leaf,
                within: leaf.within ?? { cell, holds: (length: Value | undefined) => Number(length) > place },
            })),
        );
        return [{ cell, domain: countDomain(domain.capacity) }, ...places];
    }
    const tag = tagOf(domain);
    if (tag !== undefined) {
        const fields = tag.cases.flatMap(own =>
            own.fields
                .flatMap(field => leavesOf(field.domain, name + fieldName(domain, own, field.name)))
                .map(leaf => ({ ...leaf, within: leaf.within ?? { cell: name, holds: value => value === own.name } })),
        );
        return [{ cell: name, domain: { kind: 'scalar', values: tag.values } }, ...fields];
    }
    return isSplitRecord(domain)
        ? domain.fields.flatMap(field => leavesOf(field.domain, `${name}.${field.name}`))
        : [{ cell: name, domain }];
}

export function lengthCell(sequence: string): Cell {
    return `len(${sequence})`;
}

/** `2 in heard` */
export function cellOfElement(element: Value, set: string): Cell {
    return `${formatValue(element)} in ${set}`;
}

/** The value of a variable from its cells. */
export function assemble(domain: Domain, name: string, read: (cell: Cell) => Value): Value {
    if (domain.kind === 'array') {
        const items = positionsOf(domain.indices).map(position =>
            assemble(domain.element, name + formatIndices(position), read),
        );
        return { indices: domain.indices, items };
    }
    if (isSplitSet(domain)) {
        return setValue(valuesOf(domain.member).filter(value => read(cellOfElement(value, name)) === true));
    }
    if (domain.kind === 'bag') {
        return bagValue(valuesOf(domain.member).map(value => [value, Number(read(name + formatIndices([value])))]));
    }
    if (isSplitSequence(domain)) {
        const length = Number(read(lengthCell(name)));
        const places = [...Array(length).keys()];
        return sequenceValue(places.map(place => assemble(domain.member, name + formatIndices([place]), read)));
    }
    const tag = tagOf(domain);
    if (tag !== undefined) {
        const own = tag.cases.find(each => each.name === read(name));
        return own === undefined
            ? null
            : recordValue(
                  own.name,
                  own.fields.map(field => assemble(field.domain, name + fieldName(domain, own, field.name), read)),
              );
    }
    return isSplitRecord(domain)
        ? recordValue(
              domain.name,
              domain.fields.map(field => assemble(field.domain, `${name}.${field.name}`, read)),
          )
        : read(name);
}

/** What the cells of a variable hold with this value, in the order of `leavesOf`; undefined for no value. */
export function flatten(domain: Domain, value: Value): (Value | undefined)[] {
    if (domain.kind === 'array' && isArrayValue(value)) {
        return value.items.flatMap(item => flatten(domain.element, item));
    }
    if (isSplitSet(domain) && isSet(value)) {
        return valuesOf(domain.member).map(each => value.elements.includes(each));
    }
    if (domain.kind === 'bag' && isBag(value)) {
        return valuesOf(domain.member).map(each => copiesIn(value, each));
    }
    if (isSplitSequence(domain) && isSequence(value)) {
        const { places } = value;
        const absent = leavesOf(domain.member, '').map(() => undefined);
        const cells = Array.from({ length: domain.capacity }, (_, place) =>
            place < places.length ? flatten(domain.member, places[place]!) : absent,
        );
        return [places.length, ...cells.flat()];
    }
    const tag = tagOf(domain);
    if (tag !== undefined) {
        const fields = tag.cases.flatMap(own =>
            isRecord(value) && value.record === own.name ? flatten(own, value) : leavesOf(own, '').map(() => undefined),
        );
        return [isRecord(value) ? value.record : null, ...fields];
    }
    return isSplitRecord(domain) && isRecord(value)
        ? value.fields.flatMap((field, position) => flatten(domain.fields[position]!.domain, field))
        : [value];
}

/** A type whose values are those of one cell: the type of the variable of a `choose`. */
export function asOneCell(domain: Domain): Domain {
    switch (domain.kind) {
        case 'record':
            return { holds: () => true, ...domain };
        case 'cases':
        case 'set':
        case 'sequence':
            return { ...domain, isOneCell: true };
        case 'optional':
            return { ...domain, base: asOneCell(domain.base) };
        default:
            return domain;
    }
}

/** A domain with more indices around: `T[I]` where T is an array already. */
export function arrayOf(domain: Domain, dimensions: readonly Dimension[]): Domain {
    if (dimensions.length === 0) {
        return domain;
    }
    const inner = domain.kind === 'array' ? domain.indices : domain.kind === 'growing' ? domain.dimensions : [];
    const all = [...inner, ...dimensions];
    const element = domain.kind === 'array' || domain.kind === 'growing' ? domain.element : domain;
    return isGrowing(all)
        ? { kind: 'growing', dimensions: all, element }
        : { kind: 'array', indices: presentIndices(all, absent), element };
}
