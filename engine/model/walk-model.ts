/** All expressions of a model but those of its invariants, each where it stands. */
import { mapCommunication, mapStatements, type Mapping } from './map-expression.js';
import type { Communication, Control, FunctionDeclaration, Model, Process, Variable } from './model.js';

/** Where an expression stands: in a process or a function, or outside of both, and in what it may receive. */
export interface Surroundings {
    readonly process?: Process;
    readonly function?: FunctionDeclaration;
    /** The channel whose message the expression may read. */
    readonly received?: Extract<Communication, { kind: 'receive' }>;
}

/** Asks a mapping for each place about each expression there; what it gives is not used. */
export function walkModel(model: Model, mappingIn: (surroundings: Surroundings) => Mapping): void {
    const outside = mappingIn({});
    model.variables.forEach(variable => {
        walkInitializer(variable, outside);
    });
    model.initialConditions.forEach(condition => outside.part(condition, {}));
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
                mapping.part(control.condition, {});
                break;
            case 'while':
                mapping.part(control.condition, {});
                walkControls(control.body, mapping, receiving);
                break;
            case 'if':
                mapping.part(control.condition, {});
                walkControls([...control.then, ...control.otherwise], mapping, receiving);
                break;
            case 'for':
                mapping.binder?.(control.binder);
                walkControls(control.body, mapping, receiving);
                break;
            case 'loop':
                walkControls(control.body, mapping, receiving);
                break;
            case 'choose':
                control.alternatives.forEach(alternative => {
                    walkControls(alternative, mapping, receiving);
                });
                break;
            case 'labeled':
                walkControls([control.control], mapping, receiving);
                break;
            default:
        }
    }
}
