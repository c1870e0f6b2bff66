/**
 * The types whose values stand for members: those of the indices of families, variables and events. A record is one value
 * here, as a trace shows it, while a log names its parts.
 */
import { baseOf, domainKey, domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SaidTypes } from '../match/said.js';

export function indexTypesOf({ processes, variables, channels, events }: Model): SaidTypes {
    const sizes = new Map<string, number>();
    const add = (domain: Domain): void => {
        const key = keyOf(domain);
        if (key !== undefined) {
            sizes.set(key, domainSize(baseOf(domain)));
        }
    };
    const addNamed = (domain: Domain): void => {
        const { name, kind } = baseOf(domain);
        if (name !== undefined || kind === 'record') {
            add(domain);
        }
    };
    for (const { indices, locals } of processes) {
        indices.forEach(({ domain }) => {
            add(domain);
        });
        locals.forEach(local => {
            local.indices.forEach(addNamed);
        });
    }
    [...variables, ...channels].forEach(({ indices }) => {
        indices.forEach(addNamed);
    });
    events.forEach(event => {
        event.arguments.forEach(addNamed);
    });
    return {
        types: () => sizes,
        typeOf: domain => {
            const key = keyOf(domain);
            return key !== undefined && sizes.has(key) ? key : undefined;
        },
    };
}

function keyOf(domain: Domain): string | undefined {
    const base = baseOf(domain);
    return base.kind === 'boolean' ? undefined : (base.name ?? domainKey(base));
}
