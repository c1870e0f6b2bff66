/**
 * Static single assignment: each summand as a list of checks and definitions in which every name is defined once.
 *
 *     x := 1 - x                          x#1 := 1 - x
 *     if x == y { y := 0 }        ⟶       y#1 := 0                        where x#1 == y
 *                                         y#2 := if x#1 == y then y#1 else y
 *
 * A *name* is a number: below `cellCount` a cell in the current state, above it a version that the summand defines.
 * Loops and arrays: see toStaticSingleAssignment.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { codeOfValue, domainSize, valueOfCode, type Value } from '../model/domain.js';
import { ConstraintTooLarge, unless } from './encoding-limits.js';
import { isAtPosition, withPresence } from '../sequential/expression/substitute.js';
import { cellsCarried, cellsOfPlace, forEachSequentialStatement } from '../sequential/cell-access.js';
import type {
    Cell,
    ElementPlace,
    FaultKind,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import {
    binary,
    conjunction,
    constant,
    disjunction,
    isFalse,
    isTrue,
    mapOperands,
    negation,
} from '../sequential/expression/simplify.js';

/** A part of the path: if it is false, the participant is not ready, and no later line is evaluated. */
interface SsaTest {
    readonly kind: 'test';
    readonly condition: SequentialExpression;
}

/** Lines are evaluated in order; `reached` is the condition of the branches around (absent: always). */
export type SsaLine =
    SsaTest | (SsaOperation & { readonly reached?: SequentialExpression; readonly range: SourceRange });

type SsaOperation =
    /** Evaluated for its faults only: the condition of a branch; the value and the indices of an element write. */
    | {
          readonly kind: 'evaluate';
          readonly expression: SequentialExpression;
      }
    /** If it is false, the firing is a fault. */
    | {
          readonly kind: 'check';
          readonly condition: SequentialExpression;
          readonly fault: FaultKind;
      }
    /** A value that the cell cannot hold is the fault `range`. */
    | {
          readonly kind: 'fit';
          readonly value: SequentialExpression;
          readonly cell: number;
      }
    /** Defines `name`, a version of a cell; a value outside the cell's domain is the fault `range`. */
    | {
          readonly kind: 'define';
          readonly name: number;
          readonly value: SequentialExpression;
      }
    /** The result of one of two checked branches, so never a fault; no value if the chosen side has none. */
    | {
          readonly kind: 'join';
          readonly name: number;
          readonly condition: SequentialExpression;
          readonly then: Held;
          readonly otherwise: Held;
      };

/** What a version of a cell may hold: the value of an expression, or no value. */
export type Held = SequentialExpression | 'nothing';

/** The content of a cell after the step: the value of a name, or no value. */
type FinalValue = { readonly kind: 'name'; readonly name: number } | { readonly kind: 'absent' };

export interface SsaParticipant {
    /** Tests, and definitions of locals that are initialized on the path. */
    readonly path: readonly SsaLine[];
    readonly body: readonly SsaLine[];
    /** For each cell that the participant writes, in ascending order. Every other cell keeps its value. */
    readonly final: ReadonlyMap<number, FinalValue>;
}

export interface SsaSummand {
    /** Index into `SequentialModel.summands`. */
    readonly summand: number;
    /** Empty if the summand is too large. */
    readonly participants: readonly SsaParticipant[];
    /** `cellOfName[name - cellCount]` is the cell of which a name is a version. */
    readonly cellOfName: readonly number[];
    /** Its loops take too many lines. */
    readonly isTooLarge: boolean;
    /** Its share of the names for all summands with loops: 0 without a loop. */
    readonly loopNames: number;
}

export interface SsaModel {
    readonly sequential: SequentialModel;
    readonly summands: readonly SsaSummand[];
}

/** The most names of a summand with a loop, and of all these summands together. */
const MOST_NAMES = 20_000;
const MOST_NAMES_IN_ALL = 1_000_000;

/** The most nested rounds of loops whose end depends on the state. */
const MOST_NESTED_ROUNDS = 200;

/**
 * Each summand of the model in static single assignment form. Linear in the size of the result. A branch becomes
 * definitions under a condition, joined by a choice, the φ of [CytronEtAl1991]. A write to an array element with a
 * variable index defines each cell of the array [ZhangEtAl2013, §IV]. A constant is written where its name is read, so
 * a loop over the values of a counter ends. `while` becomes nested branches, as many as the cells written by the loop
 * have states; then the condition must be false, else the fault `endless`.
 */
