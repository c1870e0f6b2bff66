/**
 * What is proved for all values of the parameters, as plain data: the class of each place of each declaration, and the
 * group of each class. check-sorts.ts checks it against the text.
 */
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { declarationsOf } from '../language/references/imports.js';
import { rangeOf } from '../language/tree/source-text.js';
import type { PlaceClasses, UniformSorts } from './infer-sorts.js';
import { formatPolynomial } from '../language/typing/polynomial.js';
import type { ClassInterval, SortGroup } from './sort-groups.js';

export interface SortCertificate {
    readonly kind: 'sorts';
    readonly schemaVersion: 1;
    readonly classes: readonly ClassClaim[];
    /** For each declaration with places, in the order of the text. */
    readonly places: readonly { readonly name: string; readonly line: number; readonly classes: PlaceClaim }[];
}

/** Bounds are texts: `N - 1`. */
export type ClassClaim =
    | { readonly group: 'trivial' }
    | {
          readonly group: 'alike';
          readonly sets: readonly (readonly IntervalClaim[])[];
          readonly tables: readonly string[];
      }
    | { readonly group: 'ring'; readonly interval: IntervalClaim; readonly isReflected: boolean }
    | { readonly group: 'reversal'; readonly sum: string }
    | {
          readonly group: 'local';
          readonly record: string;
          readonly field: string;
          readonly owner: string;
          readonly table: string;
      };

type IntervalClaim = readonly [low: string, high: string];

/** Numbers are positions in `classes`. */
export type PlaceClaim =
    | number
    | { readonly fields: readonly PlaceClaim[] }
    | { readonly indices: readonly PlaceClaim[]; readonly element: PlaceClaim }
    | { readonly member: PlaceClaim }
    | { readonly message: PlaceClaim | null };

export function toCertificate(sorts: UniformSorts): SortCertificate {
    return {
        kind: 'sorts',
        schemaVersion: 1,
        classes: sorts.classes.map(({ group }) => claimOf(group)),
        places: placedIn(sorts.model).flatMap(declaration => {
            const places = sorts.places.get(declaration);
            return places === undefined
                ? []
                : [{ name: declaration.name, line: lineOf(declaration), classes: placeClaim(places) }];
        }),
    };
}

/** The declarations that may have places, in the order of the text. */
export function placedIn(model: ast.Model): ast.Named[] {
    return declarationsOf(model)
        .flatMap(nodesOf)
        .filter(
            (node): node is ast.Named =>
                ast.isVariable(node) ||
                ast.isParameter(node) ||
                ast.isChannelDeclaration(node) ||
                ast.isEventDeclaration(node) ||
                ast.isFunctionDeclaration(node) ||
                ast.isFunctionParameter(node) ||
                ast.isProcedureParameter(node) ||
                ast.isProcessIndex(node) ||
                ast.isProcessParameter(node) ||
                ast.isBinderVariable(node),
        );
}

export function lineOf(declaration: ast.Named): number {
    return rangeOf(declaration).start.line + 1;
}

function claimOf(group: SortGroup): ClassClaim {
    switch (group.kind) {
        case 'trivial':
            return { group: 'trivial' };
        case 'alike':
            return {
                group: 'alike',
                sets: group.sets.map(({ intervals }) => intervals.map(intervalClaim)),
                tables: group.tables.map(({ name }) => name),
            };
        case 'ring':
            return { group: 'ring', interval: intervalClaim(group.interval), isReflected: group.isReflected };
        case 'reversal':
            return { group: 'reversal', sum: formatPolynomial(group.sum) };
        case 'local': {
            const { record, field, ownerField, table } = group.local;
            return {
                group: 'local',
                record: record.name,
                field: field.name,
                owner: ownerField.name,
                table: table.name,
            };
        }
    }
}

function intervalClaim({ low, high }: ClassInterval): IntervalClaim {
    return [formatPolynomial(low), formatPolynomial(high)];
}

function placeClaim(places: PlaceClasses): PlaceClaim {
    switch (places.kind) {
        case 'scalar':
            return places.sort.index;
        case 'record':
            return { fields: places.fields.map(placeClaim) };
        case 'array':
            return { indices: places.indices.map(placeClaim), element: placeClaim(places.element) };
        case 'set':
            return { member: placeClaim(places.member) };
        case 'channel':
            return { message: places.message === undefined ? null : placeClaim(places.message) };
    }
}
