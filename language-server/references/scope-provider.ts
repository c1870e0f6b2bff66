/**
 * The names that a reference may mean: from the inside out, local names, the declarations of the file, those of its
 * imports, and the built-in functions. After `at`, the labels of the process, and after `takes` what it can take;
 * after a dot, the fields of the record, or the parameters and locals of the template. `self` in a template.
 *
 * The scope provider reads the syntax tree on demand, and collects no names beforehand: a value from the command line
 * is in the tree of no document, and its names are found too.
 */
import {
    AstUtils,
    DefaultScopeComputation,
    DefaultScopeProvider,
    EMPTY_SCOPE,
    MultiMap,
    stream,
    type AstNode,
    type AstNodeDescription,
    type LangiumCoreServices,
    type LocalSymbols,
    type ReferenceInfo,
    type Scope,
    type Stream,
} from 'langium';
import { remembered } from '../../engine/common/list-map.js';
import * as ast from '../generated/ast.js';
import { BUILTIN_SYMBOLS } from './builtin-symbols.js';
import { fieldsOf, isConstructor } from '../../language/references/constructors.js';
import { typeWithFieldsOf } from '../../language/references/declared-type.js';
import { modelsOf } from '../../language/references/imports.js';
import { actionsOf, labelsOf } from '../../language/references/labels.js';
import { headLocalsOfTemplate, localNamesIn } from '../../language/references/locals.js';
import { isFamily, isTemplate, selfOf, templateReferredTo } from '../../language/references/templates.js';

export class OrbitScopeComputation extends DefaultScopeComputation {
    override collectExportedSymbols(): Promise<AstNodeDescription[]> {
        return Promise.resolve([]);
    }

    override collectLocalSymbols(): Promise<LocalSymbols> {
        return Promise.resolve(new MultiMap());
    }
}

export class OrbitScopeProvider extends DefaultScopeProvider {
    /** The first declaration of each name in a file, and the first family. A changed text has a new model. */
    private readonly symbols = new WeakMap<ast.Model, ModelSymbols>();

    constructor(services: LangiumCoreServices) {
        super(services);
    }

    override getScope(context: ReferenceInfo): Scope {
        const { container, property } = context;
        if (ast.isReference(container) && property === 'label') {
            const target = container.target.ref;
            const process = ast.isProcess(target) ? target : templateReferredTo(container);
            return process === undefined ? EMPTY_SCOPE : this.createScopeForNodes(labelsOf(process));
        }
        if (ast.isInstanceAt(container)) {
            const process = templateReferredTo(container.instance);
            return process === undefined ? EMPTY_SCOPE : this.createScopeForNodes(labelsOf(process));
        }
        if (ast.isReference(container) && property === 'action') {
            const process = container.target.ref;
            return ast.isProcess(process) ? this.createScopeForNodes(actionsOf(process)) : EMPTY_SCOPE;
        }
        if (ast.isFieldAccess(container)) {
            const { record: owner } = container;
            const process =
                ast.isReference(owner) && owner.label === undefined && owner.action === undefined
                    ? owner.target.ref
                    : undefined;
            if (ast.isProcess(process)) {
                return this.createScopeForNodes(headLocalsOfTemplate(process));
            }
            const record = typeWithFieldsOf(owner);
            if (ast.isProcess(record)) {
                return this.createScopeForNodes([...record.parameters, ...headLocalsOfTemplate(record)]);
            }
            return this.createScopeForNodes(fieldsOf(record));
        }
        const model = AstUtils.getContainerOfType(container, ast.isModel);
        const global = model === undefined ? EMPTY_SCOPE : new WholeModelScope(this.tablesOf(model, container));
        const scope = this.localScope(container, global);
        // A variable does not hide a function or a procedure of the same name from its calls.
        return ast.isCall(container) || ast.isCasePattern(container)
            ? new FilteredScope(global, isCallable, scope)
            : ast.isProcedureCall(container)
              ? new FilteredScope(global, ({ type }) => type === ast.Procedure.$type, scope)
              : scope;
    }

    private localScope(reference: AstNode, global: Scope): Scope {
        const found: (readonly ast.Named[])[] = [];
        let inner = reference;
        for (let node = reference.$container; node !== undefined; node = node.$container) {
            // The fields of a record are local names only in its `where`, those of a case nowhere.
            const isHidden = isConstructor(node) && inner.$containerProperty !== 'where';
            const names = isHidden ? [] : [...localNamesIn(node), ...(isTemplate(node) ? [selfOf(node)] : [])];
            const group = inner;
            const visible = ast.isBinderGroup(group) ? names.filter(name => !isBoundLater(name, group)) : names;
            if (visible.length > 0) {
                found.push(visible);
            }
            inner = node;
        }
        return found.reduceRight((outer, names) => this.createScopeForNodes(names, outer), global);
    }

