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
import type { Participant, SequentialModel } from '../sequential/sequential-model.js';
import {
    CodeFlow,
    intersection,
    joined,
    KEPT,
    listedCells,
    presentCodes,
    union,
    UNLISTED,
    written,
    type Supported,
    type Written,
} from './code-flow.js';
import { codesOfDomain } from './decompose.js';
import { EncodingStopped } from './encoding-limits.js';
import type { Domains } from './formula.js';
import type { CodeLists, PlacedFragment, SharedExpression } from './fragment.js';
import { conjunctsOf, supportOf } from './resolve.js';

/** After this many rounds a cell that still grows gets all its codes. */
const MOST_ROUNDS = 400;

/** One summand of a round: the codes it writes, and those of its participants' locals afterwards. */
interface Firing {
    readonly index: number;
    readonly written: ReadonlyMap<number, Written>;
    /** For each participant the locals of its instance. */
    readonly localsAfter: readonly ReadonlyMap<number, readonly number[]>[];
}

/**
 * An expression at its place, with what it came to over the codes it was last asked for. Most summands are asked again
 * because one of the cells that they read has a new code, and most of their expressions do not read that one. Codes that
 * have not changed are the same array.
 */
class Remembered<T> {
    /** Cells of the model. */
    readonly support: readonly number[];
    private readonly compute: (codes: readonly (readonly number[])[]) => T;
    private readonly codes: (readonly number[])[] = [];
    private result: T | undefined;

    constructor(support: readonly number[], compute: (codes: readonly (readonly number[])[]) => T) {
        this.support = support;
        this.compute = compute;
    }

    over(current: Domains): T {
        let isKnown = this.result !== undefined;
        for (let position = 0; position < this.support.length; position++) {
            const codes = current[this.support[position]];
            if (codes !== this.codes[position]) {
                isKnown = false;
                this.codes[position] = codes;
            }
        }
        if (isKnown && this.result !== undefined) {
            return this.result;
        }
        this.result = this.compute(this.codes);
        return this.result;
    }
}

/** A test at its place; it is narrowed in passes, each of which remembers what it saw. */
interface PlacedTest {
    readonly support: readonly number[];
    readonly supported: (codes: readonly (readonly number[])[]) => Supported;
}

/** A summand's expressions at their places. */
interface PreparedSummand {
    readonly tests: readonly PlacedTest[];
    readonly passes: Remembered<Supported>[][];
    readonly effects: readonly (readonly [number, Remembered<Written> | 'absent' | 'unknown'])[];
    readonly reads: readonly number[];
    /** `owners[i]` is the participant whose local `reads[i]` is; -1 for any other cell. */
    readonly owners: readonly number[];
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
}

export interface SummandDomains {
    /** Of the cells of its fragment, in their order. */
    readonly codes: readonly (readonly number[])[];
    /** Whether its tests can all hold over them. */
    readonly canFire: boolean;
}

