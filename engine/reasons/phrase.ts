/** Expressions of the sequential model as its text would write them, for sentences: `P[1] at leave`, `x[2] + 1 <= n`. */
import { unreachable } from '../common/assert.js';
import { formatValue, NONE } from '../model/domain.js';
import type { Domain, Value } from '../model/domain.js';
import type { ElementPlace, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { isArithmetic } from '../sequential/expression/arithmetic.js';

/** The cells of a model and its instances, which own the program counters. */
export type Names = Pick<SequentialModel, 'cells' | 'instances'>;

/** How tightly operators bind; a weaker one inside a stronger one needs parentheses. */
const BINDING = { or: 1, and: 2, comparison: 3, sum: 4, product: 5, prefix: 6, name: 7 };

/** An expression without needless parentheses. A constant that is compared with a cell is written in its domain. */
export function phrase(expression: SequentialExpression, names: Names, domain?: Domain): string {
    return written(expression, names, domain).text;
}

/** The domain of the values of an expression, if a cell in it tells. */
export function domainOf(expression: SequentialExpression, names: Names): Domain | undefined {
    const firstOf = (operands: readonly SequentialExpression[]): Domain | undefined =>
        operands.map(operand => domainOf(operand, names)).find(domain => domain !== undefined);
    switch (expression.kind) {
        case 'cell':
            return names.cells[expression.cell].domain;
        case 'element':
            return expression.cells.length === 0 ? undefined : names.cells[expression.cells[0]].domain;
        case 'conditional':
            return firstOf([expression.then, expression.otherwise]);
        case 'select':
            return firstOf(expression.options);
        case 'min':
        case 'max':
        case 'the':
            return firstOf(expression.operands);
        default:
            return undefined;
    }
}

/** A value of an expression as the text writes it. */
export function phraseValue(value: Value, domain: Domain | undefined): string {
    return domain === undefined ? (value === NONE ? 'none' : String(value)) : formatValue(domain, value);
}

interface Written {
    readonly text: string;
    readonly binding: number;
}

function written(expression: SequentialExpression, names: Names, domain?: Domain): Written {
    const inside = (operand: SequentialExpression, binding: number, of?: Domain): string => {
        const part = written(operand, names, of);
        return part.binding < binding ? `(${part.text})` : part.text;
    };
    const listed = (operands: readonly SequentialExpression[]): string =>
        operands.map(operand => phrase(operand, names, domain)).join(', ');
    switch (expression.kind) {
        case 'constant':
            return { text: phraseValue(expression.value, domain), binding: BINDING.name };
        case 'cell':
            return { text: names.cells[expression.cell].name, binding: bindingOfCells([expression.cell], names) };
        case 'element':
            return { text: phraseElement(expression, names), binding: bindingOfCells(expression.cells, names) };
        case 'not':
            return { text: `!${inside(expression.operand, BINDING.prefix)}`, binding: BINDING.prefix };
        case 'negate':
            return { text: `-${inside(expression.operand, BINDING.prefix)}`, binding: BINDING.prefix };
        case 'binary':
            return writtenBinary(expression, names, inside);
        case 'and':
        case 'or':
        case 'all':
        case 'some': {
            const kind = expression.kind === 'and' || expression.kind === 'all' ? 'and' : 'or';
            const binding = BINDING[kind];
            const sign = kind === 'and' ? ' && ' : ' || ';
            return { text: expression.operands.map(operand => inside(operand, binding + 1)).join(sign), binding };
        }
        case 'conditional': {
            const { condition, then, otherwise } = expression;
            const [test, first, second] = [
                inside(condition, BINDING.or),
                inside(then, 1, domain),
                inside(otherwise, 1, domain),
            ];
            return { text: `if ${test} then ${first} else ${second}`, binding: 0 };
        }
        case 'select':
            return {
                text: `[${listed(expression.options)}][${phrase(expression.index, names, expression.domain)}]`,
                binding: BINDING.name,
            };
        case 'count':
        case 'sum':
        case 'min':
        case 'max':
        case 'the':
            return { text: `${expression.kind}(${listed(expression.operands)})`, binding: BINDING.name };
        case 'fresh':
        case 'choosable':
            return { text: expression.template.name, binding: BINDING.name };
        case 'holds':
        case 'fault':
            return { text: expression.kind === 'fault' ? expression.fault : expression.kind, binding: BINDING.name };
        default:
            return unreachable(expression);
    }
}

/** Of elements of a set, `2 in heard`, else of a name. */
function bindingOfCells([first]: readonly number[], { cells }: Names): number {
    return cells[first]?.member === undefined ? BINDING.name : BINDING.comparison;
}

function writtenBinary(
    expression: Extract<SequentialExpression, { kind: 'binary' }>,
    names: Names,
    inside: (operand: SequentialExpression, binding: number, of?: Domain) => string,
): Written {
    const { operator, left, right } = expression;
    const location = locationTest(expression, names);
    if (location !== undefined) {
        const { process, name, isThere } = location;
        const text = `${process} at ${name}`;
        return isThere ? { text, binding: BINDING.comparison } : { text: `!(${text})`, binding: BINDING.prefix };
    }
    const name = caseThatIsTested(expression, names);
    if (name !== undefined) {
        const text = `${inside(left, BINDING.comparison + 1)} is ${name}`;
        return operator === '=='
            ? { text, binding: BINDING.comparison }
            : { text: `!(${text})`, binding: BINDING.prefix };
    }
    if (!isArithmetic(operator)) {
        const [first, second] = [domainOf(left, names), domainOf(right, names)];
        const binding = BINDING.comparison;
        const text = `${inside(left, binding + 1, second)} ${operator} ${inside(right, binding + 1, first)}`;
        return { text, binding };
    }
    switch (operator) {
        case '+':
        case '-':
            return {
                text: `${inside(left, BINDING.sum)} ${operator} ${inside(right, BINDING.product)}`,
                binding: BINDING.sum,
            };
        case '*':
        case 'div':
        case 'mod':
            return {
                text: `${inside(left, BINDING.product)} ${operator} ${inside(right, BINDING.prefix)}`,
                binding: BINDING.product,
            };
        default:
            return { text: `${operator}(${inside(left, 0)}, ${inside(right, 0)})`, binding: BINDING.name };
    }
}

/** The case with which the case of a value is compared. */
function caseThatIsTested(
    { operator, left, right }: Extract<SequentialExpression, { kind: 'binary' }>,
    names: Names,
): string | undefined {
    const cell = left.kind === 'cell' ? left.cell : left.kind === 'element' ? left.cells.at(0) : undefined;
    const isTest = operator === '==' || operator === '!=';
    if (!isTest || cell === undefined || right.kind !== 'constant' || right.value === NONE) {
        return undefined;
    }
    const { format, domain } = names.cells[cell];
    return format?.kind === 'cases' ? formatValue(domain, right.value) : undefined;
}

/** The name of the first element with the indices of the expression in place of its own. */
function phraseElement({ cells, indices, domains }: ElementPlace, names: Names): string {
    const left = indices.map((index, dimension) => phrase(index, names, domains[dimension]));
    const name = cells.length === 0 ? '[]' : names.cells[cells[0]].name;
    // What is known before the run is no index of the place.
    return name.replaceAll(/\[([^\]]*)\]/g, (known, own: string) =>
        left.length === 0 ? known : `[${left.splice(0, own.split(', ').length).join(', ')}]`,
    );
}

/** A comparison of a program counter with one of its values. */
export function locationTest(
    { operator, left, right }: Extract<SequentialExpression, { kind: 'binary' }>,
    { cells, instances }: Names,
): { readonly process: string; readonly name: string; readonly isThere: boolean; readonly cell: number } | undefined {
    if ((operator !== '==' && operator !== '!=') || left.kind !== 'cell' || right.kind !== 'constant') {
        return undefined;
    }
    const { kind, instance, domain } = cells[left.cell];
    return kind === 'counter'
        ? {
              process: instances[instance].name,
              name: formatValue(domain, right.value),
              isThere: operator === '==',
              cell: left.cell,
          }
        : undefined;
}
