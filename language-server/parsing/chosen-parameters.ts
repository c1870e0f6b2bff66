/**
 * Values of parameters that are chosen for a document outside of its text. Those that fit are in force: the model, its
 * checks and its hovers are those of these values.
 */
import type { LangiumDocument, LangiumParser } from 'langium';
import type { Expression, Model } from '../generated/ast.js';
import { isParameter } from '../generated/ast.js';
import { declarationsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';
import { readParameterValues, type ParameterValues } from './parameter-values.js';

const NONE: ReadonlyMap<string, Expression> = new Map();

/** By the model of a text: the expressions refer to its declarations. */
const inForce = new WeakMap<Model, ReadonlyMap<string, Expression>>();

export function valuesInForce(model: Model): ReadonlyMap<string, Expression> {
    return inForce.get(model) ?? NONE;
}

export function putInForce(model: Model, values: ReadonlyMap<string, Expression>): void {
    inForce.set(model, values);
}

/** Parses chosen values; those for parameters that the text no longer has do not count. */
export function readChosenValues(
    document: LangiumDocument,
    chosen: ReadonlyMap<string, string>,
    parser: LangiumParser,
): ParameterValues {
    const model = modelOf(document);
    const declared = new Set(
        (model === undefined ? [] : declarationsOf(model)).filter(isParameter).map(({ name }) => name),
    );
    return readParameterValues(
        document,
        [...chosen].filter(([name]) => declared.has(name)),
        parser,
    );
}
