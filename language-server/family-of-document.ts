/**
 * A text as a family of models, one for each value of some parameters. In goes a linked document; out come its models,
 * made on demand, whose domains say how they depend on the parameters, or the places where the text needs one value.
 */
import type { LangiumDocument, LangiumParser } from 'langium';
import type { Problem } from '../engine/common/problem.js';
import { refusal } from '../family/refusal.js';
import type { ModelOfSizes, SizeParameter } from '../family/sized-model.js';
import * as ast from './generated/ast.js';
import { lowerModel } from '../language/lowering/lower-model.js';
import { readParameterValues } from './parsing/parameter-values.js';
import { declarationsOf } from '../language/references/imports.js';
import { modelOf } from './references/imports.js';
import { nameRangeOf } from '../language/tree/source-text.js';
import { ProblemCollector } from '../language/problems/problem-collector.js';
import { Constants } from '../language/typing/constants.js';
import { checkTexts, checkWithValues } from './validation/validator.js';
import { linearBounds } from '../family/linear-bounds.js';
import { ScalarShape } from '../language/representation/cell.js';

/** The value that stands for all. */
export const ALL = 'all';

export type EverySize =
    | { readonly kind: 'family'; readonly parameters: readonly SizeParameter[]; readonly modelAt: ModelOfSizes }
    /** The text declares a name `all`, which is the value. */
    | { readonly kind: 'one' }
    /** The text has errors, or does not treat all values alike. */
    | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** The names of the parameters that are to have all values; a declared name `all` is the value of that name. */
function parametersWithAll(
    document: LangiumDocument,
    parameters: Iterable<readonly [name: string, value: string]>,
): string[] {
    const model = modelOf(document);
    const declarations = model === undefined ? [] : declarationsOf(model);
    const isDeclared = declarations.some(
        declaration =>
            ('name' in declaration && declaration.name === ALL) ||
            (ast.isEnumeration(declaration) && declaration.values.some(({ name }) => name === ALL)),
    );
    return isDeclared ? [] : [...parameters].flatMap(([name, value]) => (value.trim() === ALL ? [name] : []));
}

/** The family of a document. `parameters` are names and values as texts, `ALL` for those that have all values. */
export function familyOf(
    document: LangiumDocument,
    parameters: ReadonlyMap<string, string>,
    parser: LangiumParser,
): EverySize {
    const sizes = parametersWithAll(document, parameters);
    if (sizes.length === 0) {
        return { kind: 'one' };
    }
    const others = [...parameters].filter(([name]) => !sizes.includes(name));
    const given = readParameterValues(document, others, parser);
    const model = modelOf(document);
    if (model === undefined || given.problems.length > 0) {
        return { kind: 'refused', problems: given.problems };
    }
    const declarations = declarationsOf(model);
    const declared = declarations.filter(ast.isParameter);
    // Whatever is wrong with the text is said when its first model is made.
    const constants = new Constants(declarations, given.values, new ProblemCollector());
    const found: SizeParameter[] = [];
    const refusals: Problem[] = [];
    for (const name of sizes) {
        const parameter = declared.find(each => each.name === name);
        if (parameter === undefined) {
            return { kind: 'refused', problems: readParameterValues(document, [[name, '1']], parser).problems };
        }
        const shape = constants.shapeOf(parameter.type);
        if (!(shape instanceof ScalarShape) || shape.domain.kind !== 'range') {
            refusals.push(refusal(`\`${name}\` has no range of integers as its type`, nameRangeOf(parameter)));
            continue;
        }
        found.push({ name, least: shape.domain.low, most: shape.domain.high, range: nameRangeOf(parameter) });
    }
    const { bounds, refusals: fixed } = linearBounds(declarations, new Set(sizes), given.values, declaration =>
        integerOf(declaration, constants),
    );
    refusals.push(...fixed);
    if (refusals.length > 0) {
        return { kind: 'refused', problems: refusals };
    }
    const texts = checkTexts(document);
    const modelAt: ModelOfSizes = values => {
        const given = sizes.map((name, position) => [name, String(values[position])] as const);
        const all = readParameterValues(document, [...others, ...given], parser);
        const result = checkWithValues(document, texts, { overrides: all.values, bounds });
        const errors = [...all.problems, ...result.problems].filter(({ severity }) => severity === 'error');
        return result.checked === undefined || errors.length > 0
            ? { problems: errors }
            : { model: lowerModel(result.checked), problems: [] };
    };
    return { kind: 'family', parameters: found, modelAt };
}

function integerOf(declaration: ast.Parameter | ast.Constant, constants: Constants): number | undefined {
    const value = constants.valueOf(declaration);
    return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