export function toStaticSingleAssignment(sequential: SequentialModel): SsaModel {
    const budget = new LoopBudget();
    const summands = sequential.summands.map((summand, index) => {
        const converted = convertSummand(sequential.cells, summand, index);
        return budget.admits(converted) ? converted : tooLarge(index);
    });
    return { sequential, summands };
}

/** The names that are left for the loops of a model. */
export class LoopBudget {
    private namesLeft = MOST_NAMES_IN_ALL;

    /** Whether the loops of the next summand still fit; if so, their names are spent. */
    admits({ loopNames }: SsaSummand): boolean {
        const fits = loopNames <= this.namesLeft;
        this.namesLeft -= Math.min(loopNames, this.namesLeft);
        return fits;
    }
}

/** How many definitions the conversion makes, a loop counted once; `a[i] := x` defines every element of a. */
export function definitionCountOf({ summands }: SequentialModel): number {
    let count = 0;
    for (const { body } of summands.flatMap(({ participants }) => participants)) {
        forEachSequentialStatement(body, statement => {
            count += statement.kind === 'assign' ? cellsOfPlace(statement.target).length : 0;
        });
    }
    return count;
}

function hasLoop(statements: readonly SequentialStatement[]): boolean {
    let found = false;
    forEachSequentialStatement(statements, ({ kind }) => {
        found ||= kind === 'while';
    });
    return found;
}

/** Converts one summand over `cells`; `index` is its number in the result. */
export function convertSummand(cells: readonly Cell[], summand: Summand, index: number): SsaSummand {
    const cellOfName: number[] = [];
    const converted = (): SsaSummand => {
        const participants = summand.participants.map(participant =>
            new ParticipantConversion(cells, cellOfName).convert(participant),
        );
        const loopNames = summand.participants.some(({ body }) => hasLoop(body)) ? cellOfName.length : 0;
        return { summand: index, participants, cellOfName, isTooLarge: false, loopNames };
    };
    return unless(ConstraintTooLarge, converted, () => tooLarge(index));
}

function tooLarge(summand: number): SsaSummand {
    return { summand, participants: [], cellOfName: [], isTooLarge: true, loopNames: MOST_NAMES };
}

/** The version of a cell without a value. */
const ABSENT = -1;

/** The conversion of one participant; `current` maps the cells written so far to their latest names. */
class ParticipantConversion {
    private readonly cells: readonly Cell[];
    private readonly cellOfName: number[];
    private current = new Map<number, number>();
    /** The names with constant values. */
    private readonly constants = new Map<number, Value>();
    /** Whether this point is never reached, since an earlier line is always a fault. */
    private isDead = false;
    /** The number of enclosing rounds of loops whose end depends on the state. */
    private nestedRounds = 0;
    private lines: SsaLine[] = [];
    /** The condition under which this point is reached; undefined if it always is. */
    private reached: SequentialExpression | undefined;

    constructor(cells: readonly Cell[], cellOfName: number[]) {
        this.cells = cells;
        this.cellOfName = cellOfName;
    }

    convert(participant: Participant): SsaParticipant {
        for (const element of participant.path) {
            if (element.kind === 'test') {
                this.lines.push({ kind: 'test', condition: this.rename(element.condition) });
            } else {
                this.define(element.cell, this.rename(element.value), element.range);
            }
        }
        const path = this.lines;
        this.lines = [];
        this.convertStatements(participant.body);
        const written = [...this.current.keys()].sort((a, b) => a - b);
        const final = new Map<number, FinalValue>();
        for (const cell of written) {
            const name = this.nameOf(cell);
            final.set(cell, name === ABSENT ? { kind: 'absent' } : { kind: 'name', name });
        }
        return { path, body: this.lines, final };
    }

    private convertStatements(statements: readonly SequentialStatement[]): void {
        for (const statement of statements) {
            if (statement.kind === 'clear') {
                // A clear comes at the end of the step, also after a certain fault.
                this.current.set(statement.cell, ABSENT);
            } else if (!this.isDead) {
                this.convertStatement(statement);
            }
        }
    }

