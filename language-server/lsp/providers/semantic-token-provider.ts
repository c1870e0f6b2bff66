/**
 * Colors of names that the TextMate grammar cannot know: the kind of each name, whether it is read-only, and whether
 * it is declared or used there. The first token of a step (its label or its first word) has the modifier `step`.
 */
import { AstUtils, GrammarUtils, type AstNode } from 'langium';
import { AbstractSemanticTokenProvider, type SemanticTokenAcceptor } from 'langium/lsp';
import { SemanticTokenModifiers, SemanticTokenTypes } from 'vscode-languageserver';
import { isBuiltin } from '../../../language/references/builtin-functions.js';
import * as ast from '../../generated/ast.js';
import { KINDS } from './declaration-kinds.js';
import { isNamedDeclaration, nameNodeOf, type NamedDeclaration } from './declarations.js';

/** Declared in package.json as well (`contributes.semanticTokenModifiers`). */
const STEP = 'step';

const READ_ONLY: ReadonlySet<string> = new Set([
    'BinderVariable',
    'Constant',
    'EnumerationValue',
    'FunctionParameter',
    'Let',
    'Parameter',
    'ProcessIndex',
    'ProcessParameter',
    'Self',
]);

const TOKEN_TYPES: Record<string, number> = Object.fromEntries(
    [...new Set([...Object.values(KINDS).map(({ token }) => token), SemanticTokenTypes.keyword])].map((name, index) => [
        name,
        index,
    ]),
);
const TOKEN_MODIFIERS: Record<string, number> = Object.fromEntries(
    [
        SemanticTokenModifiers.declaration,
        SemanticTokenModifiers.readonly,
        SemanticTokenModifiers.defaultLibrary,
        STEP,
    ].map((name, index) => [name, 1 << index]),
);

export class OrbitSemanticTokenProvider extends AbstractSemanticTokenProvider {
    override get tokenTypes(): Record<string, number> {
        return TOKEN_TYPES;
    }

    override get tokenModifiers(): Record<string, number> {
        return TOKEN_MODIFIERS;
    }

    protected override highlightElement(node: AstNode, acceptor: SemanticTokenAcceptor): void {
        if (isNamedDeclaration(node)) {
            const name = nameNodeOf(node);
            if (name !== undefined) {
                const modifier = [SemanticTokenModifiers.declaration, ...modifiersOf(node)];
                acceptor({ cst: name, type: KINDS[node.$type].token, modifier });
            }
        }
        // While a text is being written, any name may be missing.
        switch (node.$type) {
            case 'Reference': {
                const reference = node as Partial<ast.Reference> & AstNode;
                highlightName(reference, 'target', reference.target?.ref, acceptor);
                highlightName(reference, 'label', reference.label?.ref, acceptor);
                highlightName(reference, 'action', reference.action?.ref, acceptor);
                break;
            }
            case 'InstanceAt':
                highlightName(node, 'label', (node as Partial<ast.InstanceAt>).label?.ref, acceptor);
                break;
            case 'Spawn':
                highlightName(node, 'template', (node as Partial<ast.Spawn>).template?.ref, acceptor);
                break;
            case 'FieldAccess':
                highlightName(node, 'field', (node as Partial<ast.FieldAccess>).field?.ref, acceptor);
                break;
            case 'SymmetryAssertion':
                highlightName(node, 'target', (node as Partial<ast.SymmetryAssertion>).target?.ref, acceptor);
                break;
            case 'Call':
                highlightName(node, 'function', (node as Partial<ast.Call>).function?.ref, acceptor);
                break;
            case 'ProcedureCall':
                highlightName(node, 'procedure', (node as Partial<ast.ProcedureCall>).procedure?.ref, acceptor);
                break;
            case 'Step':
                highlightStep(node as ast.Step, acceptor);
                break;
        }
    }
}

function highlightName(
    node: AstNode,
    property: string,
    declaration: AstNode | undefined,
    acceptor: SemanticTokenAcceptor,
): void {
    const cst = GrammarUtils.findNodeForProperty(node.$cstNode, property);
    if (cst !== undefined && declaration !== undefined && isNamedDeclaration(declaration)) {
        const step = property === 'target' && beginsStep(node) ? [STEP] : [];
        acceptor({ cst, type: KINDS[declaration.$type].token, modifier: [...modifiersOf(declaration), ...step] });
    }
}

function modifiersOf(declaration: NamedDeclaration): string[] {
    return [
        ...(READ_ONLY.has(declaration.$type) || (ast.isProcedureParameter(declaration) && !declaration.isPlace)
            ? [SemanticTokenModifiers.readonly]
            : []),
        ...(isBuiltin(declaration) ? [SemanticTokenModifiers.defaultLibrary] : []),
        ...(ast.isLabeled(declaration) && ast.isStep(stepOf(declaration)) ? [STEP] : []),
    ];
}

/** A step without a label begins with a word of the language, or with the place that it writes, sends to or meets in. */
function highlightStep(step: ast.Step, acceptor: SemanticTokenAcceptor): void {
    if (ast.isLabeled(step.$container)) {
        return;
    }
    for (const keyword of ['when', 'skip', 'assert', 'spawn']) {
        const cst = GrammarUtils.findNodeForKeyword(step.$cstNode, keyword);
        if (cst !== undefined && cst.offset === step.$cstNode?.offset) {
            acceptor({ cst, type: SemanticTokenTypes.keyword, modifier: STEP });
        }
    }
}

function beginsStep(node: AstNode): boolean {
    const step = AstUtils.getContainerOfType(node, ast.isStep);
    return step !== undefined && !ast.isLabeled(step.$container) && step.$cstNode?.offset === node.$cstNode?.offset;
}

function stepOf(labeled: ast.Labeled): AstNode | undefined {
    // In an incomplete text a label may stand before nothing, contrary to its type.
    const item: AstNode | undefined = labeled.item;
    return ast.isLabeled(item) ? stepOf(item) : item;
}
