/**
 * What a summand or a condition is apart from the cells that it speaks of and the place where it stands.
 *
 *     turn == 2 && flag[1]       and       turn == 2 && flag[4]        both are  c1 == 2 && c0,  over different cells
 *
 * The cells are numbered 0, 1, 2, … in the order of their numbers in the model, so that whatever asks for no more than
 * that order comes to the same result for everything with one local form. The *key* of a form is a text: equal keys mean
 * equal forms, domains included, names and places of the text not. So a key outlives edits of comments, names and layout,
 * and one form serves all instances of a process whose cells are ordered alike.
 */
import { unreachable } from '../common/assert.js';
import { NOWHERE } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import { operandsOf } from '../sequential/operands.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';

export interface LocalForm<Local> {
    readonly key: string;
    /** The cells of the model, ascending: `cells[i]` is the local cell i. */
    readonly cells: readonly number[];
    /** The local cells, without names and places, and what is said of them, without places. */
    build(): { readonly cells: readonly Cell[]; readonly local: Local };
}

/** Makes the local forms of one model. */
export class Localizer {
    private readonly cells: readonly Cell[];
    /** `numberOf[cell]` is the local number of each cell of the form that is being made. */
    private readonly numberOf: Int32Array;
    /** The parts of the form that are written already: expressions share their parts, and each is written once. */
    private readonly written = new Map<SequentialExpression, number>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.numberOf = new Int32Array(cells.length).fill(-1);
    }

    summand(summand: Summand): LocalForm<Summand> {
        const mentioned = new MentionedCells();
        summand.participants.forEach(participant => {
            mentioned.addParticipant(participant);
        });
        const cells = this.number(mentioned);
        const parts = summand.participants.map(participant => this.participantKey(participant));
        return {
            key: `${this.cellsKey(cells)}|${parts.join('&')}`,
            cells,
            build: () =>
                this.build(cells, copy => ({ label: '', participants: summand.participants.map(copy.participant) })),
        };
    }

    condition(condition: SequentialExpression): LocalForm<SequentialExpression> {
        const mentioned = new MentionedCells();
        mentioned.add(condition);
        const cells = this.number(mentioned);
        return {
            key: `${this.cellsKey(cells)}|${this.expressionKey(condition)}`,
            cells,
            build: () => this.build(cells, copy => copy.expression(condition)),
        };
    }

    private number(mentioned: MentionedCells): readonly number[] {
        this.written.clear();
        const cells = [...mentioned.cells].sort((a, b) => a - b);
        cells.forEach((cell, index) => (this.numberOf[cell] = index));
        return cells;
    }

    private build<Local>(
        cells: readonly number[],
        make: (copy: LocalCopy) => Local,
    ): { readonly cells: readonly Cell[]; readonly local: Local } {
        cells.forEach((cell, index) => (this.numberOf[cell] = index));
        return { cells: cells.map(cell => localCell(this.cells[cell])), local: make(new LocalCopy(this.numberOf)) };
    }

    private cellsKey(cells: readonly number[]): string {
        return cells.map(cell => cellKey(this.cells[cell])).join();
    }

    private participantKey({ path, body }: Participant): string {
        return `${path.map(element => this.pathKey(element)).join('')}/${this.statementsKey(body)}`;
    }

    private pathKey(element: PathElement): string {
        return element.kind === 'test'
            ? `?${this.expressionKey(element.condition)}`
            : `:${this.numberOf[element.cell]}=${this.expressionKey(element.value)}`;
    }

    private statementsKey(statements: readonly SequentialStatement[]): string {
        return statements.map(statement => this.statementKey(statement)).join(';');
    }

    private statementKey(statement: SequentialStatement): string {
        switch (statement.kind) {
            case 'assign':
                return `${this.placeKey(statement.target)}:=${this.expressionKey(statement.value)}`;
            case 'clear':
                return `clear ${this.numberOf[statement.cell]}`;
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
        return place.kind === 'cell' ? String(this.numberOf[place.cell]) : this.elementKey(place);
    }

    private elementKey({ cells, domains, indices }: Extract<SequentialPlace, { kind: 'element' }>): string {
        const array = cells.map(cell => this.numberOf[cell]).join();
        return `[${array}|${domains.map(domainKey).join()}|${this.listKey(indices)}]`;
    }

    private listKey(expressions: readonly SequentialExpression[]): string {
        return expressions.map(expression => this.expressionKey(expression)).join();
    }

    private expressionKey(expression: SequentialExpression): string {
        switch (expression.kind) {
            case 'constant':
                return `#${expression.value}`;
            case 'cell':
                return String(this.numberOf[expression.cell]);
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
            case 'binary':
                return `(${this.expressionKey(expression.left)}${expression.operator}${this.expressionKey(expression.right)})`;
            case 'select':
                return `select(${domainKey(expression.domain)}|${this.listKey(operandsOf(expression))})`;
            case 'not':
            case 'negate':
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
            case 'conditional':
                return `${expression.kind}(${this.listKey(operandsOf(expression))})`;
            default:
                return unreachable(expression);
        }
    }
}

