/**
 * What a summand or a condition is apart from the cells that it speaks of and the place where it stands.
 *
 *     turn == 2 && flag[1]       and       turn == 5 && flag[4]        both are  c0 == 0 && c1,  over different cells
 *
 * Cells are numbered 0, 1, 2, … as they are mentioned. Operands that can be exchanged are brought into an order that does
 * not depend on which cells they read, where they are plain enough. Values that are only compared and copied
 * (copied-values.ts) are numbered as they are mentioned, too. The *key* of a form is a text: equal keys mean equal forms,
 * domains included, names and places of the text not. So a key outlives edits of comments, names and layout, and one form
 * serves all instances of a process that do the same.
 */
import { sortShort } from '../common/ascending.js';
import { unreachable } from '../common/assert.js';
import { NOWHERE } from '../common/source-range.js';
import { codeOfValue, domainSize, valueOfCode, type Value } from '../model/domain.js';
import { operandsOf } from '../sequential/operands.js';
import { mayFault } from '../sequential/simplify.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import { renamingToFront, shifted, type CodeRenaming } from './code-renaming.js';
import { baseOf, CopiedValues } from './copied-values.js';
import { domainKey } from './domain-key.js';

export interface LocalForm<Local> {
    readonly key: string;
    /** The cells of the model: `cells[i]` is the local cell i. */
    readonly cells: readonly number[];
    /** From the codes of `cells[i]` to those of the local cell i; a hole where they are the same. */
    readonly renamings: readonly (CodeRenaming | undefined)[];
    /**
     * The local cells, without names and places, and what is said of them, without places. To be called before the next
     * form is made.
     */
    build(): { readonly cells: readonly Cell[]; readonly local: Local };
}

type Hub = Extract<SequentialExpression, { kind: 'and' | 'or' | 'count' | 'sum' | 'min' | 'max' }>;

