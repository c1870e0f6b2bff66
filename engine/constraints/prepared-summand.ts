/** Summands as the fixpoint of reachable-domains.ts looks at them: which of their cells are read, written, or locals. */
import type { Cell, Participant, SequentialModel } from '../sequential/sequential-model.js';
import type { PlacedFragment, PreparedTransition } from './fragment.js';

/** A summand and what its cells are here. */
export interface PreparedSummand {
    readonly place: PlacedFragment;
    /** `owners[i]` is the participant whose local `cells[i]` is; -1 for any other cell. */
    readonly owners: readonly number[];
    readonly view: TransitionView;
    /** Local cells that it reads and writes and that are not locals of its participants. */
    readonly carried: readonly number[];
    /** For each participant the numbers that the locals of its instance have in the fragment; -1 where one has none. */
    readonly locals: readonly (readonly number[])[];
}

/** Which cells of a fragment are read and written, wherever it is placed. */
interface TransitionView {
    /** `isRead[i]` is 1 for the local cells that are read. */
    readonly isRead: Uint8Array;
    /** `effectOf[i]` is the effect on the local cell i; -1 where it is not written. */
    readonly effectOf: Int32Array;
    /** The local cells that are written, in the order of the effects. */
    readonly written: readonly number[];
}

/** The summands of one model, each prepared when it is first asked for. */
export class PreparedSummands {
    /** `localsOf[instance]` are the cells of its locals, ascending. */
    readonly localsOf: readonly (readonly number[])[];
    private readonly sequential: SequentialModel;
    private readonly placed: readonly PlacedFragment[];
    private readonly summands: PreparedSummand[] = [];
    private readonly views = new Map<PreparedTransition, TransitionView>();
    /** The number of a cell in the fragment that is being prepared; -1 outside it. */
    private readonly numberOf: Int32Array;

    constructor(sequential: SequentialModel, placed: readonly PlacedFragment[]) {
        this.sequential = sequential;
        this.placed = placed;
        this.localsOf = localsOfInstances(sequential);
        this.numberOf = new Int32Array(sequential.cells.length).fill(-1);
    }

    of(index: number): PreparedSummand {
        return (this.summands[index] ??= this.prepare(
            this.placed[index],
            this.sequential.summands[index].participants,
        ));
    }

    private prepare(place: PlacedFragment, participants: readonly Participant[]): PreparedSummand {
        const { numberOf } = this;
        const { cells } = this.sequential;
        const owners = ownersOf(place, cells, participants);
        place.cells.forEach((cell, local) => (numberOf[cell] = local));
        const locals = participants.map(({ instance }) => this.localsOf[instance].map(cell => numberOf[cell]));
        place.cells.forEach(cell => (numberOf[cell] = -1));
        return { place, owners, view: this.viewOf(place), carried: carriedBy(place, cells, owners), locals };
    }

    private viewOf({ cells, transition: prepared }: PlacedFragment): TransitionView {
        let view = this.views.get(prepared);
        if (view === undefined) {
            const { reads, effects } = prepared.transition;
            const isRead = new Uint8Array(cells.length);
            reads.forEach(local => (isRead[local] = 1));
            const written = [...effects.keys()];
            const effectOf = new Int32Array(cells.length).fill(-1);
            written.forEach((local, effect) => (effectOf[local] = effect));
            view = { isRead, effectOf, written };
            this.views.set(prepared, view);
        }
        return view;
    }
}

/** For each cell of a summand the participant whose local or program counter it is; -1 for any other cell. */
export function ownersOf(
    { cells: own }: PlacedFragment,
    cells: readonly Cell[],
    participants: readonly Participant[],
): number[] {
    return own.map(cell =>
        cells[cell].instance < 0 ? -1 : participants.findIndex(({ instance }) => instance === cells[cell].instance),
    );
}

/** The local cells that a summand reads and writes and that are not those of its participants. */
export function carriedBy(
    { cells: own, transition: { transition } }: PlacedFragment,
    cells: readonly Cell[],
    owners: readonly number[],
): number[] {
    return transition.reads.filter(
        local => transition.effects.has(local) && owners[local] < 0 && cells[own[local]].kind !== 'temporary',
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
