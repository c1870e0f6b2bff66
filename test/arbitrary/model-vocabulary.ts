/** What a random model is made of: types and how they are written, features of the language, and values. */
import type * as fc from 'fast-check';
import { literal, name, call, binary } from './model-trees.js';
import { RandomDraw } from './random-draw.js';
import type { Binder, Declaration, Expression, Type, Variable } from '../reference/syntax.js';

/**
 * Families range over `index`, some over `node`; `pair` is a record, `slot` one with `where`, `port` a channel; `perhaps` is
 * a `pair` or `none`, `maybe` a `slot` or `none`.
 */
export type Sort =
    'bool' | 'bit' | 'trit' | 'color' | 'index' | 'node' | 'optional' | 'pair' | 'perhaps' | 'slot' | 'maybe' | 'port';

/** The names of what the second kind of families range over. */
const NODES = ['west', 'east'];

export const SORTS: readonly Sort[] = ['bool', 'bit', 'trit', 'color', 'index', 'optional'];

export interface Declared {
    readonly variable: Variable;
    readonly sort: Sort;
    readonly indices: readonly Sort[];
    /** The process whose instances alone write it in events, each at its own index. */
    owner?: string;
    readonly kind: 'shared' | 'local' | 'constant' | 'temporary';
}

export interface Field {
    readonly name: string;
    readonly sort: Sort;
    readonly indices: readonly Sort[];
}

/** A variable or a field of one. */
export interface Access {
    readonly declared: Declared;
    readonly field?: Field;
    readonly sort: Sort;
}

interface BoundName {
    readonly name: string;
    readonly sort: Sort;
}

export interface Scope {
    readonly binders: readonly BoundName[];
    readonly variables: readonly Declared[];
    /** In the body of a step with a partner: other instances' bodies run at the same time, and must not touch the same. */
    readonly alone?: { readonly process: string; readonly own: readonly string[] };
    readonly labels: readonly { readonly process: ProcessHead; readonly label: string }[];
    /** What invariants may read: the locals that each process declares first. */
    readonly locals?: readonly { readonly process: ProcessHead; readonly local: Declared }[];
    /** Nothing but what is known before the run. */
    readonly isStatic?: boolean;
}

export interface ProcessHead {
    readonly name: string;
    readonly indices: readonly Binder[];
    readonly sorts: readonly Sort[];
    readonly where?: Expression;
}

export interface EventHead {
    readonly name: string;
    readonly arguments: readonly Sort[];
}

export interface ChannelHead {
    readonly name: string;
    readonly indices: readonly Sort[];
    readonly capacity: number;
    readonly message: Sort;
}

export interface FunctionHead {
    readonly name: string;
    readonly parameters: readonly BoundName[];
    readonly result: Sort;
    /** Its argument decides how deep it goes, so it is called with numbers only. */
    readonly recursive: boolean;
    /** Its body is one expression, so all its parameters are read. Others may do without some when they are unfolded. */
    readonly readsAll: boolean;
}

export class ModelVocabulary extends RandomDraw {
    /** Every value of the index type is treated alike. */
    protected readonly alike: boolean;
    protected readonly size: number;
    /** How the index type is written, which decides whether one can count around it. */
    protected readonly indexStyle: 'from zero' | 'from one' | 'from minus one' | 'names';
    private readonly nodeStyle: 'names' | 'numbers';
    /** The least number of a bit and of a trit. */
    protected readonly least: number;
    /** Constants of the data sorts, which keep their values apart, are not written. */
    protected readonly dataSymmetric: boolean;
    /** In percent, how often an index is a constant where it could be one. */
    protected readonly constantIndices: number;
    /** In percent, how often an expression may leave its type. */
    protected readonly faults: number;
    private readonly colors: readonly string[];
    protected readonly names: readonly string[];
    protected readonly races: boolean;
    protected readonly has: {
        readonly records: boolean;
        readonly channels: boolean;
        readonly functions: boolean;
        readonly tables: boolean;
        readonly bodies: boolean;
        readonly control: boolean;
        readonly arithmetic: boolean;
        readonly nodes: boolean;
    };
    protected readonly fields: Readonly<Record<'pair' | 'slot', readonly Field[]>>;
    /** What the fields of a slot must satisfy. */
    protected readonly slotCondition: 'distinct' | 'not both' | 'not the last' | 'limited';
    /** How many sides each place has where they are limited. */
    private readonly limits: readonly number[];
    protected shared: Declared[] = [];
    protected events: EventHead[] = [];
    protected channels: ChannelHead[] = [];
    protected functions: FunctionHead[] = [];
    protected counter = 0;

