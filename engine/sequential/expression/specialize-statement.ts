/** Statements of a process, specialized to one instance. */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue } from '../../model/domain.js';
import type { Expression, Place, Temporary } from '../../model/expression.js';
import type { Statement } from '../../model/model.js';
import { withoutAbsentFields, type KnownValues } from '../absent-fields.js';
import { cellsOfPlace, readsAnyOf } from '../cell-access.js';
import type { SequentialExpression, SequentialPlace, SequentialStatement } from '../sequential-model.js';
import { nameableElements } from './nameable-elements.js';
import type { Scope } from './scope.js';
import { binary, isFalse, isTrue } from './simplify.js';
import type { FaultyPlace, Specializer } from './specialize.js';

/** The body of a step. An `if` with a static condition is the branch taken, a `for` its body for each value. */
export function specializeStatements(
    specializer: Specializer,
    statements: readonly Statement[],
    scope: Scope,
): SequentialStatement[] {
    return statements.flatMap(statement => specializeStatement(specializer, statement, scope));
}

function specializeStatement(specializer: Specializer, statement: Statement, scope: Scope): SequentialStatement[] {
    const { range } = statement;
    specializer.budget.spend(1, range);
    switch (statement.kind) {
        case 'assign':
            return specializeAssignment(specializer, statement, scope);
        case 'declare':
            return statement.declarations.flatMap(({ temporary, values }) =>
                specializeDeclaration(specializer, temporary, values, scope, range),
            );
        case 'if': {
            const condition = specializer.expression(statement.condition, scope);
            if (condition.kind === 'constant') {
                return specializeStatements(
                    specializer,
                    isTrue(condition) ? statement.then : statement.otherwise,
                    scope,
                );
            }
            const then = specializeStatements(specializer, statement.then, scope);
            const otherwise = specializeStatements(specializer, statement.otherwise, scope);
            return [{ kind: 'if', condition, then, otherwise, range }];
        }
        case 'while': {
            const condition = specializer.expression(statement.condition, scope);
            return isFalse(condition)
                ? []
                : [{ kind: 'while', condition, body: specializeStatements(specializer, statement.body, scope), range }];
        }
        case 'for': {
            const statements: SequentialStatement[] = [];
            specializer.forEachValuation([statement.binder], scope, range, () => {
                statements.push(...specializeStatements(specializer, statement.body, scope));
                return true;
            });
            return statements;
        }
        case 'assert': {
            const condition = specializer.expression(statement.condition, scope);
            return isTrue(condition) ? [] : [{ kind: 'assert', condition, range }];
        }
        case 'spawn':
            return specializeSpawn(specializer, statement, scope);
        case 'fill':
            return specializeFill(specializer, statement, scope);
        case 'skip':
            return [];
        case 'return':
            return invariant(false, 'a step returns nothing') as never;
        default:
            return unreachable(statement);
    }
}

/** Becomes single assignments, with temporaries if a later one reads a cell that an earlier one writes. */
function specializeAssignment(
    specializer: Specializer,
    statement: Extract<Statement, { kind: 'assign' }>,
    scope: Scope,
): SequentialStatement[] {
    // A new range object tells this assignment from the next one at the same place (local-liveness.ts).
    const range = { ...statement.range };
    if (statement.assignments.length === 1) {
        const [only] = statement.assignments;
        const value = specializer.expression(only.value, scope);
        return [assignment(targetOf(specializer, only.target, scope), value, range)];
    }
    const written = new Set<number>();
    let overlap = false;
    const assignments = statement.assignments.map(assignment => {
        const value = specializer.expression(assignment.value, scope);
        const target = targetOf(specializer, assignment.target, scope);
        overlap ||= readsAnyOf(value, written) || (target.kind === 'element' && target.indices.some(reads));
        if (target.kind !== 'fault') {
            cellsOfPlace(target).forEach(cell => written.add(cell));
        }
        return { target, value };
    });
    if (!overlap) {
        return writtenTo(assignments);
    }
    const before: SequentialStatement[] = [];
    const hold = (expression: SequentialExpression): SequentialExpression => {
        if (expression.kind === 'constant') {
            return expression;
        }
        const held = specializer.temporaries.hold('value', expression, range);
        before.push(...held.statements);
        return held.value;
    };
    const held = assignments.map(({ target, value }) => ({
        value: hold(value),
        target: target.kind === 'element' ? { ...target, indices: target.indices.map(hold) } : target,
    }));
    return [...before, ...writtenTo(held)];

    function writtenTo(writes: readonly Write[]): SequentialStatement[] {
        const statements = writes.map(({ target, value }) => assignment(target, value, range));
        return [...statements, ...withoutAbsentFields(valuesWritten(writes), specializer.temporaries.cells, range)];
    }

    function reads(index: SequentialExpression): boolean {
        return readsAnyOf(index, written);
    }
}

