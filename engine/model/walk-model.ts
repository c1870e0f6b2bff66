/** Walks over the parts of a model: expressions, statements, steps. */
import { unreachable } from '../common/assert.js';
import type { Expression, Place } from './expression.js';
import { mapCommunication, mapStatements, type Mapping } from './map-expression.js';
import type {
    Communication,
    Control,
    FunctionDeclaration,
    Model,
    Process,
    Statement,
    Step,
    Variable,
} from './model.js';

/** The expressions directly inside an expression, in the order of evaluation. */
export function partsOf(expression: Expression): readonly Expression[] {
    switch (expression.kind) {
        case 'constant':
        case 'binder':
        case 'message':
        case 'fault':
            return [];
        case 'read':
            return expression.place.indices;
        case 'unary':
            return [expression.operand];
        case 'binary':
            return [expression.left, expression.right];
        case 'conditional':
            return [expression.condition, expression.then, expression.otherwise];
        case 'quantifier':
            return expression.where === undefined ? [expression.body] : [expression.where, expression.body];
        case 'at':
            return expression.indices;
        case 'alive':
            return [expression.reference];
        case 'instance-local':
            return [...expression.instance, ...expression.indices];
        case 'select':
            return [expression.index, ...expression.options];
        case 'field':
            return [expression.record];
        case 'record':
            return expression.fields;
        case 'call':
            return [...expression.arguments.flat(), ...expression.indices];
        default:
            return unreachable(expression);
    }
}

/** The expressions of a statement, without those of the statements inside it. */
export function expressionsOf(statement: Statement): readonly Expression[] {
    switch (statement.kind) {
        case 'assign':
        case 'fill':
            return statement.assignments.flatMap(({ target, value }) => [...target.indices, value]);
        case 'spawn':
            return [...statement.arguments, ...(statement.target?.indices ?? [])];
        case 'declare':
            return statement.declarations.flatMap(({ values }) => values);
        case 'if':
        case 'while':
        case 'assert':
            return [statement.condition];
        case 'return':
            return statement.values.flat();
        case 'for':
        case 'skip':
            return [];
        default:
            return unreachable(statement);
    }
}

/** The places that a statement itself writes, without the names that it declares. */
export function targetsOf(statement: Statement): readonly Place[] {
    switch (statement.kind) {
        case 'assign':
        case 'fill':
            return statement.assignments.map(({ target }) => target);
        case 'spawn':
            return statement.target === undefined ? [] : [statement.target];
        default:
            return [];
    }
}

/** Calls `visit` with each statement, a statement before those inside it. */
export function forEachStatement(statements: readonly Statement[], visit: (statement: Statement) => void): void {
    for (const statement of statements) {
        visit(statement);
        forEachStatement(statementsIn(statement), visit);
    }
}

/** The statements directly inside a statement. */
export function statementsIn(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
        case 'if':
            return [...statement.then, ...statement.otherwise];
        case 'while':
        case 'for':
            return statement.body;
        default:
            return [];
    }
}

/** All steps of a body, in the order of the text. */
export function stepsIn(body: readonly Control[]): Step[] {
    return body.flatMap(control => (control.kind === 'step' ? [control] : stepsIn(controlsIn(control))));
}

/** The control directly inside a control. */
export function controlsIn(control: Control): readonly Control[] {
    switch (control.kind) {
        case 'labeled':
            return [control.control];
        case 'loop':
        case 'while':
        case 'for':
            return control.body;
        case 'if':
            return [...control.then, ...control.otherwise];
        case 'choose':
            return control.alternatives.flat();
        default:
            return [];
    }
}

/** The surroundings of an expression: its process or function, and the message that it may read. */
export interface Surroundings {
    readonly process?: Process;
    readonly function?: FunctionDeclaration;
    /** The channel whose message the expression may read. */
    readonly received?: Extract<Communication, { kind: 'receive' }>;
}

/** Calls the mapping of each place with each expression there, except those of invariants; the results are ignored. */
export function walkModel(model: Model, mappingIn: (surroundings: Surroundings) => Mapping): void {
    const outside = mappingIn({});
    model.variables.forEach(variable => {
        walkInitializer(variable, outside);
    });
    model.initialConditions.forEach(condition => outside.part(condition, {}));
    model.constraints.forEach(constraint => outside.part(constraint, {}));
    model.initialBodies.forEach(({ where, body }) => {
        if (where !== undefined) {
            outside.part(where, {});
        }
        mapStatements(body, outside);
    });
    model.functions.forEach(declared => {
        mapStatements(declared.body, mappingIn({ function: declared }));
    });
    for (const process of model.processes) {
        const mapping = mappingIn({ process });
        process.locals.forEach(local => {
            walkInitializer(local, mapping);
        });
        if (process.where !== undefined) {
            mapping.part(process.where, {});
        }
        walkControls(process.body, mapping, received => mappingIn({ process, received }));
    }
}

function walkInitializer({ initializer, element: domain }: Variable, { part }: Mapping): void {
    const values =
        initializer.kind === 'value'
            ? initializer.expressions
            : initializer.kind === 'oneOf'
              ? initializer.choices.flat()
              : [];
    values.forEach(value => part(value, { domain }));
}

function walkControls(
    controls: readonly Control[],
    mapping: Mapping,
    receiving: (received: NonNullable<Surroundings['received']>) => Mapping,
): void {
    for (const control of controls) {
        switch (control.kind) {
            case 'step': {
                const { guard, communication, body } = control;
                if (guard !== undefined) {
                    mapping.part(guard, {});
                }
                if (communication?.kind === 'receive') {
                    const inMessage = receiving(communication);
                    mapCommunication(communication, inMessage);
                    communication.tests.forEach(test => inMessage.part(test, {}));
                } else if (communication !== undefined) {
                    mapCommunication(communication, mapping);
                }
                mapStatements(body, mapping);
                break;
            }
            case 'assume':
            case 'while':
            case 'if':
                mapping.part(control.condition, {});
                break;
            case 'for':
                mapping.binder?.(control.binder);
                break;
            default:
        }
        walkControls(controlsIn(control), mapping, receiving);
    }
}
