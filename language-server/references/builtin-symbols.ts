/** The built-in functions as names that a scope knows, each in a document of its own that cannot be opened. */
import { DocumentState, TextDocument, URI, type AstNode, type AstNodeDescription } from 'langium';
import { BUILTIN_NODES } from '../../language/references/builtin-functions.js';

/** By name. */
export const BUILTIN_SYMBOLS: ReadonlyMap<string, AstNodeDescription> = new Map(
    [...BUILTIN_NODES].map(([name, node]) => {
        const uri = URI.from({ scheme: 'orbit', path: `/builtin/${name}` });
        inDocument(node, uri);
        return [name, { node, name, type: node.$type, documentUri: uri, path: '' }];
    }),
);

function inDocument(node: AstNode, uri: URI): void {
    const $document = {
        uri,
        textDocument: TextDocument.create(uri.toString(), 'orbit', 0, ''),
        state: DocumentState.Validated,
        parseResult: { value: node, lexerErrors: [], parserErrors: [] },
        references: [],
    };
    Object.assign(node, { $document });
}
