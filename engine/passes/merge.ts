/**
 * Merging of local steps that no other process can observe: such a step happens together with the step before it, and
 * the state in between is not stored. [GrootePol2000] A location is transient if the instance has exactly one step
 * there, which it takes alone, can always take, and is never a fault, and which other instances and invariants do not
 * observe. Of transient locations in a cycle some stay.
 */
import {
    cellsWrittenBy,
    forEachExpressionOf,
    forEachSequentialStatement,
    supportOf,
} from '../sequential/cell-access.js';
import { operandsOf } from '../sequential/expression/operands.js';
import { printExpression } from '../sequential/print.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import { negation } from '../sequential/expression/simplify.js';
import { mayPartFault } from './knowledge.js';

export interface Merging {
    /** Its summands have the numbers of those of the model before; steps that follow on them are part of their bodies. */
    readonly model: SequentialModel;
    /** Of the model before: those that are taken together with what leads to them. */
    readonly inert: ReadonlySet<number>;
}

/** A step that is merged into more than this many statements makes more code than it saves states. */
const MOST_STATEMENTS = 200;

/** `neverFaults`: what is known of a summand besides. The invariants of the model are those that are checked. */
export function mergeLocalSteps(model: SequentialModel, neverFaults: (summand: number) => boolean): Merging {
    const transient = new TransientLocations(model, neverFaults);
    const inert = new Set(transient.summands());
    const summands = model.summands.map((summand): Summand => {
        const participants = summand.participants.map((participant): Participant => {
            const follows = transient.after(participant.instance, participant.target);
            return follows.length === 0 ? participant : { ...participant, body: [...participant.body, ...follows] };
        });
        return { ...summand, participants };
    });
    return { model: inert.size === 0 ? model : { ...model, summands }, inert };
}

/** What an instance does at a transient location, and everything that follows on it at once. */
interface Program {
    readonly statements: readonly SequentialStatement[];
    readonly size: number;
}

class TransientLocations {
    readonly #model: SequentialModel;
    readonly #observation: Observation;
    /** By instance and location, the summands with a participant there. */
    readonly #summandsAt: readonly (readonly number[][])[];
    readonly #candidates: readonly boolean[][];
    /** Undefined where a location is not transient after all. */
    readonly #programs: (Program | undefined | 'open')[][];
    /** By instance, locations that stay because such steps lead back to them. */
    readonly #closesCycle: readonly Set<number>[];

