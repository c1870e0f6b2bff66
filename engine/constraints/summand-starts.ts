/** The codes of a summand's cells where it starts, by what is known of all cells and of locals at locations. */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { listedCells, presentCodes, UNLISTED } from './code-flow.js';
import type { Domains } from './formula.js';
import { toLocalCodes, type CodeLists } from './fragment.js';
import type { PreparedSummands } from './prepared-summand.js';

/** The codes that occur. */
export interface OccurringCodes {
    /** For each cell, ascending. */
    readonly domains: Domains;
    /** `localCodes[instance][location]` maps the locals to their codes there; undefined where no control comes. */
    readonly localCodes: readonly (readonly (LocalCodes | undefined)[])[];
}

/** Of the locals of an instance at one of its locations. */
export type LocalCodes = ReadonlyMap<number, readonly number[]>;

/** The codes of the cells of a summand where it starts. */
export interface SummandDomains {
    /** Of the cells of its fragment, in their order. */
    readonly codes: readonly (readonly number[])[];
    /** The same as the fragment calls them. */
    readonly localCodes: readonly (readonly number[])[];
    /** Whether its tests can all hold over them. */
    readonly canFire: boolean;
}

/** Stands for the codes of a cell that are not asked for. */
const LISTED: readonly number[] = [0];

/** What summands see of `occurring`, also while that still grows. */
export class SummandStarts {
    private readonly sequential: SequentialModel;
    private readonly summands: PreparedSummands;
    private readonly occurring: OccurringCodes;
    private readonly isListed: readonly boolean[];

    constructor(sequential: SequentialModel, summands: PreparedSummands, occurring: OccurringCodes) {
        this.sequential = sequential;
        this.summands = summands;
        this.occurring = occurring;
        this.isListed = listedCells(sequential.cells);
    }

    /** Undefined where a participant never gets to its location. */
    of(index: number, lists: CodeLists): SummandDomains | undefined {
        const { place, view, owners, carried } = this.summands.of(index);
        const { domains, localCodes } = this.occurring;
        const entered = this.enter(index);
        if (entered === undefined) {
            return undefined;
        }
        const codes = place.cells.map((cell, local) => {
            if (view.isRead[local] === 1) {
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

    /** The codes of the cells that are read, as the fragment calls them. Undefined where the summand never starts. */
    enter(index: number): Domains | undefined {
        const { participants } = this.sequential.summands[index];
        const { localCodes } = this.occurring;
        if (participants.some(({ instance, source }) => localCodes[instance][source] === undefined)) {
            return undefined;
        }
        const { place, view, owners } = this.summands.of(index);
        return place.cells.map((cell, local) => {
            if (view.isRead[local] !== 1) {
                return this.isListed[cell] ? LISTED : UNLISTED;
            }
            const codes = this.isOwnCounter(cell, owners[local])
                ? [participants[owners[local]].source]
                : this.readable(index, local);
            return toLocalCodes(place, local, codes);
        });
    }

    /** A program counter says nothing but where its summand starts. */
    isOwnCounter(cell: number, owner: number): boolean {
        return owner >= 0 && this.sequential.cells[cell].kind === 'counter';
    }

    /** The codes that a cell has where a summand reads it. */
    private readable(index: number, local: number): readonly number[] {
        const { place, owners } = this.summands.of(index);
        const { domains, localCodes } = this.occurring;
        const cell = place.cells[local];
        const owner = this.sequential.summands[index].participants.at(owners[local]);
        const codes = owners[local] < 0 || owner === undefined ? undefined : localCodes[owner.instance][owner.source];
        return presentCodes(this.sequential.cells[cell], codes?.get(cell) ?? domains[cell]);
    }
}
