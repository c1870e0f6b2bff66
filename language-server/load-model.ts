/**
 * From a text, or a document that is parsed already, to the engine's model: the way in for the command line, the
 * analysis and the tests. Whatever is wrong comes back as problems in the order of the text; with an error among them
 * there is no model.
 */
import {
    AstUtils,
    DocumentState,
    URI,
    type LangiumCoreServices,
    type LangiumDocument,
    type LangiumDocumentFactory,
} from 'langium';
import type { Problem } from '../engine/common/problem.js';
import type { Model } from '../engine/model/model.js';
import { lowerModel } from './lowering/lower-model.js';
import { createOrbitCoreServices } from './module.js';
import { decodeUtf8 } from './parsing/utf-8.js';
import { readParameterValues } from './parsing/parameter-values.js';
import {
    importsOf,
    modelOf,
    modelsOf,
    resolveImport,
    setImportTarget,
    type ImportTarget,
} from './references/imports.js';
import { checkDocument } from './validation/validator.js';

export interface LoadResult {
    /** Missing where a problem is an error. */
    readonly model?: Model;
    readonly problems: readonly Problem[];
    /** Where there is a model: what it has that is of no use. */
    readonly advice?: readonly Problem[];
}

/** Names and values as texts, `N` and `7`. A list may hold a name twice, which is a problem; a map cannot. */
export type ParameterTexts = Iterable<readonly [name: string, value: string]>;

/** What an imported file holds, or why it cannot be read: the end of the sentence “`locks.orbit` cannot be imported: …”. */
export type ImportedFile = { readonly content: string | Uint8Array } | { readonly reason: string };

/** Reads a file that a model imports. */
export type ReadImport = (uri: string) => Promise<ImportedFile>;

const CANNOT_READ: ReadImport = () => Promise.resolve({ reason: 'files cannot be read here' });

/** Does what takes long and cannot pause; may throw instead, and so end the reading. */
export type Finish = <Result>(work: () => Result) => Result;

const TO_THE_END: Finish = work => work();

/** Reads a model from a text or from the bytes of a file. Never throws for what the text holds. */
export async function loadModel(
    text: string | Uint8Array,
    uri: string,
    parameters: ParameterTexts = [],
    readImport: ReadImport = CANNOT_READ,
    finish: Finish = TO_THE_END,
): Promise<LoadResult> {
    const decoded = typeof text === 'string' ? { text } : decodeUtf8(text, uri);
    if (decoded.text === undefined) {
        return { problems: [decoded.problem] };
    }
    const services = coreServices();
    const document = await linkedDocument(decoded.text, uri, readImport, finish, services);
    return finish(() => lowerDocument(document, parameters, services));
}

/** The model of a document whose names have been linked. */
function lowerDocument(
    document: LangiumDocument,
    parameters: ParameterTexts = [],
    services: LangiumCoreServices = coreServices(),
): LoadResult {
    const given = readParameterValues(document, parameters, services.parser.LangiumParser);
    const documents = documentsOf(document);
    const linked = documents.map(({ references }) => references.length);
    const { problems, advice, checked } = checkDocument(document, given.values);
    // Names in the given values were linked on the way; they are no part of the documents.
    documents.forEach(({ references }, index) => (references.length = linked[index] ?? 0));
    const all = [...given.problems, ...problems];
    return checked === undefined || given.problems.length > 0
        ? { problems: all }
        : { model: lowerModel(document, checked), problems: all, advice };
}

let services: LangiumCoreServices | undefined;

/** Building the parser takes most of a start, so it is done once and on demand. */
function coreServices(): LangiumCoreServices {
    services ??= createOrbitCoreServices().Orbit;
    return services;
}

/** The document and those that it imports. */
function documentsOf(document: LangiumDocument): LangiumDocument[] {
    const model = modelOf(document);
    return model === undefined ? [document] : modelsOf(model).map(file => AstUtils.getDocument(file));
}

/**
 * Parses a text and what it imports, and links the names. No document store and no index take part: nothing of it
 * outlives the result.
 */
async function linkedDocument(
    text: string,
    uri: string,
    readImport: ReadImport,
    finish: Finish,
    { shared, references }: LangiumCoreServices,
): Promise<LangiumDocument> {
    const factory = shared.workspace.LangiumDocumentFactory;
    const root = finish(() => factory.fromString(text, URI.parse(uri)));
    const targets = new Map<string, ImportTarget>([[root.uri.toString(), { kind: 'document', document: root }]]);
    const documents = [root];
    // The list grows while it is gone through.
    for (const document of documents) {
        for (const node of importsOf(document)) {
            const resolved = resolveImport(document.uri, node.path);
            if ('reason' in resolved) {
                setImportTarget(node, { kind: 'missing', reason: resolved.reason });
                continue;
            }
            const key = resolved.uri.toString();
            let target = targets.get(key);
            if (target === undefined) {
                target = toImportTarget(await readImport(key), resolved.uri, finish, factory);
                targets.set(key, target);
                documents.push(...(target.kind === 'document' ? [target.document] : []));
            }
            setImportTarget(node, target);
        }
    }
    for (const document of documents) {
        document.localSymbols = await references.ScopeComputation.collectLocalSymbols(document);
        document.state = DocumentState.ComputedScopes;
    }
    for (const document of documents) {
        await references.Linker.link(document);
        document.state = DocumentState.Linked;
    }
    return root;
}

function toImportTarget(file: ImportedFile, uri: URI, finish: Finish, factory: LangiumDocumentFactory): ImportTarget {
    if ('reason' in file) {
        return { kind: 'missing', reason: file.reason };
    }
    const { content } = file;
    const decoded = typeof content === 'string' ? { text: content } : decodeUtf8(content, uri.toString());
    return decoded.text === undefined
        ? { kind: 'missing', reason: decoded.problem.message }
        : { kind: 'document', document: finish(() => factory.fromString(decoded.text, uri)) };
}
