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
import { domainSize } from '../model/domain.js';
import type { Compiler } from '../sequential/evaluate.js';
import type { Cell, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { codesOfDomain, outcomeOf } from './decompose.js';
import { EncodingStopped } from './encoding-limits.js';
import type { Domains } from './formula.js';
import { codeOfNext, supportOf } from './resolve.js';
import type { NextValue, Transition } from './transition.js';

/** The most assignments over which an expression is evaluated. */
const ENUMERATION_BUDGET = 4096;

/** A choice over more assignments than this is followed branch by branch. */
const BRANCH_BUDGET = 64;

/** After this many rounds a cell that still grows gets all its codes. */
const MOST_ROUNDS = 400;

/** The most values of all cells together that are listed. */
const MOST_VALUES = 200_000;

/** The most values of one cell that are listed. */
const MOST_VALUES_OF_CELL = 16_384;

/** One summand of a round: the codes it writes, and the codes that the cells had when it fired. */
interface Firing {
    readonly index: number;
    readonly written: ReadonlyMap<number, Written>;
    readonly narrowed: Domains;
}

/** What a step may make of a cell. */
interface Written {
    /** Ascending. */
    readonly codes: readonly number[];
    /** Whether the cell may also keep what it holds. */
    readonly mayKeep: boolean;
}

const KEPT: Written = { codes: [], mayKeep: true };

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
    readonly domains: Domains;
    /** Whether its tests can all hold over them. */
    readonly canFire: boolean;
}