/** Makes the local forms of one model. */
export class Localizer {
    private readonly cells: readonly Cell[];
    private readonly form: FormNumbers;
    /** The parts of the form that are written already: expressions share their parts, and each is written once. */
    private readonly written = new Map<SequentialExpression, number>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.form = new FormNumbers(cells);
    }

    summand(summand: Summand): LocalForm<Summand> {
        this.begin();
        this.form.values.look(summand);
        const parts = summand.participants.map(participant => this.participantKey(participant));
        return this.formOf(parts.join('&'), copy => ({
            label: '',
            participants: summand.participants.map(copy.participant),
        }));
    }

    condition(condition: SequentialExpression): LocalForm<SequentialExpression> {
        this.begin();
        return this.formOf(this.expressionKey(condition), copy => copy.expression(condition));
    }

    private begin(): void {
        this.form.begin();
        this.written.clear();
    }

    private formOf<Local>(content: string, make: (copy: LocalCopy) => Local): LocalForm<Local> {
        const { mentioned } = this.form;
        return {
            key: `${mentioned.map(cell => cellKey(this.cells[cell])).join()}|${content}`,
            cells: mentioned,
            renamings: this.form.renamings(),
            build: () => ({
                cells: mentioned.map(cell => localCell(this.cells[cell])),
                local: make(new LocalCopy(this.form)),
            }),
        };
    }

    private participantKey({ path, body }: Participant): string {
        return `${path.map(element => this.pathKey(element)).join('')}/${this.statementsKey(body)}`;
    }

    private pathKey(element: PathElement): string {
        return element.kind === 'test'
            ? `?${this.expressionKey(element.condition)}`
            : `:${this.form.numberOf(element.cell)}=${this.valueKey({ kind: 'cell', cell: element.cell }, element.value)}`;
    }

    private statementsKey(statements: readonly SequentialStatement[]): string {
        return statements.map(statement => this.statementKey(statement)).join(';');
    }

    private statementKey(statement: SequentialStatement): string {
        switch (statement.kind) {
            case 'assign':
                return `${this.placeKey(statement.target)}:=${this.valueKey(statement.target, statement.value)}`;
            case 'clear':
                return `clear ${this.form.numberOf(statement.cell)}`;
            case 'if': {
                const branches = [statement.then, statement.otherwise].map(branch => this.statementsKey(branch));
                return `if ${this.expressionKey(statement.condition)}{${branches.join('}{')}}`;
            }
            case 'while':
                return `while ${this.expressionKey(statement.condition)}{${this.statementsKey(statement.body)}}`;
            case 'assert':
                return `assert ${this.expressionKey(statement.condition)}`;
            default:
                return unreachable(statement);
        }
    }

    private placeKey(place: SequentialPlace): string {
        return place.kind === 'cell' ? String(this.form.numberOf(place.cell)) : this.elementKey(place);
    }

    private elementKey({ cells, domains, indices }: Extract<SequentialPlace, { kind: 'element' }>): string {
        const array = cells.map(cell => this.form.numberOf(cell)).join();
        return `[${array}|${domains.map(domainKey).join()}|${this.listKey(indices)}]`;
    }

    private listKey(expressions: readonly SequentialExpression[]): string {
        return expressions.map(expression => this.expressionKey(expression)).join();
    }

    /** What is compared with or copied to `term`. */
    private valueKey(term: SequentialExpression | SequentialPlace, value: SequentialExpression): string {
        return value.kind === 'constant'
            ? `#${this.form.valueOf(this.form.values.classOf(term), value.value)}`
            : this.expressionKey(value);
    }

    private expressionKey(expression: SequentialExpression): string {
        switch (expression.kind) {
            case 'constant':
                return `#${expression.value}`;
            case 'cell':
                return String(this.form.numberOf(expression.cell));
            case 'fault':
                return `fault ${expression.fault}`;
            default: {
                const number = this.written.get(expression);
                if (number !== undefined) {
                    return `^${number}`;
                }
                this.written.set(expression, this.written.size);
                return this.compoundKey(expression);
            }
        }
    }

    private compoundKey(
        expression: Exclude<SequentialExpression, { readonly kind: 'constant' | 'cell' | 'fault' }>,
    ): string {
        switch (expression.kind) {
            case 'element':
                return this.elementKey(expression);
            case 'binary': {
                const { left, operator, right } = expression;
                const isCompared = isComparison(expression);
                const first = isCompared ? this.valueKey(right, left) : this.expressionKey(left);
                const second = isCompared ? this.valueKey(left, right) : this.expressionKey(right);
                return `(${first}${operator}${second})`;
            }
            case 'select':
                return `select(${domainKey(expression.domain)}|${this.listKey(operandsOf(expression))})`;
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
                return `${expression.kind}(${this.listKey(this.arranged(expression))})`;
            case 'not':
            case 'negate':
            case 'conditional':
                return `${expression.kind}(${this.listKey(operandsOf(expression))})`;
            default:
                return unreachable(expression);
        }
    }

    /** The operands in the order in which the form has them. */
    private arranged(hub: Hub): readonly SequentialExpression[] {
        const keys: string[] = [];
        for (const operand of hub.operands) {
            const key = this.plainKey(operand);
            if (key === undefined) {
                return hub.operands;
            }
            keys.push(key);
        }
        if (keys.every((key, index) => index === 0 || keys[index - 1] <= key)) {
            return hub.operands;
        }
        const order = sortShort([...keys.keys()], (a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
        const operands = order.map(index => hub.operands[index]);
        this.form.arranged.set(hub, operands);
        return operands;
    }

    /**
     * A key of an operand that may stand anywhere among the others, in which cells and values that are not mentioned yet are
     * all alike; undefined where it may not: its evaluation may be a fault, or end for want of a value; or where it has
     * more to it than a comparison.
     */
    private plainKey(operand: SequentialExpression): string | undefined {
        const atom = operand.kind === 'not' ? operand.operand : operand;
        if (atom.kind !== 'binary') {
            const key = this.leafKey(atom);
            return key === undefined ? undefined : `${operand.kind} ${key}`;
        }
        const first = this.leafKey(atom.left, atom.right);
        const second = this.leafKey(atom.right, atom.left);
        return first === undefined || second === undefined || mayFault(operand, this.cells)
            ? undefined
            : `${operand.kind} ${first}${atom.operator}${second}`;
    }

    private leafKey(leaf: SequentialExpression, other: SequentialExpression = leaf): string | undefined {
        if (leaf.kind === 'constant') {
            return `#${this.form.valueSoFar(this.form.values.classOf(other), leaf.value)}`;
        }
        if (leaf.kind !== 'cell' || this.cells[leaf.cell].mayBeAbsent) {
            return undefined;
        }
        const number = this.form.numberSoFar(leaf.cell);
        return number < 0 ? `?${cellKey(this.cells[leaf.cell])}` : String(number);
    }
}

/** How cells and values are numbered in the form that is being made. */
class FormNumbers {
    readonly values: CopiedValues;
    /** The cells of the form, in the order of their numbers. */
    mentioned: number[] = [];
    /** The operands of those hubs of the form that have them in another order than the model. */
    readonly arranged = new Map<Hub, readonly SequentialExpression[]>();
    private readonly cells: readonly Cell[];
    /** `numbers[cell]`; -1 for what is not in the form. */
    private readonly numbers: Int32Array;
    /** By classes of cells: the codes of values that were mentioned, in this order. */
    private readonly codes = new Map<number, number[]>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.values = new CopiedValues(cells);
        this.numbers = new Int32Array(cells.length).fill(-1);
    }

    begin(): void {
        for (const cell of this.mentioned) {
            this.numbers[cell] = -1;
        }
        this.mentioned = [];
        if (this.arranged.size > 0) {
            this.arranged.clear();
        }
        if (this.codes.size > 0) {
            this.codes.clear();
        }
        this.values.forget();
    }

    numberOf(cell: number): number {
        if (this.numbers[cell] < 0) {
            this.numbers[cell] = this.mentioned.length;
            this.mentioned.push(cell);
        }
        return this.numbers[cell];
    }

    /** -1 where the cell is not mentioned yet. */
    numberSoFar(cell: number): number {
        return this.numbers[cell];
    }

    /** What stands in the form for a value of a class of cells; -1 is the class of what keeps its values. */
    valueOf(group: number, value: Value): Value {
        if (group < 0 || !Number.isFinite(value)) {
            return value;
        }
        const base = baseOf(this.cells[group].domain);
        const code = codeOfValue(base, value);
        let codes = this.codes.get(group);
        if (codes === undefined) {
            codes = [];
            this.codes.set(group, codes);
        }
        if (!codes.includes(code)) {
            codes.push(code);
        }
        return valueOfCode(base, codes.indexOf(code));
    }

    /** The same; a sign for all values that are not mentioned yet. */
    valueSoFar(group: number, value: Value): Value | '?' {
        if (group < 0 || !Number.isFinite(value)) {
            return value;
        }
        const code = codeOfValue(baseOf(this.cells[group].domain), value);
        return this.codes.get(group)?.includes(code) === true ? this.valueOf(group, value) : '?';
    }

    /** For each cell of the form. */
    renamings(): readonly (CodeRenaming | undefined)[] {
        if (this.codes.size === 0) {
            return [];
        }
        const ofGroup = new Map<number, CodeRenaming | undefined>();
        for (const [group, codes] of this.codes) {
            ofGroup.set(group, renamingToFront(codes, domainSize(baseOf(this.cells[group].domain))));
        }
        return this.mentioned.map(cell => {
            const renaming = ofGroup.get(this.values.classOfCell(cell));
            return renaming !== undefined && this.cells[cell].domain.kind === 'optional' ? shifted(renaming) : renaming;
        });
    }
}

