/**
 * Random models, small enough to try everything, and biased to what symmetry detection is about: two to five instances of
 * a family over arrays they index, values that are indices, the same process written twice under two names, values that
 * can be exchanged; and to what breaks it: a constant index, one more conjunct, one initial value. Faults, deadlocks and
 * false invariants are common.
 *
 * A model has some of the features of the language, each of them in a share of the models: records, channels, functions,
 * tables, choices of values, loops in bodies. It is well-typed by construction. What may go wrong only when it runs is left
 * in: an index or a value outside its type, a division by zero, a race.
 */
import * as fc from 'fast-check';
import { shrinkModel } from './shrink-model.js';
import type {
    Alternative,
    Binder,
    Communication,
    Control,
    Declaration,
    Expression,
    Model,
    Pattern,
    PlaceExpression,
    ProcessDeclaration,
    Statement,
    Step,
    Type,
    Variable,
} from '../reference/syntax.js';

/** A random model. Shrinks by leaving out or simplifying one part of the tree at a time. */
export function models(): fc.Arbitrary<Model> {
    return new ModelArbitrary();
}

/** A model that treats all values of its index type alike, or all but their order around a ring, and one that does not. */
export interface FlawedModel {
    readonly whole: Model;
    /** The same with one more conjunct in a guard, or one initial value. */
    readonly flawed: Model;
}

/** Does not shrink: the two must stay what they are. */
export function flawedModels(): fc.Arbitrary<FlawedModel> {
    return new FlawedModelArbitrary();
}

