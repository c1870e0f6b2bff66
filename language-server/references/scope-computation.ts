/**
 * Where a name can be used. Declarations and the names of an enumeration are known in the whole file and in the files
 * that import it; that is for the scope provider, which looks at the declarations themselves. Here is what is known
 * further inside: the indices of a process in the process, the parameters of a function in the function, locals in their
 * block, the variables of a quantifier in the quantifier, fields in their record.
 */
import {
    DefaultScopeComputation,
    type AstNode,
    type AstNodeDescription,
    type LangiumDocument,
    type MultiMap,
} from 'langium';
import { isBinderGroup, isEnumerationValue, isModel } from '../generated/ast.js';

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
        if (name !== undefined && container !== undefined) {
            symbols.add(container, this.descriptions.createDescription(node, name, document));
        }
    }
}

/** The node in whose whole text the name of `node` is known; undefined where that is the whole file. */
function scopeOf(node: AstNode): AstNode | undefined {
    const container = node.$container;
    if (isModel(container) || isEnumerationValue(node)) {
        return undefined;
    }
    return isBinderGroup(container) ? container.$container : container;
}