    /**
     * Declarations of the file come first; validation reports names that are declared twice. Of a family and a type with one
     * name the family comes first only where a process is meant.
     */
    private tablesOf(model: ast.Model, container: AstNode): ReadonlyMap<string, AstNodeDescription>[] {
        const imported = modelsOf(model).filter(other => other !== model);
        const symbols = [model, ...imported].map(each => this.symbolsOf(each));
        const families = symbols.map(each => each.families);
        const others = symbols.map(each => each.others);
        return [...(meansProcess(container) ? [...families, ...others] : [...others, ...families]), BUILTIN_SYMBOLS];
    }

    private symbolsOf(model: ast.Model): ModelSymbols {
        return remembered(this.symbols, model, () => {
            const found = {
                families: new Map<string, AstNodeDescription>(),
                others: new Map<string, AstNodeDescription>(),
            };
            for (const named of namesIn(model)) {
                const table = isFamily(named) ? found.families : found.others;
                remembered(table, named.name, () => this.descriptions.createDescription(named, named.name));
            }
            return found;
        });
    }
}

interface ModelSymbols {
    readonly families: ReadonlyMap<string, AstNodeDescription>;
    readonly others: ReadonlyMap<string, AstNodeDescription>;
}

/** Whether a name is bound by a group, or by one behind it: what the group runs through does not know it. */
function isBoundLater(name: ast.Named, group: ast.BinderGroup): boolean {
    return (
        ast.isBinderVariable(name) &&
        name.$container.$container === group.$container &&
        (name.$container.$containerIndex ?? 0) >= (group.$containerIndex ?? 0)
    );
}

/** Whether a reference means a process, although a type may have the same name: `N[i] at l`, `N[i].x`, `assert symmetric N`. */
function meansProcess(container: AstNode): boolean {
    return ast.isReference(container)
        ? container.label !== undefined ||
              container.action !== undefined ||
              (ast.isFieldAccess(container.$container) && container.$containerProperty === 'record')
        : ast.isSymmetryAssertion(container) && !container.ofValues;
}

/** The names that one file declares for the whole model, in the order of the text. */
export function namesIn(model: ast.Model): ast.Named[] {
    return model.declarations.flatMap((declaration): ast.Named[] => {
        // In a text with syntax errors a declaration may have no name.
        if (!('name' in declaration) || (declaration.name as string | undefined) === undefined) {
            return [];
        }
        return ast.isEnumeration(declaration)
            ? [declaration, ...declaration.values.filter(({ name }) => (name as string | undefined) !== undefined)]
            : [declaration];
    });
}

function isCallable({ type }: AstNodeDescription): boolean {
    return (
        type === ast.FunctionDeclaration.$type ||
        type === ast.RecordDeclaration.$type ||
        type === ast.EnumerationValue.$type ||
        type === ast.BuiltinFunction.$type
    );
}

/** The names of several files, the nearest first. Finding one does not list the others. */
class WholeModelScope implements Scope {
    private readonly tables: readonly ReadonlyMap<string, AstNodeDescription>[];

    constructor(tables: readonly ReadonlyMap<string, AstNodeDescription>[]) {
        this.tables = tables;
    }

    getElement(name: string): AstNodeDescription | undefined {
        return this.tables.find(table => table.has(name))?.get(name);
    }

    getElements(name: string): Stream<AstNodeDescription> {
        return stream(this.tables.map(table => table.get(name))).nonNullable();
    }

    getAllElements(): Stream<AstNodeDescription> {
        return stream(this.tables).flatMap(table => table.values());
    }
}

/** Some names of a scope, followed by all names of another one. */
class FilteredScope implements Scope {
    private readonly scope: Scope;
    private readonly isWanted: (description: AstNodeDescription) => boolean;
    private readonly outer: Scope;

    constructor(scope: Scope, isWanted: (description: AstNodeDescription) => boolean, outer: Scope) {
        this.scope = scope;
        this.isWanted = isWanted;
        this.outer = outer;
    }

    getElement(name: string): AstNodeDescription | undefined {
        return this.scope.getElements(name).find(this.isWanted) ?? this.outer.getElement(name);
    }

    getElements(name: string): Stream<AstNodeDescription> {
        return this.scope.getElements(name).filter(this.isWanted).concat(this.outer.getElements(name));
    }

    /** The wanted names are among those of the other scope, unless one is hidden. */
    getAllElements(): Stream<AstNodeDescription> {
        return this.outer.getAllElements();
    }
}
