/** The same model with another number of slots for the instances of its templates. */
import { remembered } from '../common/list-map.js';
import type { Domain } from './domain.js';
import type { Model } from './model.js';

/** By process the number of slots; others keep theirs. Everything without a reference to a changed template is the same object. */
export function withSlots(model: Model, slots: ReadonlyMap<number, number>): Model {
    const changed = new Map<object, object>();
    const convert = (part: unknown): unknown => {
        if (typeof part !== 'object' || part === null || part instanceof Map) {
            return part;
        }
        return remembered(changed, part, () => {
            const count = isReferenceDomain(part) ? slots.get(part.template) : undefined;
            if (count !== undefined && isReferenceDomain(part)) {
                return { ...part, values: slotNames(part.name, count) };
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

/** `Handler@1`, `Handler@2`: the values of the domain of references. */
function slotNames(name: string, count: number): string[] {
    return Array.from({ length: count }, (_, slot) => `${name}@${slot + 1}`);
}

type ReferenceDomain = Extract<Domain, { kind: 'enumeration' }> & { readonly template: number };

function isReferenceDomain(part: object): part is ReferenceDomain {
    return 'kind' in part && part.kind === 'enumeration' && 'template' in part;
}
