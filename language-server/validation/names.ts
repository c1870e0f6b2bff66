/** Names: each used name is declared, and none twice in one scope. A file and its imports are one name space. */
import { AstUtils, UriUtils, type AstNode, type LangiumDocument } from 'langium';
import { appendTo, remembered } from '../../engine/common/list-map.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { descendantsOf } from '../../language/tree/descendants.js';
import * as ast from '../generated/ast.js';
import { explainWord, explainWordInProperty } from '../parsing/unknown-words.js';
import { BUILTIN_NODES } from '../../language/references/builtin-functions.js';
import { fieldsOf, hasCases, isConstructor } from '../../language/references/constructors.js';
import { typeWithFieldsOf } from '../../language/references/declared-type.js';
import { importedModel, modelsOf } from '../../language/references/imports.js';
import { importsOf } from '../references/imports.js';
import { headLocalsOfTemplate, localNamesIn } from '../../language/references/locals.js';
import { actionsOf, labelsOf } from '../../language/references/labels.js';
import {
    isTemplate,
    mayShareName,
    SELF,
    templateAround,
    templateReferredTo,
} from '../../language/references/templates.js';
import { namesIn } from '../references/scope-provider.js';
import { isAboutRuns, isAnyProperty } from '../../language/references/temporal.js';
import { nameRangeOf, rangeOfProperty } from '../../language/tree/source-text.js';
import { explainInPattern, explainUndeclared } from './undeclared.js';
import { describeNamed } from '../../language/problems/describe.js';
import { nearestName } from '../../language/problems/near-match.js';
import type { ProblemCollector } from '../../language/problems/problem-collector.js';
import { instead, type Advice } from '../../language/problems/remedy.js';

/** The names of what every model states. */
const OF_EVERY_MODEL: ReadonlyMap<string, string> = new Map([
    ['deadlock', 'no deadlock is reached'],
    ['faults', 'no step is a fault'],
]);

/** Further undeclared names are counted, not listed: each is compared with all declared names. */
const UNRESOLVED_LIMIT = 100;

/** Returns false if a word of another language, as in `not x`, was parsed as a name: then the syntax tree is wrong. */
export function checkNames(document: LangiumDocument, model: ast.Model, problems: ProblemCollector): boolean {
    if (!checkResolved(document, problems)) {
        return false;
    }
    checkUnique(document, model, problems);
    return true;
}

function checkResolved(document: LangiumDocument, problems: ProblemCollector): boolean {
    let isMisread = false;
    const unresolved = document.references.flatMap(reference => reference.error?.info ?? []);
    const [firstBeyond] = unresolved.slice(UNRESOLVED_LIMIT);
    if (firstBeyond !== undefined) {
        const message = `${unresolved.length - UNRESOLVED_LIMIT} more names from here on are not declared`;
        const range = rangeOfProperty(firstBeyond.container, firstBeyond.property);
        problems.error('name/unresolved', message, range);
    }
    for (const info of unresolved.slice(0, UNRESOLVED_LIMIT)) {
        const node = info.container;
        const name = info.reference.$refText;
        const range = rangeOfProperty(node, info.property);
        if (info.property === 'label' && (ast.isReference(node) || ast.isInstanceAt(node))) {
            const process = processBeforeAt(node);
            // The type check reports any other kind of expression before `at`.
            if (process !== undefined) {
                const labels = labelsOf(process).map(label => label.name);
                const hint = suggestion(name, labels) ?? { text: knownLabels(labels) };
                const what = `process \`${process.name}\` has no label \`${name}\``;
                problems.advise('name/unresolved', withHint(what, hint), range);
            }
            continue;
        }
        if (ast.isReference(node) && info.property === 'action') {
            checkAction(node, name, range, problems);
            continue;
        }
        if (ast.isFieldAccess(node)) {
            checkField(node, name, range, problems);
            continue;
        }
        const isInside = AstUtils.getContainerOfType(node, isAboutRuns) !== undefined;
        const word = explainWord(name);
        const known = isInside
            ? (explainWordInProperty(name) ?? (word?.code === 'property/place' ? undefined : word))
            : word;
        if (known !== undefined) {
            problems.advise(known.code, known, range);
            isMisread = true;
            continue;
        }
        if (name === SELF) {
            const process = AstUtils.getContainerOfType(node, ast.isProcess);
            const where = process === undefined ? '' : `, and \`${process.name}\` is none`;
            const what = `\`${SELF}\` is known in templates only${where}`;
            problems.advise('process/self-outside', withHint(what, explainUndeclared(node, name)), range);
            continue;
        }
        const candidates = [...visibleNames(node), ...valueWordsAt(node)];
        const hint =
            knownElsewhere(node, name) ??
            explainUndeclared(node, name) ??
            suggestion(name, candidates) ??
            explainInPattern(node, name);
        problems.advise('name/unresolved', withHint(`\`${name}\` is not declared`, hint), range);
    }
    return !isMisread;
}

