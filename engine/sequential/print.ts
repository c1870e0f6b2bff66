/** The sequential model as text, for fixtures and for people. Equal models print equally. */
import { unreachable } from '../common/assert.js';
import { formatDomain, formatValue, NONE } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import type {
    Cell,
    ElementPlace,
    InitialValue,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialPlace,
    SequentialStatement,
} from './sequential-model.js';

export function printSequentialModel(model: SequentialModel): string {
    const { cells } = model;
    const lines = [`model ${model.name}`, '', 'cells'];
    cells.forEach((cell, index) => {
        const absent = cell.mayBeAbsent ? ', or no value' : '';
        const initial = model.initial.find(entry => entry.cell === index);
        const present = initial?.isPresent && ` where ${printExpression(initial.isPresent, cells)}`;
        const start = initial === undefined ? '' : printInitial(initial.value, cell, cells) + (present ?? '');
        lines.push(`    ${cell.name}: ${printDomain(cell.domain)}${absent}${start}`);
    });
    lines.push('', 'instances');
    for (const instance of model.instances) {
        const locations = instance.locations.map(location => location.name).join(', ');
        lines.push(`    ${instance.name} at ${locations}; may stop: ${printExpression(instance.mayStop, cells)}`);
    }
    for (const summand of model.summands) {
        lines.push('', `summand ${summand.label}`);
        for (const participant of summand.participants) {
            lines.push(...printParticipant(participant, model));
        }
    }
    if (model.initialConditions.length > 0) {
        lines.push('');
    }
    for (const condition of model.initialConditions) {
        lines.push(`init ${printExpression(condition, cells)}`);
    }
    if (model.constraint !== undefined) {
        lines.push('', `constraint ${printExpression(model.constraint.expression, cells)}`);
    }
    if (model.invariants.length > 0) {
        lines.push('');
    }
    for (const property of model.invariants) {
        lines.push(`invariant ${property.name} = ${printExpression(property.expression, cells)}`);
    }
    if (model.allowsDeadlock) {
        lines.push('', 'allow deadlock');
    }
    return `${lines.join('\n')}\n`;
}

function printDomain(domain: Domain): string {
    return domain.kind === 'enumeration' ? `{ ${domain.values.join(', ')} }` : formatDomain(domain);
}

function printInitial(value: InitialValue, cell: Cell, cells: readonly Cell[]): string {
    switch (value.kind) {
        case 'any':
            return ' = any';
        case 'none':
            return ' = no value';
        case 'oneOf': {
            const values = value.expressions.map(expression => printExpression(expression, cells, cell.domain));
            return ` in { ${values.join(', ')} }`;
        }
        case 'value':
            return ` = ${printExpression(value.expression, cells, cell.domain)}`;
        default:
            return unreachable(value);
    }
}

function printParticipant(participant: Participant, model: SequentialModel): string[] {
    const { cells } = model;
    const instance = model.instances[participant.instance];
    const source = instance.locations[participant.source].name;
    const target = instance.locations[participant.target].name;
    const lines = [`    ${instance.name}: ${source} to ${target}`];
    for (const element of participant.path) {
        lines.push(
            element.kind === 'test'
                ? `        when ${printExpression(element.condition, cells)}`
                : `        with ${cells[element.cell].name} := ` +
                      printExpression(element.value, cells, cells[element.cell].domain),
        );
    }
    printStatements(participant.body, cells, '        ', lines);
    return lines;
}

