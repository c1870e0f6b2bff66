/** The text of a parsed tree, as `language/` reads it (language/tree/source-text.ts). */
import { AstUtils, GrammarUtils, type AstNode } from 'langium';
import type { Place, SourceText } from '../../language/tree/node.js';

/** Gives the root of a parsed tree its text. */
export function withSourceText<Root extends AstNode>(root: Root): Root {
    return Object.assign(root, { $source: new ParsedText(root) });
}

class ParsedText implements SourceText {
    private readonly root: AstNode;

    constructor(root: AstNode) {
        this.root = root;
    }

    get uri(): string {
        return AstUtils.getDocument(this.root).uri.toString();
    }

    get path(): string {
        return AstUtils.getDocument(this.root).uri.path;
    }

    get text(): string {
        return this.root.$cstNode?.root.fullText ?? '';
    }

    placeOf({ $cstNode }: AstNode): Place | undefined {
        return $cstNode;
    }

    placeOfProperty({ $cstNode }: AstNode, property: string): Place | undefined {
        return GrammarUtils.findNodeForProperty($cstNode, property);
    }
}
