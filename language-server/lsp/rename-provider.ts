/**
 * Rename, which refuses a name that would change what the model means: one that is no name, a word of the language, or
 * already taken where either of the two can be seen.
 *
 * A label may stand at several places of its process; all of them are renamed together.
 */
import { AstUtils, GrammarAST, type AstNode, type Grammar, type LangiumDocument, type Lexer } from 'langium';
import { DefaultRenameProvider, type LangiumServices } from 'langium/lsp';
import {
    LSPErrorCodes,
    ResponseError,
    type Range,
    type RenameParams,
    type TextDocumentPositionParams,
    type TextEdit,
    type WorkspaceEdit,
} from 'vscode-languageserver';
import {
    isBinderVariable,
    isEnumerationValue,
    isInvariant,
    isLabeled,
    isModelHeader,
    isProcess,
    type Labeled,
} from '../generated/ast.js';
import { isNamedDeclaration, kindOf, nameAt, nameNodeOf, type NamedDeclaration } from './declarations.js';

export class OrbitRenameProvider extends DefaultRenameProvider {
    private readonly lexer: Lexer;
    private readonly wordsThatMayBeNames: ReadonlySet<string>;

    constructor(services: LangiumServices) {
        super(services);
        this.lexer = services.parser.Lexer;
        this.wordsThatMayBeNames = wordsThatMayBeNames(services.Grammar);
    }

    override rename(document: LangiumDocument, params: RenameParams): Promise<WorkspaceEdit | undefined> {
        return Promise.resolve().then(() => this.renameOrRefuse(document, params));
    }

    private renameOrRefuse(document: LangiumDocument, params: RenameParams): WorkspaceEdit | undefined {
        const declaration = this.declarationAt(document, params);
        if (declaration === undefined) {
            return undefined;
        }
        const refusal = this.refusalOf(params.newName, declaration);
        if (refusal !== undefined) {
            throw new ResponseError(LSPErrorCodes.RequestFailed, refusal);
        }
        const edits = this.placesOf(declaration).map((range): TextEdit => ({ range, newText: params.newName }));
        return { changes: { [document.uri.toString()]: edits } };
    }

    override prepareRename(document: LangiumDocument, params: TextDocumentPositionParams): Range | undefined {
        return this.declarationAt(document, params) && nameAt(document, params.position)?.range;
    }

    private declarationAt(
        document: LangiumDocument,
        { position }: TextDocumentPositionParams,
    ): NamedDeclaration | undefined {
        const name = nameAt(document, position);
        const [declaration] = name === undefined ? [] : this.references.findDeclarations(name);
        return declaration !== undefined && isNamedDeclaration(declaration) ? declaration : undefined;
    }

    /** Every range where the name stands: its declaration, or declarations for a label, and its uses. */
    private placesOf(declaration: NamedDeclaration): Range[] {
        const declarations = isLabeled(declaration) ? labelsLike(declaration) : [declaration];
        return declarations.flatMap(target => [
            ...(nameNodeOf(target) === undefined ? [] : [nameNodeOf(target)?.range]).filter(
                range => range !== undefined,
            ),
            ...this.references
                .findReferences(target, { includeDeclaration: false })
                .map(reference => reference.segment.range)
                .toArray(),
        ]);
    }

    /** Why a declaration cannot have this name. */
    private refusalOf(name: string, declaration: NamedDeclaration): string | undefined {
        const [token, ...rest] = this.lexer.tokenize(name).tokens;
        if (token?.image !== name || rest.length > 0 || !/^\w+$/.test(name) || /^\d/.test(name)) {
            return `\`${name}\` is not a name: names are made of letters, digits and underscores and begin with no digit`;
        }
        if (token.tokenType.name !== 'ID' && !this.wordsThatMayBeNames.has(name)) {
            return `\`${name}\` is a word of the language`;
        }
        if (isInvariant(declaration) && name === 'deadlock') {
            return `\`${name}\` is the name of a property that every model has`;
        }
        const other = namesakesOf(name, declaration).find(candidate => candidate !== declaration);
        if (other !== undefined) {
            const line = (nameNodeOf(other)?.range.start.line ?? 0) + 1;
            const kind = kindOf(other);
            const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
            return `\`${name}\` is already the name of ${article} ${kind} in line ${line}`;
        }
        return undefined;
    }
}

/** The words of the language that the grammar allows as names: those in its rule for them. */
function wordsThatMayBeNames(grammar: Grammar): ReadonlySet<string> {
    const rule = grammar.rules.find(({ name }) => name === 'Name');
    const keywords = rule && AstUtils.streamAllContents(rule).filter(GrammarAST.isKeyword);
    return new Set(keywords?.map(({ value }) => value));
}

/** The labels of the same process with the same name. */
function labelsLike(label: Labeled): Labeled[] {
    const process = AstUtils.getContainerOfType(label, isProcess);
    return process === undefined
        ? [label]
        : AstUtils.streamAllContents(process.body)
              .filter(isLabeled)
              .filter(other => other.name === label.name)
              .toArray();
}

/** Declarations of `name` that can be seen somewhere where `declaration` can be seen too. */
function namesakesOf(name: string, declaration: NamedDeclaration): NamedDeclaration[] {
    const scope = scopeOf(declaration);
    return AstUtils.streamAst(AstUtils.getDocument(declaration).parseResult.value)
        .filter(isNamedDeclaration)
        .filter(other => other.name === name && isLabeled(other) === isLabeled(declaration))
        .filter(other => isModelHeader(other) === isModelHeader(declaration))
        .filter(other => contains(scope, scopeOf(other)) || contains(scopeOf(other), scope))
        .toArray();
}

/** The node in whose text a declared name is known. */
function scopeOf(declaration: NamedDeclaration): AstNode | undefined {
    if (isLabeled(declaration)) {
        return AstUtils.getContainerOfType(declaration, isProcess);
    }
    const inner = isBinderVariable(declaration) || isEnumerationValue(declaration);
    return inner ? declaration.$container.$container : declaration.$container;
}

function contains(outer: AstNode | undefined, inner: AstNode | undefined): boolean {
    return (
        outer !== undefined &&
        AstUtils.getContainerOfType(inner, (node): node is AstNode => node === outer) !== undefined
    );
}
