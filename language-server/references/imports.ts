/**
 * The files of a model. An import stands for the declarations of its file, which count once, also if several imports or
 * a cycle of imports lead to them.
 *
 * load-model.ts (for the command line) and lsp/ (for the editor) load the files and enter here what each import has
 * found. The entry belongs to the node of the import, so it lasts as long as the text with the import is unchanged.
 */
import { UriUtils, type LangiumDocument, type URI } from 'langium';
import { remembered } from '../../engine/common/list-map.js';
import { isImport, isModel, type Declaration, type Import, type Model } from '../generated/ast.js';

export type ImportTarget =
    | { readonly kind: 'document'; readonly document: LangiumDocument }
    /** `reason` ends the sentence “`locks.orbit` cannot be imported: …”. */
    | { readonly kind: 'missing'; readonly reason: string };

const targets = new WeakMap<Import, ImportTarget>();

export function setImportTarget(node: Import, target: ImportTarget): void {
    targets.set(node, target);
}

/** What the import has found; undefined before the search for its file. */
export function importTargetOf(node: Import): ImportTarget | undefined {
    return targets.get(node);
}

/** The file that an import names, or why the name is wrong. Names are relative, with slashes on every system. */
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

/** The imports of a document in the order of the text. In a text with syntax errors an import may have no name. */
export function importsOf(document: LangiumDocument): Import[] {
    const imports = modelOf(document)?.declarations.filter(isImport) ?? [];
    return imports.filter(({ path }) => (path as string | undefined) !== undefined);
}

/** The syntax tree of a parsed document. */
export function modelOf(document: LangiumDocument): Model | undefined {
    const { value } = document.parseResult;
    return isModel(value) ? value : undefined;
}

/** The model and all that it imports, each once; an imported model comes before the model that imports it. */
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

/** A changed text has a new model. */
const importNodes = new WeakMap<Model, readonly Import[]>();

/** Computed once: the lookup of each name needs the files of the model. */
function importNodesOf(model: Model): readonly Import[] {
    return remembered(importNodes, model, () => model.declarations.filter(isImport));
}

/** The model in the file that an import names. */
export function importedModel(node: Import): Model | undefined {
    const target = targets.get(node);
    return target?.kind === 'document' ? modelOf(target.document) : undefined;
}

/** The declarations of a model, with those of imported files in the place of the imports. */
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