export function reachableDomains(
    sequential: SequentialModel,
    transitions: readonly Transition[],
    compiler: Compiler,
    limit: WorkLimit,
): ReachableDomains {
    const { cells, instances, summands } = sequential;
    const domains: (readonly number[])[] = cells.map(() => []);
    const state = new Int32Array(cells.length);
    const localsOf: number[][] = instances.map(() => []);
    cells.forEach((cell, index) => {
        if (cell.kind === 'local') {
            localsOf[cell.instance].push(index);
        }
    });
    /** `localCodes[instance][location]` maps the locals to their codes there; undefined before it is reached. */
    const localCodes: (Map<number, readonly number[]> | undefined)[][] = instances.map(() => []);

    const isListed = listedCells(cells);

    for (const { cell, value } of sequential.initial) {
        if (!isListed[cell]) {
            continue;
        }
        if (value.kind === 'none') {
            domains[cell] = [-1];
        } else if (value.kind === 'any') {
            domains[cell] = codesOfDomain(cells[cell].domain, false);
        } else if (value.kind === 'oneOf') {
            domains[cell] = union(value.expressions.map(expression => possibleCodes(expression, cell, domains))).codes;
        } else {
            domains[cell] = possibleCodes(value.expression, cell, domains).codes;
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
    transitions.forEach((transition, index) => transition.reads.forEach(cell => readers[cell].push(index)));
    const leaving: number[][][] = instances.map(instance => instance.locations.map(() => []));
    summands.forEach((summand, index) =>
        summand.participants.forEach(({ instance, source }) => leaving[instance][source].push(index)),
    );
    let round = new Set(transitions.keys());
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
            const start = startDomains(summand);
            if (start === undefined) {
                return undefined;
            }
            const canFire = narrowToFire(transitions[summand], start) !== undefined;
            return { domains: presentDomains(cells, start, transitions[summand].reads), canFire };
        },
        reaches: (instance, location) => localCodes[instance][location] !== undefined,
    };

    /** Leaves of the initial codes those with which what the initial states must satisfy can hold. */
    function narrowInitial(): void {
        const conditions = sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(conditions.flatMap(supportOf))];
        const narrowed = narrow(conditions, reads, domains);
        reads.forEach(cell => (domains[cell] = narrowed?.[cell] ?? domains[cell]));
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
        const start = startDomains(index);
        const narrowed = start === undefined ? undefined : narrowToFire(transitions[index], start);
        if (narrowed === undefined) {
            return undefined;
        }
        const effects = new Map<number, Written>();
        for (const [cell, value] of transitions[index].effects) {
            if (isListed[cell]) {
                const here = writtenCodes(value, cell, narrowed);
                if (here.codes.length === 0 && !here.mayKeep) {
                    // No value that the cell can hold: the step is a fault.
                    return undefined;
                }
                effects.set(cell, here);
            }
        }
        return { index, written: effects, narrowed };
    }

    /** Adds what a firing writes; whoever sees a new code is due in the next round. */
    function add({ index, written, narrowed }: Firing, widen: boolean, due: Set<number>): void {
        for (const [cell, { codes }] of written) {
            const more = joined(domains[cell], codes);
            if (more !== undefined) {
                domains[cell] = widen ? widened(more, cell) : more;
                readers[cell].forEach(reader => due.add(reader));
            }
        }
        for (const { instance, target } of summands[index].participants) {
            const known = localCodes[instance][target];
            const here = known ?? new Map<number, readonly number[]>();
            localCodes[instance][target] = here;
            let changed = known === undefined;
            for (const cell of localsOf[instance]) {
                const { codes, mayKeep } = written.get(cell) ?? KEPT;
                const after = mayKeep ? (joined(codes, narrowed[cell]) ?? codes) : codes;
                const more = joined(here.get(cell) ?? [], after);
                if (more !== undefined && isListed[cell]) {
                    here.set(cell, widen ? widened(more, cell) : more);
                    changed = true;
                }
            }
            if (changed) {
                leaving[instance][target].forEach(next => due.add(next));
            }
        }
    }

    /** All codes of the cell: its values grow for too long to follow them one by one. */
    function widened(codes: readonly number[], cell: number): number[] {
        const all = codesOfDomain(cells[cell].domain, codes[0] === -1);
        domains[cell] = joined(domains[cell], all) ?? domains[cell];
        return all;
    }

    /** What the cells can hold where the summand starts; undefined where a participant is never there. */
    function startDomains(index: number): Domains | undefined {
        let result: (readonly number[])[] = domains;
        for (const { instance, source } of summands[index].participants) {
            const here = localCodes[instance][source];
            if (here === undefined) {
                return undefined;
            }
            if (here.size > 0) {
                result = result === domains ? domains.slice() : result;
                here.forEach((codes, cell) => (result[cell] = codes));
            }
        }
        return result;
    }

    function narrowToFire({ participants, reads }: Transition, start: Domains): Domains | undefined {
        return narrow(participants.flat(), reads, start);
    }

    /** The codes of the cells where the tests can hold; undefined where they cannot. */
    function narrow(
        tests: readonly SequentialExpression[],
        reads: readonly number[],
        start: Domains,
    ): Domains | undefined {
        let current = presentDomains(cells, start, reads);
        for (;;) {
            const kept: (Set<number> | undefined)[] = [];
            for (const test of tests) {
                const support = supportOf(test);
                if (assignmentCount(support, current) > ENUMERATION_BUDGET) {
                    continue;
                }
                const supported = support.map(() => new Set<number>());
                const evaluate = compiler.expression(test);
                let holds = false;
                forEachAssignment(support, current, () => {
                    if (outcomeOf(evaluate, state) === 1) {
                        holds = true;
                        support.forEach((cell, position) => supported[position].add(state[cell]));
                    }
                });
                if (!holds) {
                    return undefined;
                }
                support.forEach((cell, position) => {
                    const before = kept[cell];
                    const here = supported[position];
                    kept[cell] = before === undefined ? here : new Set([...before].filter(code => here.has(code)));
                });
            }
            const next = current.map((codes, cell) => {
                const keep = kept[cell];
                return keep === undefined ? codes : codes.filter(code => keep.has(code));
            });
            if (reads.some(cell => isListed[cell] && next[cell].length === 0)) {
                return undefined;
            }
            if (next.every((codes, cell) => codes.length === current[cell].length)) {
                return next;
            }
            current = next;
        }
    }

    function writtenCodes(value: NextValue, cell: number, current: Domains): Written {
        switch (value) {
            case 'absent':
                return written([-1]);
            case 'unknown':
                return written(codesOfDomain(cells[cell].domain, cells[cell].mayBeAbsent));
            default:
                return possibleCodes(value, cell, current);
        }
    }

    /** The codes in the domain of `cell` that `expression` can have over `current`. */
    function possibleCodes(expression: SequentialExpression, cell: number, current: Domains): Written {
        const { domain } = cells[cell];
        if (expression.kind === 'constant') {
            const code = codeOfNext(domain, expression.value);
            return written(code === undefined ? [] : [code]);
        }
        const support = supportOf(expression);
        if (expression.kind === 'select' && assignmentCount(support, current) > BRANCH_BUDGET) {
            return union(expression.options.map(option => possibleCodes(option, cell, current)));
        }
        if (expression.kind === 'conditional' && assignmentCount(support, current) > BRANCH_BUDGET) {
            return possibleBranchCodes(expression, cell, current);
        }
        if (assignmentCount(support, current) > ENUMERATION_BUDGET) {
            return written(codesOfDomain(domain, false));
        }
        const codes = new Set<number>();
        let mayKeep = false;
        const evaluate = compiler.expression(expression);
        forEachAssignment(support, current, () => {
            const outcome = outcomeOf(evaluate, state);
            const code = typeof outcome === 'number' ? codeOfNext(domain, outcome) : undefined;
            if (code !== undefined) {
                codes.add(code);
            }
            // A cell that holds no value is not read but where it keeps holding none.
            mayKeep ||= outcome === undefined;
        });
        return { codes: [...codes].sort((a, b) => a - b), mayKeep };
    }

    /** A choice with many assignments: its branches one by one, as far as its condition allows them. */
    function possibleBranchCodes(
        expression: Extract<SequentialExpression, { kind: 'conditional' }>,
        cell: number,
        current: Domains,
    ): Written {
        const outcomes = new Set<number | string>();
        const support = supportOf(expression.condition);
        if (assignmentCount(support, current) > ENUMERATION_BUDGET) {
            outcomes.add(0).add(1);
        } else {
            const evaluate = compiler.expression(expression.condition);
            forEachAssignment(support, current, () => outcomes.add(outcomeOf(evaluate, state) ?? 'nothing'));
        }
        const { then, otherwise } = expression;
        const branch = (value: SequentialExpression): Written =>
            value.kind === 'cell' && value.cell === cell ? KEPT : possibleCodes(value, cell, current);
        return union([...(outcomes.has(1) ? [branch(then)] : []), ...(outcomes.has(0) ? [branch(otherwise)] : [])]);
    }

    function assignmentCount(support: readonly number[], current: Domains): number {
        let product = 1;
        for (const cell of support) {
            product *= isListed[cell] ? current[cell].length : Infinity;
            if (product > ENUMERATION_BUDGET) {
                return product;
            }
        }
        return product;
    }

    /** Writes each assignment of the support into `state`. */
    function forEachAssignment(support: readonly number[], current: Domains, visit: () => void): void {
        const assign = (position: number): void => {
            if (position === support.length) {
                visit();
                return;
            }
            const cell = support[position];
            for (const code of current[cell]) {
                state[cell] = code;
                assign(position + 1);
            }
        };
        assign(0);
    }
}

