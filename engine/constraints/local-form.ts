/**
 * The local form of a summand or a condition: the same for all places that differ only in the cells.
 *
 *     turn == 2 && flag[1]       and       turn == 5 && flag[4]        both are  c0 == 0 && c1,  over different cells
 *
 * Cells are numbered by their first mention, and so are values that are only compared and copied (copied-values.ts).
 * Simple exchangeable operands get an order that does not depend on their cells. Equal *keys* mean equal forms, with
 * domains, without names and places of the text. So all instances of a process share one form.
 */
import { remembered } from '../common/list-map.js';
import { sortShort } from '../common/ascending.js';
import { invariant, unreachable } from '../common/assert.js';
import { KeyText } from '../common/key-text.js';
import { NOWHERE } from '../common/source-range.js';
import { baseOf, domainKey, codeOfValue, domainSize, valueOfCode, type Value } from '../model/domain.js';
import { operandsOf } from '../sequential/expression/operands.js';
import { withPresence } from '../sequential/expression/substitute.js';
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
import { CopiedValues } from './copied-values.js';
import { isPart } from './possible-values.js';
import { mayFault } from '../sequential/expression/bounds.js';

export interface LocalForm<Local> {
    readonly key: string;
    /** `cells[i]` is the cell of the model for the local cell i. */
    readonly cells: readonly number[];
    /** From the codes of `cells[i]` to those of the local cell i; a hole if they are the same. */
    readonly renamings: readonly (CodeRenaming | undefined)[];
    /** The local cells, without names and places. */
    localCells(): readonly Cell[];
    /** The form itself, over the local cells. */
    readonly local: Local;
}

/** The tags of a key: each tells how much follows, and of what kind. */
const [TEST, ASSIGN, CLEAR, IF, WHILE] = [0, 1, 2, 3, 4];
const [CONSTANT, CELL, FAULT, WRITTEN, ELEMENT, BINARY, SELECT, OPERANDS, HOLDS, PRESENT] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];

type Hub = Extract<
    SequentialExpression,
    { kind: 'and' | 'or' | 'all' | 'some' | 'count' | 'sum' | 'min' | 'max' | 'the' }
>;

/** A part with its number in the key, and its copy. */
interface WrittenPart {
    readonly number: number;
    copy: SequentialExpression;
}

