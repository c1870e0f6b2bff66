/**
 * Quick fixes for the diagnostics of validation that look at the syntax tree, the likeliest first; those that a message
 * names come with it (`Problem.fix`). A fix changes no more than its title says.
 */
import { AstUtils, CstUtils, GrammarUtils, type AstNode, type LangiumDocument } from 'langium';
import type { Diagnostic, Range, TextEdit } from 'vscode-languageserver';
import { DiagnosticSeverity } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import { isAboutRuns } from '../../../language/references/temporal.js';
import { rangeOf } from '../../../language/tree/source-text.js';
import { readingsOf, unclearIn } from '../../../language/validation/unclear.js';
import { emptyRange, textOf } from '../providers/declarations.js';
import { declarationOf, firstLineOf } from './declare-variable.js';

export interface QuickFix {
    readonly title: string;
    readonly edits: readonly TextEdit[];
    /** Whether the command “fix” of an editor applies it without asking. */
    readonly isPreferred: boolean;
}

/** The most steps that are offered for a label that no step has. */
const OFFERED_STEPS = 3;

export function quickFixesFor(diagnostic: Diagnostic, document: LangiumDocument): QuickFix[] {
    const fixes = fixesByCode(diagnostic, document);
    const { code, severity, range } = diagnostic;
    const canBeIgnored = severity !== DiagnosticSeverity.Error && typeof code === 'string';
    return canBeIgnored ? [...fixes, ignoring(code, range, document)] : fixes;
}

function fixesByCode(diagnostic: Diagnostic, document: LangiumDocument): QuickFix[] {
    const { code, range } = diagnostic;
    const node = nodeAt(document, range);
    switch (code) {
        case 'syntax/missing-semicolon':
            return [fix('Insert `;`', [{ range: emptyRange(range.end), newText: ';' }])];
        case 'syntax/chained-comparison':
            return node === undefined ? [] : splitComparison(node, document);
        case 'property/unclear':
            return clearFixes(range, node, document);
        case 'property/no-run-word':
            return runWordFixes(node);
        case 'name/unresolved':
            return node === undefined ? [] : [...labelFixes(node), ...declarationFixes(node)];
        case 'parameter/no-value':
            return ast.isParameter(node) ? defaultValueFixes(node) : [];
        case 'model/repeated':
        case 'model/deadlock-conflict':
        case 'import/repeated':
        case 'import/itself':
        case 'process/unreachable':
            return removal('Remove this', itemAround(node), document);
        case 'model/not-first':
            return moveToTop(itemAround(node), document);
        case 'process/break-outside-loop':
            return [fix('Replace by `terminate`', [{ range, newText: 'terminate' }])];
        case 'process/test-and-step':
            return separateTest(node);
        case 'explore/deadlock':
            return [allowingDeadlock(document)];
        default:
            return typeof code === 'string' && code.startsWith('unused/') && node !== undefined
                ? unusedFixes(diagnostic, node, document)
                : [];
    }
}

/** The declaration that such states are meant, behind the last one. */
function allowingDeadlock({ textDocument }: LangiumDocument): QuickFix {
    const text = textDocument.getText();
    const newText = `${text.endsWith('\n') ? '' : '\n'}\nallow deadlock\n`;
    const title = 'This is meant: a state without a step is allowed';
    return fix(title, [{ range: emptyRange(textDocument.positionAt(text.length)), newText }], false);
}

function fix(title: string, edits: readonly TextEdit[], isPreferred = true): QuickFix {
    return { title, edits, isPreferred };
}

/** The innermost node at the start of the range. */
function nodeAt(document: LangiumDocument, range: Range): AstNode | undefined {
    const root = document.parseResult.value.$cstNode;
    return root && CstUtils.findLeafNodeAtOffset(root, document.textDocument.offsetAt(range.start))?.astNode;
}

/** The declaration, item or statement that a node is part of. */
function itemAround(node: AstNode | undefined): AstNode | undefined {
    let item = node;
    while (item !== undefined && !isItem(item)) {
        item = item.$container;
    }
    return item;
}

