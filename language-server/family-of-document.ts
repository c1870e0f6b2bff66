/**
 * A text as a family of models, one for each value of some parameters. In goes a linked document; out comes the family,
 * whose ranges say how they depend on the parameters, or the places where the text needs one value.
 */
import { isReference, type LangiumDocument, type LangiumParser } from 'langium';
import type { Problem } from '../engine/common/problem.js';
import { refusal } from '../family/refusal.js';
import type { Family, SizeParameter } from '../language/instantiate.js';
import * as ast from './generated/ast.js';
import { readParameterValues, unknownParameter } from './parsing/parameter-values.js';
import { declarationsOf } from '../language/references/imports.js';
import { modelOf } from './references/imports.js';
import { nodesOf } from '../language/tree/descendants.js';
import type { Node } from '../language/tree/node.js';
import { nameRangeOf } from '../language/tree/source-text.js';
import { ProblemCollector } from '../language/problems/problem-collector.js';
import { Constants } from '../language/typing/constants.js';
import { checkTexts, keepingReferences } from './validation/validator.js';
import { linearBounds } from '../family/linear-bounds.js';

/** The value that stands for all. */
export const ALL = 'all';

export type EverySize =
    | { readonly kind: 'family'; readonly family: Family }
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
    const declared = new Map(
        declarationsOf(model)
            .filter(ast.isParameter)
            .map(each => [each.name, each]),
    );
    const unknown = sizes.find(name => !declared.has(name));
    if (unknown !== undefined) {
        return { kind: 'refused', problems: [unknownParameter(unknown, [...declared.keys()], document)] };
    }
    const free = sizes.flatMap(name => declared.get(name) ?? []);
    return keepingReferences(model, () => familyWith(document, model, free, given.values));
}

/** `given`: the values of the other parameters from outside. Their names are linked here, as far as they are known. */
function familyWith(
    document: LangiumDocument,
    root: ast.Model,
    sizes: readonly ast.Parameter[],
    given: ReadonlyMap<string, ast.Expression>,
): EverySize {
    const { model, problems } = checkTexts(document);
    if (model === undefined) {
        return { kind: 'refused', problems: problems.filter(({ severity }) => severity === 'error') };
    }
    const declarations = declarationsOf(root);
    // Whatever is wrong with values is said where the text gets some.
    const constants = new Constants(declarations, given, new ProblemCollector());
    const parameters: SizeParameter[] = [];
    const refusals: Problem[] = [];
    for (const parameter of sizes) {
        const { name } = parameter;
        const type = constants.shapeOf(parameter.type)?.type;
        if (type?.kind !== 'integer') {
            refusals.push(refusal(`\`${name}\` has no range of integers as its type`, nameRangeOf(parameter)));
            continue;
        }
        parameters.push({ name, least: type.low, most: type.high, range: nameRangeOf(parameter) });
    }
    const { bounds, refusals: fixed } = linearBounds(
        // What is meant is not asked for all values.
        declarations.filter(each => !ast.isStatedRun(each) && !ast.isExpectation(each)),
        new Set(sizes.map(({ name }) => name)),
        given,
        constants,
    );
    refusals.push(...fixed);
    if (refusals.length > 0) {
        return { kind: 'refused', problems: refusals };
    }
    [...given.values()].flatMap(nodesOf).forEach(linkNames);
    return { kind: 'family', family: { root, problems, parameters, given: { overrides: given, bounds } } };
}

/** A link looks its target up when it is read first. */
function linkNames(node: Node): void {
    Object.values(node)
        .filter(isReference)
        .forEach(link => link.ref);
}