/** Copies of what speaks of cells of the model, over local cells. What is one object stays one. */
class LocalCopy {
    private readonly numberOf: Int32Array;
    private readonly known = new Map<SequentialExpression, SequentialExpression>();

    constructor(numberOf: Int32Array) {
        this.numberOf = numberOf;
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

    private copy(expression: SequentialExpression): SequentialExpression {
        const all = (operands: readonly SequentialExpression[]): SequentialExpression[] =>
            operands.map(operand => this.expression(operand));
        const range = NOWHERE;
        switch (expression.kind) {
            case 'constant':
                return expression;
            case 'cell':
                return { kind: 'cell', cell: this.numberOf[expression.cell], range };
            case 'fault':
                return { ...expression, range };
            case 'element':
                return { ...this.element(expression), kind: 'element' };
            case 'not':
            case 'negate':
                return { ...expression, operand: this.expression(expression.operand), range };
            case 'binary': {
                const [left, right] = all(operandsOf(expression));
                return { ...expression, left, right, range };
            }
            case 'and':
            case 'or':
            case 'count':
            case 'sum':
            case 'min':
            case 'max':
                return { ...expression, operands: all(expression.operands), range };
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
            cells: cells.map(cell => this.numberOf[cell]),
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
                  cell: this.numberOf[element.cell],
                  value: this.expression(element.value),
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
                    target.kind === 'cell' ? { kind: 'cell', cell: this.numberOf[target.cell] } : this.element(target);
                return { kind: 'assign', target: place, value: this.expression(value), range };
            }
            case 'clear':
                return { kind: 'clear', cell: this.numberOf[statement.cell] };
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

/** The cells that are mentioned somewhere; of what is one object in several places one is looked at. */
class MentionedCells {
    readonly cells = new Set<number>();
    private readonly seen = new Set<SequentialExpression>();

    addParticipant({ path, body }: Participant): void {
        for (const element of path) {
            if (element.kind === 'test') {
                this.add(element.condition);
            } else {
                this.cells.add(element.cell);
                this.add(element.value);
            }
        }
        this.addStatements(body);
    }

    add(expression: SequentialExpression): void {
        if (expression.kind === 'cell') {
            this.cells.add(expression.cell);
            return;
        }
        if (expression.kind === 'constant' || this.seen.has(expression)) {
            return;
        }
        this.seen.add(expression);
        if (expression.kind === 'element') {
            expression.cells.forEach(cell => this.cells.add(cell));
        }
        for (const operand of operandsOf(expression)) {
            this.add(operand);
        }
    }

    private addStatements(statements: readonly SequentialStatement[]): void {
        for (const statement of statements) {
            switch (statement.kind) {
                case 'assign':
                    this.addPlace(statement.target);
                    this.add(statement.value);
                    break;
                case 'clear':
                    this.cells.add(statement.cell);
                    break;
                case 'if':
                    this.add(statement.condition);
                    this.addStatements(statement.then);
                    this.addStatements(statement.otherwise);
                    break;
                case 'while':
                    this.add(statement.condition);
                    this.addStatements(statement.body);
                    break;
                case 'assert':
                    this.add(statement.condition);
                    break;
                default:
                    unreachable(statement);
            }
        }
    }

    private addPlace(place: SequentialPlace): void {
        if (place.kind === 'cell') {
            this.cells.add(place.cell);
            return;
        }
        place.cells.forEach(cell => this.cells.add(cell));
        place.indices.forEach(index => {
            this.add(index);
        });
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

/** Equal for domains with equal values; what the values are called does not matter. */
export function domainKey(domain: Domain): string {
    let key = domainKeys.get(domain);
    if (key === undefined) {
        key = describeDomain(domain);
        domainKeys.set(domain, key);
    }
    return key;
}

/** Domains are immutable and shared by many cells. */
const domainKeys = new WeakMap<Domain, string>();

function describeDomain(domain: Domain): string {
    switch (domain.kind) {
        case 'boolean':
            return 'b';
        case 'range':
            return `${domain.low}..${domain.high}`;
        case 'enumeration':
            return `e${domain.values.length}`;
        case 'record':
            return `r${domain.tuples.length}`;
        case 'optional':
            return `${domainKey(domain.base)}?`;
        default:
            return unreachable(domain);
    }
}
