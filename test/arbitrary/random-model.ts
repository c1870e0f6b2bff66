/** A random model as a whole: its declarations, families written out, invariants, and what breaks a symmetry of it. */
import { mapSteps, substitute, literal, name, binary } from './model-trees.js';
import { type ChannelHead, type Declared, type ProcessHead, type Scope, type Sort, SORTS } from './model-vocabulary.js';
import { RandomProcesses } from './random-processes.js';
import type { Binder, Declaration, Expression, Model, ProcessDeclaration, Statement } from '../reference/syntax.js';

/** A model that treats all values of its index type alike, or all but their order around a ring, and one that does not. */
export interface FlawedModel {
    readonly whole: Model;
    /** The same with one more conjunct in a guard, or one initial value. */
    readonly flawed: Model;
}

export class RandomModel extends RandomProcesses {
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

    /** With invariants that say the same of several index values; most of them are exchanged by symmetries. */
    buildWithAlikeInvariants(): Model {
        for (;;) {
            const model = this.build();
            const invariants = this.alikeInvariants(model);
            if (invariants !== undefined) {
                const others = this.chance(50) ? ({ kind }: Declaration) => kind !== 'invariant' : () => true;
                return { ...model, declarations: [...model.declarations.filter(others), ...invariants] };
            }
        }
    }

    private attempt(): Model | undefined {
        this.counter = 0;
        this.shared = [];
        this.events = [];
        this.channels = [];
        this.functions = [];
        this.procedures.clear();
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
        // A member that a condition names would not be alike.
        if (!this.alike && this.chance(15)) {
            const inner = { ...scope, labels: this.chance(50) ? labels : [] };
            const [one, other] = [this.condition(inner, 1), this.condition(inner, 1)];
            conditions.push({ kind: 'constraint', condition: this.chance(50) ? one : binary('||', one, other) });
        }
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
                ...this.procedures.values(),
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

    private choicesAtHead(process: ProcessDeclaration): number {
        return process.body.reduce((product, item) => {
            if (item.kind !== 'declare' || item.variable.initial.kind !== 'any') {
                return product;
            }
            const text = JSON.stringify(item.variable.type);
            const sort = [...SORTS, 'node', 'pair', 'perhaps', 'slot', 'maybe', 'port'].find(
                candidate => JSON.stringify(this.typeOf(candidate as Sort)) === text,
            ) as Sort;
            return product * this.cardinality(sort) ** (item.variable.indices.length === 0 ? 1 : this.size);
        }, 1);
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
            [this.has.records ? 2 : 0, 'perhaps'],
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
            [this.has.records ? 4 : 0, 'perhaps'],
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

    /** One for each index value, or for some of them. Undefined if it would say the same of all. */
    private alikeInvariants(model: Model): Declaration[] | undefined {
        const binders = [{ name: 'i', sort: 'index' as const }];
        const tests = model.declarations.flatMap(declaration =>
            declaration.kind === 'process' &&
            declaration.where === undefined &&
            declaration.indices.map(({ type }) => JSON.stringify(type)).join() === JSON.stringify(this.typeOf('index'))
                ? [...JSON.stringify(declaration.body).matchAll(/"kind":"labeled","label":"(l\d+)"/g)].map(
                      ([, label = '']): Expression => ({
                          kind: 'at',
                          process: declaration.name,
                          indices: [name('i')],
                          label,
                      }),
                  )
                : [],
        );
        const scope: Scope = { binders, variables: this.shared, labels: [] };
        const one = this.condition(scope, this.between(1, 2));
        // Weaker ones hold more often.
        const condition = this.chance(50) ? one : binary('||', one, this.condition(scope, 2));
        const ofLabel = tests.length > 0 && this.chance(40) ? this.pick(tests) : undefined;
        const expression =
            ofLabel === undefined
                ? condition
                : binary('||', { kind: 'unary', operator: '!', operand: ofLabel }, condition);
        if (!JSON.stringify(expression).includes(JSON.stringify(name('i')))) {
            return undefined;
        }
        const values = this.indexValues();
        const said = this.chance(70) ? values : values.slice(this.between(0, 1)).slice(0, 2);
        return (this.chance(30) ? [...said].reverse() : said).map((value, position) => ({
            kind: 'invariant',
            name: `alike${position}`,
            expression: substitute(expression, 'i', value),
        }));
    }

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
            return { kind: 'assert', condition: binary('||', others, condition), text: 'not this one' };
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
}