/** The process whose label is asked for: of a family by its name, of an instance of a template by a reference to it. */
function processBeforeAt(node: ast.Reference | ast.InstanceAt): ast.Process | undefined {
    if (ast.isInstanceAt(node)) {
        return templateReferredTo(node.instance);
    }
    const target = node.target.ref;
    return ast.isProcess(target) ? target : templateReferredTo(node);
}

/** The type check reports any other kind of name before `takes`. */
function checkAction({ target }: ast.Reference, name: string, range: SourceRange, problems: ProblemCollector): void {
    const process = target.ref;
    // The type check reports templates.
    if (!ast.isProcess(process) || process.isTemplate) {
        return;
    }
    const model = AstUtils.getContainerOfType(process, ast.isModel);
    const names = model === undefined ? [] : modelsOf(model).flatMap(namesIn);
    if (names.some(named => ast.isEventDeclaration(named) && named.name === name)) {
        const message = `\`${process.name}\` takes no part in the event \`${name}\``;
        problems.error('property/takes', message, range);
        return;
    }
    const hint = suggestion(
        name,
        actionsOf(process).map(action => action.name),
    );
    const what = `\`${process.name}\` has no step labeled \`${name}\``;
    problems.advise('property/takes', withHint(what, hint), range);
}

/** The type check reports expressions that have no fields at all. */
function checkField(node: ast.FieldAccess, name: string, range: SourceRange, problems: ProblemCollector): void {
    const process = ast.isReference(node.record) ? node.record.target.ref : undefined;
    if (isTemplate(process)) {
        // The type check reports that instances have no index.
        return;
    }
    if (ast.isProcess(process)) {
        const locals = headLocalsOfTemplate(process).map(local => local.name);
        const what = `process \`${process.name}\` declares no variable \`${name}\` before its first step`;
        problems.advise('name/unresolved', withHint(what, suggestion(name, locals)), range);
        return;
    }
    const record = typeWithFieldsOf(node.record);
    if (ast.isProcess(record)) {
        const names = [...record.parameters, ...headLocalsOfTemplate(record)].map(local => local.name);
        const what =
            `template \`${record.name}\` has no parameter \`${name}\`, ` +
            'and declares no such variable before its first step';
        problems.advise('name/unresolved', withHint(what, suggestion(name, names)), range);
    }
    if (hasCases(record)) {
        const names = fieldsOf(record).map(field => field.name);
        const what = `no case of \`${record.name}\` has a field \`${name}\``;
        const related = [{ message: 'its cases', range: nameRangeOf(record) }];
        problems.advise('case/no-field', withHint(what, suggestion(name, names)), range, related);
    }
    if (ast.isRecordDeclaration(record)) {
        const fields = record.fields.map(field => field.name);
        const what = `record \`${record.name}\` has no field \`${name}\``;
        const related = [{ message: 'the record', range: nameRangeOf(record) }];
        problems.advise('name/unresolved', withHint(what, suggestion(name, fields)), range, related);
    }
}

/** A hint if the name is declared further inside the same process or function. */
function knownElsewhere(node: AstNode, name: string): Advice | undefined {
    const owner = AstUtils.getContainerOfType(node, isOwner);
    const local = owner && descendantsOf(owner).find(each => ast.isNamed(each) && each.name === name);
    return (
        local && {
            text: ` here; the one of line ${nameRangeOf(local).start.line + 1} is known only inside its block`,
        }
    );
}

