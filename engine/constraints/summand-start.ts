/** The values of cells where a summand starts: all that occur for a shared cell, for a local those at its location. */
import type { Cell, Participant, SequentialModel } from '../sequential/sequential-model.js';
import type { Domains } from './formula.js';
import { toLocalCodes, type PlacedFragment } from './fragment.js';
import type { CodeLists } from './code-lists.js';
import { listedCells, presentCodes, UNLISTED } from './possible-values.js';

/** The codes that occur. */
export interface OccurringCodes {
    /** For each cell, ascending. */
    readonly domains: Domains;
    /** `localCodes[instance][location]` maps the locals to their codes there; undefined where control never gets to. */
    readonly localCodes: readonly (readonly (ReadonlyMap<number, readonly number[]> | undefined)[])[];
}

/** The codes of the cells of a summand where it starts. */
export interface SummandDomains {
    /** Of the cells of its fragment, in their order. */
    readonly codes: readonly (readonly number[])[];
    /** The same, numbered as in the fragment. */
    readonly localCodes: readonly (readonly number[])[];
    /** Whether its tests can all hold over them. */
    readonly canFire: boolean;
}

/** A summand and what its cells are in the model. */
interface PreparedSummand {
    readonly place: PlacedFragment;
    /** `owners[i]` is the participant whose local `cells[i]` is; -1 for any other cell. */
    readonly owners: readonly number[];
    /** Local cells that it reads and writes and that are not locals of its participants. */
    readonly carried: readonly number[];
    /** For each participant the numbers that the locals of its instance have in the fragment; -1 where one has none. */
    readonly locals: readonly (readonly number[])[];
}

/** Stands for the codes of a cell whose codes do not matter. */
const LISTED: readonly number[] = [0];

/** The starts of the summands of one model, over codes that may still grow. */
export class SummandStarts {
    /** `localsOf[instance]` are the cells of its locals, ascending. */
    readonly localsOf: readonly (readonly number[])[];
    private readonly sequential: SequentialModel;
    private readonly placed: readonly PlacedFragment[];
    private readonly occurring: OccurringCodes;
    private readonly isListed: readonly boolean[];
    private readonly prepared: PreparedSummand[] = [];
    /** The number of a cell in the fragment that is being prepared; -1 outside it. */
    private readonly numberOf: Int32Array;

    constructor(sequential: SequentialModel, placed: readonly PlacedFragment[], occurring: OccurringCodes) {
        this.sequential = sequential;
        this.placed = placed;
        this.occurring = occurring;
        this.isListed = listedCells(sequential.cells);
        this.localsOf = localsOfInstances(sequential);
        this.numberOf = new Int32Array(sequential.cells.length).fill(-1);
    }

    /** Undefined where a participant never gets to its location. */
    of(index: number, lists: CodeLists): SummandDomains | undefined {
        const { place, owners, carried } = this.prepare(index);
        const { domains, localCodes } = this.occurring;
        const entered = this.enter(index);
        if (entered === undefined) {
            return undefined;
        }
        const codes = place.cells.map((cell, local) => {
            if (place.transition.isRead[local] === 1) {
                return this.readable(index, local);
            }
            const owner = this.sequential.summands[index].participants[owners[local]];
            return (owner && localCodes[owner.instance][owner.source]?.get(cell)) ?? domains[cell];
        });
        return {
            codes,
            localCodes: codes.map((list, local) => toLocalCodes(place, local, list)),
            canFire: place.transition.firings.of(entered, carried, lists) !== 'never',
        };
    }

    /** The codes of the cells that are read, numbered as in the fragment. Undefined where the summand never starts. */
    enter(index: number): Domains | undefined {
        const { participants } = this.sequential.summands[index];
        const { localCodes } = this.occurring;
        if (participants.some(({ instance, source }) => localCodes[instance][source] === undefined)) {
            return undefined;
        }
        const { place, owners } = this.prepare(index);
        return place.cells.map((cell, local) => {
            if (place.transition.isRead[local] !== 1) {
                return this.isListed[cell] ? LISTED : UNLISTED;
            }
            const codes = this.isOwnCounter(cell, owners[local])
                ? [participants[owners[local]].source]
                : this.readable(index, local);
            return toLocalCodes(place, local, codes);
        });
    }

    /** Whether the cell is the program counter of a participant: it has one value where the summand starts. */
    isOwnCounter(cell: number, owner: number): boolean {
        return owner >= 0 && this.sequential.cells[cell].kind === 'counter';
    }

    prepare(index: number): PreparedSummand {
        return (this.prepared[index] ??= this.prepareAnew(
            this.placed[index],
            this.sequential.summands[index].participants,
        ));
    }

    private prepareAnew(place: PlacedFragment, participants: readonly Participant[]): PreparedSummand {
        const { numberOf } = this;
        const { cells } = this.sequential;
        const owners = ownersOf(place, cells, participants);
        place.cells.forEach((cell, local) => (numberOf[cell] = local));
        const locals = participants.map(({ instance }) => this.localsOf[instance].map(cell => numberOf[cell]));
        place.cells.forEach(cell => (numberOf[cell] = -1));
        const { reads, effects } = place.transition.transition;
        const carried = reads.filter(
            local => effects.has(local) && owners[local] < 0 && cells[place.cells[local]].kind !== 'temporary',
        );
        return { place, owners, carried, locals };
    }

    /** The codes that a cell has where a summand reads it. */
    private readable(index: number, local: number): readonly number[] {
        const { place, owners } = this.prepare(index);
        const { domains, localCodes } = this.occurring;
        const cell = place.cells[local];
        const owner = this.sequential.summands[index].participants.at(owners[local]);
        const codes = owners[local] < 0 || owner === undefined ? undefined : localCodes[owner.instance][owner.source];
        return presentCodes(this.sequential.cells[cell], codes?.get(cell) ?? domains[cell]);
    }
}

/** For each cell of a summand the participant whose local or program counter it is; -1 for any other cell. */
function ownersOf(
    { cells: own }: PlacedFragment,
    cells: readonly Cell[],
    participants: readonly Participant[],
): number[] {
    return own.map(cell =>
        cells[cell].instance < 0 ? -1 : participants.findIndex(({ instance }) => instance === cells[cell].instance),
    );
}

function localsOfInstances({ cells, instances }: SequentialModel): readonly (readonly number[])[] {
    const localsOf: number[][] = instances.map(() => []);
    cells.forEach((cell, index) => {
        if (cell.kind === 'local') {
            localsOf[cell.instance].push(index);
        }
    });
    return localsOf;
}