/**
 * Which cells have few enough values to list them: none above a size that is lowered until all of them together are few
 * enough. Cells of one size are treated alike.
 */
function listedCells(cells: readonly Cell[]): boolean[] {
    const sizes = cells.map(cell => (cell.kind === 'temporary' ? 0 : domainSize(cell.domain)));
    let largest = MOST_VALUES_OF_CELL;
    const total = (): number => sizes.reduce((sum, size) => sum + (size <= largest ? size : 0), 0);
    while (largest > 1 && total() > MOST_VALUES) {
        largest = Math.floor(largest / 2);
    }
    // A temporary holds no value where states are looked at, so it has nothing to list.
    return cells.map((cell, index) => cell.kind === 'temporary' || sizes[index] <= largest);
}

function written(codes: readonly number[]): Written {
    return { codes, mayKeep: false };
}

/** What one of several ways may make of a cell. */
function union(ways: readonly Written[]): Written {
    const codes = new Set(ways.flatMap(way => way.codes));
    return { codes: [...codes].sort((a, b) => a - b), mayKeep: ways.some(way => way.mayKeep) };
}

/** Both together, where both are ascending; undefined where the second adds nothing. */
function joined(known: readonly number[], codes: readonly number[]): number[] | undefined {
    let position = 0;
    for (const code of codes) {
        while (position < known.length && known[position] < code) {
            position++;
        }
        if (known[position] !== code) {
            return [...new Set([...known, ...codes])].sort((a, b) => a - b);
        }
    }
    return undefined;
}

/**
 * Locals that are read hold a value: they are read only where they are live. One that never holds any is never read; it
 * stands with its first code.
 */
export function presentDomains(cells: readonly Cell[], domains: Domains, reads: Iterable<number>): Domains {
    let result: (readonly number[])[] | undefined;
    for (const cell of reads) {
        if (domains[cell][0] === -1 && cells[cell].kind !== 'channel') {
            result ??= domains.slice();
            result[cell] = domains[cell].length > 1 ? domains[cell].slice(1) : [0];
        }
    }
    return result ?? domains;
}

/** The operands of a conjunction, which are tests of their own. */
export function conjunctsOf(test: SequentialExpression): readonly SequentialExpression[] {
    return test.kind === 'and' ? test.operands : [test];
}
