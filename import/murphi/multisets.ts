/**
 * Multisets in Orbit: a bag, whose elements are values, or if there are many values an array of places that may be `none`,
 * where what is added takes the first free one.
 */
import * as Orbit from './orbit-text.js';
import { atom, binary, conjunction, element, NONE, statement, type Binder, type Expression } from './orbit-text.js';
import type { BagType, DataType } from './symbols.js';

/** A bag has a count for each value, and what is known of none of them costs as much as this many. */
const MOST_VALUES = 256;
/** What a parameter is taken for. */
const USUAL_SIZE = 4;

export function isSmall(element: DataType): boolean {
    return valueCount(element) <= MOST_VALUES;
}

function valueCount(type: DataType): number {
    switch (type.kind) {
        case 'boolean':
            return 2;
        case 'number':
            return type.isOpen ? USUAL_SIZE : type.high - type.low + 1;
        case 'scalarset':
            return Number(type.size) || USUAL_SIZE;
        case 'enumeration':
            return type.members.length;
        case 'union':
            return type.members.reduce((sum, member) => sum + valueCount(member), 0);
        case 'record':
            return type.fields.reduce((product, field) => product * valueCount(field.type), 1);
        default:
            return Infinity;
    }
}

/** What a choice from a multiset runs through. */
export function chosen(name: string, bag: Expression, { places }: BagType): Binder {
    return places === undefined
        ? { name, type: bag.text }
        : { name, type: places, where: binary('!=', element(bag, atom(name)), NONE) };
}

/** How many elements satisfy a condition on what `binder` names. */
export function count(bag: Expression, binder: Binder, condition: Expression, type: BagType): Expression {
    const where = conjunction([binder.where ?? Orbit.TRUE, condition]);
    if (type.places !== undefined) {
        return atom(`count(${binder.name} in ${binder.type}: ${where.text})`);
    }
    const copies = element(bag, atom(binder.name));
    return where === Orbit.TRUE
        ? Orbit.call('len', bag)
        : atom(`sum(${Orbit.binders([{ ...binder, where }])}: ${copies.text})`);
}

/** `name` is free for a place. */
export function add(
    bag: Expression,
    value: Expression,
    { places, most }: BagType,
    name: string,
): readonly Orbit.Statement[] {
    const full = 'the multiset is full';
    if (places === undefined) {
        const copies = element(bag, value).text;
        const isFree = binary('<', Orbit.call('len', bag), atom(most));
        return [Orbit.assertion(isFree, full), statement(`${copies} := ${copies} + 1`)];
    }
    const isFree = binary('==', element(bag, atom(name)), NONE);
    const free = { name, type: places };
    const first = atom(`min(${Orbit.binders([{ ...free, where: isFree }])}: ${name})`);
    return [
        Orbit.assertion(Orbit.quantified('exists', free, isFree), full),
        statement(`${element(bag, first).text} := ${value.text}`),
    ];
}

/** Takes away what was chosen. */
export function remove(bag: Expression, chosenName: Expression, { places }: BagType): Orbit.Statement {
    const { text } = element(bag, chosenName);
    return statement(`${text} := ${places === undefined ? `${text} - 1` : 'none'}`);
}

export function removeAll(
    bag: Expression,
    binder: Binder,
    condition: Expression,
    { places }: BagType,
): Orbit.Statement {
    const where = conjunction([binder.where ?? Orbit.TRUE, condition]);
    const nothing = places === undefined ? '0' : 'none';
    return Orbit.closed(`for ${Orbit.binders([{ ...binder, where }])}`, [
        statement(`${element(bag, atom(binder.name)).text} := ${nothing}`),
    ]);
}
