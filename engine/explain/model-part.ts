/**
 * The part of a model that a question is about; parts share no variable, channel, event or function. A symmetry of a
 * part is one of the model that fixes the other parts; a symmetry of the model acts on each part that it keeps.
 */
import { appendTo } from '../common/list-map.js';
import { UnionFind } from '../common/union-find.js';
import type { Domain } from '../model/domain.js';
import type { ChannelType, Model } from '../model/model.js';
import type { PartSubject } from '../describe/members.js';
import { identityOf } from '../symmetry/declared-action.js';

/** One pass over the model. */
export class ModelParts {
    private readonly model: Model;
    /** Where each list of the model begins when all of them are numbered consecutively. */
    private readonly first: Readonly<Record<List, number>>;
    private readonly sets: UnionFind;
    /** By the identity of a type, the declarations that mention it. */
    private readonly mentions = new Map<string, number[]>();

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
        this.first = first as Record<List, number>;
        this.sets = new UnionFind(count);
        for (const [kind, list] of Object.entries(lists)) {
            list.forEach((declaration, index) => {
                this.look(declaration, first[kind] + index);
            });
        }
    }

    /** The model in which nothing else happens, by a name that equal parts share; undefined if it is the whole. */
    about({ types, processes }: PartSubject): { readonly model: Model; readonly name: string } | undefined {
        const { model, first } = this;
        const seeds = [
            ...processes.map(process => first.processes + process),
            ...types.flatMap(type => this.mentions.get(identityOf(type)) ?? []),
        ];
        const roots = new Set(seeds.map(seed => this.sets.find(seed)));
        const isIn = (kind: List, index: number): boolean => roots.has(this.sets.find(first[kind] + index));
        if (model.processes.every((_, process) => isIn('processes', process))) {
            return undefined;
        }
        const part: Model = {
            ...model,
            // Variables of other parts become constants.
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

    /** Joins a declaration with all that it mentions. */
    private look(part: unknown, declaration: number): void {
        if (typeof part !== 'object' || part === null) {
            return;
        }
        const { kind = '', ...named } = part as { readonly kind?: string; readonly [key: string]: unknown };
        const reference = REFERENCES[kind];
        if (reference !== undefined) {
            this.join(declaration, reference.list, Number(named[reference.key]));
        } else if (kind === 'value' && typeof named.type === 'number') {
            // A channel that is a value; initial values have the same kind but no such type.
            this.joinChannels(declaration, this.model.channelTypes[named.type]);
        } else if (LEAF_TYPES.has(kind) || 'tuples' in part || 'base' in part) {
            appendTo(this.mentions, identityOf(part as Domain), declaration);
        }
        if (kind === 'enumeration') {
            const identity = identityOf(part as Domain);
            this.joinChannels(
                declaration,
                this.model.channelTypes.find(type => identityOf(type.domain) === identity),
            );
        }
        for (const [key, value] of LEAF_TYPES.has(kind) ? [] : Object.entries(part)) {
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

    private join(declaration: number, list: List, index: number): void {
        this.sets.union(declaration, this.first[list] + index);
    }
}

type List = 'processes' | 'variables' | 'channels' | 'functions' | 'events' | 'initialConditions';

/** By the kind of a part: the list of the model that it refers to, and the key of the index. */
const REFERENCES: Readonly<Record<string, { readonly list: List; readonly key: string } | undefined>> = {
    shared: { list: 'variables', key: 'variable' },
    declared: { list: 'channels', key: 'channel' },
    event: { list: 'events', key: 'event' },
    call: { list: 'functions', key: 'function' },
    at: { list: 'processes', key: 'process' },
    'instance-local': { list: 'processes', key: 'process' },
};

/** Types that contain no others. */
const LEAF_TYPES: ReadonlySet<string> = new Set(['range', 'boolean', 'enumeration']);
