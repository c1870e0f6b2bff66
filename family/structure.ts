/**
 * The places of a declaration in the structure of its type: one for each scalar, one for each index.
 *
 * Each declaration has its own ones, and each of them the range that it is declared with. A channel as a value has no
 * place: it moves with the indices of its declaration, and its messages are those of all channels of its kind.
 */
import type { Node } from '../language/tree/node.js';
import { unreachable } from '../engine/common/assert.js';
import { remembered } from '../engine/common/list-map.js';
import * as ast from '../language/generated/nodes.js';
import { fieldsOf, hasCases, numberOfField, type Constructor } from '../language/references/constructors.js';
import { namedBy } from '../language/references/declared-type.js';
import { textOf } from '../language/tree/source-text.js';
import { isWithin, type ConstantBounds } from './constant-bounds.js';
import { combination, constantOf, type Polynomial } from '../language/typing/polynomial.js';
import type { FactList, Place, SortedPlace } from './facts.js';

export type Structure =
    /** `first` is the first value of the type, with which a variable without an initializer begins; absent for `none`. */
    | { readonly kind: 'scalar'; readonly place: Place; readonly first?: Polynomial }
    | {
          readonly kind: 'record';
          /** Or cases: then the fields are those of all cases, of one name once. */
          readonly record: ast.RecordDeclaration | ast.Enumeration;
          readonly fields: readonly Structure[];
          /** It has a condition, and is therefore one value and not split into its fields. */
          readonly isOneValue: boolean;
          /** It may be `none`, which a place says before the fields. */
          readonly isOptional: boolean;
      }
    | { readonly kind: 'array'; readonly indices: readonly Structure[]; readonly element: Structure }
    /** Cells for the values of `member`, or one value. */
    | { readonly kind: 'set'; readonly member: Structure }
    | { readonly kind: 'channel'; readonly message: () => Structure };

export type RecordStructure = Structure & { readonly kind: 'record' };

type MadeRecord = (record: ast.RecordDeclaration, fields: readonly Structure[]) => void;

interface Range {
    readonly low: Polynomial;
    readonly high: Polynomial;
}

/** Sums of constants and values of types beyond this bound may overflow for some values and not for others. */
const LARGEST_SUM = 2 ** 50;

/** What a structure is for: how its places are called. */
export interface Origin {
    readonly name: string;
    readonly node: Node;
    readonly kind: SortedPlace['kind'];
}

export class StructureMaker {
    readonly #bounds: ConstantBounds;
    readonly #facts: FactList;
    /** Tells the rules about the condition of a record that has just been made, and the fields. */
    readonly #madeRecord: MadeRecord;
    /** By what tells the messages of channels apart for all values of the parameters. */
    readonly #messages = new Map<unknown, Structure>();

    constructor(bounds: ConstantBounds, facts: FactList, madeRecord: MadeRecord) {
        this.#bounds = bounds;
        this.#facts = facts;
        this.#madeRecord = madeRecord;
    }

    ofType(type: ast.Type, origin: Origin): Structure {
        const outer = type.indices.map(index => this.ofIndex(index, origin));
        const inner = this.ofElement(type.element, origin);
        return arrayOf(inner.kind === 'array' ? [...inner.indices, ...outer] : outer, inner);
    }

    /** The index type of an array: its values move cells, but for those of a parameter, which is in no state. */
    ofIndex(index: ast.IndexType, { name, node, kind }: Origin): Structure {
        const text = textOf(index) ?? '*';
        const origin: Origin = { name: `${name}[${text}]`, node, kind: kind === 'value' ? 'value' : 'index' };
        const structure = this.#ofIndexElement(index, origin);
        if (kind !== 'parameter') {
            this.moved(structure);
        }
        return structure;
    }

