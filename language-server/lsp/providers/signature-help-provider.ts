/**
 * Signature help: arguments of functions and events, fields of records, indices of arrays, channels and processes. It
 * uses the declaration around the cursor as it is now (while-parsing/fragment.ts).
 */
import { CstUtils, type AstNode, type DocumentationProvider, type LangiumDocument } from 'langium';
import type { LangiumServices, SignatureHelpProvider } from 'langium/lsp';
import type { SignatureHelp, SignatureHelpOptions, SignatureHelpParams } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import { builtinDescriptionOf } from '../../../language/references/builtin-functions.js';
import { isNamedDeclaration, textOf, type NamedDeclaration } from './declarations.js';
import { fragmentAt } from '../while-parsing/fragment.js';

export class OrbitSignatureHelpProvider implements SignatureHelpProvider {
    readonly signatureHelpOptions: SignatureHelpOptions = {
        triggerCharacters: ['(', '[', ','],
        retriggerCharacters: [','],
    };

    private readonly services: LangiumServices;
    private readonly documentation: DocumentationProvider;

    constructor(services: LangiumServices) {
        this.services = services;
        this.documentation = services.documentation.DocumentationProvider;
    }

    async provideSignatureHelp(
        document: LangiumDocument,
        { position }: SignatureHelpParams,
    ): Promise<SignatureHelp | undefined> {
        const text = this.services.shared.workspace.TextDocuments.get(document.uri) ?? document.textDocument;
        const fragment = await fragmentAt(document, text, position, this.services);
        const before = fragment.textDocument.getText().slice(0, fragment.textDocument.offsetAt(position));
        const { tokens } = this.services.parser.Lexer.tokenize(before);
        const open = openBracketOf(tokens.map(({ image }) => image));
        const name = open && tokens[open.bracket - 1];
        if (open === undefined || name === undefined || !/^\w+$/.test(name.image)) {
            return undefined;
        }
        const node = nodeBefore(fragment, name.startOffset);
        const isCall = tokens[open.bracket]?.image === '(';
        const isSpawn = isCall && tokens[open.bracket - 2]?.image === 'spawn';
        const written = isCall && !isSpawn ? `${name.image}()` : name.image;
        const declaration = node && this.resolve(written, node);
        const signature = declaration && isNamedDeclaration(declaration) ? this.signatureOf(declaration) : undefined;
        if (signature === undefined) {
            return undefined;
        }
        const { label, parameters, documentation } = signature;
        return {
            signatures: [
                {
                    label,
                    parameters: parameters.map(parameter => ({ label: parameter })),
                    ...(documentation !== undefined && { documentation: { kind: 'markdown', value: documentation } }),
                },
            ],
            activeSignature: 0,
            activeParameter: Math.min(open.commas, Math.max(0, parameters.length - 1)),
        };
    }

    /** The declaration for the name of a place or call at a node. */
    private resolve(text: string, node: AstNode): AstNode | undefined {
        const { value } = this.services.parser.LangiumParser.parse<ast.Expression>(text, { rule: 'Sum' });
        const expression = Object.assign(value, { $container: node });
        return ast.isCall(expression)
            ? expression.function.ref
            : ast.isReference(expression)
              ? expression.target.ref
              : undefined;
    }

    private signatureOf(declaration: NamedDeclaration): Signature | undefined {
        const documentation = this.documentation.getDocumentation(declaration);
        const list = (nodes: readonly AstNode[]): string[] => nodes.map(({ $cstNode }) => textOf($cstNode));
        const build = (name: string, parts: readonly string[], brackets: string, rest = ''): Signature | undefined =>
            parts.length === 0 && brackets === '[]'
                ? undefined
                : {
                      label: `${name}${brackets.charAt(0)}${parts.join(', ')}${brackets.charAt(1)}${rest}`,
                      parameters: parts,
                      documentation,
                  };
        switch (declaration.$type) {
            case 'FunctionDeclaration': {
                const { name, parameters, result } = declaration;
                return build(name, list(parameters), '()', `: ${textOf(result.$cstNode)}`);
            }
            case 'Procedure':
                return build(declaration.name, list(declaration.parameters), '()');
            case 'RecordDeclaration':
            case 'EnumerationValue':
                return build(declaration.name, list(declaration.fields), '()');
            case 'BuiltinFunction': {
                const builtin = builtinDescriptionOf(declaration);
                const parts = /\((.*)\)/.exec(builtin?.signature ?? '')?.[1]?.split(', ') ?? [];
                return builtin && { label: builtin.signature, parameters: parts, documentation: builtin.documentation };
            }
            case 'Variable':
            case 'Parameter':
            case 'Constant':
            case 'FunctionParameter':
            case 'ProcedureParameter':
            case 'RecordField': {
                const { name, type } = declaration;
                return build(name, list(type?.indices ?? []), '[]', `: ${textOf(type?.element.$cstNode)}`);
            }
            case 'ChannelDeclaration': {
                const { name, indices, message } = declaration;
                return build(name, list(indices), '[]', ` of ${textOf(message.$cstNode)}`);
            }
            case 'EventDeclaration':
                return build(declaration.name, list(declaration.arguments), '[]');
            case 'Process':
                return declaration.isTemplate
                    ? build(declaration.name, list(declaration.parameters), '()')
                    : build(declaration.name, list(declaration.indices), '[]');
            default:
                return undefined;
        }
    }
}

interface Signature {
    readonly label: string;
    readonly parameters: readonly string[];
    readonly documentation: string | undefined;
}

/** The innermost bracket that is not closed, and the commas behind it that belong to it. Braces end the search. */
function openBracketOf(images: readonly string[]): { readonly bracket: number; readonly commas: number } | undefined {
    let depth = 0;
    let commas = 0;
    for (let bracket = images.length - 1; bracket >= 0; bracket--) {
        switch (images[bracket]) {
            case ')':
            case ']':
                depth++;
                break;
            case '(':
            case '[':
                if (depth === 0) {
                    // `x[i][j]` is `x[i, j]`.
                    return images[bracket] === '[' && images[bracket - 1] === ']'
                        ? withOuter(images, bracket, commas)
                        : { bracket, commas };
                }
                depth--;
                break;
            case ',':
                commas += depth === 0 ? 1 : 0;
                break;
            case '{':
            case '}':
            case ';':
                return undefined;
            default:
                break;
        }
    }
    return undefined;
}

/** Counts the indices in the brackets before one, `x[i, j]` in `x[i, j][`. */
function withOuter(
    images: readonly string[],
    bracket: number,
    commas: number,
): { readonly bracket: number; readonly commas: number } | undefined {
    const outer = openBracketOf(images.slice(0, bracket - 1));
    return outer && { bracket: outer.bracket, commas: outer.commas + 1 + commas };
}

function nodeBefore(document: LangiumDocument, offset: number): AstNode | undefined {
    const root = document.parseResult.value.$cstNode;
    const leaf = root && (CstUtils.findLeafNodeBeforeOffset(root, offset) ?? root);
    return leaf?.astNode;
}