    constructor(random: fc.Random, alike = false) {
        super(random);
        this.alike = alike;
        this.size = this.weighted([
            [10, 2],
            [8, 3],
            [2, 4],
            [1, 5],
        ]);
        this.indexStyle = this.weighted([
            [6, 'from zero'],
            [3, 'from one'],
            [2, 'from minus one'],
            [2, 'names'],
        ]);
        this.nodeStyle = this.pick(['names', 'numbers']);
        this.dataSymmetric = this.chance(45);
        this.constantIndices = alike || this.chance(65) ? 0 : 15;
        this.faults = alike || this.chance(60) ? 0 : 20;
        this.colors = ['red', 'green', 'blue'].slice(0, this.chance(60) ? 2 : 3);
        this.names = ['anna', 'bob', 'carl', 'dora', 'emil'].slice(0, this.size);
        const feature = (percent: number): boolean => !alike && this.chance(percent);
        this.races = feature(8);
        this.has = {
            records: feature(35),
            channels: feature(40),
            functions: feature(25),
            tables: feature(12),
            bodies: feature(35),
            control: feature(40),
            arithmetic: feature(25),
            nodes: feature(25),
        };
        // Bits are defined for numbers that are not negative.
        this.least =
            alike || this.has.arithmetic || this.has.tables
                ? 0
                : this.weighted([
                      [6, 0],
                      [3, -1],
                      [1, 1],
                  ]);
        const scalar = (): Sort => this.pick(['bool', 'bit', 'index', 'optional', 'color'] as const);
        this.slotCondition = this.pick(['distinct', 'not both', 'not the last', 'limited'] as const);
        const limit = this.between(1, 2);
        this.limits = this.names.map(() => (this.chance(60) ? limit : this.between(1, 2)));
        const pair: Field[] = [
            { name: 'on', sort: scalar(), indices: [] },
            { name: 'who', sort: this.chance(60) ? 'index' : scalar(), indices: this.chance(12) ? ['bool'] : [] },
        ];
        if (this.chance(15)) {
            pair.push({ name: 'at_', sort: 'slot', indices: [] });
        }
        const second = this.slotCondition === 'distinct' ? 'index' : 'bit';
        this.fields = {
            pair,
            slot: [
                { name: 'place', sort: 'index', indices: [] },
                { name: 'side', sort: second, indices: [] },
            ],
        };
    }

