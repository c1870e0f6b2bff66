/**
 * Checks a certificate of sorts against a text, without the inference: one walk that looks up the class of each place and
 * tests the rule of each node. It unites nothing. What a rule cannot test is an objection.
 *
 * It shares with the inference what is about constants and faults alone: bounds (constant-bounds.ts, polynomial.ts),
 * kinds of faults (fault-kinds.ts), the mirror image of a text (mirror.ts) and the list of known syntax.
 */
import type { Node } from '../language/tree/node.js';
import type { SourceRange } from '../engine/common/source-range.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { declarationsOf } from '../language/references/imports.js';
import { declaredTypeOf } from '../language/references/declared-type.js';
import { isPlace } from '../language/references/places.js';
import { rangeOf } from '../language/tree/source-text.js';
import { ConstantBounds, isWithin } from './constant-bounds.js';
import { FaultAnalysis, NO_FAULT } from './fault-kinds.js';
import { isKnownSyntax } from './known-syntax.js';
import { Mirror } from './mirror.js';
import { localsWithFirstValue } from './first-values.js';
import {
    combination,
    constantOf,
    formatPolynomial,
    isAtLeast,
    isMore,
    isSame,
    type Polynomial,
} from '../language/typing/polynomial.js';
import { Sort, type RingUse } from './sort.js';
import { lineOf, placedIn, type ClassClaim, type PlaceClaim, type SortCertificate } from './sort-certificate.js';

/** A place of the text that the certificate does not explain. */
export interface Objection {
    readonly message: string;
    readonly range: SourceRange;
}

/** Empty if the certificate proves its groups for the model, which has no errors. */
export function checkSorts(model: ast.Model, certificate: SortCertificate): readonly Objection[] {
    return new SortChecker(model, certificate).run();
}

/** What an expression is, by the classes of the certificate. */
type Value =
    | { readonly kind: 'constant'; readonly constant: Polynomial }
    | { readonly kind: 'none' }
    /** The same in each image of a state: a truth value, a computed number. */
    | { readonly kind: 'fixed' }
    | { readonly kind: 'class'; readonly index: number }
    | { readonly kind: 'record'; readonly fields: readonly Value[]; readonly of: ast.RecordDeclaration | undefined }
    | { readonly kind: 'array'; readonly indices: readonly Value[]; readonly element: Value }
    | { readonly kind: 'channel'; readonly message: Value | undefined }
    | { readonly kind: 'either'; readonly values: readonly Value[] }
    /** A sum of two values of classes at most, each with its sign, and a constant. */
    | {
          readonly kind: 'sum';
          readonly terms: readonly (readonly [index: number, sign: 1 | -1])[];
          readonly offset: Polynomial;
      }
    | { readonly kind: 'ring'; readonly index: number; readonly use: RingUse & { readonly kind: 'step' } };

const FIXED: Value = { kind: 'fixed' };
const NONE: Value = { kind: 'none' };

/** Sums of constants and values beyond this bound may overflow. */
const LARGEST = 2 ** 50;

/** What the text does with the values of a class. */
interface Facts {
    readonly cuts: {
        readonly low?: Polynomial;
        readonly high?: Polynomial;
        readonly isType: boolean;
        readonly node: Node;
    }[];
    readonly rings: RingUse[];
    readonly reversals: { readonly sum: Polynomial; readonly node: Node }[];
    readonly tables: Set<string>;
}

class SortChecker {
    readonly #declarations: readonly ast.Declaration[];
    readonly #walked: readonly ast.Declaration[];
    readonly #claims: readonly ClassClaim[];
    readonly #facts: readonly Facts[];
    readonly #places = new Map<Node, Value>();
    readonly #bounds = new ConstantBounds();
    readonly #faults = new FaultAnalysis(this.#bounds);
    readonly #objections = new Map<Node, string>();
    readonly #fields = new Map<ast.RecordField, Value>();
    readonly #named = new Map<Node, Value>();
    readonly #visited = new Set<Node>();
    readonly #met = new Set<Value>();
    readonly #begins: ReadonlySet<ast.Variable>;
    /** A value of a channel type may name any channel with messages of its kind. */
    readonly #hasChannelValues: boolean;