    constructor(model: SequentialModel, neverFaults: (summand: number) => boolean) {
        this.#model = model;
        this.#observation = new Observation(model);
        this.#summandsAt = model.instances.map(({ locations }) => locations.map(() => []));
        model.summands.forEach(({ participants }, index) => {
            participants.forEach(({ instance, source }) => this.#summandsAt[instance][source].push(index));
        });
        this.#candidates = model.instances.map(({ locations, counter }, instance) =>
            locations.map((_, location) => {
                const summands = this.#summandsAt[instance][location];
                return (
                    counter >= 0 &&
                    summands.length > 0 &&
                    summands.every(summand => this.#isUnobserved(summand, neverFaults(summand)))
                );
            }),
        );
        this.#programs = model.instances.map(() => []);
        this.#closesCycle = model.instances.map(() => new Set());
        model.instances.forEach(({ locations }, instance) => {
            locations.forEach((_, location) => this.#program(instance, location));
        });
    }

    /** What follows on a step to this location: nothing where it is not transient. */
    after(instance: number, location: number): readonly SequentialStatement[] {
        return this.#program(instance, location)?.statements ?? [];
    }

    summands(): number[] {
        return this.#summandsAt.flatMap((byLocation, instance) =>
            byLocation.flatMap((summands, location) =>
                this.#program(instance, location) === undefined ? [] : summands,
            ),
        );
    }

    #isUnobserved(index: number, neverFaults: boolean): boolean {
        const { participants } = this.#model.summands[index];
        const [participant] = participants;
        return (
            participants.length === 1 &&
            (neverFaults || !mayPartFault(participant, this.#model.cells)) &&
            isStraight(participant.body) &&
            this.#observation.isPrivate(participant)
        );
    }

    #program(instance: number, location: number): Program | undefined {
        const known = this.#programs[instance][location];
        if (known === 'open') {
            this.#closesCycle[instance].add(location);
            return undefined;
        }
        if (known !== undefined || location in this.#programs[instance]) {
            return known;
        }
        this.#programs[instance][location] = 'open';
        const built = this.#candidates[instance][location] ? this.#build(instance, location) : undefined;
        const program = this.#closesCycle[instance].has(location) ? undefined : built;
        this.#programs[instance][location] = program;
        return program;
    }

    /** One step is taken in each state: the tests of all of them are those of a decision tree. */
    #build(instance: number, location: number): Program | undefined {
        const offers = this.#summandsAt[instance][location].map(summand => {
            const [participant] = this.#model.summands[summand].participants;
            // The first test is that of the program counter.
            return { participant, rest: participant.path.slice(1) };
        });
        return this.#decide(offers);
    }

    #decide(offers: readonly { participant: Participant; rest: readonly PathElement[] }[]): Program | undefined {
        const [first] = offers;
        const { participant, rest } = first;
        const [next] = rest;
        if (next?.kind !== 'test') {
            return offers.length === 1 && rest.every(({ kind }) => kind === 'assign')
                ? this.#leaf(participant, rest)
                : undefined;
        }
        const { cells } = this.#model;
        const positive = keyOf(next.condition, cells);
        const negative = keyOf(negation(next.condition, participant.range), cells);
        const then: (typeof first)[] = [];
        const otherwise: (typeof first)[] = [];
        for (const offer of offers) {
            const [test, ...others] = offer.rest;
            const key = test?.kind === 'test' ? keyOf(test.condition, cells) : undefined;
            if (key !== positive && key !== negative) {
                return undefined;
            }
            (key === positive ? then : otherwise).push({ participant: offer.participant, rest: others });
        }
        const whenTrue = otherwise.length === 0 ? undefined : this.#decide(then);
        const whenFalse = whenTrue === undefined ? undefined : this.#decide(otherwise);
        if (whenTrue === undefined || whenFalse === undefined) {
            return undefined;
        }
        const size = 1 + whenTrue.size + whenFalse.size;
        const { range } = participant;
        const { condition } = next;
        return size > MOST_STATEMENTS
            ? undefined
            : {
                  statements: [
                      { kind: 'if', condition, then: whenTrue.statements, otherwise: whenFalse.statements, range },
                  ],
                  size,
              };
    }

    #leaf({ instance, target, body }: Participant, initializations: readonly PathElement[]): Program | undefined {
        const before = initializations.flatMap((element): SequentialStatement[] =>
            element.kind === 'assign' ? [{ ...element, target: { kind: 'cell', cell: element.cell } }] : [],
        );
        const follows = this.#program(instance, target);
        const statements = [...before, ...body, ...(follows?.statements ?? [])];
        const size = before.length + body.length + (follows?.size ?? 0);
        return size > MOST_STATEMENTS ? undefined : { statements, size };
    }
}

/** Without loops, which may not end, and without writes to an element that an index chooses. */
function isStraight(body: readonly SequentialStatement[]): boolean {
    let isSo = true;
    forEachSequentialStatement(body, statement => {
        isSo &&= statement.kind !== 'while' && (statement.kind !== 'assign' || statement.target.kind === 'cell');
    });
    return isSo;
}

function keyOf(expression: SequentialExpression, cells: readonly Cell[]): string {
    return printExpression(expression, cells);
}

/** The instances that use each cell, and the locations of each instance that others observe. */
class Observation {
    readonly #model: SequentialModel;
    /** By cell: the one instance in whose part of a step it is read, `SEVERAL`, or `NOBODY`; and where it is written. */
    readonly #reader: Int32Array;
    readonly #writer: Int32Array;
    /** Cells that invariants read, but for comparisons of a program counter with a location. */
    readonly #observed = new Set<number>();
    /** By the cell of a program counter: locations with which others, or invariants, compare it. */
    readonly #locations = new Map<number, Set<number>>();

