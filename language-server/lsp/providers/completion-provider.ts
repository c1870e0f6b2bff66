/**
 * Completion: words of the grammar, visible names that fit, and snippets. It uses the declaration around the cursor as
 * it is now, and the last parse of the rest (while-parsing/fragment.ts).
 */
import {
    AstUtils,
    CstUtils,
    GrammarAST,
    UriUtils,
    type AstNode,
    type AstNodeDescription,
    type CstNode,
    type FileSystemProvider,
    type LangiumDocument,
    type MaybePromise,
    type ReferenceInfo,
    type Stream,
} from 'langium';
import {
    DefaultCompletionProvider,
    findNextFeatures,
    type CompletionAcceptor,
    type CompletionContext,
    type CompletionProviderOptions,
    type CompletionValueItem,
    type LangiumServices,
    type NextFeature,
} from 'langium/lsp';
import {
    CompletionItemKind,
    InsertTextFormat,
    type CancellationToken,
    type CompletionItem,
    type CompletionList,
    type CompletionParams,
    type MarkupContent,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import * as ast from '../../generated/ast.js';
import { isBody, isStep, type Expression } from '../../generated/ast.js';
import { declarationsOf } from '../../../language/references/imports.js';
import { modelOf } from '../../references/imports.js';
import { isTemplate, isTypeOfNames } from '../../../language/references/templates.js';
import { hasField } from '../../../language/typing/infer-cases.js';
import { possibleCases } from '../../../language/typing/possible-cases.js';
import { declaredTypeIn, typeWithFieldsOf, type DeclaredType } from '../../../language/references/declared-type.js';
import { isNamedDeclaration, signatureOf } from './declarations.js';
import { TEMPORAL_WORDS } from '../../parsing/temporal-words.js';
import { fragmentAt } from '../while-parsing/fragment.js';
import { KEYWORD_DOCUMENTATION } from './keywords.js';
import { SNIPPETS } from './snippets.js';
import { completionKindOf } from './declaration-kinds.js';

/** Tokens that completion goes back at most for an undecided alternative. */
const LONGEST_DETOUR = 40;

interface Operand {
    readonly token: string;
    readonly operand: Expression | undefined;
}

export class OrbitCompletionProvider extends DefaultCompletionProvider {
    override readonly completionOptions: CompletionProviderOptions = { triggerCharacters: ['.', '"'] };
    private readonly services: LangiumServices;
    private readonly fileSystem: FileSystemProvider;
    private supportsSnippets = false;

    constructor(services: LangiumServices) {
        super(services);
        this.services = services;
        this.fileSystem = services.shared.workspace.FileSystemProvider;
        services.shared.lsp.LanguageServer.onInitialize(({ capabilities }) => {
            const { snippetSupport } = capabilities.textDocument?.completion?.completionItem ?? {};
            this.supportsSnippets = snippetSupport === true;
        });
    }

    /** Nothing is offered inside a comment, files between quotation marks. */
    override async getCompletion(
        document: LangiumDocument,
        params: CompletionParams,
        token?: CancellationToken,
    ): Promise<CompletionList | undefined> {
        const text = this.services.shared.workspace.TextDocuments.get(document.uri) ?? document.textDocument;
        const { line } = params.position;
        const before = text.getText({ start: { line, character: 0 }, end: params.position });
        const file = /^\s*import\s*"([^"]*)$/.exec(before)?.[1];
        if (file !== undefined) {
            return { isIncomplete: false, items: await this.filesToImport(document, file, params) };
        }
        if (/\/\/|"[^"]*$/.test(before)) {
            return undefined;
        }
        const type = /:=\s*new\s+(\w*)$/.exec(before)?.[1];
        if (type !== undefined) {
            return { isIncomplete: false, items: this.typesToMake(document, type, params) };
        }
        const written = /\bspawn\s+(\w*)$/.exec(before)?.[1];
        if (written !== undefined) {
            return { isIncomplete: false, items: this.templatesToCreate(document, written, params) };
        }
        const fragment = await fragmentAt(document, text, params.position, this.services);
        const list = await super.getCompletion(fragment, params, token);
        return list !== undefined && /^\s*\w*\s*$/.test(text.getText()) ? withModelFirst(list) : list;
    }

    /** `spawn` is a word only before a name and arguments, so the parser does not know it yet. */
    private templatesToCreate(
        document: LangiumDocument,
        written: string,
        { position }: CompletionParams,
    ): CompletionItem[] {
        const model = modelOf(document);
        const start = { line: position.line, character: position.character - written.length };
        const templates = (model === undefined ? [] : declarationsOf(model)).filter(isTemplate);
        return templates.map(template => {
            const documentation = this.documentationProvider.getDocumentation(template);
            const list = this.supportsSnippets && template.parameters.length > 0 ? '($0)' : '()';
            return {
                label: template.name,
                kind: completionKindOf(template.$type),
                detail: signatureOf(template),
                ...(documentation !== undefined && { documentation: { kind: 'markdown', value: documentation } }),
                textEdit: { range: { start, end: position }, newText: `${template.name}${list}` },
                ...(this.supportsSnippets && { insertTextFormat: InsertTextFormat.Snippet }),
            };
        });
    }

    /** `new` is a word only before a name. */
    private typesToMake(document: LangiumDocument, written: string, { position }: CompletionParams): CompletionItem[] {
        const model = modelOf(document);
        const start = { line: position.line, character: position.character - written.length };
        const types = (model === undefined ? [] : declarationsOf(model)).filter(isTypeOfNames);
        return types.map(({ $type, name }) => ({
            label: name,
            kind: completionKindOf($type),
            textEdit: { range: { start, end: position }, newText: name },
        }));
    }

    /** The models and folders beside a document, or in the folder that has been written already. */
    private async filesToImport(
        document: LangiumDocument,
        written: string,
        { position }: CompletionParams,
    ): Promise<CompletionItem[]> {
        const folder = UriUtils.joinPath(
            UriUtils.dirname(document.uri),
            written.slice(0, written.lastIndexOf('/') + 1),
        );
        const name = written.slice(written.lastIndexOf('/') + 1);
        const start = { line: position.line, character: position.character - name.length };
        const entries = await this.fileSystem.readDirectory(folder).catch(() => []);
        return entries
            .filter(
                ({ uri, isFile }) =>
                    !isFile || (UriUtils.extname(uri) === '.orbit' && !UriUtils.equals(uri, document.uri)),
            )
            .map(({ uri, isFile }) => {
                const label = UriUtils.basename(uri);
                return {
                    label: isFile ? label : `${label}/`,
                    kind: isFile ? CompletionItemKind.File : CompletionItemKind.Folder,
                    textEdit: { range: { start, end: position }, newText: isFile ? label : `${label}/` },
                };
            });
    }

    /**
     * The parser decides by lookahead, and at the end of a text it may be wrong: `x := ` is taken for the event `x`. If
     * nothing can follow, all alternatives are tried from an earlier token, where the decision is open.
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
        const expected = this.expectedTypeAt(context);
        return super.completionForCrossReference(context, next, (place, item) => {
            if (!('nodeDescription' in item)) {
                acceptor(place, item);
                return;
            }
            const { type, node } = item.nodeDescription;
            if (
                !fits.has(type) ||
                (ast.isProcess(node) && !fitsProcess(node, fits)) ||
                (ast.isEnumerationValue(node) && !fitsCase(node, fits, expected))
            ) {
                return;
            }
            if (fits === RUN_THROUGH && !TYPES.has(type) && !isSet(node)) {
                return;
            }
            acceptor(place, { ...item, sortText: sortTextOf(node, type, expected) });
            if (node !== undefined && ast.isChannelDeclaration(node) && fits === STEPS && this.supportsSnippets) {
                this.offerCommunication(place, node, acceptor);
            }
        });
    }

    /** Sending to a channel and receiving from it, with its indices. */
    private offerCommunication(
        context: CompletionContext,
        channel: ast.ChannelDeclaration,
        acceptor: CompletionAcceptor,
    ): void {
        const indices = channel.indices.map((_, index) => `\${${index + 1}:i}`).join(', ');
        const place = indices === '' ? channel.name : `${channel.name}[${indices}]`;
        for (const [sign, what] of [
            ['!', 'message'],
            ['?', 'variable'],
        ]) {
            acceptor(context, {
                label: `${channel.name} ${sign}`,
                kind: CompletionItemKind.Snippet,
                detail: 'snippet',
                insertText: `${place} ${sign} \${0:${what}}`,
                insertTextFormat: InsertTextFormat.Snippet,
                sortText: '1',
            });
        }
    }

    /** The grammar knows only that a field comes next, not whose: that stands before the dot. */
    protected override getReferenceCandidates(
        reference: ReferenceInfo,
        context: CompletionContext,
    ): Stream<AstNodeDescription> {
        const record = reference.property === 'field' ? this.operandBefore(context)?.operand : undefined;
        const container = { ...reference.container, record } as AstNode;
        const candidates = super.getReferenceCandidates(
            record === undefined ? reference : { ...reference, container },
            context,
        );
        return record === undefined ? candidates : candidates.filter(({ node }) => mayHaveField(record, node));
    }

    /** The token before the completed one, and the place or call before it, parsed alone: the parse may lack it. */
    private operandBefore({ document, node, tokenOffset }: CompletionContext): Operand | undefined {
        const text = document.textDocument.getText().slice(0, tokenOffset);
        const { tokens } = this.lexer.tokenize(text);
        const token = tokens.at(-1)?.image ?? '';
        let first = tokens.length - 1;
        do {
            first--;
            while (tokens[first]?.image === ']' || tokens[first]?.image === ')') {
                first = indexOfOpening(tokens, first) - 1;
            }
        } while (tokens[first - 1]?.image === '.' && --first > 0);
        const start = tokens[first]?.startOffset;
        const end = tokens.at(-1)?.startOffset;
        if (start === undefined || end === undefined || !/^\w/.test(text.slice(start))) {
            return { token, operand: undefined };
        }
        const parser = this.services.parser.LangiumParser;
        const operand: Expression | undefined = parser.parse<Expression>(text.slice(start, end), { rule: 'Sum' }).value;
        return { token, operand: operand && Object.assign(operand, { $container: node }) };
    }

    /** The type of what is assigned, compared with or declared before the cursor. */
    private expectedTypeAt(context: CompletionContext): DeclaredType | undefined {
        const before = this.operandBefore(context);
        switch (before?.token) {
            case ':=':
            case '==':
            case '!=':
            case '<':
            case '<=':
            case '>':
            case '>=':
            case 'is':
                return before.operand && typeWithFieldsOf(before.operand);
            case '=': {
                const declaration = leafBefore(context)?.astNode;
                const type =
                    declaration && 'type' in declaration ? (declaration.type as ast.Type | undefined) : undefined;
                return type && declaredTypeIn(type);
            }
            default:
                return undefined;
        }
    }

    protected override createReferenceCompletionItem(
        description: AstNodeDescription,
        reference: ReferenceInfo,
        context: CompletionContext,
    ): CompletionValueItem {
        const { node, name, type } = description;
        const item = super.createReferenceCompletionItem(description, reference, context);
        const detail = node !== undefined && isNamedDeclaration(node) ? signatureOf(node) : '';
        const common = { ...item, kind: completionKindOf(type), detail };
        return ast.isCall(reference.container) && this.supportsSnippets
            ? {
                  ...common,
                  insertText: takesArguments(node) ? `${name}($0)` : `${name}()`,
                  insertTextFormat: InsertTextFormat.Snippet,
                  command: { title: 'Arguments', command: 'editor.action.triggerParameterHints' },
              }
            : common;
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
        // A word that may be a name, at the place of a new name: no suggestion.
        if (!this.filterKeyword(context, keyword) || rule === 'Name') {
            return;
        }
        if (TEMPORAL_WORDS.has(keyword.value) && !isAboutRuns(context)) {
            return;
        }
        const value = KEYWORD_DOCUMENTATION.get(keyword.value);
        const documentation: MarkupContent | undefined = value === undefined ? undefined : { kind: 'markdown', value };
        acceptor(context, {
            label: keyword.value,
            kind: CompletionItemKind.Keyword,
            detail: 'keyword',
            sortText: '3',
            ...(documentation && { documentation }),
        });
        for (const { label, text } of (this.supportsSnippets && SNIPPETS.get(`${rule} ${keyword.value}`)) || []) {
            acceptor(context, {
                label,
                kind: CompletionItemKind.Snippet,
                detail: 'snippet',
                insertText: text,
                insertTextFormat: InsertTextFormat.Snippet,
                sortText: '2',
            });
        }
    }
}