function targetOf(specializer: Specializer, place: Place, scope: Scope): SequentialPlace | FaultyPlace {
    const target = specializer.place(place, scope);
    return target.kind === 'element' ? nameableElements(target) : target;
}

interface Write {
    readonly target: SequentialPlace | FaultyPlace;
    readonly value: SequentialExpression;
}

function valuesWritten(writes: readonly Write[]): KnownValues {
    const values = new Map<number, SequentialExpression | undefined>();
    for (const { target, value } of writes) {
        if (target.kind === 'cell') {
            values.set(target.cell, value);
        } else if (target.kind === 'element') {
            target.cells.forEach(cell => values.set(cell, undefined));
        }
    }
    return values;
}

/** A `let` of a constant is that constant, and so is a value given to a procedure; all others get cells. */
function specializeDeclaration(
    specializer: Specializer,
    temporary: Temporary,
    expressions: readonly Expression[],
    scope: Scope,
    range: SourceRange,
): SequentialStatement[] {
    const { id, name, element, indices, isGiven } = temporary;
    const values = expressions.map(expression => specializer.expression(expression, scope));
    const isIn = (value: SequentialExpression): boolean =>
        value.kind === 'constant' &&
        (element === undefined || (isGiven === true && codeOfValue(element, value.value) >= 0));
    if (values.every(isIn)) {
        scope.temporaries.set(id, { indices, values });
        return [];
    }
    const held =
        element === undefined
            ? values.map(value => specializer.temporaries.hold(name, value, range))
            : values.map(value => specializer.temporaries.holdIn(element, name, value, range));
    scope.temporaries.set(id, { indices, values: held.map(({ value }) => value) });
    return held.flatMap(({ statements }) => statements);
}

function specializeSpawn(
    specializer: Specializer,
    statement: Extract<Statement, { kind: 'spawn' }>,
    scope: Scope,
): SequentialStatement[] {
    const slot = scope.slots?.get(statement);
    invariant(slot !== undefined, 'a slot was found for what is created');
    if (specializer.templates !== undefined) {
        return specializer.templates.create(statement, slot, scope);
    }
    // What is read and written.
    const { arguments: args, target, range } = statement;
    const reads = args.map((argument): SequentialStatement => {
        const value = specializer.expression(argument, scope);
        return { kind: 'assert', condition: binary('==', value, value, range), range };
    });
    return target === undefined ? reads : [...reads, assignment(specializer.place(target, scope), slot, { ...range })];
}

/** For each valuation of instances that live: first all values, then all writes. */
function specializeFill(
    specializer: Specializer,
    { binders, assignments, range }: Extract<Statement, { kind: 'fill' }>,
    scope: Scope,
): SequentialStatement[] {
    const evaluations: SequentialStatement[] = [];
    const writes: SequentialStatement[] = [];
    const where = (condition: SequentialExpression, then: SequentialStatement[]): SequentialStatement[] =>
        isTrue(condition) || then.length === 0 ? then : [{ kind: 'if', condition, then, otherwise: [], range }];
    specializer.forEachValuation(binders, scope, range, () => {
        const alive = specializer.alive(binders, scope, range);
        const targets: Write[] = [];
        for (const { target, value } of assignments) {
            const held = specializer.temporaries.hold('value', specializer.expression(value, scope), range);
            evaluations.push(...where(alive, [...held.statements]));
            const place = specializer.place(target, scope);
            writes.push(...where(alive, [assignment(place, held.value, { ...range })]));
            targets.push({ target: place, value: held.value });
        }
        const { cells } = specializer.temporaries;
        writes.push(...where(alive, withoutAbsentFields(valuesWritten(targets), cells, range)));
        return true;
    });
    return [...evaluations, ...writes];
}

/** The value is evaluated, then the index. If the index is a fault, the comparison never has a result. */
export function assignment(
    target: SequentialPlace | FaultyPlace,
    value: SequentialExpression,
    range: SourceRange,
): SequentialStatement {
    return target.kind === 'fault'
        ? { kind: 'if', condition: binary('==', value, target, range), then: [], otherwise: [], range }
        : { kind: 'assign', target, value, range };
}