function isComparison({ operator }: Extract<SequentialExpression, { kind: 'binary' }>): boolean {
    return operator === '==' || operator === '!=';
}

/** Copies of what speaks of cells of the model, over local cells. What is one object stays one. */
class LocalCopy {
    private readonly form: FormNumbers;
    private readonly known = new Map<SequentialExpression, SequentialExpression>();

    constructor(form: FormNumbers) {
        this.form = form;
    }

    readonly participant = ({ path, body }: Participant, position: number): Participant => ({
        instance: position,
        source: 0,
        target: 0,
        path: path.map(element => this.pathElement(element)),
        body: this.statements(body),
        range: NOWHERE,
    });

    expression(expression: SequentialExpression): SequentialExpression {
        let copy = this.known.get(expression);
        if (copy === undefined) {
            copy = this.copy(expression);
            this.known.set(expression, copy);
        }
        return copy;
    }

    /** What is compared with or copied to `term`. */
    private value(term: SequentialExpression | SequentialPlace, value: SequentialExpression): SequentialExpression {
        return value.kind === 'constant'
            ? { kind: 'constant', value: this.form.valueOf(this.form.values.classOf(term), value.value) }
            : this.expression(value);
    }

    private copy(expression: SequentialExpression): SequentialExpression {
        const all = (operands: readonly SequentialExpression[]): SequentialExpression[] =>
            operands.map(operand => this.expression(operand));
        const range = NOWHERE;
        switch (expression.kind) {
            case 'constant':
                return expression;
            case 'cell':
                return { kind: 'cell', cell: this.form.numberOf(expression.cell), range };
            case 'fault':
                return { ...expression, range };
            case 'element':
                return { ...this.element(expression), kind: 'element' };
            case 'not':
            case 'negate':
                return { ...expression, operand: this.expression(expression.operand), range };
            case 'binary': {
                const { left, right } = expression;
                return isComparison(expression)
                    ? { ...expression, left: this.value(right, left), right: this.value(left, right), range }
                    : { ...expression, left: this.expression(left), right: this.expression(right), range };
            }
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
                return {
                    ...expression,
                    operands: all(this.form.arranged.get(expression) ?? expression.operands),
                    range,
                };
            case 'conditional': {
                const [condition, then, otherwise] = all(operandsOf(expression));
                return { kind: 'conditional', condition, then, otherwise, range };
            }
            case 'select':
                return {
                    ...expression,
                    index: this.expression(expression.index),
                    options: all(expression.options),
                    range,
                };
            default:
                return unreachable(expression);
        }
    }

