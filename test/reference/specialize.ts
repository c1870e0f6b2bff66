/**
 * A model without parameters and families: each instance has a copy of its body, with static tests and `for` resolved.
 * An expression has its scope. The number of a control node stands for its place in the text.
 */
import { createEvaluator, type Channel, type Closure, type Evaluator, type Meaning, type Scope } from './evaluate.js';
import type { VariableInfo } from './evaluate.js';
import type {
    Binder,
    ChannelDeclaration,
    Control,
    Expression,
    Model,
    ProcessDeclaration,
    Statement,
    Step,
    Variable,
} from './syntax.js';
import { asOneCell, formatIndices, numberOf, referenceTo, type Dimension, type Domain, type Value } from './values.js';

export type Node = { readonly id: number } & (
    | (Step & { readonly names: Scope })
    | { readonly kind: 'loop'; readonly body: readonly Node[] }
    | { readonly kind: 'while'; readonly condition: Closure; readonly body: readonly Node[] }
    | {
          readonly kind: 'if';
          readonly condition: Closure;
          readonly then: readonly Node[];
          readonly otherwise: readonly Node[];
      }
    | { readonly kind: 'choose'; readonly alternatives: readonly (readonly Node[])[] }
    | { readonly kind: 'labeled'; readonly label: string; readonly isEnd: boolean; readonly node: Node }
    /** What a static `if` or `while` leaves, the rounds of a `for`, and the place behind them. */
    | { readonly kind: 'block'; readonly body: readonly Node[] }
    /** A declaration between steps, or what a choice binds. */
    | { readonly kind: 'initialize'; readonly local: LocalVariable }
    /** The `where` of a choice. */
    | { readonly kind: 'assume'; readonly condition: Closure }
    /** `loop` is the number of the innermost `loop`, `while` or `for` around. */
    | { readonly kind: 'break'; readonly loop: number }
    | { readonly kind: 'terminate' }
);

export type StepNode = Extract<Node, { kind: 'step' }>;

export interface LocalVariable {
    readonly info: VariableInfo;
    readonly declaration: Variable;
    readonly names: Scope;
}

export interface Instance {
    readonly name: string;
    readonly process: string;
    readonly indices: readonly Value[];
    /** Of an instance of a template: they get the values that it is created with. */
    readonly parameters: readonly LocalVariable[];
    /** The declarations at the head of the body, which are initialized in the initial states, or at the creation. */
    readonly head: readonly LocalVariable[];
    readonly body: readonly Node[];
    readonly locals: readonly LocalVariable[];
    /** Those that properties name: they hold a value everywhere. */
    readonly named: ReadonlySet<string>;
}

export interface SpecializedModel {
    readonly evaluator: Evaluator;
    readonly shared: readonly LocalVariable[];
    /** With the constraints, after them. */
    readonly initialConditions: readonly Closure[];
    readonly constraints: readonly Closure[];
    /** The ways to compute an initial state, in any order. */
    readonly starts: readonly { readonly body: readonly Statement[]; readonly names: Scope }[];
    readonly channels: ReadonlyMap<string, Channel>;
    readonly events: ReadonlyMap<string, readonly Dimension[]>;
    /** Those that are there from the start. */
    readonly instances: readonly Instance[];
    /** For each template its instance with a number. */
    readonly templates: ReadonlyMap<string, (number: number) => Instance>;
    readonly invariants: readonly { readonly name: string; readonly condition: Closure }[];
    readonly allowsDeadlock: boolean;
}

