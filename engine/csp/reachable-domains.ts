/**
 * Which codes each cell can have at all, and each local at each location of its instance: a sound fixpoint.
 *
 * Values that never occur make symmetries that mean nothing, so literals that provably cannot occur are left out; and
 * they make faults that cannot happen, so a local is looked at location by location (after `while k < N` the index
 * `turn[k]` is in range). It starts with the initial codes; a summand whose tests can hold over the current codes adds
 * the codes of its effects. Tests are narrowed together to a fixpoint, so that no order among them matters and the
 * result is as symmetric as the model. Where an expression reads too much to be evaluated for all assignments, every
 * code of the domain is added.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { Compiler } from '../sequential/evaluate.js';
import type { Cell, Participant, SequentialModel } from '../sequential/sequential-model.js';
import { CodeFlow, joined, KEPT, listedCells, presentCodes, union, UNLISTED, type Written } from './code-flow.js';
import { codesOfDomain } from './decompose.js';
import { EncodingStopped } from './encoding-limits.js';
import type { Domains } from './formula.js';
import { MOST_LOOKS, narrow } from './firing.js';
import {
    SharedExpression,
    toLocalCodes,
    toModelCodes,
    type CodeLists,
    type PlacedFragment,
    type PreparedTransition,
} from './fragment.js';
import { conjunctsOf, supportOf } from './resolve.js';
import { same, sameControl, sameNumbers, samePlace, sameRenaming, sameStart } from './same-behavior.js';

/** After this many rounds a cell that still grows gets all its codes; where many codes are looked at, after fewer. */
const MOST_ROUNDS = 400;

/** One summand of a round: the codes it writes, and those of its participants' locals afterwards. */
interface RoundFiring {
    readonly index: number;
    readonly written: readonly (readonly [cell: number, codes: readonly number[]])[];
    /** For each participant the codes of the locals of its instance, in their order. */
    readonly localsAfter: readonly (readonly (readonly number[])[])[];
    readonly isEndless: boolean;
}

