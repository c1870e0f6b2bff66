/**
 * Completion: what the grammar allows at the cursor, the names that can be seen there and fit, with their declarations
 * and documentation, and snippets for the parts of a model that have a shape.
 */
import {
    AstUtils,
    GrammarAST,
    type AstNode,
    type AstNodeDescription,
    type LangiumDocument,
    type MaybePromise,
    type ReferenceInfo,
} from 'langium';
import {
    DefaultCompletionProvider,
    findNextFeatures,
    type CompletionAcceptor,
    type CompletionContext,
    type CompletionValueItem,
    type NextFeature,
} from 'langium/lsp';
import {
    CompletionItemKind,
    InsertTextFormat,
    type CancellationToken,
    type CompletionList,
    type CompletionParams,
    type MarkupContent,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isBody, isStep } from '../generated/ast.js';
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

/** Tokens that completion goes back at most for an undecided alternative. */
const LONGEST_DETOUR = 40;

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

    /** Nothing is offered inside a comment. */
    override async getCompletion(
        document: LangiumDocument,
        params: CompletionParams,
        token?: CancellationToken,
    ): Promise<CompletionList | undefined> {
        const { line } = params.position;
        const before = document.textDocument.getText({ start: { line, character: 0 }, end: params.position });
        return before.includes('//') ? undefined : super.getCompletion(document, params, token);
    }

    /**
     * The parser decides between alternatives by looking ahead, and in a text that ends at the cursor it may decide
     * wrongly: `x := ` is taken for the event `x`. Then nothing can follow, and we look again from one token earlier,
     * where the decision is still open: what follows is found by trying all alternatives.
     */
    protected override findFeaturesAt(document: TextDocument, offset: number): NextFeature[] {
        let features = super.findFeaturesAt(document, offset);
        const { tokens } = this.lexer.tokenize(document.getText().slice(0, offset), { mode: 'partial' });
        const earliest = Math.max(0, tokens.length - LONGEST_DETOUR);
        for (let first = tokens.length - 1; features.length === 0 && first > earliest; first--) {
            const before = document.getText().slice(0, tokens[first]?.startOffset);
            const { elementStack, tokenIndex } = this.completionParser.parse(before);
            if (tokenIndex === first) {
                features = findNextFeatures([elementStack.map(feature => ({ feature }))], tokens.slice(first));
            }
        }
        return features;
    }

    protected override completionForCrossReference(
        context: CompletionContext,
        next: NextFeature<GrammarAST.CrossReference>,
        acceptor: CompletionAcceptor,
    ): MaybePromise<void> {
        const fits = fittingKinds(next.feature, context);
        return super.completionForCrossReference(context, next, (place, item) => {
            if (!('nodeDescription' in item) || fits.has(item.nodeDescription.type)) {
                acceptor(place, item);
            }
        });
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
        const rule = AstUtils.getContainerOfType(keyword, GrammarAST.isParserRule)?.name ?? '';
        // A word that may serve as a name, where a new name can stand: nothing to suggest.
        if (!this.filterKeyword(context, keyword) || rule === 'Name') {
            return;
        }
        acceptor(context, { label: keyword.value, kind: CompletionItemKind.Keyword, detail: 'keyword', sortText: '2' });
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

const LABELS: ReadonlySet<string> = new Set(['Labeled']);
const IN_TYPES: ReadonlySet<string> = new Set(['TypeDeclaration', 'Enumeration', 'Parameter', 'Constant']);
const ASSIGNED: ReadonlySet<string> = new Set(['Variable']);
const EVENTS: ReadonlySet<string> = new Set(['EventDeclaration']);
const ASSIGNED_AND_EVENTS: ReadonlySet<string> = new Set([...ASSIGNED, ...EVENTS]);
const IN_EXPRESSIONS: ReadonlySet<string> = new Set([
    'Parameter',
    'Constant',
    'EnumerationValue',
    'Variable',
    'Process',
    'ProcessIndex',
    'BinderVariable',
]);

/** Which kinds of declarations make sense for a reference, by the grammar rule it belongs to and what is before it. */
function fittingKinds(
    reference: GrammarAST.CrossReference,
    { node, tokenOffset }: CompletionContext,
): ReadonlySet<string> {
    if (AstUtils.getContainerOfType(reference, GrammarAST.isAssignment)?.feature === 'label') {
        return LABELS;
    }
    const rule = AstUtils.getContainerOfType(reference, GrammarAST.isParserRule)?.name;
    if (rule === 'PlaceReference') {
        return fittingPlaces(node, tokenOffset);
    }
    return rule === 'BoundOperand' ? IN_TYPES : IN_EXPRESSIONS;
}

/** Inside a body something is assigned, after a guard an event follows; elsewhere a step begins with one or the other. */
function fittingPlaces(node: AstNode | undefined, offset: number): ReadonlySet<string> {
    const body = AstUtils.getContainerOfType(node, isBody)?.$cstNode;
    if (body !== undefined && !(body.text.endsWith('}') && body.end <= offset)) {
        return ASSIGNED;
    }
    const step = AstUtils.getContainerOfType(node, isStep);
    const guardEnd = step?.guard?.$cstNode?.end ?? Infinity;
    return guardEnd <= offset && step?.body === undefined ? EVENTS : ASSIGNED_AND_EVENTS;
}
