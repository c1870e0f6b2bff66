/**
 * Cone of influence: leaves out cells on which nothing that is checked depends, and steps that only change such cells.
 * [ClarkeEtAl1999, §13.1]
 *
 * What stays is the least set with what properties read and what decides whether a step is taken or is a fault, closed
 * under what its cells are computed from and the symmetries in use. Other cells keep their numbers and hold no value.
 */
import { unreachable } from '../common/assert.js';
import { cellsOfPlace, cellsWritten, forEachExpression, supportOf } from '../sequential/cell-access.js';
import { expressionsOfInitial } from '../sequential/initial-cells.js';
import type {
    Cell,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import { TRUE } from '../sequential/expression/simplify.js';
import { mayAssignmentFault, mayInitialValueFail, mayNotFit, mayPartFault } from './knowledge.js';
import { mayFault } from '../sequential/expression/bounds.js';

export interface Cone {
    readonly model: SequentialModel;
    /** For each summand its index in the model before. */
    readonly sources: readonly number[];
    /** The cells that were left out, ascending; temporaries too. */
    readonly dropped: readonly number[];
}

export interface ConeOptions {
    /** The names of the invariants that are checked. */
    readonly invariants: ReadonlySet<string>;
    readonly checksDeadlock: boolean;
    /** Where the symmetries in use move cells: generators, `image[cell]`. */
    readonly cellPermutations: readonly Int32Array[];
    /** What is known of a summand besides: that it never is a fault. */
    readonly neverFaults: (summand: number) => boolean;
}

/** If no deadlock is checked, all instances of the result may stop. */
export function coneOfInfluence(model: SequentialModel, options: ConeOptions): Cone {
    const { relevant, isKept, mayFault: mayBeFault } = new Influence(model, options);
    const dropped = [...model.cells.keys()].filter(cell => !relevant.has(cell));
    const isDropped = new Set(dropped);
    const sources = [...model.summands.keys()].filter(index => isKept[index]);
    const summands = sources.map((source): Summand => ({
        ...model.summands[source],
        participants: model.summands[source].participants.map(participant => ({
            ...participant,
            path: participant.path.filter(element => element.kind === 'test' || !isDropped.has(element.cell)),
            body: withoutWritesTo(isDropped, participant.body, model.cells, mayBeFault[source]),
        })),
    }));
    return {
        model: {
            ...model,
            summands,
            cells: model.cells.map((cell, index) =>
                isDropped.has(index) ? { ...cell, kind: 'temporary', mayBeAbsent: true } : cell,
            ),
            instances: options.checksDeadlock
                ? model.instances
                : model.instances.map(instance => ({ ...instance, mayStop: TRUE })),
            initial: model.initial.map(entry =>
                isDropped.has(entry.cell) ? { cell: entry.cell, value: { kind: 'none' } } : entry,
            ),
            invariants: model.invariants.filter(({ name }) => options.invariants.has(name)),
        },
        sources,
        dropped,
    };
}

/** The least fixpoint: cells that matter, and steps that do. */
class Influence {
    readonly relevant = new Set<number>();
    readonly isKept: boolean[];
    /** By summand. */
    readonly mayFault: readonly boolean[];
    readonly #model: SequentialModel;

    constructor(model: SequentialModel, { invariants, checksDeadlock, cellPermutations, neverFaults }: ConeOptions) {
        this.#model = model;
        this.mayFault = model.summands.map(
            (summand, index) =>
                !neverFaults(index) && summand.participants.some(participant => mayPartFault(participant, model.cells)),
        );
        this.isKept = this.mayFault.map(mayFault => checksDeadlock || mayFault);
        for (const { name, expression } of model.invariants) {
            if (invariants.has(name)) {
                this.#add(expression);
            }
        }
        if (checksDeadlock) {
            model.instances.forEach(({ mayStop }) => {
                this.#add(mayStop);
            });
        }
        for (const condition of [
            ...model.initialConditions,
            ...(model.constraint ? [model.constraint.expression] : []),
        ]) {
            this.#add(condition);
        }
        for (let before = -1; before < this.relevant.size;) {
            before = this.relevant.size;
            this.#addInitial();
            model.summands.forEach((summand, index) => {
                this.isKept[index] ||= summand.participants.some(participant => this.#writesRelevant(participant));
                if (this.isKept[index]) {
                    summand.participants.forEach(participant => {
                        this.#addParticipant(participant, this.mayFault[index]);
                    });
                }
            });
            for (const image of cellPermutations) {
                [...this.relevant].forEach(cell => this.relevant.add(image[cell]));
            }
        }
    }

    /** What the initial values of relevant cells are computed from; and of cells whose initial value may be wrong. */
    #addInitial(): void {
        for (const entry of this.#model.initial) {
            if (this.relevant.has(entry.cell) || mayInitialValueFail(entry, this.#model.cells)) {
                this.relevant.add(entry.cell);
                expressionsOfInitial(entry).forEach(expression => {
                    this.#add(expression);
                });
            }
        }
    }

    #add(expression: SequentialExpression): void {
        for (const cell of supportOf(expression)) {
            this.relevant.add(cell);
        }
    }

    #writesRelevant({ path, body }: Participant): boolean {
        const isRelevant = (cell: number): boolean =>
            this.relevant.has(cell) && this.#model.cells[cell].kind !== 'temporary';
        return (
            cellsWritten(body).some(isRelevant) ||
            path.some(element => element.kind === 'assign' && isRelevant(element.cell))
        );
    }

    #addParticipant({ path, body }: Participant, mayBeFault: boolean): void {
        const { cells } = this.#model;
        for (const element of path) {
            if (element.kind === 'test') {
                this.#add(element.condition);
            } else if (
                this.relevant.has(element.cell) ||
                (mayBeFault && mayNotFit([element.cell], element.value, cells))
            ) {
                this.relevant.add(element.cell);
                this.#add(element.value);
            }
        }
        this.#addBody(body, [], mayBeFault);
    }

    /** `conditions` decide whether the statements are reached. */
    #addBody(
        body: readonly SequentialStatement[],
        conditions: readonly SequentialExpression[],
        mayBeFault: boolean,
    ): void {
        const { cells } = this.#model;
        const addReached = (): void => {
            conditions.forEach(condition => {
                this.#add(condition);
            });
        };
        for (const statement of body) {
            switch (statement.kind) {
                case 'assign': {
                    const written = cellsOfPlace(statement.target);
                    const isSeen = written.some(cell => this.relevant.has(cell));
                    if (isSeen || (mayBeFault && mayAssignmentFault(statement, cells))) {
                        addReached();
                        written.forEach(cell => this.relevant.add(cell));
                        forEachExpression([statement], expression => {
                            this.#add(expression);
                        });
                    }
                    break;
                }
                case 'clear':
                    if (this.relevant.has(statement.cell)) {
                        addReached();
                    }
                    break;
                case 'if':
                    if (mayBeFault && mayFault(statement.condition, cells)) {
                        addReached();
                        this.#add(statement.condition);
                    }
                    this.#addBody(statement.then, [...conditions, statement.condition], mayBeFault);
                    this.#addBody(statement.otherwise, [...conditions, statement.condition], mayBeFault);
                    break;
                case 'while':
                case 'assert':
                    // Whether a loop ends depends on everything in it.
                    addReached();
                    forEachExpression([statement], expression => {
                        this.#add(expression);
                    });
                    cellsWritten([statement]).forEach(cell => this.relevant.add(cell));
                    break;
                default:
                    unreachable(statement);
            }
        }
    }
}