function printStatements(
    statements: readonly SequentialStatement[],
    cells: readonly Cell[],
    indent: string,
    lines: string[],
): void {
    for (const statement of statements) {
        switch (statement.kind) {
            case 'assign': {
                const { target } = statement;
                // An array over an empty type has no cell.
                const cell: Cell | undefined = cells[target.kind === 'cell' ? target.cell : target.cells[0]];
                const value = printExpression(statement.value, cells, cell?.domain);
                lines.push(`${indent}${printPlace(target, cells)} := ${value}`);
                break;
            }
            case 'clear':
                lines.push(`${indent}clear ${cells[statement.cell].name}`);
                break;
            case 'if':
                lines.push(`${indent}if ${printExpression(statement.condition, cells)}`);
                printStatements(statement.then, cells, `${indent}    `, lines);
                if (statement.otherwise.length > 0) {
                    lines.push(`${indent}else`);
                    printStatements(statement.otherwise, cells, `${indent}    `, lines);
                }
                break;
            case 'while':
                lines.push(`${indent}while ${printExpression(statement.condition, cells)}`);
                printStatements(statement.body, cells, `${indent}    `, lines);
                break;
            case 'assert':
                lines.push(`${indent}assert ${printExpression(statement.condition, cells)}`);
                break;
            default:
                unreachable(statement);
        }
    }
}

function printPlace(place: SequentialPlace, cells: readonly Cell[]): string {
    return place.kind === 'cell' ? cells[place.cell].name : printElement(place, cells);
}

/** An element with a variable index: all cells of the array, and the indices. */
function printElement(place: ElementPlace, cells: readonly Cell[]): string {
    const indices = place.indices.map(index => printExpression(index, cells)).join(', ');
    return `(${place.cells.map(cell => cells[cell].name).join(', ')})[${indices}]`;
}

/** An expression, fully parenthesized. Constants that are compared with a cell are written in its domain. */
export function printExpression(expression: SequentialExpression, cells: readonly Cell[], domain?: Domain): string {
    const print = (operand: SequentialExpression): string => printExpression(operand, cells);
    switch (expression.kind) {
        case 'constant':
            if (domain !== undefined) {
                return formatValue(domain, expression.value);
            }
            return expression.value === NONE ? 'none' : String(expression.value);
        case 'cell':
            return cells[expression.cell].name;
        case 'element':
            return printElement(expression, cells);
        case 'not':
            return `!${print(expression.operand)}`;
        case 'negate':
            return `-${print(expression.operand)}`;
        case 'binary': {
            const { left, right, operator } = expression;
            const leftText = printExpression(left, cells, domainOf(right, cells));
            const rightText = printExpression(right, cells, domainOf(left, cells));
            // What the text writes like a function.
            const isCall = /^[a-z]/.test(operator) && operator !== 'div' && operator !== 'mod';
            return isCall ? `${operator}(${leftText}, ${rightText})` : `(${leftText} ${operator} ${rightText})`;
        }
        case 'and':
        case 'or':
            return `(${expression.operands.map(print).join(expression.kind === 'and' ? ' && ' : ' || ')})`;
        case 'conditional':
            return (
                `(if ${print(expression.condition)} then ${printExpression(expression.then, cells, domain)} ` +
                `else ${printExpression(expression.otherwise, cells, domain)})`
            );
        case 'select':
            return (
                `[${expression.options.map(option => printExpression(option, cells, domain)).join(', ')}]` +
                `[${printExpression(expression.index, cells, expression.domain)}]`
            );
        case 'all':
        case 'some':
        case 'count':
        case 'sum':
        case 'min':
        case 'max':
        case 'the':
            return `${expression.kind}(${expression.operands.map(print).join(', ')})`;
        case 'holds': {
            const { name, domain: held } = cells[expression.cell];
            return `(${name} holds ${formatValue(held, expression.value)})`;
        }
        case 'fresh':
            return `fresh(${[expression.template.name, expression.before, ...expression.taken].join(', ')})`;
        case 'choosable':
            return `choosable(${[expression.template.name, expression.slot, ...expression.taken].join(', ')})`;
        case 'fault':
            return `fault(${expression.fault})`;
        default:
            return unreachable(expression);
    }
}

/** The domain of a cell or element, if its values have names. */
function domainOf(expression: SequentialExpression, cells: readonly Cell[]): Domain | undefined {
    const cell =
        expression.kind === 'cell' ? expression.cell : expression.kind === 'element' ? expression.cells[0] : undefined;
    if (cell === undefined) {
        return undefined;
    }
    const { domain } = cells[cell];
    const base = domain.kind === 'optional' ? domain.base : domain;
    return base.kind === 'range' ? undefined : domain;
}
