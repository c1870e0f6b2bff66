/**
 * Values of parameters given from outside: `--param N=7`. Each is a constant expression. The brackets of an array may
 * be left out, `--param clients=3,3,2`, so that the value needs no quotation marks in a shell.
 */
import type { LangiumDocument, LangiumParser, Mutable } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import * as ast from '../generated/ast.js';
import { declarationsOf } from '../../language/references/imports.js';
import { nameRangeOf } from '../../language/tree/source-text.js';
import type { ProblemCode } from '../../language/problems/codes.js';
import { nearestName } from '../../language/problems/near-match.js';

export interface ParameterValues {
    readonly values: ReadonlyMap<string, ast.Expression>;
    readonly problems: readonly Problem[];
}

/** Parses the values. Their names are those of the model. Problems are reported at the model's declarations. */
export function readParameterValues(
    document: LangiumDocument,
    parameters: Iterable<readonly [name: string, value: string]>,
    parser: LangiumParser,
): ParameterValues {
    const model = document.parseResult.value as ast.Model;
    const declared = new Map(
        declarationsOf(model)
            .filter(ast.isParameter)
            .map(each => [each.name, each]),
    );
    const values = new Map<string, ast.Expression>();
    const problems: Problem[] = [];
    const report = (code: ProblemCode, message: string, range: SourceRange): void => {
        problems.push(errorAt(code, message, range));
    };
    for (const [name, text] of parameters) {
        const parameter = declared.get(name);
        if (parameter === undefined) {
            problems.push(unknownParameter(name, [...declared.keys()], document));
        } else if (values.has(name)) {
            report('parameter/repeated', `the parameter \`${name}\` is given twice`, nameRangeOf(parameter));
        } else {
            const value = parseValue(text, parameter, parser);
            if (value === undefined) {
                const form = parameter.type.indices.length > 1 ? '[[1, 2], [3, 4]]' : '1,2,3';
                const hint = isArray(parameter.type) ? `; the values of an array are written \`${form}\`` : '';
                const message = `\`${name}\` = \`${shorten(text)}\` is not a value${hint}`;
                report('parameter/invalid', message, nameRangeOf(parameter));
            } else {
                // In the place of the default, so that the scope provider finds the names.
                const adopted: Mutable<ast.Expression> = value;
                adopted.$container = parameter;
                adopted.$containerProperty = 'value';
                values.set(name, value);
            }
        }
    }
    return { values, problems };
}

export function unknownParameter(name: string, declared: readonly string[], document: LangiumDocument): Problem {
    const nearest = nearestName(name, declared);
    const hint = nearest === undefined ? describeParameters(declared) : `did you mean \`${nearest}\`?`;
    const place = placeOf(document, document.parseResult.value as ast.Model);
    return errorAt('parameter/unknown', `the model has no parameter \`${name}\`; ${hint}`, place);
}

function errorAt(code: ProblemCode, message: string, range: SourceRange): Problem {
    return { severity: 'error', code, message, range };
}

function parseValue(text: string, parameter: ast.Parameter, parser: LangiumParser): ast.Expression | undefined {
    const parse = (source: string): ast.Expression | undefined => {
        const { value, lexerErrors, parserErrors } = parser.parse<ast.Expression>(source, { rule: 'Expression' });
        return lexerErrors.length + parserErrors.length > 0 ? undefined : value;
    };
    const value = parse(text);
    const isOpen = parameter.type.indices.some(index => index.open);
    // `clients=3` is an array of one element if the value decides the length.
    const isElement = value === undefined ? isArray(parameter.type) : isOpen && isScalar(value);
    return isElement ? parse(`[${text}]`) : value;
}

/** Whether an expression is a single value by its form. Names and calls may be arrays. */
function isScalar(value: ast.Expression): boolean {
    return !(ast.isArrayLiteral(value) || ast.isReference(value) || ast.isCall(value) || ast.isConditional(value));
}

/** Whether a type is an array, possibly by the name of another type. The check of types reports cycles. */
function isArray(type: ast.Type, seen: ReadonlySet<ast.Type> = new Set()): boolean {
    if (type.indices.length > 0 || seen.has(type)) {
        return type.indices.length > 0;
    }
    const { element } = type;
    const named = ast.isRangeType(element) && ast.isReference(element.low) ? element.low.target.ref : undefined;
    return ast.isTypeDeclaration(named) && isArray(named.type, new Set([...seen, type]));
}

function shorten(text: string): string {
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function describeParameters(names: readonly string[]): string {
    return names.length === 0 ? 'it has none' : `it has ${names.map(name => `\`${name}\``).join(', ')}`;
}

/** The name of the model, or the beginning of the file. */
function placeOf(document: LangiumDocument, model: ast.Model): SourceRange {
    const [header] = model.headers;
    const start = { line: 0, character: 0 };
    return header === undefined ? { uri: document.uri.toString(), start, end: start } : nameRangeOf(header);
}
