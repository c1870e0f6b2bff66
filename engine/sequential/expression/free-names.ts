/**
 * What an expression of the text depends on besides what all instances share: the binders that are free in it, and
 * whether it names anything of its process or body. Where it names nothing of them, equal values of the free binders give
 * equal expressions.
 */
import { unreachable } from '../../common/assert.js';
import type { ChannelPlace, Expression, Place } from '../../model/expression.js';
import type { Statement } from '../../model/model.js';

export interface FreeNames {
    /** The ids of the binders around it that it names, ascending. */
    readonly binders: readonly number[];
    /** Whether it names a local, a temporary or a message. */
    readonly isLocal: boolean;
    /** The locals of its process that it names. */
    readonly locals: readonly number[];
    /** The locals `P[i].k` that it names, as `process:local`. */
    readonly instanceLocals: readonly string[];
}

const NO_NAMES: FreeNames = { binders: [], isLocal: false, locals: [], instanceLocals: [] };

const known = new WeakMap<Expression, FreeNames>();

/** O(size of the expression), each part looked at once. */
export function freeNamesOf(expression: Expression): FreeNames {
    let names = known.get(expression);
    if (names === undefined) {
        names = computed(expression);
        known.set(expression, names);
    }
    return names;
}

/** The locals of the process that statements read or write, in any branch. O(size of the statements). */
export function localsNamedBy(statements: readonly Statement[]): readonly number[] {
    return statements.flatMap(statement => {
        switch (statement.kind) {
            case 'assign':
                return statement.assignments.flatMap(({ target, value }) => [
                    ...ofPlace(target).locals,
                    ...freeNamesOf(value).locals,
                ]);
            case 'declare':
                return union(statement.declarations.flatMap(({ values }) => values)).locals;
            case 'while':
                return [...freeNamesOf(statement.condition).locals, ...localsNamedBy(statement.body)];
            case 'for':
                return localsNamedBy(statement.body);
            case 'return':
                return union(statement.values.flat()).locals;
            case 'if':
                return [
                    ...freeNamesOf(statement.condition).locals,
                    ...localsNamedBy(statement.then),
                    ...localsNamedBy(statement.otherwise),
                ];
            case 'assert':
                return freeNamesOf(statement.condition).locals;
            case 'skip':
                return [];
            default:
                return unreachable(statement);
        }
    });
}

function computed(expression: Expression): FreeNames {
    switch (expression.kind) {
        case 'constant':
            return union([]);
        case 'binder':
            return { ...NO_NAMES, binders: [expression.binder.id] };
        case 'read':
            return ofPlace(expression.place);
        case 'unary':
            return freeNamesOf(expression.operand);
        case 'binary':
            return union([expression.left, expression.right]);
        case 'conditional':
            return union([expression.condition, expression.then, expression.otherwise]);
        case 'quantifier': {
            const { body, where } = expression;
            const inner = union(where === undefined ? [body] : [where, body]);
            const bound = new Set(expression.binders.map(({ id }) => id));
            return { ...inner, binders: inner.binders.filter(id => !bound.has(id)) };
        }
        case 'at':
            return union(expression.indices);
        case 'instance-local': {
            const inner = union([...expression.instance, ...expression.indices]);
            const own = `${expression.process}:${expression.local}`;
            return { ...inner, instanceLocals: [...inner.instanceLocals, own] };
        }
        case 'select':
            return union([expression.index, ...expression.options]);
        case 'field':
            return freeNamesOf(expression.record);
        case 'record':
            return union(expression.fields);
        case 'call':
            return union([...expression.arguments.flat(), ...expression.indices]);
        case 'length':
            return ofChannel(expression.channel);
        case 'message':
            return { ...NO_NAMES, isLocal: true };
    }
}

function ofPlace(place: Place): FreeNames {
    const indices = union(place.indices);
    switch (place.kind) {
        case 'shared':
            return indices;
        case 'local':
            return { ...indices, isLocal: true, locals: [...indices.locals, place.local] };
        case 'temporary':
            return { ...indices, isLocal: true };
        default:
            return unreachable(place);
    }
}

function ofChannel(channel: ChannelPlace): FreeNames {
    return channel.kind === 'declared' ? union(channel.indices) : freeNamesOf(channel.expression);
}

function union(parts: readonly Expression[]): FreeNames {
    const names = parts.map(freeNamesOf);
    return {
        binders: [...new Set(names.flatMap(({ binders }) => binders))].sort((a, b) => a - b),
        isLocal: names.some(({ isLocal }) => isLocal),
        locals: [...new Set(names.flatMap(({ locals }) => locals))],
        instanceLocals: [...new Set(names.flatMap(({ instanceLocals }) => instanceLocals))],
    };
}
