/**
 * Rename in all open files and their imports. A new name is refused if it is no name, a word of the language, or taken
 * where either declaration is visible. Labels of one name in a process are renamed together, and so are fields of cases.
 */
import {
    AstUtils,
    GrammarAST,
    UriUtils,
    type AstNode,
    type Grammar,
    type LangiumDocument,
    type LangiumDocuments,
    type Lexer,
} from 'langium';
import { DefaultRenameProvider, type LangiumServices } from 'langium/lsp';
import {
    LSPErrorCodes,
    ResponseError,
    type Location,
    type Range,
    type RenameParams,
    type TextDocumentPositionParams,
    type TextEdit,
    type WorkspaceEdit,
} from 'vscode-languageserver';
import {
    isBinderVariable,
    isEnumeration,
    isEnumerationValue,
    isLabeled,
    isModel,
    isModelHeader,
    isProcess,
    isRecordField,
    isSelf,
    type Enumeration,
    type Labeled,
    type RecordDeclaration,
    type RecordField,
} from '../../generated/ast.js';
import { isBuiltin } from '../../../language/references/builtin-functions.js';
import { SELF, templateAround } from '../../../language/references/templates.js';
import { isAnyProperty } from '../../../language/references/temporal.js';
import { modelsOf } from '../../../language/references/imports.js';
import { modelOf } from '../../references/imports.js';
import { kindOf } from './declaration-kinds.js';
import { isNamedDeclaration, nameAt, nameNodeOf, type NamedDeclaration } from './declarations.js';

export class OrbitRenameProvider extends DefaultRenameProvider {
    private readonly lexer: Lexer;
    private readonly documents: LangiumDocuments;
    private readonly wordsThatMayBeNames: ReadonlySet<string>;

    constructor(services: LangiumServices) {
        super(services);
        this.lexer = services.parser.Lexer;
        this.documents = services.shared.workspace.LangiumDocuments;
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
        const changes: Record<string, TextEdit[]> = {};
        for (const { uri, range } of this.placesOf(declaration)) {
            (changes[uri] ??= []).push({ range, newText: params.newName });
        }
        return { changes };
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
        const isNamed = declaration !== undefined && isNamedDeclaration(declaration);
        return isNamed && !isBuiltin(declaration) && !isSelf(declaration) ? declaration : undefined;
    }

    /** All places of the name: its declaration (for a label, all of them) and its uses. */
    private placesOf(declaration: NamedDeclaration): Location[] {
        const declarations = isLabeled(declaration)
            ? labelsLike(declaration)
            : isRecordField(declaration)
              ? fieldsLike(declaration)
              : [declaration];
        const uri = AstUtils.getDocument(declaration).uri.toString();
        return declarations.flatMap(target => {
            const name = nameNodeOf(target);
            return [
                ...(name === undefined ? [] : [{ uri, range: name.range }]),
                ...this.references
                    .findReferences(target, { includeDeclaration: false })
                    .map(({ sourceUri, segment }) => ({ uri: sourceUri.toString(), range: segment.range }))
                    .toArray(),
            ];
        });
    }

    /** Declarations of `name` that are visible at a place where `declaration` is visible, too. */
    private namesakesOf(name: string, declaration: NamedDeclaration): NamedDeclaration[] {
        const own = AstUtils.getContainerOfType(declaration, isModel);
        // The models that the file is a part of, open or not.
        const models = this.documents.all
            .map(document => modelOf(document))
            .filter(isModel)
            .map(modelsOf)
            .filter(files => files.some(file => file === own))
            .toArray();
        return [...new Set(models.flat())]
            .flatMap(file => AstUtils.streamAst(file).filter(isNamedDeclaration).toArray())
            .filter(other => other.name === name && canMeet(declaration, other));
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
        if (isAnyProperty(declaration) && (name === 'deadlock' || name === 'faults')) {
            return `\`${name}\` is the name of a property that every model has`;
        }
        if (name === SELF && templateAround(declaration) !== undefined) {
            return `\`${name}\` is the instance in a template`;
        }
        const other = this.namesakesOf(name, declaration).find(candidate => candidate !== declaration);
        if (other !== undefined) {
            const line = (nameNodeOf(other)?.range.start.line ?? 0) + 1;
            const { uri } = AstUtils.getDocument(other);
            const isHere = UriUtils.equals(uri, AstUtils.getDocument(declaration).uri);
            const kind = kindOf(other);
            const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
            const place = isHere ? `line ${line}` : `line ${line} of ${UriUtils.basename(uri)}`;
            return `\`${name}\` is already the name of ${article} ${kind} in ${place}`;
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

/** The fields that are read by the same name: of a record one, of cases those of all. */
function fieldsLike(field: RecordField): RecordField[] {
    const owner = ownerOf(field);
    const fields = isEnumeration(owner) ? owner.values.flatMap(value => value.fields) : owner.fields;
    return fields.filter(({ name }) => name === field.name);
}

function ownerOf({ $container: owner }: RecordField): RecordDeclaration | Enumeration {
    return isEnumerationValue(owner) ? owner.$container : owner;
}

/** Whether two declarations can be seen at one place of one file, or of two files that one model is made of. */
function canMeet(first: NamedDeclaration, second: NamedDeclaration): boolean {
    if (isLabeled(first) !== isLabeled(second) || isModelHeader(first) || isModelHeader(second)) {
        return false;
    }
    if (isRecordField(first) && isRecordField(second)) {
        return ownerOf(first) === ownerOf(second);
    }
    // A field is a name by itself only in the `where` of its record.
    if (
        [first, second].some(
            each => isRecordField(each) && (isEnumerationValue(each.$container) || each.$container.where === undefined),
        )
    ) {
        return false;
    }
    const [one, other] = [scopeOf(first), scopeOf(second)];
    return isModel(one) || isModel(other) || contains(one, other) || contains(other, one);
}

/** The node in whose text a name is visible; a name that is visible in a whole file is visible in its importers, too. */
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
