/**
 * The values that each cell can have in a reachable state, and each local at each location: a fixpoint, an upper bound.
 * The first values are the initial ones; in each round every summand whose tests can hold adds the values that it
 * writes. Values that never occur would give symmetries without meaning, and faults that cannot happen. Locals have
 * values by location: after `while k < N`, the index `turn[k]` is in range.
 */
import { difference, intersection, joined } from '../common/ascending.js';
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { isNumber, NO_VALUE } from '../model/domain.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import { conjunctsOf } from '../sequential/expression/operands.js';
import { supportOf } from '../sequential/cell-access.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { goOnWithin } from './encoding-limits.js';
import { MOST_LOOKS, narrow, partsWithNew } from './firing.js';
import type { Domains } from './formula.js';
import { SharedExpression, toLocalCodes, toModelCodes, type PlacedFragment } from './fragment.js';
import type { CodeLists } from './code-lists.js';
import { codesOfDomain, KEPT, listedCells, PossibleValues, union, UNLISTED } from './possible-values.js';
import { SummandStarts, type OccurringCodes, type SummandDomains } from './summand-start.js';

export interface ReachableValues {
    /** For each cell its codes, ascending. */
    readonly domains: Domains;
    /** The codes at the start of a summand; undefined if a participant never gets to its location. */
    at(summand: number): SummandDomains | undefined;
    /** Whether the control of an instance may get to one of its locations. */
    reaches(instance: number, location: number): boolean;
    /** The codes of the locals of an instance at one of its locations; undefined if control never gets there. */
    localsAt(instance: number, location: number): ReadonlyMap<number, readonly number[]> | undefined;
}

/** `placed`: the fragments of the summands, from the cache of `lists`. Throws EncodingStopped at the limit. */
export function reachableValues(
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
    limit: WorkLimit,
): ReachableValues {
    const rounds = new Rounds(sequential, placed, lists, limit);
    rounds.start();
    rounds.run();
    const { domains, localCodes, starts } = rounds;
    const known = new Map<number, SummandDomains | undefined>();
    return {
        domains,
        at: summand => {
            if (!known.has(summand)) {
                known.set(summand, starts.of(summand, lists));
            }
            return known.get(summand);
        },
        reaches: (instance, location) => localCodes[instance][location] !== undefined,
        localsAt: (instance, location) => localCodes[instance][location],
    };
}

/** One summand in a round: the codes it writes, and those of its participants' locals afterwards. */
interface RoundFiring {
    readonly index: number;
    readonly written: readonly (readonly [cell: number, codes: readonly number[]])[];
    /** For each participant the codes of the locals of its instance, in their order. */
    readonly localsAfter: readonly (readonly (readonly number[])[])[];
    readonly isEndless: boolean;
    /** About how many codes were looked at. */
    readonly looks: number;
}

/** What a cell has since the last round, everywhere or where an instance is; one object for all summands it is new to. */
interface Growth {
    readonly cell: number;
    codes: readonly number[];
}

/** `all` if the summand could not start before. */
type News = Growth[] | 'all';

/** The summands that are due in the next round. */
class Due {
    readonly news = new Map<number, News>();
    /** By summands that see a cell grow, and by cell. */
    private readonly growths = new Map<readonly number[], Map<number, Growth>>();

    addAll(summands: readonly number[]): void {
        summands.forEach(summand => this.news.set(summand, 'all'));
    }

    /** The same array stands for the same summands. */
    add(summands: readonly number[], cell: number, codes: readonly number[]): void {
        const known = remembered(this.growths, summands, () => new Map<number, Growth>());
        const before = known.get(cell);
        if (before !== undefined) {
            before.codes = joined(before.codes, codes) ?? before.codes;
            return;
        }
        const growth = { cell, codes };
        known.set(cell, growth);
        for (const summand of summands) {
            const news = remembered<number, News>(this.news, summand, () => []);
            if (news !== 'all') {
                news.push(growth);
            }
        }
    }
}

class Rounds implements OccurringCodes {
    readonly domains: (readonly number[])[];
    readonly starts: SummandStarts;
    readonly localCodes: (Map<number, readonly number[]> | undefined)[][];
    private readonly sequential: SequentialModel;
    private readonly lists: CodeLists;
    private readonly limit: WorkLimit;
    private readonly isListed: readonly boolean[];
    private readonly possible: PossibleValues;
    /** `readers[cell]` are the summands that read the cell. */
    private readonly readers: number[][];
    /** `leaving[instance][location]` are the summands in which the instance leaves the location. */
    private readonly leaving: number[][][];
    private readonly hasFired: Uint8Array;
    /** By counter the instances that are created. */
    private readonly created: ReadonlyMap<number, number>;

