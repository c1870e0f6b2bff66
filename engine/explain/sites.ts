/** The parts of a model that can be neutralized; a walk over the model asks for each whether to do so. */
import type { TextOfRange } from '../common/source-text.js';
import type { SourceRange } from '../common/source-range.js';
import type { PlaceKind } from '../describe/report.js';
import { domainSize, formatDomain, valuesOfDomain, type Domain } from '../model/domain.js';
import type { Binder, Expression } from '../model/expression.js';
import { elementDomain, mapParts, type Mapping } from '../model/map-expression.js';
import type { Control, Model, Process, Variable } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { walkModel } from '../model/walk-model.js';
import { identityOf } from '../symmetry/declared-action.js';
import { freePartsOfExpression, headOfLoop, type FreePart } from './free-values.js';
import { INITIAL, isInside, wordsAt, type ModelPlace, type Owner, type PlaceSubject } from './places.js';

export interface Site {
    readonly range: SourceRange;
    readonly kind: PlaceKind;
    readonly aspect?: string;
    readonly owner: Owner;
    /** What stands there: in the words of the text, or as the model has it. */
    readonly quote: (textOf: TextOfRange) => string;
    readonly expressions: readonly Expression[];
    /** The types whose values it does not treat alike, if no expression shows it. */
    readonly ordered?: readonly Domain[];
    /** The name that takes these values, or the variable that starts with them. */
    readonly about?: Binder | Variable;
    readonly subject?: PlaceSubject;
    readonly family?: ModelPlace['family'];
}

/** The process around a site, and the part of the model that the site belongs to. */
export interface SiteScope {
    readonly process: Process | undefined;
    readonly owner: Owner;
}

export const OUTSIDE: SiteScope = { process: undefined, owner: INITIAL };

export function quoting(range: SourceRange, format: () => string): Site['quote'] {
    return textOf => wordsAt(range, textOf, format);
}

/** The sites that several constructs of the language share. */
export class Sites {
    readonly model: Model;
    readonly decide: (site: Site) => boolean;
    private readonly wider: WiderTypes;

    constructor(model: Model, decide: (site: Site) => boolean) {
        this.model = model;
        this.decide = decide;
        this.wider = widerTypes(model);
    }

    condition(expression: Expression, { process, owner }: SiteScope, kind: PlaceKind): boolean {
        const { range } = expression;
        const quote = quoting(range, () => formatExpression(this.model, process, expression));
        const subject: PlaceSubject = { kind: 'expression', expression };
        return this.decide({ range, kind, owner, quote, expressions: [expression], subject });
    }

    freePart(part: FreePart, { process, owner }: SiteScope): boolean {
        if (part.kind === 'order') {
            return this.order(part, owner);
        }
        const { range, quoted, expression, isCondition, domain } = part;
        const quote = quoting(quoted, () => formatExpression(this.model, process, expression));
        const kind = isCondition ? 'branch' : 'value';
        const subject: PlaceSubject = { kind: 'value', expression, ...(domain && { domain }) };
        return this.decide({ range, kind, owner, quote, expressions: [expression], subject });
    }

    /** Whether some value that the expression uses, but that is declared elsewhere, is neutralized. */
    hasFreeValue(expression: Expression, scope: SiteScope): boolean {
        return freePartsOfExpression(expression, scope.process, this.model)
            .filter(({ range }) => !isInside(expression.range, range))
            .map(part => this.freePart(part, scope))
            .includes(true);
    }

    /** The order of a `for`, whose range begins with that of the loop. */
    order(loop: Extract<Control, { kind: 'for' }> | Extract<FreePart, { kind: 'order' }>, owner: Owner): boolean {
        const { binder } = loop;
        const { name, domain } = binder;
        const range = headOfLoop(loop);
        if (range === undefined || domainSize(domain) <= 1) {
            return false;
        }
        const quote = quoting(range, () => `for ${name} in ${formatDomain(domain)}`);
        const site = { range, owner, quote, expressions: [], ordered: [domain], about: binder };
        const subject: PlaceSubject | undefined = loop.kind === 'for' ? { kind: 'loop', loop } : undefined;
        return this.decide({ ...site, kind: 'order', aspect: 'the order of', ...(subject && { subject }) });
    }

    /** The name with all values of its type, if its range is neutralized. */
    binder(binder: Binder, owner: Owner): Binder {
        const wider = this.wider.ofBinder(binder);
        const { domain, range } = binder;
        const isWider = wider !== undefined && range !== undefined && this.range(binder, domain, wider, range, owner);
        return isWider ? { ...binder, domain: wider } : binder;
    }