    constructor(model: ast.Model, certificate: SortCertificate) {
        this.#declarations = declarationsOf(model);
        this.#begins = localsWithFirstValue(this.#declarations);
        this.#walked = this.#declarations.filter(
            each => !ast.isInvariant(each) && !ast.isProperty(each) && !ast.isAssumption(each),
        );
        this.#claims = certificate.classes;
        this.#facts = certificate.classes.map(() => ({
            cuts: [],
            rings: [],
            reversals: [],
            tables: new Set<string>(),
        }));
        this.#hasChannelValues = this.#declarations.flatMap(nodesOf).some(ast.isChannelType);
        const claimed = [...certificate.places];
        for (const declaration of placedIn(model)) {
            const [next] = claimed;
            if (next?.name === declaration.name && next.line === lineOf(declaration)) {
                this.#places.set(declaration, this.#placed(next.classes));
                claimed.shift();
            }
        }
        for (const left of claimed) {
            this.#object(model, `has no declaration \`${left.name}\` in line ${left.line}`);
        }
    }

    run(): Objection[] {
        for (const node of this.#declarations.flatMap(nodesOf)) {
            if (!isKnownSyntax(node)) {
                this.#object(node, 'is not known to the checker');
            }
        }
        if (this.#hasChannelValues && this.#claims.some(({ group }) => group !== 'trivial')) {
            this.#channelsOfOneKind();
        }
        this.#walked.forEach(declaration => this.#declaration(declaration));
        for (const node of this.#walked.flatMap(nodesOf)) {
            const isRead =
                this.#visited.has(node) || isInType(node) || this.#bounds.of(node as ast.Expression) !== undefined;
            if (!isRead) {
                this.#object(node, 'is met by no rule');
            }
        }
        this.#claims.forEach((claim, index) => this.#group(claim, index));
        return [...this.#objections].map(([node, message]) => ({ message, range: rangeOf(node) }));
    }

    #object(node: Node, message: string): Value {
        if (!this.#objections.has(node)) {
            this.#objections.set(node, message);
        }
        return FIXED;
    }

    #placed(claim: PlaceClaim): Value {
        if (typeof claim === 'number') {
            return this.#claims[claim] === undefined ? FIXED : { kind: 'class', index: claim };
        }
        if ('fields' in claim) {
            return { kind: 'record', fields: claim.fields.map(field => this.#placed(field)), of: undefined };
        }
        return 'indices' in claim
            ? {
                  kind: 'array',
                  indices: claim.indices.map(index => this.#placed(index)),
                  element: this.#placed(claim.element),
              }
            : { kind: 'channel', message: claim.message === null ? undefined : this.#placed(claim.message) };
    }

    #isTrivial(index: number): boolean {
        return this.#claims[index]?.group === 'trivial';
    }

    /** Whether no symmetry moves a value. */
    #stays(value: Value, node: Node, why: string): void {
        switch (value.kind) {
            case 'class':
                if (!this.#isTrivial(value.index)) {
                    this.#object(node, why);
                }
                return;
            case 'sum':
                value.terms.forEach(([index]) => this.#stays({ kind: 'class', index }, node, why));
                return;
            case 'ring':
                this.#stays({ kind: 'class', index: value.index }, node, why);
                return;
            case 'record':
                value.fields.forEach(field => this.#stays(field, node, why));
                return;
            case 'array':
                [...value.indices, value.element].forEach(part => this.#stays(part, node, why));
                return;
            case 'either':
                value.values.forEach(each => this.#stays(each, node, why));
                return;
            case 'channel':
                this.#object(node, why);
                return;
            case 'constant':
            case 'none':
            case 'fixed':
                return;
        }
    }

    /** A value after its computation: a reversal and a step stay in their class. */
    #settled(value: Value, node: Node): Value {
        if (value.kind === 'ring') {
            this.#facts[value.index]?.rings.push(value.use);
            return { kind: 'class', index: value.index };
        }
        if (value.kind !== 'sum') {
            return value;
        }
        const [first, ...others] = value.terms;
        if (first !== undefined && others.length === 0 && first[1] < 0) {
            this.#facts[first[0]]?.reversals.push({ sum: value.offset, node });
            return { kind: 'class', index: first[0] };
        }
        if (first !== undefined && others.length === 0 && value.offset.terms.size === 0) {
            return { kind: 'class', index: first[0] };
        }
        this.#stays(value, node, 'computes with values that move');
        return FIXED;
    }

    /** Two values that must be permuted together: one is assigned to the other, or they are compared. */
    #together(first: Value, second: Value, node: Node): void {
        const [left, right] = [this.#settled(first, node), this.#settled(second, node)];
        if (left === right || left.kind === 'none' || right.kind === 'none') {
            return;
        }
        if (left.kind === 'either' || right.kind === 'either') {
            const [all, other] =
                left.kind === 'either' ? [left.values, right] : [right.kind === 'either' ? right.values : [], left];
            all.forEach(each => this.#together(each, other, node));
        } else if (left.kind === 'array' && right.kind === 'array') {
            if (left.indices.length !== right.indices.length) {
                this.#object(node, 'has other indices');
            }
            left.indices.forEach((index, position) => this.#together(index, right.indices[position] ?? FIXED, node));
            this.#together(left.element, right.element, node);
        } else if (left.kind === 'array' || right.kind === 'array') {
            const [array, value] =
                left.kind === 'array' ? [left, right] : [right as typeof left & { kind: 'array' }, left];
            this.#together(array.element, value, node);
        } else if (left.kind === 'record' && right.kind === 'record') {
            left.fields.forEach((field, position) => this.#together(field, right.fields[position] ?? FIXED, node));
        } else if (left.kind === 'channel' && right.kind === 'channel') {
            // Whose messages they are is compared once for all channels.
        } else if (left.kind === 'constant' && right.kind === 'class') {
            this.#facts[right.index]?.cuts.push({ low: left.constant, high: left.constant, isType: false, node });
        } else if (right.kind === 'constant' && left.kind === 'class') {
            this.#together(right, left, node);
        } else if (left.kind === 'class' && right.kind === 'class') {
            if (left.index !== right.index && !(this.#isTrivial(left.index) && this.#isTrivial(right.index))) {
                this.#object(node, 'joins values of two classes');
            }
        } else if (left.kind === 'class' || right.kind === 'class') {
            this.#stays(left.kind === 'class' ? left : right, node, 'meets a value that stays');
            if ([left, right].some(({ kind }) => kind === 'record' || kind === 'channel')) {
                this.#object(node, 'joins values of two kinds');
            }
        } else if (
            left.kind === 'record' ||
            right.kind === 'record' ||
            left.kind === 'channel' ||
            right.kind === 'channel'
        ) {
            this.#object(node, 'joins values of two kinds');
        }
    }

    /** A value of a declared type: the range of the type is told from other values. */
    #typed(type: ast.Type, value: Value, node: Node): void {
        const named = namedBy(type.element);
        const inner = ast.isTypeDeclaration(named) ? named.type : undefined;
        if (type.indices.length === 0) {
            this.#element(type.element, value, node);
            return;
        }
        if (value.kind !== 'array') {
            this.#object(node, 'is an array');
            return;
        }
        const count = value.indices.length - type.indices.length;
        type.indices.forEach((index, position) => this.#indexed(index, value.indices[count + position] ?? FIXED, node));
        if (inner === undefined || count === 0) {
            this.#element(type.element, value.element, node);
        } else {
            this.#typed(inner, { kind: 'array', indices: value.indices.slice(0, count), element: value.element }, node);
        }
    }

    #indexed({ element, ...rest }: ast.IndexType, value: Value, node: Node): void {
        if (element === undefined) {
            const length = ast.isParameter(node) ? this.#bounds.lengthOf(node) : undefined;
            const high = length && combination([1, length], [-1, constantOf(1)]);
            this.#range(high && { low: constantOf(0), high }, value, rest);
        } else if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            this.#range({ low: constantOf(0), high: constantOf(element.low.value - 1) }, value, element);
        } else {
            this.#element(element, value, node);
        }
    }

    #element(element: ast.ElementType, given: Value, node: Node): void {
        const value = this.#settled(given, node);
        if (value.kind === 'either') {
            value.values.forEach(each => this.#element(element, each, node));
            return;
        }
        const named = namedBy(element);
        if (ast.isTypeDeclaration(named)) {
            this.#typed(named.type, value, node);
        } else if (ast.isRecordDeclaration(named)) {
            if (value.kind === 'record' && value.fields.length === named.fields.length) {
                named.fields.forEach((field, position) =>
                    this.#typed(field.type, value.fields[position] ?? FIXED, node),
                );
                this.#condition(named, value.fields, node);
            } else if (value.kind !== 'none') {
                this.#object(node, 'is a record');
            }
        } else if (ast.isProcess(named)) {
            this.#stays(value, node, 'refers to instances');
        } else if (ast.isChannelType(element)) {
            if (value.kind !== 'channel' && value.kind !== 'none') {
                this.#object(node, 'is a channel');
            }
        } else {
            this.#range(this.#bounds.rangeOf(element), value, element);
        }
    }

    #range(range: { readonly low: Polynomial; readonly high: Polynomial } | undefined, value: Value, node: Node): void {
        if (value.kind === 'record' || value.kind === 'array' || value.kind === 'channel') {
            this.#object(node, 'is a number');
        } else if (range === undefined || !isSmall(range.low) || !isSmall(range.high)) {
            this.#stays(value, node, 'is no range of the parameters');
        } else if (value.kind === 'class') {
            this.#facts[value.index]?.cuts.push({ ...range, isType: true, node });
        }
    }

    /** The condition of a record, for its fields in one place. */
    #condition(record: ast.RecordDeclaration, fields: readonly Value[], node: Node): void {
        const { where } = record;
        if (where === undefined) {
            return;
        }
        const before = new Map(this.#fields);
        record.fields.forEach((field, position) => this.#fields.set(field, fields[position] ?? FIXED));
        const local = record.fields.findIndex((_, position) => this.#localClaim(fields[position]) !== undefined);
        if (local < 0) {
            this.#truth(where);
        } else {
            this.#localCondition(record, fields, local, node);
        }
        before.forEach((value, field) => this.#fields.set(field, value));
    }

    #localClaim(value: Value | undefined): (ClassClaim & { readonly group: 'local' }) | undefined {
        const claim = value?.kind === 'class' ? this.#claims[value.index] : undefined;
        return claim?.group === 'local' ? claim : undefined;
    }

    /** That the condition is `number < table[owner]`, as the claim says. */
    #localCondition(record: ast.RecordDeclaration, fields: readonly Value[], position: number, node: Node): void {
        const claim = this.#localClaim(fields[position]);
        const { where } = record;
        const text =
            where &&
            nodesOf(where)
                .filter(ast.isReference)
                .map(({ target }) => target.ref?.name);
        const fits =
            claim !== undefined &&
            ast.isBinaryExpression(where) &&
            where.operator === '<' &&
            ast.isReference(where.left) &&
            ast.isReference(where.right) &&
            where.right.indices.length === 1 &&
            ast.isParameter(where.right.target.ref) &&
            text?.join() === [claim.field, claim.table, claim.owner].join() &&
            claim.record === record.name &&
            record.fields[position]?.name === claim.field &&
            record.fields.filter((_, other) => this.#localClaim(fields[other]) !== undefined).length === 1;
        if (!fits) {
            this.#object(node, 'is no number that is local to an owner');
            return;
        }
        // The owner's entry in the table is kept.
        this.#evaluate(where.right);
    }

    /** Messages that a value of one channel type may carry for some values of the parameters are of the same classes. */
    #channelsOfOneKind(): void {
        const channels = this.#declarations.filter(ast.isChannelDeclaration);
        for (const channel of channels) {
            const own = this.#places.get(channel);
            for (const message of this.#messagesLike(channel.message.element)) {
                this.#together(this.#declaredMessage(own) ?? FIXED, message, channel);
            }
        }
    }

    #messagesLike(element: ast.ElementType): Value[] {
        const channels = this.#declarations.filter(ast.isChannelDeclaration);
        return channels
            .filter(({ message }) => formOf(message.element) === formOf(element))
            .map(channel => this.#declaredMessage(this.#places.get(channel)) ?? FIXED);
    }

    #declaredMessage(value: Value | undefined): Value | undefined {
        const element = value?.kind === 'array' ? value.element : value;
        return element?.kind === 'channel' ? element.message : undefined;
    }

    /** The message of a channel; of one that is a value, that of each channel that it may name. */
    #messageOf(value: Value, place: ast.Expression): Value {
        if (value.kind === 'channel' && value.message !== undefined) {
            return value.message;
        }
        const type = declaredTypeOf(place);
        return value.kind === 'channel' && ast.isChannelType(type)
            ? { kind: 'either', values: this.#messagesLike(type.message) }
            : this.#object(place, 'is no channel');
    }

    #declaration(declaration: ast.Declaration): void {
        this.#visited.add(declaration);
        const value = this.#places.get(declaration);
        switch (declaration.$type) {
            case 'Import':
            case 'TypeDeclaration':
            case 'DeadlockAllowance':
            case 'DeadlockFreedom':
            case 'SymmetryAssertion':
                return;
            case 'Enumeration':
            case 'RecordDeclaration':
                this.#skip(declaration);
                return;
            case 'Parameter': {
                this.#skip(declaration);
                const declared = value ?? FIXED;
                this.#typedDeclaration(declaration.type, declared, declaration);
                this.#stays(
                    declared.kind === 'array' ? declared.element : declared,
                    declaration,
                    'has values of its own',
                );
                const indices = declared.kind === 'array' ? declared.indices : [];
                for (const index of indices) {
                    if (index.kind !== 'class' || indices.length > 1) {
                        this.#stays(index, declaration, 'relates values');
                    } else {
                        this.#facts[index.index]?.tables.add(declaration.name);
                    }
                }
                return;
            }
            case 'Constant':
                this.#settled(this.#evaluate(declaration.value), declaration.value);
                return;
            case 'Variable':
                this.#variable(declaration);
                return;
            case 'InitialCondition':
                this.#truth(declaration.expression);
                return;
            case 'ChannelDeclaration': {
                this.#skip(declaration.capacity);
                const element = value?.kind === 'array' ? value.element : value;
                declaration.indices.forEach((index, position) =>
                    this.#indexed(
                        index,
                        value?.kind === 'array' ? (value.indices[position] ?? FIXED) : FIXED,
                        declaration,
                    ),
                );
                if (element?.kind === 'channel' && element.message !== undefined) {
                    this.#typed(declaration.message, element.message, declaration);
                } else {
                    this.#object(declaration, 'has no messages in the certificate');
                }
                return;
            }
            case 'EventDeclaration':
                declaration.arguments.forEach((index, position) =>
                    this.#indexed(
                        index,
                        value?.kind === 'array' ? (value.indices[position] ?? FIXED) : FIXED,
                        declaration,
                    ),
                );
                return;
            case 'FunctionDeclaration': {
                declaration.parameters.forEach(parameter => this.#place(parameter));
                const result = this.#place(declaration);
                if (declaration.value !== undefined) {
                    this.#together(this.#evaluate(declaration.value), result, declaration.value);
                }
                if (declaration.body !== undefined) {
                    this.#body(declaration.body, result);
                }
                return;
            }
            case 'Process':
                [...declaration.indices, ...declaration.parameters].forEach(index => this.#place(index));
                if (declaration.where !== undefined) {
                    this.#truth(declaration.where);
                }
                this.#block(declaration.body);
                return;
            default:
                this.#object(declaration, 'is a declaration without a rule');
        }
    }

    #skip(node: Node): void {
        nodesOf(node).forEach(each => this.#visited.add(each));
    }

    /** The places of a declaration, which are of its declared type. Looked at once. */
    #place(declaration: ast.Named): Value {
        const value = this.#places.get(declaration);
        if (value === undefined) {
            return this.#object(declaration, 'has no classes in the certificate');
        }
        this.#visited.add(declaration);
        if (!this.#met.has(value)) {
            this.#met.add(value);
            switch (declaration.$type) {
                case 'Variable':
                case 'FunctionParameter':
                case 'ProcessIndex':
                case 'ProcessParameter':
                    this.#typed(declaration.type, value, declaration);
                    break;
                case 'FunctionDeclaration':
                    this.#typed(declaration.result, value, declaration);
                    break;
                case 'BinderVariable':
                    this.#typed(declaration.$container.type, value, declaration);
                    break;
                default:
            }
        }
        return value;
    }

    #typedDeclaration(type: ast.Type, value: Value, node: Node): void {
        if (!this.#met.has(value)) {
            this.#met.add(value);
            this.#typed(type, value, node);
        }
    }

    #variable(variable: ast.Variable): void {
        const value = this.#place(variable);
        const element = value.kind === 'array' ? value.element : value;
        if (variable.initializer !== undefined) {
            this.#together(this.#evaluate(variable.initializer), value, variable.initializer);
        } else if (variable.choices !== undefined) {
            this.#member(element, variable.choices);
        } else if (!variable.any && (!ast.isBlock(variable.$container) || this.#begins.has(variable))) {
            this.#first(variable.type, element, variable);
        }
    }

    /** The first value of a type; an optional one begins with `none`. */
    #first(type: ast.Type, value: Value, node: Node): void {
        const { element } = type;
        if (!ast.isChannelType(element) && element.optional) {
            return;
        }
        const named = namedBy(element);
        if (ast.isTypeDeclaration(named)) {
            this.#first(named.type, value, node);
        } else if (ast.isRecordDeclaration(named) && value.kind === 'record') {
            if (named.where !== undefined) {
                this.#stays(value, node, 'begins with the first value');
            }
            named.fields.forEach((field, position) => {
                const own = value.fields[position] ?? FIXED;
                this.#first(field.type, own.kind === 'array' ? own.element : own, node);
            });
        } else if (ast.isChannelType(element)) {
            this.#object(node, 'begins with the first channel');
        } else {
            const range = this.#bounds.rangeOf(element);
            if (range !== undefined) {
                this.#together({ kind: 'constant', constant: range.low }, value, node);
            }
        }
    }

    #block(block: ast.Block): void {
        this.#visited.add(block);
        block.items.forEach(item => this.#item(item));
    }

    #item(item: ast.Item): void {
        this.#visited.add(item);
        switch (item.$type) {
            case 'Labeled':
                this.#item(item.item);
                return;
            case 'Variable':
                this.#variable(item);
                return;
            case 'Constant':
            case 'Let':
                this.#settled(this.#evaluate(item.value), item.value);
                return;
            case 'Loop':
                this.#block(item.body);
                return;
            case 'While':
                this.#truth(item.condition);
                this.#block(item.body);
                return;
            case 'For':
                this.#rounds(item.groups);
                this.#block(item.body);
                return;
            case 'IfControl':
                this.#truth(item.condition);
                this.#block(item.then);
                if (item.elseIf !== undefined) {
                    this.#item(item.elseIf);
                }
                if (item.otherwise !== undefined) {
                    this.#block(item.otherwise);
                }
                return;
            case 'Choose':
                for (const alternative of item.alternatives) {
                    this.#visited.add(alternative);
                    this.#binders(alternative.groups, alternative.where, alternative);
                    this.#block(alternative.body);
                }
                return;
            case 'Break':
            case 'Terminate':
                return;
            case 'Step':
                this.#step(item);
                return;
            default:
                this.#object(item, 'is control without a rule');
        }
    }

    #rounds(groups: readonly ast.BinderGroup[]): void {
        for (const value of this.#variables(groups)) {
            this.#stays(value, groups[0] ?? this.#walked[0], 'runs through values in their order');
        }
    }

    #variables(groups: readonly ast.BinderGroup[]): Value[] {
        return groups.flatMap(group => {
            this.#visited.add(group);
            return group.variables.map(variable => this.#place(variable));
        });
    }

    /** Values that come in another order in the image: then no fault may depend on the order. */
    #binders(
        groups: readonly ast.BinderGroup[],
        where: ast.Expression | undefined,
        node: ast.Quantifier | ast.Comprehension | ast.Alternative,
    ): Value[] {
        const values = this.#variables(groups);
        if (where !== undefined) {
            this.#truth(where);
        }
        if (groups.length > 0 && this.#faults.dependingOnOrder(node) !== NO_FAULT) {
            values.forEach(value => this.#stays(value, node, 'may be at fault, so that the order of values decides'));
        }
        if (!ast.isAlternative(node) && values.some(({ kind }) => kind === 'channel')) {
            this.#object(node, 'runs through channels');
        }
        return values;
    }

    #step(step: ast.Step): void {
        const { guard, place, value, message, pattern, body, assertion, spawn } = step;
        [guard, assertion].forEach(condition => condition !== undefined && this.#truth(condition));
        if (spawn !== undefined) {
            this.#evaluate(spawn);
        }
        if (place !== undefined && value !== undefined) {
            this.#assign(place, value);
        } else if (place !== undefined && (message !== undefined || pattern !== undefined)) {
            const expected = this.#messageOf(this.#evaluate(place), place);
            if (message !== undefined) {
                this.#together(this.#evaluate(message), expected, message);
            }
            if (pattern !== undefined) {
                this.#pattern(pattern, expected);
            }
        } else if (place !== undefined) {
            const event = ast.isReference(place) ? place.target.ref : undefined;
            if (ast.isReference(place) && ast.isEventDeclaration(event)) {
                this.#visited.add(place);
                this.#at(this.#places.get(event) ?? FIXED, place.indices, place);
            } else {
                this.#object(place, 'is no event');
            }
        }
        if (body !== undefined) {
            this.#body(body, undefined);
        }
    }

    #pattern(pattern: ast.Pattern, message: Value): void {
        this.#visited.add(pattern);
        switch (pattern.$type) {
            case 'WildcardPattern':
                return;
            case 'RecordPattern':
                this.#parts(message, pattern).forEach((part, position) => {
                    const own = pattern.parts[position];
                    if (own !== undefined) {
                        this.#pattern(own, part);
                    }
                });
                return;
            case 'ExpressionPattern':
                this.#matched(pattern.value, message, pattern.equal);
                return;
            default:
                this.#object(pattern, 'is a pattern without a rule');
        }
    }

    #matched(expression: ast.Expression, message: Value, isEqual: boolean): void {
        const record = ast.isCall(expression) ? expression.function.ref : undefined;
        if (!isEqual && ast.isCall(expression) && ast.isRecordDeclaration(record)) {
            this.#visited.add(expression);
            this.#parts(message, expression).forEach((part, position) => {
                const own = expression.arguments[position];
                if (own !== undefined) {
                    this.#matched(own, part, false);
                }
            });
        } else if (!isEqual && isPlace(expression)) {
            this.#together(this.#target(expression), message, expression);
        } else {
            this.#together(this.#evaluate(expression), message, expression);
        }
    }

    /** The fields of a record that is taken apart: numbers that are local to an owner stay with it. */
    #parts(value: Value, node: Node): readonly Value[] {
        if (value.kind !== 'record') {
            this.#object(node, 'is a record');
            return [];
        }
        this.#whole(value, node);
        return value.fields;
    }

    #whole({ fields }: Value & { readonly kind: 'record' }, node: Node): void {
        if (fields.some(field => this.#localClaim(field) !== undefined)) {
            this.#object(node, 'takes a record with a local number apart');
        }
    }

    #assign(place: ast.Expression, value: ast.Expression): void {
        this.#together(this.#evaluate(value), this.#target(place), value);
    }

    #target(place: ast.Expression): Value {
        for (let part = place; ast.isFieldAccess(part); part = part.record) {
            const owner = this.#evaluate(part.record);
            if (owner.kind === 'record') {
                this.#whole(owner, place);
            }
        }
        return this.#evaluate(place);
    }

    #body(body: ast.Body, result: Value | undefined): void {
        this.#visited.add(body);
        body.statements.forEach(statement => this.#statement(statement, result));
    }

    #statement(statement: ast.Statement, result: Value | undefined): void {
        this.#visited.add(statement);
        switch (statement.$type) {
            case 'Assignment':
                this.#assign(statement.target, statement.value);
                return;
            case 'Spawn':
                this.#evaluate(statement);
                return;
            case 'Variable':
                this.#variable(statement);
                return;
            case 'Let':
                this.#settled(this.#evaluate(statement.value), statement.value);
                return;
            case 'IfStatement':
                this.#truth(statement.condition);
                this.#body(statement.then, result);
                if (statement.elseIf !== undefined) {
                    this.#statement(statement.elseIf, result);
                }
                if (statement.otherwise !== undefined) {
                    this.#body(statement.otherwise, result);
                }
                return;
            case 'WhileStatement':
                this.#truth(statement.condition);
                this.#body(statement.body, result);
                return;
            case 'ForStatement':
                this.#rounds(statement.groups);
                this.#body(statement.body, result);
                return;
            case 'Assertion':
                this.#truth(statement.condition);
                return;
            case 'Return':
                this.#together(this.#evaluate(statement.value), result ?? FIXED, statement.value);
                return;
            case 'Skip':
                return;
            default:
                this.#object(statement, 'is a statement without a rule');
        }
    }

    #truth(expression: ast.Expression): void {
        this.#stays(this.#settled(this.#evaluate(expression), expression), expression, 'is tested');
    }

    #evaluate(expression: ast.Expression): Value {
        const constant = this.#bounds.of(expression);
        if (constant !== undefined) {
            this.#skip(expression);
            return { kind: 'constant', constant };
        }
        this.#visited.add(expression);
        switch (expression.$type) {
            case 'NoneLiteral':
                return NONE;
            case 'Reference':
                return this.#reference(expression);
            case 'UnaryExpression':
                return this.#scaled(
                    constantOf(expression.operator === '-' ? 0 : 1),
                    this.#evaluate(expression.operand),
                    expression,
                );
            case 'BinaryExpression':
                return this.#binary(expression);
            case 'Conditional':
                this.#truth(expression.condition);
                return {
                    kind: 'either',
                    values: [this.#whatever(expression.then), this.#whatever(expression.otherwise)],
                };
            case 'Quantifier':
                this.#binders(expression.groups, expression.where, expression);
                this.#stays(
                    this.#settled(this.#evaluate(expression.body), expression.body),
                    expression.body,
                    'is counted or compared',
                );
                return ['forall', 'exists', 'count', 'sum', 'min', 'max'].includes(expression.quantifier)
                    ? FIXED
                    : this.#object(expression, 'is a quantifier without a rule');
            case 'ArrayLiteral': {
                const { elements, comprehension } = expression;
                if (comprehension === undefined) {
                    const values = elements.map(each => this.#whatever(each));
                    const [first] = values;
                    // Rows of a list have the same indices.
                    values.forEach(value => {
                        if (first?.kind === 'array' && value.kind === 'array') {
                            first.indices.forEach((index, position) =>
                                this.#together(index, value.indices[position] ?? FIXED, expression),
                            );
                        } else if (first?.kind === 'array' || value.kind === 'array') {
                            this.#object(expression, 'has rows of several kinds');
                        }
                    });
                    return inFront([FIXED], { kind: 'either', values });
                }
                this.#visited.add(comprehension);
                const indices = this.#binders(comprehension.groups, comprehension.where, comprehension);
                return inFront(indices, this.#whatever(comprehension.body));
            }
            case 'FieldAccess':
                return this.#field(expression);
            case 'Call':
                return this.#call(expression);
            case 'InstanceAt':
                this.#evaluate(expression.instance);
                return FIXED;
            case 'Spawn': {
                const template = expression.template.ref;
                return ast.isProcess(template)
                    ? this.#arguments(expression.arguments, template.parameters, expression)
                    : this.#object(expression, 'names no template');
            }
            default:
                return this.#object(expression, 'is an expression without a rule');
        }
    }

    /** One of several values: its computation ends here. */
    #whatever(expression: ast.Expression): Value {
        return this.#settled(this.#evaluate(expression), expression);
    }

    #reference(reference: ast.Reference): Value {
        const target = reference.target.ref;
        if (reference.label !== undefined || reference.action !== undefined) {
            if (ast.isProcess(target)) {
                this.#instance(target, reference.indices, reference);
            } else {
                this.#at(this.#nameValue(target, reference), reference.indices, reference);
            }
            return FIXED;
        }
        return this.#at(this.#nameValue(target, reference), reference.indices, reference);
    }

    #instance(process: ast.Process, indices: readonly ast.Expression[], node: Node): void {
        if (indices.length !== process.indices.length) {
            this.#object(node, 'names a family without its indices');
        }
        indices.forEach((index, position) => {
            const own = process.indices[position];
            this.#together(this.#evaluate(index), own === undefined ? FIXED : this.#place(own), index);
        });
    }

    #nameValue(target: ast.Named | undefined, node: Node): Value {
        switch (target?.$type) {
            case 'Let':
            case 'Constant': {
                const known = this.#named.get(target);
                if (known !== undefined) {
                    return known;
                }
                this.#named.set(target, FIXED);
                const value = this.#evaluate(target.value);
                if (ast.isConstant(target) && target.type !== undefined) {
                    this.#typed(target.type, this.#settled(value, target), target);
                }
                this.#named.set(target, value);
                return value;
            }
            case 'Self':
                return FIXED;
            case 'RecordField':
                return this.#fields.get(target) ?? this.#object(node, 'is a field without a record');
            case 'ChannelDeclaration':
            case 'Parameter':
                return this.#places.get(target) ?? this.#object(node, 'has no classes in the certificate');
            case 'Variable':
            case 'FunctionParameter':
            case 'ProcessParameter':
            case 'ProcessIndex':
            case 'BinderVariable':
                return this.#place(target);
            default:
                return this.#object(node, 'is a name without a rule');
        }
    }

    #at(value: Value, indices: readonly ast.Expression[], node: Node): Value {
        if (indices.length === 0) {
            return value;
        }
        const array = this.#settled(value, node);
        if (array.kind !== 'array' || indices.length > array.indices.length) {
            return this.#object(node, 'has no such index');
        }
        indices.forEach((index, position) =>
            this.#together(this.#evaluate(index), array.indices[position] ?? FIXED, index),
        );
        const rest = array.indices.slice(indices.length);
        return rest.length === 0 ? array.element : { kind: 'array', indices: rest, element: array.element };
    }

    #field(access: ast.FieldAccess): Value {
        const { record } = access;
        const field = access.field.ref;
        if (ast.isVariable(field) || ast.isProcessParameter(field)) {
            const owner = ast.isReference(record) ? record.target.ref : undefined;
            if (ast.isReference(record) && ast.isProcess(owner)) {
                this.#visited.add(record);
                this.#instance(owner, record.indices, record);
            } else {
                this.#evaluate(record);
            }
            return this.#at(this.#place(field), access.indices, access);
        }
        const value = this.#whatever(record);
        const position = field?.$container.fields.indexOf(field) ?? -1;
        const all = value.kind === 'either' ? value.values : [value];
        const parts = all.map(each => (each.kind === 'record' ? each.fields[position] : undefined));
        if (parts.includes(undefined)) {
            return this.#object(access, 'is a field of no record');
        }
        if (parts.some(part => this.#localClaim(part) !== undefined)) {
            this.#object(access, 'reads a local number alone');
        }
        const own = parts.filter(part => part !== undefined);
        const first = own[0] ?? FIXED;
        return this.#at(own.length === 1 ? first : { kind: 'either', values: own }, access.indices, access);
    }

    #call(call: ast.Call): Value {
        const named = call.function.ref;
        switch (named?.$type) {
            case 'RecordDeclaration': {
                const fields = call.arguments.map(argument => this.#whatever(argument));
                named.fields.forEach((field, position) => this.#typed(field.type, fields[position] ?? FIXED, call));
                const value = { kind: 'record', fields, of: named } as const;
                this.#whole(value, call);
                this.#condition(named, fields, call);
                return this.#at(value, call.indices, call);
            }
            case 'FunctionDeclaration':
                this.#arguments(call.arguments, named.parameters, call);
                return this.#at(this.#place(named), call.indices, call);
            case 'BuiltinFunction': {
                const values = call.arguments.map(argument => this.#evaluate(argument));
                if (['len', 'full', 'empty', 'alive'].includes(named.name)) {
                    return FIXED;
                }
                values.forEach(value => this.#stays(value, call, 'computes with values that move'));
                return ['min', 'max', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'].includes(named.name)
                    ? FIXED
                    : this.#object(call, 'is a function without a rule');
            }
            default:
                return this.#object(call, 'calls nothing');
        }
    }

    #arguments(values: readonly ast.Expression[], parameters: readonly ast.Named[], node: Node): Value {
        if (values.length !== parameters.length) {
            this.#object(node, 'has other arguments');
        }
        values.forEach((value, position) => {
            const parameter = parameters[position];
            this.#together(this.#evaluate(value), parameter === undefined ? FIXED : this.#place(parameter), value);
        });
        return FIXED;
    }

    #binary(expression: ast.BinaryExpression): Value {
        const { operator, left, right } = expression;
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
                this.#truth(left);
                this.#truth(right);
                return FIXED;
            case '==':
            case '!=':
                this.#equal(this.#evaluate(left), this.#evaluate(right), expression);
                return FIXED;
            case 'in':
                this.#member(this.#evaluate(left), right);
                return FIXED;
            case '<':
            case '<=':
            case '>':
            case '>=':
                this.#ordered(operator, this.#evaluate(left), this.#evaluate(right), expression);
                return FIXED;
            case '+':
            case '-':
                return this.#added(this.#evaluate(left), this.#evaluate(right), operator === '+' ? 1 : -1, expression);
            case 'mod':
                return this.#remainder(this.#evaluate(left), this.#evaluate(right), expression);
            case '*':
            case 'div':
                [left, right].forEach(each =>
                    this.#stays(this.#evaluate(each), expression, 'computes with values that move'),
                );
                return FIXED;
            default:
                return this.#object(expression, 'is an operator without a rule');
        }
    }

    #equal(first: Value, second: Value, node: Node): void {
        const moved = comparedWith(first, second) ?? comparedWith(second, first);
        if (moved === undefined) {
            this.#together(first, second, node);
        } else {
            this.#facts[moved.index]?.cuts.push({ low: moved.constant, high: moved.constant, isType: false, node });
        }
    }

    #ordered(operator: '<' | '<=' | '>' | '>=', first: Value, second: Value, node: Node): void {
        const [left, right] = [comparedWith(first, second), comparedWith(second, first)];
        const moved = left ?? right;
        // What is at most `high` is told from the rest.
        const isAtMost =
            left === undefined ? operator === '<' || operator === '>=' : operator === '<=' || operator === '>';
        const high = moved && combination([1, moved.constant], [isAtMost ? 0 : -1, constantOf(1)]);
        if (moved === undefined || high === undefined) {
            [first, second].forEach(value => this.#stays(value, node, 'compares the order of values'));
        } else {
            this.#facts[moved.index]?.cuts.push({ high, isType: false, node });
        }
    }

    #member(value: Value, set: ast.Expression): void {
        this.#visited.add(set);
        if (!ast.isSetLiteral(set)) {
            const named = ast.isReference(set) && set.indices.length === 0 ? set.target.ref : undefined;
            if (ast.isTypeDeclaration(named)) {
                this.#typed(named.type, this.#settled(value, set), set);
            } else if (ast.isRecordDeclaration(named) && value.kind === 'record') {
                named.fields.forEach((field, position) =>
                    this.#typed(field.type, value.fields[position] ?? FIXED, set),
                );
                this.#condition(named, value.fields, set);
            } else if (!ast.isEnumeration(named) && !ast.isProcess(named)) {
                this.#object(set, 'is a set without a rule');
            }
            return;
        }
        for (const element of set.elements) {
            this.#visited.add(element);
            const low = this.#evaluate(element.low);
            if (element.high === undefined) {
                this.#equal(value, low, element);
                continue;
            }
            const [from, to] = [comparedWith(value, low), comparedWith(value, this.#evaluate(element.high))];
            if (from !== undefined && to !== undefined) {
                this.#facts[from.index]?.cuts.push({
                    low: from.constant,
                    high: to.constant,
                    isType: false,
                    node: element,
                });
            } else {
                [value, low, this.#evaluate(element.high)].forEach(each =>
                    this.#stays(each, element, 'compares the order of values'),
                );
            }
        }
    }

    #added(first: Value, second: Value, sign: 1 | -1, node: ast.Expression): Value {
        if (first.kind === 'constant') {
            return second.kind === 'ring' && sign > 0
                ? this.#shifted(second, first.constant, 1, node)
                : this.#scaled(first.constant, second, node, sign);
        }
        if (second.kind === 'constant' && first.kind === 'ring') {
            return this.#shifted(first, second.constant, sign, node);
        }
        const left = this.#asSum(first, node);
        const right: Value | undefined =
            second.kind === 'constant'
                ? { kind: 'sum', terms: [], offset: second.constant }
                : this.#asSum(second, node);
        const offset =
            left?.kind === 'sum' && right?.kind === 'sum'
                ? combination([1, left.offset], [sign, right.offset])
                : undefined;
        if (
            left?.kind !== 'sum' ||
            right?.kind !== 'sum' ||
            offset === undefined ||
            left.terms.length + right.terms.length > 2
        ) {
            [first, second].forEach(value => this.#stays(value, node, 'computes with values that move'));
            return FIXED;
        }
        const terms = right.terms.map(([index, own]) => [index, own === sign ? 1 : -1] as const);
        return { kind: 'sum', terms: [...left.terms, ...terms], offset };
    }

    #shifted(ring: Value & { readonly kind: 'ring' }, constant: Polynomial, sign: 1 | -1, node: ast.Expression): Value {
        const base = combination([1, ring.use.base], [sign, constant]);
        const shift = combination([1, ring.use.shift], [sign, constant]);
        return base === undefined || shift === undefined
            ? this.#object(node, 'is too large a step')
            : { ...ring, use: { ...ring.use, base, shift, node } };
    }

    /** The constant minus the value, or plus it. */
    #scaled(constant: Polynomial, value: Value, node: ast.Expression, sign: 1 | -1 = -1): Value {
        if (value.kind === 'constant') {
            const sum = combination([1, constant], [sign, value.constant]);
            return sum === undefined ? FIXED : { kind: 'constant', constant: sum };
        }
        const sum = this.#asSum(value, node);
        const offset = sum?.kind === 'sum' ? combination([1, constant], [sign, sum.offset]) : undefined;
        if (sum?.kind !== 'sum' || offset === undefined) {
            this.#stays(value, node, 'computes with values that move');
            return FIXED;
        }
        return { kind: 'sum', terms: sum.terms.map(([index, own]) => [index, own === sign ? 1 : -1] as const), offset };
    }

    #asSum(value: Value, node: Node): Value | undefined {
        if (value.kind === 'sum') {
            return value;
        }
        const settled = this.#settled(value, node);
        return settled.kind === 'class'
            ? { kind: 'sum', terms: [[settled.index, 1]], offset: constantOf(0) }
            : undefined;
    }

    #remainder(value: Value, modulus: Value, node: ast.Expression): Value {
        if (value.kind === 'ring' && modulus.kind === 'constant' && isSame(value.use.modulus, modulus.constant)) {
            return { ...value, use: { ...value.use, base: constantOf(0), node } };
        }
        const sum = value.kind === 'constant' ? undefined : this.#asSum(value, node);
        if (sum?.kind === 'sum' && modulus.kind === 'constant' && isSmall(sum.offset) && isSmall(modulus.constant)) {
            const [first, second] = sum.terms;
            if (first !== undefined && second === undefined && first[1] > 0) {
                const [index] = first;
                const use = {
                    kind: 'step',
                    base: constantOf(0),
                    shift: sum.offset,
                    modulus: modulus.constant,
                    node,
                } as const;
                return { kind: 'ring', index, use };
            }
            if (first !== undefined && second !== undefined && first[1] !== second[1] && first[0] === second[0]) {
                this.#facts[first[0]]?.rings.push({ kind: 'difference', modulus: modulus.constant, node });
                return FIXED;
            }
        }
        [value, modulus].forEach(each => this.#stays(each, node, 'computes with values that move'));
        return FIXED;
    }

    /** Whether the claimed group keeps all that the text tells apart. */
    #group(claim: ClassClaim, index: number): void {
        const facts = this.#facts[index];
        if (facts === undefined || claim.group === 'trivial') {
            return;
        }
        const { cuts, rings, reversals, tables } = facts;
        const [node] = [...cuts, ...rings, ...reversals].map(fact => fact.node);
        if (node === undefined) {
            return;
        }
        const types = cuts.filter(({ isType }) => isType);
        const others = [...cuts.filter(({ isType }) => !isType), ...reversals];
        const refuse = (fact: { readonly node: Node } | undefined): void => {
            this.#object(fact?.node ?? node, `is not kept by the claimed group (${claim.group})`);
        };
        switch (claim.group) {
            case 'alike': {
                if (
                    rings.length > 0 ||
                    reversals.length > 0 ||
                    [...tables].some(table => !claim.tables.includes(table))
                ) {
                    refuse(rings[0] ?? reversals[0]);
                }
                const bounds = new Map(cuts.flatMap(({ low, high }) => boundTexts(low, high)));
                for (const set of claim.sets) {
                    const intervals = set.map(([low, high]) => [bounds.get(low), bounds.get(high)] as const);
                    for (const cut of cuts) {
                        const sides = new Set(
                            intervals.map(([low, high]) => (low && high ? sideOf(low, high, cut) : 'unknown')),
                        );
                        if (sides.size > 1 || sides.has('unknown')) {
                            refuse(cut);
                        }
                    }
                }
                this.#disjoint(claim.sets.flat(), bounds, node);
                return;
            }
            case 'ring': {
                const [low, high] = claim.interval;
                for (const cut of types) {
                    if (
                        cut.low === undefined ||
                        cut.high === undefined ||
                        formatPolynomial(cut.low) !== low ||
                        formatPolynomial(cut.high) !== high
                    ) {
                        refuse(cut);
                    }
                }
                const [type] = types;
                const size = type?.low && type.high && combination([1, type.high], [-1, type.low], [1, constantOf(1)]);
                for (const ring of rings) {
                    const fits =
                        size &&
                        isSame(ring.modulus, size) &&
                        (ring.kind === 'difference' || (type.low !== undefined && isSame(ring.base, type.low)));
                    if (!fits || (ring.kind === 'step' && !isSmall(ring.shift))) {
                        refuse(ring);
                    }
                }
                if (others.length > 0 || tables.size > 0) {
                    refuse(others[0]);
                }
                if (claim.isReflected) {
                    const sort = new Sort();
                    sort.rings.push(...rings);
                    if (!new Mirror(this.#walked, this.#bounds, this.#faults).isMirrored(sort)) {
                        refuse(rings[0]);
                    }
                }
                return;
            }
            case 'reversal':
                for (const { low, high, node: place } of cuts) {
                    const ends = low && high && combination([1, low], [1, high]);
                    if (ends === undefined || formatPolynomial(ends) !== claim.sum) {
                        refuse({ node: place });
                    }
                }
                for (const reversal of reversals) {
                    if (formatPolynomial(reversal.sum) !== claim.sum) {
                        refuse(reversal);
                    }
                }
                if (rings.length > 0 || tables.size > 0) {
                    refuse(rings[0]);
                }
                return;
            case 'local': {
                const [first] = types;
                const other = types.find(
                    ({ low, high }) =>
                        !first?.low ||
                        !first.high ||
                        !low ||
                        !high ||
                        !isSame(low, first.low) ||
                        !isSame(high, first.high),
                );
                if (others.length > 0 || rings.length > 0 || tables.size > 0 || other !== undefined) {
                    refuse(others[0] ?? rings[0] ?? other);
                }
                return;
            }
        }
    }

    /** No value is in two sets. */
    #disjoint(
        intervals: readonly (readonly [string, string])[],
        bounds: ReadonlyMap<string, Polynomial>,
        node: Node,
    ): void {
        intervals.forEach(([low, high], position) => {
            for (const [otherLow, otherHigh] of intervals.slice(position + 1)) {
                const [first, last, from, to] = [low, high, otherLow, otherHigh].map(text => bounds.get(text));
                const isApart = first && last && from && to && (isMore(from, last) || isMore(first, to));
                if (!isApart) {
                    this.#object(node, 'is in two sets of values that are alike');
                }
            }
        });
    }
}

