/** Names: that each one used is declared, and that none is declared twice. */
import { AstUtils, type AstNode, type LangiumDocument } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import * as ast from '../generated/ast.js';
import type { Model, Named } from '../generated/ast.js';
import { labelsOf } from '../references/scope-provider.js';
import { explainWord } from '../parsing/unknown-words.js';
import { nameRangeOf, rangeOfProperty } from '../source-range.js';
import { describeNamed } from '../typing/describe.js';
import { nearestName } from './near-match.js';
import type { ProblemCollector } from './problem-collector.js';

/** Names the absence of deadlocks where a property is asked for by its name. */
const DEADLOCK = 'deadlock';

/**
 * Returns whether the text can be read as it was parsed: a word of another language, `not x`, is no name, and what the
 * parser made of the words around it means nothing.
 */
export function checkNames(document: LangiumDocument, model: Model, problems: ProblemCollector): boolean {
    if (!checkResolved(document, problems)) {
        return false;
    }
    checkUnique(model, problems);
    return true;
}

function checkResolved(document: LangiumDocument, problems: ProblemCollector): boolean {
    let isMisread = false;
    for (const reference of document.references) {
        const info = reference.error?.info;
        if (info === undefined) {
            continue;
        }
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
        const known = explainWord(name);
        if (known !== undefined) {
            problems.error(known.code, known.text, range);
            isMisread = true;
            continue;
        }
        const candidates = [...visibleNames(node), ...valueWordsAt(node)];
        problems.error('name/unresolved', `\`${name}\` is not declared${suggestion(name, candidates)}`, range);
    }
    return !isMisread;
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
        if (ast.isQuantifier(current)) {
            names.push(...current.groups.flatMap(group => group.variables.map(variable => variable.name)));
        } else if (ast.isBlock(current)) {
            names.push(...current.items.filter(isLocal).map(item => item.name));
        } else if (ast.isProcess(current)) {
            names.push(...current.indices.map(index => index.name));
        } else if (ast.isModel(current)) {
            names.push(...globalNames(current).map(named => named.name));
        }
    }
    return names;
}

function isLocal(item: AstNode): item is ast.Variable | ast.Constant {
    return ast.isVariable(item) || ast.isConstant(item);
}

function globalNames(model: Model): Named[] {
    return model.declarations.flatMap((declaration): Named[] => {
        if (ast.isDeadlockAllowance(declaration)) {
            return [];
        }
        return ast.isEnumeration(declaration) ? [declaration, ...declaration.values] : [declaration];
    });
}

function checkUnique(model: Model, problems: ProblemCollector): void {
    const globals = firstOfEach(globalNames(model), problems);
    for (const declaration of model.declarations) {
        if (ast.isInvariant(declaration) && declaration.name === DEADLOCK) {
            const message = `\`${DEADLOCK}\` is the name of a property that every model has: no deadlock is reached`;
            problems.error('name/duplicate', message, nameRangeOf(declaration));
        }
    }
    for (const node of AstUtils.streamAllContents(model)) {
        if (ast.isProcess(node)) {
            const indices = firstOfEach(node.indices, problems);
            checkShadowed(node.indices, globals, problems);
            checkBlock(node.body, [indices, globals], problems);
        } else if (ast.isQuantifier(node)) {
            firstOfEach(
                node.groups.flatMap(group => group.variables),
                problems,
            );
        }
    }
}

/** Locals of a block and of the blocks inside it. */
function checkBlock(block: ast.Block, outer: readonly ReadonlyMap<string, Named>[], problems: ProblemCollector): void {
    const locals = block.items.filter(isLocal);
    const names = firstOfEach(locals, problems);
    for (const scope of outer) {
        checkShadowed(
            locals.filter(local => names.get(local.name) === local),
            scope,
            problems,
        );
    }
    for (const item of block.items) {
        for (const inner of blocksOf(item)) {
            checkBlock(inner, [names, ...outer], problems);
        }
    }
}

function blocksOf(item: ast.Item): ast.Block[] {
    switch (item.$type) {
        case 'Labeled':
            return blocksOf(item.item);
        case 'Loop':
        case 'While':
            return [item.body];
        case 'IfControl':
            return [
                item.then,
                ...(item.otherwise === undefined ? [] : [item.otherwise]),
                ...(item.elseIf === undefined ? [] : blocksOf(item.elseIf)),
            ];
        case 'Choose':
            return item.alternatives;
        case 'Variable':
        case 'Constant':
        case 'Break':
        case 'Step':
            return [];
        default:
            return unreachable(item);
    }
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
    'BinderVariable',
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
