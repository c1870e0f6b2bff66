/**
 * The sorts of a place of the text, in the structure of its declared type: one for each scalar, one for each index.
 *
 * Each declaration has its own ones at first, and each of them the range that it is declared with. A channel as a value
 * has no sort: it moves with the indices of its declaration, and its messages are those of all channels of its kind.
 */
import type { Node } from '../language/tree/node.js';
import { textOf } from '../language/tree/source-text.js';
import { unreachable } from '../engine/common/assert.js';
import { remembered } from '../engine/common/list-map.js';
import * as ast from '../language/generated/nodes.js';
import { namedBy } from '../language/references/declared-type.js';
import { isWithin, type ConstantBounds } from './constant-bounds.js';
import { combination, constantOf, type Polynomial } from '../language/typing/polynomial.js';
import { Sort, type SortedPlace } from './sort.js';

export type Structure =
    /** `first` is the first value of the type, with which a variable without an initializer begins; absent for `none`. */
    | { readonly kind: 'scalar'; readonly sort: Sort; readonly first?: Polynomial }
    | {
          readonly kind: 'record';
          readonly record: ast.RecordDeclaration;
          readonly fields: readonly Structure[];
          /** It is optional, or has a condition, and is therefore one value and not split into its fields. */
          readonly isOneValue: boolean;
      }
    | { readonly kind: 'array'; readonly indices: readonly Structure[]; readonly element: Structure }
    | { readonly kind: 'channel'; readonly message: () => Structure };

/** Values of a type up to this bound can be added to constants of this size without an overflow. */
const LARGEST = 2 ** 50;

/** What a structure is for: how its places are called. */
export interface Origin {
    readonly name: string;
    readonly node: Node;
    readonly kind: SortedPlace['kind'];
}

export class StructureMaker {
    readonly #bounds: ConstantBounds;
    /** Tells the inference about the condition of a record that has just been made. */
    readonly #madeRecord: (structure: Structure & { readonly kind: 'record' }) => void;
    /** By what tells the messages of channels apart for all values of the parameters. */
    readonly #messages = new Map<unknown, Structure>();

    constructor(bounds: ConstantBounds, madeRecord: (structure: Structure & { readonly kind: 'record' }) => void) {
        this.#bounds = bounds;
        this.#madeRecord = madeRecord;
    }

    ofType(type: ast.Type, origin: Origin): Structure {
        const outer = type.indices.map(index => this.ofIndex(index, origin));
        const inner = this.ofElement(type.element, origin);
        return arrayOf(inner.kind === 'array' ? [...inner.indices, ...outer] : outer, inner);
    }

    /** The index type of an array: its values move cells. */
    ofIndex(index: ast.IndexType, { name, node, kind }: Origin): Structure {
        const { element } = index;
        const text = textOf(index) ?? '*';
        const origin: Origin = { name: `${name}[${text}]`, node, kind: kind === 'value' ? 'value' : 'index' };
        const isOfState = isPlaceOfState(origin);
        let structure: Structure;
        if (element === undefined) {
            structure = newScalar(origin);
            const parameter = node;
            const last = ast.isParameter(parameter)
                ? combination([1, this.#bounds.lengthOf(parameter)], [-1, constantOf(1)])
                : undefined;
            if (structure.kind === 'scalar') {
                if (last === undefined) {
                    structure.sort.refuse(index, 'is no range of the parameters');
                } else {
                    structure.sort.cut({ low: constantOf(0), high: last, isType: true, isOfState, node: index });
                }
            }
        } else if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            const sort = newSort(origin);
            const high = constantOf(element.low.value - 1);
            sort.cut({ low: constantOf(0), high, isType: true, isOfState, node: index });
            structure = { kind: 'scalar', sort };
        } else {
            structure = this.ofElement(element, origin);
        }
        scalarsOf(structure).forEach(sort => (sort.root().isMoved = true));
        return structure;
    }

    ofElement(element: ast.ElementType, origin: Origin): Structure {
        if (ast.isChannelType(element)) {
            return { kind: 'channel', message: () => this.messageOf(element.message) };
        }
        const structure = this.#ofValue(element, origin);
        return element.optional ? beginningWithNone(structure) : structure;
    }

    #ofValue(element: ast.BooleanType | ast.RangeType, origin: Origin): Structure {
        const named = namedBy(element);
        switch (named?.$type) {
            case 'TypeDeclaration': {
                const structure = this.ofType(named.type, origin);
                if (structure.kind === 'scalar') {
                    structure.sort.root().types.add(named);
                }
                return structure;
            }
            case 'RecordDeclaration':
                return this.ofRecord(named, origin);
            case 'Process': {
                // References keep their names: which instance has which one is no part of a state.
                const sort = newSort(origin);
                sort.refuse(element, 'refers to instances');
                return { kind: 'scalar', sort };
            }
            default: {
                const sort = newSort(origin);
                const range = this.#bounds.rangeOf(element);
                if (
                    range === undefined ||
                    !isWithin(range.low, -LARGEST, LARGEST) ||
                    !isWithin(range.high, -LARGEST, LARGEST)
                ) {
                    sort.refuse(element, 'is no range of the parameters');
                } else {
                    sort.cut({ ...range, isType: true, isOfState: isPlaceOfState(origin), node: element });
                }
                return { kind: 'scalar', sort, ...(range === undefined ? {} : { first: range.low }) };
            }
        }
    }

    ofRecord(record: ast.RecordDeclaration, { name, node, kind }: Origin): Structure {
        const fields = record.fields.map(field =>
            this.ofType(field.type, { name: `${name}.${field.name}`, node, kind }),
        );
        const structure = { kind: 'record', record, fields, isOneValue: record.where !== undefined } as const;
        if (record.where !== undefined) {
            this.#madeRecord(structure);
        }
        return structure;
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

/** Values of functions, bodies, quantifiers, events and parameters are in no state. */
function isPlaceOfState({ kind }: Origin): boolean {
    return kind === 'element' || kind === 'index';
}

function beginningWithNone(structure: Structure): Structure {
    switch (structure.kind) {
        case 'scalar':
            return { kind: 'scalar', sort: structure.sort };
        case 'record':
            return { ...structure, fields: structure.fields.map(beginningWithNone), isOneValue: true };
        case 'array':
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

function newSort(origin?: Origin): Sort {
    const sort = new Sort();
    if (origin !== undefined) {
        sort.places.push(origin);
    }
    return sort;
}

export function newScalar(origin?: Origin): Structure {
    return { kind: 'scalar', sort: newSort(origin) };
}

/** All sorts of a structure, indices included; not those of messages of channels. */
export function scalarsOf(structure: Structure): Sort[] {
    switch (structure.kind) {
        case 'scalar':
            return [structure.sort];
        case 'record':
            return structure.fields.flatMap(scalarsOf);
        case 'array':
            return [...structure.indices.flatMap(scalarsOf), ...scalarsOf(structure.element)];
        case 'channel':
            return [];
        default:
            return unreachable(structure);
    }
}