/** The bounds that a set of alike values may have: where a cut begins or ends, and the values beside it. */
function boundTexts(low: Polynomial | undefined, high: Polynomial | undefined): [string, Polynomial][] {
    return [low, high].flatMap((bound): [string, Polynomial][] =>
        bound === undefined
            ? []
            : [-1, 0, 1].flatMap((offset): [string, Polynomial][] => {
                  const beside = combination([1, bound], [offset, constantOf(1)]);
                  return beside === undefined ? [] : [[formatPolynomial(beside), beside]];
              }),
    );
}

/** Whether an interval lies in a cut or outside, for all values of the parameters. */
function sideOf(
    low: Polynomial,
    high: Polynomial,
    cut: { readonly low?: Polynomial; readonly high?: Polynomial },
): 'in' | 'out' | 'unknown' {
    const beginsInside = cut.low === undefined || isAtLeast(low, cut.low);
    const endsInside = cut.high === undefined || isAtLeast(cut.high, high);
    if (beginsInside && endsInside) {
        return 'in';
    }
    const isBefore = cut.low !== undefined && isMore(cut.low, high);
    const isBehind = cut.high !== undefined && isMore(low, cut.high);
    return isBefore || isBehind ? 'out' : 'unknown';
}

function comparedWith(
    value: Value,
    other: Value,
): { readonly index: number; readonly constant: Polynomial } | undefined {
    if (other.kind !== 'constant') {
        return undefined;
    }
    if (value.kind === 'class') {
        return { index: value.index, constant: other.constant };
    }
    const [term, ...others] = value.kind === 'sum' ? value.terms : [];
    const constant =
        value.kind === 'sum' && isSmall(value.offset)
            ? combination([1, other.constant], [-1, value.offset])
            : undefined;
    return term === undefined || others.length > 0 || term[1] < 0 || constant === undefined
        ? undefined
        : { index: term[0], constant };
}

