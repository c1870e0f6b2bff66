/** Parts of a syntax tree by their kind. */
import { AstUtils, type AstNode } from 'langium';
import type { MurphiAstType } from './generated/ast.js';

/** The nodes of one kind in some trees, from left to right; a tree may be such a node itself. */
export function partsOf<Kind extends keyof MurphiAstType>(
    kind: Kind,
    ...nodes: readonly AstNode[]
): readonly MurphiAstType[Kind][] {
    return nodes
        .flatMap(node => [...AstUtils.streamAst(node)])
        .filter((part): part is MurphiAstType[Kind] => part.$type === kind);
}
