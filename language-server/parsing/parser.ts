/**
 * Langium's parser, without a search that takes quadratic time in long blocks: before each token it looks for the place
 * of the comments in front of it, also where there are none (langium 4.2.1, `CstNodeBuilder.addHiddenNodes`).
 */
import { createLangiumParser, type CstNodeBuilder, type LangiumCoreServices, type LangiumParser } from 'langium';

export function createOrbitParser(services: LangiumCoreServices): LangiumParser {
    const parser = createLangiumParser(services);
    // Private, but there is no other way in. The version of langium is pinned.
    const { nodeBuilder } = parser as unknown as { readonly nodeBuilder: CstNodeBuilder };
    const addHiddenNodes = nodeBuilder.addHiddenNodes.bind(nodeBuilder);
    nodeBuilder.addHiddenNodes = tokens => {
        if (tokens.length > 0) {
            addHiddenNodes(tokens);
        }
    };
    return parser;
}
