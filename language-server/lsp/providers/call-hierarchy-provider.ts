/**
 * The callers of a function or a procedure, which may be declarations of any kind, and those that it calls; the creators
 * of the instances of a template, and the templates of which it creates instances.
 */
import {
    AstUtils,
    type AstNode,
    type LangiumDocument,
    type LangiumDocuments,
    type Reference,
    type References,
} from 'langium';
import type { CallHierarchyProvider, LangiumServices } from 'langium/lsp';
import { URI } from 'langium';
import type {
    CallHierarchyIncomingCall,
    CallHierarchyIncomingCallsParams,
    CallHierarchyItem,
    CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams,
    CallHierarchyPrepareParams,
    Position,
} from 'vscode-languageserver';
import {
    isCall,
    isFunctionDeclaration,
    isModel,
    isProcedure,
    isProcedureCall,
    isSpawn,
    type Call,
    type FunctionDeclaration,
    type Procedure,
    type ProcedureCall,
    type Process,
    type Spawn,
} from '../../generated/ast.js';
import { isTemplate } from '../../../language/references/templates.js';
import { calledBy } from '../../../language/references/calls.js';
import { detailOf, isNamedDeclaration, nameNodeOf, type NamedDeclaration } from './declarations.js';
import { KINDS } from './declaration-kinds.js';
import { declarationAt, usesOf } from './uses.js';

export class OrbitCallHierarchyProvider implements CallHierarchyProvider {
    private readonly references: References;
    private readonly documents: LangiumDocuments;

    constructor(services: LangiumServices) {
        this.references = services.references.References;
        this.documents = services.shared.workspace.LangiumDocuments;
    }

    prepareCallHierarchy(
        document: LangiumDocument,
        { position }: CallHierarchyPrepareParams,
    ): CallHierarchyItem[] | undefined {
        const declaration = declarationAt(document, position, this.references)?.declaration;
        return isFunctionDeclaration(declaration) || isProcedure(declaration) || isTemplate(declaration)
            ? itemsOf(declaration)
            : undefined;
    }

    incomingCalls({ item }: CallHierarchyIncomingCallsParams): CallHierarchyIncomingCall[] | undefined {
        const declaration = this.declarationOf(item);
        if (declaration === undefined) {
            return undefined;
        }
        const calls = usesOf(declaration, this.references, this.documents).filter(
            ({ node }) => isCall(node) || isProcedureCall(node) || isSpawn(node),
        );
        return groupedBy(calls, ({ node }) => callerOf(node)).flatMap(([caller, uses]) =>
            itemsOf(caller).map(from => ({ from, fromRanges: uses.map(({ range }) => range) })),
        );
    }

    outgoingCalls({ item }: CallHierarchyOutgoingCallsParams): CallHierarchyOutgoingCall[] | undefined {
        const declaration = this.declarationOf(item);
        if (declaration === undefined) {
            return undefined;
        }
        const calls = AstUtils.streamAllContents(declaration)
            .filter(node => isCall(node) || isProcedureCall(node) || isSpawn(node))
            .toArray();
        return groupedBy(calls, calledOrCreatedBy).flatMap(([called, places]) => {
            const fromRanges = places
                .map(call => calledNameIn(call).$refNode?.range)
                .filter(range => range !== undefined);
            return itemsOf(called).map(to => ({ to, fromRanges }));
        });
    }

    private declarationOf({ uri, selectionRange }: CallHierarchyItem): AstNode | undefined {
        const document = this.documents.getDocument(URI.parse(uri));
        const position: Position = selectionRange.start;
        return document && declarationAt(document, position, this.references)?.declaration;
    }
}

function calledNameIn(node: Call | ProcedureCall | Spawn): Reference {
    return isCall(node) ? node.function : isProcedureCall(node) ? node.procedure : node.template;
}

function calledOrCreatedBy(node: Call | ProcedureCall | Spawn): FunctionDeclaration | Procedure | Process | undefined {
    if (isCall(node)) {
        return calledBy(node);
    }
    if (isProcedureCall(node)) {
        const procedure = node.procedure.ref;
        return isProcedure(procedure) ? procedure : undefined;
    }
    const template = node.template.ref;
    return isTemplate(template) ? template : undefined;
}

/** The declaration of the file in which a call stands. */
function callerOf(call: AstNode): NamedDeclaration | undefined {
    let caller = call;
    while (caller.$container !== undefined && !isModel(caller.$container)) {
        caller = caller.$container;
    }
    return isNamedDeclaration(caller) ? caller : undefined;
}

function itemsOf(node: NamedDeclaration): CallHierarchyItem[] {
    const name = nameNodeOf(node);
    return name === undefined || node.$cstNode === undefined
        ? []
        : [
              {
                  name: name.text,
                  detail: detailOf(node),
                  kind: KINDS[node.$type].symbol,
                  uri: AstUtils.getDocument(node).uri.toString(),
                  range: node.$cstNode.range,
                  selectionRange: name.range,
              },
          ];
}

/** In the order of first appearance, without the values that have no key. */
function groupedBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key | undefined): [Key, Value[]][] {
    const groups = new Map<Key, Value[]>();
    for (const value of values) {
        const key = keyOf(value);
        if (key !== undefined) {
            groups.set(key, [...(groups.get(key) ?? []), value]);
        }
    }
    return [...groups];
}