/** The text of the document begins with the declaration around the cursor. */
function isAboutRuns({ document }: CompletionContext): boolean {
    return /^\s*(?:property|assume)\b/.test(document.textDocument.getText());
}

/** In an empty text the snippet for a whole model comes first. */
function withModelFirst(list: CompletionList): CompletionList {
    const items = list.items.map(item =>
        item.label === 'model' && item.kind === CompletionItemKind.Snippet
            ? { ...item, sortText: '0', preselect: true }
            : item,
    );
    return { ...list, items };
}

const LABELS: ReadonlySet<string> = new Set(['Labeled']);
const ACTIONS: ReadonlySet<string> = new Set(['Labeled', 'EventDeclaration']);
const FIELDS: ReadonlySet<string> = new Set(['RecordField', 'ProcessParameter', 'Variable']);
const PROCEDURES: ReadonlySet<string> = new Set(['Procedure']);
const CALLED: ReadonlySet<string> = new Set([
    'FunctionDeclaration',
    'RecordDeclaration',
    'EnumerationValue',
    'BuiltinFunction',
]);
const CASES: ReadonlySet<string> = new Set(['EnumerationValue']);
const IN_TYPES: ReadonlySet<string> = new Set([
    'TypeDeclaration',
    'RecordDeclaration',
    'Enumeration',
    'Parameter',
    'Constant',
    'ProcessIndex',
    'Process',
]);
const ASSIGNED: ReadonlySet<string> = new Set(['Variable', 'ProcedureParameter']);
const AFTER_GUARD: ReadonlySet<string> = new Set(['EventDeclaration', 'ChannelDeclaration']);
const STEPS: ReadonlySet<string> = new Set([...ASSIGNED, ...AFTER_GUARD]);
const IN_EXPRESSIONS: ReadonlySet<string> = new Set([
    'Parameter',
    'Constant',
    'EnumerationValue',
    'Variable',
    'ChannelDeclaration',
    'Process',
    'ProcessIndex',
    'ProcessParameter',
    'Self',
    'BinderVariable',
    'FunctionParameter',
    'ProcedureParameter',
    'Let',
    'RecordField',
]);
const SET_TYPES: ReadonlySet<string> = new Set(['TypeDeclaration', 'RecordDeclaration', 'Enumeration']);
const FAMILIES: ReadonlySet<string> = new Set(['Process']);
const WITH_VALUES: ReadonlySet<string> = new Set([...SET_TYPES, 'Variable']);
const AFTER_IN: ReadonlySet<string> = new Set([...IN_EXPRESSIONS, ...SET_TYPES]);
/** What the variables of a binder run through: of the names of values those of sets. */
const TYPES: ReadonlySet<string> = new Set([...SET_TYPES, 'Process']);
const RUN_THROUGH: ReadonlySet<string> = new Set([...AFTER_IN, 'Process']);

