/**
 * The symmetries of a model: the group, its factors, generators and orbits, and the places that break expected
 * symmetries.
 */
import { isProblemsDocument } from '../../language-server/protocol.js';
import type { AssertionDocument, BrokenSymmetry, SymmetryDocument } from '../../language-server/protocol.js';
import { element, extensionHost, withCode } from './elements.js';
import type { ContentMessage, SymmetriesContent } from './messages.js';
import { headerOf, placeLink, problemList } from './shared-parts.js';
import { caveatOf, describeKept, describeSearch, describeStates, listSome, nameGroup, subtitleOf } from './wording.js';

const root = document.getElementById('root') as HTMLElement;

window.addEventListener('message', (event: MessageEvent<ContentMessage<SymmetriesContent>>) => {
    root.replaceChildren(...partsOf(event.data.content));
});
extensionHost.postMessage({ kind: 'ready' });

function partsOf(content: SymmetriesContent): readonly (Node | string)[] {
    const { document } = content;
    if (isProblemsDocument(document)) {
        return [
            headerOf({ ...content, mark: 'violated', title: 'The model has errors' }),
            problemList(document.problems),
        ];
    }
    const caveat = caveatOf(document);
    return [
        headerOf({
            ...content,
            mark: 'symmetries',
            title: nameGroup(document),
            subtitle: subtitleOf(document, undefined),
        }),
        caveat === undefined ? '' : element('p', { class: 'notice' }, ...withCode(caveat)),
        ...(document.heldFixed ?? []).map(heldFixedPart),
        ...document.broken.map(brokenPart),
        ...(document.unexplained ?? []).map(text => element('p', {}, 'Not explained: ', ...withCode(text), '.')),
        ...(document.order === '1'
            ? []
            : [
                  structurePart(document),
                  generatorsPart(document),
                  orbitsPart(document.variableOrbits),
                  propertiesPart(document),
              ]),
        assertionsPart(document.assertions),
        element('p', { class: 'muted' }, describeSearch(document)),
    ];
}

function heldFixedPart({ message, location, cells }: NonNullable<SymmetryDocument['heldFixed']>[number]): Node {
    return element(
        'div',
        {},
        element('p', {}, 'Held fixed: ', ...withCode(message), '.'),
        element('ul', {}, element('li', {}, placeLink(location, listSome(cells)))),
    );
}

function brokenPart({ expected, found, message, locations }: BrokenSymmetry): Node {
    return section(
        `Expected ${expected}, found ${found}`,
        element('p', {}, ...withCode(message)),
        element('ul', {}, ...placesOf(locations)),
    );
}

function assertionsPart(assertions: readonly AssertionDocument[]): Node | string {
    const items = assertions.map(({ text, verdict, message, location, locations }) =>
        element(
            'li',
            {},
            placeLink(location, text),
            ` · ${verdict}`,
            element('p', {}, ...withCode(message)),
            locations.length === 0 ? undefined : element('ul', {}, ...placesOf(locations)),
        ),
    );
    return items.length === 0 ? '' : section('Assertions', element('ul', {}, ...items));
}

function placesOf(locations: AssertionDocument['locations']): readonly Node[] {
    return locations.map(location => element('li', {}, placeLink(location, location.text)));
}

/** The direct factors, and the number of distinct states. */
function structurePart(document: SymmetryDocument): Node {
    const factors = document.factors.map(({ structure, permutes, moves }) =>
        element(
            'li',
            {},
            `${structure}: `,
            ...withCode(permutes),
            element('span', { class: 'muted' }, ` · moves ${moves.join(', ')}`),
        ),
    );
    return section(
        'Structure',
        factors.length === 0 ? undefined : element('ul', {}, ...factors),
        ...describeStates(document).map(text => element('p', {}, text)),
    );
}

/** Each generator in cycle notation, with its moves on demand. */
function generatorsPart(document: SymmetryDocument): Node {
    const items = document.generators.map(({ cycles, moves }) => {
        const summary = element('summary', {}, moves.length === 1 ? '1 move' : `${moves.length} moves`);
        const list = element('p', { class: 'moves' }, moves.join(', '));
        const details = moves.length === 0 ? undefined : element('details', {}, summary, list);
        return element('li', {}, element('code', {}, cycles), details);
    });
    return section('Generators', element('ol', { class: 'generators' }, ...items));
}

/** Each orbit of variables on one line, and the fixed variables on the last. */
function orbitsPart(orbits: readonly (readonly string[])[]): Node | string {
    const moved = orbits.filter(orbit => orbit.length > 1);
    const others = orbits.filter(orbit => orbit.length === 1).flat();
    const items = moved.map(orbit => element('li', {}, element('code', {}, orbit.join('  '))));
    return section(
        'Orbits of variables',
        items.length === 0 ? undefined : element('ul', { class: 'orbits' }, ...items),
        others.length === 0
            ? undefined
            : element('p', { class: 'muted' }, 'In their places: ', element('code', {}, listSome(others))),
    );
}

function propertiesPart(document: SymmetryDocument): Node | string {
    const items = document.properties.map(property => element('li', {}, ...withCode(describeKept(property, document))));
    return items.length === 0 ? '' : section('Properties', element('ul', {}, ...items));
}

function section(title: string, ...body: readonly (Node | undefined)[]): Node {
    return element('section', {}, element('h2', {}, title), ...body);
}
