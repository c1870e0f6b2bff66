/**
 * Random models of the language core, small enough to try everything, and biased to what symmetry detection is about:
 * two to five instances of a family over arrays they index, values that are indices, the same process written twice
 * under two names, values that can be exchanged; and to what breaks it: a constant index, one more conjunct, one initial
 * value. Faults, deadlocks and false invariants are common.
 *
 * A model is well-typed by construction. What may go wrong only when it runs is left in: an index or a value outside its
 * type, a division by zero.
 */
import * as fc from 'fast-check';
import { shrinkModel } from './shrink-model.js';
import type {
    Binder,
    Control,
    Declaration,
    Expression,
    Model,
    ProcessDeclaration,
    Statement,
    Step,
    Type,
    Value,
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

/** What kind of values an expression has. `index` is the type the families range over. */
type Sort = 'bool' | 'bit' | 'trit' | 'color' | 'index' | 'optional';

const SORTS: readonly Sort[] = ['bool', 'bit', 'trit', 'color', 'index', 'optional'];

interface Declared {
    readonly variable: Variable;
    readonly sort: Sort;
    /** The sorts of the indices. */
    readonly indices: readonly Sort[];
    /** The process whose instances alone write it in events, each at its own index. */
    owner?: string;
}

/** What an expression may read where it stands. */
interface Scope {
    readonly binders: readonly string[];
    readonly variables: readonly Declared[];
    /** In the body of a step with an event: other instances' bodies run at the same time, and must not touch the same. */
    readonly alone?: { readonly process: string; readonly own: readonly string[] };
    readonly labels: readonly { readonly process: ProcessHead; readonly label: string }[];
}

interface ProcessHead {
    readonly name: string;
    readonly indices: readonly Binder[];
    readonly where?: Expression;
}

interface EventHead {
    readonly name: string;
    readonly arity: number;
}

/** Labels are numbered through the model, so that every label is clear. */
class ModelBuilder {
    private readonly random: fc.Random;
    /** Every value of the index type is treated alike. */
    private readonly alike: boolean;
    private readonly size: number;
    /** How the index type is written, which decides whether one can count around it. */
    private readonly indexStyle: 'from zero' | 'from one' | 'names';
    /** Constants of the data sorts, which keep their values apart, are not written. */
    private readonly dataSymmetric: boolean;
    /** In percent, how often an index is a constant where it could be one. */
    private readonly constantIndices: number;
    /** In percent, how often an expression may leave its type. */
    private readonly faults: number;
    private readonly colors: readonly string[];
    private readonly names: readonly string[];
    private shared: Declared[] = [];
    private events: EventHead[] = [];
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
            [2, 'names'],
        ]);
        this.dataSymmetric = this.chance(45);
        this.constantIndices = alike || this.chance(65) ? 0 : 15;
        this.faults = alike || this.chance(60) ? 0 : 20;
        this.colors = ['red', 'green', 'blue'].slice(0, this.chance(60) ? 2 : 3);
        this.names = ['anna', 'bob', 'carl', 'dora', 'emil'].slice(0, this.size);
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
        for (let count = this.between(1, 4); count > 0; count--) {
            this.shared.push(this.declareShared());
        }
        if (this.potentialStates() > 600) {
            return undefined;
        }
        if (this.chance(35)) {
            this.events = [
                {
                    name: 'meet',
                    arity: this.weighted([
                        [2, 0],
                        [5, 1],
                        [1, 2],
                    ] as const),
                },
            ];
            if (this.chance(30)) {
                this.events.push({ name: 'sync', arity: this.between(0, 1) });
            }
        }
        const labels: { process: ProcessHead; label: string }[] = [];
        let processes: ProcessDeclaration[] = [];
        const heads = this.processHeads();
        // Before any body is written: what one process owns the events of another do not touch.
        heads.forEach(head => this.claim(head));
        for (const head of heads) {
            const scope: Scope = { binders: head.indices.map(index => index.name), variables: this.shared, labels: [] };
            const first = this.counter;
            const body = this.processBody(head, scope);
            for (let number = first; number < this.counter; number++) {
                if (JSON.stringify(body).includes(`"label":"l${number}"`)) {
                    labels.push({ process: head, label: `l${number}` });
                }
            }
            processes.push({ kind: 'process', ...head, body });
        }
        const twins = !this.alike && heads.every(head => head.indices.length < 2) && this.chance(25);
        if (twins) {
            const writtenOut = processes.flatMap(process => this.writeOut(process));
            // Labels of a family that is written out belong to several processes now; invariants then name none of them.
            labels.splice(0, labels.length);
            processes = writtenOut;
        }
        if (!this.alike && this.chance(30)) {
            processes = this.flaw(processes);
        }
        const instances = processes.reduce((total, process) => total + this.size ** process.indices.length, 0);
        const choices = processes.reduce(
            (product, process) => product * this.choicesAtHead(process) ** (this.size ** process.indices.length),
            this.potentialStates(),
        );
        if (instances > 6 || choices > 600) {
            return undefined;
        }
        const scope: Scope = { binders: [], variables: this.shared, labels };
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
        return {
            name: 'Random',
            declarations: [
                ...this.typeDeclarations(),
                ...this.shared.map((declared): Declaration => ({ kind: 'var', variable: declared.variable })),
                ...this.events.map((event): Declaration => ({
                    kind: 'event',
                    name: event.name,
                    arguments: Array.from({ length: event.arity }, () => this.typeOf('index')),
                })),
                ...processes,
                ...invariants,
                ...(this.chance(45) ? [{ kind: 'allow deadlock' } as const] : []),
            ],
        };
    }

    private processHeads(): ProcessHead[] {
        const index = (called: string): Binder => ({ name: called, type: this.typeOf('index') });
        if (!this.alike && this.chance(10)) {
            const where = this.chance(60) ? { where: binary('!=', name('i'), name('k')) } : {};
            return [{ name: 'P', indices: [index('i'), index('k')], ...where }];
        }
        const heads = [this.familyHead('P')];
        if (this.chance(this.events.length > 0 ? 70 : 25)) {
            heads.push(this.familyHead('Q'));
        }
        if (!this.alike && this.chance(25)) {
            heads.push({ name: 'R', indices: [] });
        }
        return heads;
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
            const { type } = item.variable;
            const sort = SORTS.find(candidate => JSON.stringify(this.typeOf(candidate)) === JSON.stringify(type))!;
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
                          type:
                              this.indexStyle === 'from zero'
                                  ? { kind: 'range', low: literal(0), high: binary('-', name('N'), literal(1)) }
                                  : { kind: 'range', low: literal(1), high: name('N') },
                      },
                  ];
        return [
            ...index,
            { kind: 'type', name: 'Bit', type: { kind: 'range', low: literal(0), high: literal(1) } },
            { kind: 'type', name: 'Trit', type: { kind: 'range', low: literal(0), high: literal(2) } },
            { kind: 'enum', name: 'Color', values: this.colors },
        ];
    }

    private typeOf(sort: Sort): Type {
        switch (sort) {
            case 'bool':
                return { kind: 'bool' };
            case 'optional':
                return { kind: 'optional', base: this.typeOf('index') };
            default:
                return { kind: 'named', name: { bit: 'Bit', trit: 'Trit', color: 'Color', index: 'Id' }[sort] };
        }
    }

    private cardinality(sort: Sort): number {
        return { bool: 2, bit: 2, trit: 3, color: this.colors.length, index: this.size, optional: this.size + 1 }[sort];
    }

    private indexValues(): Expression[] {
        return this.indexStyle === 'names'
            ? this.names.map(value => name(value))
            : this.names.map((_, position) => literal(position + (this.indexStyle === 'from one' ? 1 : 0)));
    }

    private declareShared(): Declared {
        const sort = this.weighted([
            [4, 'bool'],
            [4, 'bit'],
            [2, 'trit'],
            [2, 'color'],
            [3, 'index'],
            [2, 'optional'],
        ] as const);
        const indices: Sort[] = this.weighted([
            [4, []],
            [8, ['index']],
            [1, ['index', 'index']],
            [1, ['bool']],
        ] as const).slice();
        return this.declare(`${'abcdefgh'[this.shared.length]!}`, sort, indices);
    }

    private declare(declaredName: string, sort: Sort, indices: readonly Sort[]): Declared {
        const free = this.dataSymmetric || sort === 'index';
        const anyIndex = this.alike && sort === 'index';
        const initial = this.weighted<'default' | 'any' | 'value'>([
            [anyIndex ? 0 : free ? 1 : 3, 'default'],
            [5, 'any'],
            [anyIndex ? 0 : free ? 1 : 4, 'value'],
        ]);
        return {
            sort,
            indices,
            variable: {
                name: declaredName,
                type: this.typeOf(sort),
                indices: indices.map(index => this.typeOf(index)),
                initial:
                    initial === 'value'
                        ? { kind: 'value', value: sort === 'optional' ? none() : this.constant(sort) }
                        : { kind: initial },
            },
        };
    }

    private familyHead(processName: string): ProcessHead {
        const where =
            !this.alike && this.chance(6) ? { where: binary('!=', name('i'), this.pick(this.indexValues())) } : {};
        return { name: processName, indices: [{ name: 'i', type: this.typeOf('index') }], ...where };
    }

    /** A process owns an array of its index type that nobody owns, so that its steps with events can write something. */
    private claim(head: ProcessHead): void {
        const free = this.shared.find(
            declared =>
                declared.owner === undefined &&
                declared.indices.length === head.indices.length &&
                declared.indices.every(index => index === 'index'),
        );
        if (free !== undefined) {
            free.owner = head.name;
        }
    }

    private processBody(head: ProcessHead, outer: Scope): Control[] {
        const body: Control[] = [];
        let scope = outer;
        for (
            let count = this.weighted([
                [10, 0],
                [5, 1],
                [1, 2],
            ] as const);
            count > 0;
            count--
        ) {
            const local = this.declare(
                `${head.name.toLowerCase()}${count}`,
                this.pick(SORTS),
                this.chance(15) ? ['index'] : [],
            );
            body.push({ kind: 'declare', variable: local.variable });
            scope = { ...scope, variables: [...scope.variables, { ...local, owner: head.name }] };
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
                  ] as const);
        switch (kind) {
            case 'step':
                steps.left--;
                return [this.chance(35) ? this.labeled(this.step(head, scope)) : this.step(head, scope)];
            case 'choose':
                return [
                    {
                        kind: 'choose',
                        alternatives: Array.from({ length: this.between(2, 3) }, () => block(scope, inLoop)),
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
                const local = this.declare(`v${this.counter++}`, this.pick(SORTS), []);
                const inner = { ...scope, variables: [...scope.variables, { ...local, owner: head.name }] };
                const choose = this.chance(70) || local.variable.initial.kind === 'any';
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
        }
    }

    private labeled(control: Control): Control {
        return { kind: 'labeled', label: `l${this.counter++}`, control };
    }

    private step(head: ProcessHead, scope: Scope): Step {
        const guard = this.chance(60) ? { guard: this.condition(scope, 2) } : {};
        if (this.events.length > 0 && this.chance(55)) {
            const event = this.pick(this.events);
            const alone = { process: head.name, own: head.indices.map(index => index.name) };
            return {
                kind: 'step',
                ...guard,
                event: {
                    name: event.name,
                    arguments: Array.from({ length: event.arity }, () => this.index(scope)),
                },
                body: this.chance(50) ? [] : this.statements({ ...scope, alone }, 1),
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

    private statements(scope: Scope, count: number): Statement[] {
        return Array.from({ length: count }, () => this.statement(scope, 1));
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
        const writable = this.readable(scope);
        const target = scope.alone === undefined ? writable : writable.filter(declared => declared.owner !== undefined);
        if (target.length === 0) {
            return { kind: 'skip' };
        }
        if (this.faults > 0 && this.chance(6)) {
            return { kind: 'assert', condition: this.condition(scope, 1) };
        }
        const declared = this.pick(target);
        const indices = this.indicesOf(declared, scope);
        const place: Expression = { kind: 'name', name: declared.variable.name, indices };
        return {
            kind: 'assign',
            name: declared.variable.name,
            indices,
            value: this.valueOtherThan(place, declared.sort, scope, 2),
        };
    }

    /** A value that is not the expression itself, if a few tries find one. */
    private valueOtherThan(expression: Expression, sort: Sort, scope: Scope, depth: number): Expression {
        let value = this.value(sort, scope, depth);
        for (let tries = 0; tries < 3 && JSON.stringify(value) === JSON.stringify(expression); tries++) {
            value = this.value(sort, scope, depth);
        }
        return value;
    }

    /** In the body of a step with an event only what its process owns, and what no such body writes. */
    private readable(scope: Scope): readonly Declared[] {
        const { alone } = scope;
        return alone === undefined
            ? scope.variables
            : scope.variables.filter(declared => declared.owner === undefined || declared.owner === alone.process);
    }

    private indicesOf(declared: Declared, scope: Scope): Expression[] {
        // An array of the process itself may be indexed freely: local arrays have the names of no shared one.
        const isShared = this.shared.some(other => other.variable.name === declared.variable.name);
        if (scope.alone !== undefined && declared.owner !== undefined && isShared) {
            return scope.alone.own.map(index => name(index));
        }
        return declared.indices.map(sort => (sort === 'index' ? this.index(scope) : this.side(scope)));
    }

    /** An index of an array over two sides. */
    private side(scope: Scope): Expression {
        const scalars = this.readable(scope).filter(
            declared => declared.sort === 'bool' && declared.indices.length === 0,
        );
        return scalars.length > 0 && (this.dataSymmetric || this.chance(50))
            ? name(this.pick(scalars).variable.name)
            : this.constant('bool');
    }

    /** An index of the type the families range over: mostly a binder or its successor. */
    private index(scope: Scope): Expression {
        const own = scope.binders.length > 0;
        const readable = this.readable(scope).filter(
            declared =>
                declared.indices.length === 0 &&
                (declared.sort === 'index' || (declared.sort === 'optional' && this.faults > 0)),
        );
        const kind = this.weighted([
            [own ? 20 : 0, 'binder'],
            [own && this.indexStyle !== 'names' ? 8 : 0, 'successor'],
            [readable.length > 0 ? 6 : 0, 'variable'],
            [own && !this.chance(this.constantIndices) ? 0 : 4, 'constant'],
        ] as const);
        switch (kind) {
            case 'binder':
                return name(this.pick(scope.binders));
            case 'successor':
                return this.successor(name(this.pick(scope.binders)));
            case 'variable':
                return name(this.pick(readable).variable.name);
            case 'constant':
                return this.pick(this.indexValues());
        }
    }

    private successor(index: Expression): Expression {
        return this.indexStyle === 'from zero'
            ? binary('mod', binary('+', index, literal(1)), name('N'))
            : binary('+', binary('mod', index, name('N')), literal(1));
    }

    private read(declared: Declared, scope: Scope): Expression {
        return { kind: 'name', name: declared.variable.name, indices: this.indicesOf(declared, scope) };
    }

    private condition(scope: Scope, depth: number): Expression {
        const readable = this.readable(scope);
        const kind = this.weighted([
            [5, 'read'],
            [8, 'compare'],
            [depth > 0 ? 3 : 0, 'connect'],
            [depth > 0 && this.free(scope) !== undefined ? 3 : 0, 'quantify'],
            [depth > 0 && this.free(scope) !== undefined ? 2 : 0, 'count'],
            [scope.labels.length > 0 ? 5 : 0, 'at'],
            [scope.binders.length > 0 && this.constantIndices > 0 ? 1 : 0, 'fixed'],
        ] as const);
        switch (kind) {
            case 'read': {
                const booleans = readable.filter(declared => declared.sort === 'bool');
                if (booleans.length === 0) {
                    return this.compare(scope, depth);
                }
                const read = this.read(this.pick(booleans), scope);
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
            case 'count': {
                const binder = this.free(scope)!;
                const inner = { ...scope, binders: [...scope.binders, binder] };
                const others = scope.binders.length > 0 && this.chance(50);
                const quantified = {
                    kind: 'quantifier' as const,
                    binders: [{ name: binder, type: this.typeOf('index') }],
                    ...(others ? { where: binary('!=', name(binder), name(scope.binders[0]!)) } : {}),
                    body: this.condition(inner, depth - 1),
                };
                return kind === 'quantify'
                    ? { ...quantified, quantifier: this.pick(['forall', 'exists'] as const) }
                    : binary(
                          this.pick(['<=', '==', '!='] as const),
                          { ...quantified, quantifier: 'count' },
                          literal(this.between(0, 2)),
                      );
            }
            case 'at': {
                const { process, label } = this.pick(scope.labels);
                return {
                    kind: 'at',
                    process: process.name,
                    indices: process.indices.map(() => this.index(scope)),
                    label,
                };
            }
            case 'fixed':
                return binary(this.pick(['==', '!='] as const), name(scope.binders[0]!), this.pick(this.indexValues()));
        }
    }

    /** A name for one more binder; two are enough. */
    private free(scope: Scope): string | undefined {
        return ['j', 'm'].find(binder => !scope.binders.includes(binder) && scope.binders.length < 2);
    }

    private compare(scope: Scope, depth: number): Expression {
        const readable = this.readable(scope);
        if (readable.length === 0) {
            return binary('==', this.value('index', scope, 0), this.value('index', scope, 0));
        }
        const declared = this.pick(readable);
        const ordered = !this.dataSymmetric && (declared.sort === 'bit' || declared.sort === 'trit');
        const operator = this.weighted([
            [5, '=='],
            [5, '!='],
            [ordered ? 2 : 0, '<'],
            [ordered ? 2 : 0, '>='],
        ] as const);
        const read = this.read(declared, scope);
        return binary(operator, read, this.valueOtherThan(read, declared.sort, scope, Math.min(depth, 1)));
    }

    private constant(sort: Sort): Expression {
        switch (sort) {
            case 'bool':
                return { kind: 'literal', value: this.chance(50) };
            case 'bit':
                return literal(this.between(0, 1));
            case 'trit':
                return literal(this.between(0, 2));
            case 'color':
                return name(this.pick(this.colors));
            case 'index':
            case 'optional':
                return this.pick(this.indexValues());
        }
    }

    private value(sort: Sort, scope: Scope, depth: number): Expression {
        const same = this.readable(scope).filter(declared => declared.sort === sort);
        const constants = !this.dataSymmetric || same.length === 0;
        if (depth > 0 && this.chance(8)) {
            return {
                kind: 'if',
                condition: this.condition(scope, 0),
                then: this.value(sort, scope, depth - 1),
                otherwise: this.value(sort, scope, depth - 1),
            };
        }
        switch (sort) {
            case 'bool':
                if (same.length > 0 && this.chance(55)) {
                    const read = this.read(this.pick(same), scope);
                    return this.chance(50) ? read : not(read);
                }
                return constants && (depth === 0 || this.chance(60))
                    ? this.constant(sort)
                    : this.condition(scope, depth - 1);
            case 'bit':
            case 'trit': {
                if (same.length === 0 || (constants && this.chance(40))) {
                    return this.constant(sort);
                }
                const read = this.read(this.pick(same), scope);
                if (depth === 0 || this.chance(35)) {
                    return read;
                }
                if (this.chance(this.faults)) {
                    return this.faulty(sort, read, scope);
                }
                const top = literal(sort === 'bit' ? 1 : 2);
                return sort === 'bit' || this.chance(40)
                    ? binary('-', top, read)
                    : binary('mod', binary('+', read, literal(1)), literal(3));
            }
            case 'color':
                return same.length > 0 && !(constants && this.chance(40))
                    ? this.read(this.pick(same), scope)
                    : this.constant(sort);
            case 'index':
                return depth > 0 && same.length > 0 && this.chance(30)
                    ? this.read(this.pick(same), scope)
                    : this.index(scope);
            case 'optional':
                return same.length > 0 && this.chance(35)
                    ? this.read(this.pick(same), scope)
                    : this.chance(35)
                      ? none()
                      : this.value('index', scope, 0);
        }
    }

    /** A number that may lie outside its type, or have no value. */
    private faulty(sort: Sort, read: Expression, scope: Scope): Expression {
        const others = this.readable(scope).filter(declared => declared.sort === 'bit' || declared.sort === 'trit');
        switch (this.between(0, 3)) {
            case 0:
                return binary('+', read, literal(1));
            case 1:
                return binary('-', read, literal(1));
            case 2:
                return binary(this.pick(['div', 'mod'] as const), read, this.read(this.pick(others), scope));
            default:
                return sort === 'bit'
                    ? this.read(this.pick(others), scope)
                    : binary('*', read, this.read(this.pick(others), scope));
        }
    }

    private invariant(invariantName: string, scope: Scope): Declaration {
        const exclusive = scope.labels.filter(({ process }) => process.indices.length === 1);
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
        return { kind: 'invariant', name: invariantName, expression: this.condition(scope, 2) };
    }

    /** The same said of two indices, which a symmetry may exchange only where nothing is checked. */
    private twinInvariants(): Declaration[] {
        const expression = this.condition({ binders: ['i'], variables: this.shared, labels: [] }, 2);
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
        const candidates = processes.filter(process => process.indices.length === 1);
        if (candidates.length === 0) {
            return [...processes];
        }
        const broken = this.pick(candidates);
        const value = this.pick(this.indexValues());
        const scope: Scope = { binders: ['i'], variables: this.shared, labels: [] };
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
            if (kind === 'fault or nothing' && step.event === undefined) {
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
            const mayFault = (kind === 'assert' || kind === 'fault kind') && step.event === undefined;
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
        const numbers = scope.variables.filter(({ sort }) => sort === 'bit' || sort === 'trit');
        if (numbers.length === 0) {
            return undefined;
        }
        const declared = this.pick(numbers);
        const place = this.read(declared, scope) as Extract<Expression, { kind: 'name' }>;
        // Outside its type unless it is 0: what is outside for every value is an error of the text.
        const outside = binary('*', place, literal(5));
        const assigned: Expression = { kind: 'if', condition, then: place, otherwise: outside };
        return {
            kind: 'if',
            condition: others,
            then: [{ kind: 'assign', name: place.name, indices: place.indices, value: assigned }],
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

function mapSteps(controls: readonly Control[], map: (step: Step) => Step): Control[] {
    return controls.map((control): Control => {
        switch (control.kind) {
            case 'step':
                return map(control);
            case 'loop':
            case 'while':
                return { ...control, body: mapSteps(control.body, map) };
            case 'if':
                return { ...control, then: mapSteps(control.then, map), otherwise: mapSteps(control.otherwise, map) };
            case 'choose':
                return { ...control, alternatives: control.alternatives.map(body => mapSteps(body, map)) };
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
    const node = tree as { kind?: Value; name?: Value };
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