/** The kinds of declarations that fit a reference, by its grammar rule and the token before it. */
function fittingKinds(reference: GrammarAST.CrossReference, context: CompletionContext): ReadonlySet<string> {
    const feature = AstUtils.getContainerOfType(reference, GrammarAST.isAssignment)?.feature;
    if (feature === 'label') {
        return LABELS;
    }
    if (feature === 'action') {
        return ACTIONS;
    }
    if (feature === 'field') {
        return FIELDS;
    }
    const rule = AstUtils.getContainerOfType(reference, GrammarAST.isParserRule)?.name;
    switch (rule) {
        case 'PlaceReference':
            return fittingPlaces(context.node, context.tokenOffset);
        case 'Call':
        case 'BoundCall':
            return CALLED;
        case 'ProcedureCall':
            return PROCEDURES;
        case 'BoundOperand':
            return IN_TYPES;
        case 'SymmetryAssertion':
            return isAboutValues(context) ? WITH_VALUES : FAMILIES;
        default:
            return isInType(context) ? IN_TYPES : fittingBehind(context);
    }
}

function fittingBehind(context: CompletionContext): ReadonlySet<string> {
    switch (leafBefore(context)?.text) {
        case 'in':
            return afterIn(context);
        case 'is':
            return CASES;
        default:
            return IN_EXPRESSIONS;
    }
}

