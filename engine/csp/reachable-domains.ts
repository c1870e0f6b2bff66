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
import type { Transition } from './transition.js';

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

/** One summand of a round: the codes it writes, and those of its participants' locals afterwards. */
interface Firing {
    readonly index: number;
    readonly written: ReadonlyMap<number, Written>;
    /** For each participant the locals of its instance. */
    readonly localsAfter: readonly ReadonlyMap<number, readonly number[]>[];
}

/**
 * An expression, with what it came to over the codes it was last asked for. Most summands are asked again because one of
 * the cells that they read has a new code, and most of their expressions do not read that one. Codes that have not
 * changed are the same array.
 */
class Remembered<T> {
    readonly expression: SequentialExpression;
    readonly support: readonly number[];
    private readonly compute: (expression: SequentialExpression, current: Domains) => T;
    private readonly codes: (readonly number[])[] = [];
    private result: T | undefined;

    constructor(expression: SequentialExpression, compute: (expression: SequentialExpression, current: Domains) => T) {
        this.expression = expression;
        this.support = supportOf(expression);
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
        this.result = this.compute(this.expression, current);
        return this.result;
    }
}

/** For each cell that a test reads the codes with which it can hold; `never`, or `unknown` where there are too many. */
type Supported = readonly (readonly number[])[] | 'never' | 'unknown';

