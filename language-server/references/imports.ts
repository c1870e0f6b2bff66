/**
 * The files that a model is made of. An import stands for the declarations of the file it names, which count once
 * however often and in however large a circle they are imported.
 *
 * Who loads files (load-model.ts for the command line, lsp/ for the editor) says here what each import has found; who
 * reads a model asks here for all of its declarations. What was found is kept with the import's node, so it lasts as
 * long as the text in which the import stands; the imported file may be parsed anew meanwhile.
 */
import { UriUtils, type LangiumDocument, type URI } from 'langium';
import { isImport, isModel, type Declaration, type Import, type Model } from '../generated/ast.js';

export type ImportTarget =
    | { readonly kind: 'document'; readonly document: LangiumDocument }
    /** `reason` ends the sentence “`locks.orbit` cannot be imported: …”. */
    | { readonly kind: 'missing'; readonly reason: string };

const targets = new WeakMap<Import, ImportTarget>();

export function setImportTarget(node: Import, target: ImportTarget): void {
    targets.set(node, target);
}

/** What the import found; undefined before anyone has looked. */
export function importTargetOf(node: Import): ImportTarget | undefined {
    return targets.get(node);
}

/**
 * The file that an import in the file `importing` names, or why that is no name of a file. Names are relative and use
 * slashes on every system, so that a model means the same wherever its folder is put.
 */
export function resolveImport(importing: URI, path: string): { readonly uri: URI } | { readonly reason: string } {
    if (path.trim() === '') {
        return { reason: 'the name of the file is missing' };
    }
    if (path.includes('\\')) {
        return { reason: 'folders are separated by `/`' };
    }
    if (path.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
        return { reason: 'the name is relative to the folder of this file' };
    }
    if (!path.endsWith('.orbit')) {
        return { reason: 'the names of models end in `.orbit`' };
    }
    if (!importing.path.startsWith('/')) {
        return { reason: 'this file has no folder before it is saved' };
    }
    return { uri: UriUtils.joinPath(UriUtils.dirname(importing), path) };
}

/** The imports of a document in the order of the text. While it is being written an import may be without a name. */
export function importsOf(document: LangiumDocument): Import[] {
    const imports = modelOf(document)?.declarations.filter(isImport) ?? [];
    return imports.filter(({ path }) => (path as string | undefined) !== undefined);
}

/** The syntax tree of a document, once it is parsed. */
export function modelOf(document: LangiumDocument): Model | undefined {
    const { value } = document.parseResult;
    return isModel(value) ? value : undefined;
}

/** The model and all that it imports, each once; what is imported comes before what imports it. */
export function modelsOf(model: Model): readonly Model[] {
    const seen = new Set<Model>();
    const ordered: Model[] = [];
    visitModels(model, seen, ordered);
    return ordered;
}

function visitModels(model: Model, seen: Set<Model>, ordered: Model[]): void {
    seen.add(model);
    for (const node of importNodesOf(model)) {
        const imported = importedModel(node);
        if (imported !== undefined && !seen.has(imported)) {
            visitModels(imported, seen, ordered);
        }
    }
    ordered.push(model);
}

/** A text that has changed has a model of its own. */
const importNodes = new WeakMap<Model, readonly Import[]>();

/** Found once: the files of a model are asked for at each name in it. */
function importNodesOf(model: Model): readonly Import[] {
    let nodes = importNodes.get(model);
    if (nodes === undefined) {
        nodes = model.declarations.filter(isImport);
        importNodes.set(model, nodes);
    }
    return nodes;
}

/** The model in the file that an import names. */
export function importedModel(node: Import): Model | undefined {
    const target = targets.get(node);
    return target?.kind === 'document' ? modelOf(target.document) : undefined;
}

/**
 * The declarations of a model with those of the files it imports in the place of the imports. Everything that looks at
 * a whole model begins here and not at `model.declarations`, which are those of one file.
 */
export function declarationsOf(model: Model): readonly Declaration[] {
    const declarations: Declaration[] = [];
    collectDeclarations(model, new Set(), declarations);
    return declarations;
}

function collectDeclarations(model: Model, seen: Set<Model>, declarations: Declaration[]): void {
    seen.add(model);
    for (const declaration of model.declarations) {
        const imported = isImport(declaration) ? importedModel(declaration) : undefined;
        if (!isImport(declaration)) {
            declarations.push(declaration);
        } else if (imported !== undefined && !seen.has(imported)) {
            collectDeclarations(imported, seen, declarations);
        }
    }
}
