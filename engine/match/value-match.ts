/**
 * What a log says of a value against the value in a candidate. A name that is not bound takes the value that it meets, so
 * the result is bindings: none if it does not fit, several where a set or an index leaves a choice.
 */
import { unreachable } from '../common/assert.js';
import {
    baseOf,
    codeOfValue,
    domainSize,
    formatValue,
    NO_VALUE,
    NONE,
    valueOfCode,
    type Domain,
    type Value,
} from '../model/domain.js';
import { ENDED, UNBOUND, type Bindings, type LogName, type LogNames } from './log-names.js';
import { shapeOfRecord } from './record-shape.js';
import type { Shape } from './shapes.js';
import { asRecord, type Wanted, type WantedScalar } from './wanted.js';

/** What a value of an index type may be that a log calls by its own text. */
export interface LiteralRule {
    /** Whether it may be the value with this code, under these bindings. */
    readonly mayBe: (bindings: Bindings, name: LogName, code: number) => boolean;
    /** Whether it is a key of bindings like a name. */
    readonly isKey: (name: LogName) => boolean;
}

/** Without symmetries each value is itself. */
export const AS_IT_IS: LiteralRule = { mayBe: (_bindings, name, code) => name.code === code, isKey: () => false };

export class ValueMatch {
    readonly names: LogNames;
    readonly #literals: LiteralRule;

    constructor(names: LogNames, literals: LiteralRule) {
        this.names = names;
        this.#literals = literals;
    }

    /** Of a shape in a state. */
    inState(wanted: Wanted, shape: Shape, state: Readonly<Int32Array>, bindings: Bindings): readonly Bindings[] {
        switch (shape.kind) {
            case 'cell': {
                const code = state[shape.cell];
                return code === NO_VALUE
                    ? []
                    : this.ofValue(wanted, shape.domain, valueOfCode(shape.domain, code), bindings);
            }
            case 'array':
                return wanted.kind === 'list' && wanted.items.length === shape.elements.length
                    ? this.#each(wanted.items, shape.elements, state, bindings)
                    : [];
            case 'record':
                return wanted.kind === 'record' ? this.#ofRecord(asRecord(wanted, shape), shape, state, bindings) : [];
            case 'sequence':
                return wanted.kind === 'list' && wanted.items.length === state[shape.length]
                    ? this.#each(wanted.items, shape.elements, state, bindings)
                    : [];
            case 'set': {
                const present = shape.elements.flatMap(element =>
                    Array.from({ length: Math.max(0, state[element.cell]) }, () => element),
                );
                return wanted.kind === 'list'
                    ? inAnyOrder(wanted.items, present, bindings, (item, { element }, known) =>
                          this.ofValue(item, element.domain, element.value, known),
                      )
                    : [];
            }
            case 'cases': {
                const code = state[shape.cell];
                const fields = shape.cases[code] ?? [];
                if (code === NO_VALUE) {
                    return [];
                }
                const value = valueOfCode(shape.domain, code);
                if (wanted.kind === 'scalar') {
                    return fields.length === 0 ? this.ofValue(wanted, shape.domain, value, bindings) : [];
                }
                const isCase = wanted.kind === 'record' && (wanted.name ?? '') === formatValue(shape.domain, value);
                return isCase || (wanted.kind === 'record' && wanted.name === undefined && fields.length > 0)
                    ? this.#fields(wanted, fields, state, bindings)
                    : [];
            }
            default:
                return unreachable(shape);
        }
    }

    /** Of a value of a domain. */
    ofValue(wanted: Wanted, domain: Domain, value: Value, bindings: Bindings): readonly Bindings[] {
        if (domain.kind === 'optional' && value === NONE) {
            return wanted.kind === 'scalar' && (wanted.value === null || wanted.value === 'none') ? [bindings] : [];
        }
        const base = baseOf(domain);
        if (base.kind === 'record') {
            const { shape, codesOf } = shapeOfRecord(base);
            return this.inState(wanted, shape, codesOf(value), bindings);
        }
        if (wanted.kind !== 'scalar') {
            return [];
        }
        const extended = this.ofCode(wanted, base, codeOfValue(base, value), bindings);
        return extended === undefined ? [] : [extended];
    }