/** A summand's expressions. The tests are narrowed in passes; each pass remembers what it saw. */
interface PreparedTransition {
    readonly tests: readonly SequentialExpression[];
    readonly passes: Remembered<Supported>[][];
    readonly effects: readonly (readonly [number, Remembered<Written> | 'absent' | 'unknown'])[];
    readonly reads: readonly number[];
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
    /** What the cells that a summand reads can hold while the summand is looked at. */
    const current: (readonly number[])[] = cells.map(() => []);

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
    const prepared = transitions.map(prepare);
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
            if (!enter(summand)) {
                return undefined;
            }
            const { reads } = transitions[summand];
            const start = domains.slice();
            for (const { instance, source } of summands[summand].participants) {
                localCodes[instance][source]?.forEach((codes, cell) => (start[cell] = codes));
            }
            reads.forEach(cell => (start[cell] = current[cell]));
            return { domains: start, canFire: narrow(prepared[summand]) };
        },
        reaches: (instance, location) => localCodes[instance][location] !== undefined,
    };

    function prepare({ participants, effects, reads }: Transition): PreparedTransition {
        return {
            tests: participants.flat(),
            passes: [],
            effects: [...effects].map(([cell, value]) => [
                cell,
                typeof value === 'string'
                    ? value
                    : new Remembered(value, (expression, over) => possibleCodes(expression, cell, over)),
            ]),
            reads,
        };
    }

    /** Leaves of the initial codes those with which what the initial states must satisfy can hold. */
    function narrowInitial(): void {
        const tests = sequential.initialConditions.flatMap(conjunctsOf);
        const reads = [...new Set(tests.flatMap(supportOf))];
        reads.forEach(cell => (current[cell] = domains[cell]));
        if (narrow({ tests, passes: [], effects: [], reads })) {
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
        return transitions[index].reads.includes(cell);
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
        const { reads } = transitions[index];
        for (const cell of reads) {
            current[cell] = presentCodes(cells[cell], domains[cell]);
        }
        for (const { instance, source } of summands[index].participants) {
            const here = localCodes[instance][source];
            if (here === undefined) {
                return false;
            }
            for (const cell of reads) {
                const codes = cells[cell].instance === instance ? here.get(cell) : undefined;
                if (codes !== undefined) {
                    current[cell] = presentCodes(cells[cell], codes);
                }
            }
        }
        return true;
    }

    /** Leaves in `current` the codes of the cells with which all tests can hold; false where they cannot. */
    function narrow({ tests, passes, reads }: PreparedTransition): boolean {
        for (let number = 0; ; number++) {
            const pass = (passes[number] ??= tests.map(test => new Remembered(test, supportedCodes)));
            const kept = new Map<number, readonly number[]>();
            for (const test of pass) {
                const supported = test.over(current);
                if (supported === 'never') {
                    return false;
                }
                for (let position = 0; supported !== 'unknown' && position < test.support.length; position++) {
                    const cell = test.support[position];
                    const here = supported[position];
                    if (here.length < current[cell].length) {
                        const before = kept.get(cell);
                        kept.set(cell, before === undefined ? here : intersection(before, here));
                    }
                }
            }
            kept.forEach((codes, cell) => (current[cell] = codes));
            if (kept.size === 0 || reads.some(cell => isListed[cell] && current[cell].length === 0)) {
                return reads.every(cell => !isListed[cell] || current[cell].length > 0);
            }
        }
    }

    /** The codes of the cells that a test reads with which it can hold. */
    function supportedCodes(test: SequentialExpression, over: Domains): Supported {
        const support = supportOf(test);
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            return 'unknown';
        }
        const supported = support.map(cell => new Uint8Array((over[cell].at(-1) ?? 0) + 2));
        const evaluate = compiler.expression(test);
        let holds = false;
        forEachAssignment(support, over, () => {
            if (outcomeOf(evaluate, state) === 1) {
                holds = true;
                for (let position = 0; position < support.length; position++) {
                    supported[position][state[support[position]] + 1] = 1;
                }
            }
        });
        if (!holds) {
            return 'never';
        }
        return support.map((cell, position) => {
            const kept = over[cell].filter(code => supported[position][code + 1] === 1);
            return kept.length === over[cell].length ? over[cell] : kept;
        });
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

    /** The codes in the domain of `cell` that `expression` can have over `over`. */
    function possibleCodes(expression: SequentialExpression, cell: number, over: Domains): Written {
        const { domain } = cells[cell];
        if (expression.kind === 'constant') {
            const code = codeOfNext(domain, expression.value);
            return written(code === undefined ? [] : [code]);
        }
        const support = supportOf(expression);
        if (expression.kind === 'select' && assignmentCount(support, over) > BRANCH_BUDGET) {
            return union(expression.options.map(option => possibleCodes(option, cell, over)));
        }
        if (expression.kind === 'conditional' && assignmentCount(support, over) > BRANCH_BUDGET) {
            return possibleBranchCodes(expression, cell, over);
        }
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            return written(codesOfDomain(domain, false));
        }
        const codes = new Set<number>();
        let mayKeep = false;
        const evaluate = compiler.expression(expression);
        forEachAssignment(support, over, () => {
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
        over: Domains,
    ): Written {
        const outcomes = new Set<number | string>();
        const support = supportOf(expression.condition);
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            outcomes.add(0).add(1);
        } else {
            const evaluate = compiler.expression(expression.condition);
            forEachAssignment(support, over, () => outcomes.add(outcomeOf(evaluate, state) ?? 'nothing'));
        }
        const { then, otherwise } = expression;
        const branch = (value: SequentialExpression): Written =>
            value.kind === 'cell' && value.cell === cell ? KEPT : possibleCodes(value, cell, over);
        return union([...(outcomes.has(1) ? [branch(then)] : []), ...(outcomes.has(0) ? [branch(otherwise)] : [])]);
    }

    function assignmentCount(support: readonly number[], over: Domains): number {
        let product = 1;
        for (const cell of support) {
            product *= isListed[cell] ? over[cell].length : Infinity;
            if (product > ENUMERATION_BUDGET) {
                return product;
            }
        }
        return product;
    }

    /** Writes each assignment of the support into `state`. */
    function forEachAssignment(support: readonly number[], over: Domains, visit: () => void): void {
        const assign = (position: number): void => {
            if (position === support.length) {
                visit();
                return;
            }
            const cell = support[position];
            for (const code of over[cell]) {
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

/** What is in both, where both are ascending. */
function intersection(first: readonly number[], second: readonly number[]): readonly number[] {
    let position = 0;
    return first.filter(code => {
        while (position < second.length && second[position] < code) {
            position++;
        }
        return second[position] === code;
    });
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
        const present = presentCodes(cells[cell], domains[cell]);
        if (present !== domains[cell]) {
            result ??= domains.slice();
            result[cell] = present;
        }
    }
    return result ?? domains;
}

/** The same array for the same array. */
function presentCodes({ kind }: Cell, codes: readonly number[]): readonly number[] {
    if (codes[0] !== -1 || kind === 'channel') {
        return codes;
    }
    if (codes.length === 1) {
        return FIRST_CODE;
    }
    let present = presentOf.get(codes);
    if (present === undefined) {
        present = codes.slice(1);
        presentOf.set(codes, present);
    }
    return present;
}

const FIRST_CODE: readonly number[] = [0];
const presentOf = new WeakMap<readonly number[], readonly number[]>();

/** The operands of a conjunction, which are tests of their own. */
export function conjunctsOf(test: SequentialExpression): readonly SequentialExpression[] {
    return test.kind === 'and' ? test.operands : [test];
}
