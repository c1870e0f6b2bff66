/**
 * Random typed models, small enough for the reference: one or two families, nested control with labels, tests and
 * declarations, locals, events with and without arguments, faults. Some are rejected by linearization (races, circular
 * `at`); the caller filters those.
 */
import fc from 'fast-check';
import type { Domain } from '../../engine/model/domain.js';
import type { Binder, Expression, Place } from '../../engine/model/expression.js';
import type { Control, Model, Process, Statement, Variable } from '../../engine/model/model.js';
import {
    assign,
    binder,
    BOOLEAN,
    BREAK,
    check,
    choice,
    choose,
    declare,
    event,
    ifThen,
    integers,
    isAt,
    labeled,
    local,
    loop,
    model,
    not,
    op,
    over,
    process,
    read,
    shared,
    step,
    the,
    value,
    variable,
    when,
    whileDo,
} from './model-builder.js';

type Generator = fc.GeneratorValue;

const INTEGER = integers(0, 2);
/** Of each process the locals 0 and 1 are scalars, 2 is an array, 3 is declared inside of the body. */
const LABELS = ['l0', 'l1'];

interface Scope {
    readonly self: Binder;
    readonly id: Domain;
    readonly binders: readonly Binder[];
    readonly hasLocals: boolean;
    /** Local 3 is in scope. */
    readonly hasInner: boolean;
    readonly inLoop: boolean;
    readonly processCount: number;
}

export function randomModel(g: Generator): Model {
    const id = integers(0, g(fc.integer, { min: 0, max: 1 }));
    const processCount = g(fc.integer, { min: 1, max: 2 });
    const processes = Array.from({ length: processCount }, (_, index) =>
        randomProcess(g, `P${index}`, id, processCount),
    );
    const nowhere = binder('p', id);
    const scope: Scope = {
        self: nowhere,
        id,
        binders: [],
        hasLocals: false,
        hasInner: false,
        inLoop: false,
        processCount,
    };
    return model({
        variables: [
            variable('flag', BOOLEAN, pick(g, [0, 1, 'any'] as const)),
            variable('number', INTEGER, pick(g, [0, 2, 'any'] as const)),
            variable('array', INTEGER, pick(g, ['default', read(shared(1))] as const), id),
        ],
        events: [event('e'), event('f', id)],
        processes,
        invariants: {
            claim: over(
                pick(g, ['forall', 'exists']),
                nowhere,
                randomCondition(g, { ...scope, binders: [nowhere] }, 2),
            ),
        },
    });
}

function randomProcess(g: Generator, name: string, id: Domain, processCount: number): Process {
    const self = binder('i', id);
    const hasLocals = g(fc.boolean);
    const scope: Scope = { self, id, binders: [self], hasLocals, hasInner: false, inLoop: false, processCount };
    const locals: Variable[] = hasLocals
        ? [
              variable('x', INTEGER, pick(g, [0, 1, 'any'] as const)),
              variable('y', INTEGER, pick(g, [1, 'any', op(read(shared(1)), 'mod', 2)] as const)),
              variable('z', INTEGER, 'default', id),
              variable('w', INTEGER, pick(g, [2, op(read(local(0)), 'mod', 2), op(read(shared(1)), '+', 1)] as const)),
          ]
        : [];
    const body = randomBlock(g, scope, 2);
    const always = g(fc.integer, { min: 0, max: 3 }) > 0;
    // Local 3 is declared in the body, wherever that may be; where it is not, declare it where control never comes.
    const items = always ? [loop(...body)] : body;
    return process(name, {
        indices: [self],
        locals,
        body: hasLocals ? [...items, ifThen(false, [declare(3)])] : items,
    });
}

function randomBlock(g: Generator, scope: Scope, depth: number): Control[] {
    const length = g(fc.integer, { min: 1, max: 3 });
    const items: Control[] = [];
    let inner = scope;
    for (let index = 0; index < length; index++) {
        if (scope.hasLocals && !inner.hasInner && g(fc.integer, { min: 0, max: 5 }) === 0) {
            items.push(declare(3));
            inner = { ...inner, hasInner: true };
        }
        items.push(randomControl(g, inner, depth));
    }
    return items;
}

function randomControl(g: Generator, scope: Scope, depth: number): Control {
    const kind = depth === 0 ? 0 : g(fc.integer, { min: 0, max: 9 });
    const block = (inLoop = scope.inLoop): Control[] => randomBlock(g, { ...scope, inLoop }, depth - 1);
    let control: Control;
    switch (kind) {
        case 5:
            control = loop(...block(true));
            break;
        case 6:
            control = whileDo(randomCondition(g, scope, 1), ...block(true));
            break;
        case 7:
            control = ifThen(randomCondition(g, scope, 1), block(), g(fc.boolean) ? block() : []);
            break;
        case 8:
            control = choose(block(), block());
            break;
        case 9:
            control = scope.inLoop ? BREAK : whileDo(randomCondition(g, scope, 1));
            break;
        default:
            control = randomStep(g, scope);
    }
    return g(fc.integer, { min: 0, max: 2 }) === 0 ? labeled(pick(g, LABELS), control) : control;
}

