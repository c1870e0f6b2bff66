/**
 * The local form of a summand or a condition: the same for all places that differ only in the cells.
 *
 *     turn == 2 && flag[1]       and       turn == 5 && flag[4]        both are  c0 == 0 && c1,  over different cells
 *
 * Cells are numbered 0, 1, 2, … in the order of their first mention, and so are values that are only compared and
 * copied (copied-values.ts). Simple exchangeable operands get an order that does not depend on their cells. Equal
 * *keys* mean equal forms, with domains, without names and places of the text. So all instances of a process share one
 * form.
 */
import { remembered } from '../common/list-map.js';
import { sortShort } from '../common/ascending.js';
import { unreachable } from '../common/assert.js';
import { KeyText } from '../common/key-text.js';
import { NOWHERE } from '../common/source-range.js';
import { codeOfValue, domainSize, valueOfCode, type Value } from '../model/domain.js';
import { operandsOf, withOperands } from '../sequential/expression/operands.js';
import type {
    Cell,
    ElementPlace,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import { toFront, type CodeRenaming } from './code-renaming.js';
import { baseOf, CopiedValues } from './copied-values.js';
import { domainKey } from '../model/domain.js';
import { mayFault } from '../sequential/expression/bounds.js';

export interface LocalForm<Local> {
    readonly key: string;
    /** `cells[i]` is the cell of the model for the local cell i. */
    readonly cells: readonly number[];
    /** From the codes of `cells[i]` to those of the local cell i; a hole if they are the same. */
    readonly renamings: readonly (CodeRenaming | undefined)[];
    /** The local cells and the form itself, without names and places. To be called before the next form is made. */
    build(): { readonly cells: readonly Cell[]; readonly local: Local };
}

/** The tags of a key: each tells how much follows, and of what kind. */
const [TEST, ASSIGN, CLEAR, IF, WHILE] = [0, 1, 2, 3, 4];
const [CONSTANT, CELL, FAULT, WRITTEN, ELEMENT, BINARY, SELECT, OPERANDS] = [0, 1, 2, 3, 4, 5, 6, 7];

type Hub = Extract<SequentialExpression, { kind: 'and' | 'or' | 'count' | 'sum' | 'min' | 'max' }>;

/** Makes the local forms of one model. */
export class Localizer {
    private readonly cells: readonly Cell[];
    private readonly form: FormNumbers;
    private readonly key = new KeyText();
    /** `cellKeys[cell]`, where already computed. */
    private readonly cellKeys: string[] = [];
    /** The parts of the form that are written already, and their numbers: shared parts are written once. */
    private readonly written = new Map<SequentialExpression, number>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.form = new FormNumbers(cells);
    }

    summand(summand: Summand): LocalForm<Summand> {
        this.begin();
        this.form.values.look(summand);
        const { participants } = summand;
        this.key.number(participants.length);
        for (let index = 0; index < participants.length; index++) {
            this.participant(participants[index]);
        }
        return this.formOf(copy => ({ label: '', participants: participants.map(copy.participant) }));
    }

    condition(condition: SequentialExpression): LocalForm<SequentialExpression> {
        this.begin();
        this.expression(condition);
        return this.formOf(copy => copy.expression(condition));
    }

    private begin(): void {
        this.form.begin();
        this.key.begin();
        if (this.written.size > 0) {
            this.written.clear();
        }
    }

    private formOf<Local>(make: (copy: LocalCopy) => Local): LocalForm<Local> {
        const { mentioned } = this.form;
        for (let local = 0; local < mentioned.length; local++) {
            this.key.text(this.cellKeyOf(mentioned[local]));
        }
        return {
            key: this.key.finish(),
            cells: mentioned,
            renamings: this.form.renamings(),
            build: () => ({
                cells: mentioned.map(cell => localCell(this.cells[cell])),
                local: make(new LocalCopy(this.form)),
            }),
        };
    }

    private cellKeyOf(cell: number): string {
        return (this.cellKeys[cell] ??= cellKey(this.cells[cell]));
    }

    private participant({ path, body }: Participant): void {
        this.key.number(path.length);
        for (let index = 0; index < path.length; index++) {
            const element = path[index];
            if (element.kind === 'test') {
                this.key.number(TEST);
                this.expression(element.condition);
            } else {
                this.key.number(ASSIGN);
                this.cell(element.cell);
                this.value({ kind: 'cell', cell: element.cell }, element.value);
            }
        }
        this.statements(body);
    }

    private statements(statements: readonly SequentialStatement[]): void {
        this.key.number(statements.length);
        for (let index = 0; index < statements.length; index++) {
            this.statement(statements[index]);
        }
    }

    private statement(statement: SequentialStatement): void {
        switch (statement.kind) {
            case 'assign':
                this.key.number(ASSIGN);
                this.place(statement.target);
                this.value(statement.target, statement.value);
                break;
            case 'clear':
                this.key.number(CLEAR);
                this.cell(statement.cell);
                break;
            case 'if':
                this.key.number(IF);
                this.statements(statement.then);
                this.statements(statement.otherwise);
                this.expression(statement.condition);
                break;
            case 'while':
                this.key.number(WHILE);
                this.expression(statement.condition);
                this.statements(statement.body);
                break;
            case 'assert':
                this.key.number(TEST);
                this.expression(statement.condition);
                break;
            default:
                unreachable(statement);
        }
    }

    private cell(cell: number): void {
        this.key.number(this.form.numberOf(cell));
    }

    private place(place: SequentialPlace): void {
        if (place.kind === 'cell') {
            this.key.number(CELL);
            this.cell(place.cell);
        } else {
            this.element(place);
        }
    }

    private element({ cells, domains, indices }: ElementPlace): void {
        this.key.number(ELEMENT);
        this.key.number(cells.length);
        for (let index = 0; index < cells.length; index++) {
            this.cell(cells[index]);
        }
        this.key.number(domains.length);
        for (let index = 0; index < domains.length; index++) {
            this.key.text(domainKey(domains[index]));
        }
        this.list(indices);
    }

    private list(expressions: readonly SequentialExpression[]): void {
        this.key.number(expressions.length);
        for (let index = 0; index < expressions.length; index++) {
            this.expression(expressions[index]);
        }
    }

    /** A value that is compared with or copied to `term`. */
    private value(term: SequentialExpression | SequentialPlace, value: SequentialExpression): void {
        if (value.kind === 'constant') {
            this.key.number(CONSTANT);
            this.key.number(this.form.valueOf(this.form.values.classOf(term), value.value));
        } else {
            this.expression(value);
        }
    }

    private expression(expression: SequentialExpression): void {
        switch (expression.kind) {
            case 'constant':
                this.key.number(CONSTANT);
                this.key.number(expression.value);
                break;
            case 'cell':
                this.key.number(CELL);
                this.cell(expression.cell);
                break;
            case 'fault':
                this.key.number(FAULT);
                this.key.text(expression.fault);
                break;
            default: {
                const number = this.written.get(expression);
                if (number === undefined) {
                    this.written.set(expression, this.written.size);
                    this.compound(expression);
                } else {
                    this.key.number(WRITTEN);
                    this.key.number(number);
                }
            }
        }
    }

    private compound(
        expression: Exclude<SequentialExpression, { readonly kind: 'constant' | 'cell' | 'fault' }>,
    ): void {
        switch (expression.kind) {
            case 'element':
                this.element(expression);
                break;
            case 'binary': {
                const { left, operator, right } = expression;
                this.key.number(BINARY);
                this.key.text(operator);
                if (isComparison(expression)) {
                    this.value(right, left);
                    this.value(left, right);
                } else {
                    this.expression(left);
                    this.expression(right);
                }
                break;
            }
            case 'select':
                this.key.number(SELECT);
                this.key.text(domainKey(expression.domain));
                this.list(operandsOf(expression));
                break;
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
                this.key.number(OPERANDS);
                this.key.text(expression.kind);
                this.list(this.arranged(expression));
                break;
            case 'not':
            case 'negate':
            case 'conditional':
                this.key.number(OPERANDS);
                this.key.text(expression.kind);
                this.list(operandsOf(expression));
                break;
            default:
                unreachable(expression);
        }
    }

    /** The operands in the order of the form. */
    private arranged(hub: Hub): readonly SequentialExpression[] {
        if (hub.kind === 'sum' && mayFault(hub, this.cells)) {
            // The order may decide whether an intermediate sum is an overflow.
            return hub.operands;
        }
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
     * A key by which an operand can be ordered, in which all new cells and all new values are alike. Undefined if the
     * operand must keep its place: it may be a fault or read a cell without a value, or it is more than a comparison.
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

const NO_RENAMINGS: readonly undefined[] = [];

/** The numbers of cells and values in the form that is being made. */
class FormNumbers {
    readonly values: CopiedValues;
    /** The cells of the form by number. */
    mentioned: number[] = [];
    /** The operands of the hubs that have another order in the form than in the model. */
    readonly arranged = new Map<Hub, readonly SequentialExpression[]>();
    private readonly cells: readonly Cell[];
    /** `numbers[cell]`; -1 for a cell outside the form. */
    private readonly numbers: Int32Array;
    /** By class of cells the codes that were mentioned, in this order. */
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

    /** -1 if the cell is not mentioned yet. */
    numberSoFar(cell: number): number {
        return this.numbers[cell];
    }

    /** The value that stands for a value of a class of cells; values without a class (-1) stay. */
    valueOf(group: number, value: Value): Value {
        if (group < 0 || !Number.isFinite(value)) {
            return value;
        }
        const base = baseOf(this.cells[group].domain);
        const code = codeOfValue(base, value);
        const codes = remembered(this.codes, group, () => []);
        if (!codes.includes(code)) {
            codes.push(code);
        }
        return valueOfCode(base, codes.indexOf(code));
    }

    /** The same; `?` for a value that is not mentioned yet. */
    valueSoFar(group: number, value: Value): Value | '?' {
        if (group < 0 || !Number.isFinite(value)) {
            return value;
        }
        const code = codeOfValue(baseOf(this.cells[group].domain), value);
        return this.codes.get(group)?.includes(code) === true ? this.valueOf(group, value) : '?';
    }

    /** One entry for each cell of the form. */
    renamings(): readonly (CodeRenaming | undefined)[] {
        if (this.codes.size === 0) {
            return NO_RENAMINGS;
        }
        return this.mentioned.map(cell => {
            const group = this.values.classOfCell(cell);
            const codes = this.codes.get(group);
            if (codes === undefined) {
                return undefined;
            }
            const size = domainSize(baseOf(this.cells[group].domain));
            return toFront(codes, size, this.cells[cell].domain.kind === 'optional' ? 1 : 0);
        });
    }
}

function isComparison({ operator }: Extract<SequentialExpression, { kind: 'binary' }>): boolean {
    return operator === '==' || operator === '!=';
}

/** Copies over local cells. Shared objects stay shared. */
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

    /** A value that is compared with or copied to `term`. */
    private value(term: SequentialExpression | SequentialPlace, value: SequentialExpression): SequentialExpression {
        return value.kind === 'constant'
            ? { kind: 'constant', value: this.form.valueOf(this.form.values.classOf(term), value.value) }
            : this.expression(value);
    }

    private copy(expression: SequentialExpression): SequentialExpression {
        const range = NOWHERE;
        switch (expression.kind) {
            case 'constant':
                return expression;
            case 'cell':
                return { kind: 'cell', cell: this.form.numberOf(expression.cell), range };
            case 'element':
                return this.element(expression);
            case 'binary':
                if (isComparison(expression)) {
                    const { left, right } = expression;
                    return { ...expression, left: this.value(right, left), right: this.value(left, right), range };
                }
                break;
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max': {
                const operands = this.form.arranged.get(expression) ?? expression.operands;
                return { ...expression, operands: operands.map(operand => this.expression(operand)), range };
            }
            default:
        }
        const copy = withOperands(expression, operand => this.expression(operand));
        return copy.kind === 'constant' ? copy : { ...copy, range };
    }

    private element({ cells, domains, indices }: ElementPlace): ElementPlace {
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

/** The properties of a cell that matter to its constraints. */
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

/** Equal for cells with the same properties. */
export function cellKey({ kind, domain, mayBeAbsent }: Cell): string {
    const prefix = kind === 'channel' ? 'q' : kind === 'temporary' ? 't' : '';
    // `_` begins no domain, but `-` does: `-1..3` is another domain.
    return `${prefix}${mayBeAbsent ? '_' : ''}${domainKey(domain)}`;
}
