/**
 * The rounds in which the codes grow that cells can have: those of the initial states first, then in each round those
 * that summands write over the codes of the round before.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { CodeFlow, joined, KEPT, listedCells, union, UNLISTED } from './code-flow.js';
import { codesOfDomain } from './decompose.js';
import { EncodingStopped } from './encoding-limits.js';
import { MOST_LOOKS, narrow } from './firing.js';
import type { Domains } from './formula.js';
import { SharedExpression, toModelCodes, type CodeLists } from './fragment.js';
import type { PreparedSummands } from './prepared-summand.js';
import { SummandStarts, type OccurringCodes } from './summand-starts.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { supportOf } from '../sequential/cell-access.js';

/** What the rounds have come to, and what every summand was asked on the way. */
export interface RoundsOutcome extends OccurringCodes {
    /** For each summand the codes over which it was fired, as its fragment calls them. */
    readonly firedOver: readonly (readonly Domains[])[];
}

/** One summand of a round: the codes it writes, and those of its participants' locals afterwards. */
interface RoundFiring {
    readonly index: number;
    readonly written: readonly (readonly [cell: number, codes: readonly number[]])[];
    /** For each participant the codes of the locals of its instance, in their order. */
    readonly localsAfter: readonly (readonly (readonly number[])[])[];
    readonly isEndless: boolean;
}

/** After this many rounds a cell that still grows gets all its codes; where many codes are looked at, after fewer. */
const MOST_ROUNDS = 400;

/** Throws EncodingStopped where the limit is exhausted before the codes have ceased to grow. */
export function goThroughRounds(
    sequential: SequentialModel,
    summands: PreparedSummands,
    lists: CodeLists,
    limit: WorkLimit,
): RoundsOutcome {
    const rounds = new DomainRounds(sequential, summands, lists, limit);
    rounds.start();
    rounds.goOn();
    return { domains: rounds.domains, localCodes: rounds.localCodes, firedOver: rounds.firedOver };
}

class DomainRounds implements RoundsOutcome {
    readonly domains: (readonly number[])[];
    readonly localCodes: (Map<number, readonly number[]> | undefined)[][];
    readonly firedOver: Domains[][];
    private readonly sequential: SequentialModel;
    private readonly summands: PreparedSummands;
    private readonly lists: CodeLists;
    private readonly limit: WorkLimit;
    private readonly starts: SummandStarts;
    private readonly isListed: readonly boolean[];
    private readonly flow: CodeFlow;
    /** `readers[cell]` are the summands that see more codes when the cell has more. */
    private readonly readers: number[][];
    /** `leaving[instance][location]` are the summands in which the instance leaves the location. */
    private readonly leaving: number[][][];

    constructor(sequential: SequentialModel, summands: PreparedSummands, lists: CodeLists, limit: WorkLimit) {
        const { cells, instances } = sequential;
        this.sequential = sequential;
        this.summands = summands;
        this.lists = lists;
        this.limit = limit;
        this.isListed = listedCells(cells);
        this.domains = this.isListed.map(listed => (listed ? [] : UNLISTED));
        this.localCodes = instances.map(() => []);
        this.firedOver = sequential.summands.map(() => []);
        this.starts = new SummandStarts(sequential, summands, this);
        this.flow = new CodeFlow(cells, new Compiler(cells));
        this.readers = cells.map(() => []);
        this.leaving = instances.map(instance => instance.locations.map(() => []));
    }

