/** Expressions and places as a modeler would write them, for quotes in messages. */
import { unreachable } from '../common/assert.js';
import { isFunctionOperator, type FunctionOperator } from '../common/interval.js';
import { formatValue, NONE } from './domain.js';
import type { BinaryOperator, ChannelPlace, Expression, Place } from './expression.js';
import type { Model, Process, Variable } from './model.js';

/** Looser operators have lower levels; an operand with a lower level than its place gets parentheses. */
const LEVELS: Readonly<Record<Exclude<BinaryOperator, FunctionOperator>, number>> = {
    implies: 1,
    or: 2,
    and: 3,
    '==': 4,
    '!=': 4,
    '<': 4,
    '<=': 4,
    '>': 4,
    '>=': 4,
    '+': 5,
    '-': 5,
    '*': 6,
    div: 6,
    mod: 6,
};
const UNARY_LEVEL = 7;
const OPERAND_LEVEL = UNARY_LEVEL + 1;

/** The text of an expression; `process` is the process whose locals it may read. */
export function formatExpression(model: Model, process: Process | undefined, expression: Expression): string {
    return format(expression, 0);

    function format(current: Expression, level: number): string {
        const own = levelOf(current);
        const text = formatAtOwnLevel(current);
        return own < level ? `(${text})` : text;
    }

    function formatAtOwnLevel(current: Expression): string {
        switch (current.kind) {
            case 'constant':
                if (current.value === NONE) {
                    return 'none';
                }
                return current.domain === undefined
                    ? String(current.value)
                    : formatValue(current.domain, current.value);
            case 'binder':
                return current.binder.name;
            case 'read':
                return formatPlace(model, process, current.place);
            case 'unary':
                return `${current.operator === 'not' ? '!' : '-'}${format(current.operand, UNARY_LEVEL)}`;
            case 'binary': {
                const { operator, left, right } = current;
                if (isFunctionOperator(operator)) {
                    return formatCall(operator, [left, right]);
                }
                const level = LEVELS[operator];
                const sign = operator === 'and' ? '&&' : operator === 'or' ? '||' : operator;
                // Left-associative; a right operand of the same level keeps its parentheses.
                return `${format(left, level)} ${sign} ${format(right, level + 1)}`;
            }
            case 'conditional':
                return `if ${format(current.condition, 0)} then ${format(current.then, 0)} else ${format(current.otherwise, 0)}`;
            case 'quantifier': {
                const binders = current.binders
                    .map(binder => `${binder.name} in ${binder.domain.name ?? 'its type'}`)
                    .join(', ');
                const where = current.where === undefined ? '' : ` where ${format(current.where, 0)}`;
                const inner = `${binders}${where}: ${format(current.body, 0)}`;
                return current.quantifier === 'forall' || current.quantifier === 'exists'
                    ? `${current.quantifier} ${inner}`
                    : `${current.quantifier}(${inner})`;
            }
            case 'at':
                return `${formatInstance(current.process, current.indices)} at ${current.label}`;
            case 'alive':
                return `alive(${format(current.reference, 0)})`;
            case 'instance-local': {
                const { name } = model.processes[current.process].locals[current.local];
                return `${formatInstance(current.process, current.instance)}.${name}${formatIndices(current.indices)}`;
            }
            case 'select':
                return `[${formatList(current.options)}][${format(current.index, 0)}]`;
            case 'field':
                return `${format(current.record, OPERAND_LEVEL)}.${current.domain.fields[current.field].name}`;
            case 'record':
                return formatCall(current.domain.name, current.fields);
            case 'call':
                return (
                    formatCall(model.functions[current.function].name, current.arguments.flat()) +
                    formatIndices(current.indices)
                );
            case 'message':
                return 'the message';
            case 'fault':
                return current.fault === 'case' ? 'no such field' : 'no such value';
            default:
                return unreachable(current);
        }
    }

    /** A family with its indices, a reference to an instance of a template. */
    function formatInstance(process: number, indices: readonly Expression[]): string {
        const { name, template } = model.processes[process];
        return template === undefined ? `${name}${formatIndices(indices)}` : format(indices[0], OPERAND_LEVEL);
    }

    function formatCall(name: string, operands: readonly Expression[]): string {
        return `${name}(${formatList(operands)})`;
    }

    function formatList(expressions: readonly Expression[]): string {
        return expressions.map(expression => format(expression, 0)).join(', ');
    }

    function formatIndices(indices: readonly Expression[]): string {
        return indices.length === 0 ? '' : `[${formatList(indices)}]`;
    }
}

/** `turn[k]`, `node[k].next` */
export function formatPlace(model: Model, process: Process | undefined, place: Place): string {
    const indices = place.indices.map(index => formatExpression(model, process, index));
    switch (place.kind) {
        case 'temporary':
            return formatSegments([{ text: place.temporary.name, indices: indices.length }], indices);
        case 'shared':
            return formatSegments(model.variables[place.variable].segments, indices);
        case 'local':
            return formatSegments(process?.locals[place.local].segments ?? [], indices);
        case 'channel': {
            const { name, indices: own, leaves } = model.channels[place.channel];
            const part = leaves[place.leaf - 1]?.segments ?? [{ text: '', indices: 0, isLength: true }];
            const at = place.leaf === 0 ? [] : [{ text: '', indices: 1 }];
            return formatSegments([{ text: name, indices: own.length }, ...at, ...part], indices);
        }
        default:
            return unreachable(place);
    }
}

/** The name of a cell or place: each part of the name with its indices, `node[2].next`, `3 in node[2].heard`. */
export function formatSegments(segments: Variable['segments'], indices: readonly string[]): string {
    let used = 0;
    return segments.reduce((name, { text, indices: count, member, isLength }) => {
        const own = indices.slice(used, used + count).join(', ');
        used += count;
        if (isLength === true) {
            return `len(${name})`;
        }
        return member === 'set' && own !== '' ? `${own} in ${name}` : `${name}${text}${own === '' ? '' : `[${own}]`}`;
    }, '');
}

/** `queue[k]`, or the expression whose value is the channel. */
export function formatChannel(model: Model, process: Process | undefined, place: ChannelPlace): string {
    if (place.kind === 'value') {
        return formatExpression(model, process, place.expression);
    }
    const indices = place.indices.map(index => formatExpression(model, process, index));
    return formatSegments([{ text: model.channels[place.channel].name, indices: indices.length }], indices);
}

function levelOf(expression: Expression): number {
    switch (expression.kind) {
        case 'binary':
            return isFunctionOperator(expression.operator) ? OPERAND_LEVEL : LEVELS[expression.operator];
        case 'conditional':
            return 0;
        case 'quantifier':
            return expression.quantifier === 'forall' || expression.quantifier === 'exists' ? 0 : OPERAND_LEVEL;
        case 'unary':
            return UNARY_LEVEL;
        case 'constant':
        case 'binder':
        case 'read':
        case 'at':
        case 'alive':
        case 'instance-local':
        case 'select':
        case 'field':
        case 'record':
        case 'call':
        case 'message':
        case 'fault':
            return OPERAND_LEVEL;
        default:
            return unreachable(expression);
    }
}
