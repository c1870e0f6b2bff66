/** The cells that a participant may read and write, on any way through its path and body. */
import { unreachable } from '../common/assert.js';
import { operandsOf } from '../sequential/expression/operands.js';
import type {
    Participant,
    PathElement,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
} from '../sequential/sequential-model.js';

export class Accesses {
    readonly read = new Set<number>();
    readonly written = new Set<number>();
    /** Those of `read` that an index chooses. */
    readonly chosen = new Set<number>();
    /** Expressions share their parts. */
    readonly #visited = new Set<SequentialExpression>();

    addParticipant({ path, body }: Participant): this {
        path.forEach(element => {
            this.addPathElement(element);
        });
        return this.addStatements(body);
    }

    addPathElement(element: PathElement): void {
        if (element.kind === 'test') {
            this.addExpression(element.condition);
        } else {
            this.addExpression(element.value);
            this.written.add(element.cell);
        }
    }

    addStatements(statements: readonly SequentialStatement[]): this {
        for (const statement of statements) {
            switch (statement.kind) {
                case 'assign':
                    this.addExpression(statement.value);
                    this.#addTarget(statement.target);
                    break;
                case 'clear':
                    this.written.add(statement.cell);
                    break;
                case 'if':
                    this.addExpression(statement.condition);
                    this.addStatements(statement.then).addStatements(statement.otherwise);
                    break;
                case 'while':
                    this.addExpression(statement.condition);
                    this.addStatements(statement.body);
                    break;
                case 'assert':
                    this.addExpression(statement.condition);
                    break;
                default:
                    unreachable(statement);
            }
        }
        return this;
    }

    addExpression(expression: SequentialExpression): this {
        if (this.#visited.has(expression)) {
            return this;
        }
        this.#visited.add(expression);
        if (expression.kind === 'cell') {
            this.read.add(expression.cell);
        } else if (expression.kind === 'element') {
            for (const cell of expression.cells) {
                this.read.add(cell);
                this.chosen.add(cell);
            }
        }
        this.#addAll(operandsOf(expression));
        return this;
    }

    #addTarget(target: SequentialPlace): void {
        if (target.kind === 'cell') {
            this.written.add(target.cell);
        } else {
            this.#addAll(target.indices);
            target.cells.forEach(cell => this.written.add(cell));
        }
    }

    #addAll(expressions: readonly SequentialExpression[]): void {
        for (const expression of expressions) {
            this.addExpression(expression);
        }
    }
}
