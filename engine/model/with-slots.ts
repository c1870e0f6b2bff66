/** The same model with another number of slots for the instances of its templates. */
import { remembered } from '../common/list-map.js';
import type { Domain } from './domain.js';
import type { Model } from './model.js';

/** By process the number of slots; others keep theirs. Everything without a reference to a changed template is the same object. */
export function withSlots(model: Model, slots: ReadonlyMap<number, number>): Model {
    return withDomains(model, domain => {
        const count = isReferenceDomain(domain) ? slots.get(domain.template) : undefined;
        return count !== undefined && isReferenceDomain(domain)
            ? { ...domain, values: valuesOf(domain, count) }
            : undefined;
    });
}

/** `replacement` is called once for each domain; undefined keeps it. Everything without a replaced one is the same object. */
export function withDomains(model: Model, replacement: (domain: Domain) => Domain | undefined): Model {
    const changed = new Map<object, object>();
    const convert = (part: unknown): unknown => {
        if (typeof part !== 'object' || part === null || part instanceof Map) {
            return part;
        }
        return remembered(changed, part, () => {
            const other = isDomain(part) ? replacement(part) : undefined;
            if (other !== undefined) {
                return other;
            }
            if (Array.isArray(part)) {
                const list: readonly unknown[] = part;
                const elements = list.map(convert);
                return elements.every((element, index) => element === list[index]) ? list : elements;
            }
            const entries = Object.entries(part).map(([name, value]): [string, unknown] => [name, convert(value)]);
            const isSame = entries.every(([name, value]) => value === part[name as keyof typeof part]);
            return isSame ? part : Object.fromEntries(entries);
        });
    };
    return convert(model) as Model;
}

/** The names in the text, then those of slots. */
function valuesOf({ name, values, named = 0 }: ReferenceDomain, count: number): string[] {
    return [...values.slice(0, named), ...slotNames(name, Math.max(0, count - named))];
}

/** `Handler@1`, `Handler@2`: the values of the domain of references. */
export function slotNames(name: string, count: number): string[] {
    return Array.from({ length: count }, (_, slot) => `${name}@${slot + 1}`);
}

type ReferenceDomain = Extract<Domain, { kind: 'enumeration' }> & { readonly template: number };

function isReferenceDomain(domain: Domain): domain is ReferenceDomain {
    return domain.kind === 'enumeration' && domain.template !== undefined;
}

/** Of the kinds that are replaced; other parts of a model have other kinds. */
function isDomain(part: object): part is Domain {
    return 'kind' in part && ((part.kind === 'enumeration' && 'values' in part) || part.kind === 'number');
}