    protected typeDeclarations(): Declaration[] {
        const index: Declaration[] =
            this.indexStyle === 'names'
                ? [{ kind: 'enum', name: 'Id', values: this.names }]
                : [
                      {
                          kind: 'param',
                          name: 'N',
                          type: { kind: 'range', low: literal(1), high: literal(8) },
                          value: literal(this.size),
                      },
                      {
                          kind: 'type',
                          name: 'Id',
                          type: {
                              kind: 'range',
                              low: literal(this.firstIndex),
                              high:
                                  this.firstIndex === 1
                                      ? name('N')
                                      : binary('-', name('N'), literal(1 - this.firstIndex)),
                          },
                      },
                  ];
        const declarations: Declaration[] = [
            ...index,
            { kind: 'type', name: 'Bit', type: this.range(this.least, this.least + 1) },
            { kind: 'type', name: 'Trit', type: this.range(this.least, this.least + 2) },
            { kind: 'enum', name: 'Color', values: this.colors },
        ];
        if (this.has.nodes) {
            declarations.push(
                this.nodeStyle === 'names'
                    ? { kind: 'enum', name: 'Node', values: NODES }
                    : { kind: 'type', name: 'Node', type: this.range(-NODES.length, -1) },
            );
        }
        if (this.has.records && this.slotCondition === 'limited') {
            declarations.push({
                kind: 'const',
                name: 'limits',
                type: { kind: 'array', element: this.range(-9, 9), indices: [this.typeOf('index')] },
                value: { kind: 'array', elements: this.limits.map(limit => literal(this.least + limit)) },
            });
        }
        if (this.has.records) {
            const fields = (sort: 'pair' | 'slot'): Binder[] =>
                this.fields[sort].map(field => ({ name: field.name, type: this.fieldType(field) }));
            declarations.push(
                { kind: 'record', name: 'Slot', fields: fields('slot'), where: this.slotWhere() },
                { kind: 'record', name: 'Pair', fields: fields('pair') },
            );
        }
        if (this.has.tables) {
            const shifted = this.indexValues().map((_, position, all) => all[(position + 1) % all.length]!);
            const elements = this.chance(60) ? shifted : this.indexValues().map(() => this.pick(this.indexValues()));
            declarations.push({
                kind: 'const',
                name: 'table',
                type: { kind: 'array', element: this.typeOf('index'), indices: [this.typeOf('index')] },
                value: { kind: 'array', elements },
            });
            declarations.push({
                kind: 'param',
                name: 'weights',
                type: { kind: 'array', element: this.typeOf('bit'), indices: [{ kind: 'open' }] },
                value: { kind: 'array', elements: this.names.map(() => literal(this.between(0, 1))) },
            });
        }
        return declarations;
    }

    private range(low: number, high: number): Type {
        return { kind: 'range', low: literal(low), high: literal(high) };
    }

    private fieldType(field: Field): Type {
        const element = this.typeOf(field.sort);
        return field.indices.length === 0
            ? element
            : { kind: 'array', element, indices: field.indices.map(sort => this.typeOf(sort)) };
    }

    private slotWhere(): Expression {
        switch (this.slotCondition) {
            case 'distinct':
                return binary('!=', name('place'), name('side'));
            case 'not both':
                return binary(
                    '||',
                    binary('==', name('place'), this.indexValues()[0]!),
                    binary('==', name('side'), literal(this.least)),
                );
            case 'limited':
                return binary('<', name('side'), { kind: 'name', name: 'limits', indices: [name('place')] });
            case 'not the last':
                return binary('!=', name('place'), this.indexValues().at(-1)!);
        }
    }

    protected slotValues(): Expression[] {
        const places = this.indexValues();
        const exists = {
            distinct: (first: number, second: number) => first !== second,
            'not both': (first: number, second: number) => first === 0 || second === 0,
            'not the last': (first: number) => first < places.length - 1,
            limited: (first: number, second: number) => second < this.limits[first]!,
        }[this.slotCondition];
        const sides = this.slotCondition === 'distinct' ? places : [literal(this.least), literal(this.least + 1)];
        return sides.flatMap((side, second) =>
            places.flatMap((place, first) => (exists(first, second) ? [call('Slot', place, side)] : [])),
        );
    }

    protected typeOf(sort: Sort): Type {
        switch (sort) {
            case 'bool':
                return { kind: 'bool' };
            case 'optional':
                return { kind: 'optional', base: this.typeOf('index') };
            case 'maybe':
                return { kind: 'optional', base: this.typeOf('slot') };
            case 'perhaps':
                return { kind: 'optional', base: this.typeOf('pair') };
            case 'port':
                return { kind: 'channel', message: this.typeOf(this.portMessage()) };
            default: {
                const names = {
                    bit: 'Bit',
                    trit: 'Trit',
                    color: 'Color',
                    index: 'Id',
                    node: 'Node',
                    pair: 'Pair',
                    slot: 'Slot',
                };
                return { kind: 'named', name: names[sort] };
            }
        }
    }