function isOwner(node: AstNode): node is ast.Process | ast.FunctionDeclaration | ast.Procedure {
    return ast.isProcess(node) || ast.isFunctionDeclaration(node) || ast.isProcedure(node);
}

function suggestion(name: string, candidates: readonly string[]): Advice | undefined {
    const nearest = nearestName(name, candidates);
    return nearest === undefined ? undefined : instead(`; did you mean \`${nearest}\`?`, nearest);
}

function withHint(what: string, hint: Advice | undefined): Advice {
    return { ...hint, text: `${what}${hint?.text ?? ''}` };
}

/** Labels that a message lists at most. */
const MOST_LABELS = 6;

function knownLabels(labels: readonly string[]): string {
    const names = [...new Set(labels)];
    const more = names.length > MOST_LABELS ? `, and ${names.length - MOST_LABELS} more` : '';
    const list = names
        .slice(0, MOST_LABELS)
        .map(label => `\`${label}\``)
        .join(', ');
    return names.length === 0 ? '; none of its steps has one' : `; it has ${list}${more}`;
}

/** The words of the language that can stand in the place of a name. */
function valueWordsAt(node: AstNode): readonly string[] {
    if (ast.isRangeType(node.$container)) {
        return ['bool'];
    }
    return ast.isStep(node.$container) && node.$containerProperty === 'place' ? ['skip'] : ['true', 'false', 'none'];
}

/** The names known at a node, from the inside out. */
function visibleNames(node: AstNode): string[] {
    const names: string[] = [];
    for (let current: AstNode | undefined = node; current !== undefined; current = current.$container) {
        names.push(...localNamesIn(current).map(named => named.name));
        if (ast.isModel(current)) {
            names.push(...[current, ...modelsOf(current)].flatMap(namesIn).map(named => named.name));
        }
    }
    return ast.isCall(node) ? [...names, ...BUILTIN_NODES.keys()] : names;
}

function checkUnique(document: LangiumDocument, model: ast.Model, problems: ProblemCollector): void {
    const globals = firstOfEach(namesIn(model), problems);
    checkImportedNames(document, model, problems);
    for (const named of globals.values()) {
        const meaning = isAnyProperty(named) ? OF_EVERY_MODEL.get(named.name) : undefined;
        if (meaning !== undefined) {
            const message = `\`${named.name}\` is the name of a property that every model has: ${meaning}`;
            problems.error('name/duplicate', message, nameRangeOf(named));
        }
        const hidden = BUILTIN_NODES.get(named.name);
        if (ast.isBuiltinType(hidden)) {
            const message = `\`${named.name}\` hides the built-in type of the numbers without end`;
            problems.warning('name/shadowed', message, nameRangeOf(named));
        } else if (hidden !== undefined && (ast.isFunctionDeclaration(named) || isConstructor(named))) {
            const message = `\`${named.name}\` hides the built-in function of the same name`;
            problems.warning('name/shadowed', message, nameRangeOf(named));
        }
    }
    const scopesIn = new Map<AstNode | undefined, Scopes>([[model, [globals]]]);
    for (const node of descendantsOf(model)) {
        const outer = scopesIn.get(node.$container) ?? [];
        const declared = localNamesIn(node);
        checkSelf(declared, node, problems);
        // The variables of an expression and the fields of a record or a case may hide other names.
        const isInsideExpression =
            ast.isQuantifier(node) ||
            ast.isComprehension(node) ||
            ast.isSetComprehension(node) ||
            ast.isRecordDeclaration(node) ||
            ast.isEnumerationValue(node);
        scopesIn.set(node, isInsideExpression ? outer : declareLocals(declared, outer, problems));
        if (isInsideExpression) {
            firstOfEach(declared, problems);
        }
    }
}

/** In a template no other name may be `self`. */
function checkSelf(declared: readonly ast.Named[], node: AstNode, problems: ProblemCollector): void {
    const taken = declared.find(({ name }) => name === SELF);
    const template = taken && templateAround(node);
    if (taken !== undefined && template !== undefined) {
        const message = `in a template \`${SELF}\` is the instance, here of \`${template.name}\`; choose another name`;
        problems.error('name/duplicate', message, nameRangeOf(taken));
    }
}

