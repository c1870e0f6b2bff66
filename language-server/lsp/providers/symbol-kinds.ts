/** The symbols by which the editor shows declarations, in the outline and in lists of suggestions. */
import { CompletionItemKind, SymbolKind } from 'vscode-languageserver';
import type { NamedDeclaration } from './declarations.js';

interface Kinds {
    readonly symbol: SymbolKind;
    readonly completion: CompletionItemKind;
}

// prettier-ignore
const KINDS: { readonly [K in NamedDeclaration['$type']]: Kinds } = {
    BinderVariable:      { symbol: SymbolKind.Variable,   completion: CompletionItemKind.Variable },
    BuiltinFunction:     { symbol: SymbolKind.Function,   completion: CompletionItemKind.Function },
    ChannelDeclaration:  { symbol: SymbolKind.Interface,  completion: CompletionItemKind.Interface },
    Constant:            { symbol: SymbolKind.Constant,   completion: CompletionItemKind.Constant },
    Enumeration:         { symbol: SymbolKind.Enum,       completion: CompletionItemKind.Enum },
    EnumerationValue:    { symbol: SymbolKind.EnumMember, completion: CompletionItemKind.EnumMember },
    EventDeclaration:    { symbol: SymbolKind.Event,      completion: CompletionItemKind.Event },
    FunctionDeclaration: { symbol: SymbolKind.Function,   completion: CompletionItemKind.Function },
    FunctionParameter:   { symbol: SymbolKind.Variable,   completion: CompletionItemKind.Variable },
    Invariant:           { symbol: SymbolKind.Boolean,    completion: CompletionItemKind.Property },
    Labeled:             { symbol: SymbolKind.Key,        completion: CompletionItemKind.Reference },
    Let:                 { symbol: SymbolKind.Constant,   completion: CompletionItemKind.Constant },
    ModelHeader:         { symbol: SymbolKind.Module,     completion: CompletionItemKind.Module },
    Parameter:           { symbol: SymbolKind.Constant,   completion: CompletionItemKind.Constant },
    Process:             { symbol: SymbolKind.Class,      completion: CompletionItemKind.Class },
    ProcessIndex:        { symbol: SymbolKind.Variable,   completion: CompletionItemKind.Variable },
    RecordDeclaration:   { symbol: SymbolKind.Struct,     completion: CompletionItemKind.Struct },
    RecordField:         { symbol: SymbolKind.Field,      completion: CompletionItemKind.Field },
    TypeDeclaration:     { symbol: SymbolKind.Interface,  completion: CompletionItemKind.Interface },
    Variable:            { symbol: SymbolKind.Variable,   completion: CompletionItemKind.Variable },
};

export function symbolKindOf(node: NamedDeclaration): SymbolKind {
    return KINDS[node.$type].symbol;
}

/** `type` is that of a description of a declaration, whose node may not be at hand. */
export function completionKindOf(type: string): CompletionItemKind {
    const kinds: Readonly<Record<string, Kinds | undefined>> = KINDS;
    return kinds[type]?.completion ?? CompletionItemKind.Text;
}