/** Makes the local forms of one model. Each part is written into the key and copied over local cells at once. */
export class Localizer {
    private readonly cells: readonly Cell[];
    private readonly form: FormNumbers;
    private readonly key = new KeyText();
    /** `cellKeys[cell]`, where already computed. */
    private readonly cellKeys: string[] = [];
    /** The numbers and copies of the parts that are written already: shared parts are written once, and stay shared. */
    private readonly written = new Map<SequentialExpression, WrittenPart>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.form = new FormNumbers(cells);
    }

    summand(summand: Summand): LocalForm<Summand> {
        this.begin();
        this.form.values.look(summand);
        const participants = this.list(summand.participants, this.participant);
        return this.formOf({ label: '', participants });
    }

    condition(condition: SequentialExpression): LocalForm<SequentialExpression> {
        this.begin();
        return this.formOf(this.expression(condition));
    }

    private begin(): void {
        this.form.begin();
        this.key.begin();
        if (this.written.size > 0) {
            this.written.clear();
        }
    }

    private formOf<Local>(local: Local): LocalForm<Local> {
        const { mentioned } = this.form;
        for (let index = 0; index < mentioned.length; index++) {
            this.key.text(this.cellKeyOf(mentioned[index]));
        }
        return {
            key: this.key.finish(),
            cells: mentioned,
            renamings: this.form.renamings(),
            localCells: () => mentioned.map(cell => localCell(this.cells[cell])),
            local,
        };
    }

    private cellKeyOf(cell: number): string {
        return (this.cellKeys[cell] ??= cellKey(this.cells[cell]));
    }

    /** Writes the number of parts, then each of them. */
    private list<Part, Local>(parts: readonly Part[], copy: (part: Part, index: number) => Local): Local[] {
        this.key.number(parts.length);
        return parts.map(copy);
    }

    private readonly participant = ({ path, body }: Participant, position: number): Participant => ({
        instance: position,
        source: 0,
        target: 0,
        path: this.list(path, this.pathElement),
        body: this.list(body, this.statement),
        range: NOWHERE,
    });

    private readonly pathElement = (element: PathElement): PathElement => {
        if (element.kind === 'test') {
            this.key.number(TEST);
            return { kind: 'test', condition: this.expression(element.condition) };
        }
        this.key.number(ASSIGN);
        const cell = this.cell(element.cell);
        const value = this.value({ kind: 'cell', cell: element.cell }, element.value);
        return { kind: 'assign', cell, value, range: NOWHERE };
    };

    private readonly statement = (statement: SequentialStatement): SequentialStatement => {
        const range = NOWHERE;
        switch (statement.kind) {
            case 'assign': {
                this.key.number(ASSIGN);
                const target = this.place(statement.target);
                return { kind: 'assign', target, value: this.value(statement.target, statement.value), range };
            }
            case 'clear':
                this.key.number(CLEAR);
                return { kind: 'clear', cell: this.cell(statement.cell) };
            case 'if': {
                this.key.number(IF);
                const then = this.list(statement.then, this.statement);
                const otherwise = this.list(statement.otherwise, this.statement);
                return { kind: 'if', condition: this.expression(statement.condition), then, otherwise, range };
            }
            case 'while': {
                this.key.number(WHILE);
                const condition = this.expression(statement.condition);
                return { kind: 'while', condition, body: this.list(statement.body, this.statement), range };
            }
            case 'assert':
                this.key.number(TEST);
                return { kind: 'assert', condition: this.expression(statement.condition), range };
            default:
                return unreachable(statement);
        }
    };

    private readonly cell = (cell: number): number => {
        const number = this.form.numberOf(cell);
        this.key.number(number);
        return number;
    };

    private place(place: SequentialPlace): SequentialPlace {
        if (place.kind === 'cell') {
            this.key.number(CELL);
            return { kind: 'cell', cell: this.cell(place.cell) };
        }
        return this.element(place);
    }

    private element({ cells, domains, indices }: ElementPlace): ElementPlace {
        this.key.number(ELEMENT);
        const own = this.list(cells, this.cell);
        this.key.number(domains.length);
        for (let index = 0; index < domains.length; index++) {
            this.key.text(domainKey(domains[index]));
        }
        return { kind: 'element', cells: own, domains, indices: this.list(indices, this.expression), range: NOWHERE };
    }

    /** A value that is compared with or copied to `term`. */
    private value(term: SequentialExpression | SequentialPlace, value: SequentialExpression): SequentialExpression {
        if (value.kind !== 'constant') {
            return this.expression(value);
        }
        const local = this.form.valueOf(this.form.values.classOf(term), value.value);
        this.key.number(CONSTANT);
        this.key.number(local);
        return { kind: 'constant', value: local };
    }

    private presence({ isPresent }: Pick<ElementPlace, 'isPresent'>): void {
        if (isPresent === true) {
            this.key.number(PRESENT);
        }
    }

    private readonly expression = (expression: SequentialExpression): SequentialExpression => {
        switch (expression.kind) {
            case 'constant':
                this.key.number(CONSTANT);
                this.key.number(expression.value);
                return expression;
            case 'cell':
                this.presence(expression);
                this.key.number(CELL);
                return withPresence({ kind: 'cell', cell: this.cell(expression.cell), range: NOWHERE }, expression);
            case 'holds': {
                const { cell, value } = expression;
                this.key.number(HOLDS);
                const own = this.cell(cell);
                const local = this.form.valueOf(this.form.values.classOf({ kind: 'cell', cell }), value);
                this.key.number(local);
                return { kind: 'holds', cell: own, value: local, range: NOWHERE };
            }
            case 'fresh':
            case 'choosable':
                return invariant(false, 'constraints are about all slots') as never;
            case 'fault':
                this.key.number(FAULT);
                this.key.text(expression.fault);
                return { ...expression, range: NOWHERE };
            default: {
                const known = this.written.get(expression);
                if (known === undefined) {
                    const entry: WrittenPart = { number: this.written.size, copy: expression };
                    this.written.set(expression, entry);
                    entry.copy = this.compound(expression);
                    return entry.copy;
                }
                this.key.number(WRITTEN);
                this.key.number(known.number);
                return known.copy;
            }
        }
    };

    private compound(
        expression: Exclude<
            SequentialExpression,
            { readonly kind: 'constant' | 'cell' | 'holds' | 'fresh' | 'choosable' | 'fault' }
        >,
    ): SequentialExpression {
        const range = NOWHERE;
        switch (expression.kind) {
            case 'element':
                this.presence(expression);
                return withPresence(this.element(expression), expression);
            case 'binary': {
                const { left, operator, right } = expression;
                this.key.number(BINARY);
                this.key.text(operator);
                const isComparison = operator === '==' || operator === '!=';
                const first = isComparison ? this.value(right, left) : this.expression(left);
                const second = isComparison ? this.value(left, right) : this.expression(right);
                return { kind: 'binary', operator, left: first, right: second, range };
            }
            case 'select': {
                const { domain } = expression;
                this.key.number(SELECT);
                this.key.text(domainKey(domain));
                const [index, ...options] = this.list(operandsOf(expression), this.expression);
                return { kind: 'select', index, domain, options, range };
            }
            case 'and':
            case 'or':
            case 'all':
            case 'some':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
            case 'the': {
                const { kind } = expression;
                this.key.number(OPERANDS);
                this.key.text(kind);
                return { kind, operands: this.list(this.arranged(expression), this.expression), range };
            }
            case 'not':
            case 'negate': {
                const { kind } = expression;
                this.key.number(OPERANDS);
                this.key.text(kind);
                const [operand] = this.list([expression.operand], this.expression);
                return { kind, operand, range };
            }
            case 'conditional': {
                this.key.number(OPERANDS);
                this.key.text(expression.kind);
                const [condition, then, otherwise] = this.list(operandsOf(expression), this.expression);
                return { kind: 'conditional', condition, then, otherwise, range };
            }
            default:
                return unreachable(expression);
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
        return order.map(index => hub.operands[index]);
    }

    /** Orders operands, new cells and values alike; undefined if one may be a fault or absent, or is no comparison. */
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
        if (leaf.kind !== 'cell' || leaf.isPresent === true || this.cells[leaf.cell].mayBeAbsent) {
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

/** The properties of a cell that matter to its constraints. */
function localCell(cell: Cell): Cell {
    const { kind, domain, mayBeAbsent } = cell;
    return {
        name: '',
        domain,
        kind: isPart(cell) ? 'channel' : kind === 'temporary' ? kind : 'shared',
        variable: -1,
        instance: -1,
        indices: [],
        mayBeAbsent,
        declaration: NOWHERE,
    };
}

/** Equal for cells with the same properties. */
export function cellKey(cell: Cell): string {
    const { kind, domain, mayBeAbsent } = cell;
    const prefix = isPart(cell) ? 'q' : kind === 'temporary' ? 't' : '';
    // `_` begins no domain, but `-` does: `-1..3` is another domain.
    return `${prefix}${mayBeAbsent ? '_' : ''}${domainKey(domain)}`;
}
