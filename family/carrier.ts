/**
 * The values that name members of a family, cut into intervals by the ranges of the text: `0 .. R - 1` and `R .. R + W - 1`
 * have the cut points 0, R and R + W. An interval as long as a parameter is large is a *family*, whose members the text
 * treats alike; the values of an interval of fixed length are *fixed*. Each range is a row of consecutive intervals.
 */
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import type { LinearBounds, LinearSum, Value } from '../engine/model/domain.js';
import type { Model } from '../engine/model/model.js';
import { refusal } from './refusal.js';
import type { SizeParameter } from '../language/instantiate.js';

export interface Carrier {
    readonly parameters: readonly SizeParameter[];
    /** Ascending. */
    readonly intervals: readonly Interval[];
    /** In the order of the parameters. */
    readonly families: readonly Family[];
}

interface Interval {
    readonly low: LinearSum;
    /** The low end of the next one. */
    readonly end: LinearSum;
    /** Index into `Carrier.families`; absent if the values are fixed. */
    readonly family?: number;
}

/** An interval with as many values as its parameter says. */
interface Family {
    /** Index into `Carrier.intervals`. */
    readonly interval: number;
    /** What is added to the parameter: 1 for `0 .. N`, if none of its values is fixed. */
    readonly offset: number;
    /** The least and the greatest number of values. */
    readonly least: number;
    readonly most: number;
}

/** Cuts the ranges of a model into intervals. Refused if that depends on the values of the parameters. */
export function carrierOf(
    model: Model,
    parameters: readonly SizeParameter[],
): Carrier | { readonly problems: readonly Problem[] } {
    const cuts = new Map<string, { readonly sum: LinearSum; readonly bounds: LinearBounds }>();
    for (const bounds of rangesIn(model)) {
        const [low, end] = [bounds.low, endOf(bounds)];
        if (!isAtMost(low, end, parameters)) {
            return { problems: [refusal('the low end of this range may be above its high end', bounds.range)] };
        }
        cuts.set(textOfSum(low), { sum: low, bounds });
        cuts.set(textOfSum(end), { sum: end, bounds });
    }
    const sorted = [...cuts.values()];
    for (let position = 0; position < sorted.length; position++) {
        // Insertion from the left: the comparison may be undefined, which the sort of an array does not allow.
        for (let place = position; place > 0; place--) {
            const [before, after] = [sorted[place - 1], sorted[place]];
            if (isAtMost(before.sum, after.sum, parameters)) {
                break;
            }
            if (!isAtMost(after.sum, before.sum, parameters)) {
                const message = 'for some sizes the ends of this range and of another one change their order';
                return { problems: [refusal(message, after.bounds.range)] };
            }
            [sorted[place - 1], sorted[place]] = [after, before];
        }
    }
    return withFamilies(sorted, parameters);
}

/** The ranges of members, wherever they stand. */
function rangesIn(part: unknown): LinearBounds[] {
    if (typeof part !== 'object' || part === null) {
        return [];
    }
    if ('bounds' in part && 'low' in part) {
        return [part.bounds as LinearBounds];
    }
    return Object.values(part).flatMap(rangesIn);
}

function withFamilies(
    cuts: readonly { readonly sum: LinearSum; readonly bounds: LinearBounds }[],
    parameters: readonly SizeParameter[],
): Carrier | { readonly problems: readonly Problem[] } {
    const families: (Family | undefined)[] = parameters.map(() => undefined);
    const intervals: Interval[] = [];
    for (const [position, { sum: low, bounds }] of cuts.slice(0, -1).entries()) {
        const end = cuts[position + 1].sum;
        const size = difference(end, low);
        const names = Object.keys(size.factors);
        if (names.length === 0) {
            intervals.push({ low, end });
            continue;
        }
        const [name] = names;
        const family = parameters.findIndex(parameter => parameter.name === name);
        const parameter = parameters[family];
        if (names.length > 1 || size.factors[name] !== 1) {
            const message = 'the number of values in this range, or in a part of it, is not that of one parameter';
            return { problems: [refusal(message, bounds.range)] };
        }
        if (families[family] !== undefined) {
            const message = `\`${name}\` is the size of two separate ranges, this one and another one`;
            return { problems: [refusal(message, bounds.range)] };
        }
        families[family] = {
            interval: position,
            offset: size.constant,
            least: parameter.least + size.constant,
            most: parameter.most + size.constant,
        };
        intervals.push({ low, end, family });
    }
    const unused = families.indexOf(undefined);
    return unused >= 0
        ? { problems: [refusal(`\`${parameters[unused].name}\` is the size of nothing`, parameters[unused].range)] }
        : { parameters, intervals, families: families.filter(family => family !== undefined) };
}

/** The number of values that belong to no family. */
export function fixedCountOf({ intervals }: Carrier): number {
    const fixed = intervals.filter(({ family }) => family === undefined);
    return fixed.reduce((sum, { low, end }) => sum + end.constant - low.constant, 0);
}

/** Whether a number is a value of no family, whatever the sizes are. */
export function isFixed({ intervals }: Carrier, value: Value): boolean {
    return intervals.some(
        ({ low, end, family }) =>
            family === undefined && isConstant(low) && low.constant <= value && value < end.constant && isConstant(end),
    );
}

function isConstant({ factors }: LinearSum): boolean {
    return Object.keys(factors).length === 0;
}

/** The parameters for so many values in each family. */
export function valuesOfSizes({ families }: Carrier, sizes: readonly number[]): number[] {
    return families.map(({ offset }, family) => sizes[family] - offset);
}

/** Where a value stands: its interval, and the values of the interval before it. */
export interface Position {
    readonly interval: number;
    readonly place: number;
}

/** The position of a value in the model with these values of the parameters. */
export function positionOf(carrier: Carrier, values: readonly number[], value: Value): Position {
    const interval = carrier.intervals.findIndex(
        ({ low, end }) => valueOfSum(low, carrier, values) <= value && value < valueOfSum(end, carrier, values),
    );
    invariant(interval >= 0, 'each value of a range is in an interval');
    return { interval, place: value - valueOfSum(carrier.intervals[interval].low, carrier, values) };
}

function valueOfSum({ constant, factors }: LinearSum, { parameters }: Carrier, values: readonly number[]): number {
    return parameters.reduce((sum, { name }, index) => sum + (factors[name] ?? 0) * values[index], constant);
}

function endOf({ high }: LinearBounds): LinearSum {
    return { ...high, constant: high.constant + 1 };
}

/** Equal for equal sums. */
export function textOfSum({ constant, factors }: LinearSum): string {
    const terms = Object.entries(factors).map(([name, factor]) => `${factor}*${name}`);
    return [...terms.sort(), constant].join('+');
}

function difference(left: LinearSum, right: LinearSum): LinearSum {
    const factors = { ...left.factors };
    for (const [name, factor] of Object.entries(right.factors)) {
        factors[name] = (factors[name] ?? 0) - factor;
    }
    return {
        constant: left.constant - right.constant,
        factors: Object.fromEntries(Object.entries(factors).filter(([, factor]) => factor !== 0)),
    };
}

/** Whether a sum is at most another one for all values of the parameters, however large. */
function isAtMost(left: LinearSum, right: LinearSum, parameters: readonly SizeParameter[]): boolean {
    const { constant, factors } = difference(right, left);
    const least = parameters.reduce((sum, parameter) => {
        const factor = factors[parameter.name] ?? 0;
        return factor < 0 ? -Infinity : sum + factor * parameter.least;
    }, constant);
    return least >= 0;
}