/** Names that several files declare. Each single file is checked by itself. */
function checkImportedNames(document: LangiumDocument, model: ast.Model, problems: ProblemCollector): void {
    const first = new Map<string, ast.Named[]>();
    for (const file of modelsOf(model)) {
        for (const named of namesIn(file)) {
            const earlier = first.get(named.name)?.find(other => !mayShareName(other, named));
            if (earlier === undefined) {
                appendTo(first, named.name, named);
                continue;
            }
            const earlierFile = AstUtils.getContainerOfType(earlier, ast.isModel);
            if (earlierFile === file || earlierFile === undefined) {
                continue;
            }
            const related = [
                { message: `${describeNamed(earlier)}, declared here`, range: nameRangeOf(earlier) },
                { message: `${describeNamed(named)}, declared here`, range: nameRangeOf(named) },
            ];
            if (file === model) {
                problems.error(
                    'name/duplicate',
                    `\`${named.name}\` is declared twice: in line ${lineOf(earlier)} of ${fileNameOf(earlierFile)}, ` +
                        `which this file imports, it is ${describeNamed(earlier)}`,
                    nameRangeOf(named),
                    related.slice(0, 1),
                );
            } else if (!modelsOf(file).includes(earlierFile)) {
                const node = importsOf(document).find(each => reaches(each, file));
                problems.error(
                    'name/duplicate',
                    `\`${named.name}\` is declared in line ${lineOf(earlier)} of ${fileNameOf(earlierFile)} ` +
                        `and in line ${lineOf(named)} of ${fileNameOf(file)}`,
                    node === undefined ? nameRangeOf(named) : rangeOfProperty(node, 'path'),
                    related,
                );
            }
        }
    }
}

function reaches(node: ast.Import, file: ast.Model): boolean {
    const imported = importedModel(node);
    return imported !== undefined && modelsOf(imported).includes(file);
}

function fileNameOf(file: ast.Model): string {
    return `\`${UriUtils.basename(AstUtils.getDocument(file).uri)}\``;
}

function lineOf(named: ast.Named): number {
    return nameRangeOf(named).start.line + 1;
}

type Scopes = readonly ReadonlyMap<string, ast.Named>[];

/** The scopes inside a node that declares `locals`. */
function declareLocals(locals: readonly ast.Named[], outer: Scopes, problems: ProblemCollector): Scopes {
    if (locals.length === 0) {
        return outer;
    }
    const names = firstOfEach(locals, problems);
    for (const named of names.values()) {
        // Only the nearest name: its own declaration reports the names that it hides.
        const hidden = outer.find(each => each.has(named.name))?.get(named.name);
        if (hidden !== undefined && VALUES.has(hidden.$type)) {
            const message = `\`${named.name}\` hides ${describeNamed(hidden)} of the same name`;
            const related = [{ message: 'hidden here', range: nameRangeOf(hidden) }];
            problems.warning('name/shadowed', message, nameRangeOf(named), related);
        }
    }
    return [names, ...outer];
}

function firstOfEach<Declared extends ast.Named>(
    declared: readonly Declared[],
    problems: ProblemCollector,
): Map<string, Declared> {
    const first = new Map<string, Declared>();
    const seen = new Map<string, Declared[]>();
    for (const named of declared) {
        const earlier = seen.get(named.name)?.find(other => !mayShareName(other, named));
        appendTo(seen, named.name, named);
        if (earlier === undefined) {
            remembered(first, named.name, () => named);
        } else {
            const range = nameRangeOf(earlier);
            problems.error(
                'name/duplicate',
                `\`${named.name}\` is declared twice: in line ${range.start.line + 1} it is ${describeNamed(earlier)}`,
                nameRangeOf(named),
                [{ message: `first declared here`, range }],
            );
        }
    }
    return first;
}

/** The names of values: hiding one changes the meaning of an expression. */
const VALUES: ReadonlySet<ast.Named['$type']> = new Set([
    'Variable',
    'Parameter',
    'Constant',
    'EnumerationValue',
    'ProcessIndex',
    'ProcessParameter',
    'FunctionParameter',
    'ProcedureParameter',
    'BinderVariable',
    'Let',
    'ChannelDeclaration',
] as const);