function afterIn(context: CompletionContext): ReadonlySet<string> {
    return ast.isBinderGroup(leafBefore(context)?.astNode) ? RUN_THROUGH : AFTER_IN;
}

/** Whether a name is that of a set or a bag, or of an array of them. */
function isSet(named: AstNode | undefined): boolean {
    const type = ast.isVariable(named) || ast.isFunctionParameter(named) ? declaredTypeIn(named.type) : undefined;
    return ast.isSetType(type) || ast.isBagType(type);
}

/** Without its name, the parser does not recognize an assertion about values: a family may be called `values`. */
function isAboutValues({ document, tokenOffset }: CompletionContext): boolean {
    return /\bof\s*$/.test(document.textDocument.getText().slice(0, tokenOffset));
}

/** A type may begin with an expression in parentheses; that case is ignored. */
function isInType(context: CompletionContext): boolean {
    const before = leafBefore(context);
    return before?.text === ':' && !ast.isLabeled(before.astNode) && ast.isNamed(before.astNode);
}

/** A body assigns variables, an event or channel follows a guard, and elsewhere a step begins with either. */
function fittingPlaces(node: AstNode | undefined, offset: number): ReadonlySet<string> {
    const body = AstUtils.getContainerOfType(node, isBody)?.$cstNode;
    if (body !== undefined && !(body.text.endsWith('}') && body.end <= offset)) {
        return ASSIGNED;
    }
    const step = AstUtils.getContainerOfType(node, isStep);
    const guardEnd = step?.guard?.$cstNode?.end ?? Infinity;
    return guardEnd <= offset && step?.body === undefined ? AFTER_GUARD : STEPS;
}

