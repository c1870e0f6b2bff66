/**
 * Cells whose values a summand only compares and copies, so that only equality matters: `holder == 5 { holder := 7 }`
 * is like `holder == 3 { holder := 4 }`. Cells that are compared with or copied to each other form one *class*, with
 * values of one domain. It is *plain* if one of them is used otherwise: in arithmetic, a comparison by size, an index,
 * a branch.
 */
import { baseOf, domainKey, domainSize } from '../model/domain.js';
import { forEachSequentialStatement } from '../sequential/cell-access.js';
import { operandsOf } from '../sequential/expression/operands.js';
import type { Cell, SequentialExpression, SequentialPlace, Summand } from '../sequential/sequential-model.js';

/** A domain with fewer values gains nothing. */
const FEWEST_VALUES = 3;

/** The classes of the cells of one summand at a time. Linear in the size of the summand. */
export class CopiedValues {
    private readonly cells: readonly Cell[];
    /** `parent[cell]` leads to the root of the class of the cell; -1 for a cell of no class yet. */
    private readonly parent: Int32Array;
    private readonly isPlain: Uint8Array;
    private readonly touched: number[] = [];
    private readonly seen = new Set<SequentialExpression>();

    constructor(cells: readonly Cell[]) {
        this.cells = cells;
        this.parent = new Int32Array(cells.length).fill(-1);
        this.isPlain = new Uint8Array(cells.length);
    }

    /** Later questions are about this summand. */
    look({ participants }: Summand): void {
        this.forget();
        for (const { path, body } of participants) {
            for (const element of path) {
                if (element.kind === 'test') {
                    this.read(element.condition);
                } else {
                    this.copy({ kind: 'cell', cell: element.cell }, element.value);
                }
            }
            forEachSequentialStatement(body, statement => {
                if (statement.kind === 'assign') {
                    this.copy(statement.target, statement.value);
                } else if (statement.kind !== 'clear') {
                    this.read(statement.condition);
                }
            });
        }
    }

    /** Later questions are about something without classes. */
    forget(): void {
        for (const cell of this.touched) {
            this.parent[cell] = -1;
        }
        this.touched.length = 0;
        this.seen.clear();
    }

    /** The root of the class that is read or written; -1 if there is none or it is plain. */
    classOf(term: SequentialExpression | SequentialPlace): number {
        const cell = term.kind === 'cell' ? term.cell : term.kind === 'element' ? (term.cells[0] ?? -1) : -1;
        return cell < 0 ? -1 : this.classOfCell(cell);
    }

    classOfCell(cell: number): number {
        if (this.parent[cell] < 0) {
            return -1;
        }
        const root = this.find(cell);
        return this.isPlain[root] === 1 ? -1 : root;
    }

    private read(expression: SequentialExpression): void {
        if (this.seen.has(expression)) {
            return;
        }
        this.seen.add(expression);
        if (expression.kind === 'binary' && (expression.operator === '==' || expression.operator === '!=')) {
            this.equate(expression.left, expression.right);
            return;
        }
        if (expression.kind === 'holds') {
            this.fits(this.find(expression.cell), { kind: 'constant', value: expression.value });
            return;
        }
        for (const operand of operandsOf(expression)) {
            this.read(operand);
        }
        this.setPlain(this.join(expression));
    }

    private equate(left: SequentialExpression, right: SequentialExpression): void {
        const first = this.term(left);
        const second = this.term(right);
        if (first === 'other' || second === 'other') {
            this.setPlain(first);
            this.setPlain(second);
        } else if (first === 'constant') {
            this.fits(second, left);
        } else if (second === 'constant') {
            this.fits(first, right);
        } else {
            this.unite(first, second);
        }
    }

    private copy(target: SequentialPlace, value: SequentialExpression): void {
        if (target.kind === 'element') {
            target.indices.forEach(index => {
                this.read(index);
            });
        }
        const to = this.join(target);
        const from = this.term(value);
        if (from === 'other') {
            this.setPlain(to);
        } else if (from === 'constant') {
            this.fits(to, value);
        } else if (to !== 'other') {
            this.unite(to, from);
        }
    }

    /** The root of the class that an expression reads; a compound expression is walked and is `other`. */
    private term(expression: SequentialExpression): number | 'constant' | 'other' {
        switch (expression.kind) {
            case 'constant':
                return 'constant';
            case 'cell':
                return this.join(expression);
            case 'element':
                expression.indices.forEach(index => {
                    this.read(index);
                });
                return this.join(expression);
            default:
                this.read(expression);
                return 'other';
        }
    }

    /** The class of a cell, or of all cells of an array; `other` for any other expression. */
    private join(term: SequentialExpression | SequentialPlace): number | 'other' {
        if (term.kind === 'cell') {
            return this.find(term.cell);
        }
        if (term.kind !== 'element' || term.cells.length === 0) {
            return 'other';
        }
        for (const cell of term.cells) {
            this.unite(term.cells[0], cell);
        }
        return this.find(term.cells[0]);
    }

    /** A value that no cell of the class can hold makes the class plain. */
    private fits(root: number | 'constant' | 'other', value: SequentialExpression): void {
        if (typeof root === 'number' && value.kind === 'constant' && !Number.isFinite(value.value)) {
            return;
        }
        if (typeof root === 'number' && value.kind === 'constant') {
            const base = baseOf(this.cells[root].domain);
            const lowest = base.kind === 'range' ? base.low : 0;
            if (value.value < lowest || value.value >= lowest + domainSize(base)) {
                this.setPlain(root);
            }
        }
    }

    private setPlain(root: number | 'constant' | 'other'): void {
        if (typeof root === 'number') {
            this.isPlain[this.find(root)] = 1;
        }
    }

    private unite(first: number, second: number): void {
        const a = this.find(first);
        const b = this.find(second);
        if (a !== b) {
            const areAlike = domainKey(baseOf(this.cells[a].domain)) === domainKey(baseOf(this.cells[b].domain));
            this.isPlain[a] |= this.isPlain[b] | (areAlike ? 0 : 1);
            this.parent[b] = a;
        }
    }

    private find(cell: number): number {
        if (this.parent[cell] < 0) {
            this.parent[cell] = cell;
            this.isPlain[cell] = domainSize(baseOf(this.cells[cell].domain)) < FEWEST_VALUES ? 1 : 0;
            this.touched.push(cell);
            return cell;
        }
        let root = cell;
        while (this.parent[root] !== root) {
            root = this.parent[root];
        }
        this.parent[cell] = root;
        return root;
    }
}
