/**
 * Constant folding with what is known of all states that can be reached: an expression that can come to one value only
 * becomes it, a test that always holds goes, and so does a step that is never taken.
 *
 * States, firings and faults stay the same. What may be a fault is not folded, and a step of which some part may be one
 * before its false test stays. The test of the program counter, first of a path, always stays.
 */
import { unreachable } from '../common/assert.js';
import { codeOfValue, domainSize, NONE } from '../model/domain.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import {
    boundsOf,
    constant,
    isFalse,
    isTrue,
    mapOperands,
    mayFault,
    mayLeave,
} from '../sequential/expression/simplify.js';

export interface Folding {
    readonly model: SequentialModel;
    /** For each summand its index in the model before. */
    readonly sources: readonly number[];
    /** Expressions that became constants. */
    readonly folded: number;
}

/**
 * `cells` are those of the model with the codes that occur (occurring-codes.ts); `neverFires` says what is known of a
 * summand besides: that it never fires, and is no fault either.
 */
export function fold(
    model: SequentialModel,
    cells: readonly Cell[],
    neverFires: (summand: number) => boolean,
): Folding {
    const folder = new Folder(model, cells);
    const sources: number[] = [];
    const summands: Summand[] = [];
    model.summands.forEach((summand, index) => {
        const folded = neverFires(index) ? undefined : folder.summand(summand);
        if (folded !== undefined) {
            sources.push(index);
            summands.push(folded);
        }
    });
    return {
        model: {
            ...model,
            summands,
            instances: model.instances.map(instance => ({
                ...instance,
                mayStop: folder.expression(instance.mayStop),
            })),
            invariants: model.invariants.map(property => ({
                ...property,
                expression: folder.expression(property.expression),
            })),
        },
        sources,
        folded: folder.folded,
    };
}

class Folder {
    folded = 0;
    readonly #model: SequentialModel;
    readonly #cells: readonly Cell[];
    /** Expressions share their parts. */
    readonly #known = new Map<SequentialExpression, SequentialExpression>();

    constructor(model: SequentialModel, cells: readonly Cell[]) {
        this.#model = model;
        this.#cells = cells;
    }

    expression(expression: SequentialExpression): SequentialExpression {
        if (expression.kind === 'constant' || expression.kind === 'fault') {
            return expression;
        }
        let known = this.#known.get(expression);
        if (known === undefined) {
            known = this.#fold(expression);
            this.#known.set(expression, known);
        }
        return known;
    }

    /** Undefined where it never fires. */
    summand(summand: Summand): Summand | undefined {
        const participants: Participant[] = [];
        for (const participant of summand.participants) {
            const path = this.#path(participant);
            if (path === undefined) {
                return undefined;
            }
            participants.push({ ...participant, path, body: this.#statements(participant.body) });
        }
        return { ...summand, participants };
    }

    #fold(expression: SequentialExpression): SequentialExpression {
        const { low, high, mayBeNone, mayFault } = boundsOf(expression, this.#cells);
        if (!mayFault && (mayBeNone ? low > high : low === high)) {
            this.folded++;
            return constant(mayBeNone ? NONE : low);
        }
        const mapped = mapOperands(expression, operand => this.expression(operand));
        if (mapped.kind === 'element') {
            const position = constantPosition(mapped);
            return position === undefined
                ? mapped
                : { kind: 'cell', cell: mapped.cells[position], range: mapped.range };
        }
        return mapped;
    }

    /** Undefined where it is always false. */
    #path({ instance, path }: Participant): PathElement[] | undefined {
        const kept: PathElement[] = [];
        let maySucceed = true;
        let mayBeFault = false;
        path.forEach((element, index) => {
            if (element.kind === 'assign') {
                const value = this.expression(element.value);
                mayBeFault ||= maySucceed && this.#mayFail(element.cell, value);
                kept.push({ ...element, value });
                return;
            }
            const isCounter = index === 0 && this.#model.instances[instance].counter >= 0;
            const condition = isCounter ? element.condition : this.expression(element.condition);
            maySucceed &&= !isFalse(condition);
            mayBeFault ||= maySucceed && mayFault(condition, this.#cells);
            if (!isTrue(condition)) {
                kept.push({ kind: 'test', condition });
            }
        });
        return maySucceed || mayBeFault ? kept : undefined;
    }

    #mayFail(cell: number, value: SequentialExpression): boolean {
        return mayFault(value, this.#cells) || mayLeave(this.#cells[cell].domain, value, this.#cells);
    }

    #statements(statements: readonly SequentialStatement[]): SequentialStatement[] {
        return statements.flatMap(statement => this.#statement(statement));
    }

    #statement(statement: SequentialStatement): SequentialStatement[] {
        switch (statement.kind) {
            case 'assign':
                return [
                    { ...statement, target: this.#place(statement.target), value: this.expression(statement.value) },
                ];
            case 'clear':
                return [statement];
            case 'if': {
                const condition = this.expression(statement.condition);
                if (condition.kind === 'constant') {
                    return this.#statements(isTrue(condition) ? statement.then : statement.otherwise);
                }
                const then = this.#statements(statement.then);
                return [{ ...statement, condition, then, otherwise: this.#statements(statement.otherwise) }];
            }
            case 'while': {
                const condition = this.expression(statement.condition);
                return isFalse(condition) ? [] : [{ ...statement, condition, body: this.#statements(statement.body) }];
            }
            case 'assert': {
                const condition = this.expression(statement.condition);
                return isTrue(condition) ? [] : [{ ...statement, condition }];
            }
            default:
                return unreachable(statement);
        }
    }

    #place(place: SequentialPlace): SequentialPlace {
        if (place.kind === 'cell') {
            return place;
        }
        const indices = place.indices.map(index => this.expression(index));
        const position = constantPosition({ ...place, indices });
        return position === undefined ? { ...place, indices } : { kind: 'cell', cell: place.cells[position] };
    }
}

/** Where constant indices point, row by row; undefined where one is no constant, or outside of its domain. */
function constantPosition({
    indices,
    domains,
}: Pick<Extract<SequentialExpression, { kind: 'element' }>, 'indices' | 'domains'>): number | undefined {
    let position = 0;
    for (const [dimension, index] of indices.entries()) {
        const code = index.kind === 'constant' ? codeOfValue(domains[dimension], index.value) : -1;
        if (code < 0) {
            return undefined;
        }
        position = position * domainSize(domains[dimension]) + code;
    }
    return position;
}