    /** Of a scalar that is not `none`. */
    ofCode(wanted: WantedScalar, base: Domain, code: number, bindings: Bindings): Bindings | undefined {
        const meaning = this.names.meaningOf(wanted, base);
        if (meaning.kind !== 'name') {
            return meaning.kind === 'value' && meaning.code === code ? bindings : undefined;
        }
        const { name } = meaning;
        const known = name.place < 0 ? UNBOUND : (bindings[name.place] ?? UNBOUND);
        if (known !== UNBOUND) {
            return known === code ? bindings : undefined;
        }
        if (name.code === undefined) {
            return name.ended === undefined ? this.names.bind(bindings, name, code) : undefined;
        }
        if (!this.#literals.mayBe(bindings, name, code)) {
            return undefined;
        }
        return this.#literals.isKey(name) ? this.names.bind(bindings, name, code) : bindings;
    }

    /** The codes that an index may have, each with the bindings that say so. */
    ofIndex(wanted: Wanted, domain: Domain, bindings: Bindings): readonly (readonly [number, Bindings])[] {
        if (wanted.kind !== 'scalar') {
            return [];
        }
        const meaning = this.names.meaningOf(wanted, domain);
        const place = meaning.kind === 'name' ? meaning.name.place : -1;
        const known = place < 0 ? UNBOUND : (bindings[place] ?? UNBOUND);
        if (known !== UNBOUND) {
            return known === ENDED ? [] : [[known, bindings]];
        }
        return Array.from({ length: domainSize(domain) }, (_, code) => code).flatMap(code => {
            const extended = this.ofCode(wanted, domain, code, bindings);
            return extended === undefined ? [] : [[code, extended] as const];
        });
    }

    #ofRecord(
        wanted: Extract<Wanted, { kind: 'record' }>,
        { name, fields }: Extract<Shape, { kind: 'record' }>,
        state: Readonly<Int32Array>,
        bindings: Bindings,
    ): readonly Bindings[] {
        return wanted.name === undefined || name === undefined || wanted.name === name
            ? this.#fields(wanted, fields, state, bindings)
            : [];
    }

    #fields(
        { fields }: Extract<Wanted, { kind: 'record' }>,
        own: readonly { readonly name: string; readonly shape: Shape }[],
        state: Readonly<Int32Array>,
        bindings: Bindings,
    ): readonly Bindings[] {
        return along(fields, bindings, ({ name, value }, index, known) => {
            const field = name === undefined ? own[index] : own.find(other => other.name === name);
            return field === undefined ? [] : this.inState(value, field.shape, state, known);
        });
    }

    #each(
        items: readonly Wanted[],
        shapes: readonly Shape[],
        state: Readonly<Int32Array>,
        bindings: Bindings,
    ): readonly Bindings[] {
        return along(items, bindings, (item, index, known) => this.inState(item, shapes[index], state, known));
    }
}

/** The bindings that fit all items, one after the other. */
export function along<Item>(
    items: readonly Item[],
    bindings: Bindings,
    fit: (item: Item, index: number, known: Bindings) => readonly Bindings[],
): readonly Bindings[] {
    let all: readonly Bindings[] = [bindings];
    for (let index = 0; index < items.length && all.length > 0; index++) {
        const item = items[index];
        all = all.length === 1 ? fit(item, index, all[0]) : all.flatMap(known => fit(item, index, known));
    }
    return all;
}

/** Each item with one of the values, none left and none twice; copies of one value are not told apart. */
function inAnyOrder<One>(
    items: readonly Wanted[],
    values: readonly One[],
    bindings: Bindings,
    fit: (item: Wanted, value: One, known: Bindings) => readonly Bindings[],
): readonly Bindings[] {
    const [item, ...others] = items;
    if (items.length !== values.length) {
        return [];
    }
    if (item === undefined) {
        return [bindings];
    }
    return values.flatMap((value, index) =>
        values.indexOf(value) < index
            ? []
            : fit(item, value, bindings).flatMap(known =>
                  inAnyOrder(
                      others,
                      values.filter((_, other) => other !== index),
                      known,
                      fit,
                  ),
              ),
    );
}