/** A summand and what its cells are here. */
interface PreparedSummand {
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

export interface ReachableDomains {
    /** For each cell the codes it can have, ascending. */
    readonly domains: Domains;
    /**
     * The same where a summand may fire: the locals of its participants have what they can have at their locations.
     * Undefined where a participant never gets to its location.
     */
    at(summand: number): SummandDomains | undefined;
    /** Whether the control of an instance may come to one of its locations. */
    reaches(instance: number, location: number): boolean;
    /** How they were found. */
    readonly course: Course;
}

/** What the rounds have come to, and what every summand was asked on the way. */
interface Course {
    readonly sequential: SequentialModel;
    readonly placed: readonly PlacedFragment[];
    readonly domains: Domains;
    readonly localCodes: (LocalCodes | undefined)[][];
    /** For each summand the codes over which it was fired, as its fragment calls them. */
    readonly firedOver: readonly Domains[][];
    /** What `at` has said of summands. */
    readonly starts: Map<PlacedFragment, SummandDomains | undefined>;
}

/** Of the locals of an instance at one of its locations. */
type LocalCodes = Map<number, readonly number[]>;

export interface SummandDomains {
    /** Of the cells of its fragment, in their order. */
    readonly codes: readonly (readonly number[])[];
    /** The same as the fragment calls them. */
    readonly localCodes: readonly (readonly number[])[];
    /** Whether its tests can all hold over them. */
    readonly canFire: boolean;
}

/**
 * `placed` are the fragments of the summands; `lists` belongs to the same cache. Where every round would go as it went
 * for the model `before`, none is gone through again.
 */
export function reachableDomains(
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
    limit: WorkLimit,
    before?: ReachableDomains,
): ReachableDomains {
    const { cells, instances, summands } = sequential;
    const isListed = listedCells(cells);
    // No closure holds `before`, else every analysis would keep the one before it.
    const known =
        before !== undefined && goesAlike(before.course, sequential, placed, lists) ? before.course : undefined;
    const domains: (readonly number[])[] = [...(known?.domains ?? isListed.map(listed => (listed ? [] : UNLISTED)))];
    const flow = new CodeFlow(cells, new Compiler(cells));
    const localsOf: number[][] = instances.map(() => []);
    cells.forEach((cell, index) => {
        if (cell.kind === 'local') {
            localsOf[cell.instance].push(index);
        }
    });
    /** `localCodes[instance][location]` maps the locals to their codes there; undefined before it is reached. */
    const localCodes = known?.localCodes ?? instances.map((): (LocalCodes | undefined)[] => []);
    const firedOver = known?.firedOver ?? placed.map((): Domains[] => []);
    const readers: number[][] = cells.map(() => []);
    const leaving: number[][][] = instances.map(instance => instance.locations.map(() => []));
    const numberOf = new Int32Array(cells.length).fill(-1);
    const preparations: PreparedSummand[] = [];
    const views = new Map<PreparedTransition, TransitionView>();
    const prepared = (index: number): PreparedSummand =>
        (preparations[index] ??= prepare(placed[index], summands[index].participants));
    const starts = new Map<PlacedFragment, SummandDomains | undefined>();
    if (known === undefined) {
        start();
        goOn();
    } else {
        for (const place of placed) {
            if (known.starts.has(place)) {
                starts.set(place, known.starts.get(place));
            }
        }
    }
    return {
        course: { sequential, placed, domains, localCodes, firedOver, starts },
        domains,
        at: summand => {
            const place = placed[summand];
            if (!starts.has(place)) {
                starts.set(place, startOf(summand));
            }
            return starts.get(place);
        },
        reaches: (instance, location) => localCodes[instance][location] !== undefined,
    };

    function startOf(summand: number): SummandDomains | undefined {
        const { place, view, owners, carried } = prepared(summand);
        const entered = enter(summand);
        if (entered === undefined) {
            return undefined;
        }
        const codes = place.cells.map((cell, local) => {
            if (view.isRead[local] === 1) {
                return readable(summand, local);
            }
            const owner = summands[summand].participants[owners[local]];
            return (owner && localCodes[owner.instance][owner.source]?.get(cell)) ?? domains[cell];
        });
        return {
            codes,
            localCodes: codes.map((list, local) => toLocalCodes(place, local, list)),
            canFire: place.transition.firings.of(entered, carried, lists) !== 'never',
        };
    }

    function start(): void {
        for (const { cell, value } of sequential.initial) {
            if (!isListed[cell]) {
                continue;
            }
            if (value.kind === 'none') {
                domains[cell] = [-1];
            } else if (value.kind === 'any') {
                domains[cell] = codesOfDomain(cells[cell].domain, false);
            } else if (value.kind === 'oneOf') {
                const values = value.expressions.map(expression => flow.possible(expression, cell, domains));
                domains[cell] = union(values).codes;
            } else {
                domains[cell] = flow.possible(value.expression, cell, domains).codes;
            }
        }
        narrowInitial();
        instances.forEach((_, instance) => {
            for (const location of initialLocations(instance)) {
                localCodes[instance][location] = new Map(localsOf[instance].map(cell => [cell, domains[cell]]));
            }
        });
    }

    /** In rounds: all summands of a round see the codes of the round before, so that no order among them matters. */
    function goOn(): void {
        placed.forEach((place, index) => {
            const { owners } = prepared(index);
            place.transition.transition.reads.forEach(local => {
                if (!isOwnCounter(place.cells[local], owners[local])) {
                    readers[place.cells[local]].push(index);
                }
            });
        });
        summands.forEach((summand, index) =>
            summand.participants.forEach(({ instance, source }) => leaving[instance][source].push(index)),
        );
        const looks = new Float64Array(summands.length);
        /** Those that have got more codes in this round: their readers are due already. */
        const changedCells = new Set<number>();
        let round = new Set(placed.keys());
        for (let number = 0; round.size > 0; number++) {
            const firings = Array.from(round, index => fire(index));
            round = new Set();
            changedCells.clear();
            for (const firing of firings) {
                if (firing !== undefined) {
                    const { index, isEndless } = firing;
                    looks[index] += placed[index].transition.firings.looksAt(firedOver[index].at(-1)!);
                    add(firing, number >= MOST_ROUNDS || isEndless || looks[index] > MOST_LOOKS, round, changedCells);
                }
            }
        }
    }

    function prepare(place: PlacedFragment, participants: readonly Participant[]): PreparedSummand {
        const owners = ownersOf(place, cells, participants);
        place.cells.forEach((cell, local) => (numberOf[cell] = local));
        const locals = participants.map(({ instance }) => localsOf[instance].map(cell => numberOf[cell]));
        place.cells.forEach(cell => (numberOf[cell] = -1));
        return { place, owners, view: viewOf(place), carried: carriedBy(place, cells, owners), locals };
    }

    function viewOf({ cells: own, transition: prepared }: PlacedFragment): TransitionView {
        let view = views.get(prepared);
        if (view === undefined) {
            const { reads, effects } = prepared.transition;
            const isRead = new Uint8Array(own.length);
            reads.forEach(local => (isRead[local] = 1));
            const written = [...effects.keys()];
            const effectOf = new Int32Array(own.length).fill(-1);
            written.forEach((local, effect) => (effectOf[local] = effect));
            view = { isRead, effectOf, written };
            views.set(prepared, view);
        }
        return view;
    }

    /** Leaves of the initial codes those with which what the initial states must satisfy can hold. */
    function narrowInitial(): void {
        const conditions = sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(conditions.flatMap(supportOf))];
        const current = domains.slice();
        const tests = conditions.map(
            test => new SharedExpression(test, (expression, over) => flow.supported(expression, over)),
        );
        if (narrow(tests, current, reads, lists)) {
            reads.forEach(cell => (domains[cell] = current[cell]));
        }
    }

