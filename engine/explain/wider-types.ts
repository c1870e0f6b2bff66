/**
 * Names that run through some of the indices of a type only, `forall k in 1 .. N - 1`, and that type.
 *
 * The type is that of the places in which the name stands, as an index or as what is assigned, sent or agreed on, where
 * that is one type that has all values of the name and more.
 */
import { domainSize, valuesOfDomain, type Domain } from '../model/domain.js';
import type { Binder } from '../model/expression.js';
import { mapParts, type Mapping } from '../model/map-expression.js';
import type { Model, Process, Variable } from '../model/model.js';
import { walkModel } from '../model/walk-model.js';
import { identityOf } from '../symmetry/declared-action.js';

export interface WiderTypes {
    readonly ofBinder: (binder: Binder) => Domain | undefined;
    readonly ofLocal: (local: Variable) => Domain | undefined;
}

/** One pass over the model. */
export function widerTypes(model: Model): WiderTypes {
    const binders = new Map<number, Domain[]>();
    const locals = new Map<Variable, Domain[]>();
    const note = <Key>(uses: Map<Key, Domain[]>, key: Key, domain: Domain): void => {
        const known = uses.get(key);
        if (known === undefined) {
            uses.set(key, [domain]);
        } else if (known.every(other => identityOf(other) !== identityOf(domain))) {
            known.push(domain);
        }
    };
    const look = (process: Process | undefined): Mapping => {
        const mapping: Mapping = {
            model,
            process,
            part: (part, { domain }) => {
                if (domain !== undefined) {
                    if (part.kind === 'binder') {
                        note(binders, part.binder.id, domain);
                    } else if (part.kind === 'read' && part.place.kind === 'local' && process !== undefined) {
                        note(locals, process.locals[part.place.local], domain);
                    }
                }
                return mapParts(part, mapping);
            },
        };
        return mapping;
    };
    walkModel(model, ({ process }) => look(process));
    return {
        ofBinder: ({ id, domain }) => widerThan(domain, binders.get(id)),
        ofLocal: local => widerThan(local.element, locals.get(local)),
    };
}

/** The only one of the types that has all values of the domain and more. */
function widerThan(domain: Domain, types: readonly Domain[] | undefined): Domain | undefined {
    const [type, ...others] = types ?? [];
    if (type === undefined || others.length > 0 || domainSize(type) <= domainSize(domain)) {
        return undefined;
    }
    const values = new Set(valuesOfDomain(type));
    return domain.kind === type.kind && valuesOfDomain(domain).every(value => values.has(value)) ? type : undefined;
}
