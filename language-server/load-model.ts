/** From a text to the engine's model, if it has no errors, and its problems in the order of the text. */
import {
    DocumentState,
    URI,
    type LangiumCoreServices,
    type LangiumDocument,
    type LangiumDocumentFactory,
} from 'langium';
import type { Problem } from '../engine/common/problem.js';
import type { Model } from '../engine/model/model.js';
import { lowerModel } from '../language/lowering/lower-model.js';
import { askedQuestion, inQuestion, strayProblem, type AskedQuestion } from './question/asked-question.js';
import type { Question } from './question/question.js';
import { createOrbitCoreServices } from './module.js';
import { decodeUtf8 } from './parsing/utf-8.js';
import { readParameterValues } from './parsing/parameter-values.js';
import { importsOf, resolveImport, setImportTarget, type ImportTarget } from './references/imports.js';
import { familyOf, type EverySize } from './family-of-document.js';
import { NO_VALUES, type CheckedModel } from '../language/check-values.js';
import { syntaxProblems } from './validation/syntax.js';
import { checkDocument } from './validation/validator.js';

export interface LoadResult {
    /** Undefined if a problem is an error. */
    readonly model?: Model;
    readonly problems: readonly Problem[];
    /** Warnings for unused names, if there is a model. */
    readonly advice?: readonly Problem[];
    /** The syntax tree of a text without errors, with what its names mean. */
    readonly checked?: CheckedModel;
}

export interface LoadedQuestion extends LoadResult {
    /** The name of the run that a question asks for. */
    readonly run?: string;
}

/** Names and values as texts: `N` and `7`. A name may occur twice, which is a problem. */
export type ParameterTexts = Iterable<readonly [name: string, value: string]>;

/** The contents of an imported file, or the reason in “`locks.orbit` cannot be imported: …”. */
type ImportedFile = { readonly content: string | Uint8Array } | { readonly reason: string };

/** Reads a file that a model imports. */
export type ReadImport = (uri: string) => Promise<ImportedFile>;

const CANNOT_READ: ReadImport = () => Promise.resolve({ reason: 'files cannot be read here' });

/** Runs a long synchronous part of the work. It may throw instead to end the loading. */
export type Finish = <Result>(work: () => Result) => Result;

const TO_THE_END: Finish = work => work();

/** Reads a model from a text or from the bytes of a file. Never throws because of the text. */
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

/**
 * Reads a model with what a question asks for (question/asked-question.ts). The name of its `run` is there if the model
 * and the question have no errors; an error of the model is told without the question.
 */
export async function loadWithQuestion(
    text: string | Uint8Array,
    uri: string,
    question: Question,
    parameters: ReadonlyMap<string, string>,
    readImport: ReadImport,
    finish: Finish = TO_THE_END,
): Promise<LoadedQuestion> {
    const decoded = typeof text === 'string' ? { text } : decodeUtf8(text, uri);
    if (decoded.text === undefined) {
        return { problems: [decoded.problem] };
    }
    const services = coreServices();
    const document = await linkedDocument(decoded.text, uri, readImport, finish, services);
    const { problems, model } = finish(() => lowerDocument(document, parameters, services));
    if (model === undefined) {
        return { problems };
    }
    const asked = await askedQuestion(document, question, services);
    return lowerWithQuestion(model, asked, parameters, services, finish);
}

/** The same for a document without errors, whose model is `model`, and the question to it. */
export function lowerWithQuestion(
    model: Model,
    asked: AskedQuestion,
    parameters: ReadonlyMap<string, string>,
    services: LangiumCoreServices,
    finish: Finish = TO_THE_END,
): LoadedQuestion {
    const unread = syntaxProblems(asked.document);
    if (unread.length > 0) {
        return { problems: unread.map(inQuestion) };
    }
    const found = finish(() => lowerDocument(asked.document, parameters, services));
    const stray = found.model && strayProblem(asked);
    if (found.model === undefined || stray !== undefined) {
        return { problems: stray === undefined ? found.problems : [stray] };
    }
    const { name, documentation, nameRange } = model;
    return { ...found, model: { ...found.model, name, documentation, nameRange }, run: asked.name };
}

/** Reads a model for all values of the parameters whose value is `all` (family-of-document.ts). */
export async function loadEverySize(
    text: string | Uint8Array,
    uri: string,
    parameters: ReadonlyMap<string, string>,
    readImport: ReadImport = CANNOT_READ,
    finish: Finish = TO_THE_END,
): Promise<EverySize> {
    const decoded = typeof text === 'string' ? { text } : decodeUtf8(text, uri);
    if (decoded.text === undefined) {
        return { kind: 'refused', problems: [decoded.problem] };
    }
    const services = coreServices();
    const document = await linkedDocument(decoded.text, uri, readImport, finish, services);
    return finish(() => familyOf(document, parameters, services.parser.LangiumParser));
}

/** The model of a document whose names have been linked. */
function lowerDocument(
    document: LangiumDocument,
    parameters: ParameterTexts = [],
    services: LangiumCoreServices = coreServices(),
): LoadResult {
    const given = readParameterValues(document, parameters, services.parser.LangiumParser);
    const { problems, advice, checked } = checkDocument(document, { ...NO_VALUES, overrides: given.values });
    const all = [...given.problems, ...problems];
    return checked === undefined || given.problems.length > 0
        ? { problems: all }
        : { model: lowerModel(checked), problems: all, advice, checked };
}

let services: LangiumCoreServices | undefined;

/** Built once and on demand: the parser takes most of the time of a start. */
function coreServices(): LangiumCoreServices {
    services ??= createOrbitCoreServices().Orbit;
    return services;
}

/** Parses a text and its imports, and links the names, without a document store and an index. */
export async function linkedDocument(
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
    // The list grows during the loop.
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
