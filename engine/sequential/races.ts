/**
 * Races: in a joint step every participant works on its own copy of the state. So no cell may be written by two of
 * them, or written by one and read by the body of another; guards, arguments and patterns come before the step. A race
 * between fixed cells is an error of the model; if an index decides it, the step gets a test, the fault `race`.
 */
import { unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import { operandsOf } from './expression/operands.js';
import { formatPosition } from '../common/source-range.js';
import type { SourceRange } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import { cellsOfPlace, cellsWritten, forEachExpression, readsAnyOf, supportOf } from './cell-access.js';
import type { NodeBudget } from './linearization-limits.js';
import type {
    Cell,
    ElementPlace,
    Instance,
    Participant,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
} from './sequential-model.js';
import {
    binary,
    conditional,
    conjunction,
    disjunction,
    isFalse,
    isTrue,
    negation,
    TRUE,
} from './expression/simplify.js';
import { inDomain, isAtPosition, substitute } from './expression/substitute.js';

/** A participant of a joint step, with the writes of its communication. */
export interface Racer {
    readonly participant: Participant;
    /** The first part of the body; its reads come before the step. */
    readonly bindings: readonly SequentialStatement[];
}

/** A read or a write, over the state before the step. */
interface Access {
    readonly isWrite: boolean;
    /** A read that asks whether an instance lives, or a write with which it begins or ceases to. */
    readonly isOfLife?: boolean;
    /** When it happens. */
    readonly condition: SequentialExpression;
    readonly cells: readonly number[];
    /** Indices that choose among the cells; none for a single one. */
    readonly indices: readonly SequentialExpression[];
    readonly domains: readonly Domain[];
}

/** The cells that a racer may write, and those that its body may read. */
interface Footprint {
    readonly written: ReadonlySet<number>;
    readonly read: ReadonlySet<number>;
}

export class RaceSearch {
    readonly problems: Problem[] = [];
    readonly #cells: readonly Cell[];
    readonly #instances: readonly Instance[];
    readonly #budget: NodeBudget;
    /** By the body: participants that differ in their tests share it. */
    readonly #footprints = new Map<readonly SequentialStatement[], Footprint>();
    readonly #reported = new Set<string>();

    constructor(cells: readonly Cell[], instances: readonly Instance[], budget: NodeBudget) {
        this.#cells = cells;
        this.#instances = instances;
        this.#budget = budget;
    }

    /** A test that is the fault `race` if two racers conflict; absent if they never do. */
    test(step: string, racers: readonly Racer[]): SequentialExpression | undefined {
        const conditions: SequentialExpression[] = [];
        for (let first = 0; first < racers.length; first++) {
            for (let second = 0; second < racers.length; second++) {
                const shared =
                    first === second ? undefined : this.#overlap(racers[first], racers[second], first < second);
                if (shared !== undefined) {
                    conditions.push(...this.#conditions(step, racers[first], racers[second], shared));
                }
            }
        }
        const { range } = racers[0].participant;
        const race = disjunction(conditions, range);
        return isFalse(race) ? undefined : conditional(race, { kind: 'fault', fault: 'race', range }, TRUE, range);
    }

    /** A cell that the first may write and the second may read or, checked once for each pair, write. */
    #overlap(writer: Racer, other: Racer, alsoWrites: boolean): number | undefined {
        const { read, written } = this.#footprint(other);
        for (const cell of this.#footprint(writer).written) {
            if (read.has(cell) || (alsoWrites && written.has(cell))) {
                return cell;
            }
        }
        return undefined;
    }

    #conditions(step: string, writer: Racer, other: Racer, shared: number): SequentialExpression[] {
        const writes = this.#accesses(writer)?.filter(({ isWrite }) => isWrite);
        const accesses = this.#accesses(other);
        const report = (cell: number, why: string): void => {
            this.#report(step, cell, writer.participant, other.participant, why);
        };
        if (writes === undefined || accesses === undefined) {
            report(shared, 'an overlap cannot be excluded before the run');
            return [];
        }
        const conditions: SequentialExpression[] = [];
        for (const write of writes) {
            for (const access of accesses) {
                const common = firstCommon(write.cells, access.cells);
                // Where an instance stands does not matter to who asks whether it lives.
                const isMove = access.isOfLife === true && !access.isWrite && write.isOfLife !== true;
                if (common === undefined || isMove) {
                    continue;
                }
                const { range } = writer.participant;
                const condition = conjunction(
                    [write.condition, access.condition, sameCell(write, access, range)],
                    range,
                );
                const isFixed = write.indices.length === 0 && access.indices.length === 0;
                // Whose life it is depends on a reference.
                if (isFixed && (access.isOfLife !== true || isTrue(condition))) {
                    report(common, access.isWrite ? 'both may write it' : 'the other one may read it');
                } else {
                    conditions.push(condition);
                }
            }
        }
        return conditions;
    }

    /** The reads and writes of a racer; undefined if they cannot be expressed over the state before the step. */
    #accesses({ participant, bindings }: Racer): Access[] | undefined {
        const collector = new AccessCollector(this.#cells, this.#budget);
        for (const element of participant.path) {
            if (element.kind === 'assign') {
                collector.assignOnTheWay(element.cell, element.value, element.range);
            }
        }
        collector.bindings(bindings);
        collector.body(participant.body.slice(bindings.length), TRUE);
        return collector.isComplete ? collector.accesses : undefined;
    }

    #footprint({ participant, bindings }: Racer): Footprint {
        return remembered(this.#footprints, participant.body, () => {
            const isKept = (cell: number): boolean => this.#cells[cell].kind !== 'temporary';
            const { path, body } = participant;
            const initialized = path.flatMap(element => (element.kind === 'assign' ? [element.cell] : []));
            const read = new Set<number>();
            forEachExpression(body.slice(bindings.length), expression => {
                supportOf(expression)
                    .filter(isKept)
                    .forEach(cell => read.add(cell));
            });
            return { written: new Set([...cellsWritten(body), ...initialized].filter(isKept)), read };
        });
    }

    #report(step: string, cell: number, writer: Participant, other: Participant, why: string): void {
        const key = [writer.range, other.range]
            .map(range => `${range.uri} ${formatPosition(range)}`)
            .sort()
            .join(' ');
        if (this.#reported.has(key)) {
            return;
        }
        this.#reported.add(key);
        const [name, writerName, otherName] = [
            this.#cells[cell],
            this.#instances[writer.instance],
            this.#instances[other.instance],
        ].map(named => withoutSlots(named.name));
        this.problems.push({
            severity: 'error',
            code: 'event/race',
            message:
                `in the joint step \`${step}\`, \`${writerName}\` writes \`${name}\`, which \`${otherName}\` uses in the same ` +
                `step: ${why}; let one of them do it, or do it in another step`,
            range: writer.range,
            related: [{ message: `the step of \`${otherName}\``, range: other.range }],
        });
    }
}

