/**
 * Where cells are live: live-variable analysis over the processes of a model, for each element of an array by itself. A
 * cell is live at a location of an instance if some steps from there let the instance read it before one is sure to
 * write it. It is dead in a state if it is live at no location where an instance is. Cells that properties, `may stop`
 * or initial values read, or that the bodies of two processes use in one step, are live everywhere. O((live pairs of a
 * cell and a location) · (steps to the location + symmetries)).
 */
import { cellsWrittenBy, forEachReadBeforeWrite, supportOf } from '../sequential/cell-access.js';
import { expressionsOfInitial } from '../sequential/initial-cells.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import type { Participant, SequentialModel } from '../sequential/sequential-model.js';
import { mayInitialValueFail } from './knowledge.js';

/** The first location of every instance. */
const INITIAL_LOCATION = 0;

export class LiveCells {
    readonly #model: SequentialModel;
    readonly #symmetries: readonly LiteralImage[];
    /** By cell; 1 where it is dead in no state. Closed under the symmetries. */
    readonly #isAlwaysLive: Uint8Array;
    /** By cell: instances with the locations where it is live. Not kept up for a cell that is always live. */
    readonly #locations: readonly Map<number, Set<number>>[];
    /** By cell of a program counter. */
    readonly #instanceOf: ReadonlyMap<number, number>;

    /** Invariants of the model are those that are checked. */
    constructor(model: SequentialModel, symmetries: readonly LiteralImage[]) {
        this.#model = model;
        this.#symmetries = symmetries;
        this.#isAlwaysLive = new Uint8Array(model.cells.length);
        this.#locations = model.cells.map(() => new Map<number, Set<number>>());
        this.#instanceOf = new Map(model.instances.map(({ counter }, instance) => [counter, instance]));
        this.#keepWhatIsAlwaysRead();
        this.#flow();
        this.#keepInitial();
    }

    isAlwaysLive(cell: number): boolean {
        return this.#isAlwaysLive[cell] === 1;
    }

    isLiveAt(cell: number, instance: number, location: number): boolean {
        return this.isAlwaysLive(cell) || this.#locations[cell].get(instance)?.has(location) === true;
    }

    /** For a cell that is not always live: the instances at some of whose locations it is live, with these. */
    locationsOf(cell: number): ReadonlyMap<number, ReadonlySet<number>> {
        return this.#locations[cell];
    }

    isLiveInitially(cell: number): boolean {
        return (
            this.isAlwaysLive(cell) ||
            [...this.#locations[cell].values()].some(locations => locations.has(INITIAL_LOCATION))
        );
    }

    #keepWhatIsAlwaysRead(): void {
        const { cells, instances, invariants, constraint, summands } = this.#model;
        cells.forEach(({ kind }, cell) => {
            if (kind !== 'shared' && kind !== 'local') {
                this.#keep(cell);
            }
        });
        for (const expression of [
            ...invariants.map(invariant => invariant.expression),
            ...(constraint === undefined ? [] : [constraint.expression]),
            ...instances.map(({ mayStop }) => mayStop),
        ]) {
            supportOf(expression).forEach(cell => {
                this.#keep(cell);
            });
        }
        // In a joint step a participant must not reset a cell that another one uses.
        for (const { participants } of summands) {
            const used = new Set<number>();
            for (const participant of participants.length > 1 ? participants : []) {
                const own = cellsUsedInBody(participant);
                own.forEach(cell => {
                    if (used.has(cell)) {
                        this.#keep(cell);
                    }
                });
                own.forEach(cell => used.add(cell));
            }
        }
    }

    /** The least fixpoint. */
    #flow(): void {
        const { instances, summands } = this.#model;
        /** By instance and location: where steps come from, and the cells that they are sure to write. */
        const arrivals = instances.map(({ locations }) =>
            locations.map(() => [] as { readonly source: number; readonly written: ReadonlySet<number> }[]),
        );
        const open: (readonly [cell: number, instance: number, location: number])[] = [];
        const mark = (cell: number, instance: number, location: number): void => {
            if (this.isLiveAt(cell, instance, location)) {
                return;
            }
            const locations = this.#locations[cell].get(instance) ?? new Set();
            this.#locations[cell].set(instance, locations.add(location));
            if (locations.size === instances[instance].locations.length) {
                this.#keep(cell);
            } else {
                open.push([cell, instance, location]);
            }
        };
        for (const { participants } of summands) {
            const written = new Set<number>();
            for (const participant of participants) {
                const { instance, source, target } = participant;
                forEachReadFirst(participant, written, cell => {
                    mark(cell, instance, source);
                });
                arrivals[instance][target].push({ source, written });
            }
        }
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            const [cell, instance, location] = next;
            for (const { source, written } of arrivals[instance][location]) {
                if (!written.has(cell)) {
                    mark(cell, instance, source);
                }
            }
            const { counter } = instances[instance];
            for (const { cells, codeOf } of this.#symmetries) {
                const image = this.#instanceOf.get(cells[counter]);
                const imageLocation = codeOf(counter, location);
                if (image === undefined) {
                    this.#keep(cells[cell]);
                } else if (imageLocation !== undefined) {
                    mark(cells[cell], image, imageLocation);
                }
            }
        }
    }

    /** What is dead at first gets no value; unless others get theirs from it, or it is not sure to have one. */
    #keepInitial(): void {
        const { cells, initial, initialConditions } = this.#model;
        const read = new Set([...initial.flatMap(expressionsOfInitial), ...initialConditions].flatMap(supportOf));
        for (const entry of initial) {
            if (!this.isLiveInitially(entry.cell) && (read.has(entry.cell) || mayInitialValueFail(entry, cells))) {
                this.#keep(entry.cell);
            }
        }
    }

    /** For ever, and all that is symmetric to it. */
    #keep(cell: number): void {
        const open = [cell];
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            if (this.#isAlwaysLive[next] === 0) {
                this.#isAlwaysLive[next] = 1;
                open.push(...this.#symmetries.map(({ cells }) => cells[next]));
            }
        }
    }
}

/** Adds to `written` what the participant is sure to write, and visits what it may read before it has done so. */
function forEachReadFirst({ path, body }: Participant, written: Set<number>, visit: (cell: number) => void): void {
    const own = new Set<number>();
    const read = (cell: number): void => {
        if (!own.has(cell)) {
            visit(cell);
        }
    };
    for (const element of path) {
        supportOf(element.kind === 'test' ? element.condition : element.value).forEach(read);
        if (element.kind === 'assign') {
            own.add(element.cell);
        }
    }
    forEachReadBeforeWrite(body, own, visit);
    own.forEach(cell => written.add(cell));
}

/** The cells that the body of a participant reads or writes, and those that its way writes. */
export function cellsUsedInBody(participant: Participant): ReadonlySet<number> {
    const used = new Set(cellsWrittenBy(participant));
    forEachReadBeforeWrite(participant.body, new Set(), cell => used.add(cell));
    return used;
}

/*
 * The locations are closed under the symmetries in use: if x is live at l, the image of x is live at the image of l. So
 * a symmetry maps what is dead in a state to what is dead in its image, however the texts of symmetric steps differ. It
 * is the least fixpoint of both, since what is live at the image of l is live before it.
 */
