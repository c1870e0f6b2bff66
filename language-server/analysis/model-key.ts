/**
 * A short name for a model by its content: equal models have one key in all sessions, so that a result that was kept can
 * be told from one of another model. Places count, documentation does not. 64 bits, not meant against an adversary.
 */
import { AstUtils, CstUtils, isLeafCstNode, type LangiumDocument } from 'langium';
import type { Model } from '../../engine/model/model.js';
import { modelsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';

/** The key as hexadecimal digits. Linear in the parts of the model, each counted as often as it occurs. */
export function modelKey(model: Model): string {
    const digest = new Digest();
    digest.add(model);
    return digest.toString();
}

/** The fields of a model that have no part in results. */
export const UNKEYED_FIELDS: ReadonlySet<string> = new Set(['documentation']);

/** The key of what a document and its imports say, whatever the values of parameters: without comments and layout. */
export function sourceKey(document: LangiumDocument): string {
    const digest = new Digest();
    const model = modelOf(document);
    for (const file of model === undefined ? [] : modelsOf(model)) {
        const root = AstUtils.getDocument(file).parseResult.value.$cstNode;
        for (const node of root === undefined ? [] : CstUtils.streamCst(root)) {
            if (isLeafCstNode(node) && !node.hidden) {
                digest.add(node.text);
            }
        }
    }
    return digest.toString();
}

/** What follows is an object, a list, … of this length: so that no two different data have the same parts in a row. */
const OBJECT = 0x6f;
const LIST = 0x6c;
const TEXT = 0x74;
const OTHER = 0x78;

/** Two hashes with 32 bits each, over one sequence of numbers. */
class Digest {
    private first = 0x811c9dc5;
    private second = 0x9e3779b9;
    /** Names and URIs occur again and again. */
    private readonly hashOfText = new Map<string, readonly [number, number]>();

    add(data: unknown): void {
        if (typeof data === 'number' && Number.isInteger(data) && Math.abs(data) < 2 ** 31) {
            this.mix(data);
        } else if (typeof data === 'string') {
            this.addText(data);
        } else if (Array.isArray(data)) {
            this.mix(LIST);
            this.mix(data.length);
            data.forEach(part => {
                this.add(part);
            });
        } else if (typeof data === 'object' && data !== null) {
            this.mix(OBJECT);
            for (const [name, part] of Object.entries(data)) {
                if (part !== undefined && !UNKEYED_FIELDS.has(name)) {
                    this.addText(name);
                    this.add(part);
                }
            }
            this.mix(OBJECT);
        } else {
            this.mix(OTHER);
            this.addText(String(data));
        }
    }

    toString(): string {
        return [this.first, this.second].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('');
    }

    private addText(text: string): void {
        let hash = this.hashOfText.get(text);
        if (hash === undefined) {
            hash = hashOfText(text);
            this.hashOfText.set(text, hash);
        }
        this.mix(TEXT);
        this.mix(hash[0]);
        this.mix(hash[1]);
    }

    private mix(word: number): void {
        this.first = scramble(this.first, word, 0x85ebca6b);
        this.second = scramble(this.second, word, 0xc2b2ae35);
    }
}

function hashOfText(text: string): readonly [number, number] {
    let first = text.length;
    let second = ~text.length;
    for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        first = scramble(first, code, 0x85ebca6b);
        second = scramble(second, code, 0xc2b2ae35);
    }
    return [first, second];
}

/** The mixing of MurmurHash3, with a factor that tells the two hashes apart. */
function scramble(hash: number, word: number, factor: number): number {
    let mixed = Math.imul(hash ^ word, factor);
    mixed = (mixed << 13) | (mixed >>> 19);
    return (Math.imul(mixed, 5) + 0x38495ab5) | 0;
}
