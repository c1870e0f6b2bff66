/**
 * The types whose values an expression treats by number or order. `flag[j] <= 1` cannot tell processes apart; `next[j]
 * <= 1` can, if `next` is used as an index or compared with one. So values that are assigned, compared, computed from
 * each other, sent or passed are of one kind, and a kind belongs to all types among them. A kind that is too large only
 * makes a place more suspicious.
 */
import { remembered } from '../common/list-map.js';
import { unreachable } from '../common/assert.js';
import { UnionFind } from '../common/union-find.js';
import { baseOf, NONE, type Domain } from '../model/domain.js';
import type { Binder, Expression } from '../model/expression.js';
import { elementDomain, mapParts, type Mapping } from '../model/map-expression.js';
import type { ChannelType, Model, Variable } from '../model/model.js';
import { walkModel, type Surroundings } from '../model/walk-model.js';
import { identityOf, indexTypes } from '../symmetry/declared-action.js';
import { forEachExpression, isTable } from './places.js';

/** The number of a set of values that flow together; sets are united at the end. */
type Kind = number;

/** One pass over the model. */
export class ValueFlow {
    private readonly model: Model;
    private readonly indexTypes: ReadonlySet<string>;
    private kindCount = 0;
    /** By the identities of declared types and of index types. */
    private readonly ofTypes = new Map<string, Kind>();
    /** Of other ranges by their declaration, of names by their number, of fields by their record and position. */
    private readonly others = new Map<Domain | number | string, Kind>();
    private readonly same: [Kind, Kind][] = [];
    /** The kinds that an expression itself, without its parts, treats by number or order. */
    private readonly treated = new Map<Expression, Kind[]>();
    private readonly sets: UnionFind;

    constructor(model: Model) {
        this.model = model;
        this.indexTypes = new Set(indexTypes(model).map(identityOf));
        model.channelTypes.forEach(type => {
            this.uniteMessages(type);
        });
        walkModel(model, surroundings => this.mappingFor(surroundings, this.kindOfResults(surroundings)));
        [...model.variables, ...model.processes.flatMap(({ locals }) => locals)].forEach(({ element }) => {
            this.kindOf(element);
        });
        this.sets = new UnionFind(this.kindCount);
        this.same.forEach(([first, second]) => this.sets.union(first, second));
    }

    /** The types whose values the expressions, or functions that they call, name or compare by order. */
    typesToldApart(expressions: readonly Expression[]): string[] {
        const found: Kind[] = [];
        const called = new Set<number>();
        const look = (part: Expression): void => {
            found.push(...(this.treated.get(part) ?? []));
            if (part.kind === 'call' && !called.has(part.function)) {
                called.add(part.function);
                forEachExpression(this.model.functions[part.function].body, look);
            }
        };
        forEachExpression(expressions, look);
        return this.typesAmong(found);
    }

    /** The types of the values of a name or a variable. */
    typesOf(about: Binder | Variable): string[] {
        if ('id' in about) {
            return this.typesAmong([this.kindOfBinder(about)]);
        }
        const kind = this.kindOf(about.element);
        return kind === undefined ? [] : this.typesAmong([kind]);
    }

    private typesAmong(kinds: readonly Kind[]): string[] {
        const roots = new Set(kinds.map(kind => this.sets.find(kind)));
        return [...this.ofTypes].filter(([, kind]) => roots.has(this.sets.find(kind))).map(([type]) => type);
    }

    private fresh(): Kind {
        return this.kindCount++;
    }

    private unite(first: Kind | undefined, second: Kind | undefined): void {
        if (first !== undefined && second !== undefined) {
            this.same.push([first, second]);
        }
    }

    /** Truth values are of no kind. */
    private kindOf(domain: Domain | undefined): Kind | undefined {
        const base = domain && baseOf(domain);
        if (base === undefined || base.kind === 'boolean') {
            return undefined;
        }
        const identity = identityOf(base);
        if (base.name === undefined && !this.indexTypes.has(identity)) {
            return remembered(this.others, base, () => this.fresh());
        }
        const kind = remembered(this.ofTypes, identity, () => this.fresh());
        if (base.kind === 'record') {
            base.fields.forEach((field, index) => {
                this.unite(this.kindOfField(base, index), this.kindOf(field.domain));
                // A comparison of fields of indices is one of indices.
                this.unite(this.kindOfField(base, index), this.indexTypes.has(identity) ? kind : undefined);
            });
        }
        return kind;
    }

    private kindOfField(record: Domain, field: number): Kind {
        return remembered(this.others, `${identityOf(record)} ${field}`, () => this.fresh());
    }

    private kindOfBinder({ id, domain }: Binder): Kind {
        const kind = remembered(this.others, id, () => this.fresh());
        this.unite(kind, this.kindOf(domain));
        return kind;
    }