/** The values of the types called `symmetric` are names: see createEvaluator. */
export function specialize(
    model: Model,
    parameters: ReadonlyMap<string, Value> = new Map(),
    symmetric: readonly string[] = [],
): SpecializedModel {
    const evaluator = createEvaluator(model.declarations, parameters, symmetric);
    const shared: LocalVariable[] = [];
    const events = new Map<string, readonly Dimension[]>();
    const templates = new Map<string, (number: number) => Instance>();
    const { globals } = evaluator;
    let nodeCount = 0;

    function isStatic(expression: Expression, names: Scope): boolean | undefined {
        const outcome = evaluator.staticOutcome(expression, names);
        return outcome !== undefined && 'value' in outcome ? outcome.value === true : undefined;
    }

    function declare(declaration: Variable, names: Scope, prefix: string, isLocal: boolean): LocalVariable {
        const info = {
            name: prefix + declaration.name,
            domain: evaluator.domainOfVariable(declaration, names),
            ...(isLocal && { local: declaration.name }),
        };
        return { info, declaration, names };
    }

    class Unfolding {
        readonly locals: LocalVariable[] = [];
        private readonly prefix: string;

        constructor(prefix: string) {
            this.prefix = prefix;
        }

        /** A local of the instance. In another round of a `for` it is the same one. */
        declare(declaration: Variable, names: Map<string, Meaning>): LocalVariable {
            return this.add(declare(declaration, new Map(names), this.prefix, true), names);
        }

        /** The variable of a `choose`: one value, also where it is a record or a set; of a sequence what is at a place. */
        private choice(binder: Binder, names: Map<string, Meaning>): Node[] {
            const { name, type } = binder;
            const initialize = (local: LocalVariable): Node => ({ id: nodeCount++, kind: 'initialize', local });
            if (type.kind === 'members' && evaluator.isListed(type.of, names)) {
                const sequence = type.of.kind === 'name' || type.of.kind === 'field' ? type.of : failed('a place');
                const place = nameOf(`place of ${name}`);
                const length: Expression = { kind: 'call', name: 'len', arguments: [sequence], indices: [] };
                const below: Expression = { kind: 'binary', operator: '<', left: place, right: length };
                const { capacity } = evaluator.sequenceOf(sequence, names);
                const range = { kind: 'range', low: number(0), high: number(capacity - 1) } as const;
                const at = this.declare(
                    { name: place.name, type: range, indices: [], initial: { kind: 'any' } },
                    names,
                );
                const before = [
                    initialize(at),
                    {
                        id: nodeCount++,
                        kind: 'assume' as const,
                        condition: { expression: below, names: new Map(names) },
                    },
                ];
                const value: Expression = { ...sequence, indices: [...sequence.indices, place] };
                const taken = this.declare({ name, type, indices: [], initial: { kind: 'value', value } }, names);
                return [...before, initialize(taken)];
            }
            return [initialize(this.oneCell(binder, names))];
        }

        private oneCell({ name, type }: Binder, names: Map<string, Meaning>): LocalVariable {
            const declaration = { name, type, indices: [], initial: { kind: 'any' } } as const;
            const local = declare(declaration, new Map(names), this.prefix, true);
            return this.add({ ...local, info: { ...local.info, domain: asOneCell(local.info.domain) } }, names);
        }

        /** What is taken from a channel without order; no state keeps it. */
        private message(member: Domain): void {
            const info = { name: `${this.prefix}message`, domain: asOneCell(member), local: 'message' };
            const type = { kind: 'bool' } as const;
            const declaration = { name: 'message', type, indices: [], initial: { kind: 'any' } } as const;
            this.add({ info, declaration, names: globals }, new Map());
        }

        private add(local: LocalVariable, names: Map<string, Meaning>): LocalVariable {
            const { declaration } = local;
            names.set(declaration.name, { kind: 'variable', variable: local.info });
            if (!this.locals.some(({ info }) => info.name === local.info.name)) {
                this.locals.push(local);
            }
            return local;
        }

        block(items: readonly Control[], outer: Scope, loop: number): Node[] {
            const names = new Map(outer);
            return items.flatMap((item): Node[] => {
                switch (item.kind) {
                    case 'const':
                    case 'let':
                        name(item, names);
                        return [];
                    case 'declare':
                        return [{ id: nodeCount++, kind: 'initialize', local: this.declare(item.variable, names) }];
                    default:
                        return [this.control(item, names, loop)];
                }
            });
        }

        private control(item: Control, names: Scope, loop: number): Node {
            const id = nodeCount++;
            switch (item.kind) {
                case 'step':
                    if (item.communication?.kind === 'receive') {
                        const bag = evaluator.typeOf(item.communication.channel, names);
                        if (bag?.kind === 'bag') {
                            this.message(bag.member);
                        }
                    }
                    return { ...item, id, names };
                case 'loop':
                    return { id, kind: 'loop', body: this.block(item.body, names, id) };
                case 'while': {
                    const known = isStatic(item.condition, names);
                    const body = this.block(item.body, names, id);
                    if (known === undefined) {
                        return { id, kind: 'while', condition: { expression: item.condition, names }, body };
                    }
                    return known ? { id, kind: 'loop', body } : { id, kind: 'block', body: [] };
                }
                case 'for': {
                    const rounds = evaluator
                        .valuations([item.binder], names)
                        .flatMap(inner => this.block(item.body, inner, id));
                    const behind: Node = { id, kind: 'block', body: [] };
                    return { id: nodeCount++, kind: 'block', body: [...rounds, behind] };
                }
                case 'if': {
                    const known = isStatic(item.condition, names);
                    const then = this.block(item.then, names, loop);
                    const otherwise = this.block(item.otherwise, names, loop);
                    return known === undefined
                        ? { id, kind: 'if', condition: { expression: item.condition, names }, then, otherwise }
                        : { id, kind: 'block', body: known ? then : otherwise };
                }
                case 'choose':
                    return {
                        id,
                        kind: 'choose',
                        alternatives: item.alternatives.flatMap(({ binders, where, body }) => {
                            const inner = new Map(names);
                            const bound = binders.flatMap(binder => this.choice(binder, inner));
                            const known = where === undefined ? true : isStatic(where, inner);
                            const nodes = this.block(body, inner, loop);
                            if (known === false) {
                                return [];
                            }
                            const assume: Node[] =
                                known === true
                                    ? []
                                    : [
                                          {
                                              id: nodeCount++,
                                              kind: 'assume',
                                              condition: { expression: where!, names: inner },
                                          },
                                      ];
                            return [[...bound, ...assume, ...nodes]];
                        }),
                    };
                case 'labeled':
                    return {
                        id,
                        kind: 'labeled',
                        label: item.label,
                        isEnd: item.isEnd,
                        node: this.control(item.control, names, loop),
                    };
                case 'break':
                    return { id, kind: 'break', loop };
                case 'terminate':
                    return { id, kind: 'terminate' };
                case 'declare':
                case 'const':
                case 'let':
                    throw new Error('a declaration stands where it has no scope');
            }
        }
    }

    /** A `let` is a name for an expression; a `const` is one for its value. */
    function name(item: Extract<Control, { kind: 'const' | 'let' }>, names: Map<string, Meaning>): void {
        names.set(
            item.name,
            item.kind === 'const'
                ? { kind: 'value', value: evaluator.staticValue(item.value, names) }
                : { kind: 'alias', meant: { expression: item.value, names: new Map(names) } },
        );
    }

    function instanceOf(
        process: ProcessDeclaration,
        instance: string,
        indices: readonly Value[],
        names: Map<string, Meaning>,
        named: ReadonlySet<string>,
    ): Instance {
        const unfolding = new Unfolding(`${instance}.`);
        const parameters = (process.parameters ?? []).map(parameter =>
            unfolding.declare({ ...parameter, indices: [], initial: { kind: 'default' } }, names),
        );
        const head: LocalVariable[] = [];
        let first = 0;
        for (; first < process.body.length; first++) {
            const item = process.body[first]!;
            if (item.kind === 'const' || item.kind === 'let') {
                name(item, names);
            } else if (item.kind === 'declare') {
                head.push(unfolding.declare(item.variable, names));
            } else {
                break;
            }
        }
        const body = unfolding.block(process.body.slice(first), names, -1);
        const { locals } = unfolding;
        return { name: instance, process: process.name, indices, parameters, head, body, locals, named };
    }

    /** What is named as `w.x` holds a value everywhere: see `fieldsIn`. */
    function addTemplate(process: ProcessDeclaration, parameters: readonly Binder[]): void {
        const known = new Map<number, Instance>();
        const named = new Set(fieldsIn(model.declarations));
        const instance = (number: number): Instance => {
            const reference = referenceTo(process.name, number);
            const names = new Map(globals).set('self', { kind: 'value', value: reference });
            const found = known.get(number) ?? instanceOf(process, reference, [], names, named);
            known.set(number, found);
            return found;
        };
        const local = (of: Instance, called: string): VariableInfo => {
            const found = [...of.parameters, ...of.head].find(({ info }) => info.local === called);
            if (found === undefined) {
                throw new Error(`${process.name} has no parameter or local ${called}`);
            }
            return found.info;
        };
        templates.set(process.name, instance);
        evaluator.addGlobal(process.name, {
            kind: 'template',
            parameters: parameters.map(({ type }) => evaluator.domainOf(type, globals)),
            domainOf: called => local(instance(0), called).domain,
            localOf: (reference, called) => local(instance(numberOf(reference)), called),
        });
    }

    function instancesOf(process: ProcessDeclaration): Instance[] {
        const instances: Instance[] = [];
        const invariants = model.declarations.filter(({ kind }) => kind === 'invariant');
        const named = new Set(localsNamedIn(invariants, process.name));
        if (process.parameters !== undefined) {
            addTemplate(process, process.parameters);
            return [];
        }
        for (const names of evaluator.valuations(process.indices, globals)) {
            if (process.where !== undefined && evaluator.staticValue(process.where, names) === false) {
                continue;
            }
            const indices = process.indices.map(index => evaluator.staticValue(nameOf(index.name), names));
            const instance = process.name + formatIndices(indices);
            instances.push(instanceOf(process, instance, indices, new Map(names), named));
        }
        evaluator.addGlobal(process.name, {
            kind: 'process',
            localOf(indices, local) {
                const instance = instances.find(({ name }) => name === process.name + formatIndices(indices));
                return instance?.locals.find(({ info }) => info.local === local)?.info;
            },
        });
        return instances;
    }

    for (const declaration of model.declarations) {
        if (declaration.kind === 'var' || (declaration.kind === 'channel' && declaration.isBag === true)) {
            const own = declaration.kind === 'var' ? declaration.variable : variableOf(declaration);
            const variable = declare(own, globals, '', false);
            evaluator.addGlobal(own.name, { kind: 'variable', variable: variable.info });
            shared.push(variable);
        } else if (declaration.kind === 'event') {
            events.set(declaration.name, evaluator.dimensionsOf(declaration.arguments, globals));
        }
    }
    const closures = (kind: 'init' | 'invariant'): { name: string; condition: Closure }[] =>
        model.declarations.flatMap(declaration => {
            if (declaration.kind === 'init' && kind === 'init') {
                return [{ name: 'init', condition: { expression: declaration.condition, names: globals } }];
            }
            return declaration.kind === 'invariant' && kind === 'invariant'
                ? [{ name: declaration.name, condition: { expression: declaration.expression, names: globals } }]
                : [];
        });
    const constraints = model.declarations.flatMap(declaration =>
        declaration.kind === 'constraint' ? [{ expression: declaration.condition, names: globals }] : [],
    );
    return {
        evaluator,
        shared,
        constraints,
        starts: model.declarations.flatMap(declaration =>
            declaration.kind === 'start'
                ? evaluator
                      .valuations(declaration.binders, globals)
                      .filter(
                          names =>
                              declaration.where === undefined ||
                              evaluator.staticValue(declaration.where, names) === true,
                      )
                      .map(names => ({ body: declaration.body, names }))
                : [],
        ),
        initialConditions: [...closures('init').map(({ condition }) => condition), ...constraints],
        channels: evaluator.channels,
        events,
        templates,
        instances: model.declarations.flatMap(declaration =>
            declaration.kind === 'process' ? instancesOf(declaration) : [],
        ),
        invariants: closures('invariant'),
        allowsDeadlock: model.declarations.some(declaration => declaration.kind === 'allow deadlock'),
    };
}

