/** Reads the settings `orbit.…` (engine/options.ts) from what the editor sends. */
import type { LangiumSharedServices } from 'langium/lsp';
import { Emitter, type Event } from 'langium';
import { isRecord } from '../engine/common/record.js';
import {
    PARTIAL_ORDERS,
    SETTINGS,
    type DiagnosticLevel,
    type OrbitSettings,
    type SettingValues,
} from '../engine/options.js';

/** Whether a value from the editor is one of its kind. */
const ACCEPTS: { readonly [Kind in keyof SettingValues]: (value: unknown) => boolean } = {
    switch: value => typeof value === 'boolean',
    level: value => LEVELS.some(level => level === value),
    when: value => ['off', 'small', 'always'].some(each => each === value),
    steps: value => PARTIAL_ORDERS.some(each => each === value),
    texts: value => Array.isArray(value) && value.every(element => typeof element === 'string'),
    seconds: value => typeof value === 'number' && value > 0,
    count: value => Number.isSafeInteger(value) && Number(value) > 0,
    parameters: value => isRecord(value) && Object.values(value).every(isRecordOfTexts),
};

function isRecordOfTexts(value: unknown): boolean {
    return isRecord(value) && Object.values(value).every(text => typeof text === 'string');
}

const LEVELS: readonly DiagnosticLevel[] = ['off', 'hint', 'information', 'warning', 'error'];

/** The settings in the section `orbit` that the editor sent; a value of another kind counts as absent. */
export function readSettings(section: unknown): OrbitSettings {
    const fields = Object.entries(SETTINGS).map(([name, { path, kind, default: fallback }]) => {
        const value = valueAt(section, path);
        return [name, ACCEPTS[kind](value) ? value : fallback];
    });
    return Object.fromEntries(fields) as OrbitSettings;
}

/** The settings as they are now: the defaults until the editor has sent its own. */
export interface SettingsService {
    readonly current: OrbitSettings;
    readonly onChange: Event<OrbitSettings>;
}

/** Follows the configuration that the editor sends. */
export function createSettingsService(shared: LangiumSharedServices): SettingsService {
    const emitter = new Emitter<OrbitSettings>();
    const provider = shared.workspace.ConfigurationProvider;
    let current = readSettings(undefined);

    function update(section: unknown): void {
        current = readSettings(section);
        emitter.fire(current);
    }

    // Editors that let the server ask: the provider has asked once it is ready, but gives out one entry at a time.
    const entries = [...new Set(Object.values(SETTINGS).map(setting => setting.path.split('.')[0] ?? ''))];
    void provider.ready.then(async () => {
        const values = await Promise.all(
            entries.map(async entry => [entry, (await provider.getConfiguration('orbit', entry)) as unknown] as const),
        );
        if (values.some(([, value]) => value !== undefined)) {
            update(Object.fromEntries(values));
        }
    });
    provider.onConfigurationSectionUpdate(({ section, configuration }) => {
        if (section === 'orbit') {
            update(configuration as unknown);
        }
    });
    return {
        get current() {
            return current;
        },
        onChange: emitter.event,
    };
}

/** The value under a dotted path of nested objects. */
function valueAt(section: unknown, path: string): unknown {
    let value = section;
    for (const name of path.split('.')) {
        if (typeof value !== 'object' || value === null) {
            return undefined;
        }
        value = (value as Record<string, unknown>)[name];
    }
    return value;
}
