import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../engine/options.js';
import { readSettings } from '../../language-server/settings.js';

interface Property {
    readonly type: string;
    readonly default?: unknown;
    readonly enum?: readonly unknown[];
    readonly markdownDescription: string;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
    readonly contributes: {
        readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
    };
};
const declared = new Map(manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));

const TYPES = {
    switch: 'boolean',
    level: 'string',
    when: 'string',
    steps: 'string',
    texts: 'array',
    seconds: 'number',
    count: 'integer',
    parameters: 'object',
};

test.each(Object.values(SETTINGS))(
    'the editor declares orbit.$path as the table of options does',
    ({ path, kind, default: fallback, meaning }) => {
        const property = declared.get(`orbit.${path}`);
        expect(property).toMatchObject({ type: TYPES[kind], default: fallback, markdownDescription: meaning });
        if (kind === 'level') {
            expect(property?.enum).toEqual(['off', 'hint', 'information', 'warning', 'error']);
        }
    },
);

test('the editor declares no other setting, but for the one of its client', () => {
    const known = Object.values(SETTINGS).map(({ path }) => `orbit.${path}`);
    expect([...declared.keys()].filter(name => !known.includes(name))).toEqual(['orbit.trace.server']);
});

test('a setting that the editor sends replaces its default and leaves the others', () => {
    const settings = readSettings({ codeLens: { model: false }, symmetry: { diagnostics: { severity: 'off' } } });
    expect(settings).toEqual({ ...readSettings(undefined), codeLensModel: false, brokenSymmetry: 'off' });
});

test('a value of the wrong kind counts as absent', () => {
    const nonsense = { codeLens: { model: 'yes' }, symmetry: 7, explore: { maximumStates: -1, maximumThreads: 2.5 } };
    expect(readSettings(nonsense)).toEqual(readSettings(undefined));
});

// A folder could ask for hours and all memory, before anybody trusts it.
test('settings of a folder that is not trusted change no limit, and start nothing', () => {
    const numbers = [...declared].filter(([, { type }]) => type === 'number' || type === 'integer');
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect([...restrictedConfigurations].sort()).toEqual(
        ['orbit.explore.onSave', ...numbers.map(([name]) => name)].sort(),
    );
});