    /** The index of a family with all values of the type that it takes its values from, if its range is neutralized. */
    familyIndex(binder: Binder, owner: Owner): Binder {
        const whole = this.wider.ofFamilyIndex(binder);
        const { domain: over, range } = binder;
        const isWider =
            whole !== undefined &&
            range !== undefined &&
            this.range(binder, over, whole, range, owner, { over, whole });
        return isWider ? { ...binder, domain: whole } : binder;
    }

    /** The type of a local that can take more values than its choice lists, if the choice is neutralized. */
    typeOfLocal(local: Variable, owner: Owner): Domain {
        const wider = this.wider.ofLocal(local);
        const { element, initializer } = local;
        const isWider =
            wider !== undefined &&
            initializer.kind === 'any' &&
            this.range(local, element, wider, initializer.range, owner);
        return isWider ? wider : element;
    }

    private range(
        about: Binder | Variable,
        domain: Domain,
        wider: Domain,
        range: SourceRange,
        owner: Owner,
        family?: ModelPlace['family'],
    ): boolean {
        const { name } = about;
        const quote: Site['quote'] = textOf => `${name} in ${wordsAt(range, textOf, () => formatDomain(domain))}`;
        const site = { range, owner, quote, expressions: [], ordered: [domain], about };
        const subject: PlaceSubject | undefined =
            wider.name === undefined ? undefined : { kind: 'range', name, type: wider.name };
        return this.decide({ ...site, kind: 'range', ...(subject && { subject }), ...(family && { family }) });
    }

    /** Maps the names of quantifiers and loops. */
    mapping({ process, owner }: SiteScope): Mapping {
        const mapping: Mapping = {
            model: this.model,
            process,
            part: part => mapParts(part, mapping),
            binder: binder => this.binder(binder, owner),
        };
        return mapping;
    }
}

interface WiderTypes {
    readonly ofBinder: (binder: Binder) => Domain | undefined;
    /** Also the declared type of variables that the index is compared with, if it stands nowhere else. */
    readonly ofFamilyIndex: (binder: Binder) => Domain | undefined;
    readonly ofLocal: (local: Variable) => Domain | undefined;
}

/**
 * The types of names that take only some of their values, `forall k in 1 .. N - 1`: the only type at all positions of
 * the name (index, assigned, sent, event), if it has all values of the name and more. One pass over the model.
 */
function widerTypes(model: Model): WiderTypes {
    const binders = new Map<number, Domain[]>();
    const compared = new Map<number, Domain[]>();
    const locals = new Map<Variable, Domain[]>();
    const note = <Key>(uses: Map<Key, Domain[]>, key: Key, domain: Domain): void => {
        const known = uses.get(key) ?? [];
        if (known.every(other => identityOf(other) !== identityOf(domain))) {
            uses.set(key, [...known, domain]);
        }
    };
    const noteCompared = (name: Expression, read: Expression, process: Process | undefined): void => {
        const domain = read.kind === 'read' ? elementDomain(read.place, { model, process }) : undefined;
        const base = domain?.kind === 'optional' ? domain.base : domain;
        if (name.kind === 'binder' && base?.name !== undefined) {
            note(compared, name.binder.id, base);
        }
    };
    walkModel(model, ({ process }) => {
        const mapping: Mapping = {
            model,
            process,
            part: (part, { domain }) => {
                if (domain !== undefined && part.kind === 'binder') {
                    note(binders, part.binder.id, domain);
                } else if (domain !== undefined && part.kind === 'read' && part.place.kind === 'local' && process) {
                    note(locals, process.locals[part.place.local], domain);
                } else if (part.kind === 'binary' && (part.operator === '==' || part.operator === '!=')) {
                    noteCompared(part.left, part.right, process);
                    noteCompared(part.right, part.left, process);
                }
                return mapParts(part, mapping);
            },
        };
        return mapping;
    });
    return {
        ofBinder: ({ id, domain }) => widerThan(domain, binders.get(id)),
        ofFamilyIndex: ({ id, domain }) => widerThan(domain, binders.get(id) ?? compared.get(id)),
        ofLocal: local => widerThan(local.element, locals.get(local)),
    };
}

/** The only one of the types, if it has all values of the domain and more. */
function widerThan(domain: Domain, types: readonly Domain[] = []): Domain | undefined {
    const [type, ...others] = types;
    if (type === undefined || others.length > 0 || domainSize(type) <= domainSize(domain)) {
        return undefined;
    }
    const values = new Set(valuesOfDomain(type));
    return domain.kind === type.kind && valuesOfDomain(domain).every(value => values.has(value)) ? type : undefined;
}