    private element({
        cells,
        domains,
        indices,
    }: Extract<SequentialPlace, { kind: 'element' }>): Extract<SequentialPlace, { kind: 'element' }> {
        return {
            kind: 'element',
            cells: cells.map(cell => this.form.numberOf(cell)),
            indices: indices.map(index => this.expression(index)),
            domains,
            range: NOWHERE,
        };
    }

    private pathElement(element: PathElement): PathElement {
        return element.kind === 'test'
            ? { kind: 'test', condition: this.expression(element.condition) }
            : {
                  kind: 'assign',
                  cell: this.form.numberOf(element.cell),
                  value: this.value({ kind: 'cell', cell: element.cell }, element.value),
                  range: NOWHERE,
              };
    }

    private statements(statements: readonly SequentialStatement[]): SequentialStatement[] {
        return statements.map(statement => this.statement(statement));
    }

    private statement(statement: SequentialStatement): SequentialStatement {
        const range = NOWHERE;
        switch (statement.kind) {
            case 'assign': {
                const { target, value } = statement;
                const place: SequentialPlace =
                    target.kind === 'cell'
                        ? { kind: 'cell', cell: this.form.numberOf(target.cell) }
                        : this.element(target);
                return { kind: 'assign', target: place, value: this.value(target, value), range };
            }
            case 'clear':
                return { kind: 'clear', cell: this.form.numberOf(statement.cell) };
            case 'if':
                return {
                    kind: 'if',
                    condition: this.expression(statement.condition),
                    then: this.statements(statement.then),
                    otherwise: this.statements(statement.otherwise),
                    range,
                };
            case 'while':
                return {
                    kind: 'while',
                    condition: this.expression(statement.condition),
                    body: this.statements(statement.body),
                    range,
                };
            case 'assert':
                return { kind: 'assert', condition: this.expression(statement.condition), range };
            default:
                return unreachable(statement);
        }
    }
}

/** Of a cell, what the constraints on it depend on. */
function localCell({ kind, domain, mayBeAbsent }: Cell): Cell {
    return {
        name: '',
        domain,
        kind: kind === 'channel' || kind === 'temporary' ? kind : 'shared',
        variable: -1,
        instance: -1,
        indices: [],
        mayBeAbsent,
        declaration: NOWHERE,
    };
}

/** Equal for cells that the same can be said of. */
export function cellKey({ kind, domain, mayBeAbsent }: Cell): string {
    const prefix = kind === 'channel' ? 'q' : kind === 'temporary' ? 't' : '';
    // A sign that no domain begins with: `-1..3` is another domain.
    return `${prefix}${mayBeAbsent ? '_' : ''}${domainKey(domain)}`;
}
