/**
 * Where a name can be used. Declarations and the names of an enumeration are known in the whole file, the indices of a
 * process in the process, locals in their block, the variables of a quantifier in the quantifier.
 *
 * A file is a world of its own: nothing is exported, so two models that are open at once do not see each other.
 */
import {
    DefaultScopeComputation,
    type AstNode,
    type AstNodeDescription,
    type LangiumDocument,
    type MultiMap,
} from 'langium';
import { isBinderGroup, isEnumeration, isModelHeader } from '../generated/ast.js';

export class OrbitScopeComputation extends DefaultScopeComputation {
    override collectExportedSymbols(): Promise<AstNodeDescription[]> {
        return Promise.resolve([]);
    }

    protected override addLocalSymbol(
        node: AstNode,
        document: LangiumDocument,
        symbols: MultiMap<AstNode, AstNodeDescription>,
    ): void {
        const name = this.nameProvider.getName(node);
        const container = scopeOf(node);
        if (name !== undefined && container !== undefined && !isModelHeader(node)) {
            symbols.add(container, this.descriptions.createDescription(node, name, document));
        }
    }
}

/** The node in whose whole text the name of `node` is known. */
function scopeOf(node: AstNode): AstNode | undefined {
    const container = node.$container;
    return isBinderGroup(container) || isEnumeration(container) ? container.$container : container;
}