/** `placed` are the fragments of the summands; `lists` belongs to the same cache. */
export function reachableDomains(
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
    limit: WorkLimit,
): ReachableDomains {
    const { cells, instances, summands } = sequential;
    const isListed = listedCells(cells);
    const domains: (readonly number[])[] = isListed.map(listed => (listed ? [] : UNLISTED));
    const flow = new CodeFlow(cells, new Compiler(cells));
    const localsOf: number[][] = instances.map(() => []);
    cells.forEach((cell, index) => {
        if (cell.kind === 'local') {
            localsOf[cell.instance].push(index);
        }
    });
    /** `localCodes[instance][location]` maps the locals to their codes there; undefined before it is reached. */
    const localCodes: (Map<number, readonly number[]> | undefined)[][] = instances.map(() => []);

    /** What the cells that a summand reads can hold while the summand is looked at. */
    const current: (readonly number[])[] = domains.slice();

    for (const { cell, value } of sequential.initial) {
        if (!isListed[cell]) {
            continue;
        }
        if (value.kind === 'none') {
            domains[cell] = [-1];
        } else if (value.kind === 'any') {
            domains[cell] = codesOfDomain(cells[cell].domain, false);
        } else if (value.kind === 'oneOf') {
            domains[cell] = union(value.expressions.map(expression => flow.possible(expression, cell, domains))).codes;
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

    // In rounds: all summands of a round see the codes of the round before, so that no order among them matters.
    const readers: number[][] = cells.map(() => []);
    const prepared = placed.map((fragment, index) => prepare(fragment, summands[index].participants));
    prepared.forEach(({ reads }, index) => reads.forEach(cell => readers[cell].push(index)));
    const leaving: number[][][] = instances.map(instance => instance.locations.map(() => []));
    summands.forEach((summand, index) =>
        summand.participants.forEach(({ instance, source }) => leaving[instance][source].push(index)),
    );
    let round = new Set(placed.keys());
    for (let number = 0; round.size > 0; number++) {
        const firings = [...round].map(index => fire(index));
        round = new Set();
        for (const firing of firings) {
            if (firing !== undefined) {
                add(firing, number >= MOST_ROUNDS, round);
            }
        }
    }
    return {
        domains,
        at: summand => {
            if (!enter(summand)) {
                return undefined;
            }
            const isReadHere = new Set(prepared[summand].reads);
            const codes = placed[summand].cells.map(cell => {
                if (isReadHere.has(cell)) {
                    return current[cell];
                }
                const owner = summands[summand].participants.find(({ instance }) => cells[cell].instance === instance);
                return (owner && localCodes[owner.instance][owner.source]?.get(cell)) ?? domains[cell];
            });
            return { codes, canFire: narrow(prepared[summand]) };
        },
        reaches: (instance, location) => localCodes[instance][location] !== undefined,
    };

    function prepare(
        { cells: own, transition: { transition, tests, effects } }: PlacedFragment,
        participants: readonly Participant[],
    ): PreparedSummand {
        const reads = transition.reads.map(cell => own[cell]);
        const place = <T>(shared: SharedExpression<T>): { support: number[]; over: (codes: Domains) => T } => ({
            support: shared.support.map(cell => own[cell]),
            over: codes => shared.over(codes, lists),
        });
        return {
            tests: tests.map(test => {
                const { support, over } = place(test);
                return { support, supported: over };
            }),
            passes: [],
            effects: effects.map(([cell, value]) => {
                if (typeof value === 'string') {
                    return [own[cell], value];
                }
                const { support, over } = place(value);
                return [own[cell], new Remembered(support, over)];
            }),
            reads,
            owners: reads.map(cell =>
                cells[cell].instance < 0
                    ? -1
                    : participants.findIndex(({ instance }) => instance === cells[cell].instance),
            ),
        };
    }

    /** Leaves of the initial codes those with which what the initial states must satisfy can hold. */
    function narrowInitial(): void {
        const tests = sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(tests.flatMap(supportOf))];
        reads.forEach(cell => (current[cell] = domains[cell]));
        const placedTests = tests.map((test): PlacedTest => {
            const support = supportOf(test);
            return {
                support,
                supported: codes => {
                    const over: (readonly number[])[] = [];
                    support.forEach((cell, position) => (over[cell] = codes[position]));
                    return flow.supported(test, over);
                },
            };
        });
        if (narrow({ tests: placedTests, passes: [], effects: [], reads, owners: [] })) {
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
    function fire(index: number): Firing | undefined {
        if (limit.isExhausted()) {
            throw new EncodingStopped('the values that can occur are not known yet');
        }
        if (!enter(index) || !narrow(prepared[index])) {
            return undefined;
        }
        const effects = new Map<number, Written>();
        for (const [cell, value] of prepared[index].effects) {
            if (isListed[cell]) {
                const here = writtenCodes(value, cell);
                if (here.codes.length === 0 && !here.mayKeep) {
                    // No value that the cell can hold: the step is a fault.
                    return undefined;
                }
                effects.set(cell, here);
            }
        }
        const localsAfter = summands[index].participants.map(({ instance, source }) => {
            const before = localCodes[instance][source];
            return new Map(
                localsOf[instance].map(cell => {
                    const { codes, mayKeep } = effects.get(cell) ?? KEPT;
                    const kept = isRead(index, cell) ? current[cell] : (before?.get(cell) ?? []);
                    return [cell, mayKeep ? (codes.length === 0 ? kept : (joined(codes, kept) ?? codes)) : codes];
                }),
            );
        });
        return { index, written: effects, localsAfter };
    }

    function isRead(index: number, cell: number): boolean {
        return prepared[index].reads.includes(cell);
    }

    /** Adds what a firing writes; whoever sees a new code is due in the next round. */
    function add({ index, written, localsAfter }: Firing, widen: boolean, due: Set<number>): void {
        for (const [cell, { codes }] of written) {
            const more = joined(domains[cell], codes);
            if (more !== undefined) {
                domains[cell] = widen ? widened(more, cell) : more;
                readers[cell].forEach(reader => due.add(reader));
            }
        }
        summands[index].participants.forEach(({ instance, target }, participant) => {
            const known = localCodes[instance][target];
            const here = known ?? new Map<number, readonly number[]>();
            localCodes[instance][target] = here;
            let changed = known === undefined;
            for (const [cell, codes] of localsAfter[participant]) {
                const more = joined(here.get(cell) ?? [], codes);
                if (more !== undefined && isListed[cell]) {
                    here.set(cell, widen ? widened(more, cell) : more);
                    changed = true;
                }
            }
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

    /** Writes into `current` what the cells that a summand reads can hold where it starts; false if it never starts. */
    function enter(index: number): boolean {
        const { participants } = summands[index];
        const here = participants.map(({ instance, source }) => localCodes[instance][source]);
        if (here.includes(undefined)) {
            return false;
        }
        const { reads, owners } = prepared[index];
        for (let position = 0; position < reads.length; position++) {
            const cell = reads[position];
            const codes = owners[position] < 0 ? undefined : here[owners[position]]?.get(cell);
            current[cell] = presentCodes(cells[cell], codes ?? domains[cell]);
        }
        return true;
    }

    /** Leaves in `current` the codes of the cells with which all tests can hold; false where they cannot. */
    function narrow({ tests, passes, reads }: PreparedSummand): boolean {
        for (let number = 0; ; number++) {
            const pass = (passes[number] ??= tests.map(({ support, supported }) => new Remembered(support, supported)));
            let kept: Map<number, readonly number[]> | undefined;
            for (const test of pass) {
                const supported = test.over(current);
                if (supported === 'never') {
                    return false;
                }
                for (let position = 0; supported !== 'unknown' && position < test.support.length; position++) {
                    const cell = test.support[position];
                    const here = supported[position];
                    if (here.length < current[cell].length) {
                        kept ??= new Map<number, readonly number[]>();
                        const before = kept.get(cell);
                        kept.set(cell, before === undefined ? here : intersection(before, here));
                    }
                }
            }
            kept?.forEach((codes, cell) => (current[cell] = codes));
            if (reads.some(cell => current[cell].length === 0 && isListed[cell])) {
                return false;
            }
            if (kept === undefined) {
                return true;
            }
        }
    }

    function writtenCodes(value: Remembered<Written> | 'absent' | 'unknown', cell: number): Written {
        switch (value) {
            case 'absent':
                return written([-1]);
            case 'unknown':
                return written(codesOfDomain(cells[cell].domain, cells[cell].mayBeAbsent));
            default:
                return value.over(current);
        }
    }
}