    private convertStatement(statement: Exclude<SequentialStatement, { kind: 'clear' }>): void {
        switch (statement.kind) {
            case 'assert':
                this.check(this.rename(statement.condition), 'assert', statement.range);
                return;
            case 'assign':
                this.convertAssignment(statement.target, this.rename(statement.value), statement.range);
                return;
            case 'if':
                this.convertBranches(this.rename(statement.condition), statement.range, outcome => {
                    this.convertStatements(outcome ? statement.then : statement.otherwise);
                });
                return;
            case 'while':
                this.convertLoop(statement, this.statesOfLoop(statement));
                return;
            default:
                unreachable(statement);
        }
    }

    private convertAssignment(target: SequentialPlace, value: SequentialExpression, range: SourceRange): void {
        if (target.kind === 'cell') {
            this.define(target.cell, value, range);
            return;
        }
        this.evaluate(value, range);
        const indices = target.indices.map(index => this.rename(index));
        if (indices.length > 1) {
            // All indices are evaluated before an index fault arises.
            for (const index of indices) {
                this.evaluate(index, range);
            }
        }
        indices.forEach((index, position) => {
            const domain = target.domains[position];
            const inside = Array.from({ length: domainSize(domain) }, (_, code) =>
                binary('==', index, constant(valueOfCode(domain, code)), target.range),
            );
            this.check(disjunction(inside, target.range), 'index', target.range);
        });
        if (this.isDead) {
            return;
        }
        // The elements of an array have one domain.
        this.lines.push({ kind: 'fit', value, cell: target.cells[0], ...this.whereReached(), range });
        // All old names are read before a new one is defined: the index and the value see the state before.
        const definitions = target.cells.flatMap((cell, position) => {
            const selected = isAtPosition(indices, target.domains, position, target.range);
            return isFalse(selected) ? [] : [{ cell, selected, old: this.held(cell, target.range) }];
        });
        for (const { cell, selected, old } of definitions) {
            this.join(cell, selected, value, old, range);
        }
    }

    /** `convert` converts the branch of an outcome. */
    private convertBranches(
        condition: SequentialExpression,
        range: SourceRange,
        convert: (outcome: boolean) => void,
    ): void {
        if (condition.kind === 'constant') {
            convert(isTrue(condition));
            return;
        }
        // The condition is evaluated even if the branches do nothing.
        this.evaluate(condition, range);
        if (this.isDead) {
            return;
        }
        const before = this.current;
        const { reached } = this;
        const branch = (
            outcome: boolean,
            holds: SequentialExpression,
        ): { readonly after: ReadonlyMap<number, number>; readonly isDead: boolean } => {
            this.current = new Map(before);
            this.isDead = false;
            this.reached = reached === undefined ? holds : conjunction([reached, holds], range);
            convert(outcome);
            return { after: this.current, isDead: this.isDead };
        };
        const first = branch(true, condition);
        const second = branch(false, negation(condition, range));

        this.reached = reached;
        this.current = new Map(before);
        this.isDead = first.isDead && second.isDead;
        const written = new Set([...first.after.keys(), ...second.after.keys()]);
        for (const cell of [...written].sort((a, b) => a - b)) {
            const thenName = first.after.get(cell) ?? this.nameOf(cell);
            const otherwiseName = second.after.get(cell) ?? this.nameOf(cell);
            if (thenName === otherwiseName) {
                this.current.set(cell, thenName);
                continue;
            }
            this.join(cell, condition, this.heldBy(thenName, range), this.heldBy(otherwiseName, range), range);
        }
    }

    /** `left`: the number of further states of the cells written by the loop before one must repeat. */
    private convertLoop(statement: Extract<SequentialStatement, { kind: 'while' }>, left: number): void {
        const { condition, body, range } = statement;
        let open = left;
        let goesOn = this.rename(condition);
        for (; isTrue(goesOn) && open > 0; open--) {
            this.convertStatements(body);
            if (this.isDead) {
                return;
            }
            if (this.cellOfName.length > MOST_NAMES) {
                throw new ConstraintTooLarge('a loop takes too many lines');
            }
            goesOn = this.rename(condition);
        }
        if (open === 0) {
            this.check(negation(goesOn, range), 'endless', range);
            return;
        }
        if (++this.nestedRounds > MOST_NESTED_ROUNDS || this.cellOfName.length > MOST_NAMES) {
            throw new ConstraintTooLarge('a loop takes too many lines');
        }
        this.convertBranches(goesOn, range, holds => {
            if (holds) {
                this.convertStatements(body);
                if (!this.isDead) {
                    this.convertLoop(statement, open - 1);
                }
            }
        });
        this.nestedRounds--;
    }

