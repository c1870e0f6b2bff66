/** A long text that is parsed in slices becomes the tree that it becomes at once. */
// @module-tag long
import { readFileSync, readdirSync } from 'node:fs';
import { CstUtils, isReference, type AstNode, type CstNode, type ParseResult } from 'langium';
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { createOrbitCoreServices } from '../../language-server/module.js';
import { SlicedParser } from '../../language-server/lsp/while-parsing/sliced-parser.js';
import { longModel } from '../arbitrary/long-model.js';

const { Orbit } = createOrbitCoreServices();
const sliced = new SlicedParser(Orbit);
const { token } = new CancellationTokenSource();

/** All models of the folder as one text, which has errors of names and none of syntax. */
const ALL_MODELS = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => readFileSync(`models/${file}`, 'utf8'))
    .join('\n');

/** The tree with the text of each part. */
function describeNode(node: AstNode): unknown {
    const parts = Object.entries(node)
        .filter(([name]) => !name.startsWith('$') || name === '$type' || name === '$containerProperty')
        .map(([name, value]: [string, unknown]) => [name, describeValue(value)]);
    return { ...Object.fromEntries(parts), text: node.$cstNode?.text };
}

function describeValue(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(describeValue);
    }
    if (isReference(value)) {
        return value.$refText;
    }
    return typeof value === 'object' && value !== null && '$type' in value ? describeNode(value as AstNode) : value;
}

/** Each leaf with its place and the kinds of nodes around it. */
function leavesOf({ value }: ParseResult): string[] {
    const around = (node: CstNode): string =>
        node.container === undefined ? 'root' : `${around(node.container)} ${node.container.astNode.$type}`;
    return value.$cstNode === undefined
        ? []
        : CstUtils.flattenCst(value.$cstNode)
              .map(
                  leaf =>
                      `${leaf.offset} ${leaf.range.start.line}:${leaf.range.start.character} ${leaf.text} ${leaf.hidden} ${around(leaf)}`,
              )
              .toArray();
}

test.each([
    ['a generated model', longModel(2000)],
    ['all models of the folder', ALL_MODELS],
    ['declarations that begin in the middle of a line', longModel(1500).replaceAll('\nvar ', ' var ')],
    [
        'names that are words of declarations at the beginning of a line',
        `${longModel(1500)}process Q {\ntype: skip;\nrecord: skip\n}\n`,
    ],
])('of %s', async (_, text) => {
    const whole = Orbit.parser.LangiumParser.parse(text);
    const pieces = await sliced.parse(text, token);
    expect(whole.parserErrors).toEqual([]);
    expect(pieces.parserErrors).toEqual([]);
    expect(describeNode(pieces.value)).toEqual(describeNode(whole.value));
    expect(leavesOf(pieces)).toEqual(leavesOf(whole));
    expect(pieces.value.$cstNode?.root.fullText).toBe(text);
});

test.each([
    ['a misspelled word', (text: string) => text.replace('var turn30:', 'vra turn30:')],
    ['a missing brace', (text: string) => text.replace('count30[i] < 15 {', 'count30[i] < 15 ')],
    [
        'a brace that is open to the end',
        (text: string) => text.replace('process Group30[i: Proc] {', 'process Group30[i: Proc] { {'),
    ],
    ['half an expression', (text: string) => text.replace('count30[i] < 15', 'count30[i] <')],
])('%s is found in the same line', async (_, spoil) => {
    const text = spoil(longModel(2000));
    const whole = Orbit.parser.LangiumParser.parse(text);
    const pieces = await sliced.parse(text, token);
    expect(pieces.parserErrors[0]?.message).toBe(whole.parserErrors[0]?.message);
});

test('parsing can be stopped between two slices', async () => {
    const source = new CancellationTokenSource();
    const parsed = sliced.parse(longModel(5000), source.token).then(
        () => 'parsed',
        () => 'stopped',
    );
    source.cancel();
    expect(await parsed).toBe('stopped');
});
