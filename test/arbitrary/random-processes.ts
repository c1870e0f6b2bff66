/** Random control flow: the steps of a process, what they communicate, and the locals they use. */
import { none } from './model-trees.js';
import {
    type ChannelHead,
    type Declared,
    type ProcessHead,
    type Scope,
    type Sort,
    SORTS,
    withoutNone,
} from './model-vocabulary.js';
import { RandomBodies } from './random-bodies.js';
import type {
    Alternative,
    Communication,
    Control,
    Pattern,
    Expression,
    PlaceExpression,
    Step,
    Variable,
} from '../reference/syntax.js';

export class RandomProcesses extends RandomBodies {
    protected processBody(
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

    protected declare(declaredName: string, sort: Sort, indices: readonly Sort[], kind: 'shared' | 'local'): Declared {
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
                    const element: Expression = this.chance(25) ? { kind: 'any' } : this.value(sort, scope, 0);
                    return { kind, value: this.comprehension(element) };
                }
                return {
                    kind,
                    value: sort === 'optional' || sort === 'maybe' || sort === 'perhaps' ? none() : this.constant(sort),
                };
            }
            case 'in': {
                const elements = Array.from({ length: this.between(1, 2) }, () => ({ low: this.constant(sort) }));
                return { kind, choices: { kind: 'set', elements } };
            }
            default:
                return { kind };
        }
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
            [this.has.records ? 3 : 0, 'perhaps'],
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
}
