/**
 * A family: a linked text in which some parameters have no value yet. With values it becomes a model or a list of errors,
 * as a text does whose parameters have these values. The tree may be parsed or revived (posting/posted-family.ts).
 */
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type { Model } from '../engine/model/model.js';
import { checkWithValues, type GivenValues } from './check-values.js';
import * as ast from './generated/nodes.js';
import { lowerModel } from './lowering/lower-model.js';
import { declarationsOf } from './references/imports.js';

export interface Family {
    /** The names are right in it and in the files that it imports. */
    readonly root: ast.Model;
    /** What the check of the names has found: no errors. */
    readonly problems: readonly Problem[];
    readonly parameters: readonly SizeParameter[];
    /** The values of other parameters from outside, and the ranges that depend on those of the family. */
    readonly given: GivenValues;
}

/** A parameter that is to have all values of its type. */
export interface SizeParameter {
    readonly name: string;
    readonly least: number;
    readonly most: number;
    /** Its name in its declaration. */
    readonly range: SourceRange;
}

/** The model for some values, whose domains have `bounds`, with warnings; or errors. */
export type Instance =
    | { readonly model: Model; readonly problems: readonly Problem[] }
    | { readonly model?: undefined; readonly problems: readonly Problem[] };

/** The check and the lowering with values in the order of the parameters. O(size of the model) */
export function instantiate({ root, problems, parameters, given }: Family, values: readonly number[]): Instance {
    const declared = declarationsOf(root).filter(ast.isParameter);
    const overrides = new Map(given.overrides);
    parameters.forEach(({ name }, position) => {
        const parameter = declared.find(each => each.name === name);
        const value = values[position];
        if (parameter !== undefined && value !== undefined) {
            overrides.set(name, integerAt(parameter, value));
        }
    });
    const result = checkWithValues(root, problems, { ...given, overrides });
    const { context } = result;
    return context === undefined
        ? { problems: result.problems.filter(({ severity }) => severity === 'error') }
        : { model: lowerModel({ model: root, constants: context.constants }), problems: result.problems };
}

/** An integer in the place of the default of a parameter, without a place in the text. */
function integerAt(parameter: ast.Parameter, value: number): ast.Expression {
    return { $type: 'NumberLiteral', $container: parameter, $containerProperty: 'value', value };
}
