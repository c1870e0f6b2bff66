/**
 * Completion: what the grammar allows at the cursor, the names that can be seen there and fit, with their declarations
 * and documentation, and snippets for the parts of a model that have a shape.
 */
import { AstUtils, GrammarAST, type AstNodeDescription, type ReferenceInfo, type Stream } from 'langium';
import {
    DefaultCompletionProvider,
    type CompletionAcceptor,
    type CompletionContext,
    type CompletionValueItem,
} from 'langium/lsp';
import { CompletionItemKind, InsertTextFormat, type MarkupContent } from 'vscode-languageserver';
import { isAssignment, isIndexType, isReference, isStep } from '../generated/ast.js';
import { isNamedDeclaration, signatureOf } from './declarations.js';
import type { OrbitServices } from './lsp-module.js';

/** What a keyword can grow into, by the grammar rule and the keyword. */
const SNIPPETS: ReadonlyMap<string, readonly Snippet[]> = new Map([
    ['Parameter param', [{ label: 'param', text: 'param ${1:N}: ${2:2} .. ${3:64} = ${4:3}' }]],
    ['Enumeration enum', [{ label: 'enum', text: 'enum ${1:Name} = { ${2:first}, ${3:second} }' }]],
    ['TypeDeclaration type', [{ label: 'type', text: 'type ${1:Name} = ${2:0} .. ${3:N - 1}' }]],
    ['Variable var', [{ label: 'var', text: 'var ${1:name}: ${2:bool} = ${3:false}' }]],
    ['EventDeclaration event', [{ label: 'event', text: 'event ${1:name}[${2:Type}]' }]],
    ['Invariant invariant', [{ label: 'invariant', text: 'invariant ${1:name} = ${0:true}' }]],
    [
        'Process process',
        [
            { label: 'process family', text: 'process ${1:P}[${2:i}: ${3:Type}] {\n\tloop {\n\t\t$0\n\t}\n}' },
            { label: 'process', text: 'process ${1:P} {\n\tloop {\n\t\t$0\n\t}\n}' },
        ],
    ],
    ['DeadlockAllowance allow', [{ label: 'allow deadlock', text: 'allow deadlock' }]],
    ['Loop loop', [{ label: 'loop', text: 'loop {\n\t$0\n}' }]],
    ['While while', [{ label: 'while', text: 'while ${1:condition} {\n\t$0\n}' }]],
    [
        'IfControl if',
        [
            { label: 'if', text: 'if ${1:condition} {\n\t$0\n}' },
            { label: 'if else', text: 'if ${1:condition} {\n\t$2\n} else {\n\t$0\n}' },
        ],
    ],
    ['IfStatement if', [{ label: 'if', text: 'if ${1:condition} { $0 }' }]],
    ['Choose choose', [{ label: 'choose', text: 'choose {\n\t$1\n} or {\n\t$0\n}' }]],
    [
        'Step when',
        [
            { label: 'step', text: '${1:label}: when ${2:guard} { ${0:skip} }' },
            { label: 'when', text: 'when ${1:guard} { ${0:skip} }' },
        ],
    ],
    ['Operand if', [{ label: 'if then else', text: 'if ${1:condition} then ${2:value} else ${0:value}' }]],
    ['Operand forall', [{ label: 'forall', text: 'forall ${1:i} in ${2:Type}: ${0:condition}' }]],
    ['Operand exists', [{ label: 'exists', text: 'exists ${1:i} in ${2:Type}: ${0:condition}' }]],
    ['Primary count', [{ label: 'count', text: 'count(${1:i} in ${2:Type}: ${0:condition})' }]],
    ['Primary sum', [{ label: 'sum', text: 'sum(${1:i} in ${2:Type}: ${0:value})' }]],
]);

interface Snippet {
    readonly label: string;
    /** In the snippet syntax of LSP. */
    readonly text: string;
}

export class OrbitCompletionProvider extends DefaultCompletionProvider {
    private supportsSnippets = false;

    constructor(services: OrbitServices) {
        super(services);
        services.shared.lsp.LanguageServer.onInitialize(({ capabilities }) => {
            const { snippetSupport } = capabilities.textDocument?.completion?.completionItem ?? {};
            this.supportsSnippets = snippetSupport === true;
        });
    }

    protected override getReferenceCandidates(
        reference: ReferenceInfo,
        context: CompletionContext,
    ): Stream<AstNodeDescription> {
        const fits = fittingKinds(reference);
        return super.getReferenceCandidates(reference, context).filter(({ type }) => fits(type));
    }

    protected override createReferenceCompletionItem(
        description: AstNodeDescription,
        reference: ReferenceInfo,
        context: CompletionContext,
    ): CompletionValueItem {
        const { node } = description;
        const item = super.createReferenceCompletionItem(description, reference, context);
        const kind = KINDS.get(description.type) ?? CompletionItemKind.Text;
        return { ...item, kind, detail: node !== undefined && isNamedDeclaration(node) ? signatureOf(node) : '' };
    }

    protected override getReferenceDocumentation({ node }: AstNodeDescription): MarkupContent | undefined {
        const value = node && this.documentationProvider.getDocumentation(node);
        return value === undefined ? undefined : { kind: 'markdown', value };
    }

    protected override completionForKeyword(
        context: CompletionContext,
        keyword: GrammarAST.Keyword,
        acceptor: CompletionAcceptor,
    ): void {
        if (!this.filterKeyword(context, keyword)) {
            return;
        }
        acceptor(context, { label: keyword.value, kind: CompletionItemKind.Keyword, detail: 'keyword', sortText: '2' });
        const rule = AstUtils.getContainerOfType(keyword, GrammarAST.isParserRule)?.name ?? '';
        for (const { label, text } of (this.supportsSnippets && SNIPPETS.get(`${rule} ${keyword.value}`)) || []) {
            acceptor(context, {
                label,
                kind: CompletionItemKind.Snippet,
                detail: 'snippet',
                insertText: text,
                insertTextFormat: InsertTextFormat.Snippet,
                sortText: '1',
            });
        }
    }
}

const KINDS: ReadonlyMap<string, CompletionItemKind> = new Map([
    ['Parameter', CompletionItemKind.Constant],
    ['Constant', CompletionItemKind.Constant],
    ['TypeDeclaration', CompletionItemKind.Interface],
    ['Enumeration', CompletionItemKind.Enum],
    ['EnumerationValue', CompletionItemKind.EnumMember],
    ['Variable', CompletionItemKind.Variable],
    ['EventDeclaration', CompletionItemKind.Event],
    ['Process', CompletionItemKind.Class],
    ['ProcessIndex', CompletionItemKind.Variable],
    ['BinderVariable', CompletionItemKind.Variable],
    ['Invariant', CompletionItemKind.Property],
    ['Labeled', CompletionItemKind.Reference],
]);

/** Which kinds of declarations make sense for a reference at its place. */
function fittingKinds({ container, property }: ReferenceInfo): (kind: string) => boolean {
    if (!isReference(container) || property === 'label') {
        return () => true;
    }
    const parent = container.$container as unknown;
    const role = container.$containerProperty;
    if (isAssignment(parent) && role === 'target') {
        return kind => kind === 'Variable';
    }
    if (isStep(parent) && role === 'event') {
        return kind => kind === 'EventDeclaration';
    }
    if (isIndexType(parent)) {
        return kind => kind === 'TypeDeclaration' || kind === 'Enumeration';
    }
    return kind => kind !== 'Invariant' && kind !== 'EventDeclaration';
}