class FlawedModelArbitrary extends fc.Arbitrary<FlawedModel> {
    override generate(random: fc.Random): fc.Value<FlawedModel> {
        return new fc.Value(new ModelBuilder(random, true).buildWithFlaw(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is FlawedModel {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<FlawedModel>> {
        return fc.Stream.nil();
    }
}

class ModelArbitrary extends fc.Arbitrary<Model> {
    override generate(random: fc.Random): fc.Value<Model> {
        return new fc.Value(new ModelBuilder(random).build(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is Model {
        return true;
    }

    override shrink(value: Model): fc.Stream<fc.Value<Model>> {
        return fc.stream(shrinkModel(value)).map(smaller => new fc.Value(smaller, undefined));
    }
}

/**
 * What kind of values an expression has. `index` is the type that most families range over, `node` another one of them, `pair`
 * a record that is taken apart, `slot` one that has a `where` and so is one value, `port` a channel.
 */
type Sort = 'bool' | 'bit' | 'trit' | 'color' | 'index' | 'node' | 'optional' | 'pair' | 'slot' | 'maybe' | 'port';

/** The names of what the second kind of families range over. */
const NODES = ['west', 'east'];

/** The sorts that all models have. */
const SORTS: readonly Sort[] = ['bool', 'bit', 'trit', 'color', 'index', 'optional'];

interface Declared {
    readonly variable: Variable;
    readonly sort: Sort;
    /** The sorts of the indices. */
    readonly indices: readonly Sort[];
    /** The process whose instances alone write it in events, each at its own index. */
    owner?: string;
    readonly kind: 'shared' | 'local' | 'constant' | 'temporary';
}

interface Field {
    readonly name: string;
    readonly sort: Sort;
    readonly indices: readonly Sort[];
}

/** A variable or a field of one. */
interface Access {
    readonly declared: Declared;
    readonly field?: Field;
    readonly sort: Sort;
}

interface BoundName {
    readonly name: string;
    readonly sort: Sort;
}

/** What an expression may read where it stands. */
interface Scope {
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

interface ProcessHead {
    readonly name: string;
    readonly indices: readonly Binder[];
    readonly sorts: readonly Sort[];
    readonly where?: Expression;
}

interface EventHead {
    readonly name: string;
    readonly arguments: readonly Sort[];
}

interface ChannelHead {
    readonly name: string;
    readonly indices: readonly Sort[];
    readonly capacity: number;
    readonly message: Sort;
}

interface FunctionHead {
    readonly name: string;
    readonly parameters: readonly BoundName[];
    readonly result: Sort;
    /** Its argument decides how deep it goes, so it is called with numbers only. */
    readonly recursive: boolean;
    /** Its body is one expression, so all its parameters are read. Others may do without some when they are unfolded. */
    readonly readsAll: boolean;
}

/** Labels are numbered through the model, so that every label is clear. */
class ModelBuilder {
    private readonly random: fc.Random;
    /** Every value of the index type is treated alike. */
    private readonly alike: boolean;
    private readonly size: number;
    /** How the index type is written, which decides whether one can count around it. */
    private readonly indexStyle: 'from zero' | 'from one' | 'from minus one' | 'names';
    private readonly nodeStyle: 'names' | 'numbers';
    /** The least number of a bit and of a trit. */
    private readonly least: number;
    /** Constants of the data sorts, which keep their values apart, are not written. */
    private readonly dataSymmetric: boolean;
    /** In percent, how often an index is a constant where it could be one. */
    private readonly constantIndices: number;
    /** In percent, how often an expression may leave its type. */
    private readonly faults: number;
    private readonly colors: readonly string[];
    private readonly names: readonly string[];
    /** Bodies that run at the same time may touch the same. */
    private readonly races: boolean;
    private readonly has: {
        readonly records: boolean;
        readonly channels: boolean;
        readonly functions: boolean;
        readonly tables: boolean;
        readonly bodies: boolean;
        readonly control: boolean;
        readonly arithmetic: boolean;
        readonly nodes: boolean;
    };
    /** The fields of the sorts that are records. */
    private readonly fields: Readonly<Record<'pair' | 'slot', readonly Field[]>>;
    /** What the fields of a slot must satisfy. */
    private readonly slotCondition: 'distinct' | 'not both' | 'not the last' | 'limited';
    /** How many sides each place has where they are limited. */
    private readonly limits: readonly number[];
    private shared: Declared[] = [];
    private events: EventHead[] = [];
    private channels: ChannelHead[] = [];
    private functions: FunctionHead[] = [];
    private counter = 0;

    constructor(random: fc.Random, alike = false) {
        this.random = random;
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

    build(): Model {
        for (;;) {
            const model = this.attempt();
            if (model !== undefined) {
                return model;
            }
        }
    }

    buildWithFlaw(): FlawedModel {
        const whole = this.build();
        const starts = whole.declarations.filter(
            declaration => declaration.kind === 'var' && declaration.variable.initial.kind === 'any',
        );
        if (starts.length > 0 && this.chance(25)) {
            const start = this.pick(starts);
            const sort = this.shared.find(
                declared => start.kind === 'var' && declared.variable.name === start.variable.name,
            )!.sort;
            const value = this.constant(sort);
            const flawed = whole.declarations.map(declaration =>
                declaration === start && declaration.kind === 'var'
                    ? {
                          ...declaration,
                          variable: { ...declaration.variable, initial: { kind: 'value', value } as const },
                      }
                    : declaration,
            );
            return { whole, flawed: { ...whole, declarations: flawed } };
        }
        const processes = whole.declarations.filter(declaration => declaration.kind === 'process');
        const edited = this.flaw(processes);
        const flawed = whole.declarations.map(declaration =>
            declaration.kind === 'process' ? edited[processes.indexOf(declaration)]! : declaration,
        );
        return { whole, flawed: { ...whole, declarations: flawed } };
    }

    private attempt(): Model | undefined {
        this.counter = 0;
        this.shared = [];
        this.events = [];
        this.channels = [];
        this.functions = [];
        if (this.has.channels) {
            for (let count = this.between(1, 2); count > 0; count--) {
                this.channels.push(this.declareChannel());
            }
        }
        for (let count = this.between(this.has.channels ? 0 : 1, this.has.channels ? 2 : 4); count > 0; count--) {
            this.shared.push(this.declareShared());
        }
        if (this.potentialStates() > 600) {
            return undefined;
        }
        const functions: Declaration[] = [];
        if (this.has.functions) {
            for (let count = this.between(1, 2); count > 0; count--) {
                functions.push(this.declareFunction());
            }
        }
        if (this.chance(this.has.channels ? 15 : 35)) {
            this.events = [
                {
                    name: 'meet',
                    arguments: this.weighted<readonly Sort[]>([
                        [4, []],
                        [8, ['index']],
                        [2, ['index', 'index']],
                        [1, ['bool']],
                        [this.has.nodes ? 4 : 0, ['node']],
                        [this.has.nodes ? 2 : 0, ['node', 'index']],
                        [this.has.records ? 3 : 0, ['slot']],
                    ]),
                },
            ];
            if (this.chance(30)) {
                this.events.push({ name: 'sync', arguments: this.chance(50) ? [] : ['index'] });
            }
        }
        const labels: { process: ProcessHead; label: string }[] = [];
        const locals: { process: ProcessHead; local: Declared }[] = [];
        let processes: ProcessDeclaration[] = [];
        const heads = this.processHeads();
        // Before any body is written: what one process owns the events of another do not touch.
        heads.forEach(head => this.claim(head));
        const twins =
            !this.alike &&
            heads.every(head => head.indices.length < 2 && head.sorts.every(sort => sort === 'index')) &&
            this.chance(25);
        for (const head of heads) {
            const binders = head.indices.map(({ name }, position) => ({ name, sort: head.sorts[position]! }));
            const known = twins || !this.has.control ? [] : [...labels];
            const scope: Scope = { binders, variables: this.shared, labels: known };
            const first = this.counter;
            const body = this.processBody(head, scope, locals);
            for (let number = first; number < this.counter; number++) {
                if (JSON.stringify(body).includes(`"label":"l${number}"`)) {
                    labels.push({ process: head, label: `l${number}` });
                }
            }
            const { sorts: _, ...declared } = head;
            processes.push({ kind: 'process', ...declared, body });
        }
        if (twins) {
            const writtenOut = processes.flatMap(process => this.writeOut(process));
            // Labels and locals of a family that is written out belong to several processes now; invariants then name none.
            labels.splice(0, labels.length);
            locals.splice(0, locals.length);
            processes = writtenOut;
        }
        if (!this.alike && this.chance(30)) {
            processes = this.flaw(processes);
        }
        const instances = heads.reduce(
            (total, head) => total + head.sorts.reduce((product, sort) => product * this.cardinality(sort), 1),
            0,
        );
        const choices = processes.reduce(
            (product, process) => product * this.choicesAtHead(process) ** (this.size ** process.indices.length),
            this.potentialStates(),
        );
        if (instances > 6 || choices > 600) {
            return undefined;
        }
        const scope: Scope = { binders: [], variables: this.shared, labels, locals };
        const invariants = Array.from(
            {
                length: this.weighted([
                    [4, 0],
                    [4, 1],
                    [2, 2],
                ] as const),
            },
            (_, number) => this.invariant(`safe${number}`, scope),
        );
        if (!this.alike && this.chance(15)) {
            invariants.push(...this.twinInvariants());
        }
        const conditions: Declaration[] =
            this.has.control && this.shared.some(({ variable }) => variable.initial.kind === 'any') && this.chance(45)
                ? [{ kind: 'init', condition: this.condition({ ...scope, labels: [] }, 1) }]
                : [];
        return {
            name: 'Random',
            declarations: [
                ...this.typeDeclarations(),
                ...this.shared.map((declared): Declaration => ({ kind: 'var', variable: declared.variable })),
                ...conditions,
                ...this.events.map((event): Declaration => ({
                    kind: 'event',
                    name: event.name,
                    arguments: event.arguments.map(sort => this.typeOf(sort)),
                })),
                ...this.channels.map((channel): Declaration => ({
                    kind: 'channel',
                    name: channel.name,
                    indices: channel.indices.map(sort => this.typeOf(sort)),
                    capacity: literal(channel.capacity),
                    message: this.typeOf(channel.message),
                })),
                ...functions,
                ...processes,
                ...invariants,
                ...this.weighted<readonly Declaration[]>([
                    [9, [{ kind: 'allow deadlock' }]],
                    [9, []],
                    [2, [{ kind: 'deadlock free' }]],
                ]),
            ],
        };
    }

    private processHeads(): ProcessHead[] {
        const index = (called: string): Binder => ({ name: called, type: this.typeOf('index') });
        if (!this.alike && this.chance(10)) {
            const where = this.chance(60) ? { where: binary('!=', name('i'), name('k')) } : {};
            return [{ name: 'P', indices: [index('i'), index('k')], sorts: ['index', 'index'], ...where }];
        }
        if (this.has.nodes && this.chance(20)) {
            return [{ name: 'P', indices: [index('i'), this.nodeIndex()], sorts: ['index', 'node'] }];
        }
        if (this.has.records && this.chance(25)) {
            const head: ProcessHead = {
                name: 'P',
                indices: [{ name: 's', type: this.typeOf('slot') }],
                sorts: ['slot'],
            };
            return this.chance(40) ? [head, this.familyHead('Q')] : [head];
        }
        const heads = [this.familyHead('P')];
        if (this.has.nodes && this.chance(60)) {
            heads.push({ name: 'Q', indices: [this.nodeIndex()], sorts: ['node'] });
        } else if (this.chance(this.events.length > 0 || this.channels.length > 0 ? 70 : 25)) {
            heads.push(this.familyHead('Q'));
        }
        if (!this.alike && this.chance(25)) {
            heads.push({ name: 'R', indices: [], sorts: [] });
        }
        return heads;
    }

    private nodeIndex(): Binder {
        return { name: 'n', type: this.typeOf('node') };
    }

    private potentialStates(): number {
        return this.shared.reduce(
            (product, declared) =>
                product *
                this.cardinality(declared.sort) **
                    declared.indices.reduce((cells, sort) => cells * this.cardinality(sort), 1),
            1,
        );
    }

    /** The number of ways in which the locals of one instance may start. */
    private choicesAtHead(process: ProcessDeclaration): number {
        return process.body.reduce((product, item) => {
            if (item.kind !== 'declare' || item.variable.initial.kind !== 'any') {
                return product;
            }
            const text = JSON.stringify(item.variable.type);
            const sort = [...SORTS, 'node', 'pair', 'slot', 'maybe', 'port'].find(
                candidate => JSON.stringify(this.typeOf(candidate as Sort)) === text,
            ) as Sort;
            return product * this.cardinality(sort) ** (item.variable.indices.length === 0 ? 1 : this.size);
        }, 1);
    }

    private typeDeclarations(): Declaration[] {
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

    /** The slots that there are, as they are written. */
    private slotValues(): Expression[] {
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

    private typeOf(sort: Sort): Type {
        switch (sort) {
            case 'bool':
                return { kind: 'bool' };
            case 'optional':
                return { kind: 'optional', base: this.typeOf('index') };
            case 'maybe':
                return { kind: 'optional', base: this.typeOf('slot') };
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

    /** What goes through the channels that are values. */
    private portMessage(): Sort {
        return this.channels[0]?.message ?? 'bit';
    }

    private cardinality(sort: Sort): number {
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

    private indexValues(): Expression[] {
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

    private declareChannel(): ChannelHead {
        const message = this.weighted<Sort>([
            [3, 'bit'],
            [2, 'bool'],
            [2, 'index'],
            [1, 'optional'],
            [this.has.nodes ? 2 : 0, 'node'],
            [this.has.records ? 4 : 0, 'pair'],
            [this.has.records ? 4 : 0, 'slot'],
            [this.channels.length > 0 ? 4 : 0, 'port'],
        ]);
        return {
            name: `ch${this.channels.length}`,
            indices: this.chance(50) ? ['index'] : [],
            capacity: this.weighted([
                [6, 0],
                [6, 1],
                [2, 2],
            ]),
            // What comes first is what goes through the channels that are values.
            message,
        };
    }

    private declareShared(): Declared {
        const sort = this.weighted<Sort>([
            [4, 'bool'],
            [4, 'bit'],
            [2, 'trit'],
            [2, 'color'],
            [3, 'index'],
            [2, 'optional'],
            [this.has.nodes ? 4 : 0, 'node'],
            [this.has.records ? 5 : 0, 'pair'],
            [this.has.records ? 3 : 0, 'slot'],
            [this.has.records ? 2 : 0, 'maybe'],
            [this.channels.length > 0 ? 2 : 0, 'port'],
        ]);
        const indices: Sort[] = this.weighted<readonly Sort[]>([
            [8, []],
            [16, ['index']],
            [2, ['index', 'index']],
            [2, ['bool']],
            [this.alike ? 0 : 2, ['bit']],
            [this.alike ? 0 : 1, ['color']],
            [this.alike ? 0 : 1, ['color', 'index']],
            [this.has.nodes ? 8 : 0, ['node']],
            [this.has.nodes ? 4 : 0, ['index', 'node']],
            [this.has.records ? 6 : 0, ['slot']],
        ]).slice();
        return this.declare(`${'abcdefgh'[this.shared.length]!}`, sort, indices, 'shared');
    }

    private declare(declaredName: string, sort: Sort, indices: readonly Sort[], kind: 'shared' | 'local'): Declared {
        const free = this.dataSymmetric || sort === 'index';
        const anyIndex = this.alike && sort === 'index';
        const initial = this.weighted<Variable['initial']['kind']>([
            [anyIndex ? 0 : free ? 1 : 3, 'default'],
            [5, 'any'],
            [anyIndex ? 0 : free ? 1 : 4, 'value'],
            [this.has.control ? 2 : 0, 'in'],
        ]);
        return {
            sort,
            indices,
            kind,
            variable: {
                name: declaredName,
                type: this.typeOf(sort),
                indices: indices.map(index => this.typeOf(index)),
                initial: this.initial(initial, sort, indices),
            },
        };
    }

    private initial(kind: Variable['initial']['kind'], sort: Sort, indices: readonly Sort[]): Variable['initial'] {
        switch (kind) {
            case 'value': {
                if (this.has.bodies && indices.length === 1 && indices[0] === 'index' && this.chance(50)) {
                    const scope: Scope = { binders: [{ name: 'm', sort: 'index' }], variables: [], labels: [] };
                    return { kind, value: this.comprehension(this.value(sort, scope, 0)) };
                }
                return { kind, value: sort === 'optional' || sort === 'maybe' ? none() : this.constant(sort) };
            }
            case 'in': {
                const elements = Array.from({ length: this.between(1, 2) }, () => ({ low: this.constant(sort) }));
                return { kind, choices: { kind: 'set', elements } };
            }
            default:
                return { kind };
        }
    }

    /** `[m in Id: value]`. */
    private comprehension(body: Expression): Expression {
        return { kind: 'comprehension', binders: [{ name: 'm', type: this.typeOf('index') }], body };
    }

    private declareFunction(): Declaration {
        const number = this.functions.length;
        const recursive = this.chance(15);
        const sorts = [
            'bool',
            'bit',
            'trit',
            'color',
            'index',
            'optional',
            ...(this.has.nodes ? ['node'] : []),
            ...(this.has.records ? ['pair', 'slot'] : []),
        ];
        const result = recursive ? this.pick(['bool', 'bit'] as const) : (this.pick(sorts) as Sort);
        const parameters = recursive
            ? [{ name: `n${number}`, sort: 'trit' as const }]
            : Array.from({ length: this.between(1, 2) }, (_, position) => ({
                  name: `${'nm'[position]!}${number}`,
                  sort: this.pick(sorts) as Sort,
              }));
        const variables = parameters.map((parameter): Declared => ({
            sort: parameter.sort,
            indices: [],
            kind: 'constant',
            variable: {
                name: parameter.name,
                type: this.typeOf(parameter.sort),
                indices: [],
                initial: { kind: 'default' },
            },
        }));
        const scope: Scope = {
            binders: [],
            variables: this.chance(30) ? [...this.shared, ...variables] : variables,
            labels: [],
        };
        const head = { name: `f${number}`, parameters, result, recursive, readsAll: false };
        const body = recursive ? this.recursiveBody(head, scope) : this.functionBody(result, scope);
        this.functions.push({ ...head, readsAll: body.length === 1 && body[0]!.kind === 'return' });
        return {
            kind: 'function',
            name: head.name,
            parameters: parameters.map(parameter => ({ name: parameter.name, type: this.typeOf(parameter.sort) })),
            result: this.typeOf(result),
            body,
        };
    }

    /** `if n == 0 { return … } return f(n - 1) …`. */
    private recursiveBody(head: FunctionHead, scope: Scope): Statement[] {
        const parameter = name(head.parameters[0]!.name);
        const again = call(head.name, binary('-', parameter, literal(1)));
        const combined =
            head.result === 'bool'
                ? binary(this.pick(['&&', '||', '==', '!='] as const), this.condition(scope, 0), again)
                : call(
                      this.pick(this.least < 0 ? ['min', 'max'] : ['xor', 'min', 'max', 'bitor']),
                      again,
                      this.value('bit', scope, 1),
                  );
        return [
            {
                kind: 'return',
                value: {
                    kind: 'if',
                    condition: binary('==', parameter, literal(this.least)),
                    then: this.value(head.result, scope, 0),
                    otherwise: combined,
                },
            },
        ];
    }

    private functionBody(result: Sort, scope: Scope): Statement[] {
        const returned = (inner: Scope): Statement => ({ kind: 'return', value: this.value(result, inner, 1) });
        switch (this.between(0, 3)) {
            case 0:
                return [returned(scope)];
            case 1:
                return [
                    { kind: 'if', condition: this.condition(scope, 1), then: [returned(scope)], otherwise: [] },
                    returned(scope),
                ];
            case 2: {
                const temporary = this.temporary(result, 'temporary');
                const inner = { ...scope, variables: [...scope.variables, temporary] };
                const binder = `k${this.counter++}`;
                const round = { ...inner, binders: [{ name: binder, sort: 'index' as const }] };
                return [
                    this.initialized(temporary, scope),
                    {
                        kind: 'for',
                        binder: { name: binder, type: this.typeOf('index') },
                        body: [
                            {
                                kind: 'if',
                                condition: this.condition(round, 1),
                                then: [this.chance(25) ? returned(round) : this.assignTo(temporary, round)],
                                otherwise: [],
                            },
                        ],
                    },
                    { kind: 'return', value: name(temporary.variable.name) },
                ];
            }
            default: {
                const temporary = this.temporary(this.pick(['bit', 'index', 'bool'] as const), 'constant');
                return [
                    { kind: 'let', name: temporary.variable.name, value: this.value(temporary.sort, scope, 1) },
                    returned({ ...scope, variables: [...scope.variables, temporary] }),
                ];
            }
        }
    }

    private temporary(sort: Sort, kind: 'constant' | 'temporary', indices: readonly Sort[] = []): Declared {
        const called = `t${this.counter++}`;
        return {
            sort,
            indices,
            kind,
            variable: {
                name: called,
                type: this.typeOf(sort),
                indices: indices.map(index => this.typeOf(index)),
                initial: { kind: 'default' },
            },
        };
    }

    private initialized(temporary: Declared, scope: Scope): Statement {
        const initial: Variable['initial'] = this.chance(70)
            ? { kind: 'value', value: this.value(temporary.sort, scope, 1) }
            : { kind: 'default' };
        return { kind: 'var', variable: { ...temporary.variable, initial } };
    }

    private assignTo(declared: Declared, scope: Scope): Statement {
        const target: PlaceExpression = {
            kind: 'name',
            name: declared.variable.name,
            indices: this.indicesOf(declared, scope),
        };
        return { kind: 'assign', target, value: this.valueOtherThan(target, declared.sort, scope, 1) };
    }

    private familyHead(processName: string): ProcessHead {
        const where =
            !this.alike && this.chance(6) ? { where: binary('!=', name('i'), this.pick(this.indexValues())) } : {};
        const indices = [{ name: 'i', type: this.typeOf('index') }];
        return { name: processName, indices, sorts: ['index'], ...where };
    }

    /** A process owns an array of its index type that nobody owns, so that its steps with events can write something. */
    private claim(head: ProcessHead): void {
        const free = this.shared.find(
            declared =>
                declared.owner === undefined &&
                declared.indices.length === head.indices.length &&
                declared.indices.every((index, position) => index === head.sorts[position]),
        );
        if (free !== undefined) {
            free.owner = head.name;
        }
    }

    private processBody(
        head: ProcessHead,
        outer: Scope,
        locals: { process: ProcessHead; local: Declared }[],
    ): Control[] {
        const body: Control[] = [];
        let scope = outer;
        if (this.has.control && head.sorts.includes('index') && this.chance(30)) {
            const constant = { ...this.temporary('index', 'constant'), owner: head.name };
            const value = this.index({ ...scope, variables: [], labels: [] });
            body.push({ kind: 'const', name: constant.variable.name, value });
            scope = { ...scope, variables: [...scope.variables, constant] };
        }
        for (
            let count = this.weighted([
                [10, 0],
                [this.channels.length > 0 ? 15 : 5, 1],
                [1, 2],
            ] as const);
            count > 0;
            count--
        ) {
            const local = this.declare(
                `${head.name.toLowerCase()}${count}`,
                this.localSort(),
                this.chance(15) ? ['index'] : [],
                'local',
            );
            body.push({ kind: 'declare', variable: local.variable });
            scope = { ...scope, variables: [...scope.variables, { ...local, owner: head.name }] };
            locals.push({ process: head, local });
        }
        const steps = { left: head.indices.length === 2 ? 1 : this.between(1, 4) };
        const inside = (): Control[] => {
            const items: Control[] = [];
            while (steps.left > 0 && items.length < 3) {
                items.push(...this.control(head, scope, steps, 2, false));
            }
            return items.length === 0 ? [this.step(head, scope)] : items;
        };
        if (this.chance(80)) {
            const loop: Control = { kind: 'loop', body: inside() };
            body.push(this.chance(10) ? this.labeled(loop) : loop);
        } else {
            body.push(...inside());
        }
        return body;
    }

    private localSort(): Sort {
        return this.weighted<Sort>([
            ...SORTS.map(sort => [3, sort] as const),
            // Room for what comes through a channel.
            ...this.channels.map(({ message }) => [8, message] as const),
            [this.has.nodes ? 4 : 0, 'node'],
            [this.has.records ? 5 : 0, 'pair'],
            [this.has.records ? 3 : 0, 'slot'],
            [this.has.records ? 1 : 0, 'maybe'],
        ]);
    }

    private control(
        head: ProcessHead,
        scope: Scope,
        steps: { left: number },
        depth: number,
        inLoop: boolean,
    ): Control[] {
        const block = (inner: Scope, loop: boolean, mayBeEmpty = false): Control[] => {
            if (mayBeEmpty && this.chance(40)) {
                return [];
            }
            const items = this.control(head, inner, steps, depth - 1, loop);
            while (steps.left > 0 && items.length < 3 && this.chance(30)) {
                items.push(...this.control(head, inner, steps, depth - 1, loop));
            }
            return items;
        };
        const rich = this.has.control;
        const kind =
            depth === 0
                ? 'step'
                : this.weighted([
                      [10, 'step'],
                      [4, 'choose'],
                      [2, 'if'],
                      [3, 'while'],
                      [1, 'loop'],
                      [1, 'local'],
                      [inLoop ? 2 : 0, 'break'],
                      [rich ? 1 : 0, 'for'],
                      [rich ? 2 : 0, 'let'],
                      [rich ? 1 : 0, 'terminate'],
                  ] as const);
        switch (kind) {
            case 'step':
                steps.left--;
                return [this.chance(35) ? this.labeled(this.step(head, scope)) : this.step(head, scope)];
            case 'choose':
                return [
                    {
                        kind: 'choose',
                        alternatives: Array.from({ length: this.between(2, 3) }, (): Alternative =>
                            rich && this.chance(40)
                                ? this.choiceOfValues(head, scope, inner => block(inner, inLoop))
                                : { binders: [], body: block(scope, inLoop) },
                        ),
                    },
                ];
            case 'if':
                return [
                    {
                        kind: 'if',
                        condition: this.condition(scope, 1),
                        then: block(scope, inLoop),
                        otherwise: block(scope, inLoop, true),
                    },
                ];
            case 'while': {
                const loop: Control = {
                    kind: 'while',
                    condition: this.condition(scope, 1),
                    body: block(scope, true, true),
                };
                return [this.chance(15) ? this.labeled(loop) : loop];
            }
            case 'loop':
                return [
                    {
                        kind: 'loop',
                        body: [
                            this.step(head, scope),
                            {
                                kind: 'if',
                                condition: this.condition(scope, 1),
                                then: [{ kind: 'break' }],
                                otherwise: [],
                            },
                        ],
                    },
                ];
            case 'local': {
                const sort = this.localSort();
                const local = this.declare(`v${this.counter++}`, sort, [], 'local');
                const inner = { ...scope, variables: [...scope.variables, { ...local, owner: head.name }] };
                const choose = this.chance(70) || (local.variable.initial.kind === 'any' && !rich);
                const initial = choose
                    ? { kind: 'value' as const, value: this.value(local.sort, scope, 1) }
                    : local.variable.initial;
                // After a step: at the head of a body it would be part of the initial states, which may not fault.
                steps.left--;
                return [
                    this.step(head, scope),
                    { kind: 'declare', variable: { ...local.variable, initial } },
                    ...block(inner, false),
                ];
            }
            case 'break':
                return [{ kind: 'break' }];
            case 'for': {
                const binder = { name: `k${this.counter++}`, sort: this.familySort() };
                const inner = { ...scope, binders: [...scope.binders, binder] };
                const body = block(inner, true);
                return [{ kind: 'for', binder: { name: binder.name, type: this.typeOf(binder.sort) }, body }];
            }
            case 'let': {
                const named = this.temporary(withoutNone(this.localSort()), 'constant');
                const inner = { ...scope, variables: [...scope.variables, named] };
                steps.left--;
                return [
                    this.step(head, scope),
                    { kind: 'let', name: named.variable.name, value: this.value(named.sort, scope, 1) },
                    ...block(inner, false),
                ];
            }
            case 'terminate':
                steps.left--;
                return [
                    this.step(head, scope),
                    {
                        kind: 'if',
                        condition: this.condition(scope, 0),
                        then: [{ kind: 'terminate' }],
                        otherwise: [],
                    },
                ];
        }
    }

    /** `x in T where …  { … }`. */
    private choiceOfValues(head: ProcessHead, scope: Scope, block: (inner: Scope) => Control[]): Alternative {
        const bound = Array.from({ length: this.chance(80) ? 1 : 2 }, () => ({
            ...this.temporary(
                this.weighted<Sort>([
                    [6, 'index'],
                    [2, 'bit'],
                    [1, 'bool'],
                    [1, 'color'],
                    [this.has.nodes ? 3 : 0, 'node'],
                    [this.has.records ? 3 : 0, 'slot'],
                ]),
                'constant',
            ),
            owner: head.name,
        }));
        const inner: Scope = { ...scope, variables: [...scope.variables, ...bound] };
        return {
            binders: bound.map(({ variable }) => ({ name: variable.name, type: variable.type })),
            ...(this.chance(40) && { where: this.condition({ ...inner, labels: [] }, 1) }),
            body: block(inner),
        };
    }

    /** What families range over. */
    private familySort(): Sort {
        return this.has.nodes && this.chance(30) ? 'node' : 'index';
    }

    private labeled(control: Control): Control {
        const isEnd = this.has.control && this.chance(20);
        return { kind: 'labeled', label: `l${this.counter++}`, isEnd, control };
    }

    private step(head: ProcessHead, scope: Scope): Step {
        const guard = this.chance(60) ? { guard: this.condition(scope, 2) } : {};
        const own = { process: head.name, own: head.indices.map(index => index.name) };
        const alone = this.races ? scope : { ...scope, alone: own };
        if (this.channels.length > 0 && this.chance(60)) {
            const channel = this.pick(this.channels);
            const inner = channel.capacity === 0 ? alone : scope;
            return {
                kind: 'step',
                ...(this.chance(30) && guard),
                communication: this.useOfChannel(channel, scope, inner),
                body: this.chance(60) ? [] : this.statements(inner, 1),
            };
        }
        if (this.events.length > 0 && this.chance(55)) {
            const event = this.pick(this.events);
            return {
                kind: 'step',
                ...guard,
                communication: {
                    kind: 'event',
                    name: event.name,
                    arguments: event.arguments.map(sort => this.indexOf(sort, scope)),
                },
                body: this.chance(50) ? [] : this.statements(alone, 1),
            };
        }
        const body = this.chance(10)
            ? []
            : this.statements(
                  scope,
                  this.weighted([
                      [5, 1],
                      [3, 2],
                      [1, 3],
                  ] as const),
              );
        return { kind: 'step', ...guard, body };
    }

    private useOfChannel(channel: ChannelHead, scope: Scope, inner: Scope): Communication {
        const port = this.reads('port', scope);
        const place: PlaceExpression =
            port !== undefined && channel.message === this.portMessage() && this.chance(30)
                ? (port as PlaceExpression)
                : {
                      kind: 'name',
                      name: channel.name,
                      indices: channel.indices.map(sort => this.indexOf(sort, scope)),
                  };
        return this.chance(50)
            ? { kind: 'send', channel: place, message: this.value(channel.message, scope, 1) }
            : { kind: 'receive', channel: place, pattern: this.pattern(channel.message, scope, inner) };
    }

    private pattern(sort: Sort, scope: Scope, inner: Scope): Pattern {
        if (sort === 'pair' || sort === 'slot') {
            const fields = this.fields[sort];
            if (this.chance(80) && fields.every(field => field.indices.length === 0)) {
                const parts = fields.map(field => this.pattern(field.sort, scope, inner));
                return { kind: 'record', parts };
            }
        }
        const target = this.place(sort, inner);
        return this.weighted<() => Pattern>([
            [target === undefined ? 0 : 8, () => ({ kind: 'expression', equal: false, value: target! })],
            [2, () => ({ kind: 'any' })],
            [2, () => ({ kind: 'expression', equal: true, value: this.value(sort, scope, 0) })],
            [
                this.dataSymmetric || sort === 'port' || sort === 'pair' ? 0 : 2,
                () => ({ kind: 'expression', equal: false, value: this.constant(sort) }),
            ],
        ])();
    }

    private statements(scope: Scope, count: number): Statement[] {
        const statements: Statement[] = [];
        let inner = scope;
        while (statements.length < count) {
            if (this.has.bodies && this.chance(15)) {
                const kind = this.pick(['constant', 'temporary'] as const);
                const sort = this.pick(SORTS);
                const temporary = this.temporary(kind === 'constant' ? withoutNone(sort) : sort, kind);
                const named = { ...temporary, owner: scope.alone?.process ?? '' };
                statements.push(
                    kind === 'constant'
                        ? { kind: 'let', name: named.variable.name, value: this.value(named.sort, inner, 1) }
                        : this.initialized(named, inner),
                );
                inner = { ...inner, variables: [...inner.variables, named] };
            }
            statements.push(this.statement(inner, 1));
        }
        return statements;
    }

    private statement(scope: Scope, depth: number): Statement {
        if (depth > 0 && this.chance(10)) {
            return {
                kind: 'if',
                condition: this.condition(scope, 1),
                then: [this.statement(scope, depth - 1)],
                otherwise: this.chance(40) ? [this.statement(scope, depth - 1)] : [],
            };
        }
        if (depth > 0 && this.has.bodies && this.chance(12)) {
            const binder = { name: `k${this.counter++}`, sort: this.familySort() };
            const body = [this.statement({ ...scope, binders: [...scope.binders, binder] }, depth - 1)];
            return { kind: 'for', binder: { name: binder.name, type: this.typeOf(binder.sort) }, body };
        }
        if (depth > 0 && this.has.bodies && this.faults > 0 && this.chance(18)) {
            const body = [this.statement(scope, depth - 1)];
            return { kind: 'while', condition: this.condition(scope, 1), body };
        }
        const target = this.writable(scope);
        if (target.length === 0) {
            return { kind: 'skip' };
        }
        if (this.faults > 0 && this.chance(6)) {
            return { kind: 'assert', condition: this.condition(scope, 1) };
        }
        const whole = target.filter(({ declared }) => declared.indices.length === 1 && declared.indices[0] === 'index');
        if (this.has.bodies && scope.alone === undefined && whole.length > 0 && this.chance(25)) {
            return this.wholeAssignment(this.pick(whole).declared, scope);
        }
        const access = this.pick(target);
        const place = this.accessed(access, scope);
        return { kind: 'assign', target: place, value: this.valueOtherThan(place, access.sort, scope, 2) };
    }

    /** All of an array at once. */
    private wholeAssignment(declared: Declared, scope: Scope): Statement {
        const target: PlaceExpression = { kind: 'name', name: declared.variable.name, indices: [] };
        return { kind: 'assign', target, value: this.wholeArray(declared, scope) };
    }

    private wholeArray(declared: Declared, scope: Scope): Expression {
        const same = this.readable(scope).filter(
            other =>
                other.sort === declared.sort && other.indices.length === 1 && other.indices[0] === declared.indices[0],
        );
        if (same.length > 0 && this.chance(25)) {
            return name(this.pick(same).variable.name);
        }
        if (!this.dataSymmetric && this.chance(25)) {
            return { kind: 'array', elements: this.names.map(() => this.value(declared.sort, scope, 0)) };
        }
        const inner = { ...scope, binders: [...scope.binders, { name: 'm', sort: 'index' as const }] };
        return this.comprehension(this.value(declared.sort, inner, 1));
    }

    /** A value that is not the expression itself, if a few tries find one. */
    private valueOtherThan(expression: Expression, sort: Sort, scope: Scope, depth: number): Expression {
        let value = this.value(sort, scope, depth);
        for (let tries = 0; tries < 3 && JSON.stringify(value) === JSON.stringify(expression); tries++) {
            value = this.value(sort, scope, depth);
        }
        return value;
    }

    /** In the body of a step with a partner only what its process owns, and what no such body writes. */
    private readable(scope: Scope): readonly Declared[] {
        const { alone } = scope;
        return alone === undefined
            ? scope.variables
            : scope.variables.filter(
                  declared =>
                      declared.kind !== 'shared' || declared.owner === undefined || declared.owner === alone.process,
              );
    }

    /** The variables and fields that an expression may read. */
    private accesses(scope: Scope): Access[] {
        return this.readable(scope).flatMap((declared): Access[] => [
            { declared, sort: declared.sort },
            ...(declared.sort === 'pair' || declared.sort === 'slot'
                ? this.fields[declared.sort].map(field => ({ declared, field, sort: field.sort }))
                : []),
        ]);
    }

    private writable(scope: Scope): Access[] {
        return this.accesses(scope).filter(
            ({ declared, field }) =>
                declared.kind !== 'constant' &&
                // A part of a record with a condition may be written where what is left is no record.
                (field === undefined || declared.sort === 'pair' || this.faults > 0) &&
                (scope.alone === undefined || declared.kind !== 'shared' || declared.owner !== undefined),
        );
    }

    /** What a message of this sort may be written to. */
    private place(sort: Sort, scope: Scope): PlaceExpression | undefined {
        const places = this.writable(scope).filter(
            access => access.sort === sort && access.declared.kind !== 'temporary' && access.field === undefined,
        );
        return places.length === 0 ? undefined : this.accessed(this.pick(places), scope);
    }

    private accessed({ declared, field }: Access, scope: Scope): PlaceExpression {
        const base: PlaceExpression = {
            kind: 'name',
            name: declared.variable.name,
            indices: this.indicesOf(declared, scope),
        };
        return field === undefined
            ? base
            : {
                  kind: 'field',
                  record: base,
                  field: field.name,
                  indices: field.indices.map(sort => this.indexOf(sort, scope)),
              };
    }

    /** Some variable or field of the sort. */
    private reads(sort: Sort, scope: Scope): Expression | undefined {
        const same = this.accesses(scope).filter(access => access.sort === sort);
        return same.length === 0 ? undefined : this.accessed(this.pick(same), scope);
    }

    private indicesOf(declared: Declared, scope: Scope): Expression[] {
        // An array of the process itself may be indexed freely.
        if (scope.alone !== undefined && declared.owner !== undefined && declared.kind === 'shared') {
            return scope.alone.own.map(index => name(index));
        }
        return declared.indices.map(sort => this.indexOf(sort, scope));
    }

    private indexOf(sort: Sort, scope: Scope): Expression {
        switch (sort) {
            case 'index':
                return this.index(scope);
            case 'slot': {
                const scalars = this.accesses(scope).filter(
                    access => access.sort === 'slot' && access.declared.indices.length === 0,
                );
                const read = scalars.length === 0 ? undefined : this.accessed(this.pick(scalars), scope);
                return this.slot(read, scope, 0);
            }
            default:
                return this.bindersOf(sort, scope).length > 0 && this.chance(70)
                    ? name(this.pick(this.bindersOf(sort, scope)))
                    : this.scalar(sort, scope);
        }
    }

    /** A variable without indices, where there is one and the values may not be told apart. */
    private scalar(sort: Sort, scope: Scope): Expression {
        const scalars = this.readable(scope).filter(
            declared => declared.sort === sort && declared.indices.length === 0,
        );
        return scalars.length > 0 && (this.dataSymmetric || this.chance(50))
            ? name(this.pick(scalars).variable.name)
            : this.constant(sort);
    }

    private bindersOf(sort: Sort, scope: Scope): string[] {
        return scope.binders.filter(binder => binder.sort === sort).map(binder => binder.name);
    }

    /** An index of the type the families range over: mostly a binder or its successor. */
    private index(scope: Scope): Expression {
        const binders = this.bindersOf('index', scope);
        const own = binders.length > 0;
        const slots = this.bindersOf('slot', scope);
        const readable = this.readable(scope).filter(
            declared =>
                declared.indices.length === 0 &&
                (declared.sort === 'index' || (declared.sort === 'optional' && this.faults > 0)),
        );
        const records = this.readable(scope).filter(
            declared => declared.indices.length === 0 && (declared.sort === 'slot' || declared.sort === 'pair'),
        );
        const kind = this.weighted([
            [own ? 20 : 0, 'binder'],
            [own && this.indexStyle !== 'names' ? 8 : 0, 'successor'],
            [own && this.has.tables ? 8 : 0, 'table'],
            [slots.length > 0 ? 15 : 0, 'slot'],
            [readable.length > 0 ? 6 : 0, 'variable'],
            [records.length > 0 ? 4 : 0, 'record'],
            [(own || slots.length > 0) && !this.chance(this.constantIndices) ? 0 : 4, 'constant'],
        ] as const);
        switch (kind) {
            case 'binder':
                return name(this.pick(binders));
            case 'successor':
                return this.successor(name(this.pick(binders)));
            case 'table':
                return { kind: 'name', name: 'table', indices: [name(this.pick(binders))] };
            case 'slot':
                return field(name(this.pick(slots)), 'place');
            case 'variable':
                return name(this.pick(readable).variable.name);
            case 'record': {
                const declared = this.pick(records);
                const indices = this.fields[declared.sort as 'pair' | 'slot'].filter(
                    candidate => candidate.sort === 'index' && candidate.indices.length === 0,
                );
                return indices.length === 0
                    ? this.pick(this.indexValues())
                    : field(name(declared.variable.name), this.pick(indices).name);
            }
            case 'constant':
                return this.pick(this.indexValues());
        }
    }

    private successor(index: Expression): Expression {
        switch (this.firstIndex) {
            case 1:
                return binary('+', binary('mod', index, name('N')), literal(1));
            case -1:
                return binary('-', binary('mod', binary('+', index, literal(2)), name('N')), literal(1));
            default:
                return binary('mod', binary('+', index, literal(1)), name('N'));
        }
    }

    private condition(scope: Scope, depth: number): Expression {
        const readable = this.readable(scope);
        const buffered = scope.isStatic === true ? [] : this.channels.filter(({ capacity }) => capacity > 0);
        const arrays = readable.filter(({ indices }) => indices.length === 1 && indices[0] === 'index');
        const kind = this.weighted([
            [5, 'read'],
            [8, 'compare'],
            [depth > 0 ? 3 : 0, 'connect'],
            [depth > 0 && this.free(scope) !== undefined ? 3 : 0, 'quantify'],
            [depth > 0 && this.free(scope) !== undefined ? 2 : 0, 'count'],
            [scope.labels.length > 0 && scope.alone === undefined ? 5 : 0, 'at'],
            [scope.binders.length > 0 && this.constantIndices > 0 ? 1 : 0, 'fixed'],
            [buffered.length > 0 && scope.alone === undefined ? 3 : 0, 'channel'],
            [this.has.bodies && depth > 0 && arrays.length > 0 && scope.alone === undefined ? 3 : 0, 'array'],
            [this.has.arithmetic ? 3 : 0, 'element'],
        ] as const);
        switch (kind) {
            case 'read': {
                const read = this.reads('bool', scope);
                if (read === undefined) {
                    return this.compare(scope, depth);
                }
                return this.chance(50) ? read : not(read);
            }
            case 'compare':
                return this.compare(scope, depth);
            case 'connect': {
                const operator = this.pick(['&&', '||', 'implies'] as const);
                const both = binary(operator, this.condition(scope, depth - 1), this.condition(scope, depth - 1));
                return this.chance(15) ? not(both) : both;
            }
            case 'quantify':
            case 'count':
                return this.quantified(kind, scope, depth);
            case 'at': {
                const { process, label } = this.pick(scope.labels);
                return {
                    kind: 'at',
                    process: process.name,
                    indices: process.sorts.map(sort => this.indexOf(sort, scope)),
                    label,
                };
            }
            case 'fixed': {
                const binders = this.bindersOf('index', scope);
                return binders.length === 0
                    ? this.compare(scope, depth)
                    : binary(this.pick(['==', '!='] as const), name(binders[0]!), this.pick(this.indexValues()));
            }
            case 'channel': {
                const channel = this.pick(buffered);
                const place: Expression = {
                    kind: 'name',
                    name: channel.name,
                    indices: channel.indices.map(sort => this.indexOf(sort, scope)),
                };
                return this.chance(60)
                    ? call(this.pick(['full', 'empty']), place)
                    : binary(
                          this.pick(['<', '==', '>='] as const),
                          call('len', place),
                          literal(this.between(0, channel.capacity)),
                      );
            }
            case 'array': {
                const declared = this.pick(arrays);
                const operator = this.pick(['==', '!='] as const);
                return binary(operator, name(declared.variable.name), this.wholeArray(declared, scope));
            }
            case 'element':
                return this.membership(scope);
        }
    }

    /** `x in { … }`. */
    private membership(scope: Scope): Expression {
        const sort = this.pick(['trit', 'index', 'color'] as const);
        if (sort === 'trit') {
            return binary(
                'in',
                this.value(sort, scope, 1),
                this.chance(40) ? name('Bit') : set(literal(0), literal(2)),
            );
        }
        return binary('in', this.value(sort, scope, 0), set(this.value(sort, scope, 0), this.value(sort, scope, 0)));
    }

    private quantified(kind: 'quantify' | 'count', scope: Scope, depth: number): Expression {
        const binder = this.free(scope)!;
        const sort = this.weighted<Sort>([
            [this.alike ? 1 : 16, 'index'],
            [this.has.nodes ? 8 : 0, 'node'],
            [this.alike ? 0 : 1, 'color'],
            [this.alike ? 0 : 1, 'bit'],
            [this.has.records ? 2 : 0, 'slot'],
        ]);
        const inner = { ...scope, binders: [...scope.binders, { name: binder, sort }] };
        const known = this.bindersOf(sort, scope);
        const others = known.length > 0 && this.chance(50);
        const quantified = {
            kind: 'quantifier' as const,
            binders: [{ name: binder, type: this.typeOf(sort) }],
            ...(others ? { where: binary('!=', name(binder), name(known[0]!)) } : {}),
        };
        if (kind === 'quantify') {
            const body = this.condition(inner, depth - 1);
            return { ...quantified, quantifier: this.pick(['forall', 'exists'] as const), body };
        }
        const operator = this.pick(['<=', '==', '!='] as const);
        const bound = literal(this.between(0, 2));
        if (this.has.arithmetic && this.chance(50)) {
            // The least or greatest of nothing is a fault.
            const quantifier = this.pick(
                others && this.cardinality(sort) < 2 ? (['sum'] as const) : (['sum', 'min', 'max'] as const),
            );
            return binary(operator, { ...quantified, quantifier, body: this.value('bit', inner, depth - 1) }, bound);
        }
        const body = this.condition(inner, depth - 1);
        return binary(operator, { ...quantified, quantifier: 'count', body }, bound);
    }

    /** A name for one more binder; two are enough. */
    private free(scope: Scope): string | undefined {
        return ['j', 'm'].find(
            candidate => !scope.binders.some(({ name }) => name === candidate) && scope.binders.length < 2,
        );
    }

    private compare(scope: Scope, depth: number): Expression {
        const accesses = this.accesses(scope);
        if (accesses.length === 0) {
            return binary('==', this.value('index', scope, 0), this.value('index', scope, 0));
        }
        const access = this.pick(accesses);
        const ordered = !this.dataSymmetric && (access.sort === 'bit' || access.sort === 'trit');
        const operator = this.weighted([
            [5, '=='],
            [5, '!='],
            [ordered ? 2 : 0, '<'],
            [ordered ? 2 : 0, '>='],
        ] as const);
        const read = this.accessed(access, scope);
        return binary(operator, read, this.valueOtherThan(read, access.sort, scope, Math.min(depth, 1)));
    }

    private constant(sort: Sort): Expression {
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

    private pair(value: (field: Field) => Expression): Expression {
        return call(
            'Pair',
            ...this.fields.pair.map((field): Expression => {
                return field.indices.length === 0
                    ? value(field)
                    : { kind: 'array', elements: [value(field), value(field)] };
            }),
        );
    }

    private value(sort: Sort, scope: Scope, depth: number): Expression {
        const read = this.reads(sort, scope);
        const constants = !this.dataSymmetric || read === undefined;
        if (depth > 0 && this.chance(8)) {
            return {
                kind: 'if',
                condition: this.condition(scope, 0),
                then: this.value(sort, scope, depth - 1),
                otherwise: this.value(sort, scope, depth - 1),
            };
        }
        const functions = this.functions.filter(({ result }) => result === sort);
        if (functions.length > 0 && depth > 0 && scope.alone === undefined && this.chance(30)) {
            const head = this.pick(functions);
            const variables = scope.variables.filter(({ kind }) => head.readsAll || kind === 'shared');
            const given = head.parameters.map(parameter =>
                head.recursive
                    ? this.constant(parameter.sort)
                    : this.value(parameter.sort, { ...scope, variables }, depth - 1),
            );
            return call(head.name, ...given);
        }
        switch (sort) {
            case 'bool':
                if (read !== undefined && this.chance(55)) {
                    return this.chance(50) ? read : not(read);
                }
                return constants && (depth === 0 || this.chance(60))
                    ? this.constant(sort)
                    : this.condition(scope, depth - 1);
            case 'bit':
            case 'trit':
                return this.number(sort, read, constants, scope, depth);
            case 'color':
            case 'node':
            case 'port': {
                const bound = this.bindersOf(sort, scope);
                if (bound.length > 0 && this.chance(60)) {
                    return name(this.pick(bound));
                }
                return read !== undefined && !(constants && this.chance(40)) ? read : this.constantOrOwn(sort, scope);
            }
            case 'index':
                return depth > 0 && read !== undefined && this.chance(30) ? read : this.index(scope);
            case 'optional':
                return read !== undefined && this.chance(35)
                    ? read
                    : this.chance(35)
                      ? none()
                      : this.value('index', scope, 0);
            case 'maybe':
                return read !== undefined && this.chance(35)
                    ? read
                    : this.chance(35)
                      ? none()
                      : this.value('slot', scope, 0);
            case 'pair':
                return read !== undefined && this.chance(40)
                    ? read
                    : this.pair(field => this.value(field.sort, scope, Math.max(0, depth - 1)));
            case 'slot':
                return this.slot(read, scope, depth);
        }
    }

    /** A channel of the family itself where there is one. */
    private constantOrOwn(sort: 'color' | 'node' | 'port', scope: Scope): Expression {
        const own = this.channels.filter(
            ({ message, indices }) => message === this.portMessage() && indices.length === 1,
        );
        return sort === 'port' && own.length > 0 && this.bindersOf('index', scope).length > 0 && this.chance(70)
            ? { kind: 'name', name: this.pick(own).name, indices: [this.index(scope)] }
            : this.constant(sort);
    }

    private slot(read: Expression | undefined, scope: Scope, depth: number): Expression {
        const binders = this.bindersOf('slot', scope);
        const indices = this.bindersOf('index', scope);
        const successive = this.slotCondition === 'distinct' && indices.length > 0 && this.indexStyle !== 'names';
        const kind = this.weighted([
            [binders.length > 0 ? 10 : 0, 'binder'],
            [read === undefined ? 0 : 6, 'read'],
            [successive ? 8 : 0, 'successive'],
            [depth > 0 && this.faults > 0 ? 6 : 0, 'any'],
            [binders.length + indices.length > 0 && !this.chance(this.constantIndices) ? 1 : 4, 'constant'],
        ] as const);
        switch (kind) {
            case 'binder':
                return name(this.pick(binders));
            case 'read':
                return read!;
            case 'successive': {
                const index = name(this.pick(indices));
                return this.chance(50)
                    ? call('Slot', index, this.successor(index))
                    : call('Slot', this.successor(index), index);
            }
            case 'any':
                return call('Slot', ...this.fields.slot.map(field => this.value(field.sort, scope, depth - 1)));
            case 'constant':
                return this.pick(this.slotValues());
        }
    }

    private number(
        sort: 'bit' | 'trit',
        read: Expression | undefined,
        constants: boolean,
        scope: Scope,
        depth: number,
    ): Expression {
        const bound = this.bindersOf(sort, scope);
        if (bound.length > 0 && this.chance(60)) {
            return name(this.pick(bound));
        }
        if (read === undefined || (constants && this.chance(40))) {
            return this.has.tables && sort === 'bit' && this.chance(30) ? this.weight(scope) : this.constant(sort);
        }
        if (depth === 0 || this.chance(35)) {
            return read;
        }
        // What is known before the run would be an error of the text.
        if (this.chance(this.faults) && !isTemporary(read)) {
            return this.faulty(sort, read, scope);
        }
        if (this.has.arithmetic && this.chance(50)) {
            return this.calculated(sort, read, scope);
        }
        const sum = literal(2 * this.least + (sort === 'bit' ? 1 : 2));
        if (sort === 'bit' || this.chance(40)) {
            return binary('-', sum, read);
        }
        const next = binary('mod', binary('+', read, literal(1 - this.least)), literal(3));
        return this.least === 0 ? next : binary('+', next, literal(this.least));
    }

    /** A bit of the array that is a parameter. Its indices begin at 0, whatever those of the families are. */
    private weight(scope: Scope): Expression {
        const indices = this.bindersOf('index', scope);
        const at =
            indices.length === 0 || this.indexStyle === 'names'
                ? literal(0)
                : binary('mod', name(this.pick(indices)), call('len', name('weights')));
        return { kind: 'name', name: 'weights', indices: [at] };
    }

    /** With the functions that all models have; the result is of the sort. */
    private calculated(sort: 'bit' | 'trit', read: Expression, scope: Scope): Expression {
        const other = this.value(sort, scope, 0);
        const bit = this.value('bit', scope, 0);
        return sort === 'bit'
            ? this.pick([
                  call('xor', read, other),
                  call('bitand', read, other),
                  call('bitor', read, other),
                  call('min', read, other),
                  call('max', read, other, bit),
                  call('shr', read, other),
              ])
            : this.pick([
                  call('min', read, other),
                  call('max', read, other),
                  call('pow', literal(2), bit),
                  call('shl', literal(1), bit),
                  call('bitand', read, other),
                  call('shr', read, bit),
              ]);
    }

    /** A number that may lie outside its type, or have no value. */
    private faulty(sort: Sort, read: Expression, scope: Scope): Expression {
        const numbers = (['bit', 'trit'] as const)
            .map(other => this.reads(other, scope))
            .filter((other): other is Expression => other !== undefined && !isTemporary(other));
        const others = numbers.length === 0 ? [read] : numbers;
        switch (this.between(0, this.has.arithmetic ? 4 : 3)) {
            case 0:
                return binary('+', read, literal(1));
            case 1:
                return binary('-', read, literal(1));
            case 2:
                return binary(this.pick(['div', 'mod'] as const), read, this.pick(others));
            case 3:
                return sort === 'bit' ? this.pick(others) : binary('*', read, this.pick(others));
            default:
                return call(
                    this.pick(['xor', 'shl', 'pow', 'bitor']),
                    read,
                    binary('-', this.pick(others), literal(1)),
                );
        }
    }

    private invariant(invariantName: string, scope: Scope): Declaration {
        const exclusive = scope.labels.filter(
            ({ process }) => process.indices.length === 1 && process.sorts[0] === 'index',
        );
        if (exclusive.length > 0 && this.chance(40)) {
            const { process, label } = this.pick(exclusive);
            const at: Expression = { kind: 'at', process: process.name, indices: [name('j')], label };
            const counted: Expression = {
                kind: 'quantifier',
                quantifier: 'count',
                binders: [{ name: 'j', type: this.typeOf('index') }],
                ...(process.where && { where: substitute(process.where, 'i', name('j')) }),
                body: at,
            };
            return { kind: 'invariant', name: invariantName, expression: binary('<=', counted, literal(1)) };
        }
        const { locals = [] } = scope;
        if (locals.length > 0 && this.chance(50)) {
            return { kind: 'invariant', name: invariantName, expression: this.ofLocals(this.pick(locals), scope) };
        }
        return { kind: 'invariant', name: invariantName, expression: this.condition(scope, 2) };
    }

    /** Of the locals of all instances, or of two, or of one. */
    private ofLocals(
        { process, local }: { readonly process: ProcessHead; readonly local: Declared },
        scope: Scope,
    ): Expression {
        const read = (indices: readonly Expression[], inner: Scope): Expression => ({
            kind: 'field',
            record: { kind: 'name', name: process.name, indices },
            field: local.variable.name,
            indices: local.indices.map(sort => this.indexOf(sort, inner)),
        });
        const named = (): Expression[] => process.sorts.map(sort => this.indexOf(sort, scope));
        const operator = this.pick(['==', '!='] as const);
        if (process.indices.length === 0 || this.chance(25)) {
            return binary(operator, read(named(), scope), this.value(local.sort, scope, 1));
        }
        const binders = process.indices.map(({ type }, position) => ({ name: 'jm'[position]!, type }));
        const bound = binders.map((binder, position) => ({ name: binder.name, sort: process.sorts[position]! }));
        const inner: Scope = { ...scope, binders: [...scope.binders, ...bound] };
        const ofAll = read(
            binders.map(binder => name(binder.name)),
            inner,
        );
        const other = this.chance(40) ? read(named(), inner) : this.value(local.sort, inner, 1);
        const where =
            process.where &&
            process.indices.reduce(
                (condition, index, position) => substitute(condition, index.name, name(binders[position]!.name)),
                process.where,
            );
        const body = binary(operator, ofAll, other);
        return this.chance(70)
            ? {
                  kind: 'quantifier',
                  quantifier: this.pick(['forall', 'exists'] as const),
                  binders,
                  ...(where && { where }),
                  body,
              }
            : binary(
                  '<=',
                  { kind: 'quantifier', quantifier: 'count', binders, ...(where && { where }), body },
                  literal(this.between(1, 2)),
              );
    }

    /** The same said of two indices, which a symmetry may exchange only where nothing is checked. */
    private twinInvariants(): Declaration[] {
        const binders = [{ name: 'i', sort: 'index' as const }];
        const expression = this.condition({ binders, variables: this.shared, labels: [] }, 2);
        return this.indexValues()
            .slice(0, 2)
            .map((value, position) => ({
                kind: 'invariant',
                name: `twin${position}`,
                expression: substitute(expression, 'i', value),
            }));
    }

    /** The instances of a family as processes of their own, `P_0` for `P[0]`. */
    private writeOut(process: ProcessDeclaration): ProcessDeclaration[] {
        if (process.indices.length !== 1) {
            return [process];
        }
        return this.indexValues().map((value, position) => ({
            kind: 'process',
            name: `${process.name}_${position}`,
            indices: [],
            body: substitute(process.body, 'i', value),
        }));
    }

    /** What typically breaks a symmetry, in one step: one more conjunct, or a fault of its own. */
    private flaw(processes: readonly ProcessDeclaration[]): ProcessDeclaration[] {
        const candidates = processes.filter(
            process => process.indices.length === 1 && process.indices[0]!.name === 'i',
        );
        if (candidates.length === 0) {
            return [...processes];
        }
        const broken = this.pick(candidates);
        const value = this.pick(this.indexValues());
        const scope: Scope = { binders: [{ name: 'i', sort: 'index' }], variables: this.shared, labels: [] };
        const kind = this.weighted([
            [6, 'guard'],
            [2, 'assert'],
            [this.alike ? 0 : 2, 'fault kind'],
            [this.alike ? 0 : 2, 'fault or nothing'],
        ] as const);
        let done = false;
        const edited = mapSteps(broken.body, step => {
            if (done) {
                return step;
            }
            done = true;
            if (kind === 'fault or nothing' && step.communication === undefined) {
                // Where the condition is false, one instance faults and the others do nothing.
                const condition = this.condition(scope, 1);
                const asserted = binary('||', binary('!=', name('i'), value), condition);
                return {
                    ...step,
                    body: [
                        { kind: 'assert', condition: asserted },
                        { kind: 'if', condition, then: step.body, otherwise: [] },
                    ],
                };
            }
            const mayFault = (kind === 'assert' || kind === 'fault kind') && step.communication === undefined;
            const faulty = mayFault ? this.faultFor(kind, value, scope) : undefined;
            if (faulty !== undefined) {
                return { ...step, body: [faulty, ...step.body] };
            }
            const conjunct = binary(this.pick(['!=', '=='] as const), name('i'), value);
            return { ...step, guard: step.guard === undefined ? conjunct : binary('&&', conjunct, step.guard) };
        });
        return processes.map(process => (process === broken ? { ...process, body: edited } : process));
    }

    /** A fault that one instance alone may have, or that is of another kind for it than for the others. */
    private faultFor(kind: 'assert' | 'fault kind', value: Expression, scope: Scope): Statement | undefined {
        const condition = this.condition(scope, 1);
        const others = binary('!=', name('i'), value);
        if (kind === 'assert') {
            return { kind: 'assert', condition: binary('||', others, condition) };
        }
        const numbers = this.accesses(scope).filter(
            ({ sort, declared }) => (sort === 'bit' || sort === 'trit') && declared.sort !== 'slot',
        );
        if (numbers.length === 0) {
            return undefined;
        }
        const target = this.accessed(this.pick(numbers), scope);
        // Outside its type unless it is the least: what is outside for every value is an error of the text.
        const least = literal(this.least);
        const outside =
            this.least === 0
                ? binary('*', target, literal(5))
                : binary('+', binary('*', binary('-', target, least), literal(5)), least);
        const assigned: Expression = { kind: 'if', condition, then: target, otherwise: outside };
        return {
            kind: 'if',
            condition: others,
            then: [{ kind: 'assign', target, value: assigned }],
            otherwise: [{ kind: 'assert', condition }],
        };
    }

    private between(low: number, high: number): number {
        return this.random.nextInt(low, high);
    }

    private chance(percent: number): boolean {
        return this.random.nextInt(1, 100) <= percent;
    }

    private pick<T>(choices: readonly T[]): T {
        return choices[this.random.nextInt(0, choices.length - 1)]!;
    }

    private weighted<T>(choices: readonly (readonly [number, T])[]): T {
        let left = this.random.nextInt(
            1,
            choices.reduce((sum, [weight]) => sum + weight, 0),
        );
        for (const [weight, choice] of choices) {
            left -= weight;
            if (left <= 0) {
                return choice;
            }
        }
        throw new Error('the weights do not add up');
    }
}

/** A name of a body, which may have a value that is known before the run. */
function isTemporary(expression: Expression): boolean {
    return expression.kind === 'name' && expression.name.startsWith('t') && expression.name !== 'table';
}

/** A `let` has the type of its expression, which need not be one with `none`. */
function withoutNone(sort: Sort): Sort {
    return sort === 'optional' ? 'index' : sort === 'maybe' ? 'slot' : sort;
}

function mapSteps(controls: readonly Control[], map: (step: Step) => Step): Control[] {
    return controls.map((control): Control => {
        switch (control.kind) {
            case 'step':
                return map(control);
            case 'loop':
            case 'while':
            case 'for':
                return { ...control, body: mapSteps(control.body, map) };
            case 'if':
                return { ...control, then: mapSteps(control.then, map), otherwise: mapSteps(control.otherwise, map) };
            case 'choose':
                return {
                    ...control,
                    alternatives: control.alternatives.map(alternative => ({
                        ...alternative,
                        body: mapSteps(alternative.body, map),
                    })),
                };
            case 'labeled':
                return { ...control, control: mapSteps([control.control], map)[0]! };
            default:
                return control;
        }
    });
}

/** A tree with an expression in place of a name. No binder of the trees made here hides a name. */
function substitute<T>(tree: T, replaced: string, by: Expression): T {
    if (Array.isArray(tree)) {
        return tree.map((part: unknown) => substitute(part, replaced, by)) as T;
    }
    if (typeof tree !== 'object' || tree === null) {
        return tree;
    }
    const node = tree as { kind?: unknown; name?: unknown };
    if (node.kind === 'name' && node.name === replaced) {
        return by as T;
    }
    return Object.fromEntries(
        Object.entries(tree).map(([key, part]) => [key, substitute(part as unknown, replaced, by)]),
    ) as T;
}

function literal(value: number): Expression {
    return { kind: 'literal', value };
}

function none(): Expression {
    return { kind: 'literal', value: null };
}

function name(called: string): Expression {
    return { kind: 'name', name: called, indices: [] };
}

function field(record: Expression, called: string): Expression {
    return { kind: 'field', record, field: called, indices: [] };
}

function call(called: string, ...values: Expression[]): Expression {
    return { kind: 'call', name: called, arguments: values, indices: [] };
}

function set(...values: Expression[]): Expression {
    return { kind: 'set', elements: values.map(low => ({ low })) };
}

function not(operand: Expression): Expression {
    return { kind: 'unary', operator: '!', operand };
}

function binary(
    operator: Extract<Expression, { kind: 'binary' }>['operator'],
    left: Expression,
    right: Expression,
): Expression {
    return { kind: 'binary', operator, left, right };
}
