/**
 * The word `fair` or `strong fair` before a step or a process that a run never takes although it could: with it, the run
 * no longer counts. The place is looked for in the present text, by the names that the run has.
 */
import { AstUtils, GrammarUtils, type LangiumDocument } from 'langium';
import * as ast from '../../generated/ast.js';
import type { UnfairStepDocument } from '../../document-schema.js';
import type { MakeFairResult } from '../../protocol.js';
import { declarationsOf } from '../../../language/references/imports.js';
import { modelOf } from '../../references/imports.js';
import { isLabelOfStep, labelsOf } from '../../../language/references/labels.js';
import { rangeOf } from '../../../language/tree/source-text.js';
import { emptyRange, nameNodeOf } from '../providers/declarations.js';
import type { QuickFix } from './quick-fixes.js';

/** One fix for each of the steps that stands in this document; the same one is offered once. */
export function fairnessFixes(steps: readonly UnfairStepDocument[], document: LangiumDocument): QuickFix[] {
    const fixes = steps.flatMap((step): QuickFix[] => {
        const found = insertionFor(step, document);
        return found === undefined || AstUtils.getDocument(found.node) !== document
            ? []
            : [{ title: `Exclude this run: \`${found.text}\``, edits: [found.edit], isPreferred: false }];
    });
    return [...new Map(fixes.map(fix => [JSON.stringify(fix.edits), fix])).values()];
}

/** The same for one step, which may stand in an imported file. */
export function fairnessEdits(step: UnfairStepDocument, document: LangiumDocument): MakeFairResult {
    const found = insertionFor(step, document);
    if (found === undefined) {
        return { edits: [] };
    }
    const { node, edit } = found;
    const { line, character } = edit.range.start;
    const file = AstUtils.getDocument(node).uri.toString();
    const place = { line: line + 1, column: character + 1, endLine: line + 1, endColumn: character + 1 };
    return { edits: [{ file, ...place, newText: edit.newText }] };
}

interface Insertion {
    readonly node: ast.Labeled | ast.Process;
    readonly edit: QuickFix['edits'][number];
    /** `strong fair enter:`, `fair process P`. */
    readonly text: string;
}

/** Undefined if the text has no such step, or is as fair to it already. */
function insertionFor(step: UnfairStepDocument, document: LangiumDocument): Insertion | undefined {
    const node = placeOf(step, document);
    const isStrong = step.kind === 'strong';
    if (node === undefined || node.strong || (node.fair && !isStrong)) {
        return undefined;
    }
    const keyword = (word: string) => GrammarUtils.findNodeForKeyword(node.$cstNode, word);
    const start = node.fair ? keyword('fair') : ast.isProcess(node) ? keyword('process') : nameNodeOf(node);
    if (start === undefined) {
        return undefined;
    }
    const words = isStrong ? 'strong fair' : 'fair';
    return {
        node,
        edit: { range: emptyRange(start.range.start), newText: node.fair ? 'strong ' : `${words} ` },
        text: ast.isProcess(node) ? `${words} process ${node.name}` : `${words} ${node.name}:`,
    };
}

/** The declaration of the process, or the label of its step: of several the one before the place that the run names. */
function placeOf(
    { process, label, location }: UnfairStepDocument,
    document: LangiumDocument,
): ast.Labeled | ast.Process | undefined {
    const model = modelOf(document);
    const family = process.replace(/\[.*$/, '');
    const declaration = (model === undefined ? [] : declarationsOf(model))
        .filter(ast.isProcess)
        .filter(({ isTemplate }) => !isTemplate)
        .find(({ name }) => name === family);
    if (declaration === undefined || label === undefined) {
        return declaration;
    }
    const labels = labelsOf(declaration).filter(labeled => labeled.name === label && isLabelOfStep(labeled));
    const isAround = (labeled: ast.Labeled): boolean => {
        const { start, end } = rangeOf(labeled);
        const at = location && { line: location.line - 1, character: location.column - 1 };
        const isBefore = (one: typeof start, other: typeof start): boolean =>
            one.line < other.line || (one.line === other.line && one.character <= other.character);
        return at !== undefined && isBefore(start, at) && isBefore(at, end);
    };
    return labels.length === 1 ? labels[0] : labels.find(isAround);
}
