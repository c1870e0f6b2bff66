import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings, SETTINGS } from '../../language-server/settings.js';

interface ConfigurationGroup {
    readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly enum?: readonly unknown[] }>>;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly contributes: { readonly configuration: readonly ConfigurationGroup[] };
};
const declared = Object.assign(
    {},
    ...manifest.contributes.configuration.map(group => group.properties),
) as ConfigurationGroup['properties'];

test.each(Object.values(SETTINGS))(
    'the editor declares orbit.$path with the default that the server assumes',
    setting => {
        const property = declared[`orbit.${setting.path}`];
        expect(property?.default).toEqual(setting.fallback);
        for (const value of property?.enum ?? []) {
            expect(setting.accepts(value)).toBe(true);
        }
    },
);

test('a setting that the editor sends replaces its default and leaves the others', () => {
    const settings = readSettings({ codeLens: { model: false }, symmetry: { diagnostics: { severity: 'off' } } });
    expect(settings).toEqual({ ...readSettings(undefined), codeLensModel: false, brokenSymmetry: 'off' });
});

test('a value of the wrong kind counts as absent', () => {
    const nonsense = { codeLens: { model: 'yes' }, symmetry: 7, explore: { maximumStates: -1, maximumThreads: 2.5 } };
    expect(readSettings(nonsense)).toEqual(readSettings(undefined));
});
