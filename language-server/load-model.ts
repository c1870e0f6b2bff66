/**
 * From a text, or a document that is parsed already, to the engine's model: the way in for the command line, the
 * analysis and the tests. Whatever is wrong comes back as problems in the order of the text; with an error among them
 * there is no model.
 */
import { DocumentState, URI, type LangiumCoreServices, type LangiumDocument } from 'langium';
import type { Problem } from '../engine/common/problem.js';
import type { Model } from '../engine/model/model.js';
import { lowerModel } from './lowering/lower-model.js';
import { createOrbitCoreServices } from './module.js';
import { decodeUtf8 } from './parsing/utf-8.js';
import { readParameterValues } from './parsing/parameter-values.js';
import { checkDocument } from './validation/validator.js';

export interface LoadResult {
    /** Missing where a problem is an error. */
    readonly model?: Model;
    readonly problems: readonly Problem[];
}

/** Names and values as texts, `N` and `7`. A list may hold a name twice, which is a problem; a map cannot. */
export type ParameterTexts = Iterable<readonly [name: string, value: string]>;

/** Reads a model from a text or from the bytes of a file. Never throws for what the text holds. */
export async function loadModel(
    text: string | Uint8Array,
    uri: string,
    parameters: ParameterTexts = [],
): Promise<LoadResult> {
    const decoded = typeof text === 'string' ? { text } : decodeUtf8(text, uri);
    if (decoded.text === undefined) {
        return { problems: [decoded.problem] };
    }
    const services = coreServices();
    const document = await linkedDocument(decoded.text, uri, services);
    return lowerDocument(document, parameters, services);
}

/** The model of a document whose names have been linked. */
export function lowerDocument(
    document: LangiumDocument,
    parameters: ParameterTexts = [],
    services: LangiumCoreServices = coreServices(),
): LoadResult {
    const given = readParameterValues(document, parameters, services.parser.LangiumParser);
    const linked = document.references.length;
    const { problems, checked } = checkDocument(document, given.values);
    // Names in the given values were linked on the way; they are no part of the document.
    document.references.length = linked;
    const all = [...given.problems, ...problems];
    return checked === undefined || given.problems.length > 0
        ? { problems: all }
        : { model: lowerModel(document, checked), problems: all };
}

let services: LangiumCoreServices | undefined;

/** Building the parser takes most of a start, so it is done once and on demand. */
function coreServices(): LangiumCoreServices {
    services ??= createOrbitCoreServices().Orbit;
    return services;
}

/**
 * Parses a text and links its names. No document store and no index take part: a file is a world of its own, and
 * nothing of it outlives the result.
 */
async function linkedDocument(
    text: string,
    uri: string,
    { shared, references }: LangiumCoreServices,
): Promise<LangiumDocument> {
    const document = shared.workspace.LangiumDocumentFactory.fromString(text, URI.parse(uri));
    document.localSymbols = await references.ScopeComputation.collectLocalSymbols(document);
    document.state = DocumentState.ComputedScopes;
    await references.Linker.link(document);
    document.state = DocumentState.Linked;
    return document;
}