function inFront(indices: readonly Value[], element: Value): Value {
    const elements = element.kind === 'either' ? element.values : [element];
    const [first] = elements;
    if (first?.kind !== 'array') {
        return { kind: 'array', indices, element };
    }
    const inner = elements.filter(each => each.kind === 'array');
    return {
        kind: 'array',
        indices: [...indices, ...first.indices],
        element: { kind: 'either', values: inner.map(each => each.element) },
    };
}

function namedBy(element: ast.ElementType): ast.Named | undefined {
    return ast.isRangeType(element) && element.high === undefined && ast.isReference(element.low)
        ? element.low.target.ref
        : undefined;
}

/** Equal for types that may be the same type for some values of the parameters. */
function formOf(element: ast.ElementType): unknown {
    const named = namedBy(element);
    return ast.isTypeDeclaration(named)
        ? formOf(named.type.element)
        : ast.isRecordDeclaration(named) || ast.isEnumeration(named) || ast.isProcess(named)
          ? named
          : element.$type;
}

function isInType(node: Node): boolean {
    for (let outer: Node | undefined = node; outer !== undefined; outer = outer.$container) {
        if (ast.isType(outer) || ast.isIndexType(outer)) {
            return true;
        }
    }
    return false;
}

function isSmall(constant: Polynomial): boolean {
    return isWithin(constant, -LARGEST, LARGEST);
}
