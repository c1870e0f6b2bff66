/** The parameters of a document with the values that count, and the choice of other values. */
import { DocumentState, URI, type LangiumDocument } from 'langium';
import { domainSize, formatValue, valueOfCode } from '../../engine/model/domain.js';
import { isParameter, type Parameter } from '../generated/ast.js';
import { valuesInForce } from '../parsing/chosen-parameters.js';
import type { ChooseParametersParams, ChooseParametersResult, DocumentParameter } from '../protocol.js';
import { declarationsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';
import { OrbitDocumentValidator } from '../validation/validator.js';
import { OrbitDocumentUpdateHandler } from './document-update-handler.js';
import type { OrbitSharedServices } from './services.js';
import { textOf } from './providers/declarations.js';
import { factsOf, shapeOf, valueTextOf, type StaticFacts } from './providers/static-facts.js';
import { ScalarShape } from '../../language/representation/cell.js';

/** Types with more values are not listed. */
const MOST_VALUES = 100;

/** In the order of the text; none while a value is not known. */
export function parametersOf(document: LangiumDocument): DocumentParameter[] {
    const model = modelOf(document);
    const facts = model && factsOf(model);
    if (model === undefined || facts === undefined) {
        return [];
    }
    const chosen = valuesInForce(model);
    return declarationsOf(model)
        .filter(isParameter)
        .flatMap(parameter => {
            const value = valueTextOf(parameter, facts);
            return value === undefined ? [] : [toParameter(parameter, value, chosen.has(parameter.name), facts)];
        });
}

function toParameter(parameter: Parameter, value: string, isChosen: boolean, facts: StaticFacts): DocumentParameter {
    const shape = shapeOf(parameter, facts);
    const domain = shape instanceof ScalarShape ? shape.domain : undefined;
    const size = domain === undefined ? Infinity : domainSize(domain);
    return {
        name: parameter.name,
        value,
        isChosen,
        ...(parameter.value?.$cstNode !== undefined && { written: textOf(parameter.value.$cstNode) }),
        type: textOf(parameter.type.$cstNode),
        ...(domain !== undefined &&
            size <= MOST_VALUES && {
                values: Array.from({ length: size }, (_, code) => formatValue(domain, valueOfCode(domain, code))),
            }),
        ...(domain?.kind === 'range' && { bounds: [domain.low, domain.high] as const }),
    };
}

/** Has the document built and analyzed with other values, unless it has errors with them. */
export async function chooseParameters(
    { uri, parameters }: ChooseParametersParams,
    { analysis, lsp, workspace, ServiceRegistry }: OrbitSharedServices,
): Promise<ChooseParametersResult> {
    const parsed = URI.parse(uri);
    const { DocumentBuilder, LangiumDocuments } = workspace;
    if (LangiumDocuments.hasDocument(parsed)) {
        // A check of names that are not linked would link them for good.
        await DocumentBuilder.waitUntil(DocumentState.Validated, parsed);
    }
    const document = LangiumDocuments.getDocument(parsed);
    const validator = ServiceRegistry.getServices(parsed).validation.DocumentValidator;
    if (document !== undefined && validator instanceof OrbitDocumentValidator) {
        const problems = validator.problemsWith(document, new Map(Object.entries(parameters)));
        if (problems.length > 0) {
            return { problems: problems.map(({ message }) => message) };
        }
    }
    analysis.Parameters.choose(parsed, parameters);
    rebuild([parsed], { analysis, lsp });
    return { problems: [] };
}

/** Builds all open documents again when the values in the settings have changed. */
export function followSettings({ analysis, lsp, workspace }: OrbitSharedServices): void {
    let known = JSON.stringify(analysis.Settings.current.parameters);
    analysis.Settings.onChange(({ parameters }) => {
        const text = JSON.stringify(parameters);
        if (text !== known) {
            known = text;
            const open = workspace.LangiumDocuments.all.filter(
                ({ uri }) => workspace.TextDocuments.get(uri) !== undefined,
            );
            rebuild(open.map(({ uri }) => uri).toArray(), { analysis, lsp });
        }
    });
}

function rebuild(uris: URI[], { analysis, lsp }: Pick<OrbitSharedServices, 'analysis' | 'lsp'>): void {
    uris.forEach(uri => analysis.AnalysisService.parametersChosen(uri));
    if (lsp.DocumentUpdateHandler instanceof OrbitDocumentUpdateHandler) {
        lsp.DocumentUpdateHandler.rebuild(uris);
    }
}