function nameOf(called: string): Extract<Expression, { kind: 'name' }> {
    return { kind: 'name', name: called, indices: [] };
}

function number(value: number): Expression {
    return { kind: 'literal', value };
}

function failed(wanted: string): never {
    throw new Error(`${wanted} is wanted`);
}

/** A channel that delivers in any order is a shared bag. */
function variableOf({ name, indices, capacity, message, initial }: ChannelDeclaration): Variable {
    const type = { kind: 'bag', most: capacity, member: message } as const;
    return { name, type, indices, initial: initial ? { kind: 'value', value: initial } : { kind: 'default' } };
}

/** All fields that a tree names. No parameter or local of a template is called like a field of a record. */
function* fieldsIn(tree: unknown): Generator<string> {
    if (typeof tree !== 'object' || tree === null) {
        return;
    }
    const node = tree as Partial<Extract<Expression, { kind: 'field' }>>;
    if (node.kind === 'field') {
        yield node.field!;
    }
    for (const part of Object.values(tree)) {
        yield* fieldsIn(part);
    }
}

/** What `P[i].k` names in a tree, of this process. */
function* localsNamedIn(tree: unknown, process: string): Generator<string> {
    if (typeof tree !== 'object' || tree === null) {
        return;
    }
    const node = tree as Partial<Extract<Expression, { kind: 'field' }>>;
    if (node.kind === 'field' && node.record?.kind === 'name' && node.record.name === process) {
        yield node.field!;
    }
    for (const part of Object.values(tree)) {
        yield* localsNamedIn(part, process);
    }
}