    function initialLocations(instance: number): readonly number[] {
        const { counter, locations } = instances[instance];
        if (counter < 0) {
            return [0];
        }
        return isListed[counter] ? domains[counter] : [...locations.keys()];
    }

    /** What the summand can write, and what its locals can hold afterwards. */
    function fire(index: number): RoundFiring | undefined {
        if (limit.isExhausted()) {
            throw new EncodingStopped('the values that can occur are not known yet');
        }
        const { place, view, carried, locals } = prepared(index);
        const { isRead, effectOf } = view;
        const entered = enter(index);
        if (entered === undefined) {
            return undefined;
        }
        firedOver[index].push(entered);
        const firing = place.transition.firings.of(entered, carried, lists);
        if (firing === 'never' || firing.isFault) {
            return undefined;
        }
        const effects: [number, readonly number[]][] = [];
        view.written.forEach((local, effect) => {
            const here = firing.written[effect];
            if (here !== undefined) {
                effects.push([place.cells[local], toModelCodes(place, local, here.codes)]);
            }
        });
        const localsAfter = summands[index].participants.map(({ instance, source }, participant) => {
            const before = localCodes[instance][source];
            return localsOf[instance].map((cell, position) => {
                const local = locals[participant][position];
                const effect = local < 0 ? -1 : effectOf[local];
                const { codes, mayKeep } = (effect < 0 ? undefined : firing.written[effect]) ?? KEPT;
                const writes = local < 0 ? codes : toModelCodes(place, local, codes);
                if (!mayKeep) {
                    return writes;
                }
                const kept =
                    local >= 0 && isRead[local] === 1
                        ? toModelCodes(place, local, firing.kept[local])
                        : (before?.get(cell) ?? []);
                return writes.length === 0 ? kept : (joined(writes, kept) ?? writes);
            });
        });
        return { index, written: effects, localsAfter, isEndless: firing.isEndless };
    }

    /** Adds what a firing writes; whoever sees a new code is due in the next round. */
    function add(
        { index, written, localsAfter }: RoundFiring,
        widen: boolean,
        due: Set<number>,
        changedCells: Set<number>,
    ): void {
        for (const [cell, codes] of written) {
            const more = joined(domains[cell], codes);
            if (more !== undefined) {
                domains[cell] = widen ? widened(more, cell) : more;
                if (!changedCells.has(cell)) {
                    changedCells.add(cell);
                    readers[cell].forEach(reader => due.add(reader));
                }
            }
        }
        summands[index].participants.forEach(({ instance, target }, participant) => {
            const known = localCodes[instance][target];
            const here = known ?? new Map<number, readonly number[]>();
            localCodes[instance][target] = here;
            let changed = known === undefined;
            localsOf[instance].forEach((cell, position) => {
                const more = joined(here.get(cell) ?? [], localsAfter[participant][position]);
                if (more !== undefined && isListed[cell]) {
                    here.set(cell, widen ? widened(more, cell) : more);
                    changed = true;
                }
            });
            if (changed) {
                leaving[instance][target].forEach(next => due.add(next));
            }
        });
    }

    /** All codes of the cell: its values grow for too long to follow them one by one. */
    function widened(codes: readonly number[], cell: number): number[] {
        const all = codesOfDomain(cells[cell].domain, codes[0] === -1);
        domains[cell] = joined(domains[cell], all) ?? domains[cell];
        return all;
    }

