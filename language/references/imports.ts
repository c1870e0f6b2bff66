/**
 * The files of a model. An import stands for the declarations of its file, which count once, also if several imports or
 * a cycle of imports lead to them.
 */
import { remembered } from '../../engine/common/list-map.js';
import { isImport, type Declaration, type Import, type Model } from '../generated/nodes.js';

/** What each import has found. A file may be parsed again while the text that imports it is unchanged. */
const imported = new WeakMap<Import, () => Model | undefined>();

export function setImportedModel(node: Import, model: () => Model | undefined): void {
    imported.set(node, model);
}

/** The model in the file that an import names. */
export function importedModel(node: Import): Model | undefined {
    return imported.get(node)?.();
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