/** Whether some case that a value may have where it stands has a field; other members are those of its type. */
function mayHaveField(record: Expression, member: AstNode | undefined): boolean {
    const owner = ast.isRecordField(member) ? member.$container : undefined;
    if (!ast.isRecordField(member) || !ast.isEnumerationValue(owner)) {
        return true;
    }
    return [...possibleCases(record, owner.$container)].some(each => hasField(each, member));
}

function takesArguments(node: AstNode | undefined): boolean {
    return !((ast.isFunctionDeclaration(node) || ast.isProcedure(node)) && node.parameters.length === 0);
}

/** Only templates are types. In an expression a family stands before its indices. */
function fitsProcess(process: ast.Process, fits: ReadonlySet<string>): boolean {
    return process.isTemplate ? fits !== IN_EXPRESSIONS : fits !== IN_TYPES;
}

/** Behind `is` stands the name of a case alone, elsewhere one with its fields, if it has some. */
function fitsCase(
    { fields, $container: declaration }: ast.EnumerationValue,
    fits: ReadonlySet<string>,
    expected: DeclaredType | undefined,
): boolean {
    return fits === CASES ? declaration === (expected ?? declaration) : fields.length > 0 === (fits === CALLED);
}

const LATER: ReadonlySet<string> = new Set(['Process', ...CALLED, ...PROCEDURES]);

/** Values of the expected type come first, then other names with a value, then the rest. */
function sortTextOf(node: AstNode | undefined, type: string, expected: DeclaredType | undefined): string {
    if (ast.isEnumerationValue(node)) {
        return node.$container === expected ? '0' : '2';
    }
    return LATER.has(type) ? '2' : '1';
}

/** The token before the one that is being completed. */
function leafBefore({ document, tokenOffset }: CompletionContext): CstNode | undefined {
    const root = document.parseResult.value.$cstNode;
    const leaf = root && CstUtils.findLeafNodeBeforeOffset(root, tokenOffset - 1);
    return leaf?.hidden === true ? CstUtils.getPreviousNode(leaf, false) : leaf;
}

/** The index of the opening bracket for a closing one; -1 if there is none. */
function indexOfOpening(tokens: readonly { readonly image: string }[], closing: number): number {
    let depth = 0;
    for (let index = closing; index >= 0; index--) {
        const image = tokens[index]?.image ?? '';
        depth += /^[\])]$/.test(image) ? 1 : /^[[(]$/.test(image) ? -1 : 0;
        if (depth === 0) {
            return index;
        }
    }
    return -1;
}
