/** Cells for names of a body and kept values, without a value between steps: the steps of an instance share them. */
import type { SourceRange } from '../../common/source-range.js';
import { baseOf, isNumber, type Domain } from '../../model/domain.js';
import { supportOf } from '../cell-access.js';
import { LIMITS, stop } from '../linearization-limits.js';
import type { Cell, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import { boundsOf, MOST_NUMBER } from './bounds.js';

/** A value in a cell of its own. */
export interface HeldValue {
    /** Reads the cell. */
    readonly value: SequentialExpression;
    /** Fills it. */
    readonly statements: readonly SequentialStatement[];
}

/** Gives out temporary cells; the next step of the instance can use them again. */
export class TemporaryCells {
    /** All cells of the model; new ones come at the end. */
    readonly cells: Cell[];
    readonly #pools = new Map<string, number[]>();
    readonly #used = new Map<string, number>();
    #instance = -1;
    #instanceName = '';

    constructor(cells: Cell[]) {
        this.cells = cells;
    }

    /** From here on, cells are for a step of this instance. */
    beginStep(instance: number, name: string): void {
        this.continueStep(instance, name);
        this.#used.clear();
    }

    /** Later cells are for another part of a step of this instance. */
    continueStep(instance: number, name: string): void {
        this.#instance = instance;
        this.#instanceName = name;
    }

    /**
     * Keeps a value in a cell that has room for all its possible values. What reads a number without end and has no lower
     * bound above is one, `x mod 4` is none. The choice is about messages, not about answers: `NumberWalk` refuses each
     * assignment of a number to a cell with an end, and of anything else to a number.
     */
    hold(name: string, value: SequentialExpression, range: SourceRange): HeldValue {
        const { low, high, mayBeNone } = boundsOf(value, this.cells);
        const number = high < MOST_NUMBER ? undefined : this.#numberIn(value);
        if (number !== undefined) {
            return this.holdIn(mayBeNone ? { kind: 'optional', base: number } : number, name, value, range);
        }
        // A value that can only be a fault has no bounds.
        const base: Domain = low <= high ? { kind: 'range', low, high } : { kind: 'range', low: 0, high: 0 };
        if (
            !Number.isSafeInteger(base.low) ||
            !Number.isSafeInteger(base.high) ||
            base.high - base.low > LIMITS.domainSize
        ) {
            stop(
                'limit/domain-size',
                `the value of \`${name}\` may be too large to be kept; give it a type: \`var ${name}: 0 .. 100 = …\``,
                range,
            );
        }
        return this.holdIn(mayBeNone ? { kind: 'optional', base } : base, name, value, range);
    }

    /** The domain of a number without end that a value comes from. */
    #numberIn(value: SequentialExpression): Domain | undefined {
        const cell = supportOf(value).find(each => isNumber(this.cells[each].domain));
        return cell === undefined ? undefined : baseOf(this.cells[cell].domain);
    }

    /** Keeps a value in a cell of `domain`; a value outside is a fault. */
    holdIn(domain: Domain, name: string, value: SequentialExpression, range: SourceRange): HeldValue {
        const cell = this.#cellFor(domain, name, range);
        return {
            value: { kind: 'cell', cell, range },
            statements: [{ kind: 'assign', target: { kind: 'cell', cell }, value, range }],
        };
    }

    /** A cell that the step does not use yet. */
    #cellFor(domain: Domain, name: string, range: SourceRange): number {
        const key = `${this.#instance} ${JSON.stringify(domain)}`;
        const pool = this.#pools.get(key) ?? [];
        this.#pools.set(key, pool);
        const position = this.#used.get(key) ?? 0;
        this.#used.set(key, position + 1);
        if (position === pool.length) {
            if (this.cells.length >= LIMITS.cells) {
                stop('limit/cells', 'the bodies of the steps need too many names', range);
            }
            pool.push(this.cells.length);
            this.cells.push({
                name: this.#instanceName === '' ? name : `${this.#instanceName}.${name}`,
                domain,
                kind: 'temporary',
                variable: -1,
                instance: this.#instance,
                indices: [],
                mayBeAbsent: true,
                declaration: range,
            });
        }
        return pool[position];
    }
}