    protected portMessage(): Sort {
        return this.channels[0]?.message ?? 'bit';
    }

    protected cardinality(sort: Sort): number {
        switch (sort) {
            case 'pair':
                return this.fields.pair.reduce(
                    (product, field) =>
                        product *
                        this.cardinality(field.sort) **
                            field.indices.reduce((cells, index) => cells * this.cardinality(index), 1),
                    1,
                );
            case 'slot':
                return this.slotValues().length;
            case 'maybe':
                return this.cardinality('slot') + 1;
            case 'perhaps':
                return this.cardinality('pair') + 1;
            case 'port':
                return this.channels
                    .filter(({ message }) => message === this.portMessage())
                    .reduce((count, { indices }) => count + (indices.length === 0 ? 1 : this.size), 0);
            default:
                return {
                    bool: 2,
                    bit: 2,
                    trit: 3,
                    color: this.colors.length,
                    index: this.size,
                    node: NODES.length,
                    optional: this.size + 1,
                }[sort];
        }
    }

    protected indexValues(): Expression[] {
        return this.indexStyle === 'names'
            ? this.names.map(value => name(value))
            : this.names.map((_, position) => literal(position + this.firstIndex));
    }

    /** Where indices are numbers. */
    private get firstIndex(): number {
        return this.indexStyle === 'from one' ? 1 : this.indexStyle === 'from minus one' ? -1 : 0;
    }

    private nodeValues(): Expression[] {
        return NODES.map((value, position) =>
            this.nodeStyle === 'names' ? name(value) : literal(position - NODES.length),
        );
    }

    protected familySort(): Sort {
        return this.has.nodes && this.chance(30) ? 'node' : 'index';
    }

    protected constant(sort: Sort): Expression {
        switch (sort) {
            case 'bool':
                return { kind: 'literal', value: this.chance(50) };
            case 'bit':
                return literal(this.least + this.between(0, 1));
            case 'trit':
                return literal(this.least + this.between(0, 2));
            case 'color':
                return name(this.pick(this.colors));
            case 'node':
                return this.pick(this.nodeValues());
            case 'index':
            case 'optional':
                return this.pick(this.indexValues());
            case 'slot':
            case 'maybe':
                return this.pick(this.slotValues());
            case 'pair':
            case 'perhaps':
                return this.pair(field => this.constant(field.sort));
            case 'port': {
                const channel = this.pick(this.channels.filter(({ message }) => message === this.portMessage()));
                return {
                    kind: 'name',
                    name: channel.name,
                    indices: channel.indices.map(index => this.constant(index)),
                };
            }
        }
    }

    protected pair(value: (field: Field) => Expression): Expression {
        return call(
            'Pair',
            ...this.fields.pair.map((field): Expression => {
                return field.indices.length === 0
                    ? value(field)
                    : { kind: 'array', elements: [value(field), value(field)] };
            }),
        );
    }

    protected successor(index: Expression): Expression {
        switch (this.firstIndex) {
            case 1:
                return binary('+', binary('mod', index, name('N')), literal(1));
            case -1:
                return binary('-', binary('mod', binary('+', index, literal(2)), name('N')), literal(1));
            default:
                return binary('mod', binary('+', index, literal(1)), name('N'));
        }
    }
}

/** A `let` has the type of its expression, which need not be one with `none`. */
export function withoutNone(sort: Sort): Sort {
    return sort === 'optional' ? 'index' : sort === 'maybe' ? 'slot' : sort === 'perhaps' ? 'pair' : sort;
}
