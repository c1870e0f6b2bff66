/** Where the declarations of a document are found in the engine's model. */
import { invariant } from '../../engine/common/assert.js';
import type { Binder, Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/ast.js';
import type {
    BinderVariable,
    Constant,
    EventDeclaration,
    Model,
    Process,
    ProcessIndex,
    Variable,
} from '../generated/ast.js';
import type { Constants } from '../typing/constants.js';
import { localsOf } from '../references/locals.js';

export type VariableSlot = { readonly kind: 'shared' | 'local'; readonly index: number };

export class LoweringContext {
    readonly constants: Constants;
    /** What the constants of processes name, lowered once. */
    readonly constantExpressions = new Map<Constant, Expression>();
    private readonly slots = new Map<Variable, VariableSlot>();
    private readonly events = new Map<EventDeclaration, number>();
    private readonly processes = new Map<Process, number>();
    private readonly binders = new Map<ProcessIndex | BinderVariable, Binder>();

    constructor(model: Model, constants: Constants) {
        this.constants = constants;
        const { declarations } = model;
        declarations.filter(ast.isVariable).forEach((variable, index) => {
            this.slots.set(variable, { kind: 'shared', index });
        });
        declarations.filter(ast.isEventDeclaration).forEach((event, index) => this.events.set(event, index));
        declarations.filter(ast.isProcess).forEach((process, index) => {
            this.processes.set(process, index);
            localsOf(process).forEach((local, position) => this.slots.set(local, { kind: 'local', index: position }));
        });
    }

    slotOf(variable: Variable): VariableSlot {
        return found(this.slots.get(variable), variable.name);
    }

    indexOfEvent(event: EventDeclaration): number {
        return found(this.events.get(event), event.name);
    }

    indexOfProcess(process: Process): number {
        return found(this.processes.get(process), process.name);
    }

    /** The binder of an index or a quantifier's variable; numbered in the order of the first use. */
    binderOf(declaration: ProcessIndex | BinderVariable): Binder {
        let binder = this.binders.get(declaration);
        if (binder === undefined) {
            const domain = found(this.constants.domainOfBinder(declaration), declaration.name);
            binder = { id: this.binders.size, name: declaration.name, domain };
            this.binders.set(declaration, binder);
        }
        return binder;
    }
}

function found<Value>(value: Value | undefined, name: string): Value {
    invariant(value !== undefined, `\`${name}\` belongs to the checked document`);
    return value;
}
