/** Runs the body of a function on known values. The evaluator of expressions comes in as a parameter. */
import { unreachable } from '../../engine/common/assert.js';
import type { Domain } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { variablesOf } from '../references/locals.js';
import { ArrayShape, ConstantArray } from '../representation/array.js';
import { ConstantCase, partOfField } from '../representation/enumeration.js';
import { ConstantSequence, indicesOfConstant, rowOfConstant } from '../representation/sequence.js';
import { ConstantRecord } from '../representation/record.js';
import { ConstantSet } from '../representation/set.js';
import type { ConstantValue } from '../representation/shape.js';
import { known, noValue, type EvaluationContext } from './evaluation-context.js';

/** The values of names that belong to an expression or a function. */
export type ConstantBinding = Map<ast.Named, ConstantValue>;

export interface ExpressionEvaluator {
    readonly context: EvaluationContext;
    valueOf(expression: ast.Expression, binding: ConstantBinding): ConstantValue;
    numberOf(expression: ast.Expression, binding: ConstantBinding): number;
    /** The row of an element with these indices. */
    positionOf(
        indices: readonly ast.Expression[],
        domains: readonly Domain[],
        node: ast.Expression,
        binding: ConstantBinding,
    ): number;
    assignmentsOf(groups: readonly ast.BinderGroup[], outer: ConstantBinding): Iterable<ConstantBinding>;
}

/** Runs statements; the value that they return, or undefined if they end without `return`. */
export function runStatements(
    statements: readonly ast.Statement[],
    frame: ConstantBinding,
    evaluator: ExpressionEvaluator,
): ConstantValue | undefined {
    evaluator.context.enter();
    let returned: ConstantValue | undefined;
    for (let index = 0; index < statements.length && returned === undefined; index++) {
        const statement = statements[index];
        returned = statement && runStatement(statement, frame, evaluator);
    }
    evaluator.context.leave();
    return returned;
}

function runStatement(
    statement: ast.Statement,
    frame: ConstantBinding,
    evaluator: ExpressionEvaluator,
): ConstantValue | undefined {
    switch (statement.$type) {
        case 'Skip':
        case 'Spawn':
        case 'ProcedureCall':
            // No function creates an instance or calls a procedure; another check reports it.
            return undefined;
        case 'Return':
            return evaluator.valueOf(statement.value, frame);
        case 'Let':
            frame.set(statement, evaluator.valueOf(statement.value, frame));
            return undefined;
        case 'Variable':
            frame.set(statement, initialValueOf(statement, frame, evaluator));
            return undefined;
        case 'Assertion':
            if (evaluator.numberOf(statement.condition, frame) === 0) {
                evaluator.context.fail(
                    'type/undefined',
                    `an \`assert\` of the function fails here${statement.text === undefined ? '' : `: ${statement.text}`}`,
                    statement,
                );
            }
            return undefined;
        case 'Assignment':
            assign(statement, frame, evaluator);
            return undefined;
        case 'IfStatement':
            if (evaluator.numberOf(statement.condition, frame) !== 0) {
                return runStatements(statement.then.statements, frame, evaluator);
            }
            return statement.elseIf !== undefined
                ? runStatement(statement.elseIf, frame, evaluator)
                : runStatements(statement.otherwise?.statements ?? [], frame, evaluator);
        case 'WhileStatement': {
            let returned: ConstantValue | undefined;
            while (returned === undefined && evaluator.numberOf(statement.condition, frame) !== 0) {
                returned = runStatements(statement.body.statements, frame, evaluator);
            }
            return returned;
        }
        case 'ForStatement':
            for (const assignment of evaluator.assignmentsOf(statement.groups, frame)) {
                variablesOf(statement.groups).forEach(variable => frame.set(variable, known(assignment.get(variable))));
                if (statement.where !== undefined && evaluator.numberOf(statement.where, frame) === 0) {
                    continue;
                }
                const returned = runStatements(statement.body.statements, frame, evaluator);
                if (returned !== undefined) {
                    return returned;
                }
            }
            return undefined;
        default:
            return unreachable(statement);
    }
}

function initialValueOf(variable: ast.Variable, frame: ConstantBinding, evaluator: ExpressionEvaluator): ConstantValue {
    const { context } = evaluator;
    const shape = known(context.names.shapeOf(variable.type));
    if (variable.initializer === undefined) {
        return known(shape.firstValue());
    }
    const value = evaluator.valueOf(variable.initializer, frame);
    const filled = shape instanceof ArrayShape && !(value instanceof ConstantArray) ? shape.filledWith(value) : value;
    return context.stored(shape, filled, `\`${variable.name}\``, variable.initializer);
}

function assign(statement: ast.Assignment, frame: ConstantBinding, evaluator: ExpressionEvaluator): void {
    const value = evaluator.valueOf(statement.value, frame);
    const steps: (ast.Reference | ast.FieldAccess)[] = [];
    let target: ast.Expression = statement.target;
    while (ast.isFieldAccess(target)) {
        steps.unshift(target);
        target = target.record;
    }
    const variable = ast.isReference(target) ? target.target.ref : undefined;
    if (!ast.isReference(target) || !ast.isVariable(variable)) {
        return noValue();
    }
    const changed = changedAt([target, ...steps], known(frame.get(variable)), value, frame, evaluator);
    const shape = known(evaluator.context.names.shapeOf(variable.type));
    frame.set(variable, evaluator.context.stored(shape, changed, `\`${variable.name}\``, statement));
}

/** `current` with `value` at the place of the steps: a name or a field, each with its indices. */
function changedAt(
    [step, ...rest]: readonly (ast.Reference | ast.FieldAccess)[],
    current: ConstantValue,
    value: ConstantValue,
    frame: ConstantBinding,
    evaluator: ExpressionEvaluator,
): ConstantValue {
    if (step === undefined) {
        return value;
    }
    const changedElement = (whole: ConstantValue, indices: readonly ast.Expression[] = step.indices): ConstantValue => {
        const [first] = indices;
        if (first === undefined) {
            return changedAt(rest, whole, value, frame, evaluator);
        }
        if (whole instanceof ConstantSet && typeof value === 'number') {
            return known(whole.withCopies(evaluator.valueOf(first, frame), value));
        }
        const own = indicesOfConstant(whole).slice(0, indices.length);
        if (own.length === 0 || typeof whole === 'number') {
            return noValue();
        }
        const position = evaluator.positionOf(indices.slice(0, own.length), own, step, frame);
        // Copying is work, too.
        evaluator.context.spend(Math.floor(whole.parts.length / 16));
        const element = changedElement(known(rowOfConstant(whole, own.length, position)), indices.slice(own.length));
        return whole instanceof ConstantArray
            ? whole.withRow(own.length, position, element)
            : new ConstantSequence(replaced(whole.parts, position, element));
    };
    if (!ast.isFieldAccess(step)) {
        return changedElement(current, step.indices);
    }
    const field = step.field.ref;
    const hasFields = current instanceof ConstantRecord || current instanceof ConstantCase;
    if (!hasFields || !ast.isRecordField(field)) {
        return noValue();
    }
    const position = known(partOfField(current, field));
    const parts = replaced(current.parts, position, changedElement(known(current.parts[position])));
    return current instanceof ConstantCase
        ? new ConstantCase(current.shape, current.position, parts.slice(1))
        : new ConstantRecord(current.shape, parts);
}

function replaced(values: readonly ConstantValue[], position: number, value: ConstantValue): ConstantValue[] {
    const copy = [...values];
    copy[position] = value;
    return copy;
}
