/**
 * Names: that each one used is declared, and that none is declared twice where both can be seen. A file and what it
 * imports are one name space.
 */
import { AstUtils, UriUtils, type AstNode, type LangiumDocument } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { descendantsOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { Model, Named } from '../generated/ast.js';
import { explainWord } from '../parsing/unknown-words.js';
import { BUILTIN_SYMBOLS } from '../references/builtin-functions.js';
import { declaredTypeOf } from '../references/declared-type.js';
import { importedModel, importsOf, modelsOf } from '../references/imports.js';
import { localNamesIn } from '../references/local-names.js';
import { headLocalsOf } from '../references/locals.js';
import { labelsOf, namesIn } from '../references/scope-provider.js';
import { nameRangeOf, rangeOfProperty } from '../source-range.js';
import { describeNamed } from '../typing/describe.js';
import { nearestName } from '../problems/near-match.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** Names the absence of deadlocks where a property is asked for by its name. */
const DEADLOCK = 'deadlock';

/** More names than this that are not declared are counted, not listed: each is compared with all that are. */
const UNRESOLVED_LIMIT = 100;

/**
 * Returns whether the text can be read as it was parsed: a word of another language, `not x`, is no name, and what the
 * parser made of the words around it means nothing.
 */
export function checkNames(document: LangiumDocument, model: Model, problems: ProblemCollector): boolean {
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
        if (ast.isReference(node) && info.property === 'label') {
            const process = node.target.ref;
            // Another kind of name before `at` is reported as such by the type check.
            if (ast.isProcess(process)) {
                const labels = labelsOf(process).map(label => label.name);
                problems.error(
                    'name/unresolved',
                    `process \`${process.name}\` has no label \`${name}\`${suggestion(name, labels)}`,
                    range,
                );
            }
            continue;
        }
        if (ast.isFieldAccess(node)) {
            checkField(node, name, range, problems);
            continue;
        }
        const known = explainWord(name);
        if (known !== undefined) {
            problems.error(known.code, known.text, range);
            isMisread = true;
            continue;
        }
        const candidates = [...visibleNames(node), ...valueWordsAt(node)];
        const hint = knownElsewhere(node, name) ?? suggestion(name, candidates);
        problems.error('name/unresolved', `\`${name}\` is not declared${hint}`, range);
    }
    return !isMisread;
}

/** What has no fields at all is reported by the type check. */
function checkField(node: ast.FieldAccess, name: string, range: SourceRange, problems: ProblemCollector): void {
    const process = ast.isReference(node.record) ? node.record.target.ref : undefined;
    if (ast.isProcess(process)) {
        const locals = headLocalsOf(process).map(local => local.name);
        problems.error(
            'name/unresolved',
            `process \`${process.name}\` declares no variable \`${name}\` before its first step${suggestion(name, locals)}`,
            range,
        );
        return;
    }
    const record = declaredTypeOf(node.record);
    if (ast.isRecordDeclaration(record)) {
        const fields = record.fields.map(field => field.name);
        problems.error(
            'name/unresolved',
            `record \`${record.name}\` has no field \`${name}\`${suggestion(name, fields)}`,
            range,
            [{ message: 'the record', range: nameRangeOf(record) }],
        );
    }
}

/** Whether the name is declared further inside the same process or function, so that it is not known out here. */
function knownElsewhere(node: AstNode, name: string): string | undefined {
    const owner = AstUtils.getContainerOfType(node, isOwner);
    const local = owner && descendantsOf(owner).find(each => ast.isNamed(each) && each.name === name);
    return local && ` here; the one of line ${nameRangeOf(local).start.line + 1} is known only inside its block`;
}

function isOwner(node: AstNode): node is ast.Process | ast.FunctionDeclaration {
    return ast.isProcess(node) || ast.isFunctionDeclaration(node);
}

function suggestion(name: string, candidates: readonly string[]): string {
    const nearest = nearestName(name, candidates);
    return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
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
    return ast.isCall(node) ? [...names, ...BUILTIN_SYMBOLS.keys()] : names;
}

function checkUnique(document: LangiumDocument, model: Model, problems: ProblemCollector): void {
    const globals = firstOfEach(namesIn(model), problems);
    checkImportedNames(document, model, problems);
    for (const named of globals.values()) {
        if (ast.isInvariant(named) && named.name === DEADLOCK) {
            const message = `\`${DEADLOCK}\` is the name of a property that every model has: no deadlock is reached`;
            problems.error('name/duplicate', message, nameRangeOf(named));
        }
        if ((ast.isFunctionDeclaration(named) || ast.isRecordDeclaration(named)) && BUILTIN_SYMBOLS.has(named.name)) {
            const message = `\`${named.name}\` hides the built-in function of the same name`;
            problems.warning('name/shadowed', message, nameRangeOf(named));
        }
    }
    for (const node of descendantsOf(model)) {
        if (ast.isProcess(node)) {
            const indices = firstOfEach(node.indices, problems);
            checkShadowed(node.indices, globals, problems);
            checkBlock(node.body, [indices, globals], problems);
        } else if (ast.isFunctionDeclaration(node)) {
            const parameters = firstOfEach(node.parameters, problems);
            checkShadowed(node.parameters, globals, problems);
            if (node.body !== undefined) {
                checkBody(node.body, [parameters, globals], problems);
            }
        } else if (ast.isRecordDeclaration(node)) {
            firstOfEach(node.fields, problems);
        } else if (ast.isQuantifier(node) || ast.isComprehension(node)) {
            firstOfEach(variablesOf(node), problems);
        }
    }
}