    /** All scalars that a function returns are united. */
    private kindOfResults({ function: declared }: Surroundings): Kind | undefined {
        const [first, ...more] = declared?.results.map(({ element }) => this.kindOf(element)) ?? [];
        more.forEach(kind => {
            this.unite(first, kind);
        });
        return first;
    }

    /** For parts of an expression of this kind, unless the position of a part gives it another kind. */
    private mappingFor(surroundings: Surroundings, kind?: Kind): Mapping {
        const { process } = surroundings;
        return {
            model: this.model,
            process,
            binder: binder => {
                this.kindOfBinder(binder);
                return binder;
            },
            part: (part, { domain }) => {
                const inside = this.look(part, this.kindOf(domain) ?? kind, surroundings);
                return mapParts(part, this.mappingFor(surroundings, inside));
            },
        };
    }

    /** The kind of the parts of an expression of this kind, if they have one kind. */
    private look(part: Expression, kind: Kind | undefined, surroundings: Surroundings): Kind | undefined {
        switch (part.kind) {
            case 'constant': {
                const own = this.kindOf(part.domain);
                this.unite(kind, own);
                if (part.value !== NONE && part.domain?.kind !== 'boolean') {
                    this.treats(part, own ?? kind);
                }
                return undefined;
            }
            case 'binder':
                this.unite(kind, this.kindOfBinder(part.binder));
                return undefined;
            case 'read':
                this.unite(
                    kind,
                    this.kindOf(elementDomain(part.place, { model: this.model, process: surroundings.process })),
                );
                return undefined;
            case 'instance-local':
                this.unite(kind, this.kindOf(this.model.processes[part.process].locals[part.local].element));
                return undefined;
            case 'call':
                this.unite(kind, this.kindOf(this.model.functions[part.function].results[part.result].element));
                return undefined;
            case 'message':
                this.unite(kind, this.kindOfMessage(part.position, surroundings));
                return undefined;
            case 'field':
                this.unite(kind, this.kindOfField(part.domain, part.field));
                return this.kindOf(part.domain);
            case 'record':
                this.unite(kind, this.kindOf(part.domain));
                return undefined;
            case 'select':
                // Its options are of the kind, its index is one of a domain.
                if (isTable(part.options)) {
                    this.treats(part, this.kindOf(part.domain));
                }
                return kind;
            case 'unary':
                if (part.operator === 'negate') {
                    this.treats(part, kind);
                }
                return kind;
            case 'binary':
                return this.lookAtOperator(part, kind);
            case 'conditional':
                return kind;
            case 'quantifier': {
                const own = isOfValues(part) ? (kind ?? this.fresh()) : undefined;
                this.treats(part, own);
                return own;
            }
            case 'at':
            case 'alive':
            case 'fault':
                return undefined;
            default:
                return unreachable(part);
        }
    }

    private lookAtOperator(part: Extract<Expression, { kind: 'binary' }>, kind: Kind | undefined): Kind | undefined {
        switch (part.operator) {
            case 'and':
            case 'or':
            case 'implies':
                return undefined;
            case '==':
            case '!=':
                return this.fresh();
            case '<':
            case '<=':
            case '>':
            case '>=': {
                const compared = this.fresh();
                this.treats(part, compared);
                return compared;
            }
            default: {
                // A result may be of the kind of its operands.
                const own = kind ?? this.fresh();
                this.treats(part, own);
                return own;
            }
        }
    }

    private treats(part: Expression, kind: Kind | undefined): void {
        if (kind !== undefined) {
            this.treated.set(part, [...(this.treated.get(part) ?? []), kind]);
        }
    }

    private kindOfMessage(position: number, { received }: Surroundings): Kind | undefined {
        const { channels, channelTypes } = this.model;
        if (received === undefined) {
            return undefined;
        }
        const { channel: place } = received;
        const channel = place.kind === 'declared' ? place.channel : channelTypes[place.type].members[0].channel;
        return this.kindOf(channels[channel].message[position].domain);
    }

    /** A value of a type of channels may be any of them. */
    private uniteMessages({ members }: ChannelType): void {
        const { channels } = this.model;
        const messages = members.map(({ channel }) =>
            channels[channel].message.map(({ domain }) => this.kindOf(domain)),
        );
        messages.forEach(kinds => {
            kinds.forEach((kind, position) => {
                this.unite(kind, messages[0][position]);
            });
        });
    }
}

function isOfValues({ quantifier }: Extract<Expression, { kind: 'quantifier' }>): boolean {
    return quantifier === 'sum' || quantifier === 'min' || quantifier === 'max' || quantifier === 'the';
}