function withoutWritesTo(
    dropped: ReadonlySet<number>,
    body: readonly SequentialStatement[],
    cells: readonly Cell[],
    mayBeFault: boolean,
): SequentialStatement[] {
    return body.flatMap((statement): SequentialStatement[] => {
        switch (statement.kind) {
            case 'assign':
                // Of an array all elements that are written in one place stay, or none.
                return cellsOfPlace(statement.target).some(cell => dropped.has(cell)) ? [] : [statement];
            case 'clear':
                return dropped.has(statement.cell) ? [] : [statement];
            case 'if': {
                const then = withoutWritesTo(dropped, statement.then, cells, mayBeFault);
                const otherwise = withoutWritesTo(dropped, statement.otherwise, cells, mayBeFault);
                // Of a step that may be a fault nothing is left out that decides about it; of another one it may be.
                const isNeeded =
                    then.length + otherwise.length > 0 || (mayBeFault && mayFault(statement.condition, cells));
                return isNeeded ? [{ ...statement, then, otherwise }] : [];
            }
            case 'while':
            case 'assert':
                return [statement];
            default:
                return unreachable(statement);
        }
    });
}

/*
 * Why this is sound: states that agree on the kept cells have firings that agree on them. So the result is the quotient
 * of the model by this agreement, but for steps that change no kept cell if no deadlock is checked. Otherwise the set
 * also has what decides whether any step is taken and whether an instance may stop.
 *
 * It is closed under the symmetries that reduce the search, so they are symmetries of the quotient, however the texts
 * of symmetric steps differ. The intersection of two symmetric sets would not do: it may not decide what they decide.
 */
