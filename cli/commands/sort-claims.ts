/** The part of a certificate that is about all values of the parameters: written, read and checked. */
import { isRecord } from '../../engine/common/record.js';
import type { FileOf } from '../../language-server/documents.js';
import { toDocumentLocation } from '../../language-server/documents.js';
import type { LoadResult } from '../../language-server/load-model.js';
import type { UniformVerification } from '../../language-server/document-schema.js';
import type { ClassClaim, PlaceClaim, SortCertificate } from '../../family/sort-certificate.js';
import { CallError } from '../call-error.js';

type Checked = NonNullable<LoadResult['checked']>;

/** What the text proves; undefined for a model without parameters, and if it proves nothing. */
export async function sortClaimsOf({ model }: Checked): Promise<SortCertificate | undefined> {
    const { inferSorts } = await import('../../family/infer-sorts.js');
    const { toCertificate } = await import('../../family/sort-certificate.js');
    const sorts = inferSorts(model);
    const certificate = toCertificate(sorts);
    return sorts.parameters.length === 0 || certificate.classes.every(({ group }) => group === 'trivial')
        ? undefined
        : certificate;
}

/** Checks the claims against the text, without what has inferred them. */
export async function checkSortClaims(
    claims: SortCertificate,
    { model }: Checked,
    fileOf: FileOf,
): Promise<UniformVerification> {
    const { checkSorts } = await import('../../family/check-sorts.js');
    const { declarationsOf } = await import('../../language/references/imports.js');
    const { isParameter } = await import('../../language-server/generated/ast.js');
    const objections = checkSorts(model, claims);
    return {
        forAll: declarationsOf(model)
            .filter(isParameter)
            .map(({ name }) => name),
        classes: claims.classes.filter(({ group }) => group !== 'trivial').length,
        objections: objections.map(({ message, range }) => ({ message, location: toDocumentLocation(range, fileOf) })),
    };
}

/** The claims in the JSON of a certificate; undefined if it has none. Throws a CallError if they are malformed. */
export function readSortClaims(found: unknown, file: string): SortCertificate | undefined {
    if (found === undefined) {
        return undefined;
    }
    if (
        isRecord(found) &&
        found['kind'] === 'sorts' &&
        found['schemaVersion'] === 1 &&
        isListOf(found['classes'], isClassClaim) &&
        isListOf(found['places'], isDeclaredClaim)
    ) {
        return { kind: 'sorts', schemaVersion: 1, classes: found['classes'], places: found['places'] };
    }
    throw new CallError('call/certificate', `'${file}' has malformed 'sorts'`, file);
}

function isListOf<Item>(found: unknown, isItem: (item: unknown) => item is Item): found is readonly Item[] {
    return Array.isArray(found) && found.every(isItem);
}

function isText(found: unknown): found is string {
    return typeof found === 'string';
}

function isClassClaim(found: unknown): found is ClassClaim {
    if (!isRecord(found)) {
        return false;
    }
    switch (found['group']) {
        case 'trivial':
            return true;
        case 'alike':
            return isListOf(found['tables'], isText) && isListOf(found['sets'], isSet);
        case 'ring':
            return isInterval(found['interval']) && typeof found['isReflected'] === 'boolean';
        case 'reversal':
            return isText(found['sum']);
        case 'local':
            return ['record', 'field', 'owner', 'table'].every(name => isText(found[name]));
        default:
            return false;
    }
}

function isSet(found: unknown): found is readonly (readonly [string, string])[] {
    return isListOf(found, isInterval);
}

function isInterval(found: unknown): found is readonly [string, string] {
    return isListOf(found, isText) && found.length === 2;
}

function isDeclaredClaim(found: unknown): found is SortCertificate['places'][number] {
    return (
        isRecord(found) && isText(found['name']) && typeof found['line'] === 'number' && isPlaceClaim(found['classes'])
    );
}

function isPlaceClaim(found: unknown): found is PlaceClaim {
    if (typeof found === 'number') {
        return Number.isInteger(found) && found >= 0;
    }
    if (!isRecord(found)) {
        return false;
    }
    return 'fields' in found
        ? isListOf(found['fields'], isPlaceClaim)
        : 'indices' in found
          ? isListOf(found['indices'], isPlaceClaim) && isPlaceClaim(found['element'])
          : 'member' in found
            ? isPlaceClaim(found['member'])
            : found['message'] === null || isPlaceClaim(found['message']);
}
