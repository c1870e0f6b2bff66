/** Expressions and places of a model as a modeler would write them: for messages that quote what they speak of. */
import { unreachable } from '../common/assert.js';
import { formatValue } from './domain.js';
import type { BinaryOperator, Expression, Place } from './expression.js';
import type { Model, Process } from './model.js';

/** Looser operators have lower levels; an operand of a lower level than its place needs parentheses. */
const LEVELS: Readonly<Record<BinaryOperator, number>> = {
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

/** The text of an expression; `process` is the one whose locals it may read. */
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
                const level = LEVELS[current.operator];
                const operator =
                    current.operator === 'and' ? '&&' : current.operator === 'or' ? '||' : current.operator;
                // Left-associative; a right operand of the same level keeps its parentheses.
                return `${format(current.left, level)} ${operator} ${format(current.right, level + 1)}`;
            }
            case 'conditional':
                return `if ${format(current.condition, 0)} then ${format(current.then, 0)} else ${format(current.otherwise, 0)}`;
            case 'quantifier': {
                const binders = current.binders
                    .map(binder => `${binder.name} in ${binder.domain.name ?? 'its type'}`)
                    .join(', ');
                const where = current.where === undefined ? '' : ` where ${format(current.where, 0)}`;
                const inner = `${binders}${where}: ${format(current.body, 0)}`;
                return current.quantifier === 'count' || current.quantifier === 'sum'
                    ? `${current.quantifier}(${inner})`
                    : `${current.quantifier} ${inner}`;
            }
            case 'at':
                return `${model.processes[current.process].name}${formatIndices(current.indices)} at ${current.label}`;
            default:
                return unreachable(current);
        }
    }

    function formatIndices(indices: readonly Expression[]): string {
        return indices.length === 0 ? '' : `[${indices.map(index => format(index, 0)).join(', ')}]`;
    }
}

/** `turn[k]` */
export function formatPlace(model: Model, process: Process | undefined, place: Place): string {
    const name = place.kind === 'shared' ? model.variables[place.variable].name : process?.locals[place.local].name;
    const indices = place.indices.map(index => formatExpression(model, process, index));
    return indices.length === 0 ? `${name}` : `${name}[${indices.join(', ')}]`;
}

function levelOf(expression: Expression): number {
    switch (expression.kind) {
        case 'binary':
            return LEVELS[expression.operator];
        case 'conditional':
            return 0;
        case 'quantifier':
            return expression.quantifier === 'count' || expression.quantifier === 'sum' ? UNARY_LEVEL + 1 : 0;
        case 'unary':
            return UNARY_LEVEL;
        case 'constant':
        case 'binder':
        case 'read':
        case 'at':
            return UNARY_LEVEL + 1;
        default:
            return unreachable(expression);
    }
}