    constructor(model: SequentialModel) {
        this.#model = model;
        this.#reader = new Int32Array(model.cells.length).fill(NOBODY);
        this.#writer = new Int32Array(model.cells.length).fill(NOBODY);
        model.instances.forEach(({ counter }) => this.#locations.set(counter, new Set()));
        for (const { participants } of model.summands) {
            for (const participant of participants) {
                this.#addParticipant(participant);
            }
        }
        for (const { expression } of [...model.invariants, ...(model.constraint ? [model.constraint] : [])]) {
            this.#addReads(expression, cell => this.#observed.add(cell));
        }
    }

    /** Whether no other instance observes the participant, or changes what it reads. */
    isPrivate(participant: Participant): boolean {
        const { instance, source, target } = participant;
        const written = cellsWrittenBy(participant);
        const isOwn = (user: number): boolean => user === NOBODY || user === instance;
        const locations = this.#locations.get(this.#model.instances[instance].counter);
        let readsOwn = true;
        forEachExpressionOf(participant, expression => {
            readsOwn &&= supportOf(expression).every(cell => isOwn(this.#writer[cell]));
        });
        return (
            readsOwn &&
            written.every(
                cell => isOwn(this.#reader[cell]) && isOwn(this.#writer[cell]) && !this.#observed.has(cell),
            ) &&
            locations?.has(source) !== true &&
            locations?.has(target) !== true
        );
    }

    #addParticipant(participant: Participant): void {
        const { instance } = participant;
        const use = (users: Int32Array, cell: number): void => {
            users[cell] = users[cell] === NOBODY || users[cell] === instance ? instance : SEVERAL;
        };
        cellsWrittenBy(participant).forEach(cell => {
            use(this.#writer, cell);
        });
        forEachExpressionOf(participant, expression => {
            this.#addReads(
                expression,
                cell => {
                    use(this.#reader, cell);
                },
                this.#model.instances[instance].counter,
            );
        });
    }

    /** `own` is a program counter that the reader may compare with whatever it wants. */
    #addReads(expression: SequentialExpression, use: (cell: number) => void, own = -1): void {
        // Expressions share their parts.
        const seen = new Set<SequentialExpression>();
        const visit = (part: SequentialExpression): void => {
            if (seen.has(part)) {
                return;
            }
            seen.add(part);
            const compared = comparedWithConstant(part);
            const locations = compared === undefined ? undefined : this.#locations.get(compared.cell);
            if (compared !== undefined && locations !== undefined && compared.cell !== own) {
                locations.add(compared.constant);
                return;
            }
            if (part.kind === 'cell') {
                use(part.cell);
            } else if (part.kind === 'element') {
                part.cells.forEach(use);
            }
            operandsOf(part).forEach(visit);
        };
        visit(expression);
    }
}

const NOBODY = -1;
const SEVERAL = -2;

/** The cell and the constant of a comparison of both. */
function comparedWithConstant(expression: SequentialExpression): { cell: number; constant: number } | undefined {
    if (expression.kind !== 'binary' || (expression.operator !== '==' && expression.operator !== '!=')) {
        return undefined;
    }
    const { left, right } = expression;
    return left.kind === 'cell' && right.kind === 'constant' ? { cell: left.cell, constant: right.value } : undefined;
}

/*
 * Such a step reads no cell that another instance writes, and writes no cell that another instance or an invariant
 * uses. A comparison of the program counter with a location does not observe moves between two others.
 *
 * Why verdicts stay: a step from a transient location commutes with every other step, faults included, and changes the
 * truth of no invariant; a state in which it can be taken is no deadlock. So from each state of a run such steps lead
 * to an image of a stored state, which shows the same. Images of such steps under symmetries only have to commute and
 * to change no truth, as they do, so it does not matter which of several symmetric locations are transient. A trace is
 * put together from the steps of the model (explore/run-steps.ts).
 */
