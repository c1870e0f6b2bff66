/**
 * The files that a text imports. load-model.ts (for the command line) and lsp/ (for the editor) load them and enter here
 * what each import has found. The entry belongs to the node of the import, so it lasts as long as the text with the
 * import is unchanged.
 */
import { UriUtils, type LangiumDocument, type URI } from 'langium';
import { isImport, isModel, type Import, type Model } from '../generated/ast.js';
import { setImportedModel } from '../../language/references/imports.js';

export type ImportTarget =
    | { readonly kind: 'document'; readonly document: LangiumDocument }
    /** `reason` ends the sentence “`locks.orbit` cannot be imported: …”. */
    | { readonly kind: 'missing'; readonly reason: string };

const targets = new WeakMap<Import, ImportTarget>();

export function setImportTarget(node: Import, target: ImportTarget): void {
    targets.set(node, target);
    setImportedModel(node, () => (target.kind === 'document' ? modelOf(target.document) : undefined));
}

/** The file that the import has found; undefined before the search for it. */
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
