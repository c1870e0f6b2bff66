/** The ways to make the last choices of the initial states, while the first choices stay as they are. */
import type { SourceRange } from '../../common/source-range.js';
import type { InitialValue, SequentialExpression, SequentialModel } from '../../sequential/sequential-model.js';
import type { InitialDemands } from './initial-demands.js';

/** A cell with a choice. */
interface RestChoice {
    readonly cell: number;
    /** Its possible codes in order; 0 … count - 1 if absent. */
    readonly codes?: readonly number[];
    readonly count: number;
}

/** A consequence of choices: the value of another cell, or a demand. Neither is ever a fault. */
type RestConsequence =
    | {
          readonly kind: 'value';
          readonly cell: number;
          readonly expression: SequentialExpression;
          readonly range: SourceRange;
      }
    | { readonly kind: 'demand'; readonly expression: SequentialExpression };

/** All ways to make the last choices. */
export interface InitialRest {
    /** The state, with the first choices. */
    readonly state: Readonly<Int32Array>;
    /** The last choices; the last one of them varies fastest. */
    readonly choices: readonly RestChoice[];
    /** By choice: its consequences, in order, after it and those before it. */
    readonly consequences: readonly (readonly RestConsequence[])[];
    /** Whether symmetries restrict the first choices. */
    readonly isReduced: boolean;
}

/** The ways to choose for which generated code pays off, and the most that are made at once. */
const LEAST_REST = 64;
const MOST_WAYS = 1 << 12;
/** The last choices ignore symmetries: most states with the same first choices are in different orbits. */
const MOST_WAYS_BESIDE_SYMMETRIES = 1 << 7;

interface ChosenState {
    readonly model: SequentialModel;
    readonly demands: InitialDemands;
    readonly state: Readonly<Int32Array>;
    /** By entry: the codes that it may have, all if undefined; and their number. */
    readonly codes: readonly (readonly number[] | undefined)[];
    readonly counts: Float64Array;
    readonly isReduced: boolean;
}

/** Undefined if there are fewer than `leastWays` or few ways in all. */
export function restOf(chosen: ChosenState, leastWays: number): InitialRest | undefined {
    let start = chosen.demands.lastLook();
    const ways = (): number =>
        chosen.counts.reduce((product, count, entry) => (entry < start ? product : product * count), 1);
    if (ways() < Math.max(LEAST_REST, leastWays)) {
        return undefined;
    }
    while (ways() > (chosen.isReduced ? MOST_WAYS_BESIDE_SYMMETRIES : MOST_WAYS)) {
        start++;
    }
    return ways() < LEAST_REST ? undefined : restFrom(chosen, start);
}

/** The choices from the entry `start` on, with their consequences. */
function restFrom({ model, demands, state, codes, counts, isReduced }: ChosenState, start: number): InitialRest {
    const choices: RestChoice[] = [];
    const consequences: RestConsequence[][] = [];
    model.initial.forEach(({ cell, value }, entry) => {
        if (isChoice(value)) {
            if (entry >= start) {
                const own = codes[entry];
                choices.push({ cell, count: counts[entry], ...(own !== undefined && { codes: own }) });
                consequences.push([]);
            }
        } else if (value.kind === 'value' && value.expression.kind !== 'constant') {
            consequences.at(-1)?.push({ kind: 'value', cell, expression: value.expression, range: value.range });
        }
        for (const { expression } of demands.at(entry + 1)) {
            consequences.at(-1)?.push({ kind: 'demand', expression });
        }
    });
    return { state, choices, consequences, isReduced };
}

/** Whether a cell with this initializer may have several values. */
export function isChoice({ kind }: InitialValue): boolean {
    return kind === 'any' || kind === 'oneOf';
}
