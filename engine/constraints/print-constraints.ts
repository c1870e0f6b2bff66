/** The constraint problem as text, for fixtures and for people. */
import { unreachable } from '../common/assert.js';
import { formatValue, valueOfCode } from '../model/domain.js';
import type { ConstraintProblem, ConstraintSummand } from './constraint-problem.js';
import type { FormulaId } from './formula.js';

export function printConstraintProblem(problem: ConstraintProblem): string {
    const { sequential, domains, summands, initial, properties, pinned } = problem;
    const lines = ['cells'];
    sequential.cells.forEach((cell, index) => {
        lines.push(`    ${cell.name} in {${domains[index].map(code => codeText(problem, index, code)).join(', ')}}`);
    });
    lines.push('', 'initial', ...initial.map(formula => `    ${printFormula(problem, formula)}`));
    for (const summand of summands) {
        lines.push('', `summand ${summand.sources.map(source => labelOf(problem, source)).join(', ')}`);
        lines.push(...printSummand(problem, summand).map(line => `    ${line}`));
    }
    for (const property of properties) {
        lines.push('', `property ${property.name}`, `    ${printFormula(problem, property.holds)}`);
        for (const fault of property.faults) {
            lines.push(`    fault ${fault.kind} if ${printFormula(problem, fault.condition)}`);
        }
        lines.push(...printPinned(problem, property.pinned).map(line => `    ${line}`));
    }
    lines.push(...printPinned(problem, pinned).flatMap(line => ['', line]));
    return `${lines.join('\n')}\n`;
}

function printPinned({ sequential }: ConstraintProblem, cells: readonly number[]): string[] {
    return cells.length === 0 ? [] : [`pinned: ${cells.map(cell => sequential.cells[cell].name).join(', ')}`];
}

function labelOf({ sequential }: ConstraintProblem, source: number): string {
    const { participants, label } = sequential.summands[source];
    return `${participants.map(({ instance }) => sequential.instances[instance].name).join(' & ')}: ${label}`;
}

function printSummand(problem: ConstraintProblem, { guard, effects, faults }: ConstraintSummand): string[] {
    return [
        ...guard.map(formula => `when ${printFormula(problem, formula)}`),
        ...effects.map(({ conditions, cell, code }) => {
            const condition = conditions.map(formula => printFormula(problem, formula)).join(' && ');
            const assignment = `${problem.sequential.cells[cell].name}' = ${codeText(problem, cell, code)}`;
            return condition === '' ? assignment : `${assignment} if ${condition}`;
        }),
        ...faults.map(({ kind, condition }) => `fault ${kind} if ${printFormula(problem, condition)}`),
    ];
}

/** A formula as text. Exponential if formulas share much: for small models. */
function printFormula(problem: ConstraintProblem, id: FormulaId): string {
    const node = problem.formulas.nodes[id];
    switch (node.kind) {
        case 'true':
        case 'false':
            return node.kind;
        case 'set': {
            const { name } = problem.sequential.cells[node.cell];
            const values = node.codes.map(code => codeText(problem, node.cell, code));
            return values.length === 1 ? `${name} = ${values[0]}` : `${name} in {${values.join(', ')}}`;
        }
        case 'and':
        case 'or': {
            const operator = node.kind === 'and' ? ' && ' : ' || ';
            return `(${node.children.map(child => printFormula(problem, child)).join(operator)})`;
        }
        case 'sum': {
            const terms = node.terms.map(({ formula, weight }) => {
                const term = `[${printFormula(problem, formula)}]`;
                return weight === 1 ? term : `${weight} * ${term}`;
            });
            return `${terms.join(' + ')} in {${node.allowed.join(', ')}}`;
        }
        default:
            return unreachable(node);
    }
}

function codeText(problem: ConstraintProblem, cell: number, code: number): string {
    const { domain } = problem.sequential.cells[cell];
    return code < 0 ? 'no value' : formatValue(domain, valueOfCode(domain, code));
}
