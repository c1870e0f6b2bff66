/**
 * What an expression of the text depends on besides what all instances share: the binders that are free in it, and
 * whether it names anything of its process or body. Where it names nothing of them, equal values of the free binders give
 * equal expressions.
 */
import type { ChannelPlace, Expression, Place } from '../model/expression.js';

export interface FreeNames {
    /** The ids of the binders around it that it names, ascending. */
    readonly binders: readonly number[];
    /** Whether it names a local, a temporary or a message. */
    readonly isLocal: boolean;
    /** The locals `P[i].k` that it names, as `process:local`. */
    readonly instanceLocals: readonly string[];
}

const NO_NAMES: FreeNames = { binders: [], isLocal: false, instanceLocals: [] };

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
    return place.kind === 'shared' ? indices : { ...indices, isLocal: true };
}

function ofChannel(channel: ChannelPlace): FreeNames {
    return channel.kind === 'declared' ? union(channel.indices) : freeNamesOf(channel.expression);
}

function union(parts: readonly Expression[]): FreeNames {
    const names = parts.map(freeNamesOf);
    return {
        binders: [...new Set(names.flatMap(({ binders }) => binders))].sort((a, b) => a - b),
        isLocal: names.some(({ isLocal }) => isLocal),
        instanceLocals: [...new Set(names.flatMap(({ instanceLocals }) => instanceLocals))],
    };
}