    start(): void {
        const { domains, flow } = this;
        const { cells, initial, instances } = this.sequential;
        for (const { cell, value } of initial) {
            if (!this.isListed[cell]) {
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
        this.narrowInitial();
        instances.forEach((_, instance) => {
            for (const location of this.initialLocations(instance)) {
                const locals = this.summands.localsOf[instance];
                this.localCodes[instance][location] = new Map(locals.map(cell => [cell, domains[cell]]));
            }
        });
    }

    /** In rounds: all summands of a round see the codes of the round before, so that no order among them matters. */
    goOn(): void {
        const { summands } = this.sequential;
        this.findReaders();
        const looks = new Float64Array(summands.length);
        /** Those that have got more codes in this round: their readers are due already. */
        const changedCells = new Set<number>();
        let round = new Set(summands.keys());
        for (let number = 0; round.size > 0; number++) {
            const firings = Array.from(round, index => this.fire(index));
            round = new Set();
            changedCells.clear();
            for (const firing of firings) {
                if (firing !== undefined) {
                    const { index, isEndless } = firing;
                    const { firings: fragment } = this.summands.of(index).place.transition;
                    looks[index] += fragment.looksAt(this.firedOver[index].at(-1)!);
                    const widen = number >= MOST_ROUNDS || isEndless || looks[index] > MOST_LOOKS;
                    this.add(firing, widen, round, changedCells);
                }
            }
        }
    }

    /** Leaves of the initial codes those with which what the initial states must satisfy can hold. */
    private narrowInitial(): void {
        const conditions = this.sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(conditions.flatMap(supportOf))];
        const current = this.domains.slice();
        const tests = conditions.map(
            test => new SharedExpression(test, (expression, over) => this.flow.supported(expression, over)),
        );
        if (narrow(tests, current, reads, this.lists)) {
            reads.forEach(cell => (this.domains[cell] = current[cell]));
        }
    }

    private initialLocations(instance: number): readonly number[] {
        const { counter, locations } = this.sequential.instances[instance];
        if (counter < 0) {
            return [0];
        }
        return this.isListed[counter] ? this.domains[counter] : [...locations.keys()];
    }

    /** What an own counter holds cannot change; who comes to its location is in `leaving`. */
    private findReaders(): void {
        this.sequential.summands.forEach(({ participants }, index) => {
            const { place, owners } = this.summands.of(index);
            place.transition.transition.reads.forEach(local => {
                const cell = place.cells[local];
                if (!this.starts.isOwnCounter(cell, owners[local])) {
                    this.readers[cell].push(index);
                }
            });
            participants.forEach(({ instance, source }) => this.leaving[instance][source].push(index));
        });
    }

    /** What the summand can write, and what its locals can hold afterwards. */
    private fire(index: number): RoundFiring | undefined {
        if (this.limit.isExhausted()) {
            throw new EncodingStopped('the values that can occur are not known yet');
        }
        const { place, view, carried, locals } = this.summands.of(index);
        const { isRead, effectOf } = view;
        const entered = this.starts.enter(index);
        if (entered === undefined) {
            return undefined;
        }
        this.firedOver[index].push(entered);
        const firing = place.transition.firings.of(entered, carried, this.lists);
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
        const { participants } = this.sequential.summands[index];
        const localsAfter = participants.map(({ instance, source }, participant) => {
            const before = this.localCodes[instance][source];
            return this.summands.localsOf[instance].map((cell, position) => {
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
    private add(
        { index, written, localsAfter }: RoundFiring,
        widen: boolean,
        due: Set<number>,
        changedCells: Set<number>,
    ): void {
        for (const [cell, codes] of written) {
            const more = joined(this.domains[cell], codes);
            if (more !== undefined) {
                this.domains[cell] = widen ? this.widened(more, cell) : more;
                if (!changedCells.has(cell)) {
                    changedCells.add(cell);
                    this.readers[cell].forEach(reader => due.add(reader));
                }
            }
        }
        this.sequential.summands[index].participants.forEach(({ instance, target }, participant) => {
            const known = this.localCodes[instance][target];
            const here = known ?? new Map<number, readonly number[]>();
            this.localCodes[instance][target] = here;
            let changed = known === undefined;
            this.summands.localsOf[instance].forEach((cell, position) => {
                const more = joined(here.get(cell) ?? [], localsAfter[participant][position]);
                if (more !== undefined && this.isListed[cell]) {
                    here.set(cell, widen ? this.widened(more, cell) : more);
                    changed = true;
                }
            });
            if (changed) {
                this.leaving[instance][target].forEach(next => due.add(next));
            }
        });
    }

    /** All codes of the cell: its values grow for too long to follow them one by one. */
    private widened(codes: readonly number[], cell: number): number[] {
        const all = codesOfDomain(this.sequential.cells[cell].domain, codes[0] === -1);
        this.domains[cell] = joined(this.domains[cell], all) ?? this.domains[cell];
        return all;
    }
}