    constructor(sequential: SequentialModel, placed: readonly PlacedFragment[], lists: CodeLists, limit: WorkLimit) {
        const { cells, instances } = sequential;
        this.sequential = sequential;
        this.lists = lists;
        this.limit = limit;
        this.isListed = listedCells(cells);
        this.domains = this.isListed.map(listed => (listed ? [] : UNLISTED));
        this.localCodes = instances.map(() => []);
        this.starts = new SummandStarts(sequential, placed, this);
        this.possible = new PossibleValues(cells, new Compiler(cells));
        this.readers = cells.map(() => []);
        this.hasFired = new Uint8Array(sequential.summands.length);
        const slots = (sequential.templates ?? []).flatMap(template => template.slots);
        this.created = new Map(slots.map(({ counter, instance }) => [counter, instance]));
        this.leaving = instances.map(instance => instance.locations.map(() => []));
    }

    start(): void {
        const { domains, possible } = this;
        const { cells, initial, instances } = this.sequential;
        for (const { cell, value, isPresent } of initial) {
            if (!this.isListed[cell]) {
                continue;
            }
            if (value.kind === 'none') {
                domains[cell] = [-1];
            } else if (value.kind === 'any') {
                domains[cell] = codesOfDomain(cells[cell].domain, false);
            } else if (value.kind === 'oneOf') {
                const values = value.expressions.map(expression => possible.of(expression, cell, domains));
                domains[cell] = union(values).codes;
            } else {
                domains[cell] = possible.of(value.expression, cell, domains).codes;
            }
            if (isPresent !== undefined) {
                domains[cell] = joined([NO_VALUE], domains[cell]) ?? domains[cell];
            }
        }
        this.narrowInitial();
        domains.forEach((codes, cell) => (domains[cell] = this.withAllNumbers(cell, codes)));
        instances.forEach((_, instance) => {
            for (const location of this.initialLocations(instance)) {
                const locals = this.starts.localsOf[instance];
                this.localCodes[instance][location] = new Map(locals.map(cell => [cell, domains[cell]]));
            }
        });
    }

    /** All summands of a round see the codes of the round before, so their order does not matter. */
    run(): void {
        const { summands } = this.sequential;
        this.findReaders();
        const looks = new Float64Array(summands.length);
        let round = new Due();
        round.addAll([...summands.keys()]);
        while (round.news.size > 0) {
            const firings = Array.from(round.news, ([index, news]) => this.fire(index, news)).flat();
            round = new Due();
            for (const firing of firings) {
                looks[firing.index] += firing.looks;
                // If that takes too long, a cell that still grows gets all its codes.
                this.add(firing, firing.isEndless || looks[firing.index] > MOST_LOOKS, round);
            }
        }
    }