function isItem({ $container: container, $containerProperty: property }: AstNode): boolean {
    return (
        (ast.isModel(container) && (property === 'declarations' || property === 'headers')) ||
        (ast.isBlock(container) && property === 'items') ||
        (ast.isBody(container) && property === 'statements')
    );
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** `a < b < c` as the two comparisons that it means. */
function splitComparison(node: AstNode, { textDocument }: LangiumDocument): QuickFix[] {
    for (let outer: AstNode | undefined = node; outer !== undefined; outer = outer.$container) {
        const inner: AstNode | undefined = ast.isBinaryExpression(outer) ? outer.left : undefined;
        if (!ast.isBinaryExpression(outer) || !ast.isBinaryExpression(inner) || !COMPARISONS.has(inner.operator)) {
            continue;
        }
        const [first, second, third] = [inner.left, inner.right, outer.right].map(part =>
            textDocument.getText(rangeOf(part)),
        );
        const newText = `${first} ${inner.operator} ${second} && ${second} ${outer.operator} ${third}`;
        const { start, end } = rangeOf(outer);
        return [fix(`Replace by \`${newText}\``, [{ range: { start, end }, newText }])];
    }
    return [];
}

/** The two readings of an operator whose reach is not clear. */
function clearFixes({ start }: Range, node: AstNode | undefined, { textDocument }: LangiumDocument): QuickFix[] {
    const owner = AstUtils.getContainerOfType(node, isAboutRuns);
    const offset = textDocument.offsetAt(start);
    const readings = (owner === undefined ? [] : unclearIn(owner.expression))
        .map(readingsOf)
        .find(({ range }) => textDocument.offsetAt(range.start) === offset);
    return readings === undefined
        ? []
        : readings.texts.map((text, index) => {
              const part = readings.parts[index] ?? readings.range;
              const edits = [
                  { range: emptyRange(part.start), newText: '(' },
                  { range: emptyRange(part.end), newText: ')' },
              ];
              return fix(`Write \`${text}\``, edits, false);
          });
}

/** A property without a word about runs: as an invariant, or with `always`. */
function runWordFixes(node: AstNode | undefined): QuickFix[] {
    const property = AstUtils.getContainerOfType(node, ast.isProperty);
    const word = property && GrammarUtils.findNodeForKeyword(property.$cstNode, 'property');
    if (property === undefined || word === undefined) {
        return [];
    }
    const { start, end } = rangeOf(property.expression);
    const edits = [
        { range: emptyRange(start), newText: 'always (' },
        { range: emptyRange(end), newText: ')' },
    ];
    return [
        fix('Make it an invariant', [{ range: word.range, newText: 'invariant' }]),
        fix('Put `always` before it', edits, false),
    ];
}

/** The missing label at a step without one. */
function labelFixes(node: AstNode): QuickFix[] {
    const process = ast.isReference(node) ? node.target.ref : undefined;
    const label = ast.isReference(node) ? node.label : undefined;
    if (!ast.isProcess(process) || label === undefined || label.ref !== undefined) {
        return [];
    }
    const steps = AstUtils.streamAllContents(process.body)
        .filter(ast.isStep)
        .filter(step => !ast.isLabeled(step.$container))
        .limit(OFFERED_STEPS)
        .toArray();
    const isHere = AstUtils.getDocument(process) === AstUtils.getDocument(node);
    return (isHere ? steps : []).flatMap(step => {
        const start = step.$cstNode?.range.start;
        const title = `Label the step in line ${(start?.line ?? 0) + 1} \`${label.$refText}\``;
        return start === undefined
            ? []
            : [fix(title, [{ range: emptyRange(start), newText: `${label.$refText}: ` }], false)];
    });
}

/** A variable declaration for an undeclared name that is read or written. */
function declarationFixes(node: AstNode): QuickFix[] {
    const declaration = ast.isReference(node) ? declarationOf(node) : undefined;
    return declaration === undefined ? [] : [fix(declaration.title, declaration.edits, false)];
}

function defaultValueFixes(parameter: ast.Parameter): QuickFix[] {
    const { type } = parameter;
    const end = type.$cstNode?.range.end;
    const low =
        ast.isRangeType(type.element) && type.element.high !== undefined ? textOf(type.element.low.$cstNode) : '';
    return end === undefined || low === '' || type.indices.length > 0
        ? []
        : [fix(`Begin with \`${low}\``, [{ range: emptyRange(end), newText: ` = ${low}` }])];
}

/** Removes the lines of an item with its comments, or only the item if it shares a line. */
function removal(title: string, item: AstNode | undefined, document: LangiumDocument): QuickFix[] {
    const range = item === undefined ? undefined : rangeOfItem(item, document);
    return range === undefined ? [] : [fix(title, [{ range, newText: '' }])];
}

function rangeOfItem(item: AstNode, { textDocument }: LangiumDocument): Range | undefined {
    const cst = item.$cstNode;
    if (cst === undefined) {
        return undefined;
    }
    const text = textDocument.getText();
    const behind = /^[ \t]*;?[ \t]*(\/\/[^\n]*)?(?=\r?\n|$)/.exec(text.slice(cst.end));
    const before = text.slice(text.lastIndexOf('\n', cst.offset - 1) + 1, cst.offset);
    if (behind === null || before.trim() !== '') {
        const semicolon = /^[ \t]*;[ \t]*/.exec(text.slice(cst.end))?.[0].length ?? 0;
        return { start: cst.range.start, end: textDocument.positionAt(cst.end + semicolon) };
    }
    const first = firstLineOf(text, cst.range.start.line);
    return { start: { line: first, character: 0 }, end: { line: cst.range.end.line + 1, character: 0 } };
}

function moveToTop(item: AstNode | undefined, document: LangiumDocument): QuickFix[] {
    const range = item === undefined ? undefined : rangeOfItem(item, document);
    const newText = `${textOf(item?.$cstNode)}\n\n`;
    const top = emptyRange({ line: 0, character: 0 });
    return range === undefined
        ? []
        : [
              fix('Move to the top', [
                  { range: top, newText },
                  { range, newText: '' },
              ]),
          ];
}

/** Inserts `skip` steps, so that the test becomes a step of its own. */
function separateTest(node: AstNode | undefined): QuickFix[] {
    const test = AstUtils.getContainerOfType(
        node,
        (outer): outer is ast.While | ast.IfControl => ast.isWhile(outer) || ast.isIfControl(outer),
    );
    if (test === undefined) {
        return [];
    }
    const edits = ast.isWhile(test)
        ? [...(test.body.items.length === 0 ? [] : stepAtStart(test.body)), ...insertBehind(test, '\nskip;')]
        : [
              ...stepAtStart(test.then),
              ...(test.otherwise !== undefined
                  ? stepAtStart(test.otherwise)
                  : test.elseIf === undefined
                    ? insertBehind(test, ' else { skip }')
                    : []),
          ];
    return [fix('Make the test a step of its own', edits)];
}

function stepAtStart(block: ast.Block): TextEdit[] {
    const start = block.$cstNode?.range.start;
    const newText = block.items.length === 0 ? ' skip' : ' skip;';
    return start === undefined
        ? []
        : [{ range: emptyRange({ line: start.line, character: start.character + 1 }), newText }];
}

function insertBehind(node: AstNode, newText: string): TextEdit[] {
    const cst = node.$cstNode;
    if (cst === undefined) {
        return [];
    }
    const indentation = ' '.repeat(cst.range.start.character);
    return [{ range: emptyRange(cst.range.end), newText: newText.replace('\n', `\n${indentation}`) }];
}

/** Removes a declaration that nothing uses; a parameter of a function is part of its calls and gets another name. */
function unusedFixes({ range }: Diagnostic, node: AstNode, document: LangiumDocument): QuickFix[] {
    const name = document.textDocument.getText(range);
    const rename = fix(`Rename to \`_${name}\`: it is meant to be unused`, [{ range, newText: `_${name}` }], false);
    if (ast.isFunctionParameter(node) || !isItem(node)) {
        return [rename];
    }
    return [...removal(`Remove \`${name}\``, node, document), rename];
}

/** A comment above the line that says that the warning is known. */
function ignoring(code: string, { start }: Range, { textDocument }: LangiumDocument): QuickFix {
    const line = textDocument.getText({
        start: { line: start.line, character: 0 },
        end: { line: start.line + 1, character: 0 },
    });
    const indentation = /^\s*/.exec(line)?.[0].replace(/[\r\n]/g, '') ?? '';
    const newText = `${indentation}// orbit-ignore ${code}\n`;
    const title = code.startsWith('symmetry/') ? `This is meant: ignore ${code} here` : `Ignore ${code} here`;
    return fix(title, [{ range: emptyRange({ line: start.line, character: 0 }), newText }], false);
}
