/**
 * Reset of dead variables: a cell holds no value in states where it is dead (live-cells.ts), as the language defines
 * for a dead local. A step clears the cells that it writes, or that one of its processes was the last to need, if they
 * are dead after it. If other instances may need them, the step tests where these are. [FernandezEtAl2003]
 */
import { NOWHERE } from '../common/source-range.js';
import { cellsWrittenBy } from '../sequential/cell-access.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { printExpression } from '../sequential/print.js';
import type {
    InitialCell,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
    Summand,
} from '../sequential/sequential-model.js';
import { conjunction, constant, disjunction, FALSE, isFalse, isTrue } from '../sequential/expression/simplify.js';
import { cellsUsedInBody, LiveCells } from './live-cells.js';

export interface Resetting {
    /** Its summands have the numbers of those of the model before. */
    readonly model: SequentialModel;
    /** The cells that may hold no value where they held one before. */
    readonly reset: ReadonlySet<number>;
}

/** The invariants of the model are those that are checked; `symmetries` are those that reduce the search. */
export function resetDeadCells(model: SequentialModel, symmetries: readonly LiteralImage[]): Resetting {
    const live = new LiveCells(model, symmetries);
    const resets = new Resets(model, live);
    const summands = model.summands.map(summand => resets.withResets(summand));
    const initial = model.initial.map((entry): InitialCell => {
        if (live.isLiveInitially(entry.cell) || entry.value.kind === 'none') {
            return entry;
        }
        resets.cells.add(entry.cell);
        return { cell: entry.cell, value: { kind: 'none' } };
    });
    const { cells: reset } = resets;
    // All that can be dead, which is closed under the symmetries: cells that change places are stored alike.
    const cells = model.cells.map((cell, index) => (live.isAlwaysLive(index) ? cell : { ...cell, mayBeAbsent: true }));
    return { model: reset.size === 0 ? model : { ...model, cells, summands, initial }, reset };
}

class Resets {
    /** Those that are reset by some step so far. */
    readonly cells = new Set<number>();
    readonly #model: SequentialModel;
    readonly #live: LiveCells;
    /** By instance and location, the cells that are live there but not everywhere. */
    readonly #liveAt: readonly (readonly number[][])[];

    constructor(model: SequentialModel, live: LiveCells) {
        this.#model = model;
        this.#live = live;
        this.#liveAt = model.instances.map(({ locations }) => locations.map(() => []));
        for (const cell of model.cells.keys()) {
            if (!live.isAlwaysLive(cell)) {
                for (const [instance, locations] of live.locationsOf(cell)) {
                    locations.forEach(location => this.#liveAt[instance][location].push(cell));
                }
            }
        }
    }

    /** The step, and at the end of it no value for what is dead after it and may have one. */
    withResets(summand: Summand): Summand {
        const { participants } = summand;
        const candidates = new Set(participants.flatMap(cellsWrittenBy));
        for (const { instance, source } of participants) {
            this.#liveAt[instance][source].forEach(cell => candidates.add(cell));
        }
        const users = participants.length === 1 ? [] : participants.map(cellsUsedInBody);
        /** By participant; what is dead under one condition is cleared together. */
        const cleared = participants.map(() => new Map<string, Reset>());
        for (const cell of candidates) {
            const condition = this.#isDeadAfter(summand, cell);
            const user = Math.max(
                0,
                users.findIndex(used => used.has(cell)),
            );
            if (!isFalse(condition) && !isCleared(participants[user], cell)) {
                const key = printExpression(condition, this.#model.cells);
                const reset = cleared[user].get(key) ?? { condition, clears: [] };
                reset.clears.push({ kind: 'clear', cell });
                cleared[user].set(key, reset);
                this.cells.add(cell);
            }
        }
        if (cleared.every(({ size }) => size === 0)) {
            return summand;
        }
        return {
            ...summand,
            participants: participants.map((participant, index): Participant => {
                const { body, range } = participant;
                const resets = [...cleared[index].values()].flatMap(({ condition, clears }): SequentialStatement[] =>
                    isTrue(condition) ? clears : [{ kind: 'if', condition, then: clears, otherwise: [], range }],
                );
                return { ...participant, body: [...body, ...resets] };
            }),
        };
    }

    /** Whether the cell is dead after the step, by the program counters of the instances that do not take part in it. */
    #isDeadAfter({ participants }: Summand, cell: number): SequentialExpression {
        if (participants.some(({ instance, target }) => this.#live.isLiveAt(cell, instance, target))) {
            return FALSE;
        }
        const others = [...this.#live.locationsOf(cell)].filter(
            ([instance]) => !participants.some(participant => participant.instance === instance),
        );
        return conjunction(
            others.map(([instance, locations]) => this.#isElsewhere(instance, locations)),
            NOWHERE,
        );
    }

    /** Whether an instance is at none of these locations. */
    #isElsewhere(instance: number, locations: ReadonlySet<number>): SequentialExpression {
        const { counter, locations: all } = this.#model.instances[instance];
        const compare = (operator: '==' | '!=', location: number): SequentialExpression => {
            const left: SequentialExpression = { kind: 'cell', cell: counter, range: NOWHERE };
            return { kind: 'binary', operator, left, right: constant(location), range: NOWHERE };
        };
        const others = [...all.keys()].filter(location => !locations.has(location));
        return locations.size <= others.length
            ? conjunction(
                  [...locations].map(location => compare('!=', location)),
                  NOWHERE,
              )
            : disjunction(
                  others.map(location => compare('==', location)),
                  NOWHERE,
              );
    }
}

interface Reset {
    readonly condition: SequentialExpression;
    readonly clears: SequentialStatement[];
}

/** Whether the step clears a local of its own, which is dead after it. */
function isCleared({ body }: Participant, cell: number): boolean {
    return body.some(statement => statement.kind === 'clear' && statement.cell === cell);
}

/*
 * Why this is sound: let r(s) be s without the values of its dead cells. Two states with one r agree on every cell that
 * can be read before it is written, and on what properties read; so their firings agree on these, faults included, and
 * r is the same after them. So each step s → t of the model is a step r(s) → r(t) here, and there are no others.
 *
 * Every symmetry leaves NO_VALUE alone and maps what is dead in a state to what is dead in its image. So r(g(s)) =
 * g(r(s)) for each symmetry g: symmetries of the model are symmetries of the result.
 */
