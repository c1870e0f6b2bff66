/**
 * Static single assignment: each summand as a straight line of checks and definitions in which every name is defined
 * once.
 *
 *     x := 1 - x                          x#1 := 1 - x
 *     if x == y { y := 0 }        ⟶       y#1 := 0                        where x#1 == y
 *                                         y#2 := if x#1 == y then y#1 else y
 *
 * A *name* is a number: the names below `cellCount` are the cells in the current state, the others are the versions
 * that the summand defines, in order. What a cell holds in the next state is the name that `final` gives it. Branches
 * become definitions under a condition, joined by a choice; a write to an array element whose index is not known
 * becomes one definition for each cell of the array (Zhang et al., ASE 2013, section IV; the join is the φ of Cytron et
 * al., TOPLAS 1991).
 */
import { invariant, unreachable } from '../common/assert.js';
import { NOWHERE, type SourceRange } from '../common/source-range.js';
import { domainSize, valueOfCode } from '../model/domain.js';
import type {
    FaultKind,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';

/** One line. Lines are evaluated in order; `reached` is the condition of the branches around (absent: always). */
export type SsaLine =
    /** Part of the path: where it is false the participant is not ready, and no later line is evaluated. */
    | { readonly kind: 'test'; readonly condition: SequentialExpression }
    /** Evaluated for its faults only: the condition of a branch; the value and the indices of an element write. */
    | {
          readonly kind: 'evaluate';
          readonly expression: SequentialExpression;
          readonly reached?: SequentialExpression;
          readonly range: SourceRange;
      }
    /** Where it is false the firing is a fault. */
    | {
          readonly kind: 'check';
          readonly condition: SequentialExpression;
          readonly fault: FaultKind;
          readonly reached?: SequentialExpression;
          readonly range: SourceRange;
      }
    /**
     * Defines `name`, a version of a cell; a value outside the cell's domain is the fault `range`. Where branches join,
     * a dead local that one of them writes and nobody reads may hold no value, and then its joined version holds none.
     */
    | {
          readonly kind: 'define';
          readonly name: number;
          readonly value: SequentialExpression;
          readonly reached?: SequentialExpression;
          readonly range: SourceRange;
      };

/** What a cell holds after the step: the value of a name, or no value. */
export type FinalValue = { readonly kind: 'name'; readonly name: number } | { readonly kind: 'absent' };

export interface SsaParticipant {
    /** Tests and the definitions of locals that are initialized on the way. */
    readonly path: readonly SsaLine[];
    readonly body: readonly SsaLine[];
    /** For each cell that the participant writes, in ascending order. Every other cell keeps its value. */
    readonly final: ReadonlyMap<number, FinalValue>;
}

export interface SsaSummand {
    /** Index into `SequentialModel.summands`. */
    readonly summand: number;
    readonly participants: readonly SsaParticipant[];
    /** `cellOfName[name - cellCount]` is the cell of which a defined name is a version. */
    readonly cellOfName: readonly number[];
}

export interface SsaModel {
    readonly sequential: SequentialModel;
    readonly summands: readonly SsaSummand[];
}

/** Each summand of the model in static single assignment form. Linear in the size of the result. */
export function toStaticSingleAssignment(sequential: SequentialModel): SsaModel {
    return {
        sequential,
        summands: sequential.summands.map((summand, index) => convertSummand(sequential, summand, index)),
    };
}

function convertSummand(sequential: SequentialModel, summand: Summand, index: number): SsaSummand {
    const cellOfName: number[] = [];
    const participants = summand.participants.map(participant => {
        const conversion = new ParticipantConversion(sequential.cells.length, cellOfName);
        return conversion.convert(participant);
    });
    return { summand: index, participants, cellOfName };
}

/** What a cell holds at a point of the conversion: a name, or nothing at all. */
const ABSENT = -1;

/** The conversion of one participant; `current` maps the cells written so far to their latest name. */
class ParticipantConversion {
    private readonly cellCount: number;
    private readonly cellOfName: number[];
    private current = new Map<number, number>();

    constructor(cellCount: number, cellOfName: number[]) {
        this.cellCount = cellCount;
        this.cellOfName = cellOfName;
    }

    convert(participant: Participant): SsaParticipant {
        const path: SsaLine[] = [];
        for (const element of participant.path) {
            if (element.kind === 'test') {
                path.push({ kind: 'test', condition: this.rename(element.condition) });
            } else {
                this.define(path, element.cell, this.rename(element.value), undefined, element.range);
            }
        }
        const body: SsaLine[] = [];
        for (const statement of participant.body) {
            this.convertStatement(statement, undefined, body);
        }
        const written = [...this.current.keys()].sort((a, b) => a - b);
        const final = new Map<number, FinalValue>();
        for (const cell of written) {
            const name = this.nameOf(cell);
            final.set(cell, name === ABSENT ? { kind: 'absent' } : { kind: 'name', name });
        }
        return { path, body, final };
    }

    private convertStatement(
        statement: SequentialStatement,
        reached: SequentialExpression | undefined,
        lines: SsaLine[],
    ): void {
        switch (statement.kind) {
            case 'clear':
                this.current.set(statement.cell, ABSENT);
                return;
            case 'assert':
                lines.push({
                    kind: 'check',
                    condition: this.rename(statement.condition),
                    fault: 'assert',
                    ...(reached === undefined ? {} : { reached }),
                    range: statement.range,
                });
                return;
            case 'assign':
                this.convertAssignment(statement.target, this.rename(statement.value), reached, statement.range, lines);
                return;
            case 'if':
                this.convertBranches(statement, reached, lines);
                return;
            default:
                unreachable(statement);
        }
    }

    private convertAssignment(
        target: SequentialPlace,
        value: SequentialExpression,
        reached: SequentialExpression | undefined,
        range: SourceRange,
        lines: SsaLine[],
    ): void {
        if (target.kind === 'cell') {
            this.define(lines, target.cell, value, reached, range);
            return;
        }
        lines.push({ kind: 'evaluate', expression: value, ...(reached === undefined ? {} : { reached }), range });
        const indices = target.indices.map(index => this.rename(index));
        if (indices.length > 1) {
            // All of them, before one is found to be outside.
            for (const index of indices) {
                lines.push({
                    kind: 'evaluate',
                    expression: index,
                    ...(reached === undefined ? {} : { reached }),
                    range,
                });
            }
        }
        indices.forEach((index, position) => {
            const domain = target.domains[position];
            const inside = Array.from({ length: domainSize(domain) }, (_, code) =>
                equals(index, valueOfCode(domain, code), target.range),
            );
            lines.push({
                kind: 'check',
                condition: disjunction(inside, target.range),
                fault: 'index',
                ...(reached === undefined ? {} : { reached }),
                range: target.range,
            });
        });
        // All old names are read before any new one is defined: the index and the value see the state before.
        const definitions = target.cells.map((cell, position) => {
            const tuple = tupleAt(target.domains, position);
            const selected = conjunction(
                indices.map((index, i) => equals(index, tuple[i], target.range)),
                target.range,
            );
            return {
                cell,
                value: conditional(selected, value, cellRead(this.nameOf(cell), target.range), target.range),
            };
        });
        for (const definition of definitions) {
            this.define(lines, definition.cell, definition.value, reached, range);
        }
    }

    private convertBranches(
        statement: Extract<SequentialStatement, { kind: 'if' }>,
        reached: SequentialExpression | undefined,
        lines: SsaLine[],
    ): void {
        const condition = this.rename(statement.condition);
        const negation: SequentialExpression = { kind: 'not', operand: condition, range: statement.range };
        const before = this.current;
        // The condition is evaluated even where the branches do nothing.
        const evaluation = { kind: 'evaluate' as const, expression: condition, range: statement.range };
        lines.push(reached === undefined ? evaluation : { ...evaluation, reached });

        const branch = (
            statements: readonly SequentialStatement[],
            holds: SequentialExpression,
        ): Map<number, number> => {
            this.current = new Map(before);
            const reachedHere = reached === undefined ? holds : conjunction([reached, holds], statement.range);
            for (const inner of statements) {
                this.convertStatement(inner, reachedHere, lines);
            }
            return this.current;
        };
        const afterThen = branch(statement.then, condition);
        const afterOtherwise = branch(statement.otherwise, negation);

        this.current = new Map(before);
        const written = new Set([...afterThen.keys(), ...afterOtherwise.keys()]);
        for (const cell of [...written].sort((a, b) => a - b)) {
            const thenName = afterThen.get(cell) ?? before.get(cell) ?? cell;
            const otherwiseName = afterOtherwise.get(cell) ?? before.get(cell) ?? cell;
            if (thenName === otherwiseName) {
                this.current.set(cell, thenName);
                continue;
            }
            invariant(thenName !== ABSENT && otherwiseName !== ABSENT, 'cells are cleared at the end of a step only');
            const joined = conditional(
                condition,
                cellRead(thenName, statement.range),
                cellRead(otherwiseName, statement.range),
                statement.range,
            );
            this.define(lines, cell, joined, reached, statement.range);
        }
    }

    private define(
        lines: SsaLine[],
        cell: number,
        value: SequentialExpression,
        reached: SequentialExpression | undefined,
        range: SourceRange,
    ): void {
        const name = this.cellCount + this.cellOfName.length;
        this.cellOfName.push(cell);
        lines.push({ kind: 'define', name, value, ...(reached === undefined ? {} : { reached }), range });
        this.current.set(cell, name);
    }

    private nameOf(cell: number): number {
        return this.current.get(cell) ?? cell;
    }

    /** The expression over the names that hold at this point. */
    private rename(expression: SequentialExpression): SequentialExpression {
        return this.current.size === 0 ? expression : mapReads(expression, cell => this.nameOf(cell));
    }
}

/** The expression with every cell that it reads replaced; shares what does not change. */
function mapReads(expression: SequentialExpression, nameOf: (cell: number) => number): SequentialExpression {
    switch (expression.kind) {
        case 'constant':
        case 'fault':
            return expression;
        case 'cell':
            return { ...expression, cell: nameOf(expression.cell) };
        case 'element':
            return {
                ...expression,
                cells: expression.cells.map(nameOf),
                indices: expression.indices.map(index => mapReads(index, nameOf)),
            };
        case 'not':
        case 'negate':
            return { ...expression, operand: mapReads(expression.operand, nameOf) };
        case 'binary':
            return {
                ...expression,
                left: mapReads(expression.left, nameOf),
                right: mapReads(expression.right, nameOf),
            };
        case 'and':
        case 'or':
        case 'count':
        case 'sum':
            return { ...expression, operands: expression.operands.map(operand => mapReads(operand, nameOf)) };
        case 'conditional':
            return {
                ...expression,
                condition: mapReads(expression.condition, nameOf),
                then: mapReads(expression.then, nameOf),
                otherwise: mapReads(expression.otherwise, nameOf),
            };
        default:
            return unreachable(expression);
    }
}

/** The index values of the element at `position` in an array laid out row by row. */
function tupleAt(domains: Extract<SequentialPlace, { kind: 'element' }>['domains'], position: number): number[] {
    const tuple = new Array<number>(domains.length);
    let rest = position;
    for (let i = domains.length - 1; i >= 0; i--) {
        const size = domainSize(domains[i]);
        tuple[i] = valueOfCode(domains[i], rest % size);
        rest = Math.floor(rest / size);
    }
    return tuple;
}

function cellRead(cell: number, range: SourceRange): SequentialExpression {
    return { kind: 'cell', cell, range };
}

/** `expression = value` */
export function equals(expression: SequentialExpression, value: number, range: SourceRange): SequentialExpression {
    return { kind: 'binary', operator: '==', left: expression, right: { kind: 'constant', value }, range };
}

function conditional(
    condition: SequentialExpression,
    then: SequentialExpression,
    otherwise: SequentialExpression,
    range: SourceRange,
): SequentialExpression {
    return { kind: 'conditional', condition, then, otherwise, range };
}

/** The n-ary `and`, flattened; the empty one is true. */
export function conjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return nary('and', operands, range);
}

/** The n-ary `or`, flattened; the empty one is false. */
export function disjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return nary('or', operands, range);
}

function nary(
    kind: 'and' | 'or',
    operands: readonly SequentialExpression[],
    range: SourceRange = NOWHERE,
): SequentialExpression {
    const flat = operands.flatMap(operand => (operand.kind === kind ? operand.operands : [operand]));
    if (flat.length === 0) {
        return { kind: 'constant', value: kind === 'and' ? 1 : 0 };
    }
    return flat.length === 1 ? flat[0] : { kind, operands: flat, range };
}