    #ofIndexElement(index: ast.IndexType, origin: Origin): Structure {
        const { element } = index;
        if (element === undefined) {
            const length = isParameter(origin.node) ? this.#bounds.lengthOf(origin.node) : undefined;
            const high = length && combination([1, length], [-1, constantOf(1)]);
            return this.#ofRange(high && { low: constantOf(0), high }, index, origin);
        }
        if (element.$type === 'RangeType' && element.high === undefined && element.low.$type === 'NumberLiteral') {
            return this.#ofRange({ low: constantOf(0), high: constantOf(element.low.value - 1) }, index, origin);
        }
        return this.ofElement(element, origin);
    }

    ofElement(element: ast.ElementType, origin: Origin): Structure {
        if (element.$type === 'ChannelType') {
            return { kind: 'channel', message: () => this.messageOf(element.message) };
        }
        if (element.$type === 'SetType' || element.$type === 'BagType') {
            return this.#ofSet(element, origin);
        }
        if (element.$type === 'SequenceType') {
            // No rule knows it (known-syntax.ts), so nothing is proved of what it is in.
            return this.ofElement(element.member, origin);
        }
        const structure = this.#ofValue(element, origin);
        return element.optional ? beginningWithNone(structure) : structure;
    }

    /** Its elements move cells as the values of an index do. */
    #ofSet({ member }: ast.SetType | ast.BagType, { name, node, kind }: Origin): Structure {
        const structure = this.ofElement(member, { name, node, kind: kind === 'element' ? 'index' : kind });
        if (kind !== 'parameter') {
            this.moved(structure);
        }
        return { kind: 'set', member: structure };
    }

    #ofValue(element: ast.BooleanType | ast.RangeType, origin: Origin): Structure {
        const named = namedBy(element);
        switch (named?.$type) {
            case 'TypeDeclaration': {
                const structure = this.ofType(named.type, origin);
                if (structure.kind === 'scalar') {
                    this.#facts.add({ kind: 'typed', place: structure.place, type: named });
                }
                return structure;
            }
            case 'RecordDeclaration':
                return this.ofRecord(named, origin);
            case 'Enumeration':
                return hasCases(named) ? this.ofRecord(named, origin) : this.#ofName(element, origin);
            case 'Process': {
                // References keep their names: which instance has which one is no part of a state.
                const place = this.#declared(origin);
                this.#facts.pin(place, element, 'reference');
                return { kind: 'scalar', place };
            }
            default:
                return this.#ofName(element, origin);
        }
    }

    /** Of a range, or of names without fields. */
    #ofName(element: ast.BooleanType | ast.RangeType, origin: Origin): Structure {
        const range = this.#bounds.rangeOf(element);
        const structure = this.#ofRange(range, element, origin);
        return range === undefined ? structure : { ...structure, first: range.low };
    }

    #ofRange(range: Range | undefined, node: Node, origin: Origin): Structure & { readonly kind: 'scalar' } {
        const place = this.#declared(origin);
        if (range === undefined || ![range.low, range.high].every(isSmall)) {
            this.#facts.pin(place, node, 'unbounded');
        } else {
            const cut = { ...range, isType: true, isOfState: isPlaceOfState(origin), node };
            this.#facts.add({ kind: 'cut', place, cut });
        }
        return { kind: 'scalar', place };
    }

    ofRecord(record: ast.RecordDeclaration | ast.Enumeration, { name, node, kind }: Origin): RecordStructure {
        const fields = fieldsOf(record).map(field =>
            this.ofType(field.type, { name: `${name}.${field.name}`, node, kind }),
        );
        const isOneValue = ast.isRecordDeclaration(record) && record.where !== undefined;
        if (isOneValue) {
            this.#madeRecord(record, fields);
        }
        return { kind: 'record', record, fields, isOneValue, isOptional: false };
    }

    /** A value on its way. */
    newScalar(): Structure & { readonly kind: 'scalar' } {
        return { kind: 'scalar', place: this.#facts.newPlace() };
    }

    moved(structure: Structure): void {
        scalarsOf(structure).forEach(place => {
            this.#facts.add({ kind: 'moved', place });
        });
    }

    #declared(origin: Origin): Place {
        const place = this.#facts.newPlace();
        this.#facts.add({ kind: 'declared', place, as: origin });
        return place;
    }

    /** The messages of all channels that a value of the type `channel of …` may name. */
    messageOf(message: ast.ElementType): Structure {
        return remembered(this.#messages, kindOfMessage(message), () =>
            this.ofElement(message, { name: 'a message', node: message, kind: 'value' }),
        );
    }
}

/**
 * What messages of two channels have in common if one type may mean both for some values of the parameters. Ranges with
 * different bounds may be the same range for some of them.
 */
function kindOfMessage(message: ast.ElementType): unknown {
    const named = namedBy(message);
    switch (named?.$type) {
        case 'TypeDeclaration':
            return kindOfMessage(named.type.element);
        case 'RecordDeclaration':
        case 'Enumeration':
        case 'Process':
            return named;
        default:
            return message.$type;
    }
}

/** Whether no sum of such a constant and a value of a type overflows. */
export function isSmall(constant: Polynomial): boolean {
    return isWithin(constant, -LARGEST_SUM, LARGEST_SUM);
}

function isParameter(node: Node): node is ast.Parameter {
    return node.$type === 'Parameter';
}

/** Values of functions, bodies, quantifiers, events and parameters are in no state. */
function isPlaceOfState({ kind }: Origin): boolean {
    return kind === 'element' || kind === 'index';
}

function beginningWithNone(structure: Structure): Structure {
    switch (structure.kind) {
        case 'scalar':
            return { kind: 'scalar', place: structure.place };
        case 'record':
            return { ...structure, fields: structure.fields.map(beginningWithNone), isOptional: true };
        case 'array':
        case 'set':
        case 'channel':
            return structure;
        default:
            return unreachable(structure);
    }
}

export function arrayOf(indices: readonly Structure[], element: Structure): Structure {
    const inner = element.kind === 'array' ? element.element : element;
    return indices.length === 0 ? element : { kind: 'array', indices, element: inner };
}

/** The places of the fields that a record or one of the cases has, in its order. */
export function fieldsBuiltBy(constructor: Constructor, { fields }: RecordStructure): Structure[] {
    return constructor.fields.map(field => fields[numberOfField(field)]);
}

/** All places of a structure, indices included; not those of messages of channels. */
export function scalarsOf(structure: Structure): Place[] {
    switch (structure.kind) {
        case 'scalar':
            return [structure.place];
        case 'record':
            return structure.fields.flatMap(scalarsOf);
        case 'array':
            return [...structure.indices.flatMap(scalarsOf), ...scalarsOf(structure.element)];
        case 'set':
            return scalarsOf(structure.member);
        case 'channel':
            return [];
        default:
            return unreachable(structure);
    }
}
