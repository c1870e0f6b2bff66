/** The declarations of all open and imported models, by name. */
import type { LangiumDocuments } from 'langium';
import type { FuzzyMatcher, LangiumSharedServices, WorkspaceSymbolProvider } from 'langium/lsp';
import type { WorkspaceSymbol, WorkspaceSymbolParams } from 'vscode-languageserver';
import { isModel, type Model } from '../../generated/ast.js';
import { namesIn } from '../../references/scope-provider.js';
import { isNamedDeclaration, nameNodeOf, type NamedDeclaration } from './declarations.js';
import { KINDS } from './declaration-kinds.js';

export class OrbitWorkspaceSymbolProvider implements WorkspaceSymbolProvider {
    private readonly documents: LangiumDocuments;
    private readonly matcher: FuzzyMatcher;

    constructor(services: LangiumSharedServices) {
        this.documents = services.workspace.LangiumDocuments;
        this.matcher = services.lsp.FuzzyMatcher;
    }

    getSymbols({ query }: WorkspaceSymbolParams): WorkspaceSymbol[] {
        return this.documents.all
            .flatMap(document => {
                const model = document.parseResult.value;
                return isModel(model) ? symbolsOf(model, document.uri.toString()) : [];
            })
            .filter(({ name }) => query === '' || this.matcher.match(query, name))
            .toArray();
    }
}

function symbolsOf(model: Model, uri: string): WorkspaceSymbol[] {
    const [header] = model.headers;
    const named: readonly NamedDeclaration[] = header === undefined ? namesIn(model) : [header, ...namesIn(model)];
    return named.filter(isNamedDeclaration).flatMap(node => {
        const name = nameNodeOf(node);
        const isHeader = node === header;
        return name === undefined
            ? []
            : [
                  {
                      name: name.text,
                      kind: KINDS[node.$type].symbol,
                      location: { uri, range: name.range },
                      ...(header === undefined || isHeader ? {} : { containerName: header.name }),
                  },
              ];
    });
}
