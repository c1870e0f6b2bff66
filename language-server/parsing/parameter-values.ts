/** Values of parameters given from outside, `--param N=7`: each is a constant expression of the language. */
import type { LangiumDocument, LangiumParser, Mutable } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import * as ast from '../generated/ast.js';
import type { Expression, Model } from '../generated/ast.js';
import { nameRangeOf } from '../source-range.js';
import type { ProblemCode } from '../validation/codes.js';
import { nearestName } from '../validation/near-match.js';

export interface ParameterValues {
    readonly values: ReadonlyMap<string, Expression>;
    readonly problems: readonly Problem[];
}

/** Parses the values; their names are those of the model. Problems point at the model's declarations. */
export function readParameterValues(
    document: LangiumDocument,
    parameters: Iterable<readonly [name: string, value: string]>,
    parser: LangiumParser,
): ParameterValues {
    const model = document.parseResult.value as Model;
    const declared = new Map(model.declarations.filter(ast.isParameter).map(parameter => [parameter.name, parameter]));
    const values = new Map<string, Expression>();
    const problems: Problem[] = [];
    const report = (code: ProblemCode, message: string, range: SourceRange): void => {
        problems.push({ severity: 'error', code, message, range });
    };
    for (const [name, text] of parameters) {
        const parameter = declared.get(name);
        if (parameter === undefined) {
            const nearest = nearestName(name, [...declared.keys()]);
            const hint =
                nearest === undefined ? describeParameters([...declared.keys()]) : `did you mean \`${nearest}\`?`;
            report('parameter/unknown', `the model has no parameter \`${name}\`; ${hint}`, placeOf(document, model));
        } else if (values.has(name)) {
            report('parameter/repeated', `the parameter \`${name}\` is given twice`, nameRangeOf(parameter));
        } else {
            const { value, lexerErrors, parserErrors } = parser.parse<Expression>(text, { rule: 'Expression' });
            if (lexerErrors.length > 0 || parserErrors.length > 0) {
                report('parameter/invalid', `\`${name}\` = \`${text}\` is not a value`, nameRangeOf(parameter));
            } else {
                // As if it stood in the place of the default: its names mean what they mean there.
                const adopted: Mutable<Expression> = value;
                adopted.$container = parameter;
                values.set(name, value);
            }
        }
    }
    return { values, problems };
}

function describeParameters(names: readonly string[]): string {
    return names.length === 0 ? 'it has none' : `it has ${names.map(name => `\`${name}\``).join(', ')}`;
}

/** The name of the model, or the beginning of the file. */
function placeOf(document: LangiumDocument, model: Model): SourceRange {
    const [header] = model.headers;
    const start = { line: 0, character: 0 };
    return header === undefined ? { uri: document.uri.toString(), start, end: start } : nameRangeOf(header);
}