/** `rel[W, V]`: no text names slots. */
function withoutSlots(name: string): string {
    return name.replaceAll(/@\d+/g, '');
}

function firstCommon(first: readonly number[], second: readonly number[]): number | undefined {
    const other = new Set(second);
    return first.find(cell => other.has(cell));
}

/** Whether two accesses with a cell in common are to the same cell. */
function sameCell(first: Access, second: Access, range: SourceRange): SequentialExpression {
    if (first.cells === second.cells || first.cells.join() === second.cells.join()) {
        if (first.indices.length > 0 && first.indices.length === second.indices.length) {
            return conjunction(
                first.indices.map((index, dimension) => binary('==', index, second.indices[dimension], range)),
                range,
            );
        }
    }
    const other = new Set(second.cells);
    const common = first.cells.filter(cell => other.has(cell));
    return disjunction(
        common.map(cell => conjunction([isAt(first, cell, range), isAt(second, cell, range)], range)),
        range,
    );
}

/** Whether an access is to this cell. */
function isAt({ cells, indices, domains }: Access, cell: number, range: SourceRange): SequentialExpression {
    return isAtPosition(indices, domains, cells.indexOf(cell), range);
}

/** Collects the accesses of a participant, and tracks the values of cells over the state before the step. */
class AccessCollector {
    readonly accesses: Access[] = [];
    isComplete = true;
    readonly #cells: readonly Cell[];
    readonly #budget: NodeBudget;
    readonly #held = new Map<number, SequentialExpression>();
    /** Cells whose values are not known any more. */
    readonly #unknown = new Set<number>();

    constructor(cells: readonly Cell[], budget: NodeBudget) {
        this.#cells = cells;
        this.#budget = budget;
    }

    assignOnTheWay(cell: number, value: SequentialExpression, range: SourceRange): void {
        this.#hold(cell, this.#before(value), range);
        this.#write({ kind: 'cell', cell }, TRUE);
    }

    bindings(statements: readonly SequentialStatement[]): void {
        for (const statement of statements) {
            if (statement.kind === 'assign') {
                this.#assign(statement, TRUE);
            }
        }
    }

    body(statements: readonly SequentialStatement[], reached: SequentialExpression): void {
        for (const statement of statements) {
            switch (statement.kind) {
                case 'assign':
                    this.#read(statement.value, reached);
                    if (statement.target.kind === 'element') {
                        statement.target.indices.forEach(index => {
                            this.#read(index, reached);
                        });
                    }
                    this.#assign(statement, reached);
                    if (statement.target.kind === 'cell' && this.#isEnd(statement.target.cell, statement.value)) {
                        // What is released now is nobody's, also if two instances of an element end in one step.
                        return;
                    }
                    break;
                case 'if': {
                    this.#read(statement.condition, reached);
                    const condition = this.#before(statement.condition);
                    const { range } = statement;
                    this.body(statement.then, conjunction([reached, condition], range));
                    this.body(statement.otherwise, conjunction([reached, negation(condition, range)], range));
                    break;
                }
                case 'assert':
                    this.#read(statement.condition, reached);
                    break;
                case 'while':
                    this.isComplete = false;
                    break;
                case 'clear':
                    break;
                default:
                    unreachable(statement);
            }
        }
    }