/** Names that several of the files declare. Each file by itself is checked as a file of its own. */
function checkImportedNames(document: LangiumDocument, model: Model, problems: ProblemCollector): void {
    const first = new Map<string, Named>();
    for (const file of modelsOf(model)) {
        for (const named of namesIn(file)) {
            const earlier = first.get(named.name);
            if (earlier === undefined) {
                first.set(named.name, named);
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

function reaches(node: ast.Import, file: Model): boolean {
    const imported = importedModel(node);
    return imported !== undefined && modelsOf(imported).includes(file);
}

function fileNameOf(file: Model): string {
    return `\`${UriUtils.basename(AstUtils.getDocument(file).uri)}\``;
}

function lineOf(named: Named): number {
    return nameRangeOf(named).start.line + 1;
}

type Scopes = readonly ReadonlyMap<string, Named>[];

/** Locals of a block and of the blocks and bodies inside it. */
function checkBlock(block: ast.Block, outer: Scopes, problems: ProblemCollector): void {
    const locals = block.items.filter(item => ast.isVariable(item) || ast.isConstant(item) || ast.isLet(item));
    const scopes = declareLocals(locals, outer, problems);
    for (const item of block.items) {
        checkItem(item, scopes, problems);
    }
}

function checkItem(item: ast.Item, scopes: Scopes, problems: ProblemCollector): void {
    switch (item.$type) {
        case 'Labeled':
            checkItem(item.item, scopes, problems);
            break;
        case 'Loop':
        case 'While':
            checkBlock(item.body, scopes, problems);
            break;
        case 'For':
            checkBlock(item.body, declareLocals(variablesOf(item), scopes, problems), problems);
            break;
        case 'IfControl':
            checkBlock(item.then, scopes, problems);
            if (item.otherwise !== undefined) {
                checkBlock(item.otherwise, scopes, problems);
            }
            if (item.elseIf !== undefined) {
                checkItem(item.elseIf, scopes, problems);
            }
            break;
        case 'Choose':
            for (const alternative of item.alternatives) {
                checkBlock(alternative.body, declareLocals(variablesOf(alternative), scopes, problems), problems);
            }
            break;
        case 'Step':
            if (item.body !== undefined) {
                checkBody(item.body, scopes, problems);
            }
            break;
        case 'Variable':
        case 'Constant':
        case 'Let':
        case 'Break':
        case 'Terminate':
            break;
        default:
            unreachable(item);
    }
}

/** Locals of a body and of the bodies inside it. */
function checkBody(body: ast.Body, outer: Scopes, problems: ProblemCollector): void {
    const scopes = declareLocals(
        body.statements.filter(statement => ast.isVariable(statement) || ast.isLet(statement)),
        outer,
        problems,
    );
    for (const statement of body.statements) {
        checkStatement(statement, scopes, problems);
    }
}

function checkStatement(statement: ast.Statement, scopes: Scopes, problems: ProblemCollector): void {
    switch (statement.$type) {
        case 'WhileStatement':
            checkBody(statement.body, scopes, problems);
            break;
        case 'ForStatement':
            checkBody(statement.body, declareLocals(variablesOf(statement), scopes, problems), problems);
            break;
        case 'IfStatement':
            checkBody(statement.then, scopes, problems);
            if (statement.otherwise !== undefined) {
                checkBody(statement.otherwise, scopes, problems);
            }
            if (statement.elseIf !== undefined) {
                checkStatement(statement.elseIf, scopes, problems);
            }
            break;
        default:
            break;
    }
}

function variablesOf({ groups }: { readonly groups: ast.BinderGroup[] }): ast.BinderVariable[] {
    return groups.flatMap(group => group.variables);
}

/** The scopes inside of what declares `locals`. */
function declareLocals(locals: readonly Named[], outer: Scopes, problems: ProblemCollector): Scopes {
    if (locals.length === 0) {
        return outer;
    }
    const names = firstOfEach(locals, problems);
    for (const named of names.values()) {
        // Only the nearest is hidden by this one; what that one hides is said there.
        const scope = outer.find(each => each.has(named.name));
        if (scope !== undefined) {
            checkShadowed([named], scope, problems);
        }
    }
    return [names, ...outer];
}

function firstOfEach<Declared extends Named>(
    declared: readonly Declared[],
    problems: ProblemCollector,
): Map<string, Declared> {
    const first = new Map<string, Declared>();
    for (const named of declared) {
        const earlier = first.get(named.name);
        if (earlier === undefined) {
            first.set(named.name, named);
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

/** What an expression can name, so that hiding it changes what an expression means. */
const VALUES: ReadonlySet<Named['$type']> = new Set([
    'Variable',
    'Parameter',
    'Constant',
    'EnumerationValue',
    'ProcessIndex',
    'FunctionParameter',
    'BinderVariable',
    'Let',
    'ChannelDeclaration',
] as const);

function checkShadowed(inner: readonly Named[], outer: ReadonlyMap<string, Named>, problems: ProblemCollector): void {
    for (const named of inner) {
        const hidden = outer.get(named.name);
        if (hidden !== undefined && VALUES.has(hidden.$type)) {
            problems.warning(
                'name/shadowed',
                `\`${named.name}\` hides ${describeNamed(hidden)} of the same name`,
                nameRangeOf(named),
                [{ message: 'hidden here', range: nameRangeOf(hidden) }],
            );
        }
    }
}
