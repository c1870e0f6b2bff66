/** Why no value of a type is what a log says, with the part at which it is so; such a line is wrong, and no misfit. */
import { unreachable } from '../common/assert.js';
import { baseOf, domainSize, formatDomain, formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { LogNames } from './log-names.js';
import { shapeOfRecord } from './record-shape.js';
import { cellOf, type Shape } from './shapes.js';
import { asRecord, formatWanted, type Wanted, type WantedField } from './wanted.js';

/** What is never so, at a part of the value: `[2].term`, or nothing for the whole of it. */
interface Impossible {
    readonly at: string;
    readonly reason: string;
}

interface NamedShape {
    readonly name: string;
    readonly shape: Shape;
}

/** In words; undefined if a value of the shape may be what the log says. */
export function impossibleValue(wanted: Wanted, shape: Shape, names: LogNames): string | undefined {
    const found = new PossibleValues(names).impossible(wanted, shape);
    return found && (found.at === '' ? found.reason : `at \`${found.at.replace(/^\./, '')}\` ${found.reason}`);
}

class PossibleValues {
    readonly #names: LogNames;

    constructor(names: LogNames) {
        this.#names = names;
    }

    impossible(wanted: Wanted, shape: Shape): Impossible | undefined {
        switch (shape.kind) {
            case 'cell':
                return this.#ofDomain(wanted, shape.domain);
            case 'array': {
                const { domain, elements } = shape;
                const { length } = elements;
                if (wanted.kind !== 'list') {
                    return here(`it is a list of ${length} values`);
                }
                return isFixed(domain) && wanted.items.length !== length
                    ? here(`it has ${length} elements`)
                    : this.#inItems(wanted.items, at => elements[at] ?? elements[0]);
            }
            case 'sequence': {
                const { elements } = shape;
                if (wanted.kind !== 'list') {
                    return here('it is a list');
                }
                return wanted.items.length > elements.length
                    ? here(`it has at most ${elements.length} elements`)
                    : this.#inItems(wanted.items, at => elements[at]);
            }
            case 'set': {
                const [first] = shape.elements;
                return wanted.kind === 'list'
                    ? this.#inItems(wanted.items, () => cellOf(first.element.domain))
                    : here('it is a list');
            }
            case 'record': {
                const { name, fields } = shape;
                if (wanted.kind !== 'record') {
                    return here(`it has the fields ${fields.map(field => `\`${field.name}\``).join(', ')}`);
                }
                const said = asRecord(wanted, shape);
                return name !== undefined && said.name !== undefined && said.name !== name
                    ? here(`it is a \`${name}\``)
                    : this.#inFields(said.fields, fields);
            }
            case 'cases':
                return this.#ofCases(wanted, shape);
            default:
                return unreachable(shape);
        }
    }

    #ofDomain(wanted: Wanted, domain: Domain): Impossible | undefined {
        const base = baseOf(domain);
        const isNone = wanted.kind === 'scalar' && (wanted.value === null || wanted.value === 'none');
        if (base.kind === 'record' && !(isNone && domain.kind === 'optional')) {
            return this.impossible(wanted, shapeOfRecord(base).shape);
        }
        if (base.kind === 'record') {
            return undefined;
        }
        const isNamed = this.#names.typeOf(domain) !== undefined;
        const reason = `it is one of ${domain.name ?? formatDomain(domain)}`;
        if (wanted.kind !== 'scalar') {
            return here(reason);
        }
        return this.#names.meaningOf(wanted, domain).kind === 'unknown'
            ? here(isNamed ? `${reason}, and only a text is a name of one` : reason)
            : undefined;
    }

    /** The reason of the only case that may be meant; of several what they are. */
    #ofCases(wanted: Wanted, { domain, cases }: Extract<Shape, { kind: 'cases' }>): Impossible | undefined {
        const all = Array.from({ length: domainSize(domain) }, (_, code) => ({
            name: formatValue(domain, valueOfCode(domain, code)),
            fields: cases[code] ?? [],
        }));
        const none = here(`it is one of ${all.map(({ name }) => name).join(', ')}`);
        if (wanted.kind === 'list') {
            return none;
        }
        if (wanted.kind === 'scalar') {
            const text = formatWanted(wanted);
            const meant = all.find(({ name }) => name === text);
            return meant === undefined
                ? none
                : meant.fields.length > 0
                  ? here(`\`${text}\` has fields: { "case": "${text}", … }`)
                  : undefined;
        }
        const meant = all.filter(({ name, fields }) =>
            wanted.name === undefined ? fields.length > 0 : name === wanted.name,
        );
        const reasons = meant.map(({ fields }) => this.#inFields(wanted.fields, fields));
        return reasons.includes(undefined) ? undefined : reasons.length === 1 ? reasons[0] : none;
    }

    #inItems(items: readonly Wanted[], shapeAt: (at: number) => Shape): Impossible | undefined {
        for (const [at, item] of items.entries()) {
            const inside = this.impossible(item, shapeAt(at));
            if (inside !== undefined) {
                return { ...inside, at: `[${at}]${inside.at}` };
            }
        }
        return undefined;
    }

    #inFields(wanted: readonly WantedField[], own: readonly NamedShape[]): Impossible | undefined {
        for (const [at, { name, value }] of wanted.entries()) {
            const field = name === undefined ? own.at(at) : own.find(other => other.name === name);
            if (field === undefined) {
                return here(name === undefined ? `it has no field ${at + 1}` : `it has no field \`${name}\``);
            }
            const inside = this.impossible(value, field.shape);
            if (inside !== undefined) {
                return { ...inside, at: `.${field.name}${inside.at}` };
            }
        }
        return undefined;
    }
}

function here(reason: string): Impossible {
    return { at: '', reason };
}

/** Instances become more with the log. */
function isFixed(domain: Domain): boolean {
    const base = baseOf(domain);
    return base.kind !== 'enumeration' || base.template === undefined;
}