    /** The codes of the cells of a summand where it starts, as its fragment calls them; undefined if it never starts. */
    function enter(index: number): Domains | undefined {
        const { participants } = summands[index];
        if (participants.some(({ instance, source }) => localCodes[instance][source] === undefined)) {
            return undefined;
        }
        const { place, view, owners } = prepared(index);
        return place.cells.map((cell, local) =>
            view.isRead[local] === 1
                ? toLocalCodes(
                      place,
                      local,
                      isOwnCounter(cell, owners[local]) ? [participants[owners[local]].source] : readable(index, local),
                  )
                : isListed[cell]
                  ? LISTED
                  : UNLISTED,
        );
    }

    /** A program counter says nothing but where its summand starts: this cannot change, and who comes there is in `leaving`. */
    function isOwnCounter(cell: number, owner: number): boolean {
        return owner >= 0 && cells[cell].kind === 'counter';
    }

    /** The codes that a cell has where a summand reads it. */
    function readable(index: number, local: number): readonly number[] {
        const { place, owners } = prepared(index);
        const cell = place.cells[local];
        const owner = summands[index].participants.at(owners[local]);
        const codes = owners[local] < 0 || owner === undefined ? undefined : localCodes[owner.instance][owner.source];
        return presentCodes(cells[cell], codes?.get(cell) ?? domains[cell]);
    }
}

/** Stands for the codes of a cell that are not asked for. */
const LISTED: readonly number[] = [0];

/**
 * Whether every round for a model goes as it went for another one: both begin alike, every summand sees the same cells,
 * and each that is new does the same as the one in its place, over all codes that this one was asked for. Then no round
 * is the first to go otherwise.
 */
function goesAlike(
    course: Course,
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
): boolean {
    const { summands } = course.sequential;
    return (
        placed.length === course.placed.length &&
        placed.every((place, summand) => {
            const other = course.placed[summand];
            const { participants } = sequential.summands[summand];
            return (
                sameControl(summands[summand], sequential.summands[summand]) &&
                (samePlace(other, place) ||
                    (sameView(other, place) &&
                        firesAlike(other, place, sequential.cells, participants, course.firedOver[summand], lists)))
            );
        }) &&
        sameStart(course.sequential, sequential)
    );
}

/** Whether two summands have the same cells, read the same ones and write the same ones. */
function sameView(first: PlacedFragment, second: PlacedFragment): boolean {
    const [a, b] = [first.transition.transition, second.transition.transition];
    return (
        sameNumbers(first.cells, second.cells) &&
        same(first.renamings, second.renamings, sameRenaming) &&
        sameNumbers(a.reads, b.reads) &&
        sameNumbers([...a.effects.keys()], [...b.effects.keys()])
    );
}

/** Whether two summands of the same view write the same over each of some codes, and leave the same in their own locals. */
function firesAlike(
    first: PlacedFragment,
    second: PlacedFragment,
    cells: readonly Cell[],
    participants: readonly Participant[],
    codes: readonly Domains[],
    lists: CodeLists,
): boolean {
    const owners = ownersOf(second, cells, participants);
    const carried = carriedBy(second, cells, owners);
    return codes.every(entered => {
        const [a, b] = [first, second].map(({ transition }) => transition.firings.of(entered, carried, lists));
        return (
            a === b ||
            (a !== 'never' &&
                b !== 'never' &&
                a.isFault === b.isFault &&
                a.isEndless === b.isEndless &&
                same(a.written, b.written, sameWritten) &&
                owners.every((owner, local) => owner < 0 || sameNumbers(a.kept[local] ?? [], b.kept[local] ?? [])))
        );
    });
}

function sameWritten(first: Written | undefined, second: Written | undefined): boolean {
    return first === undefined || second === undefined
        ? first === second
        : first.mayKeep === second.mayKeep && sameNumbers(first.codes, second.codes);
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

/** The local cells that a summand reads and writes and that are not those of its participants. */
function carriedBy(
    { cells: own, transition: { transition } }: PlacedFragment,
    cells: readonly Cell[],
    owners: readonly number[],
): number[] {
    return transition.reads.filter(
        local => transition.effects.has(local) && owners[local] < 0 && cells[own[local]].kind !== 'temporary',
    );
}
