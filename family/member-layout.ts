/**
 * Which cells of a model belong to which member of a family, and which are shared. Members are numbered family by family;
 * a cell with the index of a fixed value is shared. Cells have the same keys, in the same order, in all models of a family
 * of models, so that a part of a state of one is a state of another.
 */
import { invariant } from '../engine/common/assert.js';
import { memberBoundsOf, valueOfCode, domainSize, NONE, type Domain, type Value } from '../engine/model/domain.js';
import type { Model } from '../engine/model/model.js';
import type { Cell, SequentialModel } from '../engine/sequential/sequential-model.js';
import { positionOf, valuesOfSizes, type Carrier } from './carrier.js';

export interface MemberLayout {
    /** By family the number of its members. */
    readonly sizes: readonly number[];
    /** `firstMembers[family]` is the first member; one entry more for the end. */
    readonly firstMembers: readonly number[];
    /** By member its family. */
    readonly familyOfMember: readonly number[];
    /** The cells of no member, ascending by key. */
    readonly shared: SharedCells;
    /** By member its cells, ascending by key. */
    readonly own: readonly Int32Array[];
    /** By family the keys of the cells of one member; empty without members. */
    readonly ownKeys: readonly (readonly string[])[];
    /** By cell its key, with `*` for the member that it belongs to. */
    readonly keys: readonly string[];
    /** By instance of a process its key, likewise. */
    readonly instanceKeys: readonly string[];
    /** By cell the members that its indices name. */
    readonly owners: readonly (readonly number[])[];
}

/** A model with so many members of each family. */
export interface SizedInstance {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly layout: MemberLayout;
}

interface SharedCells {
    readonly cells: Int32Array;
    readonly keys: readonly string[];
    /**
     * By position: absent for a cell of numbers. Else by code the member that it names, or `FIRST_FIXED - f` for the fixed
     * value f, with 0 for `none`.
     */
    readonly namedByCode: readonly (Int32Array | undefined)[];
}

export const FIRST_FIXED = -1;

/** The layout of the model with so many members of each family. O(number of cells, and of values of shared cells). */
export function memberLayoutOf(
    model: Model,
    sequential: SequentialModel,
    carrier: Carrier,
    sizes: readonly number[],
): MemberLayout {
    const values = valuesOfSizes(carrier, sizes);
    const firstMembers = [0];
    for (const size of sizes) {
        firstMembers.push(firstMembers[firstMembers.length - 1] + size);
    }
    /** The member, or below 0 the fixed value. */
    const memberOf = (value: Value): number => {
        const { interval, place } = positionOf(carrier, values, value);
        const { family } = carrier.intervals[interval];
        return family !== undefined
            ? firstMembers[family] + place
            : FIRST_FIXED - fixedNumber(carrier, interval, place);
    };
    const memberCount = firstMembers[sizes.length];
    const own: { readonly key: string; readonly cell: number }[][] = Array.from({ length: memberCount }, () => []);
    const shared: { readonly key: string; readonly cell: number }[] = [];
    const keys: string[] = [];
    const owners: number[][] = [];
    const nameInto =
        (named: number[]) =>
        (value: Value): string => {
            const member = memberOf(value);
            if (member < 0) {
                return `fixed${FIRST_FIXED - member}`;
            }
            named.push(member);
            return '*';
        };
    sequential.cells.forEach((cell, position) => {
        const named: number[] = [];
        const key = keyOf(cell, model, sequential, nameInto(named));
        keys.push(key);
        owners.push(named);
        if (cell.kind === 'temporary') {
            return;
        }
        const [owner] = named;
        (owner === undefined ? shared : own[owner]).push({ key, cell: position });
    });
    const familyOfMember = sizes.flatMap((size, family) => Array.from({ length: size }, () => family));
    const sortedOwn = own.map(sortedByKey);
    const sortedShared = sortedByKey(shared);
    return {
        sizes,
        firstMembers,
        familyOfMember,
        shared: {
            cells: Int32Array.from(sortedShared, ({ cell }) => cell),
            keys: sortedShared.map(({ key }) => key),
            namedByCode: sortedShared.map(({ cell }) => namedByCode(sequential.cells[cell].domain, memberOf)),
        },
        own: sortedOwn.map(cells => Int32Array.from(cells, ({ cell }) => cell)),
        ownKeys: sizes.map((size, family) => (size === 0 ? [] : sortedOwn[firstMembers[family]].map(({ key }) => key))),
        keys,
        instanceKeys: sequential.instances.map(instance => instanceKeyOf(instance, model, nameInto([]))),
        owners,
    };
}

function sortedByKey<Entry extends { readonly key: string }>(cells: readonly Entry[]): Entry[] {
    return [...cells].sort((first, second) => (first.key < second.key ? -1 : first.key > second.key ? 1 : 0));
}

/** The number of a fixed value: 1, 2, …, since 0 is `none`. */
function fixedNumber({ intervals }: Carrier, interval: number, place: number): number {
    let number = place + 1;
    for (const { low, end, family } of intervals.slice(0, interval)) {
        number += family === undefined ? end.constant - low.constant : 0;
    }
    return number;
}

function namedByCode(domain: Domain, memberOf: (value: Value) => number): Int32Array | undefined {
    if (memberBoundsOf(domain) === undefined) {
        return undefined;
    }
    return Int32Array.from({ length: domainSize(domain) }, (_, code) => {
        const value = valueOfCode(domain, code);
        return value === NONE ? FIRST_FIXED : memberOf(value);
    });
}

/** What the cell is, without its number: `shared 3 [*] [0]`. */
function keyOf(cell: Cell, model: Model, { instances }: SequentialModel, nameOf: (value: Value) => string): string {
    const { kind, variable, instance, indices } = cell;
    if (kind === 'temporary') {
        return 'temporary';
    }
    let owner = '';
    let domains: readonly Domain[];
    if (instance >= 0) {
        owner = instanceKeyOf(instances[instance], model, nameOf);
        domains = kind === 'local' ? model.processes[instances[instance].process].locals[variable].indices : [];
    } else if (kind === 'channel') {
        domains = model.channels[variable].indices;
    } else {
        invariant(kind === 'shared', 'a cell without an instance is shared');
        domains = model.variables[variable].indices;
    }
    return `${kind} ${owner} ${String(variable).padStart(4, '0')} [${textOfIndices(indices, domains, nameOf)}]`;
}

function instanceKeyOf(
    { process, indices }: SequentialModel['instances'][number],
    model: Model,
    nameOf: (value: Value) => string,
): string {
    const domains = model.processes[process].indices.map(({ domain }) => domain);
    return `${process}[${textOfIndices(indices, domains, nameOf)}]`;
}

/** Behind the indices of a channel stand those of the slot and of the scalar, which have no domain here. */
function textOfIndices(
    indices: readonly Value[],
    domains: readonly Domain[],
    nameOf: (value: Value) => string,
): string {
    const texts = indices.map((value, position) => {
        const domain = domains.at(position);
        return domain !== undefined && memberBoundsOf(domain) !== undefined ? nameOf(value) : String(value);
    });
    return texts.join();
}
