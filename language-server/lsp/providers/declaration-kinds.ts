/** The word for each kind of declaration, and the symbols and colors by which an editor shows it. */
import { CompletionItemKind as Item, SemanticTokenTypes as Token, SymbolKind as Symbol } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import type { NamedDeclaration } from './declarations.js';

interface Kind {
    readonly word: string;
    readonly symbol: Symbol;
    readonly completion: Item;
    readonly token: string;
}

function kind(word: string, symbol: Symbol, completion: Item, token: string): Kind {
    return { word, symbol, completion, token };
}

export const KINDS: { readonly [K in NamedDeclaration['$type']]: Kind } = {
    Assumption: kind('assumption', Symbol.Boolean, Item.Property, Token.property),
    BinderVariable: kind('bound variable', Symbol.Variable, Item.Variable, Token.variable),
    BuiltinFunction: kind('built-in function', Symbol.Function, Item.Function, Token.function),
    BuiltinType: kind('built-in type', Symbol.Interface, Item.Interface, Token.type),
    ChannelDeclaration: kind('channel', Symbol.Interface, Item.Interface, Token.interface),
    Constant: kind('constant', Symbol.Constant, Item.Constant, Token.variable),
    Enumeration: kind('enumeration', Symbol.Enum, Item.Enum, Token.enum),
    EnumerationValue: kind('value', Symbol.EnumMember, Item.EnumMember, Token.enumMember),
    EventDeclaration: kind('event', Symbol.Event, Item.Event, Token.event),
    FunctionDeclaration: kind('function', Symbol.Function, Item.Function, Token.function),
    FunctionParameter: kind('argument', Symbol.Variable, Item.Variable, Token.parameter),
    InitialBody: kind('initial state', Symbol.Function, Item.Function, Token.function),
    Invariant: kind('invariant', Symbol.Boolean, Item.Property, Token.property),
    Labeled: kind('label', Symbol.Key, Item.Reference, 'label'),
    Let: kind('name for an expression', Symbol.Constant, Item.Constant, Token.variable),
    ModelHeader: kind('model', Symbol.Module, Item.Module, Token.namespace),
    Parameter: kind('parameter', Symbol.Constant, Item.Constant, Token.parameter),
    Procedure: kind('procedure', Symbol.Function, Item.Function, Token.function),
    ProcedureParameter: kind('argument', Symbol.Variable, Item.Variable, Token.parameter),
    Process: kind('process', Symbol.Class, Item.Class, Token.class),
    ProcessIndex: kind('process index', Symbol.Variable, Item.Variable, Token.parameter),
    ProcessParameter: kind('parameter', Symbol.Variable, Item.Variable, Token.parameter),
    StatedRun: kind('run', Symbol.Boolean, Item.Property, Token.property),
    Property: kind('property', Symbol.Boolean, Item.Property, Token.property),
    RecordDeclaration: kind('record', Symbol.Struct, Item.Struct, Token.struct),
    RecordField: kind('field', Symbol.Field, Item.Field, Token.property),
    Self: kind('instance', Symbol.Variable, Item.Variable, Token.variable),
    TypeDeclaration: kind('type', Symbol.Interface, Item.Interface, Token.type),
    Variable: kind('variable', Symbol.Variable, Item.Variable, Token.variable),
};

/** `type` is that of a description of a declaration, whose node may not be at hand. */
export function completionKindOf(type: string): Item {
    const kinds: Readonly<Record<string, Kind | undefined>> = KINDS;
    return kinds[type]?.completion ?? Item.Text;
}

/** The kind of a declaration, in a word or two: `variable`, `process family`. */
export function kindOf(node: NamedDeclaration): string {
    switch (node.$type) {
        case 'BinderVariable': {
            const { $container: binder } = node.$container;
            const isLoop = ast.isForStatement(binder) || ast.isFor(binder);
            return isLoop ? 'loop variable' : ast.isAlternative(binder) ? 'chosen value' : KINDS[node.$type].word;
        }
        case 'ChannelDeclaration':
            return node.indices.length > 0 ? 'array of channels' : 'channel';
        case 'Labeled':
            return node.isEnd ? 'end label' : 'label';
        case 'Process':
            return node.isTemplate ? 'template' : node.indices.length > 0 ? 'process family' : 'process';
        case 'Variable':
            if (node.type.isOfChannel) {
                return node.type.indices.length > 0 ? 'array of channels' : 'channel';
            }
            return ast.isModel(node.$container) ? 'variable' : 'local variable';
        default:
            return KINDS[node.$type].word;
    }
}