    #assign(statement: Extract<SequentialStatement, { kind: 'assign' }>, reached: SequentialExpression): void {
        const { target, value, range } = statement;
        this.#write(target, reached, value);
        // A written value matters only if a later index or condition reads it.
        if (target.kind === 'cell' && reached === TRUE && !readsAnyOf(value, this.#unknown)) {
            this.#hold(target.cell, this.#before(value), range);
        } else if (target.kind === 'element' && target.cells.every(cell => this.#cells[cell].ended !== undefined)) {
            this.#create(target, this.#before(value), reached);
        } else {
            cellsOfPlace(target).forEach(cell => this.#unknown.add(cell));
        }
    }

    /** Whether an instance lives may be asked after its creation. */
    #create(
        { cells, indices, domains, range }: ElementPlace,
        first: SequentialExpression,
        reached: SequentialExpression,
    ): void {
        const slots = indices.map(index => this.#before(index));
        cells.forEach((cell, position) => {
            const isHere = conjunction([reached, isAtPosition(slots, domains, position, range)], range);
            const before = this.#held.get(cell) ?? { kind: 'cell', cell, range };
            this.#hold(cell, conditional(isHere, first, before, range), range);
        });
    }

    #hold(cell: number, value: SequentialExpression, range: SourceRange): void {
        this.#held.set(cell, inDomain(value, this.#cells[cell].domain, this.#cells, range));
        this.#unknown.delete(cell);
    }

    #write(target: SequentialPlace, condition: SequentialExpression, value?: SequentialExpression): void {
        const isTemporary = target.kind === 'cell' && this.#cells[target.cell].kind === 'temporary';
        if (!isTemporary) {
            this.#add(true, target, condition, target.kind === 'element' || this.#isEnd(target.cell, value));
        }
    }

    #isEnd(cell: number, value: SequentialExpression | undefined): boolean {
        const { ended } = this.#cells[cell];
        return ended !== undefined && value?.kind === 'constant' && value.value === ended;
    }

    #add(isWrite: boolean, place: SequentialPlace, condition: SequentialExpression, isOfLife = false): void {
        if (place.kind === 'cell') {
            this.accesses.push({ isWrite, isOfLife, condition, cells: [place.cell], indices: [], domains: [] });
            return;
        }
        const indices = place.indices.map(index => this.#before(index));
        this.accesses.push({ isWrite, isOfLife, condition, cells: place.cells, indices, domains: place.domains });
    }

    /** The reads of an expression, each with the condition under which it is evaluated. */
    #read(expression: SequentialExpression, reached: SequentialExpression): void {
        switch (expression.kind) {
            case 'cell':
                if (this.#cells[expression.cell].kind !== 'temporary') {
                    this.#add(false, expression, reached);
                }
                return;
            case 'element':
                expression.indices.forEach(index => {
                    this.#read(index, reached);
                });
                this.#add(false, expression, reached);
                return;
            case 'binary':
                if (expression.left.kind === 'cell' && this.#isEnd(expression.left.cell, expression.right)) {
                    this.#add(false, expression.left, reached, true);
                    return;
                }
                [expression.left, expression.right].forEach(operand => {
                    this.#read(operand, reached);
                });
                return;
            case 'and':
            case 'or': {
                const { range } = expression;
                let here = reached;
                for (const operand of expression.operands) {
                    this.#read(operand, here);
                    const passed = this.#before(operand);
                    here = conjunction([here, expression.kind === 'and' ? passed : negation(passed, range)], range);
                }
                return;
            }
            case 'conditional': {
                const { range } = expression;
                const condition = this.#before(expression.condition);
                this.#read(expression.condition, reached);
                this.#read(expression.then, conjunction([reached, condition], range));
                this.#read(expression.otherwise, conjunction([reached, negation(condition, range)], range));
                return;
            }
            case 'select': {
                const { range, domain } = expression;
                const index = this.#before(expression.index);
                this.#read(expression.index, reached);
                expression.options.forEach((option, code) => {
                    const isChosen = isAtPosition([index], [domain], code, range);
                    this.#read(option, conjunction([reached, isChosen], range));
                });
                return;
            }
            default:
                operandsOf(expression).forEach(operand => {
                    this.#read(operand, reached);
                });
        }
    }

    /** An expression in terms of the state before the step. */
    #before(expression: SequentialExpression): SequentialExpression {
        if (readsAnyOf(expression, this.#unknown)) {
            this.isComplete = false;
        }
        return substitute(expression, this.#held, this.#budget);
    }
}