    /** Keeps the initial codes with which the initial conditions can hold. */
    private narrowInitial(): void {
        const conditions = this.sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(conditions.flatMap(supportOf))];
        const current = this.domains.slice();
        const tests = conditions.map(
            test => new SharedExpression(test, (expression, over) => this.possible.supported(expression, over)),
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

    /** The program counter of a participant has one value where the summand starts; arrivals are in `leaving`. */
    private findReaders(): void {
        this.sequential.summands.forEach(({ participants }, index) => {
            const { place, owners } = this.starts.prepare(index);
            place.transition.transition.reads.forEach(local => {
                const cell = place.cells[local];
                if (!this.starts.isOwnCounter(cell, owners[local])) {
                    this.readers[cell].push(index);
                }
            });
            participants.forEach(({ instance, source }) => this.leaving[instance][source].push(index));
        });
    }

    /** What the summand can write with the news, and what the locals of its participants can hold afterwards. */
    private fire(index: number, news: News): readonly RoundFiring[] {
        goOnWithin(this.limit, 'the values that can occur are not known yet');
        const { place, carried } = this.starts.prepare(index);
        const { isRead, transition } = place.transition;
        const entered = this.starts.enter(index);
        if (entered === undefined) {
            return [];
        }
        if (news === 'all') {
            return this.fireOver(index, entered, carried);
        }
        const fresh = new Map<number, readonly number[]>();
        const passed = new Map<number, readonly number[]>();
        for (const { cell, codes } of news) {
            const local = place.cells.indexOf(cell);
            if (local < 0 || isRead[local] !== 1) {
                passed.set(cell, codes);
            } else {
                const here = intersection(toLocalCodes(place, local, codes), entered[local]);
                fresh.set(local, joined(fresh.get(local) ?? [], here) ?? here);
            }
        }
        const parts = fresh.size === 0 ? [] : partsWithNew(entered, fresh, transition.reads);
        return [
            // What new codes alone lead to is new in the next round.
            ...parts.flatMap(part => this.fireOver(index, part, part === entered ? carried : [])),
            ...(this.hasFired[index] === 1 ? [this.passOn(index, passed)] : []),
        ];
    }

    private fireOver(index: number, codes: Domains, carried: readonly number[]): readonly RoundFiring[] {
        const { place, locals } = this.starts.prepare(index);
        const { firings, isRead, written, effectOf } = place.transition;
        const firing = firings.of(codes, carried, this.lists, this.limit);
        if (firing === 'never' || firing.isFault) {
            return [];
        }
        this.hasFired[index] = 1;
        const effects: [number, readonly number[]][] = [];
        written.forEach((local, effect) => {
            const here = firing.written[effect];
            if (here !== undefined) {
                const cell = place.cells[local];
                effects.push([cell, this.withAllNumbers(cell, toModelCodes(place, local, here.codes))]);
            }
        });
        const { participants } = this.sequential.summands[index];
        const localsAfter = participants.map(({ instance, source }, participant) => {
            const before = this.localCodes[instance][source];
            return this.starts.localsOf[instance].map((cell, position) => {
                const local = locals[participant][position];
                const effect = local < 0 ? -1 : effectOf[local];
                const { codes, mayKeep } = (effect < 0 ? undefined : firing.written[effect]) ?? KEPT;
                const writes = local < 0 ? codes : toModelCodes(place, local, codes);
                if (!mayKeep) {
                    return this.withAllNumbers(cell, writes);
                }
                const kept =
                    local >= 0 && isRead[local] === 1
                        ? toModelCodes(place, local, firing.kept[local])
                        : (before?.get(cell) ?? []);
                return this.withAllNumbers(cell, writes.length === 0 ? kept : (joined(writes, kept) ?? writes));
            });
        });
        const { isEndless } = firing;
        return [{ index, written: effects, localsAfter, isEndless, looks: firings.looksAt(codes) }];
    }

    /** A number without end may be any other one: what a search stores are small numbers in its place. */
    private withAllNumbers(cell: number, codes: readonly number[]): readonly number[] {
        const { domain } = this.sequential.cells[cell];
        const none = domain.kind === 'optional' ? 0 : NO_VALUE;
        if (!isNumber(domain) || codes === UNLISTED || !codes.some(code => code > none)) {
            return codes;
        }
        const without = codes.filter(code => code <= none);
        return [...without, ...codesOfDomain(domain, false).filter(code => code > none)];
    }

    /** A summand that has fired leaves the locals that it neither reads nor writes as they are. */
    private passOn(index: number, passed: ReadonlyMap<number, readonly number[]>): RoundFiring {
        const { place, locals } = this.starts.prepare(index);
        const localsAfter = this.sequential.summands[index].participants.map(({ instance }, participant) =>
            this.starts.localsOf[instance].map((cell, position) => {
                const local = locals[participant][position];
                return local >= 0 && place.transition.effectOf[local] >= 0 ? [] : (passed.get(cell) ?? []);
            }),
        );
        return { index, written: [], localsAfter, isEndless: false, looks: 0 };
    }

    /** Adds the written codes; the summands that read a new code are due in the next round. */
    private add({ index, written, localsAfter }: RoundFiring, widen: boolean, due: Due): void {
        const { cells, summands } = this.sequential;
        for (const [cell, codes] of written) {
            const known = this.domains[cell];
            let fresh = difference(codes, known);
            if (fresh.length > 0 && this.isListed[cell]) {
                const mayBeAbsent = known[0] === -1 || fresh[0] === -1;
                fresh = widen ? difference(codesOfDomain(cells[cell].domain, mayBeAbsent), known) : fresh;
                this.domains[cell] = joined(known, fresh) ?? known;
                due.add(this.readers[cell], cell, fresh);
            }
        }
        const { participants } = summands[index];
        participants.forEach(({ instance, target }, participant) => {
            this.arrive(instance, target, localsAfter[participant], widen, due);
        });
        // What begins to live comes to its first location without taking part.
        const codesWritten = new Map(written);
        for (const [cell, locations] of written) {
            const created = this.created.get(cell);
            if (created !== undefined && !participants.some(({ instance }) => instance === created)) {
                const locals = this.starts.localsOf[created].map(
                    local => joined([NO_VALUE], codesWritten.get(local) ?? []) ?? [NO_VALUE],
                );
                locations.forEach(location => {
                    this.arrive(created, location, locals, widen, due);
                });
            }
        }
    }

    /** Adds the codes of the locals of an instance that comes to a location. */
    private arrive(
        instance: number,
        location: number,
        locals: readonly (readonly number[])[],
        widen: boolean,
        due: Due,
    ): void {
        const known = this.localCodes[instance][location];
        const here = known ?? new Map<number, readonly number[]>();
        this.localCodes[instance][location] = here;
        const leaving = this.leaving[instance][location];
        if (known === undefined) {
            due.addAll(leaving);
        }
        this.starts.localsOf[instance].forEach((cell, position) => {
            const before = here.get(cell) ?? [];
            let fresh = difference(locals[position], before);
            if (fresh.length > 0 && this.isListed[cell]) {
                const present = widen ? difference(this.domains[cell], [NO_VALUE]) : [];
                fresh = difference(joined(fresh, present) ?? fresh, before);
                here.set(cell, joined(before, fresh) ?? before);
                due.add(leaving, cell, fresh);
            }
        });
    }
}
