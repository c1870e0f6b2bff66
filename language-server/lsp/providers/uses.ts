/** The places of names, and whether names are read or written there. */
import { AstUtils, CstUtils, type AstNode, type CstNode, type LangiumDocument, type LangiumDocuments } from 'langium';
import type { References } from 'langium';
import type { Position, Range } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import type { Expression } from '../../generated/ast.js';
import { isPlace, outermostPlace, placesGivenIn } from '../../../language/references/places.js';

/** `name` stands for every use that is none of a value: a type, an event, a label, a function that is called. */
export type UseKind = 'read' | 'write' | 'name';

export interface Use {
    readonly document: LangiumDocument;
    readonly range: Range;
    readonly kind: UseKind;
    /** The node that refers to the name. */
    readonly node: AstNode;
}

/** The uses of a declaration in all documents that are known, without the declaration itself. */
export function usesOf(declaration: AstNode, references: References, documents: LangiumDocuments): readonly Use[] {
    const uses: Use[] = [];
    for (const { sourceUri, segment } of references.findReferences(declaration, { includeDeclaration: false })) {
        const document = documents.getDocument(sourceUri);
        const root = document?.parseResult.value.$cstNode;
        const leaf = root && CstUtils.findLeafNodeAtOffset(root, segment.offset);
        if (document !== undefined && leaf !== undefined) {
            uses.push({ document, range: segment.range, kind: useKindOf(leaf.astNode), node: leaf.astNode });
        }
    }
    return uses;
}

/** Whether the node that refers to a name reads or writes it. */
function useKindOf(node: AstNode): UseKind {
    if (ast.isFieldAccess(node)) {
        return useKindOfPlace(node);
    }
    if (!ast.isReference(node)) {
        return 'name';
    }
    const target = node.target.ref;
    switch (target?.$type) {
        case 'Variable':
        case 'ChannelDeclaration':
        case 'BinderVariable':
        case 'RecordField':
        case 'ProcedureParameter':
            return useKindOfPlace(node);
        case 'Parameter':
        case 'Constant':
        case 'EnumerationValue':
        case 'FunctionParameter':
        case 'Let':
        case 'ProcessIndex':
        case 'ProcessParameter':
        case 'Self':
            return 'read';
        default:
            return 'name';
    }
}

/** The whole place counts: `a` in `a[i].next := 1` is written. */
function useKindOfPlace(place: Expression): UseKind {
    const outer = outermostPlace(place);
    const { $container: container } = outer;
    switch (container.$type) {
        case 'Assignment':
            return container.target === outer ? 'write' : 'read';
        case 'Step': {
            if (container.place !== outer) {
                return 'read';
            }
            // The message is sent to the channel or received from it.
            return container.value !== undefined || container.message !== undefined ? 'write' : 'read';
        }
        case 'ExpressionPattern':
            // A constant is compared with.
            return !container.equal && isPlace(outer) ? 'write' : 'read';
        case 'ProcedureCall':
            return placesGivenIn(container).includes(outer) ? 'write' : 'read';
        case 'Call':
            return isInPattern(container) && isPlace(outer) ? 'write' : 'read';
        default:
            return 'read';
    }
}

/** A record in a pattern: its arguments are patterns. */
function isInPattern(call: AstNode): boolean {
    const { $container: container } = call;
    return ast.isExpressionPattern(container) ? !container.equal : ast.isCall(container) && isInPattern(container);
}

/** The declaration that the name at a position belongs to, with the range of the name there. */
export interface NameAt {
    readonly cst: CstNode;
    readonly declaration: AstNode;
}

/** Undefined at a place without a name, or with an undeclared one. */
export function declarationAt(
    document: LangiumDocument,
    position: Position,
    references: References,
): NameAt | undefined {
    const root = document.parseResult.value.$cstNode;
    const cst = root && CstUtils.findDeclarationNodeAtOffset(root, document.textDocument.offsetAt(position));
    const [declaration] = cst === undefined ? [] : references.findDeclarations(cst);
    return cst === undefined || declaration === undefined ? undefined : { cst, declaration };
}

/** `3 times`, `once`. */
export function formatTimes(count: number): string {
    return count === 1 ? 'once' : `${count} times`;
}

/** The process, function or procedure around a node. */
export function ownerOf(node: AstNode): ast.Process | ast.FunctionDeclaration | ast.Procedure | undefined {
    return AstUtils.getContainerOfType(
        node,
        (outer): outer is ast.Process | ast.FunctionDeclaration | ast.Procedure =>
            ast.isProcess(outer) || ast.isFunctionDeclaration(outer) || ast.isProcedure(outer),
    );
}
