/**
 * Whether the instances of a family are what a check and the lowering of the text say with the same values from outside,
 * problems included, for the parsed tree and for one that was posted.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LangiumDocument } from 'langium';
import { linearBounds } from '../../family/linear-bounds.js';
import { NO_VALUES, type GivenValues } from '../../language/check-values.js';
import { isParameter } from '../../language/generated/nodes.js';
import { instantiate, type Family, type Instance, type SizeParameter } from '../../language/instantiate.js';
import { lowerModel } from '../../language/lowering/lower-model.js';
import { revived, toPosted, type PostedFamily } from '../../language/posting/posted-family.js';
import { ProblemCollector } from '../../language/problems/problem-collector.js';
import { declarationsOf } from '../../language/references/imports.js';
import { nameRangeOf } from '../../language/tree/source-text.js';
import { ScalarShape } from '../../language/representation/cell.js';
import { Constants } from '../../language/typing/constants.js';
import { linkedDocument, type ReadImport } from '../../language-server/load-model.js';
import { createOrbitCoreServices } from '../../language-server/module.js';
import { readParameterValues } from '../../language-server/parsing/parameter-values.js';
import { modelOf } from '../../language-server/references/imports.js';
import { checkDocument, checkTexts } from '../../language-server/validation/validator.js';

const services = createOrbitCoreServices().Orbit;
const { LangiumParser } = services.parser;
const MODEL_URI = 'file:///model.orbit';
const NO_IMPORT: ReadImport = () => Promise.resolve({ reason: 'there are no files' });

export interface Comparison {
    /** The values that were compared. */
    readonly points: number;
    /** How many of them are errors. */
    readonly errors: number;
    readonly differences: readonly string[];
}

/**
 * All values up to `most` above the least, or fewer if that makes many, of all parameters that are integers. `given` are
 * values of other parameters. A family is compared even if nothing can be said for all of its values.
 */
export async function compareInstances(
    text: string,
    most: number,
    {
        given = [],
        readImport = NO_IMPORT,
    }: {
        readonly given?: readonly (readonly [name: string, value: string])[];
        readonly readImport?: ReadImport;
    } = {},
): Promise<Comparison> {
    const document = await linkedDocument(text, MODEL_URI, readImport, work => work(), services);
    const family = familyOfAll(document, given);
    if (family === undefined) {
        return { points: 0, errors: 0, differences: [] };
    }
    const posted = toPosted(family);
    const copies = {
        cloned: revived(structuredClone(posted)),
        written: revived(JSON.parse(JSON.stringify(posted)) as PostedFamily),
    };
    const differences: string[] = [];
    let errors = 0;
    const points = valuesUpTo(family.parameters, most);
    for (const values of points) {
        const names = family.parameters.map(({ name }, position) => `${name} = ${values[position]}`).join(', ');
        const expected = checkedInstance(document, family, given, values);
        errors += expected.model === undefined ? 1 : 0;
        for (const [kind, each] of Object.entries({ parsed: family, ...copies })) {
            const found = instantiate(each, values);
            if (!isDeepStrictEqual(found, expected)) {
                differences.push(`${kind}, ${names}: ${summaryOf(found)}, expected ${summaryOf(expected)}`);
            }
        }
    }
    return { points: points.length, errors, differences };
}

function summaryOf({ model, problems }: Instance): string {
    return `${model === undefined ? 'errors' : 'model'} ${JSON.stringify(problems)}`;
}

/** Undefined if the text has errors without values, or no parameter that is an integer. */
function familyOfAll(
    document: LangiumDocument,
    given: readonly (readonly [name: string, value: string])[],
): Family | undefined {
    const { model, problems } = checkTexts(document);
    const root = modelOf(document);
    if (model === undefined || root === undefined) {
        return undefined;
    }
    const { values: overrides } = readParameterValues(document, given, LangiumParser);
    const declarations = declarationsOf(root);
    const constants = new Constants(declarations, overrides, new ProblemCollector());
    const parameters = declarations.filter(isParameter).flatMap((parameter): SizeParameter[] => {
        const shape = overrides.has(parameter.name) ? undefined : constants.shapeOf(parameter.type);
        return shape instanceof ScalarShape && shape.domain.kind === 'range'
            ? [
                  {
                      name: parameter.name,
                      least: shape.domain.low,
                      most: shape.domain.high,
                      range: nameRangeOf(parameter),
                  },
              ]
            : [];
    });
    const sizes = new Set(parameters.map(({ name }) => name));
    const { bounds } = linearBounds(declarations, sizes, overrides, constants);
    return parameters.length === 0 ? undefined : { root, problems, parameters, given: { overrides, bounds } };
}

/** The check and the lowering of the document, with values as texts. */
function checkedInstance(
    document: LangiumDocument,
    { parameters, given: { bounds } }: Family,
    given: readonly (readonly [name: string, value: string])[],
    values: readonly number[],
): Instance {
    const sizes = parameters.map(({ name }, position) => [name, String(values[position])] as const);
    const all = readParameterValues(document, [...given, ...sizes], LangiumParser);
    const withValues: GivenValues = { ...NO_VALUES, overrides: all.values, bounds };
    const { checked, problems } = checkDocument(document, withValues);
    const found = [...all.problems, ...problems];
    return checked === undefined || all.problems.length > 0
        ? { problems: found.filter(({ severity }) => severity === 'error') }
        : { model: lowerModel(checked), problems: found };
}

const MOST_POINTS = 40;

function valuesUpTo(parameters: readonly SizeParameter[], most: number): readonly (readonly number[])[] {
    let points: readonly (readonly number[])[] = [[]];
    for (const { least, most: last } of parameters) {
        const count = Math.min(last - least, points.length * (most + 1) > MOST_POINTS ? 1 : most) + 1;
        points = points.flatMap(point => Array.from({ length: count }, (_, more) => [...point, least + more]));
    }
    return points;
}
