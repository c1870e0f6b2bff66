/**
 * The sorts of a model, from its linked text: which places hold values that must be permuted together, and which
 * permutations of them are symmetries, for all values of the parameters at once. [docs/every-size.md]
 *
 * One walk over the declarations unites sorts and collects what the text does with them (sorts-of-expressions.ts); then
 * obligations are added until nothing changes, and each sort gets its group (sort-groups.ts). Costs milliseconds,
 * whatever the parameters are. What is not understood moves nothing.
 */
import type { Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { declarationsOf } from '../language/references/imports.js';
import { FaultAnalysis, NO_FAULT } from './fault-kinds.js';
import { localsWithFirstValue } from './first-values.js';
import { isKnownSyntax } from './known-syntax.js';
import { Mirror } from './mirror.js';
import { groupOfSort, type SortGroup } from './sort-groups.js';
import type { Cut, SortedPlace, Refusal, RingUse, Sort } from './sort.js';
import { SortsOfExpressions } from './sorts-of-expressions.js';
import { scalarsOf, type Structure } from './structure.js';

/** Sorts that act independently: each element of the product of their groups is a symmetry of the model. */
export interface UniformSorts {
    readonly model: ast.Model;
    /** The parameters of the model, in the order of the text. What is said holds for all values that their types allow. */
    readonly parameters: readonly ast.Parameter[];
    /** In the order of the text. */
    readonly classes: readonly SortClass[];
    /**
     * The class of each place of a declaration: of a variable, a process index, a variable of a quantifier or a choice, a
     * parameter or the result of a function (`FunctionDeclaration`), a channel (its indices, then its messages), an event
     * (its arguments are the indices of an array). Only what the walk has met has places.
     */
    readonly places: ReadonlyMap<Node, PlaceClasses>;
    /** Why nothing at all is proved: a part of the text that the proof does not cover. */
    readonly refusal?: Refusal;
}

export interface SortClass {
    /** Position in `classes`. */
    readonly index: number;
    readonly group: SortGroup;
    /** The declared places, in the order of the text. */
    readonly places: readonly SortedPlace[];
    /** What the text tells apart: ranges of declared types, constants. */
    readonly cuts: readonly Cut[];
    readonly rings: readonly RingUse[];
    /** The declared types of its places. */
    readonly types: ReadonlySet<ast.TypeDeclaration>;
    /** Whether its values are those of an index, a choice, `any`, a family or a bound variable; else only literals occur. */
    readonly isMoved: boolean;
}

/** The classes in the structure of a declared type. The messages of a channel as a value are those of its declaration. */
export type PlaceClasses =
    | { readonly kind: 'scalar'; readonly sort: SortClass }
    | {
          readonly kind: 'record';
          readonly record: ast.RecordDeclaration;
          readonly fields: readonly PlaceClasses[];
          /** It is stored in one cell: optional, or with a condition. */
          readonly isOneValue: boolean;
      }
    | { readonly kind: 'array'; readonly indices: readonly PlaceClasses[]; readonly element: PlaceClasses }
    | { readonly kind: 'channel'; readonly message?: PlaceClasses };

export interface InferenceOptions {
    /** Properties whose text counts too: the groups are those that keep each of them. */
    readonly kept?: readonly (ast.Invariant | ast.Property | ast.Assumption)[];
    /** Without the initial values: the symmetries of the steps. */
    readonly isWithoutStart?: boolean;
}

/** The sorts of a linked model without errors, with the declarations that it imports. */
export function inferSorts(model: ast.Model, options: InferenceOptions = {}): UniformSorts {
    return new Inference(model, options).run();
}

class Inference {
    readonly #model: ast.Model;
    readonly #declarations: readonly ast.Declaration[];
    readonly #options: InferenceOptions;
    readonly #expressions = new SortsOfExpressions();
    readonly #faults = new FaultAnalysis(this.#expressions.bounds);
    readonly #walked: readonly ast.Declaration[];
    readonly #mirror: Mirror;
    readonly #beginning: ReadonlySet<ast.Variable>;

    constructor(model: ast.Model, options: InferenceOptions) {
        this.#model = model;
        this.#declarations = declarationsOf(model);
        this.#beginning = localsWithFirstValue(this.#declarations);
        this.#options = options;
        const kept: readonly ast.Declaration[] = options.kept ?? [];
        this.#walked = this.#declarations.filter(each => !isAboutTheModel(each) || kept.includes(each));
        this.#mirror = new Mirror(this.#walked, this.#expressions.bounds, this.#faults);
    }

    run(): UniformSorts {
        for (const node of this.#declarations.flatMap(nodesOf)) {
            if (!isKnownSyntax(node)) {
                this.#expressions.notUnderstood(node);
            }
        }
        this.#walked.forEach(declaration => {
            this.#declaration(declaration);
        });
        for (const node of this.#walked.flatMap(nodesOf)) {
            if (!this.#expressions.seen.has(node) && !isPartOfType(node)) {
                this.#expressions.notUnderstood(node);
            }
        }
        this.#keepOrder();
        return this.#result();
    }

    /** Values whose order decides which fault is seen stay where they are. */
    #keepOrder(): void {
        for (const { node, sorts } of this.#expressions.ordered) {
            if (this.#faults.dependingOnOrder(node) !== NO_FAULT) {
                sorts.forEach(sort => {
                    sort.refuse(node, 'may be at fault, so that the order of values decides');
                });
            }
        }
    }

    /** Channels whose type stands in the text are values: their messages are one kind of values. */
    #uniteChannels(channel: ast.ChannelDeclaration): void {
        const isValue = this.#declarations.some(declaration => nodesOf(declaration).some(ast.isChannelType));
        const structure = this.#expressions.placesOf(channel);
        const element = structure.kind === 'array' ? structure.element : structure;
        if (isValue && element.kind === 'channel') {
            const messages = this.#expressions.structures.messageOf(channel.message.element);
            this.#expressions.unite(element.message(), messages, channel);
        }
    }

    #declaration(declaration: ast.Declaration): void {
        const { seen } = this.#expressions;
        seen.add(declaration);
        switch (declaration.$type) {
            case 'Import':
            case 'TypeDeclaration':
            case 'DeadlockAllowance':
            case 'DeadlockFreedom':
            case 'SymmetryAssertion':
                return;
            case 'Enumeration':
                declaration.values.forEach(value => seen.add(value));
                return;
            case 'RecordDeclaration':
                // The condition belongs to each place of the record.
                declaration.fields.forEach(field => seen.add(field));
                (declaration.where === undefined ? [] : nodesOf(declaration.where)).forEach(node => seen.add(node));
                return;
            case 'Parameter':
                this.#expressions.placesOf(declaration);
                // The value of the text is one of many.
                (declaration.value === undefined ? [] : nodesOf(declaration.value)).forEach(node => seen.add(node));
                return;
            case 'Constant':
                this.#constant(declaration);
                return;
            case 'Variable':
                this.#variable(declaration);
                return;
            case 'InitialCondition':
                if (this.#options.isWithoutStart !== true) {
                    this.#expressions.condition(declaration.expression);
                } else {
                    nodesOf(declaration).forEach(node => seen.add(node));
                }
                return;
            case 'ChannelDeclaration':
                this.#expressions.placesOf(declaration);
                nodesOf(declaration.capacity).forEach(node => seen.add(node));
                this.#uniteChannels(declaration);
                return;
            case 'EventDeclaration':
                this.#expressions.placesOf(declaration);
                return;
            case 'FunctionDeclaration':
                this.#function(declaration);
                return;
            case 'Process':
                this.#process(declaration);
                return;
            case 'Invariant':
            case 'Property':
            case 'Assumption':
                this.#expressions.condition(declaration.expression);
                return;
            default:
                this.#expressions.notUnderstood(declaration);
        }
    }

    /** A constant is its expression wherever it stands; here it is only looked at. */
    #constant({ value }: ast.Constant): void {
        this.#expressions.plain(this.#expressions.evaluate(value), value);
    }

    #variable(variable: ast.Variable): void {
        const { initializer, choices, any } = variable;
        const structure = this.#expressions.placesOf(variable);
        const isStart = isSetAtStart(variable);
        if (isStart && this.#options.isWithoutStart === true) {
            nodesOf(variable).forEach(node => this.#expressions.seen.add(node));
            return;
        }
        if (initializer !== undefined) {
            this.#expressions.flow(this.#expressions.evaluate(initializer), structure, initializer);
        } else if (choices !== undefined) {
            const element = structure.kind === 'array' ? structure.element : structure;
            this.#expressions.member({ kind: 'structure', structure: element }, choices, choices);
        } else if (any) {
            scalarsOf(structure.kind === 'array' ? structure.element : structure).forEach(sort => {
                sort.root().isMoved = true;
            });
        } else if (!ast.isBlock(variable.$container) || this.#beginning.has(variable)) {
            this.#first(structure, variable);
        }
    }

    /** The first value of a type is a constant of the text. */
    #first(structure: Structure, variable: ast.Variable): void {
        switch (structure.kind) {
            case 'scalar':
                if (structure.first !== undefined) {
                    structure.sort.cut({
                        low: structure.first,
                        high: structure.first,
                        isType: false,
                        node: variable,
                    });
                }
                return;
            case 'record':
                if (structure.record.where !== undefined) {
                    this.#expressions.refuse(structure, variable, 'begins with the first value');
                }
                structure.fields.forEach(field => {
                    this.#first(field, variable);
                });
                return;
            case 'array':
                this.#first(structure.element, variable);
                return;
            case 'channel':
                if (variable.type.element.$type !== 'RangeType' || !variable.type.element.optional) {
                    this.#declarations.filter(ast.isChannelDeclaration).forEach(channel => {
                        this.#expressions.refuse(
                            this.#expressions.placesOf(channel),
                            variable,
                            'begins with a channel',
                        );
                    });
                }
                return;
            default:
                this.#expressions.notUnderstood(variable);
        }
    }

    #function(declared: ast.FunctionDeclaration): void {
        declared.parameters.forEach(parameter => {
            this.#expressions.seen.add(parameter);
            this.#expressions.placesOf(parameter);
        });
        const result = this.#expressions.placesOf(declared);
        if (declared.value !== undefined) {
            this.#expressions.flow(this.#expressions.evaluate(declared.value), result, declared.value);
        }
        if (declared.body !== undefined) {
            this.#body(declared.body, result);
        }
    }

    #process(process: ast.Process): void {
        for (const index of [...process.indices, ...process.parameters]) {
            this.#expressions.seen.add(index);
            this.#expressions.placesOf(index);
        }
        if (process.where !== undefined) {
            this.#expressions.condition(process.where);
        }
        this.#block(process.body);
    }

    #block(block: ast.Block): void {
        this.#expressions.seen.add(block);
        block.items.forEach(item => {
            this.#item(item);
        });
    }

    #item(item: ast.Item): void {
        this.#expressions.seen.add(item);
        switch (item.$type) {
            case 'Labeled':
                this.#item(item.item);
                return;
            case 'Variable':
                this.#variable(item);
                return;
            case 'Constant':
            case 'Let':
                this.#expressions.plain(this.#expressions.evaluate(item.value), item.value);
                return;
            case 'Loop':
                this.#block(item.body);
                return;
            case 'While':
                this.#expressions.condition(item.condition);
                this.#block(item.body);
                return;
            case 'For':
                this.#ordered(item);
                this.#block(item.body);
                return;
            case 'IfControl':
                this.#expressions.condition(item.condition);
                this.#block(item.then);
                if (item.elseIf !== undefined) {
                    this.#item(item.elseIf);
                }
                if (item.otherwise !== undefined) {
                    this.#block(item.otherwise);
                }
                return;
            case 'Choose':
                item.alternatives.forEach(alternative => {
                    this.#alternative(alternative);
                });
                return;
            case 'Break':
            case 'Terminate':
                return;
            case 'Step':
                this.#step(item);
                return;
            default:
                this.#expressions.notUnderstood(item);
        }
    }

    #alternative(alternative: ast.Alternative): void {
        const { groups, where, body } = alternative;
        this.#expressions.seen.add(alternative);
        const structures = this.#expressions.binders(groups, where);
        if (groups.length > 0) {
            this.#expressions.ordered.push({ sorts: structures.flatMap(scalarsOf), node: alternative });
        }
        this.#block(body);
    }

    /** The rounds of a loop come one after the other. */
    #ordered({ groups }: ast.For | ast.ForStatement): void {
        this.#expressions.binders(groups, undefined).forEach(structure => {
            const [group] = groups;
            this.#expressions.refuse(structure, group?.type ?? this.#model, 'runs through values in their order');
            if (structure.kind === 'channel') {
                this.#expressions.notUnderstood(group ?? this.#model);
            }
        });
    }

    #step(step: ast.Step): void {
        const { guard, place, message, pattern, body, assertion, spawn, value } = step;
        for (const condition of [guard, assertion]) {
            if (condition !== undefined) {
                this.#expressions.condition(condition);
            }
        }
        if (spawn !== undefined) {
            this.#expressions.evaluate(spawn);
        }
        if (place !== undefined && value !== undefined) {
            this.#assign(place, value);
        } else if (place !== undefined && (message !== undefined || pattern !== undefined)) {
            const channel = this.#expressions.evaluate(place);
            if (channel.kind !== 'structure' || channel.structure.kind !== 'channel') {
                this.#expressions.notUnderstood(place);
                return;
            }
            if (message !== undefined) {
                this.#expressions.flow(this.#expressions.evaluate(message), channel.structure.message(), message);
            }
            if (pattern !== undefined) {
                this.#expressions.pattern(pattern, channel.structure.message());
            }
        } else if (place !== undefined) {
            this.#event(place);
        }
        if (body !== undefined) {
            this.#body(body, undefined);
        }
    }

    #event(place: ast.Expression): void {
        const event = ast.isReference(place) ? place.target.ref : undefined;
        if (!ast.isReference(place) || !ast.isEventDeclaration(event)) {
            this.#expressions.notUnderstood(place);
            return;
        }
        this.#expressions.seen.add(place);
        this.#expressions.indexed(this.#expressions.placesOf(event), place.indices, place);
    }

    #assign(place: ast.Expression, value: ast.Expression): void {
        this.#expressions.flow(this.#expressions.evaluate(value), this.#expressions.target(place), value);
    }

    /** `result` are the places of the value of a function. */
    #body(body: ast.Body, result: Structure | undefined): void {
        this.#expressions.seen.add(body);
        body.statements.forEach(statement => {
            this.#statement(statement, result);
        });
    }

    #statement(statement: ast.Statement, result: Structure | undefined): void {
        this.#expressions.seen.add(statement);
        switch (statement.$type) {
            case 'Assignment':
                this.#assign(statement.target, statement.value);
                return;
            case 'Spawn':
                this.#expressions.evaluate(statement);
                return;
            case 'Variable':
                this.#variable(statement);
                return;
            case 'Let':
                this.#expressions.plain(this.#expressions.evaluate(statement.value), statement.value);
                return;
            case 'IfStatement':
                this.#expressions.condition(statement.condition);
                this.#body(statement.then, result);
                if (statement.elseIf !== undefined) {
                    this.#statement(statement.elseIf, result);
                }
                if (statement.otherwise !== undefined) {
                    this.#body(statement.otherwise, result);
                }
                return;
            case 'WhileStatement':
                this.#expressions.condition(statement.condition);
                this.#body(statement.body, result);
                return;
            case 'ForStatement':
                this.#ordered(statement);
                this.#body(statement.body, result);
                return;
            case 'Assertion':
                this.#expressions.condition(statement.condition);
                return;
            case 'Return':
                if (result === undefined) {
                    this.#expressions.notUnderstood(statement);
                } else {
                    this.#expressions.flow(this.#expressions.evaluate(statement.value), result, statement.value);
                }
                return;
            case 'Skip':
                return;
            default:
                this.#expressions.notUnderstood(statement);
        }
    }

    #result(): UniformSorts {
        const { refusal, places } = this.#expressions;
        const classes: SortClass[] = [];
        const classOf = new Map<Sort, SortClass>();
        const of = (structure: Structure): PlaceClasses => {
            switch (structure.kind) {
                case 'scalar':
                    return { kind: 'scalar', sort: this.#classOf(structure.sort.root(), classOf, classes) };
                case 'record':
                    return { ...structure, fields: structure.fields.map(of) };
                case 'array':
                    return { kind: 'array', indices: structure.indices.map(of), element: of(structure.element) };
                case 'channel':
                    return { kind: 'channel' };
            }
        };
        const result = new Map<Node, PlaceClasses>();
        for (const declaration of this.#declarations.flatMap(nodesOf)) {
            const structure = places.get(declaration);
            if (structure === undefined) {
                continue;
            }
            const own = of(structure);
            const element = structure.kind === 'array' ? structure.element : structure;
            if (ast.isChannelDeclaration(declaration) && element.kind === 'channel') {
                const channel: PlaceClasses = { kind: 'channel', message: of(element.message()) };
                result.set(declaration, own.kind === 'array' ? { ...own, element: channel } : channel);
            } else {
                result.set(declaration, own);
            }
        }
        const parameters = this.#declarations.filter(ast.isParameter);
        return {
            model: this.#model,
            parameters,
            classes,
            places: result,
            ...(refusal === undefined ? {} : { refusal }),
        };
    }

    #classOf(root: Sort, known: Map<Sort, SortClass>, classes: SortClass[]): SortClass {
        let found = known.get(root);
        if (found === undefined) {
            const { refusal } = this.#expressions;
            const group: SortGroup =
                refusal === undefined
                    ? groupOfSort(root, sort => this.#mirror.isMirrored(sort))
                    : { kind: 'trivial', refusal };
            const { places, cuts, rings, types, isMoved } = root;
            found = { index: classes.length, group, places, cuts, rings, types, isMoved };
            classes.push(found);
            known.set(root, found);
        }
        return found;
    }
}

/** Whether a declaration is about the model and no part of its behavior. */
function isAboutTheModel(declaration: ast.Declaration): declaration is ast.Invariant | ast.Property | ast.Assumption {
    return ast.isInvariant(declaration) || ast.isProperty(declaration) || ast.isAssumption(declaration);
}

/** Types are read where places are made from them. */
function isPartOfType(node: Node): boolean {
    for (let outer: Node | undefined = node; outer !== undefined; outer = outer.$container) {
        if (ast.isType(outer) || ast.isIndexType(outer)) {
            return true;
        }
    }
    return false;
}

/** Whether a variable has its first value in the initial states: a shared one, or one at the head of a process. */
function isSetAtStart(variable: ast.Variable): boolean {
    const { $container } = variable;
    return (
        ast.isModel($container) ||
        (ast.isBlock($container) &&
            ast.isProcess($container.$container) &&
            !$container.$container.isTemplate &&
            $container.items.slice(0, $container.items.indexOf(variable)).every(item => !isControl(item)))
    );
}

function isControl(item: ast.Item): boolean {
    return !ast.isVariable(item) && !ast.isConstant(item) && !ast.isLet(item);
}
