/**
 * The part of a model that a question about some of its declarations is about, where the model falls into parts that
 * share nothing: no variable, channel, event or function. What permutes things of one part leaves the others as they are,
 * so a symmetry of a part is one of the model, and the other way round.
 */
import { UnionFind } from '../common/union-find.js';
import type { Domain } from '../model/domain.js';
import type { ChannelType, Model } from '../model/model.js';
import type { PartSubject } from '../describe/member-action.js';
import { identityOf } from '../symmetry/declared-action.js';

export interface ModelPart {
    /** The model in which nothing else happens. */
    readonly model: Model;
    /** The same for the same part. */
    readonly name: string;
}

/** One pass over the model. */
export class ModelParts {
    private readonly model: Model;
    /** The numbers of processes, variables, channels, functions, events and initial conditions, one after the other. */
    private readonly first: Readonly<Record<Kind, number>>;
    private readonly sets: UnionFind;
    /** By identity, the declarations that mention the type. */
    private readonly mentions = new Map<string, Set<number>>();

    constructor(model: Model) {
        this.model = model;
        const { processes, variables, channels, functions, events, initialConditions } = model;
        const lists = { processes, variables, channels, functions, events, initialConditions };
        let count = 0;
        const first: Record<string, number> = {};
        for (const [kind, list] of Object.entries(lists)) {
            first[kind] = count;
            count += list.length;
        }
        this.first = first as Record<Kind, number>;
        this.sets = new UnionFind(count);
        for (const [kind, list] of Object.entries(lists)) {
            list.forEach((declaration, index) => {
                this.look(declaration, first[kind] + index);
            });
        }
    }

    /** Undefined where all processes are in the part. */
    about({ types, processes }: PartSubject): ModelPart | undefined {
        const { model, first } = this;
        const seeds = [
            ...processes.map(process => first.processes + process),
            ...types.flatMap(type => [...(this.mentions.get(identityOf(type)) ?? [])]),
        ];
        const roots = new Set(seeds.map(seed => this.sets.find(seed)));
        const isIn = (kind: Kind, index: number): boolean => roots.has(this.sets.find(first[kind] + index));
        if (model.processes.every((_, process) => isIn('processes', process))) {
            return undefined;
        }
        const part: Model = {
            ...model,
            // What nobody writes to and starts with one value is not looked at again.
            variables: model.variables.map((variable, index) =>
                isIn('variables', index) ? variable : { ...variable, initializer: { kind: 'default' } },
            ),
            processes: model.processes.map((process, index) => {
                if (isIn('processes', index)) {
                    return process;
                }
                const locals = process.locals.map(local => ({ ...local, initializer: { kind: 'default' as const } }));
                return { ...process, locals, body: [] };
            }),
            initialConditions: model.initialConditions.filter((_, index) => isIn('initialConditions', index)),
        };
        return { model: part, name: [...roots].sort((a, b) => a - b).join() };
    }

    /** Notes what is mentioned inside of a declaration. */
    private look(part: unknown, declaration: number): void {
        if (typeof part !== 'object' || part === null) {
            return;
        }
        const named = part as { readonly kind?: string; readonly [index: string]: unknown };
        switch (named.kind) {
            case 'shared':
                this.join(declaration, 'variables', named.variable);
                break;
            case 'declared':
                this.join(declaration, 'channels', named.channel);
                break;
            case 'event':
                this.join(declaration, 'events', named.event);
                break;
            case 'value':
                // A channel that is a value; initial values have the same kind.
                if (typeof named.type === 'number') {
                    this.joinChannels(declaration, this.model.channelTypes[named.type]);
                }
                break;
            case 'call':
                this.join(declaration, 'functions', named.function);
                break;
            case 'at':
            case 'instance-local':
                this.join(declaration, 'processes', named.process);
                break;
            case 'enumeration': {
                const domain = part as Domain;
                const channels = this.model.channelTypes.find(type => identityOf(type.domain) === identityOf(domain));
                this.joinChannels(declaration, channels);
                this.note(domain, declaration);
                return;
            }
            case 'range':
            case 'boolean':
                this.note(part as Domain, declaration);
                return;
            case 'record':
            case 'optional':
                // A record that is built has the same kind as its type.
                if ('tuples' in part || 'base' in part) {
                    this.note(part as Domain, declaration);
                }
                break;
            default:
        }
        for (const [key, value] of Object.entries(part)) {
            if (key !== 'range') {
                this.look(value, declaration);
            }
        }
    }

    private joinChannels(declaration: number, channels: ChannelType | undefined): void {
        channels?.members.forEach(({ channel }) => {
            this.join(declaration, 'channels', channel);
        });
    }

    private join(declaration: number, kind: Kind, index: unknown): void {
        this.sets.union(declaration, this.first[kind] + Number(index));
    }

    private note(domain: Domain, declaration: number): void {
        const identity = identityOf(domain);
        const known = this.mentions.get(identity);
        if (known === undefined) {
            this.mentions.set(identity, new Set([declaration]));
        } else {
            known.add(declaration);
        }
    }
}

type Kind = 'processes' | 'variables' | 'channels' | 'functions' | 'events' | 'initialConditions';