    private statesOfLoop(loop: Extract<SequentialStatement, { kind: 'while' }>): number {
        return cellsCarried(loop).reduce((product, cell) => {
            const { domain, mayBeAbsent } = this.cells[cell];
            return product * (domainSize(domain) + (mayBeAbsent ? 1 : 0));
        }, 1);
    }

    private evaluate(expression: SequentialExpression, range: SourceRange): void {
        if (expression.kind !== 'constant') {
            this.lines.push({ kind: 'evaluate', expression, ...this.whereReached(), range });
            this.isDead ||= expression.kind === 'fault';
        }
    }

    private check(condition: SequentialExpression, fault: FaultKind, range: SourceRange): void {
        if (!isTrue(condition)) {
            this.lines.push({ kind: 'check', condition, fault, ...this.whereReached(), range });
            this.isDead ||= isFalse(condition) || condition.kind === 'fault';
        }
    }

    private define(cell: number, value: SequentialExpression, range: SourceRange): void {
        const name = this.nextName(cell);
        this.lines.push({ kind: 'define', name, value, ...this.whereReached(), range });
        if (value.kind === 'constant' && codeOfValue(this.cells[cell].domain, value.value) >= 0) {
            this.constants.set(name, value.value);
        } else {
            this.isDead ||= value.kind === 'constant' || value.kind === 'fault';
        }
    }

    private join(cell: number, condition: SequentialExpression, then: Held, otherwise: Held, range: SourceRange): void {
        const name = this.nextName(cell);
        this.lines.push({ kind: 'join', name, condition, then, otherwise, ...this.whereReached(), range });
        if (isTrue(condition) && then !== 'nothing' && then.kind === 'constant') {
            this.constants.set(name, then.value);
        }
    }

    private whereReached(): { readonly reached?: SequentialExpression } {
        return this.reached === undefined ? {} : { reached: this.reached };
    }

    private nextName(cell: number): number {
        const name = this.cells.length + this.cellOfName.length;
        this.cellOfName.push(cell);
        this.current.set(cell, name);
        return name;
    }

    private nameOf(cell: number): number {
        return this.current.get(cell) ?? cell;
    }

    private held(cell: number, range: SourceRange): Held {
        return this.heldBy(this.nameOf(cell), range);
    }

    /** A temporary has no value before it gets one. */
    private heldBy(name: number, range: SourceRange): Held {
        return name === ABSENT || (name < this.cells.length && this.cells[name].kind === 'temporary')
            ? 'nothing'
            : this.read(name, range);
    }

    private read(name: number, range: SourceRange): SequentialExpression {
        const value = this.constants.get(name);
        return value === undefined ? { kind: 'cell', cell: name, range } : constant(value);
    }

    /** The expression over the names that hold at this point, folded; unchanged parts are shared. */
    private rename(expression: SequentialExpression): SequentialExpression {
        return this.current.size === 0 ? expression : this.mapReads(expression);
    }

    private mapReads(expression: SequentialExpression): SequentialExpression {
        switch (expression.kind) {
            case 'cell':
                return withPresence(this.readCell(expression.cell, expression.range), expression);
            case 'element':
                return this.readElement(expression);
            default:
                return mapOperands(expression, operand => this.mapReads(operand));
        }
    }

    /** A cleared cell is read only where no run comes. */
    private readCell(cell: number, range: SourceRange): SequentialExpression {
        const name = this.nameOf(cell);
        return name === ABSENT ? { kind: 'fault', fault: 'undefined', range } : this.read(name, range);
    }

    private readElement(expression: ElementPlace): SequentialExpression {
        const { cells, domains, range } = expression;
        const indices = expression.indices.map(index => this.mapReads(index));
        const codes = indices.flatMap((index, dimension) =>
            index.kind === 'constant' ? [codeOfValue(domains[dimension], index.value)] : [],
        );
        if (codes.length === indices.length) {
            const position = codes.reduce((row, code, dimension) => row * domainSize(domains[dimension]) + code, 0);
            return codes.includes(-1)
                ? { kind: 'fault', fault: 'index', range }
                : withPresence(this.readCell(cells[position], range), expression);
        }
        // A cleared cell is never read again, so its name does not matter.
        const names = cells.map(cell => (this.nameOf(cell) === ABSENT ? cell : this.nameOf(cell)));
        return { ...expression, cells: names, indices };
    }
}