function randomStep(g: Generator, scope: Scope): Control {
    const kind = g(fc.integer, { min: 0, max: 5 });
    const guard = g(fc.boolean) ? { when: randomCondition(g, scope, 1) } : {};
    if (kind === 0) {
        return step({ ...guard, event: [0], do: randomBody(g, scope, true) });
    }
    if (kind === 1) {
        const index = pick(g, ['self', 'constant', 'dynamic'] as const);
        const argument =
            index === 'self'
                ? the(scope.self)
                : index === 'constant'
                  ? value(0)
                  : op(read(scope.hasLocals ? local(0) : shared(1)), 'mod', sizeOf(scope.id));
        return step({ ...guard, event: [1, argument], do: randomBody(g, scope, true) });
    }
    return step({ ...guard, do: randomBody(g, scope, false) });
}

/** The bodies of joint steps write locals only: most of them do not race. */
function randomBody(g: Generator, scope: Scope, isJoint: boolean): Statement[] {
    const length = g(fc.integer, { min: 0, max: 2 });
    return Array.from({ length }, () => {
        const kind = g(fc.integer, { min: 0, max: 9 });
        if (kind === 0) {
            return check(randomCondition(g, scope, 1));
        }
        if (kind <= 2) {
            return when(
                randomCondition(g, scope, 1),
                randomAssignments(g, scope, isJoint),
                randomAssignments(g, scope, isJoint),
            );
        }
        return randomAssignments(g, scope, isJoint)[0] ?? check(true);
    });
}

function randomAssignments(g: Generator, scope: Scope, isJoint: boolean): Statement[] {
    const locals = localPlaces(g, scope);
    const flag = shared(0);
    const places = isJoint
        ? locals
        : [...locals, flag, shared(1), shared(2, the(scope.self)), shared(2, randomInteger(g, scope, 0))];
    if (places.length === 0) {
        return [];
    }
    const place = pick(g, places);
    return [assign(place, place === flag ? randomCondition(g, scope, 1) : randomInteger(g, scope, 1))];
}

function localPlaces(g: Generator, scope: Scope): Place[] {
    return scope.hasLocals
        ? [
              local(0),
              local(1),
              local(2, pick(g, [the(scope.self), read(shared(1))] as const)),
              ...(scope.hasInner ? [local(3)] : []),
          ]
        : [];
}

function randomInteger(g: Generator, scope: Scope, depth: number): Expression {
    const kind = g(fc.integer, { min: 0, max: depth === 0 ? 4 : 8 });
    switch (kind) {
        case 0:
            return value(g(fc.integer, { min: 0, max: 2 }));
        case 1:
            return scope.binders.length > 0 ? the(pick(g, scope.binders)) : value(1);
        case 2:
            return read(shared(1));
        case 3:
        case 4:
            return read(pick(g, [...localPlaces(g, scope), shared(1), shared(2, 0)]));
        case 5:
            return op(
                randomInteger(g, scope, depth - 1),
                pick(g, ['+', '-', '*', 'div', 'mod'] as const),
                value(g(fc.integer, { min: 0, max: 2 })),
            );
        case 6:
            return read(shared(2, op(randomInteger(g, scope, depth - 1), 'mod', 2)));
        case 7: {
            const other = binder('c', scope.id);
            const inner = { ...scope, binders: [...scope.binders, other] };
            return g(fc.boolean)
                ? over('count', other, randomCondition(g, inner, depth - 1))
                : over('sum', other, randomInteger(g, inner, depth - 1), randomCondition(g, inner, 0));
        }
        default:
            return choice(randomCondition(g, scope, depth - 1), randomInteger(g, scope, depth - 1), 1);
    }
}

function randomCondition(g: Generator, scope: Scope, depth: number): Expression {
    const kind = g(fc.integer, { min: 0, max: depth <= 0 ? 2 : 7 });
    const compare = (): Expression =>
        op(
            randomInteger(g, scope, Math.max(0, depth - 1)),
            pick(g, ['==', '!=', '<'] as const),
            randomInteger(g, scope, 0),
        );
    switch (kind) {
        case 0:
            return read(shared(0));
        case 1:
        case 2:
            return compare();
        case 3:
            return not(randomCondition(g, scope, depth - 1));
        case 4:
            return op(
                randomCondition(g, scope, depth - 1),
                pick(g, ['and', 'or', 'implies'] as const),
                randomCondition(g, scope, depth - 1),
            );
        case 5: {
            const index = pick(g, [...scope.binders.map(the), value(0), op(read(shared(1)), 'mod', 2)]);
            return isAt(g(fc.integer, { min: 0, max: scope.processCount - 1 }), [index], pick(g, LABELS));
        }
        case 6: {
            const other = binder('q', scope.id);
            const inner = { ...scope, binders: [...scope.binders, other] };
            const where =
                g(fc.boolean) && scope.binders[0] !== undefined
                    ? op(the(other), '!=', the(scope.binders[0]))
                    : undefined;
            return over(pick(g, ['forall', 'exists'] as const), other, randomCondition(g, inner, depth - 1), where);
        }
        default:
            return value(g(fc.boolean));
    }
}

function pick<T>(g: Generator, options: readonly T[]): T {
    const chosen = options[g(fc.integer, { min: 0, max: options.length - 1 })];
    if (chosen === undefined) {
        throw new Error('nothing to pick from');
    }
    return chosen;
}

function sizeOf(domain: Domain): number {
    return domain.kind === 'range' ? domain.high - domain.low + 1 : 1;
}
