/** Static single assignment as text: `x#2` is the second version of x in its summand. */
import { unreachable } from '../common/assert.js';
import { printExpression } from '../sequential/print.js';
import type { Cell } from '../sequential/sequential-model.js';
import type { Held, SsaLine, SsaModel, SsaSummand } from './static-single-assignment.js';

export function printSsa({ sequential, summands }: SsaModel): string {
    const lines: string[] = [];
    for (const summand of summands) {
        lines.push(`summand ${sequential.summands[summand.summand].label}${summand.isTooLarge ? ': too large' : ''}`);
        const names = namesOf(sequential.cells, summand);
        summand.participants.forEach((participant, index) => {
            const { instance } = sequential.summands[summand.summand].participants[index];
            lines.push(`    ${sequential.instances[instance].name}`);
            for (const line of [...participant.path, ...participant.body]) {
                lines.push(`        ${printLine(line, names)}`);
            }
            for (const [cell, final] of participant.final) {
                const value = final.kind === 'absent' ? 'no value' : names[final.name].name;
                lines.push(`        next ${names[cell].name} = ${value}`);
            }
        });
        lines.push('');
    }
    return lines.join('\n');
}

/** The cells, then each defined name as a cell called by its version. */
function namesOf(cells: readonly Cell[], summand: SsaSummand): Cell[] {
    const versions = new Map<number, number>();
    const defined = summand.cellOfName.map(cell => {
        const version = (versions.get(cell) ?? 0) + 1;
        versions.set(cell, version);
        return { ...cells[cell], name: `${cells[cell].name}#${version}` };
    });
    return [...cells, ...defined];
}

function printLine(line: SsaLine, names: readonly Cell[]): string {
    switch (line.kind) {
        case 'test':
            return `test ${printExpression(line.condition, names)}`;
        case 'evaluate':
            return `evaluate ${printExpression(line.expression, names)}${where(line)}`;
        case 'check':
            return `check ${printExpression(line.condition, names)} else ${line.fault}${where(line)}`;
        case 'fit': {
            const { name, domain } = names[line.cell];
            return `check ${printExpression(line.value, names, domain)} fits ${name}${where(line)}`;
        }
        case 'join': {
            const { name, domain } = names[line.name];
            const print = (held: Held): string =>
                held === 'nothing' ? 'no value' : printExpression(held, names, domain);
            const choice = `if ${printExpression(line.condition, names)} then ${print(line.then)} else ${print(line.otherwise)}`;
            return `${name} := (${choice})${where(line)}`;
        }
        case 'define': {
            const { name, domain } = names[line.name];
            return `${name} := ${printExpression(line.value, names, domain)}${where(line)}`;
        }
        default:
            return unreachable(line);
    }

    function where({ reached }: Exclude<SsaLine, { kind: 'test' }>): string {
        return reached === undefined ? '' : ` where ${printExpression(reached, names)}`;
    }
}
