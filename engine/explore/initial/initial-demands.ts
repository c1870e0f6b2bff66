/**
 * The conditions on initial states, in the order of the initializers after which they are tested, each conjunct alone.
 * Before all its cells are set, bounds tell whether a condition can still hold, so that most of the product of all
 * choices is not visited. A false condition comes before one that is a fault, and a fault of an initializer before
 * both.
 */
import { NOWHERE, type SourceRange } from '../../common/source-range.js';
import { NO_VALUE, NONE, valueOfCode, type Domain } from '../../model/domain.js';
import { supportOf } from '../../sequential/cell-access.js';
import { boundsOf, mayFault, mayLeave } from '../../sequential/expression/bounds.js';
import { Fault, type Compiler, type Condition } from '../../sequential/expression/evaluate.js';
import { conjunctsOf } from '../../sequential/expression/operands.js';
import { valuesOfInitial } from '../../sequential/initial-cells.js';
import type { Cell, InitialCell, SequentialExpression, SequentialModel } from '../../sequential/sequential-model.js';

interface Demand {
    readonly expression: SequentialExpression;
    readonly holds: Condition;
    readonly mayFault: boolean;
    readonly range: SourceRange;
    /** Ascending. */
    readonly reads: readonly number[];
    /** The number of entries set before it is tested. */
    readonly position: number;
    /** The number of earlier looks, and of those in vain. */
    readonly early: { looks: number; vain: number };
}

/** After so many vain looks, a demand needs this rate of success to be looked at early. */
const MOST_VAIN_LOOKS = 1_000;
const LEAST_GAIN = 0.05;

export class InitialDemands {
    /** Whether neither a demand nor an initializer may be a fault. */
    readonly isFaultless: boolean;
    readonly #cells: readonly Cell[];
    readonly #positionOfCell: Int32Array;
    /** By number of entries set, from 0: the demands to test. */
    readonly #demands: readonly (readonly Demand[])[];
    /** By number of entries set: demands that are tested later, but may already be known to be false. */
    readonly #openDemands: readonly (readonly Demand[])[];
    /** The first fault among the demands so far, and the number of entries set when it was found. */
    #fault: { readonly fault: Fault; readonly after: number } | undefined;

    /** By cell, `positionOfCell` is the number of entries set, its own included. */
    constructor(model: SequentialModel, compiler: Compiler, positionOfCell: Int32Array) {
        const { cells, initial } = model;
        const lastFault = lastFaultOf(cells, initial);
        const demands = demandsOf(model, compiler, positionOfCell, lastFault);
        this.isFaultless = lastFault === 0 && !demands.some(demand => demand.mayFault);
        this.#cells = cells;
        this.#positionOfCell = positionOfCell;
        this.#demands = Array.from({ length: initial.length + 1 }, (_, count) =>
            demands.filter(({ position }) => position === count),
        );
        this.#openDemands = openDemands(demands, initial, positionOfCell, lastFault);
    }

    get isEmpty(): boolean {
        return this.first === undefined;
    }

    get first(): Demand | undefined {
        return this.#demands.flat().at(0);
    }

    /** The fault of a demand for the values so far. */
    get fault(): Fault | undefined {
        return this.#fault?.fault;
    }

    /** The demands to test when `count` entries are set. */
    at(count: number): readonly Demand[] {
        return this.#demands[count];
    }

    restart(): void {
        this.#fault = undefined;
    }

    /** Whether all demands hold. Throws Fault if one of them faults. */
    hold(state: Readonly<Int32Array>): boolean {
        return this.#demands.every(demands => demands.every(({ holds }) => holds(state)));
    }

    /** The number of entries set at the last early look at a demand. */
    lastLook(): number {
        let count = this.#openDemands.length - 1;
        while (count > 0 && !this.#openDemands[count].some(isLookedAtEarly)) {
            count--;
        }
        return count;
    }

    /** Whether no demand after `count` entries is false. A fault is remembered. */
    areMet(state: Readonly<Int32Array>, count: number): boolean {
        if (this.#fault !== undefined && this.#fault.after >= count) {
            this.#fault = undefined;
        }
        if (this.#demands[count].length + this.#openDemands[count].length === 0) {
            return true;
        }
        for (const { holds } of this.#demands[count]) {
            try {
                if (!holds(state)) {
                    return false;
                }
            } catch (error) {
                if (!(error instanceof Fault)) {
                    throw error;
                }
                this.#fault ??= { fault: error, after: count };
            }
        }
        return this.#openDemands[count].every(demand => this.#mayHold(demand, state, count));
    }

    /** Whether a demand may hold for some values of the cells not yet set. */
    #mayHold(demand: Demand, state: Readonly<Int32Array>, count: number): boolean {
        if (!isLookedAtEarly(demand)) {
            return true;
        }
        const { expression, reads, early } = demand;
        const cells: Cell[] = [];
        for (const cell of reads) {
            const { domain } = this.#cells[cell];
            const isSet = this.#positionOfCell[cell] <= count && state[cell] !== NO_VALUE;
            cells[cell] = { ...this.#cells[cell], domain: isSet ? only(domain, state[cell]) : domain };
        }
        const mayHold = boundsOf(expression, cells).high > 0;
        early.looks++;
        early.vain += mayHold ? 1 : 0;
        return mayHold;
    }
}

function isLookedAtEarly({ early }: Demand): boolean {
    return early.vain <= MOST_VAIN_LOOKS || early.vain <= (1 - LEAST_GAIN) * early.looks;
}

function demandsOf(
    { cells, initialConditions }: SequentialModel,
    compiler: Compiler,
    positionOfCell: Int32Array,
    lastFault: number,
): Demand[] {
    return initialConditions.flatMap(conjunctsOf).map(expression => {
        const reads = supportOf(expression);
        return {
            expression,
            holds: compiler.condition(expression),
            range: expression.kind === 'constant' ? NOWHERE : expression.range,
            reads,
            position: reads.reduce((last, cell) => Math.max(last, positionOfCell[cell]), lastFault),
            mayFault: mayFault(expression, cells),
            early: { looks: 0, vain: 0 },
        };
    });
}

/** The number of entries set after which no initializer may be a fault. */
function lastFaultOf(cells: readonly Cell[], initial: readonly InitialCell[]): number {
    return initial.reduce((last, entry, position) => {
        const { domain } = cells[entry.cell];
        const isSure = valuesOfInitial(entry.value).every(
            value => !mayFault(value, cells) && !mayLeave(domain, value, cells),
        );
        return isSure ? last : position + 1;
    }, 0);
}

/**
 * By number of entries set: the demands to look at early, after one of several choices that they read. An initializer
 * that may be a fault comes first, and a demand that may be one is tested for each choice.
 */
function openDemands(
    demands: readonly Demand[],
    initial: readonly InitialCell[],
    positionOfCell: Int32Array,
    lastFault: number,
): (readonly Demand[])[] {
    const open = Array.from({ length: initial.length + 1 }, (): Demand[] => []);
    for (const demand of demands) {
        if (demand.mayFault) {
            continue;
        }
        for (const cell of demand.reads) {
            const position = positionOfCell[cell];
            const isChoice = initial[position - 1].value.kind !== 'none';
            if (isChoice && lastFault <= position && position < demand.position) {
                open[position].push(demand);
            }
        }
    }
    return open;
}

/** A domain of one value. */
function only(domain: Domain, code: number): Domain {
    const value = valueOfCode(domain, code);
    return value === NONE
        ? { kind: 'optional', base: { kind: 'range', low: 1, high: 0 } }
        : { kind: 'range', low: value, high: value };
}
